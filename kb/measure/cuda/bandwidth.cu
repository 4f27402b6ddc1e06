// Copy and triad: nothing but memory traffic, the yardstick for every other kernel.
#include "common.h"

// y = x over n elements; both arrays 16-byte aligned.
KB_KERNEL copy_f32(const float* __restrict__ x, float* __restrict__ y, count_t n) {
  const count_t first = count_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const count_t step = count_t(gridDim.x) * blockDim.x;
  const float4* from = reinterpret_cast<const float4*>(x);
  float4* to = reinterpret_cast<float4*>(y);
  for (count_t i = first; i < n / 4; i += step) to[i] = from[i];
  for (count_t i = n / 4 * 4 + first; i < n; i += step) y[i] = x[i];
}

// y = b + scale * c over n elements; all arrays 16-byte aligned.
KB_KERNEL triad_f32(const float* __restrict__ b, const float* __restrict__ c,
                    float* __restrict__ y, float scale, count_t n) {
  const count_t first = count_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const count_t step = count_t(gridDim.x) * blockDim.x;
  const float4* left = reinterpret_cast<const float4*>(b);
  const float4* right = reinterpret_cast<const float4*>(c);
  float4* to = reinterpret_cast<float4*>(y);
  for (count_t i = first; i < n / 4; i += step) {
    const float4 p = left[i], q = right[i];
    to[i] = make_float4(p.x + scale * q.x, p.y + scale * q.y, p.z + scale * q.z,
                        p.w + scale * q.w);
  }
  for (count_t i = n / 4 * 4 + first; i < n; i += step) y[i] = b[i] + scale * c[i];
}
