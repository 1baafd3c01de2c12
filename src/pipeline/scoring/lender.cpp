// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>
#include <io/digest.h>
#include <io/text_file.h>
#include <io/tsv.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <pipeline/scoring/lender.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace heed::pipeline {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// ---- sums in the cache ----

// Sums of one listener, by the bytes they are made of and the choice. Damaged files are as good as none.
class SumsFile {
 public:
  SumsFile(const Preparation& preparation, const io::ParticipantRuns& participant, const PopulationOptions& options)
      : options_(options) {
    if (!preparation.cache()) return;
    io::Digest key;
    key.add("sums of a listener").add(std::to_string(sums_version)).add(participant.id);
    key.add(preparation.digest_of(participant.runs));
    io::add_value(key, options);
    path_ = *preparation.cache() / ("sums-" + key.hex() + ".heed");
  }

  // Nothing: not there.
  [[nodiscard]] std::optional<std::vector<PopulationEntry>> read() const {
    if (path_.empty() || !std::filesystem::exists(path_)) return std::nullopt;
    try {
      const std::string content = io::read_text_file(path_);
      const std::size_t line = content.find('\n');
      if (line == std::string::npos) return std::nullopt;
      const std::string text = content.substr(line + 1);
      if (io::Digest().add(text).hex() != content.substr(0, line)) return std::nullopt;
      if (text.empty()) return std::vector<PopulationEntry>{};
      return io::parse_population(text).entries;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  // A cache that cannot be written is no reason to stop.
  void write(const std::vector<PopulationEntry>& entries) const {
    if (path_.empty()) return;
    try {
      const std::string text = entries.empty() ? "" : io::population_text(population_of(options_, entries));
      io::write_text_file(path_, io::Digest().add(text).hex() + "\n" + text);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): next time they are summed up again
    }
  }

 private:
  const PopulationOptions& options_;
  std::filesystem::path path_{};
};

// ---- what a population must have ----

void check_lags(const Population& population, const DecoderChoice& choice) {
  const LagRange needed = decode::delays_for(training_options(choice, population.decoder.window).lags);
  const LagRange held = population.delays;
  if (needed.first >= held.first && needed.last <= held.last) return;
  const auto ms = [&](Index samples) {
    return std::to_string(
        std::lround(1000 * static_cast<double>(samples) / choice.preprocessing.sampling_frequency.value));
  };
  throw Error(ErrorKind::invalid_argument,
              "the population holds delays of " + ms(held.first) + " to " + ms(held.last) + " ms, but " +
                  describe(choice) + " needs " + ms(needed.first) + " to " + ms(needed.last) +
                  " ms; make the population with this decoder and these lags, or leave both at their defaults");
}

double checked_weight(double weight) {
  if (weight >= 0 && weight <= 1) return weight;
  throw Error(ErrorKind::invalid_argument,
              "the weight of a population is " + data::shown(weight) + "; it must lie between 0 and 1");
}

// Those whose sums somebody among the selected may use: all but one who is selected alone.
std::vector<io::ParticipantRuns> possible_lenders(const OpenFolder& folder) {
  std::vector<io::ParticipantRuns> all = io::select_runs(folder.dataset(), {.tasks = folder.request().selection.tasks});
  if (folder.participants().size() == 1) {
    std::erase_if(all, [&](const io::ParticipantRuns& one) { return one.id == folder.participants().front().id; });
  }
  return all;
}

std::unique_ptr<const Lender> folder_lender(const OpenFolder& folder, const LenderRequest& request,
                                            heed::Notes& notes) {
  const std::size_t others = folder.dataset().participants.size() - 1;
  if (others < fewest_others) {
    notes.push_back(without_population("", "the folder has " + counted(others, "other listener")));
    return nullptr;
  }
  const std::vector<io::ParticipantRuns> participants = possible_lenders(folder);
  // Nodes of a cluster that begin together begin with different listeners: with the one after their own.
  const auto after = std::ranges::find_if(
      participants, [&](const io::ParticipantRuns& one) { return one.id > folder.participants().front().id; });
  const PopulationOptions options{.choice = request.choice,
                                  .window = request.scores.value_or(Seconds{1}),
                                  .scores = request.scores.has_value(),
                                  .covariances = request.covariances};
  FolderSums sums = sum_up(folder, participants, options,
                           {.first = static_cast<std::size_t>(after - participants.begin()), .take_kept = true});
  // Who cannot be read is told where he is scored.
  Population population = population_of(options, std::move(sums.entries));
  const std::size_t found = io::listeners_in(population);
  if (found < 2) {
    notes.push_back(without_population("", counted(found, "listener") + " of the folder can be learnt from"));
    return nullptr;
  }
  return std::make_unique<const Lender>(std::move(population), request.population, request.choice);
}

}  // namespace

