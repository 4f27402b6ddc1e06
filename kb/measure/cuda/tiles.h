// Tiles in shared memory as the asynchronous tensor cores read them: 8 x 8 core matrices of 128
// bytes each, depth along a row, no swizzle.
#pragma once

#include "common.h"

#define KB_DEPTH 64                        // elements of depth in one tile
#define KB_ALONG 128u                      // bytes from a core matrix to the next in depth
#define KB_DOWN (KB_DEPTH / 8 * KB_ALONG)  // bytes to the next eight rows

// Where element (row, depth) of a tile lies, in elements.
__device__ __forceinline__ unsigned core_offset(unsigned row, unsigned depth) {
  return (row / 8 * KB_DOWN + depth / 8 * KB_ALONG) / 2 + row % 8 * 8 + depth % 8;
}

// Fills a tile of `rows` rows from row-major a (m, k), beginning at (row0, k0).
__device__ __forceinline__ void fill_rows(bf16_bits* tile, const bf16_bits* a, unsigned rows,
                                          unsigned row0, unsigned k0, unsigned m, unsigned k) {
  for (unsigned at = threadIdx.x; at < rows * KB_DEPTH; at += blockDim.x) {
    const unsigned row = at / KB_DEPTH, depth = at % KB_DEPTH;
    tile[core_offset(row, depth)] = inside(a, row0 + row, k0 + depth, m, k);
  }
}

// Fills a tile whose rows are the columns of row-major b (k, n), beginning at (k0, col0).
__device__ __forceinline__ void fill_columns(bf16_bits* tile, const bf16_bits* b, unsigned cols,
                                             unsigned col0, unsigned k0, unsigned k, unsigned n) {
  for (unsigned at = threadIdx.x; at < cols * KB_DEPTH; at += blockDim.x) {
    const unsigned depth = at / cols, col = at % cols;
    tile[core_offset(col, depth)] = inside(b, k0 + depth, col0 + col, k, n);
  }
}

// The address that instructions use for a place in dynamic shared memory.
__device__ __forceinline__ unsigned shared_address(const void* at) {
#ifdef KB_HOST
  return unsigned(static_cast<const unsigned char*>(at) - kb_host::arena());
#else
  return unsigned(__cvta_generic_to_shared(at));
#endif
}

// Makes writes to shared memory visible to the asynchronous units.
__device__ __forceinline__ void fence_async() {
#ifndef KB_HOST
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

// The descriptor of a tile: address and both distances in units of 16 bytes.
__device__ __forceinline__ count_t descriptor(unsigned address) {
  return count_t(address >> 4 & 0x3fff) | count_t(KB_ALONG >> 4) << 16 |
         count_t(KB_DOWN >> 4) << 32;
}

#ifdef KB_HOST
namespace kb_host {
// Element (row, depth) of the tile that a descriptor names, decoded as the PTX manual says.
inline float element(count_t descriptor, unsigned row, unsigned depth) {
  const size_t start = (descriptor & 0x3fff) << 4, along = (descriptor >> 16 & 0x3fff) << 4;
  const size_t down = (descriptor >> 32 & 0x3fff) << 4;
  const size_t at = start + row / 8 * down + depth / 8 * along + row % 8 * 16 + depth % 8 * 2;
  uint16_t bits;
  std::memcpy(&bits, arena() + at, sizeof bits);
  return bf16(bits);
}
}  // namespace kb_host
#endif
