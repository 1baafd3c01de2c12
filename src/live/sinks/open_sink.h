// SPDX-License-Identifier: MIT
// From the address of a sink to the sink: a table with one line per scheme.
#pragma once

#include <heed/live/decision.h>
#include <heed/live/stream.h>
#include <live/address.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::live {

struct SinkRequest {
  Address address{};
  StreamDescription stream{};
  Seconds window{1};
  std::optional<Seconds> hop{};                // nothing: the window's length
  int digits = 6;                              // of tables
  std::optional<double> switch_probability{};  // for the sidecar
  bool unknown_switch_probability = false;     // likewise
  std::string emission{};                      // likewise, in words
  std::string lsl_library{};                   // file of liblsl; empty: where it usually is
  Seconds patience{0.1};  // how long a full queue is waited for, once, before its oldest is dropped
};

// Throws as parse_address does, cannot_create, io, with the address.
[[nodiscard]] std::unique_ptr<Sink> open_sink(const SinkRequest& request);

// One per scheme, in sinks/.
[[nodiscard]] std::unique_ptr<Sink> open_posterior_table(const SinkRequest& request);
[[nodiscard]] std::unique_ptr<Sink> open_ndjson_sink(const SinkRequest& request);  // ndjson, -, tcp, unix
[[nodiscard]] std::unique_ptr<Sink> open_mha(const SinkRequest& request);
[[nodiscard]] std::unique_ptr<Sink> open_lsl_sink(const SinkRequest& request);
[[nodiscard]] std::unique_ptr<Sink> open_osc(const SinkRequest& request);

}  // namespace heed::live
