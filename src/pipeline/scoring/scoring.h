// SPDX-License-Identifier: MIT
// A ScoreRequest at work, participant by participant: for whoever does more with a participant's trials than keep the
// scores (the BIDS App). `score` is all of it.
#pragma once

#include <heed/io/score_tables.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/lender.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// The name of a trial as the events of its run have it; empty: the run is one trial.
[[nodiscard]] std::string name_within_run(const std::string& trial, const std::string& run);

// 5 -> "window-05s_", 0.25 -> "window-0p25s_": labels of BIDS hold letters and digits.
[[nodiscard]] std::string window_entity(Seconds window);

// Throws invalid_argument where one is no multiple of a quarter second, or is there twice.
void check_windows(std::span<const Seconds> windows);

// How the windows lie that are asked for. Throws as check_windows() and decode::check_layout() do, and for a step
// together with a hop.
[[nodiscard]] std::vector<decode::WindowLayout> layouts_of(std::span<const Seconds> windows, std::optional<Seconds> hop,
                                                           std::optional<Seconds> step);

// What sidecars say of scores by this choice; `population` as population_words() has it.
[[nodiscard]] ScoreOrigin origin_of(const DecoderChoice& choice, std::optional<Recipe> recipe, std::string population);

struct ScoredListener {
  ParticipantTrials trials{};
  std::optional<ListenerPrior> prior{};  // nothing: nobody lends
  ParticipantScores result{};
};

// May be used by several threads at once.
class Scoring {
 public:
  // Opens the folder and finds whoever lends: all that participants share. Throws as score().
  explicit Scoring(const ScoreRequest& request);

  [[nodiscard]] const OpenFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] const DecoderChoice& choice() const noexcept { return choice_; }
  [[nodiscard]] const std::vector<io::ParticipantRuns>& participants() const { return folder_.participants(); }
  [[nodiscard]] const heed::Notes& notes() const noexcept { return notes_; }
  [[nodiscard]] const std::vector<decode::WindowLayout>& layouts() const noexcept { return layouts_; }
  [[nodiscard]] std::string decoder_words() const;  // for people
  [[nodiscard]] std::string description() const;    // of files: ls, as in desc-ls

  // Of everything the scores of participant k come from: files, choice, windows, and what others lend.
  [[nodiscard]] std::string key_of(std::size_t k) const;

  // Throws what goes wrong with the participant; bad_data for a trial without a window.
  [[nodiscard]] ScoredListener score(std::size_t k) const;

  // Files of the participant's scores, one per run and window length.
  void write(std::size_t k, const ScoredListener& scored) const;

 private:
  [[nodiscard]] PriorRequest prior_request(std::size_t k) const;
  [[nodiscard]] ParticipantTrials trials_of(std::size_t k) const;
  [[nodiscard]] LenderRequest lender_request() const;
  void adapt(std::size_t k, ScoredListener& scored) const;

  const ScoreRequest& request_;
  std::vector<decode::WindowLayout> layouts_;
  DecoderChoice choice_;
  std::optional<Recipe> recipe_;
  OpenFolder folder_;
  heed::Notes notes_;
  std::unique_ptr<const Lender> lender_;
};

}  // namespace heed::pipeline
