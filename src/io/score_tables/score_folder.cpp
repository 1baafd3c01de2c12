// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <io/discovery.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr double relative_tolerance = 1e-6;  // of window lengths that are the same

// What has to agree between files, and the file it was first seen in.
struct Common {
  fs::path file;
  std::size_t speakers = 0;
  std::size_t features = 0;
  Seconds window;
  Seconds hop;
  ScoreType type = ScoreType::correlation;
  Seconds look_ahead;
};

Common common_of(const fs::path& file, const ScoredParticipant& participant) {
  return {file,
          participant.speakers.size(),
          participant.features.size(),
          participant.window(),
          participant.hop(),
          participant.type,
          {}};
}

Common common_of(const fs::path& file, const TrackedParticipant& participant) {
  const Posteriors& first = participant.trials.front().posteriors;
  return {file, participant.speakers.size(), 0, first.window, first.hop, {}, participant.look_ahead};
}

const std::vector<std::string>& features_of(const ScoredParticipant& participant) { return participant.features; }
std::vector<std::string> features_of(const TrackedParticipant&) { return {}; }

void check_agreement(const Common& a, const Common& b) {
  const auto differ = [&](const std::string& in_a, const std::string& in_b) {
    return Error(ErrorKind::bad_data, input_name(a.file) + " has " + in_a + ", " + input_name(b.file) + " has " + in_b +
                                          "; files taken together must agree");
  };
  if (a.speakers != b.speakers) {
    throw differ(std::to_string(a.speakers) + " speakers", std::to_string(b.speakers) + " speakers");
  }
  if (a.features != b.features) {
    throw differ(std::to_string(a.features) + " features", std::to_string(b.features) + " features");
  }
  const auto alike = [](Seconds x, Seconds y) { return std::abs(x.value - y.value) <= relative_tolerance * x.value; };
  if (!alike(a.window, b.window) || !alike(a.hop, b.hop)) {
    throw differ(data::shown_windows(a.window, a.hop), data::shown_windows(b.window, b.hop));
  }
  const auto type_words = [](ScoreType type) {
    return type == ScoreType::correlation ? "correlations" : std::string(data::name_of(type));
  };
  if (a.type != b.type) throw differ(type_words(a.type), type_words(b.type));
  if (a.look_ahead != b.look_ahead) {
    const auto text = [](Seconds look_ahead) {
      return std::isfinite(look_ahead.value) ? "a look-ahead of " + number_text(look_ahead.value) + " s"
                                             : std::string("a look-ahead to the end of the trial");
    };
    throw differ(text(a.look_ahead), text(b.look_ahead));
  }
}

// Each file's trials get names of their own; files called alike are told apart by their path.
class TrialNamer {
 public:
  template <typename Participant>
  void name(const fs::path& file, Participant& participant) {
    std::string label = name_without_suffix(file);
    if (!labels_.insert(label).second) label = file.generic_string();
    for (auto& trial : participant.trials) trial.name = label + (trial.name.empty() ? "" : "/" + trial.name);
  }

 private:
  std::set<std::string> labels_;
};

// Reads a kind of file (scores or posteriors) into participants. Reader: path -> {participant, warnings}.
template <typename Cohort, typename Reader>
class CohortReader {
 public:
  explicit CohortReader(Reader reader) : reader_(reader) {}

  Cohort read(std::span<const ParticipantFiles> groups) {
    std::optional<Common> first;
    std::set<std::string> ids;
    for (const ParticipantFiles& group : groups) {
      auto participant = read_group(group);
      const Common common = common_of(group.files.front(), participant);
      if (!first) first = common;
      check_agreement(*first, common);
      // Files of the same name in different folders, without sub-: the path tells them apart.
      if (!ids.insert(participant.id).second) participant.id = group.files.front().generic_string();
      cohort_.participants.push_back(std::move(participant));
    }
    return std::move(cohort_);
  }

 private:
  auto read_file(const fs::path& file) {
    auto result = reader_(file);
    for (const std::string& warning : result.warnings) cohort_.warnings.push_back(input_name(file) + ": " + warning);
    return std::move(result.participant);
  }

  auto read_group(const ParticipantFiles& group) {
    check_one_choice(group);
    auto result = read_file(group.files.front());
    if (group.files.size() == 1) return result;
    const Common first = common_of(group.files.front(), result);
    TrialNamer namer;
    namer.name(group.files.front(), result);
    for (const fs::path& file : std::span(group.files).subspan(1)) {
      auto next = read_file(file);
      check_agreement(first, common_of(file, next));
      if (next.speakers != result.speakers || features_of(next) != features_of(result)) {
        throw Error(ErrorKind::bad_data, input_name(first.file) + " and " + input_name(file) + " name the " +
                                             (first.features > 0 ? "features" : "speakers") + " of sub-" +
                                             group.subject + " differently; use the same columns in the same order");
      }
      namer.name(file, next);
      std::ranges::move(next.trials, std::back_inserter(result.trials));
    }
    return result;
  }

  Reader reader_;
  Cohort cohort_;
};

ScoresCohort read_groups(std::span<const ParticipantFiles> groups, const ScoreReadOptions& options = {}) {
  const auto reader = [&options](const fs::path& file) { return read_scores(file, options); };
  return CohortReader<ScoresCohort, decltype(reader)>(reader).read(groups);
}

Seconds window_of(const ScoredParticipant& participant) { return participant.window(); }

void check_lengths(const WindowedScores& scores) {
  const auto bad = [&](const std::string& problem) {
    return Error(ErrorKind::bad_data, problem).within("participant " + scores.id);
  };
  const auto seconds = [](const ScoredParticipant& one) { return number_text(window_of(one).value) + " s"; };
  const ScoredParticipant& first = scores.lengths.front();
  for (std::size_t k = 1; k < scores.lengths.size(); ++k) {
    const ScoredParticipant& next = scores.lengths[k];
    if (next.speakers != first.speakers || next.type != first.type) {
      throw bad("windows of " + seconds(first) + " and of " + seconds(next) +
                " differ in speakers or score type; give scores of one decoder");
    }
    const double before = window_of(scores.lengths[k - 1]).value;
    if (window_of(next).value <= before * (1 + relative_tolerance)) {
      throw bad("files with different window- entities hold windows of " + seconds(next) + "; give them once");
    }
  }
}

}  // namespace

ScoresCohort read_scores_cohort(std::span<const fs::path> paths, const ScoreReadOptions& options) {
  return read_groups(group_by_participant(find_files(paths, scores_ending)), options);
}

WindowedCohort read_scores_by_window(std::span<const fs::path> paths) {
  WindowedCohort cohort;
  for (const ParticipantFiles& group : group_by_participant(find_files(paths, scores_ending))) {
    WindowedScores scores;
    for (const ParticipantFiles& length : group_by_window(group)) {
      ScoresCohort one = read_groups(std::span(&length, 1));
      scores.lengths.push_back(std::move(one.participants.front()));
      std::ranges::move(one.warnings, std::back_inserter(cohort.warnings));
    }
    std::ranges::sort(scores.lengths, {}, window_of);
    scores.id = scores.lengths.front().id;
    check_lengths(scores);
    cohort.participants.push_back(std::move(scores));
  }
  return cohort;
}

PosteriorsCohort read_posteriors_cohort(std::span<const fs::path> paths) {
  const auto files = find_files(paths, posterior_ending);
  return CohortReader<PosteriorsCohort, PosteriorFile (*)(const fs::path&)>(read_posteriors)
      .read(group_by_participant(files));
}

}  // namespace heed::io
