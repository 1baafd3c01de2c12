// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/digest.h>
#include <study/cohorts/decode_wanted.h>
#include <study/cohorts/score_library.h>
#include <study/cohorts/scores_table.h>
#include <study/cohorts/surrogate_speaker.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace heed::study {
namespace {

// Raised whenever scores are made or written differently: those of before are then not found.
constexpr int generation = 6;

// Everything scores are made from. With a population, that is everybody's data.
std::string key_of(const Cohort& cohort, std::size_t participant, const ScoresWanted& wanted) {
  const int speakers = wanted.decoding.speakers;
  std::vector<std::string> others;
  if (pipeline::uses_population(wanted.decoding.recipe)) {
    const std::size_t listeners = cohort.participants(speakers).size();
    for (std::size_t k = 0; k < listeners; ++k) others.push_back(cohort.digest(speakers, k));
  }
  return io::digest_of(std::tuple(std::string("scores"), generation, std::string(version()),
                                  cohort.digest(speakers, participant), choice_of(wanted.decoding),
                                  wanted.decoding.recipe, wanted.decoding.learning, wanted.decoding.disturbance,
                                  wanted.windows, others));
}

// One participant's scores in all the ways wanted, from the store where they are there.
std::vector<DecodedScores> decoded(const Cohort& cohort, std::size_t participant, std::span<const ScoresWanted> wanted,
                                   const SealedFiles* store) {
  if (store == nullptr || !cohort.decodes()) return cohort.scores(participant, wanted);
  const std::string id = cohort.participants(wanted.front().decoding.speakers)[participant];
  const auto file_of = [&](const ScoresWanted& one) {
    return "sub-" + id + "_" + key_of(cohort, participant, one) + ".tsv";
  };
  std::vector<DecodedScores> results(wanted.size());
  std::vector<ScoresWanted> missing;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (const auto kept = store->read(file_of(wanted[i]))) {
      results[i] = parse_scores(*kept, id);
    } else {
      missing.push_back(wanted[i]);
      places.push_back(i);
    }
  }
  if (missing.empty()) return results;
  auto made = cohort.scores(participant, missing);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (!made[i].lengths.empty()) {
      store->write(file_of(missing[i]), text_of_scores(made[i]), "sub-" + id + " of " + cohort.describe());
    }
    results[places[i]] = std::move(made[i]);
  }
  return results;
}

void add_left_out(Notes& notes, const std::string& id, std::string text) {
  notes.push_back({.subject = id, .kind = NoteKind::left_out, .text = std::move(text)});
}

Notes about(const std::string& id, const Notes& notes) {
  Notes some;
  std::ranges::copy_if(notes, std::back_inserter(some), [&](const Note& note) { return note.subject == id; });
  return some;
}

// Whose turn it is: one named first, then round.
std::vector<std::size_t> turns(const std::vector<std::string>& ids, const std::string& first) {
  std::vector<std::size_t> turn(ids.size());
  std::iota(turn.begin(), turn.end(), std::size_t{0});
  const auto place = std::ranges::find(ids, first);
  if (place != ids.end()) std::rotate(turn.begin(), turn.begin() + (place - ids.begin()), turn.end());
  return turn;
}

}  // namespace

void require_cohort(std::size_t participants) {
  if (participants >= 2) return;
  throw Error(
      ErrorKind::bad_data,
      "one trial of one participant is not a cohort: what scores mean is learnt from other participants, or from "
      "other trials; give more of either, or use 'heed track' with a model");
}

std::optional<Setting> with_correlations(const Setting& setting) {
  const bool matched = setting.switch_rule == SwitchRule::as_state_space && !setting.switch_probability;
  if ((setting.tracker != track::Method::state_space && !matched) || setting.decoder) return std::nullopt;
  Setting correlations = setting;
  correlations.decoder = pipeline::DecoderKind::least_squares;
  return correlations;
}

