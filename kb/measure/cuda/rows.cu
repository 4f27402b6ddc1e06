// One block a row: the sum of a row, and softmax over a row in two passes.
#include "common.h"

#define KB_MOST_WARPS 32

// The sum over the block, known to every thread; blockDim.x is a multiple of 32.
__device__ __forceinline__ float block_sum(float value, float* parts) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(~0u, value, mask);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) total += parts[warp];
  __syncthreads();
  return total;
}

__device__ __forceinline__ float block_max(float value, float* parts) {
  for (int mask = 16; mask > 0; mask /= 2)
    value = fmaxf(value, __shfl_xor_sync(~0u, value, mask));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float largest = parts[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) largest = fmaxf(largest, parts[warp]);
  __syncthreads();
  return largest;
}

// y[row] = sum of x[row, :]; gridDim.x is the number of rows.
KB_KERNEL row_sum_f32(const float* __restrict__ x, float* __restrict__ y, unsigned columns) {
  __shared__ float parts[KB_MOST_WARPS];
  const float* row = x + count_t(blockIdx.x) * columns;
  float own = 0.0f;
  for (unsigned i = threadIdx.x; i < columns; i += blockDim.x) own += row[i];
  const float total = block_sum(own, parts);
  if (threadIdx.x == 0) y[blockIdx.x] = total;
}

// y[row, :] = softmax of x[row, :]; gridDim.x is the number of rows. Each thread keeps the
// largest entry so far and the sum of exponentials below it, so the row is read twice, not
// three times.
KB_KERNEL softmax_f32(const float* __restrict__ x, float* __restrict__ y, unsigned columns) {
  __shared__ float parts[KB_MOST_WARPS];
  const count_t start = count_t(blockIdx.x) * columns;
  const float lowest = -3.402823466e38f;
  float largest = lowest, own = 0.0f;
  for (unsigned i = threadIdx.x; i < columns; i += blockDim.x) {
    const float value = x[start + i], next = fmaxf(largest, value);
    own = own * expf(largest - next) + expf(value - next);
    largest = next;
  }
  const float top = block_max(largest, parts);
  const float total = block_sum(own * expf(largest - top), parts);
  const float inverse = 1.0f / total;
  for (unsigned i = threadIdx.x; i < columns; i += blockDim.x)
    y[start + i] = expf(x[start + i] - top) * inverse;
}
