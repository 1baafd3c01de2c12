// SPDX-License-Identifier: MIT
// Every instruction set this machine runs is held to the plain recursions, to 1e-12.
#include "hmm/kernels/kernels.h"

#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double tolerance = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<const kernels::KernelSet*> sets() {
  std::vector<const kernels::KernelSet*> result;
  for (const auto* set : kernels::supported_kernels().sets) {
    if (set != nullptr) result.push_back(set);
  }
  return result;
}

// Weak evidence, and every kind of broken window now and then.
Matrix evidence(Index windows, Index states, std::uint64_t seed, bool broken = true) {
  RandomStream random(seed);
  Matrix values(windows, states);
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < states; ++j) values(t, j) = (3 * random.normal()) - 40;
    if (!broken) continue;
    const auto kind = random.integer(0, 40);
    if (kind == 0) values(t, random.integer(0, states - 1)) = std::numeric_limits<double>::quiet_NaN();
    if (kind == 1) values(t, random.integer(0, states - 1)) = infinity;
    if (kind == 2) values(t, random.integer(0, states - 1)) = -infinity;
    if (kind == 3) values.row(t).setConstant(-infinity);
    if (kind == 4) values(t, random.integer(0, states - 1)) = -5000;
  }
  return values;
}

Matrix random_transition(Index states, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix matrix(states, states);
  for (Index i = 0; i < states; ++i) {
    for (Index j = 0; j < states; ++j) matrix(i, j) = 0.01 + random.uniform();
    matrix.row(i) /= matrix.row(i).sum();
  }
  return matrix;
}

Chain chain_of(const std::string& kind, Index states) {
  if (kind == "dense") return Chain::make(random_transition(states, 5));
  Chain chain = Chain::sticky(states, kind == "memoryless" ? 1 / static_cast<double>(states)
                                      : kind == "rigid"    ? 1e-25
                                                           : 0.003);
  if (kind != "known start") return chain;
  std::vector<double> initial(static_cast<std::size_t>(states), 0);
  initial.back() = 1;
  return chain.with_initial(initial);
}

std::vector<Index> every_number_of_states() {
  std::vector<Index> result{256};
  for (Index states = 1; states <= 70; ++states) result.push_back(states);
  return result;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

void expect_close(double value, double expected, const std::string& what) {
  EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected))) << what;
}

class Kernels : public ::testing::TestWithParam<std::tuple<const kernels::KernelSet*, std::string>> {
 protected:
  static void check_smoothing(const kernels::KernelSet& set, const Chain& chain, const Matrix& values) {
    const Index windows = values.rows();
    const std::string what = std::string(set.name) + ", " + std::to_string(chain.states()) + " states, " +
                             std::to_string(windows) + " windows";
    SmoothWorkspace workspace(windows, chain.states());
    Matrix plain(windows, chain.states());
    Matrix fast(windows, chain.states());
    const double log_evidence = smooth_plainly(chain, data::view(values), workspace, data::view(plain));
    const Index held = workspace.held();
    ASSERT_TRUE(kernels::suits_smoothing(chain)) << what;
    std::vector<double> weights(
        static_cast<std::size_t>(kernels::smoothing_storage(set.lanes, values.rows(), values.cols())));
    const auto smoothed = kernels::smooth(set, chain, data::view(values), weights.data(), data::view(fast));
    EXPECT_LT(largest_difference(plain, fast), tolerance) << what;
    expect_close(smoothed.log_evidence, log_evidence, what);
    EXPECT_EQ(smoothed.held, held) << what;
  }
};

TEST_P(Kernels, SmoothAsThePlainFormDoes) {
  const auto& [set, kind] = GetParam();
  for (const Index states : {2, 3, 4, 5, 7, 8, 9, 16, 31, 32}) {
    for (const Index windows : {1, 2, 3, 4, 5, 8, 17, 127, 128, 129, 130, 257, 600}) {
      check_smoothing(*set, chain_of(kind, states), evidence(windows, states, static_cast<std::uint64_t>(windows)));
    }
  }
}

