// SPDX-License-Identifier: MIT
// In place of the readers of both versions where HEED_WITH_MATIO is off.
#include <heed/data/error.h>
#include <io/mat/mat_node.h>

#include <chrono>

namespace heed::io {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::unsupported,
              "this heed was built without matio and HDF5, so it reads no MAT files; build heed with "
              "HEED_WITH_MATIO=ON, or convert the file elsewhere");
}

}  // namespace

std::shared_ptr<const MatContent> open_mat5(const std::filesystem::path& /*path*/) { refuse(); }
std::shared_ptr<const MatContent> open_mat73(const std::filesystem::path& /*path*/) { refuse(); }
std::shared_ptr<const MatContent> open_apart(const std::function<std::shared_ptr<const MatContent>()>& open,
                                             std::chrono::milliseconds /*patience*/) {
  return open();
}

}  // namespace heed::io
