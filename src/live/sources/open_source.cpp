// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/sources/open_source.h>

#include <array>
#include <string_view>
#include <utility>

namespace heed::live {

std::unique_ptr<Source> open_source(const SourceRequest& request) {
  using Opener = std::unique_ptr<Source> (*)(const SourceRequest&);
  static constexpr std::array<std::pair<std::string_view, Opener>, 7> openers{{
      {"replay", open_replay},
      {"simulated", open_simulated},
      {"-", open_ndjson},
      {"tcp", open_ndjson},
      {"unix", open_ndjson},
      {"biosemi", open_biosemi},
      {"lsl", open_lsl},
  }};
  for (const auto& [scheme, open] : openers) {
    if (request.address.scheme == scheme) return open(request);
  }
  throw Error(ErrorKind::unsupported, request.address.text + ": nothing opens this source");
}

}  // namespace heed::live
