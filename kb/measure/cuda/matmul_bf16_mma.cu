// Product of row-major bfloat16 matrices into float32 through mma.sync, for any architecture.
#include "mma.h"

#define TILE 64
#define DEPTH 32
#define PITCH (DEPTH + 8)  // elements; the padding spreads the banks

// c (m, n) = a (m, k) times b (k, n); 128 threads as 2 x 2 warps of 32 x 32 results each,
// gridDim = (ceil(n / 64), ceil(m / 64)).
KB_KERNEL __launch_bounds__(128)
matmul_bf16_mma(const bf16_bits* __restrict__ a, const bf16_bits* __restrict__ b,
                float* __restrict__ c, unsigned m, unsigned n, unsigned k) {
  __shared__ bf16_bits left[TILE * PITCH];
  __shared__ bf16_bits right[TILE * PITCH];  // transposed: depth runs fastest
  const unsigned row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  const unsigned warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, part = threadIdx.x % 4;
  const unsigned down = warp / 2 * 32, across = warp % 2 * 32;
  float sums[2][4][4] = {};
  for (unsigned k0 = 0; k0 < k; k0 += DEPTH) {
    for (unsigned at = threadIdx.x; at < TILE * DEPTH; at += 128) {
      const unsigned row = at / DEPTH, depth = at % DEPTH;
      left[row * PITCH + depth] = inside(a, row0 + row, k0 + depth, m, k);
    }
    for (unsigned at = threadIdx.x; at < TILE * DEPTH; at += 128) {
      const unsigned depth = at / TILE, col = at % TILE;
      right[col * PITCH + depth] = inside(b, k0 + depth, col0 + col, k, n);
    }
    __syncthreads();
    for (unsigned step = 0; step < DEPTH; step += 16) {
      unsigned rows[2][4], cols[4][2];
      for (unsigned i = 0; i < 2; ++i)
        for (unsigned r = 0; r < 4; ++r) {
          const unsigned row = down + 16 * i + group + r % 2 * 8;
          rows[i][r] = pair(&left[row * PITCH + step + 2 * part + r / 2 * 8]);
        }
      for (unsigned j = 0; j < 4; ++j)
        for (unsigned r = 0; r < 2; ++r)
          cols[j][r] = pair(&right[(across + 8 * j + group) * PITCH + step + 2 * part + r * 8]);
      for (unsigned i = 0; i < 2; ++i)
        for (unsigned j = 0; j < 4; ++j) mma_m16n8k16(sums[i][j], rows[i], cols[j]);
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned r = 0; r < 4; ++r) {
        const unsigned row = row0 + down + 16 * i + group + r / 2 * 8;
        const unsigned col = col0 + across + 8 * j + 2 * part + r % 2;
        if (row < m && col < n) c[count_t(row) * n + col] = sums[i][j][r];
      }
}
