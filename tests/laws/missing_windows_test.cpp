// SPDX-License-Identifier: MIT
// One law for every path through the HMM engine (src/hmm/kernels/dispatch.h lists them): a missing window is a window
// whose log-likelihoods are all equal. Posteriors agree to 1e-12, evidence and counts to 1e-12 of their size, paths
// exactly; and paths that compute the same thing agree with each other. Whoever changes what a missing window does in
// one file and not in the others fails here.
#include <heed/core/fixed_lag_filter.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace heed::hmm {
namespace {

constexpr double tolerance = 1e-12;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index lag = 4;

// What one path made of the data. Paths of one kind compute the same thing.
struct Result {
  std::string kind;
  std::string path;
  Matrix values;
  std::optional<double> evidence{};
  std::optional<Index> held{};
};
using Results = std::vector<Result>;

std::vector<const kernels::KernelSet*> sets() {
  std::vector<const kernels::KernelSet*> result;
  for (const auto* set : kernels::supported_kernels().sets) {
    if (set != nullptr) result.push_back(set);
  }
  return result;
}

Matrix column(const std::vector<Speaker>& states) {
  Matrix values(std::ssize(states), 1);
  for (Index t = 0; t < values.rows(); ++t) values(t, 0) = states[static_cast<std::size_t>(t)];
  return values;
}

// As many sequences as the widest register has lanes, and one more.
constexpr Index copies = 9;

LogLikelihoods tall(const LogLikelihoods& data) { return {data.values.replicate(copies, 1), data.window}; }
std::vector<Index> lengths(const LogLikelihoods& data) {
  return std::vector<Index>(static_cast<std::size_t>(copies), data.values.rows());
}

void add_batch(Results& results, const std::string& kind, const BatchPosteriors& batch) {
  const Index rows = batch.values.rows() / copies;
  for (Index s = 0; s < copies; ++s) {
    const auto& sequence = batch.sequences[static_cast<std::size_t>(s)];
    results.push_back({kind, "batch", batch.values.middleRows(s * rows, rows), sequence.log_evidence, sequence.held});
  }
}

void add(Results& results, const std::string& kind, const std::string& path, const Posteriors& posteriors) {
  results.push_back({kind, path, posteriors.values, posteriors.log_evidence, posteriors.held});
}

void add_causal(Results& results, const Chain& chain, const LogLikelihoods& data) {
  const MatrixView input = data::view(data.values);
  add(results, "causal", "filter", filter(chain, data));
  add_batch(results, "causal", filter_batch(chain, tall(data), lengths(data)));
  Matrix rows(data.values.rows(), chain.states());
  FilterWorkspace workspace(chain.states());
  const double evidence = filter_plainly(chain, input, workspace, data::view(rows));
  results.push_back({"causal", "passes", rows, evidence, workspace.held()});
  for (const auto* set : sets()) {
    if (!kernels::suits_filter(chain)) break;
    std::vector<double> storage(static_cast<std::size_t>(kernels::filter_storage(chain.states())));
    const auto filtered = kernels::filter(*set, chain, input, storage.data(), data::view(rows));
    results.push_back({"causal", set->name, rows, filtered.log_evidence, filtered.held});
  }
}

template <typename Filter>
void add_steps(Results& results, const std::string& path, Filter& filter, const LogLikelihoods& data) {
  Matrix now(data.values.rows(), data.values.cols());
  Matrix later = Matrix::Zero(data.values.rows(), data.values.cols());
  Index held = 0;
  for (Index t = 0; t < data.values.rows(); ++t) {
    held += filter.step(data::view(data.values).row(t)) == core::Step::held ? 1 : 0;
    EXPECT_TRUE(filter.look_back(0, data::view(now).row(t)));
    if (t >= lag) {
      EXPECT_TRUE(filter.look_back(lag, data::view(later).row(t - lag)));
    }
  }
  for (Index t = std::max<Index>(data.values.rows() - lag, 0); t < data.values.rows(); ++t) {
    EXPECT_TRUE(filter.look_back(data.values.rows() - 1 - t, data::view(later).row(t)));
  }
  results.push_back({"causal", path, now, {}, held});
  results.push_back({"lagged", path, later, {}, held});
}

void add_smoothing(Results& results, const Chain& chain, const LogLikelihoods& data) {
  const Index windows = data.values.rows();
  const MatrixView input = data::view(data.values);
  add(results, "smooth", "smooth", smooth(chain, data));
  add(results, "smooth", "fixed lag to the end", fixed_lag(chain, data, static_cast<double>(windows) * data.window));
  add_batch(results, "smooth", smooth_batch(chain, tall(data), lengths(data)));
  Matrix rows(windows, chain.states());
  SmoothWorkspace workspace(windows, chain.states());
  const double evidence = smooth_plainly(chain, input, workspace, data::view(rows));
  results.push_back({"smooth", "passes", rows, evidence, workspace.held()});
  for (const auto* set : sets()) {
    if (!kernels::suits_smoothing(chain)) continue;
    std::vector<double> weights(
        static_cast<std::size_t>(kernels::smoothing_storage(set->lanes, windows, chain.states())));
    const auto smoothed = kernels::smooth(*set, chain, input, weights.data(), data::view(rows));
    results.push_back({"smooth", set->name, rows, smoothed.log_evidence, smoothed.held});
  }
}

// Several sequences in the lanes of a register, on every instruction set.
void add_side_by_side(Results& results, const Chain& chain, const LogLikelihoods& data) {
  if (!kernels::suits_lanes(chain)) return;
  const LogLikelihoods many = tall(data);
  const std::vector<Index> all = lengths(data);
  for (const auto* set : sets()) {
    BatchPosteriors out{Matrix(many.values.rows(), chain.states()), many.window, many.hop,
                        std::vector<SequenceSummary>(all.size())};
    std::vector<double> storage(
        static_cast<std::size_t>(kernels::lanes_storage(set->lanes, data.values.rows(), chain.states())));
    const BatchView batch{data::view(many.values), all};
    const BatchPosteriorsView view{data::view(out.values), out.sequences};
    kernels::smooth_lanes(*set, chain, {&batch, &view, storage.data()}, 0, 0);
    const auto& last = out.sequences[static_cast<std::size_t>(set->lanes - 1)];
    results.push_back({"smooth", set->name + std::string(", side by side"),
                       out.values.middleRows((set->lanes - 1) * data.values.rows(), data.values.rows()),
                       last.log_evidence, last.held});
  }
}

void add_expectation(Results& results, const Chain& chain, const LogLikelihoods& data) {
  const Index windows = data.values.rows();
  const MatrixView input = data::view(data.values);
  const auto counts = [](double stays, double switches) { return (Matrix(1, 2) << stays, switches).finished(); };
  const Expectation expected = expectation(chain, data);
  add(results, "smooth", "E-step", expected.posteriors);
  results.push_back({"counts", "E-step", counts(expected.transitions.stays, expected.transitions.switches)});
  Matrix rows(windows, chain.states());
  ExpectationWorkspace workspace(windows, chain.states());
  const double evidence = expectation_plainly(chain, input, workspace, data::view(rows));
  results.push_back({"smooth", "E-step by passes", rows, evidence, workspace.held()});
  const TransitionCounts plain = workspace.transitions();
  results.push_back({"counts", "passes", counts(plain.stays, plain.switches)});
  if (chain.as_sticky() == nullptr) results.push_back({"pairs", "passes", plain.pairs});
  for (const auto* set : sets()) {
    if (!kernels::suits_smoothing(chain)) continue;
    std::vector<double> weights(
        static_cast<std::size_t>(kernels::smoothing_storage(set->lanes, windows, chain.states())));
    Matrix pairs(chain.states(), kernels::padded(chain.states()));
    const auto fast = kernels::expect(*set, chain, input, {weights.data(), pairs.data()}, data::view(rows));
    results.push_back({"smooth", set->name + std::string(", E-step"), rows, fast.log_evidence, fast.held});
    if (chain.as_sticky() != nullptr) {
      results.push_back({"counts", set->name, counts(static_cast<double>(windows - 1) - fast.switches, fast.switches)});
    } else {
      results.push_back({"pairs", set->name, pairs.leftCols(chain.states())});
    }
  }
}

void add_viterbi(Results& results, const Chain& chain, const LogLikelihoods& data) {
  const Index windows = data.values.rows();
  const Path best = viterbi(chain, data);
  results.push_back({"path", "viterbi", column(best.states), best.log_probability, best.held});
  const BatchPaths batch = viterbi_batch(chain, tall(data), lengths(data));
  for (std::size_t s = 0; s < batch.sequences.size(); ++s) {
    const auto first = batch.states.begin() + static_cast<Index>(s) * windows;
    results.push_back(
        {"path", "batch", column({first, first + windows}), batch.sequences[s].log_evidence, batch.sequences[s].held});
  }
  std::vector<Speaker> states(static_cast<std::size_t>(windows));
  ViterbiWorkspace workspace(windows, chain.states());
  const double plain = viterbi_plainly(chain, data::view(data.values), workspace, states);
  results.push_back({"path", "viterbi.cpp", column(states), plain, workspace.held()});
  for (const auto* set : sets()) {
    if (!kernels::suits_viterbi(chain)) break;
    std::vector<double> leads(static_cast<std::size_t>(kernels::viterbi_storage(windows, chain.states())));
    const auto fast = kernels::viterbi(*set, chain, data::view(data.values), {.scores = leads, .path = states});
    results.push_back({"path", set->name, column(states), fast.log_probability, fast.held});
  }
}

Results every_path(const Chain& chain, const LogLikelihoods& data) {
  Results results;
  add_causal(results, chain, data);
  Stream stream(chain, lag);
  add_steps(results, "stream", stream, data);
  if (const auto* sticky = chain.as_sticky()) {
    auto device = core::FixedLagFilter<double, 64, static_cast<std::size_t>(lag)>::make(*sticky, chain.initial());
    EXPECT_TRUE(device);
    if (device) add_steps(results, "core", *device, data);
  }
  add(results, "lagged", "fixed lag", fixed_lag(chain, data, static_cast<double>(lag) * data.window));
  add_smoothing(results, chain, data);
  add_side_by_side(results, chain, data);
  add_expectation(results, chain, data);
  add_viterbi(results, chain, data);
  return results;
}

void expect_equal(const Result& a, const Result& b, const std::string& where) {
  const std::string which = where + ": " + a.kind + ", " + a.path + " against " + b.path;
  const double size = a.kind == "counts" || a.kind == "pairs" ? std::max(1.0, a.values.cwiseAbs().maxCoeff()) : 1;
  EXPECT_LE(test::largest_difference(a.values, b.values), tolerance * size) << which;
  if (a.evidence && b.evidence) {
    EXPECT_NEAR(*a.evidence, *b.evidence, tolerance * std::max(1.0, std::abs(*a.evidence))) << which;
  }
}

// Missing at the start, at the end, alone, in a burst, and everywhere now and then; in every way a window can be.
struct Gaps {
  LogLikelihoods missing;
  LogLikelihoods flat;
  Index count = 0;
};

Gaps with_gaps(Matrix values, RandomStream& random) {
  Gaps gaps{{values}, {values}};
  for (Index t = 0; t < values.rows(); ++t) {
    const bool gap = t < 2 || t >= values.rows() - 2 || (t >= 10 && t < 16) || random.uniform() < 0.1;
    if (!gap) continue;
    auto row = gaps.missing.values.row(t);
    switch (gaps.count++ % 4) {
      case 0:
        row.setConstant(nan);
        break;
      case 1:
        row(random.integer(0, values.cols() - 1)) = nan;
        break;
      case 2:
        row(random.integer(0, values.cols() - 1)) = infinity;
        break;
      default:
        row.setConstant(-infinity);
    }
    gaps.flat.values.row(t).setZero();
  }
  return gaps;
}

void check(const Chain& chain, Index windows, RandomStream& random, const std::string& where) {
  const Gaps gaps = with_gaps(test::random_log_likelihoods(windows, chain.states(), {}, random), random);
  const Results missing = every_path(chain, gaps.missing);
  const Results flat = every_path(chain, gaps.flat);
  ASSERT_EQ(missing.size(), flat.size());
  for (std::size_t k = 0; k < missing.size(); ++k) {
    expect_equal(missing[k], flat[k], where + ", missing against flat");
    if (missing[k].held) {
      EXPECT_EQ(*missing[k].held, gaps.count) << where << ": " << missing[k].path;
    }
    if (flat[k].held) {
      EXPECT_EQ(*flat[k].held, 0) << where << ": " << flat[k].path;
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (missing[other].kind != missing[k].kind) continue;
      expect_equal(missing[other], missing[k], where);
      break;  // the first of its kind stands for all
    }
  }
}

class MissingWindows : public ::testing::TestWithParam<Index> {};

TEST_P(MissingWindows, AreFlatWindowsOnEveryPath) {
  const Index states = GetParam();
  RandomStream random(static_cast<std::uint64_t>(states));
  for (const Index windows : {20, 150, 601}) {
    const std::string where = std::to_string(states) + " states, " + std::to_string(windows) + " windows, ";
    check(Chain::sticky(states, 0.4 / static_cast<double>(states)), windows, random, where + "sticky");
    const Chain rare = Chain::sticky(states, 0.001).with_initial(test::random_distribution(states, 0, random));
    check(rare, windows, random, where + "rare switches");
    check(test::to_chain(test::random_chain(states, {}, random)), windows, random, where + "dense");
  }
}

// Kernels make the weights of longer sequences twice, and cut those of two states into blocks.
TEST(LongSequences, TreatMissingWindowsAsFlatOnes) {
  RandomStream random(5);
  for (const Index states : {2, 3, 8}) {
    check(Chain::sticky(states, 0.01), 9001, random, std::to_string(states) + " states, 9001 windows");
  }
}

INSTANTIATE_TEST_SUITE_P(States, MissingWindows, ::testing::Values(2, 3, 8, 33, 64),
                         [](const auto& test) { return "N" + std::to_string(test.param); });

}  // namespace
}  // namespace heed::hmm
