// SPDX-License-Identifier: MIT
// Decoders beside the usual ways to fit them and to apply them, on one thread, in one run: leave-one-trial-out least
// squares against covariances made of one product per lag (and against lagged matrices), CCA against an
// eigendecomposition of the side of the EEG (and of its covariance), filters over lags against a matrix product and
// sums. 4 trials of 10 min, 64 channels, 17 lags, 64 Hz. Both sides multiply by the same OpenBLAS.
#include <heed/data/random.h>
#include <heed/decode/cca.h>
#include <heed/decode/reconstruction.h>
#include <heed/decode/score.h>

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <lapacke.h>
#include <sys/resource.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "ratio_reporter.h"

namespace heed::bench {
namespace {

constexpr Index channels = 64;
constexpr Index samples = Index{600} * 64;
constexpr Index lags = 17;
constexpr Index width = channels * lags;
constexpr double ridge = 0.1;

Trial some_trial(std::uint64_t seed) {
  Trial trial;
  trial.name = std::to_string(seed);
  trial.sampling_frequency = Hertz{64};
  trial.speakers = {"left", "right"};
  RandomStream random(seed, 0);
  const auto noise = [&](Index columns) {
    Matrix matrix(samples, columns);
    for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.normal();
    return matrix;
  };
  for (Index c = 0; c < channels; ++c) trial.channels.push_back("C" + std::to_string(c + 1));
  trial.stimuli = {noise(1), noise(1)};
  trial.eeg = noise(channels);
  for (Index c = 0; c < channels; ++c)
    trial.eeg.col(c).tail(samples - 5) += 0.1 * trial.stimuli[0].col(0).head(samples - 5);
  trial.attention = {{{0, samples}, 0}};
  return trial;
}

struct Sums {
  Matrix xx = Matrix::Zero(width, width);
  Matrix xy = Matrix::Zero(width, 1);
};

// The lagged matrix and one symmetric product.
Sums lagged_sums(const Trial& trial) {
  Matrix lagged = Matrix::Zero(samples, width);
  for (Index t = 0; t < samples; ++t) {
    const Index there = std::min(lags, samples - t);
    std::copy_n(trial.eeg.row(t).data(), there * channels, lagged.row(t).data());
  }
  Sums sums;
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, width, samples, 1, lagged.data(), width, 0, sums.xx.data(), width);
  cblas_dgemv(CblasRowMajor, CblasTrans, samples, width, 1, lagged.data(), width, trial.stimuli[0].data(), 1, 0,
              sums.xy.data(), 1);
  return sums;
}

// The covariance at each lag by one product, laid out as a block Toeplitz matrix; what the edges of the trial change is
// neglected.
Sums toeplitz_sums(const Trial& trial) {
  Sums sums;
  Matrix block(channels, channels);
  for (Index d = 0; d < lags; ++d) {
    const double* const later = trial.eeg.row(d).data();
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, channels, channels, static_cast<int>(samples - d), 1,
                trial.eeg.data(), channels, later, channels, 0, block.data(), channels);
    for (Index i = 0; i + d < lags; ++i) {
      sums.xx.block((i + d) * channels, i * channels, channels, channels) = block.transpose();
    }
    cblas_dgemv(CblasRowMajor, CblasTrans, static_cast<int>(samples - d), channels, 1, later, channels,
                trial.stimuli[0].data(), 1, 0, sums.xy.data() + d * channels, 1);
  }
  return sums;
}

std::vector<Matrix> rival_folds(const std::vector<Trial>& trials, Sums (*sums_of)(const Trial&)) {
  std::vector<Sums> sums;
  Sums total;
  for (const Trial& trial : trials) {
    sums.push_back(sums_of(trial));
    total.xx += sums.back().xx;
    total.xy += sums.back().xy;
  }
  std::vector<Matrix> weights;
  for (const Sums& left_out : sums) {
    Matrix r = total.xx - left_out.xx;
    Matrix w = total.xy - left_out.xy;
    r.diagonal().array() += ridge * r.trace() / static_cast<double>(width);
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', width, r.data(), width);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', width, 1, r.data(), width, w.data(), width);
    weights.push_back(std::move(w));
  }
  return weights;
}

