// Blackwell's tensor core: one thread starts a multiplication of two tiles in shared memory, the
// result gathers in tensor memory, and a barrier object says when it is done.
#pragma once

#include "tiles.h"

// bf16 x bf16 -> f32, both operands with depth along a row; sizes of the result tile.
__device__ __forceinline__ constexpr unsigned instruction(unsigned rows, unsigned cols) {
  return 1u << 4 | 1u << 7 | 1u << 10 | (cols / 8) << 17 | (rows / 16) << 24;
}

// A descriptor of this generation carries version 1.
__device__ __forceinline__ count_t tile_descriptor(unsigned address) {
  return descriptor(address) | count_t(1) << 46;
}

#ifdef KB_HOST
namespace kb_host {
inline float (&tensor_memory())[128][512] {
  static float cells[128][512];
  return cells;
}
}  // namespace kb_host
#endif

// One whole warp takes `columns` columns of tensor memory and leaves their address in `*slot`.
__device__ __forceinline__ void tensor_take(unsigned* slot, unsigned columns) {
#ifdef KB_HOST
  for (auto& lane : kb_host::tensor_memory()) std::fill(lane, lane + 512, NAN);
  *slot = 0;
#else
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                   shared_address(slot)),
               "r"(columns)
               : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
#endif
}

// The same warp gives them back.
__device__ __forceinline__ void tensor_give(unsigned address, unsigned columns) {
#ifndef KB_HOST
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "r"(columns)
               : "memory");
#endif
}

__device__ __forceinline__ void before_sync() {
#ifndef KB_HOST
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
#endif
}

__device__ __forceinline__ void after_sync() {
#ifndef KB_HOST
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#endif
}

// Sets up a barrier object that one arrival completes.
__device__ __forceinline__ void barrier_init(count_t* barrier) {
#ifdef KB_HOST
  *barrier = 0;
#else
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier))
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

// Waits until the barrier's phase of this parity is complete.
__device__ __forceinline__ void barrier_wait(count_t* barrier, unsigned parity) {
#ifdef KB_HOST
  while ((*barrier & 1) == parity) kb_host::give_way();
#else
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
#endif
}

// One thread: tensor memory at `to` (+)= a b over 16 of depth.
__device__ __forceinline__ void tensor_multiply(unsigned to, count_t a, count_t b,
                                                unsigned kind, unsigned accumulate) {
#ifdef KB_HOST
  using namespace kb_host;
  const unsigned rows = (kind >> 24 & 31) * 16, cols = (kind >> 17 & 63) * 8;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned col = 0; col < cols; ++col) {
      float sum = accumulate ? tensor_memory()[row][to + col] : 0.0f;
      for (unsigned depth = 0; depth < 16; ++depth)
        sum += element(a, row, depth) * element(b, col, depth);
      tensor_memory()[row][to + col] = sum;
    }
#else
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %4, 0; "
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(to),
      "l"(a), "l"(b), "r"(kind), "r"(accumulate)
      : "memory");
#endif
}

// The same thread: the barrier completes a phase when all multiplications so far are done.
__device__ __forceinline__ void tensor_commit(count_t* barrier) {
#ifdef KB_HOST
  ++*barrier;
  ++kb_host::block->moves;
#else
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
          shared_address(barrier))
      : "memory");
#endif
}

// Each of 128 threads reads 32 columns of its own row of tensor memory.
__device__ __forceinline__ void tensor_read(float (&d)[32], unsigned from) {
#ifdef KB_HOST
  using namespace kb_host;
  for (unsigned i = 0; i < 32; ++i) d[i] = tensor_memory()[rank() % 128][(from & 0xffff) + i];
#else
  unsigned r[32];
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, [%32];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]),
        "=r"(r[7]), "=r"(r[8]), "=r"(r[9]), "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13]),
        "=r"(r[14]), "=r"(r[15]), "=r"(r[16]), "=r"(r[17]), "=r"(r[18]), "=r"(r[19]),
        "=r"(r[20]), "=r"(r[21]), "=r"(r[22]), "=r"(r[23]), "=r"(r[24]), "=r"(r[25]),
        "=r"(r[26]), "=r"(r[27]), "=r"(r[28]), "=r"(r[29]), "=r"(r[30]), "=r"(r[31])
      : "r"(from)
      : "memory");
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  for (unsigned i = 0; i < 32; ++i) d[i] = __uint_as_float(r[i]);
#endif
}
