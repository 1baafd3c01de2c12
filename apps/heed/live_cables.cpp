// SPDX-License-Identifier: MIT
#include "live_cables.h"

#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <io/recording/header_text.h>
#include <io/text_file.h>
#include <live/lsl/lsl_streams.h>
#include <live/osc/osc_input.h>
#include <live/sinks/threaded_recorder.h>
#include <CLI/CLI.hpp>

#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

constexpr Seconds looked_for{2};

// PORT, or HOST:PORT.
live::OscInputOptions osc_options(const std::string& text) {
  live::OscInputOptions options;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) options.host = text.substr(0, colon);
  const auto port = io::parse_integer(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1));
  if (!port || *port < 1 || *port > 65535 || options.host.empty()) {
    throw Error(ErrorKind::invalid_argument, "--osc-in " + text + ": give a port from 1 to 65535, or HOST:PORT");
  }
  options.port = static_cast<int>(*port);
  return options;
}

}  // namespace

std::pair<std::string, std::string> split_pair(const std::string& option, const std::string& text, const char* form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::invalid_argument, option + " " + text + ": write " + form);
  }
  // What comes in and goes out is UTF-8, too: others could not be found, or read back.
  if (!io::is_utf8(std::string_view(text).substr(0, equals))) {
    throw Error(ErrorKind::invalid_argument, option + " " + text + ": write the name in UTF-8");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_cable_flags(CLI::App& verb, CableFlags& flags) {
  const auto* group = "Cables";
  verb.add_flag("--list", flags.list, "List the streams that the lab streaming layer offers, and exit")->group(group);
  verb.add_option("--lsl-lib", flags.lsl_library,
                  "File of liblsl (default: $HEED_LSL_LIB, $PYLSL_LIB, $MNE_LSL_LIB, liblsl.so.2, liblsl.so)")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--osc-in", flags.osc_input,
                  "UDP port, or HOST:PORT, on which OSC is received: /heed/marker, /heed/attended, "
                  "/heed/switch-probability and "
                  "/heed/gain-range")
      ->type_name("PORT")
      ->group(group);
}

int list_streams(const CableFlags& flags, bool json) {
  const live::LslPointer library = live::LslLibrary::open(flags.lsl_library);
  const auto streams = live::find_lsl_streams(library, looked_for);
  ordered_json list = ordered_json::array();
  TextTable table({"stream", "type", "channels", "rate", "format", "source id"});
  for (const live::LslStream& stream : streams) {
    const double rate = stream.sampling_frequency.value;
    list.push_back({{"name", stream.name},
                    {"type", stream.type},
                    {"channels", stream.channels},
                    {"sampling_frequency", rate},
                    {"format", live::lsl_format_name(stream.format)},
                    {"source_id", stream.source_id},
                    {"uid", stream.uid}});
    table.add({stream.name, stream.type, std::to_string(stream.channels),
               rate > 0 ? data::shown(rate) + " Hz" : "irregular", live::lsl_format_name(stream.format),
               stream.source_id});
  }
  if (json) {
    fmt::print("{}", json_text({{"library", library->file()}, {"version", library->version()}, {"streams", list}}));
  } else if (streams.empty()) {
    say("No stream answered within {} s. Is one being sent, on this network, past the firewall?\n", looked_for.value);
  } else {
    say("{}", table.text());
  }
  return exit_success;
}

std::unique_ptr<live::Source> with_osc(const CableFlags& flags, std::unique_ptr<live::Source> source,
                                       std::optional<live::ParameterDesk>& desk) {
  if (flags.osc_input.empty()) return source;
  live::OscInputOptions options = osc_options(flags.osc_input);
  options.change = [&desk](const live::ParameterChange& change) {
    if (!desk) throw Error(ErrorKind::invalid_argument, "the session has not begun");
    desk->change(change);
  };
  return live::with_osc_input(std::move(source), std::move(options));
}

void add_recorder(const std::string& path, live::Session& session, const live::SinkRequest& decisions,
                  live::SinkList& sinks) {
  if (path.empty()) return;
  auto recorder = live::open_recorder(path, decisions);
  session.tap(recorder.get());
  sinks.add(std::move(recorder));
}

}  // namespace heed::app