std::vector<LeastSquaresDecoder> heed_folds(const std::vector<Trial>& trials) {
  std::vector<decode::TrialStatistics> statistics;
  for (const Trial& trial : trials) {
    statistics.push_back(decode::trial_statistics(trial, decode::least_squares_lags(Hertz{64})));
  }
  return decode::fit_leaving_one_out(statistics, {});
}

Matrix with_ridge(const Matrix& covariance, double strength) {
  Matrix result = covariance;
  result.diagonal().array() += strength * result.trace() / static_cast<double>(result.rows());
  return result;
}

// As the textbook has it: eigenvectors of Rxx^-1 Rxy Ryy^-1 Ryx, 1088 x 1088 and not symmetric.
double textbook_cca(const decode::TrialStatistics& statistics) {
  Matrix rxx = with_ridge(statistics.xx, ridge);
  Matrix left = statistics.xy.transpose();  // columns first for LAPACK: the same as xy
  const auto targets = static_cast<int>(left.rows());
  LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', width, rxx.data(), width);
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', width, targets, rxx.data(), width, left.data(), width);
  const Matrix right = with_ridge(statistics.yy, 1e-3).llt().solve(statistics.xy.transpose());
  Matrix product(width, width);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, width, width, targets, 1, left.data(), width, right.data(),
              width, 0, product.data(), width);
  std::vector<double> re(width);
  std::vector<double> im(width);
  Matrix vectors(width, width);
  LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'N', width, product.data(), width, re.data(), im.data(), vectors.data(), width,
                nullptr, width);
  return std::sqrt(*std::max_element(re.begin(), re.end()));
}

// As toolboxes do it: the EEG whitened by its principal components, then the same small decomposition.
double whitening_by_components(const decode::TrialStatistics& statistics) {
  Matrix rxx = with_ridge(statistics.xx, ridge);
  std::vector<double> values(width);
  LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', width, rxx.data(), width, values.data());
  return values.back();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Decoder some_decoder(const Trial& trial) {
  Decoder decoder;
  decoder.filters = LeastSquaresDecoder{Matrix::Constant(lags, channels, 0.01)};
  decoder.channels = trial.channels;
  decoder.eeg_lags = {0, lags - 1};
  return decoder;
}

template <typename Work>
void add(const std::string& name, Work work, Index items = samples) {
  benchmark::RegisterBenchmark(name.c_str(), [work, items](benchmark::State& state) mutable {
    for (auto _ : state) benchmark::DoNotOptimize(work());
    state.SetItemsProcessed(items * state.iterations());
  })->Unit(benchmark::kMillisecond);
}

void add_fits(const std::vector<Trial>& trials) {
  const std::string folds = "LS, each trial left out";
  const Index all = samples * std::ssize(trials);
  add(
      folds + "/heed", [&] { return heed_folds(trials); }, all);
  add(
      folds + "/textbook", [&] { return rival_folds(trials, toeplitz_sums); }, all);
  add(
      folds + "/lagged matrix", [&] { return rival_folds(trials, lagged_sums); }, all);
  add("LS, sums of one trial/heed",
      [&] { return decode::trial_statistics(trials[0], decode::least_squares_lags(Hertz{64})); });
  const auto statistics = decode::trial_statistics(trials[0], decode::cca_lags(Hertz{64}));
  add("CCA from covariances/heed", [statistics] { return decode::fit_cca(statistics, {}); });
  add("CCA from covariances/textbook", [statistics] { return textbook_cca(statistics); });
  add("CCA from covariances/principal components", [statistics] { return whitening_by_components(statistics); });
}

// One product of the channels with all filters at all lags, in pieces that stay in the cache, then sums along the lags.
// weights: channels x (lags x outputs).
Matrix multiply_and_shift(const Matrix& eeg, const Matrix& weights) {
  constexpr Index piece = 256;
  const Index columns = weights.cols();
  const Index outputs = columns / lags;
  Matrix products(piece + lags - 1, columns);
  Matrix out = Matrix::Zero(samples, outputs);
  for (Index first = 0; first < samples; first += piece) {
    const Index there = std::min(piece + lags - 1, samples - first);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(there), static_cast<int>(columns), channels,
                1, eeg.row(first).data(), channels, weights.data(), static_cast<int>(columns), 0, products.data(),
                static_cast<int>(columns));
    for (Index t = 0; t < std::min(piece, there); ++t) {
      for (Index l = 0; l < std::min(lags, there - t); ++l) {
        out.row(first + t) += products.row(t + l).segment(l * outputs, outputs);
      }
    }
  }
  return out;
}