TEST_P(Kernels, SmoothAnyNumberOfStates) {
  const auto& [set, kind] = GetParam();
  for (const Index states : every_number_of_states()) {
    if (states == 1 && kind != "dense") continue;
    check_smoothing(*set, chain_of(kind, states), evidence(40, states, static_cast<std::uint64_t>(states)));
  }
}

// Up to four states go in pieces from 64 windows on, in blocks of lanes x 512.
TEST_P(Kernels, SmoothPiecesOfAnyLength) {
  const auto& [set, kind] = GetParam();
  for (const Index states : {2, 3, 4}) {
    const Chain chain = chain_of(kind, states);
    for (Index windows = 60; windows < 200; ++windows) {
      check_smoothing(*set, chain, evidence(windows, states, static_cast<std::uint64_t>(windows)));
    }
    for (const Index windows : {2047, 2048, 2049, 4095, 4096, 4097, 4101, 8191, 8192, 8193, 12287, 12288, 12300}) {
      check_smoothing(*set, chain, evidence(windows, states, static_cast<std::uint64_t>(windows)));
    }
  }
}

// Weights go down to exp(-708) and to 0, on a chain that is as rigid as can be.
TEST_P(Kernels, SmoothPiecesOfExtremeEvidence) {
  const auto& [set, kind] = GetParam();
  for (const Index states : {2, 3, 4}) {
    const Chain chain = kind == "rigid" ? Chain::sticky(states, kernels::smallest_transition) : chain_of(kind, states);
    for (const double strength : {30.0, 100.0, 1000.0}) {
      for (const Index windows : {64, 129, 600, 5000}) {
        const Matrix values = strength * evidence(windows, states, static_cast<std::uint64_t>(windows));
        check_smoothing(*set, chain, values);
      }
    }
  }
}

