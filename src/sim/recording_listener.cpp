// SPDX-License-Identifier: MIT
// A simulated listener's answer to speech: three waves and a slow potential from both auditory cortices, seen largest
// over the front and centre of the head.
#include <sim/background.h>
#include <sim/draws.h>
#include <sim/recording_run.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heed::sim {
namespace {

// The grand average of the listeners. Sizes relative to each other; docs/simulation.md.
struct Wave {
  const char* name;
  double latency;  // s
  double width;    // s
  double attended;
  double unattended;
  double forward;  // how far its dipoles lean to the front
};
constexpr double response_level = 0.12;  // signal-to-noise of a wave of height 1, at the best spatial filter
constexpr std::array waves{
    Wave{"P1", 0.050, 0.014, 0.55, 0.45, 0.55},
    Wave{"N1", 0.105, 0.022, -1.00, -0.35, 0.30},
    Wave{"P2", 0.185, 0.032, 1.00, 0.15, 0.05},
    Wave{"SP", 0.150, 0.200, 9.00, 1.80, 0.60},
};

constexpr double longest_lag = 0.4;  // s

// One in each auditory cortex, pointing up and to the front.
std::vector<Dipole> draw_dipoles(double forward, RandomStream& random) {
  std::vector<Dipole> dipoles;
  for (const double side : {-1.0, 1.0}) {
    const double strength = std::exp(0.2 * random.normal());
    const Eigen::Vector3d place(0.55 * side, 0.02 * random.normal(), 0.1 + (0.02 * random.normal()));
    const Eigen::Vector3d moment(-0.25 * side, forward + (0.15 * random.normal()), 1);
    dipoles.push_back({place, strength * moment.normalized()});
  }
  return dipoles;
}

// How well the best spatial filter would see a wave of 1 uV through the listener's background, on the usual cap.
double visibility(const std::vector<Dipole>& dipoles, const Head& cap, const Eigen::LLT<Eigen::MatrixXd>& background) {
  Eigen::VectorXd pattern = scalp_pattern(cap, dipoles);
  pattern.array() -= pattern.mean();
  return std::sqrt(pattern.dot(background.solve(pattern)));
}

// Spread evenly over the participants of a cohort, whatever its size, by the golden ratio: a small cohort too has
// the mean and the spread. Logistic, with the standard deviation `spread`, and kept positive: nobody's brain is deaf.
double response_strength(const RecordingCohortOptions& options, int participant) {
  constexpr double golden = 0.6180339887498949;
  constexpr double weakest = 0.2;
  constexpr double strongest = 2.2;
  const double start = random_stream(options.seed, StreamKind::listener, 0).uniform();
  const double turns = start + (golden * participant);
  const double even = std::clamp(turns - std::floor(turns), 1e-6, 1 - 1e-6);
  const double logistic = std::log(even / (1 - even)) * std::numbers::sqrt3 / std::numbers::pi;
  return response_level * options.signal * std::clamp(1 + (options.signal_spread * logistic), weakest, strongest);
}

}  // namespace

std::vector<std::string> channels_of(const RecordingCohortOptions& options) {
  return options.channels.empty() ? electrodes(64) : options.channels;
}

BackgroundSources background_of(const RecordingCohortOptions& options, int participant, const Head& head) {
  RandomStream random = random_stream(options.seed, StreamKind::background, participant);
  const Hertz alpha{std::clamp(10 + random.normal(), 8.0, 12.0)};
  return draw_background(head, alpha, random);
}

// Where the background is strong, so are the responses: heads differ in conductivity, and `signal` is to mean the
// same for all.
Listener simulate_listener(const RecordingCohortOptions& options, int participant) {
  check(options);
  const Head head = make_head(channels_of(options));
  const Head cap{head.cap, head.cap};
  const BackgroundSources background = background_of(options, participant, cap);
  const Eigen::LLT<Eigen::MatrixXd> covariance(speech_band_covariance(background));
  RandomStream random = random_stream(options.seed, StreamKind::listener, participant);
  const double strength = response_strength(options, participant);
  Listener listener;
  listener.alpha = background.alpha;
  const double delay = 0.006 * random.normal();  // s
  for (const Wave& wave : waves) {
    const std::vector<Dipole> dipoles = draw_dipoles(wave.forward, random);
    const double height = strength * std::exp(0.1 * random.normal()) / visibility(dipoles, cap, covariance);
    const Seconds latency{wave.latency + delay + (0.004 * random.normal())};
    listener.responses.push_back({wave.name, latency, Seconds{wave.width}, height * wave.attended,
                                  height * wave.unattended, scalp_pattern(head, dipoles)});
  }
  return listener;
}

Eigen::VectorXd response_bell(const ResponseComponent& component, Hertz sampling_frequency) {
  const double rate = sampling_frequency.value;
  const auto lags = static_cast<Index>(std::floor(longest_lag * rate)) + 1;
  Eigen::VectorXd bell(lags);
  for (Index k = 0; k < lags; ++k) {
    const double away = ((static_cast<double>(k) / rate) - component.latency.value) / component.width.value;
    bell[k] = std::exp(-away * away / 2) / (component.width.value * std::sqrt(2 * std::numbers::pi) * rate);
  }
  return bell;
}

Matrix response_kernel(const Listener& listener, Attention attention, Hertz sampling_frequency) {
  Matrix kernel;
  for (const ResponseComponent& component : listener.responses) {
    const double area = attention == Attention::attended ? component.attended : component.unattended;
    const Eigen::VectorXd bell = response_bell(component, sampling_frequency);
    if (kernel.size() == 0) kernel = Matrix::Zero(bell.size(), component.pattern.size());
    kernel += area * bell * component.pattern.transpose();
  }
  return kernel;
}

}  // namespace heed::sim
