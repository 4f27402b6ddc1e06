// Hopper's warp-group matrix instruction: 128 threads multiply two tiles in shared memory.
#pragma once

#include "tiles.h"

// Orders earlier register and shared-memory accesses before the next multiplication.
__device__ __forceinline__ void wgmma_fence() {
#ifndef KB_HOST
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}

// Waits until every multiplication so far is done.
__device__ __forceinline__ void wgmma_wait() {
#ifndef KB_HOST
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
}

// d += a b for one 64 x 64 tile over 16 of depth; d is spread over the 128 threads.
__device__ __forceinline__ void wgmma_m64n64k16(float (&d)[32], count_t a, count_t b) {
#ifdef KB_HOST
  using namespace kb_host;
  meet_group();
  const unsigned lane = rank() % kWarp, warp = rank() / kWarp % 4;
  for (unsigned r = 0; r < 32; ++r) {
    const unsigned row = 16 * warp + lane / 4 + r % 4 / 2 * 8;
    const unsigned col = r / 4 * 8 + 2 * (lane % 4) + r % 2;
    for (unsigned depth = 0; depth < 16; ++depth)
      d[r] += element(a, row, depth) * element(b, col, depth);
  }
  meet_group();
#else
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
      "%32, %33, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
        "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
#endif
}