void add_filters(const Trial& trial, Index outputs) {
  RandomStream random(9, 0);
  const Matrix weights = Matrix::NullaryExpr(outputs, width, [&] { return random.normal(); });
  std::vector<Matrix> filters;
  for (Index p = 0; p < outputs; ++p) {
    filters.emplace_back(Eigen::Map<const Matrix>(weights.row(p).data(), lags, channels));
  }
  const std::string task = std::to_string(outputs) + " filters over 17 lags";
  add(task + "/heed", [&trial, filter = decode::LaggedFilter(filters, {0, lags - 1})]() mutable {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(samples * filter.outputs()));
    filter.reset();
    for (Index first = 0; first < samples; first += 256) {
      filter.push(data::view(trial.eeg).middle_rows(first, 256), out);
    }
    filter.finish(out);
    return out;
  });
  Matrix by_channel(channels, lags * outputs);
  for (Index l = 0; l < lags; ++l) {
    by_channel.middleCols(l * outputs, outputs) = weights.middleCols(l * channels, channels).transpose();
  }
  add(task + "/textbook", [&trial, by_channel] { return multiply_and_shift(trial.eeg, by_channel); });
}

// All window lengths are one pass over the samples, by any rule.
void add_scores(const Trial& trial) {
  static const std::vector<decode::WindowLayout> windows{Seconds{0.25}, Seconds{0.5}, Seconds{1}, Seconds{2},
                                                         Seconds{5},    Seconds{10},  Seconds{30}};
  const ScoreRule cosine{.measure = WindowMeasure::cosine};
  const ScoreRule live{.measure = WindowMeasure::cosine, .memory = Seconds{60}};
  for (const auto& [name, rule] : {std::pair{"Pearson", ScoreRule{}}, {"cosine", cosine}, {"with a memory", live}}) {
    Decoder decoder = some_decoder(trial);
    decoder.rule = rule;
    add("scores, " + std::string(name) + "/heed", [&trial, decoder] { return decode::score(decoder, trial, windows); });
  }
}

}  // namespace
}  // namespace heed::bench

int main(int argc, char** argv) {
  using namespace heed::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  openblas_set_num_threads(1);
  std::vector<heed::Trial> trials;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) trials.push_back(some_trial(seed));
  const double loaded = peak_megabytes();
  const auto weights = heed_folds(trials);
  const double peak = peak_megabytes();
  const Eigen::Map<const Eigen::VectorXd> ours(weights[0].weights.data(), width);
  const double difference = (rival_folds(trials, lagged_sums)[0].col(0) - ours).cwiseAbs().maxCoeff();
  RatioReporter reporter("sample");
  reporter.set_goal("LS, each trial left out", 3);
  reporter.set_goal("CCA from covariances", 40);
  reporter.set_goal("10 filters over 17 lags", 1);
  add_fits(trials);
  for (const heed::Index outputs : {1, 10}) add_filters(trials[0], outputs);
  add_scores(trials[0]);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::printf("\nlargest difference between the weights of heed and of lagged matrices: %.1e of the largest weight\n",
              difference / ours.cwiseAbs().maxCoeff());
  std::printf("memory: %.0f MB with the trials loaded, %.0f MB at most while fitting\n", loaded, peak);
  return 0;
}
