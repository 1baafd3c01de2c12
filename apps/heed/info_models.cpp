// SPDX-License-Identifier: MIT
// What `heed info` says of the JSON files that heed writes: decoders, populations, models, learnt listeners.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
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
  say("{}: decoder: {}\nwindows are compared by {}\ntrained on {}\n\n{}\n  {}\n", file.filename().string(),
      io::describe(decoder), io::describe(decoder.rule), decoder.origin, count_text(decoder.channels.size(), "channel"),
      fmt::join(decoder.channels, " "));
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
  say("{}: population: {}\n{} labelled, {}, spread of scores in {} of {}\n\n{}\n  {}\n\n{}\n  {}\n",
      file.filename().string(), io::describe(population), shown_duration({seconds}), count_text(sounds.size(), "sound"),
      scored, population.entries.size() == 1 ? "1 entry" : fmt::format("{} entries", population.entries.size()),
      count_text(listeners.size(), "listener"), fmt::join(listeners, " "), count_text(channels.size(), "channel"),
      fmt::join(channels, " "));
}

// What an adaptive decoder has learnt of one listener.
void show_listener(const fs::path& file, bool json) {
  const LearntListener one = io::read_listener(file);
  const double seconds = one.learnt.labelled_windows * one.window.value;
  const double lent = one.population_cross.size() > 0 ? one.population_seconds : 0;
  const double share = seconds + lent > 0 ? lent / (seconds + lent) : 0;
  if (json) {
    fmt::print("{}", json_text({{"format", "learnt listener"},
                                {"listener", one.listener},
                                {"description", io::describe(one.preprocessing)},
                                {"window", one.window.value},
                                {"labelled", seconds},
                                {"eeg", one.learnt.eeg_windows * one.window.value},
                                {"population_share", share},
                                {"channels", one.channels},
                                {"origin", one.origin}}));
    return;
  }
  const std::string start = lent > 0 ? fmt::format("a population that counts as {:g} s", lent) : "nothing";
  say("{}: learnt listener{}: {}\nlearnt from {} of attended speech, starting from {}: {:.0f} % is the "
      "listener's own\nkept by {}\n\n{}\n  {}\n",
      file.filename().string(), one.listener.empty() ? "" : " " + one.listener, io::describe(one.preprocessing),
      shown_duration({seconds}), start, 100 * (1 - share), one.origin, count_text(one.channels.size(), "channel"),
      fmt::join(one.channels, " "));
}

// What scores mean.
void show_emission(const fs::path& file, bool json) {
  const Model model = io::read_model(file);
  if (json) {
    fmt::print("{}", json_text({{"format", "model"},
                                {"description", io::describe(model)},
                                {"window", model.window.value},
                                {"hop", model.hop.value},
                                {"participants", model.participants},
                                {"origin", model.origin}}));
    return;
  }
  say("{}: model of {}: {}\n{}\n", file.filename().string(),
      model.steps ? "steps of " + data::shown(model.hop.value) + " s" : data::shown_windows(model.window, model.hop),
      io::describe(model), model.origin);
}

}  // namespace

void show_model(const fs::path& file, bool json) {
  const auto content = nlohmann::json::parse(io::read_text_file(file), nullptr, false);
  const std::string format = content.is_object() ? content.value("Format", "") : "";
  if (format == "heed-decoder") return show_decoder(file, json);
  if (format == "heed-population") return show_population(file, json);
  if (format == "heed-listener") return show_listener(file, json);
  if (format == "heed-model") return show_emission(file, json);
  throw Error(ErrorKind::bad_data,
              file.string() +
                  ": not a decoder from 'heed train', a population from 'heed population', a model from "
                  "'heed track --save-model' or what 'heed live --save-decoder' keeps; for a "
                  "table, give the .tsv file, not its sidecar");
}

}  // namespace heed::app
