// SPDX-License-Identifier: MIT
// What `heed live` is plugged into: streams of the lab streaming layer, messages of OSC, files to record to.
#pragma once

#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/parameter_desk.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace heed::app {

struct CableFlags {
  bool list = false;
  std::string lsl_library;
  std::string osc_input;
};

// "PLACE=NAME" of an option that is given as often as wanted. Throws invalid_argument, with the form it should have.
[[nodiscard]] std::pair<std::string, std::string> split_pair(const std::string& option, const std::string& text,
                                                             const char* form);

void add_cable_flags(CLI::App& verb, CableFlags& flags);

// `heed live --list`: the streams of the lab streaming layer that are there.
int list_streams(const CableFlags& flags, bool json);

// The source itself where no OSC is wanted. `desk` must outlive it, and is there once the session is.
std::unique_ptr<live::Source> with_osc(const CableFlags& flags, std::unique_ptr<live::Source> source,
                                       std::optional<live::ParameterDesk>& desk);

// A folder, or a file that ends in .xdf; nothing where `path` is empty. `decisions`: what a table of them is like.
void add_recorder(const std::string& path, live::Session& session, const live::SinkRequest& decisions,
                  live::SinkList& sinks);

}  // namespace heed::app
