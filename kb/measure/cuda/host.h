// Runs a kernel on the CPU: blocks one after the other, the threads of a block as fibers that
// give way at barriers. It stands in for the CUDA compiler's own words, so that the very source
// that nvcc sees is compiled by g++. It says whether a kernel's arithmetic, indices and barriers
// are right; it says nothing about speed, nor about memory order between barriers.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __shared__ static
#define KB_DYNAMIC_SHARED(name) unsigned char* name = kb_host::arena()

struct uint3_ {
  unsigned x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

inline uint3_ threadIdx, blockIdx, blockDim, gridDim;

namespace kb_host {

constexpr unsigned kWarp = 32;
constexpr size_t kStack = 64 * 1024;
constexpr size_t kShared = 232448;  // what one block of a B200 may ask for

// Shared memory that a launch asks for; filled with NaN patterns before each block.
inline unsigned char* arena() {
  alignas(1024) static unsigned char bytes[kShared];
  return bytes;
}

struct Barrier {
  unsigned arrived = 0, generation = 0;
};

struct Fiber {
  ucontext_t context;
  uint3_ index{};
  unsigned rank = 0;
  bool done = false;
};

struct Block {
  std::vector<Fiber> fibers;
  unsigned char* stacks = nullptr;
  ucontext_t scheduler;
  unsigned current = 0, alive = 0;
  unsigned long moves = 0;  // barriers passed and fibers ended: no move in a round is a deadlock
  Barrier whole;
  std::vector<Barrier> warps, groups;
  std::vector<uint64_t> slots;  // what lanes hand to each other
  std::function<void()> body;
};

inline Block* block = nullptr;

inline unsigned rank() { return block->fibers[block->current].rank; }

inline void give_way() {
  Fiber& own = block->fibers[block->current];
  swapcontext(&own.context, &block->scheduler);
}

// Waits until `wanted` threads have come to this barrier.
inline void meet(Barrier& barrier, unsigned wanted) {
  const unsigned generation = barrier.generation;
  ++block->moves;
  if (++barrier.arrived >= wanted) {
    barrier.arrived = 0;
    ++barrier.generation;
    return;
  }
  while (barrier.generation == generation) give_way();
}

inline unsigned members(unsigned first, unsigned size) {
  return std::min<unsigned>(size, static_cast<unsigned>(block->fibers.size()) - first);
}

inline void meet_warp() {
  const unsigned warp = rank() / kWarp;
  meet(block->warps[warp], members(warp * kWarp, kWarp));
}

// The 128 threads of a warp group.
inline void meet_group() {
  const unsigned group = rank() / 128;
  meet(block->groups[group], members(group * 128, 128));
}

inline void enter() {
  Fiber& own = block->fibers[block->current];
  block->body();
  own.done = true;
  ++block->moves;
  --block->alive;
  swapcontext(&own.context, &block->scheduler);
}

inline void resume(Block& now, unsigned at) {
  now.current = at;
  threadIdx = now.fibers[at].index;
  swapcontext(&now.scheduler, &now.fibers[at].context);
}

// Runs the threads of one block; false when some wait for others that never come.
// With `backwards` the threads take turns in the other order: a result that depends on the
// order has a race.
inline bool run_block(Block& now, bool backwards) {
  const unsigned count = static_cast<unsigned>(now.fibers.size());
  now.alive = count;
  now.whole = Barrier();
  now.warps.assign((count + kWarp - 1) / kWarp, Barrier());
  now.groups.assign((count + 127) / 128, Barrier());
  std::memset(arena(), 0xff, kShared);
  for (unsigned at = 0; at < count; ++at) {
    Fiber& fiber = now.fibers[at];
    fiber.rank = at;
    fiber.done = false;
    fiber.index = {at % blockDim.x, at / blockDim.x % blockDim.y, at / blockDim.x / blockDim.y};
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = now.stacks + at * kStack;
    fiber.context.uc_stack.ss_size = kStack;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }
  while (now.alive > 0) {
    const unsigned long before = now.moves;
    for (unsigned turn = 0; turn < count; ++turn) {
      const unsigned at = backwards ? count - 1 - turn : turn;
      if (!now.fibers[at].done) resume(now, at);
    }
    if (now.moves == before) return false;
  }
  return true;
}

template <class... A, size_t... I>
void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_reference_t<A>*>(arguments[I])...);
}

// Launches like the driver does: six sizes, and one pointer for each argument. Returns 0, or 1
// when a block deadlocks.
template <class... A>
int launch(void (*kernel)(A...), const unsigned* size, void** arguments, int backwards) {
  gridDim = {size[0], size[1], size[2]};
  blockDim = {size[3], size[4], size[5]};
  Block now;
  const size_t threads = size_t(size[3]) * size[4] * size[5];
  now.fibers.resize(threads);
  now.stacks = static_cast<unsigned char*>(std::malloc(threads * kStack));
  now.slots.assign(threads * 8, 0);
  now.body = [&] { call(kernel, arguments, std::index_sequence_for<A...>()); };
  block = &now;
  int deadlock = 0;
  for (unsigned z = 0; z < size[2] && !deadlock; ++z)
    for (unsigned y = 0; y < size[1] && !deadlock; ++y)
      for (unsigned x = 0; x < size[0] && !deadlock; ++x) {
        blockIdx = {x, y, z};
        deadlock = run_block(now, backwards != 0) ? 0 : 1;
      }
  block = nullptr;
  std::free(now.stacks);
  return deadlock;
}

template <class... A>
constexpr int parameters(void (*)(A...)) {
  return sizeof...(A);
}

template <class T>
T exchange(T value, unsigned from) {
  const unsigned lane = rank() % kWarp, base = rank() - lane;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  block->slots[rank()] = bits;
  meet_warp();
  T got;
  std::memcpy(&got, &block->slots[base + from % kWarp], sizeof got);
  meet_warp();
  return got;
}

inline float bf16(uint16_t bits) {
  const uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

}  // namespace kb_host

inline void __syncthreads() { kb_host::meet(kb_host::block->whole, kb_host::block->alive); }
inline void __syncwarp(unsigned = ~0u) { kb_host::meet_warp(); }

template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return kb_host::exchange(value, (kb_host::rank() % kb_host::kWarp) ^ unsigned(mask));
}

// One kernel of the source above, called as kb_run_NAME(size, arguments, backwards).
#define KB_EXPORT(name)                                                               \
  extern "C" int kb_parameters_##name() { return kb_host::parameters(name); }         \
  extern "C" int kb_run_##name(const unsigned* size, void** arguments, int backwards) { \
    return kb_host::launch(name, size, arguments, backwards);                         \
  }
