// SPDX-License-Identifier: MIT
// Requests to the page of a live session: the reader, the gate, and what a viewer may change.
#include <live/page/changes.h>
#include <live/page/gate.h>
#include <live/page/http_request.h>

#include <algorithm>
#include <string>

#include "formats.h"
#include "target.h"

namespace {

using heed::live::HttpRequest;
using heed::live::RequestReader;

void check(const HttpRequest& request) {
  using heed::fuzz::require;
  require(request.body.size() <= RequestReader::longest_body);
  const auto has_line_end = [](const std::string& text) { return text.find_first_of("\r\n") != std::string::npos; };
  require(!has_line_end(request.path) && !has_line_end(request.query) && !has_line_end(request.method));
  for (const auto& [name, value] : request.headers) require(!has_line_end(name) && !has_line_end(value));
  const std::string token(32, 'a');
  for (const heed::live::Gate& gate : {heed::live::Gate("127.0.0.1", ""), heed::live::Gate("0.0.0.0", token)}) {
    const int status = gate.judge(request).status;
    require(status == 200 || status == 401 || status == 403 || status == 421);
    require(!has_line_end(gate.cookie_for(request)));
  }
  heed::fuzz::allow_errors([&] {
    const auto change = heed::live::parse_parameter_change(request.body);
    const auto fresh = heed::live::changed({}, change);
    const auto& gains = fresh.steering.gains;
    require(gains.suppressed_decibel >= gains.lowest_decibel && gains.enhanced_decibel <= gains.highest_decibel);
  });
  heed::fuzz::allow_errors([&] {
    const auto wish = heed::live::parse_demo_wish(request.body, 3);
    require(!wish.attend || (*wish.attend >= 0 && *wish.attend < 3));
  });
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = heed::fuzz::text_of(data, size);
  RequestReader whole;
  whole.take(bytes);
  RequestReader piecewise;
  const std::size_t piece = 1 + (size > 0 ? data[0] % 7U : 0U);
  for (std::size_t at = 0; at < size; at += piece) piecewise.take(bytes.substr(at, piece));
  heed::fuzz::require(whole.state() == piecewise.state() && whole.status() == piecewise.status());
  heed::fuzz::require(whole.request().body == piecewise.request().body);
  if (whole.state() == RequestReader::State::complete) check(whole.request());
  return 0;
}

HEED_MUTATE_BY(heed::fuzz::HttpRecords)