// Beyond half a million windows posteriors go past the cache.
TEST_P(Kernels, SmoothSequencesLargerThanTheCache) {
  const auto& [set, kind] = GetParam();
  if (kind != "sticky") return;
  for (const Index states : {2, 3}) check_smoothing(*set, chain_of(kind, states), evidence(600'001, states, 9));
}

// Beyond 8192 windows the weights are made twice instead of kept.
TEST_P(Kernels, SmoothLongSequences) {
  const auto& [set, kind] = GetParam();
  for (const Index states : {2, 3, 8}) {
    for (const Index windows : {8192, 8193, 20000, 20001}) {
      check_smoothing(*set, chain_of(kind, states), evidence(windows, states, 3));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EverySet, Kernels,
                         ::testing::Combine(::testing::ValuesIn(sets()),
                                            ::testing::Values("sticky", "memoryless", "rigid", "known start", "dense")),
                         [](const auto& test) {
                           std::string name =
                               std::get<0>(test.param)->name + std::string("_") + std::get<1>(test.param);
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

class EachSet : public ::testing::TestWithParam<const kernels::KernelSet*> {};

// Not to 1e-12 but to the bit: offline, live and in a hearing aid the causal belief is one number.
void check_filter(const kernels::KernelSet& set, const Chain& chain, const Matrix& values) {
  const Index states = chain.states();
  FilterWorkspace workspace(states);
  Matrix plain(values.rows(), states);
  const double log_evidence = filter_plainly(chain, data::view(values), workspace, data::view(plain));
  Matrix fast(values.rows(), states);
  std::vector<double> storage(static_cast<std::size_t>(kernels::filter_storage(states)));
  const auto filtered = kernels::filter(set, chain, data::view(values), storage.data(), data::view(fast));
  EXPECT_EQ(fast, plain) << states << " states, " << values.rows() << " windows";
  expect_close(filtered.log_evidence, log_evidence, "evidence");
  EXPECT_EQ(filtered.held, workspace.held());
}

TEST_P(EachSet, FiltersWithTheBitsOfCore) {
  for (const Index states : {2, 3, 4, 5, 8, 32}) {
    for (const Index windows : {1, 2, 8, 9, 10, 127, 128, 129, 130, 1000}) {
      const Matrix values = evidence(windows, states, static_cast<std::uint64_t>(windows));
      for (const double p : {1 / static_cast<double>(states), 0.001, 1e-12}) {
        check_filter(*GetParam(), Chain::sticky(states, p), values);
      }
      check_filter(*GetParam(), chain_of("dense", states), values);
    }
  }
}

TEST_P(EachSet, FiltersAnyNumberOfStatesWithTheBitsOfCore) {
  for (const Index states : every_number_of_states()) {
    const Matrix values = evidence(40, states, static_cast<std::uint64_t>(states));
    check_filter(*GetParam(), chain_of("dense", states), values);
    if (states > 1) check_filter(*GetParam(), chain_of("known start", states), values);
  }
}

TEST_P(EachSet, LeavesTheColumnsBesideAViewAlone) {
  for (const Index states : {2, 3, 8}) {
    for (const Index windows : {50, 9000}) {
      const Chain chain = Chain::sticky(states, 0.01);
      const Matrix values = evidence(windows, states, 9);
      Matrix wide_input = Matrix::Constant(windows, states + 3, 77);
      wide_input.middleCols(1, states) = values;
      Matrix wide_output = Matrix::Constant(windows, states + 2, 55);
      const MatrixView input{wide_input.data() + 1, windows, states, states + 3};
      const MutableMatrixView output{wide_output.data() + 1, windows, states, states + 2};
      std::vector<double> weights(
          static_cast<std::size_t>(kernels::smoothing_storage(GetParam()->lanes, values.rows(), values.cols())));
      const auto smoothed = kernels::smooth(*GetParam(), chain, input, weights.data(), output);
      SmoothWorkspace workspace(windows, states);
      Matrix plain(windows, states);
      expect_close(smoothed.log_evidence, smooth_plainly(chain, data::view(values), workspace, data::view(plain)), "");
      EXPECT_LT(largest_difference(plain, wide_output.middleCols(1, states)), tolerance);
      EXPECT_TRUE((wide_output.col(0).array() == 55).all() && (wide_output.col(states + 1).array() == 55).all());
    }
  }
}

void check_counts(const kernels::KernelSet& set, const Chain& chain, Index windows) {
  const Index states = chain.states();
  const std::string which = std::to_string(states) + " states, " + std::to_string(windows) + " windows";
  const Matrix values = evidence(windows, states, 21);
  ExpectationWorkspace workspace(windows, states);
  Matrix plain(windows, states);
  expectation_plainly(chain, data::view(values), workspace, data::view(plain));
  Matrix fast(windows, states);
  std::vector<double> weights(
      static_cast<std::size_t>(kernels::smoothing_storage(set.lanes, values.rows(), values.cols())));
  Matrix pairs(states, kernels::padded(states));
  const auto expected =
      kernels::expect(set, chain, data::view(values), {weights.data(), pairs.data()}, data::view(fast));
  EXPECT_LT(largest_difference(plain, fast), tolerance) << which;
  if (chain.as_sticky() != nullptr) return expect_close(expected.switches, workspace.transitions().switches, which);
  const Matrix counted = workspace.transitions().pairs;
  EXPECT_LT(largest_difference(counted, pairs.leftCols(states)), tolerance * static_cast<double>(windows)) << which;
}

TEST_P(EachSet, CountsTransitionsAsThePlainFormDoes) {
  for (const Index states : {2, 3, 8, 16, 40}) {
    for (const Index windows : {1, 2, 3, 4, 7, 128, 601, 9000, 9001}) {
      check_counts(*GetParam(), Chain::sticky(states, 0.02), windows);
      check_counts(*GetParam(), chain_of("dense", states), windows);
    }
  }
}

TEST_P(EachSet, CountsTransitionsOfAnyNumberOfStates) {
  for (const Index states : every_number_of_states()) {
    check_counts(*GetParam(), chain_of("dense", states), 11);
    if (states > 1) check_counts(*GetParam(), chain_of("sticky", states), 11);
  }
}

void check_path(const kernels::KernelSet& set, const Chain& chain, const Matrix& values) {
  const Index windows = values.rows();
  const std::string which = std::to_string(chain.states()) + " states, " + std::to_string(windows) + " windows";
  ViterbiWorkspace workspace(windows, chain.states());
  std::vector<Speaker> plain(static_cast<std::size_t>(windows));
  const double log_probability = viterbi_plainly(chain, data::view(values), workspace, plain);
  std::vector<Speaker> fast(plain.size());
  std::vector<double> scores(static_cast<std::size_t>(kernels::viterbi_storage(windows, chain.states())));
  const auto best = kernels::viterbi(set, chain, data::view(values), {.scores = scores, .path = fast});
  EXPECT_EQ(fast, plain) << which;
  expect_close(best.log_probability, log_probability, which);
  EXPECT_EQ(best.held, workspace.held()) << which;
}

TEST_P(EachSet, FindsThePathThePlainFormFinds) {
  for (const double p : {0.4, 0.03, 1e-3, 1e-8}) {
    const Chain chain = Chain::sticky(2, p).with_initial(std::vector{0.3, 0.7});
    for (const Index windows : {1, 2, 3, 16, 17, 63, 64, 65, 511, 600, 4095, 4096, 4097, 4160, 5000, 20001}) {
      check_path(*GetParam(), chain, evidence(windows, 2, static_cast<std::uint64_t>(windows)));
    }
  }
}

TEST_P(EachSet, FindsThePathOverAnyNumberOfStates) {
  for (const std::string kind : {"sticky", "memoryless", "rigid", "known start", "dense"}) {
    for (const Index states : every_number_of_states()) {
      if (states == 1 && kind != "dense") continue;
      check_path(*GetParam(), chain_of(kind, states), evidence(60, states, static_cast<std::uint64_t>(states)));
    }
    for (const Index states : {2, 3, 4, 5, 8, 17}) {
      for (const Index windows : {1, 2, 8, 9, 10, 600}) {
        check_path(*GetParam(), chain_of(kind, states), evidence(windows, states, static_cast<std::uint64_t>(windows)));
      }
    }
  }
}

// Every other column of a wider table: rows lie apart.
TEST_P(EachSet, FindsThePathInRowsThatLieApart) {
  const Chain chain = Chain::sticky(2, 0.01);
  const Matrix wide = evidence(700, 5, 8);
  const Matrix narrow = wide.leftCols(2);
  const MatrixView apart{wide.data(), 700, 2, 5};
  std::vector<double> leads(static_cast<std::size_t>(kernels::viterbi_storage(700, 2)));
  std::vector<Speaker> path(700);
  std::vector<Speaker> expected(700);
  const auto best = kernels::viterbi(*GetParam(), chain, apart, {.scores = leads, .path = path});
  ViterbiWorkspace workspace(700, 2);
  const double log_probability = viterbi_plainly(chain, data::view(narrow), workspace, expected);
  EXPECT_EQ(path, expected);
  expect_close(best.log_probability, log_probability, "rows apart");
}

// As many sequences as there are lanes, of different lengths, as one batch.
struct SideBySide {
  Chain chain;
  std::vector<Index> lengths;
  Matrix in;
  Matrix out;
  std::vector<SequenceSummary> summaries;

  SideBySide(const kernels::KernelSet& set, Index states)
      : chain(Chain::sticky(states, 0.004).with_initial(falling_probabilities(states))),
        lengths(lengths_of(set)),
        in(evidence(std::accumulate(lengths.begin(), lengths.end(), Index{0}), states, 31)),
        out(in.rows(), states),
        summaries(lengths.size()) {}

  static std::vector<double> falling_probabilities(Index states) {
    std::vector<double> result{0.8};
    for (Index j = 1; j < states; ++j) result.push_back(0.2 / static_cast<double>(states - 1));
    return result;
  }
  static std::vector<Index> lengths_of(const kernels::KernelSet& set) {
    std::vector<Index> result;
    for (long k = 0; k < set.lanes; ++k) result.push_back(97 + (k * 5 % 11));
    return result;
  }

  template <typename Kernel>
  void run(const kernels::KernelSet& set, const Kernel& kernel) {
    std::vector<double> storage(static_cast<std::size_t>(kernels::lanes_storage(set.lanes, 110, chain.states())));
    const BatchView batch{data::view(std::as_const(in)), lengths};
    const BatchPosteriorsView posteriors{data::view(out), summaries};
    kernel(set, chain, kernels::LanesCall{&batch, &posteriors, storage.data()}, 0, 0);
  }
  // check(windows, posterior, summary) for each sequence.
  template <typename Check>
  void each(const Check& check) const {
    Index first = 0;
    for (std::size_t k = 0; k < lengths.size(); first += lengths[k++]) {
      check(Matrix(in.middleRows(first, lengths[k])), Matrix(out.middleRows(first, lengths[k])), summaries[k]);
    }
  }
};

TEST_P(EachSet, SmoothsSequencesSideBySide) {
  for (const Index states : {2, 3, 4}) {
    SideBySide batch(*GetParam(), states);
    batch.run(*GetParam(), kernels::smooth_lanes);
    batch.each([&](const Matrix& one, const Matrix& fast, const SequenceSummary& summary) {
      Matrix plain(one.rows(), states);
      SmoothWorkspace workspace(one.rows(), states);
      const double log_evidence = smooth_plainly(batch.chain, data::view(one), workspace, data::view(plain));
      expect_close(summary.log_evidence, log_evidence, "evidence");
      EXPECT_EQ(summary.held, workspace.held());
      EXPECT_LT(largest_difference(plain, fast), tolerance) << states << " states, " << one.rows() << " windows";
    });
  }
}

TEST_P(EachSet, FiltersSequencesSideBySideWithTheBitsOfCore) {
  for (const Index states : {2, 3, 4}) {
    SideBySide batch(*GetParam(), states);
    batch.run(*GetParam(), kernels::filter_lanes);
    batch.each([&](const Matrix& one, const Matrix& fast, const SequenceSummary& summary) {
      Matrix plain(one.rows(), states);
      FilterWorkspace workspace(states);
      const double log_evidence = filter_plainly(batch.chain, data::view(one), workspace, data::view(plain));
      expect_close(summary.log_evidence, log_evidence, "evidence");
      EXPECT_EQ(summary.held, workspace.held());
      EXPECT_EQ(plain, fast) << states << " states, " << one.rows() << " windows";
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachSet, ::testing::ValuesIn(sets()), [](const auto& test) { return test.param->name; });

TEST(Dispatch, LeavesChainsWithZerosToThePlainForm) {
  EXPECT_FALSE(kernels::suits_smoothing(Chain::make((Matrix(2, 2) << 1, 0, 0.5, 0.5).finished())));
  EXPECT_FALSE(kernels::suits_smoothing(Chain::sticky(2, 1e-31)));
  EXPECT_FALSE(kernels::suits_viterbi(Chain::make((Matrix(2, 2) << 1, 0, 0.5, 0.5).finished())));
  EXPECT_FALSE(kernels::suits_filter(Chain::make((Matrix(2, 2) << 1, 0, 0.5, 0.5).finished())));
  EXPECT_TRUE(kernels::suits_smoothing(Chain::sticky(2, 0.001)));
  EXPECT_TRUE(kernels::suits_smoothing(Chain::sticky(257, 0.001)));
}

}  // namespace
}  // namespace heed::hmm
