// The warp-level matrix instruction, which every tensor core since Ampere has.
#pragma once

#include "common.h"

// d += a b for one 16 x 8 tile over 16 of depth; a, b and d are spread over the 32 lanes.
__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4],
                                             const unsigned (&b)[2]) {
#ifdef KB_HOST
  using namespace kb_host;
  const unsigned base = rank() / kWarp * kWarp, lane = rank() % kWarp;
  uint64_t* slots = &block->slots[base * 8];
  for (unsigned r = 0; r < 4; ++r) slots[lane * 8 + r] = a[r];
  for (unsigned r = 0; r < 2; ++r) slots[lane * 8 + 4 + r] = b[r];
  meet_warp();
  // The table of the PTX manual: lane = 4 * group + part; a holds rows group and group + 8 at
  // depths 2 part and 2 part + 8, b holds column group at the same depths.
  auto half = [&](unsigned from, unsigned slot, unsigned odd) {
    return bf16(uint16_t(slots[from * 8 + slot] >> (16 * odd)));
  };
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned row = lane / 4 + (r / 2) * 8, col = 2 * (lane % 4) + r % 2;
    for (unsigned depth = 0; depth < 16; ++depth) {
      const unsigned part = depth % 8 / 2, upper = depth / 8, odd = depth % 2;
      const float left = half(row % 8 * 4 + part, 2 * upper + row / 8, odd);
      d[r] += left * half(col * 4 + part, 4 + upper, odd);
    }
  }
  meet_warp();
#else
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
