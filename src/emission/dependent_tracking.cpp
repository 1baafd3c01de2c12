// SPDX-License-Identifier: MIT
#include <emission/dependent_windows.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/dependence.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <hmm/transition_viterbi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

// A stream takes what is no score for missing; a file that holds such a thing is wrong.
void check_scores(const DependentGaussian& model, const Scores& scores) {
  if (scores.values.rows() > 0 && scores.values.cols() != model.speakers()) {
    throw Error(ErrorKind::invalid_argument, "the scores have " + std::to_string(scores.values.cols()) +
                                                 " columns, the model " + std::to_string(model.speakers()) +
                                                 " speakers; give one column for each speaker");
  }
  for (Index t = 0; t < scores.values.rows(); ++t) {
    if (scores.values.row(t).hasNaN()) continue;
    try {
      for (const double score : data::view(scores.values).row(t)) (void)transformed(score, model.emission().fisher);
    } catch (const Error& error) {
      throw error.within("window " + std::to_string(t + 1));
    }
  }
}

// Rows that have seen `lag` windows more, or all there are, by a chain or a bank of them.
template <typename Chains>
hmm::BankPosteriors look_back(const Chains& chains, const DependentGaussian& model, const Scores& scores, Index lag) {
  check_scores(model, scores);
  const Index count = scores.values.rows();
  const Index last = count - 1;
  const Index windows = std::min(lag, std::max<Index>(last, 0));
  DependentStream stream(chains, model, windows);
  hmm::BankPosteriors result{
      .posteriors = {.values = Matrix(count, model.speakers()), .window = scores.window, .hop = scores.hop},
      .switching = {.weights = Matrix(count, std::ssize(stream.probabilities())), .after = {}}};
  Matrix& rows = result.posteriors.values;
  for (Index t = 0; t < count; ++t) {
    if (stream.step(data::view(scores.values).row(t)) == core::Step::held) ++result.posteriors.held;
    std::ranges::copy(stream.probabilities(), data::view(result.switching.weights).row(t).begin());
    if (t >= windows && t < last) (void)stream.look_back(windows, data::view(rows).row(t - windows));
  }
  // The last windows see the end, and share one pass.
  if (last >= 0) rows.bottomRows(windows + 1) = stream.look_back_on_last(windows + 1);
  result.posteriors.log_evidence = stream.log_evidence();
  result.switching.after = stream.known();
  return result;
}

// The evidence of all windows, less an offset.
hmm::TransitionWindows windows_of(const DependentGaussian& model, const Matrix& z, double offset) {
  const auto count = static_cast<std::size_t>(z.rows());
  hmm::TransitionWindows all{.departing = Matrix::Zero(z.rows(), z.cols()),
                             .arriving = Matrix::Zero(z.rows(), z.cols()),
                             .stay = std::vector<double>(count),
                             .common = std::vector<double>(count),
                             .hops = std::vector<Index>(count),
                             .observed = std::vector<bool>(count)};
  DependentWindows windows(model);
  Index before = -1;
  for (Index t = 0; t < z.rows(); ++t) {
    const auto k = static_cast<std::size_t>(t);
    all.observed[k] = !z.row(t).hasNaN();
    if (!all.observed[k]) continue;
    const Index hops = before < 0 ? 0 : t - before;
    const auto earlier = data::view(z).row(std::max<Index>(before, 0));
    const auto one = windows.evidence(data::view(z).row(t), earlier, hops, offset,
                                      {data::view(all.arriving).row(t), data::view(all.departing).row(t)});
    all.stay[k] = one.stay;
    all.common[k] = one.common;
    all.hops[k] = hops;
    before = t;
  }
  return all;
}

}  // namespace

Posteriors filter(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores) {
  return look_back(chain, model, scores, 0).posteriors;
}

Posteriors smooth(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores) {
  return look_back(chain, model, scores, scores.values.rows()).posteriors;
}

Posteriors fixed_lag(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores, Seconds lag) {
  return look_back(chain, model, scores, hmm::lag_in_windows(lag, scores.hop)).posteriors;
}

hmm::BankPosteriors filter(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores) {
  return look_back(bank, model, scores, 0);
}

hmm::BankPosteriors smooth(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores) {
  return look_back(bank, model, scores, scores.values.rows());
}

hmm::BankPosteriors fixed_lag(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores,
                              Seconds lag) {
  return look_back(bank, model, scores, hmm::lag_in_windows(lag, scores.hop));
}

Path viterbi(const hmm::Chain& chain, const DependentGaussian& model, const Scores& scores) {
  check_scores(model, scores);
  if (chain.states() != model.speakers()) {
    throw Error(ErrorKind::invalid_argument, "the chain and the model must have as many speakers");
  }
  Matrix z = scores.values;
  for (double& value : std::span(z.data(), static_cast<std::size_t>(z.size()))) {
    if (!std::isnan(value)) value = transformed(value, model.emission().fisher);
  }
  Path best{.log_probability = -std::numeric_limits<double>::infinity()};
  for (const auto& [offset, probability] : model.offsets()) {
    Path path = hmm::viterbi(chain, windows_of(model, z, offset));
    path.log_probability += std::log(probability);
    if (path.log_probability > best.log_probability) best = std::move(path);
  }
  best.window = scores.window;
  best.hop = scores.hop;
  return best;
}

hmm::BankPath viterbi(const hmm::Bank& bank, const DependentGaussian& model, const Scores& scores) {
  hmm::BankPosteriors filtered = filter(bank, model, scores);
  return {.path = viterbi(bank.chain(filtered.switching.after.heaviest()), model, scores),
          .log_evidence = filtered.posteriors.log_evidence,
          .switching = std::move(filtered.switching)};
}

}  // namespace heed::emission
