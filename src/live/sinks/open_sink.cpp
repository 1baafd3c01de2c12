// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/sinks/open_sink.h>

#include <array>
#include <string_view>
#include <utility>

namespace heed::live {

std::unique_ptr<Sink> open_sink(const SinkRequest& request) {
  using Opener = std::unique_ptr<Sink> (*)(const SinkRequest&);
  static constexpr std::array<std::pair<std::string_view, Opener>, 8> openers{{
      {"tsv", open_posterior_table},
      {"ndjson", open_ndjson_sink},
      {"-", open_ndjson_sink},
      {"tcp", open_ndjson_sink},
      {"unix", open_ndjson_sink},
      {"mha", open_mha},
      {"lsl", open_lsl_sink},
      {"osc", open_osc},
  }};
  for (const auto& [scheme, open] : openers) {
    if (request.address.scheme == scheme) return open(request);
  }
  throw Error(ErrorKind::unsupported, request.address.text + ": nothing opens this sink");
}

}  // namespace heed::live
