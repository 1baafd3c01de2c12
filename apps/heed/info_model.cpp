// SPDX-License-Identifier: MIT
// What `heed info` says of files that were learnt: decoders and populations.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>
#include <io/text_file.h>

#include <set>

#include "info.h"
#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

void show_decoder(const fs::path& file, bool json) {
  const Decoder decoder = io::read_decoder(file);
  if (json) {
    fmt::print("{}", json_text({{"format", "decoder"},
                                {"description", io::describe(decoder)},
                                {"score", io::describe(decoder.rule)},
                                {"channels", decoder.channels},
                                {"origin", decoder.origin},
                                {"runs", decoder.runs}}));
    return;
  }
  fmt::print("{}: decoder: {}\nwindows are compared by {}\ntrained on {}\n\n{}\n  {}\n", file.filename().string(),
             io::describe(decoder), io::describe(decoder.rule), decoder.origin,
             count_text(decoder.channels.size(), "channel"), fmt::join(decoder.channels, " "));
}

void show_population(const fs::path& file, bool json) {
  const Population population = io::read_population(file);
  std::set<std::string> listeners;
  std::set<std::string> channels;
  std::set<std::string> sounds;
  double seconds = 0;
  std::size_t scored = 0;
  for (const PopulationEntry& entry : population.entries) {
    listeners.insert(entry.listener);
    channels.insert(entry.channels.begin(), entry.channels.end());
    sounds.insert(entry.stimuli.begin(), entry.stimuli.end());
    seconds += entry.samples / population.preprocessing.sampling_frequency.value;
    scored += entry.scores ? 1 : 0;
  }
  if (json) {
    fmt::print("{}", json_text({{"format", "population"},
                                {"description", io::describe(population)},
                                {"listeners", listeners},
                                {"entries", population.entries.size()},
                                {"entries_with_scores", scored},
                                {"labelled", seconds},
                                {"sounds", sounds.size()},
                                {"channels", channels},
                                {"origin", population.origin}}));
    return;
  }
  fmt::print("{}: population: {}\n{} labelled, {}, spread of scores in {} of {}\n\n{}\n  {}\n\n{}\n  {}\n",
             file.filename().string(), io::describe(population), shown_duration({seconds}),
             count_text(sounds.size(), "sound"), scored,
             population.entries.size() == 1 ? "1 entry" : fmt::format("{} entries", population.entries.size()),
             count_text(listeners.size(), "listener"), fmt::join(listeners, " "),
             count_text(channels.size(), "channel"), fmt::join(channels, " "));
}

}  // namespace

void show_model(const fs::path& file, bool json) {
  const auto content = nlohmann::json::parse(io::read_text_file(file), nullptr, false);
  const std::string format = content.is_object() ? content.value("Format", "") : "";
  if (format == "heed-decoder") return show_decoder(file, json);
  if (format == "heed-population") return show_population(file, json);
  throw Error(ErrorKind::bad_data, file.string() +
                                       ": neither a decoder from 'heed train' nor a population from 'heed population'; "
                                       "for a table, give the .tsv file, not its sidecar");
}

}  // namespace heed::app