Decoding ScoreLibrary::decoding_of(const Setting& setting) const {
  Decoding decoding{.speakers = setting.speakers.value_or(cohort_.speakers().front()),
                    .decoder = setting.decoder ? setting.decoder : cohort_.baseline_decoder(),
                    .longest_lag = setting.longest_lag,
                    .recipe = setting.recipe,
                    .ridge = setting.ridges.eeg,
                    .stimulus_ridge = setting.ridges.stimulus,
                    .discriminant = setting.lda,
                    .learning = setting.listening.learning,
                    .disturbance = setting.listening.disturbance};
  if (setting.recipe != pipeline::Recipe::paper) decoding.decoder = pipeline::DecoderKind::least_squares;
  if (is_surrogate(setting)) --decoding.speakers;
  return decoding;
}

bool ScoreLibrary::is_surrogate(const Setting& setting) const {
  if (!setting.speakers) return false;
  const auto known = cohort_.speakers();
  return std::ranges::find(known, *setting.speakers) == known.end() && *setting.speakers == known.front() + 1;
}

std::optional<std::string> ScoreLibrary::obstacle(const Setting& setting) const {
  const Decoding decoding = decoding_of(setting);
  const auto known = cohort_.speakers();
  if (std::ranges::find(known, decoding.speakers) == known.end()) {
    return "the cohort has " + std::to_string(known.front()) + " speakers, not " + std::to_string(decoding.speakers);
  }
  if (auto why = cohort_.obstacle(decoding, setting.window)) return why;
  const auto failed = failures_.find({decoding, setting.window});
  return failed != failures_.end() ? std::optional(failed->second) : std::nullopt;
}

bool ScoreLibrary::same_scores(const Setting& a, const Setting& b) const {
  return decoding_of(a) == decoding_of(b) && a.window == b.window && is_surrogate(a) == is_surrogate(b);
}

std::string ScoreLibrary::scored_by(const Setting& setting) const {
  if (const auto decoder = decoding_of(setting).decoder) return std::string(pipeline::name(*decoder));
  return scores(setting).front().type == ScoreType::correlation ? "correlations" : "log-odds";
}

Notes ScoreLibrary::choices() const {
  Notes all;
  for (const auto& [decoding, notes] : choices_) all.insert(all.end(), notes.begin(), notes.end());
  return all;
}

Notes ScoreLibrary::choices_of(const Setting& setting, const std::string& id) const {
  const auto found = choices_.find(decoding_of(setting));
  return found != choices_.end() ? about(id, found->second) : Notes{};
}

Notes ScoreLibrary::notes_of(const std::string& id) const { return about(id, notes_); }

const std::vector<ScoredParticipant>& ScoreLibrary::scores(const Setting& setting) const {
  const Key key{decoding_of(setting), setting.window};
  return is_surrogate(setting) ? surrogates_.at(key) : scores_.at(key);
}

std::vector<ScoresWanted> ScoreLibrary::wanted_of(std::span<const Setting> settings) const {
  std::map<Decoding, std::set<Seconds>> windows;
  const auto want = [&](const Setting& setting) {
    if (!obstacle(setting)) windows[decoding_of(setting)].insert(setting.window);
  };
  for (const Setting& setting : settings) {
    want(setting);
    const auto correlations = with_correlations(setting);
    if (correlations && cohort_.decodes()) want(*correlations);
  }
  std::vector<ScoresWanted> wanted;
  wanted.reserve(windows.size());
  for (const auto& [decoding, lengths] : windows) wanted.push_back({decoding, {lengths.begin(), lengths.end()}});
  return wanted;
}

