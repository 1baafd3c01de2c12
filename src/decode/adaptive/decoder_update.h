// SPDX-License-Identifier: MIT
// The decoder of what was learnt up to the end of a block: the one costly step of the adaptation. The thread that
// listens leaves what is needed and goes on; any thread computes; the decoder is taken up windows later.
#pragma once

#include "decode/adaptive/fading_gram.h"

#include <heed/decode/adaptive_decoder.h>

#include <atomic>
#include <memory>

namespace heed::decode {

// Sums over windows, in samples.
struct SampleSums {
  double eeg_samples = 0;    // that the covariance rests on
  Eigen::VectorXd cross{};   // sum of x y over talkers, as much as they are likely attended
  double cross_samples = 0;  // that it rests on
};

struct DecoderSolution {
  Eigen::VectorXd weights{};
  Eigen::VectorXd pattern{};  // covariance times weights
};

class DecoderUpdate {
 public:
  // leader: another update of the same windows, starts and shape, which is always asked first. The covariance and its
  // factor are taken from there, on the same thread; nothing: this one has its own.
  DecoderUpdate(const AdaptiveStart& start, const AdaptiveShape& shape, const AdaptationOptions& options,
                std::shared_ptr<DecoderUpdate> leader = nullptr);

  // By the thread that listens, while nothing is under way.
  void lean_on(const AdaptiveStart& start);
  // By the thread that listens, while nothing waits.
  void ask(const BlockOfWindows& block, const SampleSums& sums, bool with_population);
  [[nodiscard]] bool waits() const noexcept { return stage_.load(std::memory_order_acquire) == Stage::waiting; }
  [[nodiscard]] bool is_under_way() const noexcept { return stage_.load(std::memory_order_acquire) != Stage::idle; }
  // By any thread: nothing where nothing waits, or another one computes.
  void compute() noexcept;
  // By the thread that listens: computes, or waits for whoever does. False: there is no decoder, and `solution` stays.
  bool take(DecoderSolution& solution) noexcept;

 private:
  enum class Stage : unsigned char { idle, waiting, computing, done };
  // R + ridge I = L L', of the sums that were asked for last.
  struct Factor {
    Matrix lower{};
    double mean_variance = 0;
    double ridge = 0;
    double lent_samples = 0;  // of the population
    bool there = false;
  };
  void solve() noexcept;
  [[nodiscard]] const Factor& factor_with(double lent_samples) noexcept;
  void make_factor(double lent_samples) noexcept;

  std::shared_ptr<DecoderUpdate> leader_;
  Matrix population_covariance_;
  Eigen::VectorXd population_cross_;
  double covariance_samples_;
  double population_samples_;
  double ridge_;
  FadingGram gram_;

  BlockOfWindows block_;
  SampleSums sums_;
  bool with_population_ = false;

  Factor factor_{};
  Eigen::VectorXd right_;
  DecoderSolution solution_;
  bool solved_ = false;
  std::atomic<Stage> stage_ = Stage::idle;
};

}  // namespace heed::decode
