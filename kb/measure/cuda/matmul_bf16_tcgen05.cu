// Product of row-major bfloat16 matrices into float32 through tcgen05, for sm_100a and sm_103a.
#include "tcgen05.h"

#define ROWS 128
#define COLS 64

// c (m, n) = a (m, k) times b (k, n); 128 threads, gridDim = (ceil(n / 64), ceil(m / 128)),
// 24 KiB of dynamic shared memory.
KB_KERNEL __launch_bounds__(128)
matmul_bf16_tcgen05(const bf16_bits* __restrict__ a, const bf16_bits* __restrict__ b,
                    float* __restrict__ c, unsigned m, unsigned n, unsigned k) {
  KB_DYNAMIC_SHARED(shared);
  __shared__ unsigned slot;
  __shared__ count_t barrier;
  bf16_bits* left = reinterpret_cast<bf16_bits*>(shared);
  bf16_bits* right = left + ROWS * KB_DEPTH;
  const unsigned row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;
  const unsigned warp = threadIdx.x / 32;
  if (warp == 0) tensor_take(&slot, COLS);
  if (threadIdx.x == 0) barrier_init(&barrier);
  before_sync();
  __syncthreads();
  after_sync();
  const unsigned sums = slot;
  unsigned parity = 0;
  for (unsigned k0 = 0; k0 < k; k0 += KB_DEPTH) {
    fill_rows(left, a, ROWS, row0, k0, m, k);
    fill_columns(right, b, COLS, col0, k0, k, n);
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      after_sync();
      const unsigned rows = shared_address(left), cols = shared_address(right);
      for (unsigned step = 0; step < KB_DEPTH / 16; ++step)
        tensor_multiply(sums, tile_descriptor(rows + step * 2 * KB_ALONG),
                        tile_descriptor(cols + step * 2 * KB_ALONG), instruction(ROWS, COLS),
                        k0 + step > 0);
      tensor_commit(&barrier);
    }
    barrier_wait(&barrier, parity);
    after_sync();
    parity ^= 1;
    __syncthreads();  // nobody fills a tile that is still being read
  }
  for (unsigned half = 0; half < COLS; half += 32) {
    float own[32];
    tensor_read(own, sums + (warp * 32 << 16) + half);
    const unsigned row = row0 + threadIdx.x;
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned col = col0 + half + i;
      if (row < m && col < n) c[count_t(row) * n + col] = own[i];
    }
  }
  before_sync();
  __syncthreads();
  if (warp == 0) tensor_give(sums, COLS);
}
