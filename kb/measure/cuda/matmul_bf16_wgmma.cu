// Product of row-major bfloat16 matrices into float32 through wgmma, for sm_90a alone.
#include "wgmma.h"

#define TILE 64

// c (m, n) = a (m, k) times b (k, n); 128 threads, gridDim = (ceil(n / 64), ceil(m / 64)),
// 16 KiB of dynamic shared memory.
KB_KERNEL __launch_bounds__(128)
matmul_bf16_wgmma(const bf16_bits* __restrict__ a, const bf16_bits* __restrict__ b,
                  float* __restrict__ c, unsigned m, unsigned n, unsigned k) {
  KB_DYNAMIC_SHARED(shared);
  bf16_bits* left = reinterpret_cast<bf16_bits*>(shared);
  bf16_bits* right = left + TILE * KB_DEPTH;
  const unsigned row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  float sums[32] = {};
  for (unsigned k0 = 0; k0 < k; k0 += KB_DEPTH) {
    fill_rows(left, a, TILE, row0, k0, m, k);
    fill_columns(right, b, TILE, col0, k0, k, n);
    fence_async();
    __syncthreads();
    const unsigned rows = shared_address(left), cols = shared_address(right);
    wgmma_fence();
    for (unsigned step = 0; step < KB_DEPTH / 16; ++step)
      wgmma_m64n64k16(sums, descriptor(rows + step * 2 * KB_ALONG),
                      descriptor(cols + step * 2 * KB_ALONG));
    wgmma_wait();
    __syncthreads();
  }
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned r = 0; r < 32; ++r) {
    const unsigned row = row0 + 16 * warp + lane / 4 + r % 4 / 2 * 8;
    const unsigned col = col0 + r / 4 * 8 + 2 * (lane % 4) + r % 2;
    if (row < m && col < n) c[count_t(row) * n + col] = sums[r];
  }
}
