// SPDX-License-Identifier: MIT
// Where a listener's prior comes from: a population that was given, or the other listeners of the folder, whose sums
// are made once and kept.
#pragma once

#include <pipeline/scoring/listener_prior.h>
#include <pipeline/scoring/population_entries.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// Part of the keys of sums in the cache; to be raised whenever the same signals give other sums (lender_test holds it
// to the sums themselves).
inline constexpr int sums_version = 1;

struct FolderSums {
  std::vector<PopulationEntry> entries{};          // by participant, in the folder's order
  std::vector<ParticipantOutcome> participants{};  // whoever cannot be read has no entries
  heed::Notes notes{};
};

struct SumUpOrder {
  std::size_t first = 0;   // begin with this participant
  bool take_kept = false;  // sums in the cache are taken as they are: quick, but nothing is noted of the signals
};

// One participant per thread is in memory. Several processes may do it at once, on the same cache: each begins with
// another participant and takes what others have finished meanwhile; a file in the cache is whole or not there.
[[nodiscard]] FolderSums sum_up(const OpenFolder& folder, std::span<const io::ParticipantRuns> participants,
                                const PopulationOptions& options, const SumUpOrder& order = {});

// A listener's own trials, and those that decoders will be tested on: one set per decoder.
struct PriorRequest {
  std::string listener{};
  std::vector<TrialSource> sources{};             // of all the listener's trials, used or not
  std::vector<std::vector<std::string>> tests{};  // names of trials
};

// What is said, in the same words at every door, where too few others are there: `listener` may be empty, `others` says
// who there is ("2 other listeners heard sounds other than those of the test").
[[nodiscard]] Note without_population(std::string listener, const std::string& others);

class Lender {
 public:
  // Throws invalid_argument where a population that was given is of other signals, or of too few delays for the choice.
  // A request that names no source is of the folder.
  Lender(Population population, const PopulationRequest& request, DecoderChoice choice);

  // Nothing where the folder has too few others for one of the tests; notes say so. Of a population that was given the
  // user wants what there is. The lender must outlive the prior.
  [[nodiscard]] std::optional<ListenerPrior> prior_of(const PriorRequest& request, heed::Notes& notes) const;

  // For one decoder of these trials: everything else of the listener is what it may be tested on.
  [[nodiscard]] std::optional<LentPrior> lend(const std::string& listener, const std::vector<TrialSource>& sources,
                                              const std::vector<Trial>& trained, heed::Notes& notes) const;

  [[nodiscard]] const Population& population() const noexcept { return population_; }
  [[nodiscard]] const std::string& words() const noexcept { return words_; }          // "... prior weight auto"
  [[nodiscard]] const std::string& listeners() const noexcept { return listeners_; }  // "a population of 6 listeners"
  // For sidecars: who lent how much to the tests, and a digest of what was lent.
  [[nodiscard]] std::string words(const ListenerPrior& prior, const PriorRequest& request) const;
  // The same of an adaptive decoder that starts from them.
  [[nodiscard]] std::string words(const LentStart& start, const ListenerPrior& prior) const;

 private:
  Population population_;
  DecoderChoice choice_;
  std::optional<double> weight_;
  bool given_ = false;
  std::string source_;  // "this folder", "pop.json"
  std::string listeners_;
  std::string words_;
};

struct LenderRequest {
  PopulationRequest population{};
  std::optional<Recipe> recipe{};
  DecoderChoice choice{};
  std::optional<Seconds> scores{};  // the spread of scores in such windows is wanted too
  bool covariances = false;         // likewise those of the EEG
};

// Throws invalid_argument for a weight without a population, or outside 0 ... 1; unsupported for a population that is
// given to CSP.
void check_lending(const LenderRequest& request);

// Who lent how much to a listener's tests, for sidecars; `none` where the recipe has a population and nobody lent;
// empty where nobody was asked for.
[[nodiscard]] std::string population_words(const Lender* lender, const std::optional<ListenerPrior>& prior,
                                           const PriorRequest& asked, std::optional<Recipe> recipe);

// Who lends to the participants of an open folder; nothing: nobody, and notes say why where the recipe has a
// population. Throws as check_lending.
[[nodiscard]] std::unique_ptr<const Lender> find_lender(const OpenFolder& folder, const LenderRequest& request,
                                                        heed::Notes& notes);

}  // namespace heed::pipeline
