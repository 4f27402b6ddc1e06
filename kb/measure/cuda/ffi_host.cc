// The softmax kernel behind XLA's foreign function interface, on the CPU: the same source, run
// by the shim. The buffers are XLA's; nothing is kept after the call.
#include <mutex>

#include "rows.cu"
#include "ffi_shape.h"

static ffi::Error Softmax(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  Rows size;
  if (ffi::Error error = rows_of(x, y, &size); error.failure()) return error;
  if (size.rows == 0 || size.columns == 0) return ffi::Error::Success();
  static std::mutex one_at_a_time;  // the shim's block and thread are global
  std::lock_guard<std::mutex> hold(one_at_a_time);
  const unsigned shape[6] = {size.rows, 1, 1, 256, 1, 1};
  const float* from = x.typed_data();
  float* to = y->typed_data();
  void* arguments[] = {&from, &to, &size.columns};
  if (kb_host::launch(softmax_f32, shape, arguments, 0) != 0)
    return ffi::Error::Internal("the threads of a block wait for each other");
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(KbSoftmax, Softmax,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());