Note without_population(std::string listener, const std::string& others) {
  return {
      std::move(listener), NoteKind::chosen,
      "decoded without a population: " + others + ", and at least " + std::to_string(fewest_others) + " are needed"};
}

FolderSums sum_up(const OpenFolder& folder, std::span<const io::ParticipantRuns> participants,
                  const PopulationOptions& options, const SumUpOrder& order) {
  const std::size_t count = participants.size();
  std::vector<std::vector<PopulationEntry>> entries(count);
  std::vector<heed::Notes> notes(count);
  const auto place = [&](std::size_t k) { return (k + order.first) % count; };
  const auto errors = folder.for_each("population", count, [&](std::size_t k) {
    const io::ParticipantRuns& one = participants[place(k)];
    if (folder.request().interrupt) folder.request().interrupt();
    const SumsFile file(folder.preparation(), one, options);
    if (auto kept = order.take_kept ? file.read() : std::nullopt) {
      entries[place(k)] = std::move(*kept);
    } else {
      const PreparedParticipant prepared = folder.prepare(one);
      notes[place(k)] = prepared.notes;
      entries[place(k)] = population_entries(scaled_trials(prepared, options.choice),
                                             folder.preparation().sources_of(one.runs), options);
      file.write(entries[place(k)]);
    }
    if (entries[place(k)].empty()) {
      notes[place(k)].push_back({one.id, NoteKind::left_out, "no trial has attend rows: not in the population"});
    }
  });
  FolderSums result;
  result.participants.resize(count);
  for (std::size_t k = 0; k < count; ++k) result.participants[place(k)] = {participants[place(k)].id, errors[k]};
  for (std::size_t k = 0; k < count; ++k) {
    std::ranges::move(entries[k], std::back_inserter(result.entries));
    std::ranges::move(notes[k], std::back_inserter(result.notes));
  }
  return result;
}

namespace {

PopulationOptions options_of(const SumUpRequest& request) {
  const Population* there = request.added_to.get();
  PopulationOptions options{.choice = resolve(request.decoder, there)};
  options.window = request.window.value_or(there != nullptr ? there->decoder.window : Seconds{1});
  options.covariances = can_adapt(options.choice);
  (void)training_options(options.choice, options.window);
  check_population(options);
  return options;
}

// The listeners who are there already, then those of the folder; one who bears the name of another gets the folder's
// name beside it.
void join(const SumUpRequest& request, const PopulationOptions& options, const std::string& dataset,
          std::vector<PopulationEntry>& entries) {
  const Population& there = *request.added_to;
  const std::string place = request.added_to_name.empty() ? "the population" : request.added_to_name;
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::invalid_argument, place + ": " + why); };
  if (population_of(options, {}).decoder != there.decoder || options.choice.preprocessing != there.preprocessing) {
    refuse("made with another decoder, window or other signals; leave these at their defaults to take over its own");
  }
  std::set<std::string> names;
  for (const PopulationEntry& entry : there.entries) {
    if (options.covariances && entry.covariance.size() == 0) {
      refuse("made by an older heed, without covariances; make it again from its folder, then add to it");
    }
    names.insert(entry.listener);
  }
  for (PopulationEntry& entry : entries) {
    const auto same = std::ranges::find(there.entries, entry.recording, &PopulationEntry::recording);
    if (same != there.entries.end()) {
      refuse("holds the recording of " + entry.run + " already, as " + same->run + "; leave the listener out");
    }
    if (names.contains(entry.listener)) entry.listener += " of " + dataset;
  }
  entries.insert(entries.begin(), there.entries.begin(), there.entries.end());
}

}  // namespace

SumUpResult sum_up(const SumUpRequest& request) {
  const PopulationOptions options = options_of(request);
  const OpenFolder folder(request.folder, options.choice.preprocessing);
  FolderSums sums = sum_up(folder, folder.participants(), options);
  SumUpResult result{.participants = std::move(sums.participants), .notes = folder.notes()};
  std::ranges::move(sums.notes, std::back_inserter(result.notes));
  const auto failed = [](const ParticipantOutcome& one) { return one.failure.has_value(); };
  if (std::ranges::all_of(result.participants, failed)) return result;
  if (request.added_to) join(request, options, folder.dataset().name, sums.entries);
  Population& population = result.population.emplace(make_population(options, std::move(sums.entries)));
  population.origin += " of " + folder.dataset().name;
  if (!options.covariances) return result;
  if (request.added_to) {
    population.origin += ", added to " + request.added_to->origin;
    population.adaptation = request.added_to->adaptation;
  }
  try_adaptation(folder, result.participants, options, population, result.notes);
  return result;
}

