// The softmax kernel behind XLA's foreign function interface, on a GPU: launched in the stream
// that XLA hands over, over buffers that XLA owns; it neither waits nor allocates. Compile it
// with nvcc -x cu.
#include <cuda_runtime.h>

#include "rows.cu"
#include "ffi_shape.h"

static ffi::Error Softmax(cudaStream_t stream, ffi::Buffer<ffi::F32> x,
                          ffi::ResultBuffer<ffi::F32> y) {
  Rows size;
  if (ffi::Error error = rows_of(x, y, &size); error.failure()) return error;
  if (size.rows == 0 || size.columns == 0) return ffi::Error::Success();
  softmax_f32<<<size.rows, 256, 0, stream>>>(x.typed_data(), y->typed_data(), size.columns);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess) return ffi::Error::Internal(cudaGetErrorString(code));
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(KbSoftmax, Softmax,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());
