// SPDX-License-Identifier: MIT
// One task, so many times over: what callgrind counts. check_instructions.py takes the difference of two
// counts, so that setting up does not matter.
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <dsp/sections.h>
#include <heed/c.h>
#include <heed/core/gain.h>
#include <heed/decode/cca.h>
#include <heed/decode/reconstruction.h>
#include <heed/decode/score.h>
#include <heed/emission/dependence.h>
#include <heed/hmm/bank.h>
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
#include <utility>
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

// All values of an unknown p; `track` is hmm::filter or hmm::smooth.
template <typename Track>
Task bank(const Size& size, Track track) {
  return [size, track](int times) {
    const hmm::Bank all = hmm::Bank::per_second(size.states, Seconds{1});
    const LogLikelihoods rows{bench::evidence(windows, size.states)};
    for (int k = 0; k < times; ++k) (void)track(all, rows);
  };
}

// Scores that repeat each other.
Task dependent(const Size& size, double offset_sigma) {
  return [size, offset_sigma](int times) {
    const Case one(size);
    const GaussianEmission alone{
        .fisher = false, .mu_attended = 0.2, .mu_unattended = 0, .sigma_attended = 1, .sigma_unattended = 1};
    const auto model =
        emission::DependentGaussian::make(alone, {.autocorrelation = 0.8, .offset_sigma = offset_sigma}, size.states);
    emission::DependentStream stream(one.chain, model);
    for (int k = 0; k < times; ++k) {
      stream.reset();
      for (Index t = 0; t < windows; ++t) stream.step(one.in().row(t));
    }
  };
}

Task gains(const Size& size, core::GainMap map) {
  return [size, map](int times) {
    Case one(size);
    hmm::FilterWorkspace workspace(size.states);
    hmm::filter_into(one.chain, one.in(), workspace, one.out());
    auto rule = core::GainRule<double, 8>::make(static_cast<std::size_t>(size.states), 1, {.map = map});
    for (int k = 0; k < times; ++k) {
      for (Index t = 0; t < windows; ++t) rule->step(data::view(std::as_const(one.posterior)).row(t));
    }
  };
}

