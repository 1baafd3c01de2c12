// SPDX-License-Identifier: MIT
// In place of painting.cpp where HEED_WITH_CAIRO is off.
#include <heed/data/error.h>
#include <report/painting.h>

namespace heed::report {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::unsupported,
              "this heed was built without cairo, so it draws no PDF and no PNG; write an SVG, or build heed with "
              "HEED_WITH_CAIRO=ON");
}

}  // namespace

std::string pdf_bytes(const Drawing& /*drawing*/) { refuse(); }
std::string png_bytes(const Drawing& /*drawing*/) { refuse(); }

}  // namespace heed::report