// decoded[k] of ids[k]. Who has no scores by this decoder is left out; a window counts where all others have it.
void ScoreLibrary::take(const ScoresWanted& wanted, std::span<const std::string> ids,
                        std::span<DecodedScores> decoded) {
  std::vector<std::size_t> those;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (!decoded[k].lengths.empty()) those.push_back(k);
  }
  for (std::size_t k = 0; k < ids.size() && those.size() >= 2; ++k) {
    if (decoded[k].lengths.empty()) {
      const std::string decoder(pipeline::name(choice_of(wanted.decoding).kind));
      add_left_out(notes_, ids[k], "left out by " + decoder + ": " + decoded[k].failure);
    }
  }
  for (const std::size_t k : those) {
    if (decoded[k].note.empty()) continue;
    choices_[wanted.decoding].push_back({.subject = ids[k], .kind = NoteKind::chosen, .text = decoded[k].note});
  }
  for (std::size_t w = 0; w < wanted.windows.size(); ++w) {
    const Key key{wanted.decoding, wanted.windows[w]};
    const auto without = std::ranges::find_if(decoded, [&](const DecodedScores& one) {
      return those.size() < 2 ? one.lengths.empty() : !one.lengths.empty() && one.lengths.size() <= w;
    });
    if (without != decoded.end()) {
      failures_[key] = without->failure;
      continue;
    }
    for (const std::size_t k : those) scores_[key].push_back(std::move(decoded[k].lengths[w]));
  }
}

// Who was read, the others noted.
std::vector<std::size_t> ScoreLibrary::readable_of(std::span<const std::string> ids,
                                                   std::span<const std::exception_ptr> failures) {
  std::vector<std::size_t> readable;
  std::exception_ptr first;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (!failures[k]) {
      readable.push_back(k);
      continue;
    }
    if (!first) first = failures[k];
    try {
      std::rethrow_exception(failures[k]);
    } catch (const Error& error) {
      // A full disk says nothing about a participant.
      if (error.kind() == ErrorKind::io || error.kind() == ErrorKind::cannot_create) throw;
      add_left_out(notes_, ids[k], std::string("left out: ") + error.what());
    }
  }
  if (readable.size() < 2 && first) std::rethrow_exception(first);
  return readable;
}

void ScoreLibrary::decode_part(std::span<const ScoresWanted> wanted, const LibraryOptions& options) {
  const auto ids = cohort_.participants(wanted.front().decoding.speakers);
  std::vector<std::vector<DecodedScores>> results(ids.size());
  const std::vector<std::size_t> turn = turns(ids, options.begin_with);
  const auto thrown = data::in_parallel(
      ids.size(), options.threads,
      [&](std::size_t piece) {
        const std::size_t k = turn[piece];
        results[k] = decoded(cohort_, k, wanted, options.store);
      },
      [&](std::size_t done) {
        if (options.progress) options.progress(done_ + done, total_);
      });
  done_ += ids.size();
  std::vector<std::exception_ptr> failures(ids.size());
  for (std::size_t piece = 0; piece < ids.size(); ++piece) failures[turn[piece]] = thrown[piece];
  const std::vector<std::size_t> readable = readable_of(ids, failures);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<std::string> names;
    std::vector<DecodedScores> of_decoding;
    for (const std::size_t k : readable) {
      names.push_back(ids[k]);
      of_decoding.push_back(std::move(results[k][i]));
    }
    take(wanted[i], names, of_decoding);
  }
}

ScoreLibrary::ScoreLibrary(const Cohort& cohort, std::span<const Setting> settings, const LibraryOptions& options)
    : cohort_(cohort) {
  for (const int speakers : cohort.speakers()) require_cohort(cohort.participants(speakers).size());
  std::map<int, std::vector<ScoresWanted>> parts;
  for (ScoresWanted& wanted : wanted_of(settings)) parts[wanted.decoding.speakers].push_back(std::move(wanted));
  for (const auto& [speakers, wanted] : parts) total_ += cohort.participants(speakers).size();
  for (const auto& [speakers, wanted] : parts) decode_part(wanted, options);
  if (scores_.empty() && !failures_.empty()) throw Error(ErrorKind::bad_data, failures_.begin()->second);
  for (const Setting& setting : settings) {
    add_surrogate(setting);
    if (const auto correlations = with_correlations(setting)) add_surrogate(*correlations);
  }
}

void ScoreLibrary::add_surrogate(const Setting& setting) {
  const Key key{decoding_of(setting), setting.window};
  if (!is_surrogate(setting) || surrogates_.contains(key)) return;
  const auto recorded = scores_.find(key);
  if (recorded == scores_.end()) return;
  for (const ScoredParticipant& one : recorded->second) surrogates_[key].push_back(with_surrogate_speaker(one));
}

}  // namespace heed::study
