// What every kernel needs, for the CUDA compilers and for g++ alike.
#pragma once

#ifdef KB_HOST
#include "host.h"
#else
#define KB_DYNAMIC_SHARED(name) extern __shared__ __align__(1024) unsigned char name[]
#endif

typedef unsigned short bf16_bits;  // the format's bits: its values are only ever multiplied
typedef unsigned long long count_t;

#define KB_KERNEL extern "C" __global__ void

// The two elements (row, col) and (row, col + 1) of a tile in shared memory as one register.
__device__ __forceinline__ unsigned pair(const bf16_bits* at) {
  return unsigned(at[0]) | unsigned(at[1]) << 16;
}

// An element of a row-major matrix, and zero beyond its edge.
__device__ __forceinline__ bf16_bits inside(const bf16_bits* matrix, unsigned row, unsigned col,
                                            unsigned rows, unsigned cols) {
  return row < rows && col < cols ? matrix[count_t(row) * cols + col] : bf16_bits(0);
}
