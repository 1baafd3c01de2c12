// SPDX-License-Identifier: MIT
// All scores that studies need, made once: one decoding of a participant serves every window length, p and study.
#pragma once

#include <data/in_parallel.h>
#include <data/result_table.h>
#include <heed/data/note.h>
#include <study/cohorts/study_cohort.h>
#include <study/results/sealed_files.h>
#include <study/setting.h>

#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::study {

struct LibraryOptions {
  data::Threads threads{1};
  const SealedFiles* store = nullptr;  // what was decoded is kept there and found again; null: nowhere
  std::function<void(std::size_t done, std::size_t total)> progress{};  // in participants
  // An id: processes that begin with different participants share the decoding through the store.
  std::string begin_with{};
};

// Throws bad_data for one: what scores mean is learnt from others, or from other parts of the same one.
void require_cohort(std::size_t participants);

// The state-space model reads correlations, which CCA and CSP do not give: such a setting with the scores of least
// squares. Nothing for other settings, and those that name their decoder.
[[nodiscard]] std::optional<Setting> with_correlations(const Setting& setting);

class ScoreLibrary {
 public:
  // Decodes whatever the settings need and the cohort can give. A participant that fails is left out, with a note, but
  // not for a disk that fails: that is thrown. A decoder or window that fewer than two participants allow is an
  // obstacle. Throws what the first one failed with if fewer than two can be read or decoded as the baseline has it,
  // and as require_cohort.
  ScoreLibrary(const Cohort& cohort, std::span<const Setting> settings, const LibraryOptions& options);

  // Why a setting has no scores; nothing: scores() has them.
  [[nodiscard]] std::optional<std::string> obstacle(const Setting& setting) const;
  [[nodiscard]] const std::vector<ScoredParticipant>& scores(const Setting& setting) const;
  // Whether one of the speakers is a surrogate: the unattended scores of the same trial half a trial later, in a
  // cohort that has one speaker less than the setting wants.
  [[nodiscard]] bool is_surrogate(const Setting& setting) const;

  // The decoder of a setting's scores: ls, cca, csp; of files that do not say, what they hold: correlations, log-odds.
  [[nodiscard]] std::string scored_by(const Setting& setting) const;

  // What was chosen for whom: "decoded without a population: ...".
  [[nodiscard]] Notes choices() const;
  // Of one participant in the scores of a setting.
  [[nodiscard]] Notes choices_of(const Setting& setting, const std::string& id) const;
  // Whether two settings are run on the same scores, though one may name what the other leaves to the baseline.
  [[nodiscard]] bool same_scores(const Setting& a, const Setting& b) const;

  // Who was left out; of all, or of one participant.
  [[nodiscard]] const Notes& notes() const noexcept { return notes_; }
  [[nodiscard]] Notes notes_of(const std::string& id) const;
  [[nodiscard]] const Cohort& cohort() const noexcept { return cohort_; }

 private:
  using Key = std::pair<Decoding, Seconds>;

  [[nodiscard]] Decoding decoding_of(const Setting& setting) const;
  [[nodiscard]] std::vector<ScoresWanted> wanted_of(std::span<const Setting> settings) const;
  void add_surrogate(const Setting& setting);
  void take(const ScoresWanted& wanted, std::span<const std::string> ids, std::span<DecodedScores> decoded);
  [[nodiscard]] std::vector<std::size_t> readable_of(std::span<const std::string> ids,
                                                     std::span<const std::exception_ptr> failures);
  void decode_part(std::span<const ScoresWanted> wanted, const LibraryOptions& options);

  const Cohort& cohort_;
  std::map<Key, std::vector<ScoredParticipant>> scores_;
  std::map<Key, std::vector<ScoredParticipant>> surrogates_;
  std::map<Key, std::string> failures_;
  std::map<Decoding, Notes> choices_;  // the subject is a participant
  Notes notes_;                        // the subject is a participant
  std::size_t done_ = 0;
  std::size_t total_ = 0;
};

}  // namespace heed::study
