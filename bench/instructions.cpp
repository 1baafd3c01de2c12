// SPDX-License-Identifier: MIT
// One task, so many times over: what callgrind counts. check_instructions.py takes the difference of two
// counts, so that setting up does not matter.
#include <dsp/envelope.h>
#include <heed/decode/least_squares.h>
#include <heed/decode/reconstruction.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>
#include <heed/io/recording_file.h>
#include <heed/track/rivals.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workload.h"

namespace {

using namespace heed;

constexpr Index windows = 600;
constexpr Index sequences = 16;

struct Size {
  Index states = 2;
  bool dense = false;
};

struct Case {
  explicit Case(const Size& size, Index rows = windows)
      : chain(size.dense ? hmm::Chain::make(bench::dense_matrix(size.states))
                         : hmm::Chain::sticky(size.states, bench::switch_probability)),
        values(bench::evidence(rows, size.states)),
        posterior(rows, size.states),
        path(static_cast<std::size_t>(rows)) {}
  [[nodiscard]] MatrixView in() const { return data::view(values); }
  MutableMatrixView out() { return data::view(posterior); }

  hmm::Chain chain;
  Matrix values;
  Matrix posterior;
  std::vector<Speaker> path;
};

using Task = std::function<void(int)>;

Task filter(const Size& size) {
  return [size](int times) {
    Case one(size);
    hmm::FilterWorkspace workspace(size.states);
    for (int k = 0; k < times; ++k) hmm::filter_into(one.chain, one.in(), workspace, one.out());
  };
}

Task smooth(const Size& size) {
  return [size](int times) {
    Case one(size);
    hmm::SmoothWorkspace workspace(windows, size.states);
    for (int k = 0; k < times; ++k) hmm::smooth_into(one.chain, one.in(), workspace, one.out());
  };
}

Task fixed_lag(const Size& size, Index lag) {
  return [size, lag](int times) {
    Case one(size);
    hmm::SmoothWorkspace workspace(windows, size.states);
    for (int k = 0; k < times; ++k) hmm::fixed_lag_into(one.chain, {one.in(), lag}, workspace, one.out());
  };
}

Task expectation(const Size& size) {
  return [size](int times) {
    Case one(size);
    hmm::ExpectationWorkspace workspace(windows, size.states);
    for (int k = 0; k < times; ++k) hmm::expectation_into(one.chain, one.in(), workspace, one.out());
  };
}

Task viterbi(const Size& size) {
  return [size](int times) {
    Case one(size);
    hmm::ViterbiWorkspace workspace(windows, size.states);
    for (int k = 0; k < times; ++k) hmm::viterbi_into(one.chain, one.in(), workspace, one.path);
  };
}

template <typename Workspace, typename Into>
Task batch(const Size& size, const Workspace& prepared, Into into) {
  return [size, prepared, into](int times) {
    Workspace workspace = prepared;
    Case all(size, sequences * windows);
    const std::vector<Index> lengths(static_cast<std::size_t>(sequences), windows);
    std::vector<hmm::SequenceSummary> summaries(lengths.size());
    for (int k = 0; k < times; ++k) into(all.chain, {all.in(), lengths}, workspace, {all.out(), summaries});
  };
}

Task batch_filter(const Size& size) { return batch(size, hmm::FilterWorkspace(size.states), hmm::filter_batch_into); }

Task batch_smooth(const Size& size) {
  hmm::SmoothWorkspace workspace;
  workspace.prepare_batch(windows, size.states);
  return batch(size, workspace, hmm::smooth_batch_into);
}

void state_space(int times) {
  const Case one(Size{});
  auto model = track::StateSpaceFilter::make(Seconds{1});
  for (int k = 0; k < times; ++k) {
    for (Index t = 0; t < windows; ++t) model.step(std::tanh(one.values(t, 0)), std::tanh(one.values(t, 1)));
  }
}

// Windows of eight trials, each of which begins elsewhere in the same scores.
void state_space_side_by_side(int times) {
  constexpr std::size_t trials = track::StateSpaceFilter::most_trials;
  const Case one(Size{});
  auto model = track::StateSpaceFilter::make(Seconds{1}, {}, trials);
  std::array<double, trials> first{};
  std::array<double, trials> second{};
  std::array<double, trials> probabilities{};
  for (Index t = 0; t < times * windows; ++t) {
    for (std::size_t k = 0; k < trials; ++k) {
      const Index row = (t + (50 * static_cast<Index>(k))) % windows;
      first[k] = std::tanh(one.values(row, 0));
      second[k] = std::tanh(one.values(row, 1));
    }
    model.step(first, second, probabilities);
  }
}

// Of signals, which are made of the same numbers as evidence.
constexpr Index samples = 1024;

void envelope(int times) {
  const Matrix noise = 0.1 * bench::evidence(44100, 1);
  const std::vector<float> sound(noise.data(), noise.data() + noise.size());
  for (int k = 0; k < times; ++k) (void)dsp::speech_envelope(sound, {44100}, {64});
}

Task filters_over_lags(Index outputs) {
  return [outputs](int times) {
    constexpr Index lags = 17;
    const Matrix eeg = bench::evidence(samples, 64);
    const std::vector<Matrix> filters(static_cast<std::size_t>(outputs), bench::evidence(lags, 64));
    decode::LaggedFilter filter(filters, {0, lags - 1});
    std::vector<double> out;
    for (int k = 0; k < times; ++k) {
      filter.reset();
      out.clear();
      filter.push(data::view(eeg), out);
      filter.finish(out);
    }
  };
}

// The sums of a trial, without solving for a decoder.
void least_squares(int times) {
  Trial trial{.sampling_frequency = {64}, .speakers = {"left", "right"}, .eeg = bench::evidence(samples, 16)};
  for (Index c = 0; c < trial.eeg.cols(); ++c) trial.channels.push_back("C" + std::to_string(c + 1));
  trial.stimuli = {bench::evidence(samples, 1), bench::evidence(samples, 1)};
  trial.attention = {{{0, samples}, 0}};
  for (int k = 0; k < times; ++k) (void)decode::trial_statistics(trial, decode::least_squares_lags(Hertz{64}));
}

void read_bdf(int times) {
  const auto path = std::filesystem::temp_directory_path() / "heed_instructions.bdf";
  Recording recording{.sampling_frequency = {256}, .samples = bench::evidence(samples, 64).cast<float>()};
  for (Index c = 0; c < recording.samples.cols(); ++c) {
    recording.channels.push_back({.name = "C" + std::to_string(c + 1), .unit = "uV"});
  }
  io::write_bdf(path, recording);
  for (int k = 0; k < times; ++k) (void)io::read_recording(path);
  std::filesystem::remove(path);
}

const std::map<std::string, Task> tasks{{"batch", batch_smooth({2})},
                                        {"batch-3", batch_smooth({3})},
                                        {"batch-filter", batch_filter({2})},
                                        {"batch-filter-3", batch_filter({3})},
                                        {"bdf", read_bdf},
                                        {"envelope", envelope},
                                        {"expectation", expectation({2})},
                                        {"expectation-8", expectation({8})},
                                        {"expectation-8-dense", expectation({8, true})},
                                        {"expectation-64", expectation({64})},
                                        {"expectation-64-dense", expectation({64, true})},
                                        {"filter", filter({2})},
                                        {"filter-3", filter({3})},
                                        {"filter-8", filter({8})},
                                        {"filter-8-dense", filter({8, true})},
                                        {"filter-64", filter({64})},
                                        {"filters-over-lags-1", filters_over_lags(1)},
                                        {"filters-over-lags-10", filters_over_lags(10)},
                                        {"fixed-lag-5", fixed_lag({2}, 5)},
                                        {"fixed-lag-60", fixed_lag({2}, 60)},
                                        {"least-squares", least_squares},
                                        {"smooth", smooth({2})},
                                        {"smooth-3", smooth({3})},
                                        {"smooth-8", smooth({8})},
                                        {"smooth-8-dense", smooth({8, true})},
                                        {"smooth-64", smooth({64})},
                                        {"state-space", state_space},
                                        {"state-space-8", state_space_side_by_side},
                                        {"viterbi", viterbi({2})},
                                        {"viterbi-3", viterbi({3})},
                                        {"viterbi-8", viterbi({8})},
                                        {"viterbi-8-dense", viterbi({8, true})}};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const auto& [name, run] : tasks) std::printf("%s\n", name.c_str());
    return 0;
  }
  const auto task = tasks.find(argv[1]);
  if (argc != 3 || task == tasks.end()) return 2;
  task->second(std::atoi(argv[2]));
  return 0;
}
