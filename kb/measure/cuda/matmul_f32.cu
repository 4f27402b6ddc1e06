// Product of row-major float32 matrices with plain multiply-adds: no tensor core, no TF32.
#include "common.h"

#define TILE 64
#define DEPTH 16
#define EACH 4  // a thread makes EACH x EACH results

// c (m, n) = a (m, k) times b (k, n); 256 threads, gridDim = (ceil(n / 64), ceil(m / 64)).
KB_KERNEL __launch_bounds__(256)
matmul_f32(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
           unsigned m, unsigned n, unsigned k) {
  __shared__ float left[DEPTH][TILE + 4];  // transposed; the padding spreads the banks
  __shared__ float right[DEPTH][TILE];
  const unsigned row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  const unsigned ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  float sums[EACH][EACH] = {};
  for (unsigned k0 = 0; k0 < k; k0 += DEPTH) {
    for (unsigned at = threadIdx.x; at < TILE * DEPTH; at += 256) {
      const unsigned row = at / DEPTH, depth = at % DEPTH;
      const bool in = row0 + row < m && k0 + depth < k;
      left[depth][row] = in ? a[count_t(row0 + row) * k + k0 + depth] : 0.0f;
    }
    for (unsigned at = threadIdx.x; at < TILE * DEPTH; at += 256) {
      const unsigned depth = at / TILE, col = at % TILE;
      const bool in = k0 + depth < k && col0 + col < n;
      right[depth][col] = in ? b[count_t(k0 + depth) * n + col0 + col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (unsigned depth = 0; depth < DEPTH; ++depth)
#pragma unroll
      for (unsigned i = 0; i < EACH; ++i)
#pragma unroll
        for (unsigned j = 0; j < EACH; ++j)
          sums[i][j] += left[depth][ty * EACH + i] * right[depth][tx * EACH + j];
    __syncthreads();
  }
  for (unsigned i = 0; i < EACH; ++i)
    for (unsigned j = 0; j < EACH; ++j) {
      const unsigned row = row0 + ty * EACH + i, col = col0 + tx * EACH + j;
      if (row < m && col < n) c[count_t(row) * n + col] = sums[i][j];
    }
}