void step_in_c(int times) {
  const Eigen::MatrixXf rows = bench::evidence(2, windows).cast<float>();  // a column is a window
  const heed_chain_options options{HEED_C_VERSION, 2, static_cast<float>(bench::switch_probability)};
  heed_filter filter;
  if (heed_filter_init(&filter, sizeof filter, &options) != HEED_OK) std::exit(1);
  for (int k = 0; k < times; ++k) {
    for (Index t = 0; t < windows; ++t) (void)heed_filter_step(&filter, rows.col(t).data(), 2);
  }
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

Trial some_trial() {
  Trial trial{.sampling_frequency = {64}, .speakers = {"left", "right"}, .eeg = bench::evidence(samples, 16)};
  for (Index c = 0; c < trial.eeg.cols(); ++c) trial.channels.push_back("C" + std::to_string(c + 1));
  trial.stimuli = {bench::evidence(samples, 1), bench::evidence(samples, 1)};
  trial.attention = {{{0, samples}, 0}};
  return trial;
}

// The sums of a trial, without solving for a decoder.
void least_squares(int times) {
  const Trial trial = some_trial();
  for (int k = 0; k < times; ++k) (void)decode::trial_statistics(trial, decode::least_squares_lags(Hertz{64}));
}

// Solving alone.
void least_squares_solved(int times) {
  const auto statistics = decode::trial_statistics(some_trial(), decode::least_squares_lags(Hertz{64}));
  for (int k = 0; k < times; ++k) (void)decode::fit_least_squares(statistics, {});
}

void cca_solved(int times) {
  const auto statistics = decode::trial_statistics(some_trial(), decode::cca_lags(Hertz{64}));
  for (int k = 0; k < times; ++k) (void)decode::fit_cca(statistics, {});
}

void scores_of_windows(int times) {
  const Trial trial = some_trial();
  const auto statistics = decode::trial_statistics(trial, decode::least_squares_lags(Hertz{64}));
  const decode::TrainingTrial training{&trial, &statistics};
  const Decoder decoder =
      decode::train_least_squares({&training, 1}, {.lags = decode::least_squares_lags(Hertz{64})}, statistics);
  const std::vector<decode::WindowLayout> layouts{Seconds{0.25}, Seconds{1}, Seconds{5}};
  for (int k = 0; k < times; ++k) (void)decode::score(decoder, trial, layouts);
}

void prepare_eeg(int times) {
  const SampleMatrix raw = bench::evidence(8 * samples, 16).cast<float>();
  dsp::EegSource source{.sampling_frequency = {512}};
  for (Index c = 0; c < raw.cols(); ++c) source.channels.push_back("C" + std::to_string(c + 1));
  for (int k = 0; k < times; ++k) (void)dsp::prepare_eeg({}, source, raw);
}

void band_pass(int times) {
  Matrix eeg = bench::evidence(samples, 64);
  const dsp::Sections sections = dsp::band_pass_sections({});
  for (int k = 0; k < times; ++k) dsp::filter_zero_phase(sections, data::view(eeg));
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

const auto filtered = [](const auto& chain, const auto& rows) { return hmm::filter(chain, rows); };
const auto smoothed = [](const auto& chain, const auto& rows) { return hmm::smooth(chain, rows); };

const std::map<std::string, Task> tasks{{"band-pass", band_pass},
                                        {"bank", bank({2}, filtered)},
                                        {"bank-smooth", bank({2}, smoothed)},
                                        {"batch", batch_smooth({2})},
                                        {"batch-3", batch_smooth({3})},
                                        {"batch-filter", batch_filter({2})},
                                        {"batch-filter-3", batch_filter({3})},
                                        {"bdf", read_bdf},
                                        {"c-step", step_in_c},
                                        {"cca-solved", cca_solved},
                                        {"dependent", dependent({2}, 0)},
                                        {"dependent-8", dependent({8}, 0)},
                                        {"dependent-offset", dependent({2}, 0.5)},
                                        {"envelope", envelope},
                                        {"expectation", expectation({2})},
                                        {"expectation-8", expectation({8})},
                                        {"expectation-8-dense", expectation({8, true})},
                                        {"expectation-64", expectation({64})},
                                        {"expectation-64-dense", expectation({64, true})},
                                        {"expectation-256", expectation({256})},
                                        {"filter", filter({2})},
                                        {"filter-3", filter({3})},
                                        {"filter-8", filter({8})},
                                        {"filter-8-dense", filter({8, true})},
                                        {"filter-64", filter({64})},
                                        {"filter-256", filter({256})},
                                        {"filters-over-lags-1", filters_over_lags(1)},
                                        {"filters-over-lags-10", filters_over_lags(10)},
                                        {"fixed-lag-5", fixed_lag({2}, 5)},
                                        {"fixed-lag-60", fixed_lag({2}, 60)},
                                        {"fixed-lag-5-of-8", fixed_lag({8}, 5)},
                                        {"fixed-lag-60-of-8", fixed_lag({8}, 60)},
                                        {"gains", gains({2}, core::GainMap::decibels)},
                                        {"gains-dead-zone", gains({8}, core::GainMap::dead_zone)},
                                        {"gains-intelligibility", gains({2}, core::GainMap::intelligibility)},
                                        {"gains-per-nat", gains({8}, core::GainMap::decibels_per_nat)},
                                        {"least-squares", least_squares},
                                        {"least-squares-solved", least_squares_solved},
                                        {"prepare-eeg", prepare_eeg},
                                        {"scores", scores_of_windows},
                                        {"smooth", smooth({2})},
                                        {"smooth-3", smooth({3})},
                                        {"smooth-4", smooth({4})},
                                        {"smooth-8", smooth({8})},
                                        {"smooth-8-dense", smooth({8, true})},
                                        {"smooth-64", smooth({64})},
                                        {"smooth-256", smooth({256})},
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
  task->second(static_cast<int>(std::strtol(argv[2], nullptr, 10)));
  return 0;
}
