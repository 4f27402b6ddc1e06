// What both handlers check before a launch: they must not trust the caller's shapes.
#pragma once

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

struct Rows {
  unsigned rows = 0, columns = 0;
};

// The last dimension is a row; all others together count rows.
inline ffi::Error rows_of(const ffi::Buffer<ffi::F32>& x, ffi::ResultBuffer<ffi::F32>& y,
                          Rows* size) {
  const auto from = x.dimensions(), to = y->dimensions();
  if (from.size() == 0) return ffi::Error::InvalidArgument("kb_softmax: x has no dimension");
  if (from.size() != to.size())
    return ffi::Error::InvalidArgument("kb_softmax: x and y have different ranks");
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[i])
      return ffi::Error::InvalidArgument("kb_softmax: x and y have different shapes");
  const uint64_t columns = uint64_t(from[from.size() - 1]);
  const uint64_t rows = columns == 0 ? 0 : x.element_count() / columns;
  if (columns > 0x7fffffff || rows > 0x7fffffff)
    return ffi::Error::InvalidArgument("kb_softmax: more than 2^31 - 1 rows or columns");
  size->rows = unsigned(rows);
  size->columns = unsigned(columns);
  return ffi::Error::Success();
}