Lender::Lender(Population population, const PopulationRequest& request, DecoderChoice choice)
    : population_(std::move(population)),
      choice_(std::move(choice)),
      weight_(request.weight),
      given_(request.given != nullptr),
      source_(given_ || !request.name.empty() ? request.name : "this folder") {
  if (given_) {
    try {
      check_signals(population_, choice_.preprocessing);
      check_lags(population_, choice_);
    } catch (const Error& error) {
      if (request.name.empty()) throw;
      throw error.within(request.name);
    }
  }
  listeners_ = "a population of " + counted(io::listeners_in(population_), "listener");
  if (!source_.empty()) listeners_ += " (" + source_ + ")";
  words_ = listeners_ + ", prior weight " + (weight_ ? data::shown(*weight_) : "auto");
}

std::optional<ListenerPrior> Lender::prior_of(const PriorRequest& request, heed::Notes& notes) const {
  ListenerPrior result(population_, request.listener, request.sources, weight_);
  std::size_t fewest = io::listeners_in(population_);
  for (const std::vector<std::string>& tested : request.tests) fewest = std::min(fewest, result.others(tested));
  if (fewest >= fewest_others) return result;
  const std::string few = counted(fewest, "other listener") + " heard sounds other than those of the test";
  if (given_) {
    notes.push_back({request.listener, NoteKind::doubtful,
                     "only " + few + "; a population seldom helps with fewer than " + std::to_string(fewest_others)});
    return result;
  }
  notes.push_back(without_population(request.listener, few));
  return std::nullopt;
}

std::optional<LentPrior> Lender::lend(const std::string& listener, const std::vector<TrialSource>& sources,
                                      const std::vector<Trial>& trained, heed::Notes& notes) const {
  std::vector<std::string> names;
  for (const Trial& trial : trained) names.push_back(trial.name);
  const std::vector<std::string> tested = ListenerPrior(population_, listener, sources).all_but(names);
  const auto prior = prior_of({listener, sources, {tested}}, notes);
  if (!prior) return std::nullopt;
  const auto lags = training_options(choice_, population_.decoder.window).lags;
  return prior->lend(tested, {trained.front().channels, lags});
}

std::string Lender::words(const ListenerPrior& prior, const PriorRequest& request) const {
  std::set<std::size_t> counts;
  for (const std::vector<std::string>& tested : request.tests) counts.insert(prior.others(tested));
  std::string text;
  for (const std::size_t others : counts) {
    text += (text.empty() ? "prior " : " or ") +
            io::number_text(weight_.value_or(decode::automatic_prior_weight(others)), 2) + " of " +
            counted(others, "other");
  }
  if (!source_.empty()) text += ", of " + source_;
  return text + " (xxh3-128:" + prior.digest_of_others() + ")";
}

std::string Lender::words(const LentStart& start, const ListenerPrior& prior) const {
  return "start from " + counted(start.others, "other") + ", counted as " + data::shown(start.seconds) + " s" +
         (source_.empty() ? "" : ", of " + source_) + " (xxh3-128:" + prior.digest_of_others() + ")";
}

std::string population_words(const Lender* lender, const std::optional<ListenerPrior>& prior, const PriorRequest& asked,
                             std::optional<Recipe> recipe) {
  if (prior) return lender->words(*prior, asked);
  return recipe && uses_population(*recipe) ? "none" : "";
}

void check_lending(const LenderRequest& request) {
  const PopulationRequest& asked = request.population;
  const bool of_folder = request.recipe && uses_population(*request.recipe);
  if (asked.weight) {
    (void)checked_weight(*asked.weight);
    if (asked.none || (!asked.given && !of_folder)) {
      throw Error(ErrorKind::invalid_argument,
                  "a prior weight was given, but there is no population; name one, or use heed's recipe");
    }
  }
  if (asked.given && !asked.none) check_population({.choice = request.choice});
}

std::unique_ptr<const Lender> find_lender(const OpenFolder& folder, const LenderRequest& request, heed::Notes& notes) {
  check_lending(request);
  const PopulationRequest& asked = request.population;
  if (asked.none || asked.weight == 0.0) return nullptr;
  if (asked.given) return std::make_unique<const Lender>(*asked.given, asked, request.choice);
  const bool of_folder = request.recipe && uses_population(*request.recipe);
  return of_folder ? folder_lender(folder, request, notes) : nullptr;
}

}  // namespace heed::pipeline
