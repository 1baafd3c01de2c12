// SPDX-License-Identifier: MIT
#include <heed/hmm/batch.h>

#include "support/expect_error.h"
#include "support/hmm_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using heed::ErrorKind;
using heed::Index;
using heed::LogLikelihoods;
using heed::Matrix;
using heed::RandomStream;
using heed::Speaker;
using heed::hmm::Chain;
using heed::hmm::SequenceSummary;
using namespace heed::test;

constexpr std::array<Index, 5> lengths{7, 0, 1, 30, 12};

LogLikelihoods tall_data() {
  RandomStream random(81);
  return {random_log_likelihoods(50, 3, {.missing = 0.1, .impossible = 0.1}, random), heed::Seconds{2}};
}

LogLikelihoods piece(const LogLikelihoods& tall, std::size_t number) {
  Index first = 0;
  for (std::size_t s = 0; s < number; ++s) first += lengths[s];
  return {Matrix(tall.values.middleRows(first, lengths[number])), tall.window};
}

// Each sequence as if it were alone, bit for bit, on both kinds of chain.
TEST(Batch, EqualsTheSequencesOneByOne) {
  RandomStream random(82);
  const LogLikelihoods tall = tall_data();
  for (const Chain& chain : {Chain::sticky(3, 0.02), to_chain(random_chain(3, {.zero = 0.2}, random))}) {
    const auto filtered = heed::hmm::filter_batch(chain, tall, lengths);
    const auto smoothed = heed::hmm::smooth_batch(chain, tall, lengths);
    const auto paths = heed::hmm::viterbi_batch(chain, tall, lengths);
    EXPECT_EQ(filtered.window, tall.window);
    ASSERT_EQ(paths.states.size(), 50U);
    Index first = 0;
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      const auto filter_alone = heed::hmm::filter(chain, piece(tall, s));
      const auto smooth_alone = heed::hmm::smooth(chain, piece(tall, s));
      const auto path_alone = heed::hmm::viterbi(chain, piece(tall, s));
      EXPECT_EQ(largest_difference(filtered.values.middleRows(first, lengths[s]), filter_alone.values), 0);
      EXPECT_EQ(largest_difference(smoothed.values.middleRows(first, lengths[s]), smooth_alone.values), 0);
      const auto begin = paths.states.begin() + first;
      EXPECT_EQ(std::vector<Speaker>(begin, begin + lengths[s]), path_alone.states);
      EXPECT_EQ(filtered.sequences[s].log_evidence, filter_alone.log_evidence);
      EXPECT_EQ(smoothed.sequences[s].log_evidence, smooth_alone.log_evidence);
      EXPECT_EQ(paths.sequences[s].log_evidence, path_alone.log_probability);
      EXPECT_EQ(filtered.sequences[s].held, filter_alone.held);
      EXPECT_EQ(smoothed.sequences[s].held, smooth_alone.held);
      EXPECT_EQ(paths.sequences[s].held, path_alone.held);
      first += lengths[s];
    }
  }
}

// A few speakers go side by side where lengths are alike, whoever works on them; what is filtered has core's bits.
void expect_the_same_for_any_number_of_threads(Index states) {
  RandomStream random(83);
  std::vector<Index> many;
  for (Index k = 0; k < 400; ++k) many.push_back(k % 41 == 0 ? 3 : 500 + random.integer(0, 60));
  many.push_back(0);
  const Index rows = std::accumulate(many.begin(), many.end(), Index{0});
  const LogLikelihoods tall{random_log_likelihoods(rows, states, {.missing = 0.02, .impossible = 0.02}, random)};
  const Chain chain = Chain::sticky(states, 0.01);
  const auto filtered = heed::hmm::filter_batch(chain, tall, many);
  const auto smoothed = heed::hmm::smooth_batch(chain, tall, many);
  const auto paths = heed::hmm::viterbi_batch(chain, tall, many);
  const auto expect_same = [](const auto& a, const auto& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t s = 0; s < a.size(); ++s) {
      EXPECT_EQ(a[s].log_evidence, b[s].log_evidence) << "sequence " << s;
      EXPECT_EQ(a[s].held, b[s].held) << "sequence " << s;
    }
  };
  for (const std::size_t threads : {0U, 2U, 3U, 7U}) {
    const auto filtered_again = heed::hmm::filter_batch(chain, tall, many, threads);
    const auto smoothed_again = heed::hmm::smooth_batch(chain, tall, many, threads);
    const auto paths_again = heed::hmm::viterbi_batch(chain, tall, many, threads);
    EXPECT_EQ(filtered_again.values, filtered.values) << threads << " threads";
    EXPECT_EQ(smoothed_again.values, smoothed.values) << threads << " threads";
    EXPECT_EQ(paths_again.states, paths.states) << threads << " threads";
    expect_same(filtered_again.sequences, filtered.sequences);
    expect_same(smoothed_again.sequences, smoothed.sequences);
    expect_same(paths_again.sequences, paths.sequences);
  }
}

