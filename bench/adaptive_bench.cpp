// SPDX-License-Identifier: MIT
// A decoder that learns while it listens, at the cadence of live sessions: windows of 1 s at 64 Hz, 17 lags, a new
// decoder every 5 s. What learning adds to scoring, as a share of a core; and the Cholesky factor, the costly part, in
// single precision beside double.
#include <heed/data/random.h>
#include <heed/decode/adaptive_decoder.h>

#include <cblas.h>
#include <lapacke.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <vector>

namespace heed::bench {
namespace {

constexpr Index lags = 17;
constexpr Index window = 64;
constexpr Index minutes = 2;
constexpr double most_of_a_core = 0.01;  // at 64 channels
constexpr double real_time = 1;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Matrix noise(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random(seed, 0);
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.normal();
  return matrix;
}

decode::AdaptiveStart some_start(Index channels) {
  const Index n = lags * channels;
  decode::AdaptiveStart start;
  start.covariance = Matrix::Zero(n, channels);
  start.covariance.topRows(channels).setIdentity();
  start.cross = Eigen::VectorXd::Zero(n);
  start.cross.head(channels).setConstant(0.05);
  return start;
}

// Processor time per second of listening, all on one thread; the longest step, which a thread of its own spares a
// session.
struct Cost {
  double mean = 0;
  double longest = 0;
};

Cost cost_of_listening(Index channels, bool adapt) {
  const Index rows = minutes * 60 * window;
  const Matrix eeg = noise(rows + lags, channels, 1);
  const Matrix speech = noise(rows, 2, 2);
  decode::AdaptiveDecoder decoder(some_start(channels), {.channels = channels, .lags = {0, lags - 1}},
                                  {.adapt = adapt});
  Cost cost;
  for (Index first = 0; first < rows; first += window) {
    const double begin = processor_seconds();
    (void)decoder.step({.eeg = data::view(eeg).middle_rows(first, window + lags - 1),
                        .speech = data::view(speech).middle_rows(first, window)});
    const double spent = processor_seconds() - begin;
    cost.mean += spent / static_cast<double>(minutes * 60);
    cost.longest = std::max(cost.longest, spent);
  }
  return cost;
}

bool report(Index channels, double goal) {
  const Cost fixed = cost_of_listening(channels, false);
  const Cost adaptive = cost_of_listening(channels, true);
  const double added = adaptive.mean - fixed.mean;
  std::printf(
      "  %3ld x %ld: scoring %.3f %% of a core, learning %.2f %% more (goal: at most %g %%); longest step %.0f ms\n",
      static_cast<long>(channels), static_cast<long>(lags), 100 * fixed.mean, 100 * added, 100 * goal,
      1e3 * adaptive.longest);
  return added <= goal;
}

template <typename Work>
double best_of(int times, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    const double begin = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

// The same system, of EEG that is coloured, with the ridge of the decoder: how far single precision is off.
void report_precision(Index channels) {
  const Index n = lags * channels;
  Matrix sources = noise(4 * n, n, 3);
  for (Index t = 1; t < sources.rows(); ++t) sources.row(t) = 0.97 * sources.row(t - 1) + 0.25 * sources.row(t);
  Matrix covariance = sources.transpose() * sources / static_cast<double>(sources.rows());
  covariance.diagonal().array() += 0.3 * covariance.trace() / static_cast<double>(n);
  const Eigen::VectorXd right = noise(n, 1, 4);
  const Eigen::MatrixXf narrow = covariance.cast<float>();
  Eigen::VectorXd wide_solution;
  Eigen::VectorXf narrow_solution;
  const auto size = static_cast<int>(n);
  const double wide = best_of(3, [&] {
    Matrix factor = covariance;
    wide_solution = right;
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', size, factor.data(), size);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', size, 1, factor.data(), size, wide_solution.data(), size);
  });
  const double single = best_of(3, [&] {
    Eigen::MatrixXf factor = narrow;
    narrow_solution = right.cast<float>();
    LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'U', size, factor.data(), size);
    LAPACKE_spotrs_work(LAPACK_COL_MAJOR, 'U', size, 1, factor.data(), size, narrow_solution.data(), size);
  });
  const double error = (narrow_solution.cast<double>() - wide_solution).norm() / wide_solution.norm();
  std::printf("  Cholesky of %ld x %ld: double %.1f ms, single %.1f ms, which is off by %.1e of the decoder's length\n",
              static_cast<long>(n), static_cast<long>(n), 1e3 * wide, 1e3 * single, error);
}

int run() {
  openblas_set_num_threads(1);
  std::printf("\na decoder that learns while it listens, %ld min; processor time of one thread\n",
              static_cast<long>(minutes));
  const bool usual = report(64, most_of_a_core);
  const bool large = report(128, real_time);
  report_precision(64);
  report_precision(128);
  return usual && large ? 0 : 1;
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
