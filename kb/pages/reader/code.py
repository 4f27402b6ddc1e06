"""The code to read: short pieces that run as they stand. The JAX ones need any one device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Piece:
    """One piece of code and what to look at in it."""

    title: str
    language: Literal["python", "cuda"]
    text: str


TRACE = Piece(
    "A trace runs once for each signature",
    "python",
    """\
import jax, jax.numpy as jnp

traces = []

@jax.jit
def scaled(x):
    traces.append(x.shape)      # happens while tracing, never on a later call
    return 2 * x

scaled(jnp.ones(8)); scaled(jnp.ones(8)); scaled(jnp.ones(16))
print(traces)                   # [(8,), (16,)]: the second call traced nothing
""",
)

STAGES = Piece(
    "Lower and compile as two steps, and read what came out",
    "python",
    """\
import jax, jax.numpy as jnp

def layer(x, w):
    return jax.nn.relu(x @ w)

shape = jax.ShapeDtypeStruct((256, 256), jnp.bfloat16)
lowered = jax.jit(layer).lower(shape, shape)
compiled = lowered.compile()
print(lowered.as_text()[:60])             # StableHLO: what was recorded
print("fusion" in compiled.as_text())     # what the compiler made of it
print(compiled.memory_analysis())         # bytes of arguments, results, temporaries
""",
)

WARM = Piece(
    "A warm sample on the host clock",
    "python",
    """\
import time, jax, jax.numpy as jnp

x = jax.block_until_ready(jax.device_put(jnp.ones((512, 512))))   # placed before
multiply = jax.jit(jnp.matmul).lower(x, x).compile()              # compiled before
jax.block_until_ready(multiply(x, x))                             # warm-up, not counted

start = time.perf_counter()
result = multiply(x, x)                   # returns when the work is enqueued
dispatched = time.perf_counter() - start  # no result: the work may not have begun
jax.block_until_ready(result)
warm_host = time.perf_counter() - start   # call, dispatch, execution, waiting
""",
)

SHARDED = Piece(
    "Mesh and sharding; the compiler inserts the collective",
    "python",
    """\
import jax, jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
import numpy as np

mesh = Mesh(np.array(jax.devices()), ("model",))
columns = NamedSharding(mesh, P(None, "model"))     # each device holds some columns
rows = NamedSharding(mesh, P("model", None))
whole = NamedSharding(mesh, P())
n = 128 * mesh.size

multiply = jax.jit(jnp.matmul, in_shardings=(columns, rows), out_shardings=whole)
shape = jax.ShapeDtypeStruct((n, n), jnp.float32)
text = multiply.lower(shape, shape).compile().as_text()
print(text.count("all-reduce("), "all-reduce for", mesh.size, "device(s)")
""",
)

KERNEL = Piece(
    "A kernel of your own: bounds, launch and errors are yours",
    "cuda",
    """\
#include <cuda_runtime.h>

__global__ void scaled(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;   // a block is a group of threads
  if (i < n) y[i] = 2.0f * x[i];                   // the bound is yours to check
}

cudaError_t launch(const float *x, float *y, int n, cudaStream_t stream) {
  scaled<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();      // an error of the launch; one of the run comes later
}
""",
)

EVENTS = Piece(
    "Two events in the stream of the work",
    "cuda",
    """\
#include <cuda_runtime.h>

cudaError_t launch(const float *x, float *y, int n, cudaStream_t stream);

// The events are made before, outside the interval. Milliseconds, or the first error.
cudaError_t timed(const float *x, float *y, int n, cudaStream_t stream,
                  cudaEvent_t start, cudaEvent_t stop, float *milliseconds) {
  cudaError_t error = cudaEventRecord(start, stream);
  if (error == cudaSuccess) error = launch(x, y, n, stream);
  if (error == cudaSuccess) error = cudaEventRecord(stop, stream);
  if (error == cudaSuccess) error = cudaEventSynchronize(stop);   // errors of the run
  if (error == cudaSuccess) error = cudaEventElapsedTime(milliseconds, start, stop);
  return error;                   // a time is accepted only with cudaSuccess
}
""",
)

JOINED = Piece(
    "Two streams, one completion boundary around both",
    "cuda",
    """\
#include <cuda_runtime.h>

// `stop` in the first stream waits for the second: one interval encloses both.
cudaError_t join(cudaStream_t first, cudaStream_t second,
                 cudaEvent_t second_done, cudaEvent_t stop) {
  cudaError_t error = cudaEventRecord(second_done, second);
  if (error == cudaSuccess) error = cudaStreamWaitEvent(first, second_done, 0);
  if (error == cudaSuccess) error = cudaEventRecord(stop, first);
  if (error == cudaSuccess) error = cudaEventSynchronize(stop);
  return error;
}
""",
)

PIECES = {
    "trace": TRACE,
    "stages": STAGES,
    "warm": WARM,
    "sharded": SHARDED,
    "kernel": KERNEL,
    "events": EVENTS,
    "joined": JOINED,
}
"""Every piece by its name."""
