// SPDX-License-Identifier: MIT
// What decoding reads: decoders, populations, learnt listeners, arrays of numpy. The first byte says which.
#include <heed/io/model_file.h>
#include <io/npy_file.h>

#include "target.h"

namespace heed::fuzz {
namespace {

void decoder(std::string_view text) {
  const std::string written = io::decoder_text(io::parse_decoder(text));
  require(io::decoder_text(io::parse_decoder(written)) == written);
}

void population(std::string_view text) {
  const std::string written = io::population_text(io::parse_population(text));
  require(io::population_text(io::parse_population(written)) == written);
}

void listener(std::string_view text) {
  const std::string written = io::listener_text(io::parse_listener(text));
  require(io::listener_text(io::parse_listener(written)) == written);
}

void numpy(std::string_view bytes) {
  const Eigen::VectorXd values = io::parse_npy(bytes);
  require(values.size() > 0 && values.allFinite());
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  if (size == 0) return 0;
  const std::string_view bytes = text_of(data + 1, size - 1);
  allow_errors([&] {
    switch (*data) {
      case 'd':
        return decoder(bytes);
      case 'p':
        return population(bytes);
      case 'l':
        return listener(bytes);
      default:
        return numpy(bytes);
    }
  });
  return 0;
}
