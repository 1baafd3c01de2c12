// SPDX-License-Identifier: MIT
// Decoders beside the usual way to fit them, on one thread, in one run: leave-one-trial-out least squares against
// lagged matrices (a symmetric product per trial, a Cholesky per fold), CCA against an eigendecomposition of the side
// of the EEG, or of its covariance. 4 trials of 10 min, 64 channels, 17 lags, 64 Hz. Both sides multiply by the same
// OpenBLAS.
#include <heed/data/random.h>
#include <heed/decode/cca.h>
#include <heed/decode/score.h>

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <lapacke.h>
#include <sys/resource.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heed::bench {
namespace {

constexpr Index channels = 64;
constexpr Index samples = 600 * 64;
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

// Of this thread: what others do on the machine counts less.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Work>
double seconds(const Work& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
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

std::vector<Matrix> rival_folds(const std::vector<Trial>& trials) {
  std::vector<Sums> sums;
  Sums total;
  for (const Trial& trial : trials) {
    sums.push_back(lagged_sums(trial));
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

void report(const std::string& task, double heed, double rival, double goal) {
  std::printf("  %-52s heed %8.1f ms   rival %8.1f ms   %6.1f times", task.c_str(), 1e3 * heed, 1e3 * rival,
              rival / heed);
  if (goal > 0) std::printf("   goal: at least %.0f", goal);
  std::printf("\n");
}

// All window lengths are one pass over the samples, by any rule.
void report_scoring(const Trial& trial, const LeastSquaresDecoder& filters) {
  Decoder decoder;
  decoder.filters = filters;
  decoder.channels = trial.channels;
  decoder.eeg_lags = {0, lags - 1};
  const std::vector<decode::WindowLayout> windows{Seconds{0.25}, Seconds{0.5}, Seconds{1}, Seconds{2},
                                                  Seconds{5},    Seconds{10},  Seconds{30}};
  const ScoreRule cosine{.measure = WindowMeasure::cosine};
  const ScoreRule live{.measure = WindowMeasure::cosine, .memory = Seconds{60}};
  std::printf("  scores of one trial in windows of 0.25 ... 30 s:");
  for (const auto& [name, rule] : {std::pair{"Pearson", ScoreRule{}}, {"cosine", cosine}, {"with a memory", live}}) {
    decoder.rule = rule;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
      best = std::min(best, seconds([&] { benchmark::DoNotOptimize(decode::score(decoder, trial, windows)); }));
    }
    std::printf(" %s %.1f ms%s", name, 1e3 * best, rule == live ? "\n" : ",");
  }
}

int run() {
  openblas_set_num_threads(1);
  std::vector<Trial> trials;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) trials.push_back(some_trial(seed));
  const double loaded = peak_megabytes();
  const auto first = heed_folds(trials);
  const double peak = peak_megabytes();

  constexpr int times = 5;
  double heed = std::numeric_limits<double>::infinity();
  double rival = heed;
  double difference = 0;
  for (int i = 0; i < times; ++i) {  // in turns, so that a busy minute of the machine meets both
    heed = std::min(heed, seconds([&] { benchmark::DoNotOptimize(heed_folds(trials)); }));
    std::vector<Matrix> weights;
    rival = std::min(rival, seconds([&] { weights = rival_folds(trials); }));
    const Eigen::Map<const Eigen::VectorXd> ours(first[0].weights.data(), width);
    difference = (weights[0].col(0) - ours).cwiseAbs().maxCoeff() / ours.cwiseAbs().maxCoeff();
  }
  const auto statistics = decode::trial_statistics(trials[0], decode::cca_lags(Hertz{64}));
  const double one_trial = seconds(
      [&] { benchmark::DoNotOptimize(decode::trial_statistics(trials[0], decode::least_squares_lags(Hertz{64}))); });
  double cca = std::numeric_limits<double>::infinity();
  double components = cca;
  double textbook = cca;
  for (int i = 0; i < times; ++i) {
    cca = std::min(cca, seconds([&] { benchmark::DoNotOptimize(decode::fit_cca(statistics, {})); }));
    if (i >= 2) continue;
    components = std::min(components, seconds([&] { benchmark::DoNotOptimize(whitening_by_components(statistics)); }));
    textbook = std::min(textbook, seconds([&] { benchmark::DoNotOptimize(textbook_cca(statistics)); }));
  }
  std::printf("\n4 trials of 10 min, 64 channels, 17 lags, 64 Hz; processor time of one thread, best of %d\n", times);
  report("least squares, leaving each trial out", heed, rival, 6);
  report("CCA, against eigenvectors of Rxx^-1 Rxy Ryy^-1 Ryx", cca, textbook, 40);
  report("CCA, against whitening by principal components", cca, components, 0);
  std::printf("  statistics of one trial %.1f ms; largest difference of weights %.1e\n", 1e3 * one_trial, difference);
  report_scoring(trials[0], first[0]);
  std::printf("  memory: %.0f MB with the trials loaded, %.0f MB at most while fitting\n", loaded, peak);
  return 0;
}

}  // namespace
}  // namespace heed::bench

int main() {
  try {
    return heed::bench::run();
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