TEST(Batch, IsTheSameForAnyNumberOfThreads) {
  for (const Index states : {2, 3}) expect_the_same_for_any_number_of_threads(states);
}

void expect_filtered_as_if_alone(const std::vector<double>& initial) {
  RandomStream random(84);
  const auto states = std::ssize(initial);
  const std::vector<Index> similar{50, 41, 47, 44, 50, 50, 40, 43, 1,  1,  1,  1,
                                   1,  1,  1,  1,  90, 61, 80, 77, 90, 90, 66, 70};
  const Index rows = std::accumulate(similar.begin(), similar.end(), Index{0});
  LogLikelihoods tall{random_log_likelihoods(rows, states, {.missing = 0.1, .impossible = 0.1}, random)};
  tall.values.topRows(20).array() *= 200;  // products of normalisers become small
  for (const double p : {1 / static_cast<double>(states), 0.02, 1e-25}) {
    const Chain chain = Chain::sticky(states, p).with_initial(initial);
    const auto filtered = heed::hmm::filter_batch(chain, tall, similar);
    Index first = 0;
    for (std::size_t s = 0; s < similar.size(); ++s) {
      const auto alone = heed::hmm::filter(chain, {Matrix(tall.values.middleRows(first, similar[s])), tall.window});
      EXPECT_EQ(Matrix(filtered.values.middleRows(first, similar[s])), alone.values) << "sequence " << s;
      EXPECT_EQ(filtered.sequences[s].log_evidence, alone.log_evidence) << "sequence " << s;
      EXPECT_EQ(filtered.sequences[s].held, alone.held) << "sequence " << s;
      first += similar[s];
    }
  }
}

TEST(Batch, FiltersSequencesSideBySideAsIfAlone) {
  expect_filtered_as_if_alone({0.7, 0.3});
  expect_filtered_as_if_alone({0.5, 0.3, 0.2});
}

TEST(Batch, NothingGivesNothing) {
  const auto none = heed::hmm::smooth_batch(Chain::sticky(3, 0.1), {}, {});
  EXPECT_EQ(none.values.rows(), 0);
  EXPECT_TRUE(none.sequences.empty());
}

TEST(Batch, RefusesLengthsThatDoNotAddUp) {
  const Chain chain = Chain::sticky(3, 0.1);
  const LogLikelihoods tall = tall_data();
  constexpr Index highest = std::numeric_limits<Index>::max();
  for (const auto& wrong : {std::vector<Index>{49}, {51}, {25, 26}, {}, {60, -10}, {highest, highest, 52}}) {
    const auto refused = [&](auto&& call) { expect_error(ErrorKind::invalid_argument, {"lengths", "50 rows"}, call); };
    refused([&] { heed::hmm::filter_batch(chain, tall, wrong); });
    refused([&] { heed::hmm::smooth_batch(chain, tall, wrong); });
    refused([&] { heed::hmm::viterbi_batch(chain, tall, wrong); });
  }
  expect_error(ErrorKind::invalid_argument, {"3 columns", "2 states"},
               [&] { heed::hmm::filter_batch(Chain::sticky(2, 0.1), tall, lengths); });
}

TEST(Batch, InPlaceWritesNothingWhereShapesDoNotFit) {
  const Chain chain = Chain::sticky(3, 0.1);
  const LogLikelihoods tall = tall_data();
  const auto in = heed::data::view(tall.values);
  Matrix out = Matrix::Constant(50, 3, 7);
  std::vector<Speaker> path(50, 7);
  std::vector<SequenceSummary> summaries(lengths.size());
  std::vector<SequenceSummary> too_few(lengths.size() - 1);
  constexpr std::array<Index, 2> short_lengths{20, 29};
  heed::hmm::FilterWorkspace filter_workspace(3);
  heed::hmm::SmoothWorkspace smooth_workspace(30, 3);
  heed::hmm::SmoothWorkspace small(29, 3);
  heed::hmm::ViterbiWorkspace viterbi_workspace(30, 3);
  using heed::data::view;
  EXPECT_FALSE(heed::hmm::filter_batch_into(chain, {in, lengths}, filter_workspace, {view(out), too_few}));
  EXPECT_FALSE(heed::hmm::filter_batch_into(chain, {in, short_lengths}, filter_workspace,
                                            {view(out), std::span(summaries).first(2)}));
  EXPECT_FALSE(heed::hmm::smooth_batch_into(chain, {in, lengths}, small, {view(out), summaries}));
  EXPECT_FALSE(
      heed::hmm::smooth_batch_into(chain, {in, lengths}, smooth_workspace, {view(out).middle_rows(0, 49), summaries}));
  EXPECT_FALSE(
      heed::hmm::viterbi_batch_into(chain, {in, lengths}, viterbi_workspace, {std::span(path).first(49), summaries}));
  EXPECT_TRUE((out.array() == 7).all());
  EXPECT_EQ(path, std::vector<Speaker>(50, 7));
  EXPECT_TRUE(heed::hmm::smooth_batch_into(chain, {in, lengths}, smooth_workspace, {view(out), summaries}));
}

}  // namespace
