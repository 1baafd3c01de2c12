// SPDX-License-Identifier: MIT
// Windows that wait for their soft labels: a hidden Markov model over the talkers and nobody looks back on each from a
// few windows later. And the emission, learnt from the labels.
#pragma once

#include <heed/data/model.h>
#include <heed/decode/adaptive_decoder.h>
#include <heed/hmm/filter.h>

#include <span>
#include <vector>

namespace heed::decode {

struct LabelledWindow {
  std::vector<double> z{};      // Fisher-transformed scores; meaningless unless scored
  Matrix cross{};               // n x talkers: sum of x y' of the window; meaningless unless there is sound
  std::vector<double> label{};  // P(talker attended); the rest is nobody's
  double samples = 0;
  bool sounds = false;  // there is something to learn from
  bool scored = false;
  bool uniform = false;  // nobody knows yet who is attended: all talkers alike
  bool told = false;     // the label was given
};

class LabelQueue {
 public:
  LabelQueue(Index talkers, Index dimensions, const AdaptationOptions& options, bool with_nobody);

  // Room for the next window, to be filled in before it is pushed.
  [[nodiscard]] LabelledWindow& next() noexcept;
  void push(std::span<const double> log_likelihoods) noexcept;  // one per talker
  [[nodiscard]] Index size() const noexcept { return size_; }
  // The oldest, with its label in the light of all that followed. Valid until the next push.
  const LabelledWindow& pop() noexcept;
  void restart() noexcept;         // of an empty queue: beliefs begin anew
  void give_up_nobody() noexcept;  // whatever waits is dropped, and the talkers are all there is from now on

 private:
  [[nodiscard]] hmm::Stream& stream() noexcept { return with_nobody_ ? with_nobody_stream_ : talkers_stream_; }

  Index talkers_;
  hmm::Stream with_nobody_stream_;
  hmm::Stream talkers_stream_;
  bool with_nobody_;
  std::vector<LabelledWindow> windows_;  // in turn
  Index newest_ = 0;                     // one beyond
  Index size_ = 0;
  std::vector<double> evidence_;   // of the talkers and nobody
  std::vector<double> posterior_;  // likewise
};

// Means and deviation of attended and unattended scores: those of the start, which count as some windows, and what
// labels say since.
class LearntEmission {
 public:
  LearntEmission(const GaussianEmission& start, double start_windows);

  void fade(double kept) noexcept;
  void learn(std::span<const double> z, std::span<const double> label) noexcept;
  void restart(const GaussianEmission& start) noexcept;
  void lean_on(const GaussianEmission& start) noexcept;  // what was learnt stays
  [[nodiscard]] const GaussianEmission& emission() const noexcept { return emission_; }
  // In the order of LearntSums::scores.
  [[nodiscard]] std::vector<double> sums() const;
  void resume(std::span<const double> sums) noexcept;

 private:
  struct Sums {
    double attended = 0;
    double attended_weight = 0;
    double unattended = 0;
    double unattended_weight = 0;
    double squares = 0;
  };
  void estimate() noexcept;

  GaussianEmission start_;
  GaussianEmission emission_;
  double start_windows_;
  Sums sums_{};
};

}  // namespace heed::decode
