// SPDX-License-Identifier: MIT
#include <dsp/montage.h>
#include <heed/data/error.h>
#include <sim/background.h>
#include <sim/draws.h>
#include <sim/recording_options.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heed::sim {
namespace {

Positions positions_of(const std::vector<std::string>& channels) {
  Positions positions(std::ssize(channels), 3);
  for (Index c = 0; c < positions.rows(); ++c) {
    const std::string& name = channels[static_cast<std::size_t>(c)];
    const auto position = dsp::electrode_position(name);
    if (!position) {
      throw Error(ErrorKind::invalid_argument,
                  "channel '" + name + "' is not an electrode of the 10-10 system; give names such as Fz, Cz or TP8");
    }
    positions.row(c) << position->x, position->y, position->z;
  }
  return positions;
}

Eigen::VectorXd potential(const Positions& electrodes, const std::vector<Dipole>& dipoles) {
  Eigen::VectorXd pattern = Eigen::VectorXd::Zero(electrodes.rows());
  for (const Dipole& dipole : dipoles) {
    for (Index c = 0; c < electrodes.rows(); ++c) {
      const Eigen::Vector3d offset = electrodes.row(c).transpose() - dipole.place;
      const double distance = offset.norm();
      pattern[c] += dipole.moment.dot(offset) / (distance * distance * distance);
    }
  }
  return pattern;
}

constexpr Index regions = 8;
constexpr Index region_sources = 10;
constexpr Index cortical_sources = regions * region_sources;  // more than channels: no spatial filter removes all
constexpr Index alpha_sources = 6;
constexpr Index temporal_sources = 2;  // left, right
constexpr Index all_sources = cortical_sources + alpha_sources + temporal_sources;

// Root mean square at the electrode where a source is largest, in microvolt.
constexpr double cortical_level = 4.0;
constexpr double alpha_level = 9.0;
constexpr double temporal_level = 10.0;
constexpr double sensor_level = 4.0;  // of each channel, at 128 samples a second

constexpr double reference_rate = 128;
constexpr Index block = 256;  // samples mixed at a time

Eigen::Vector3d draw_direction(RandomStream& random) {
  const double x = random.normal();
  const double y = random.normal();
  const double z = random.normal();
  return Eigen::Vector3d(x, y, z).normalized();
}

// Sources lie region by region, round the vertex.
Dipole draw_cortical(Index k, RandomStream& random) {
  const Index region = k / region_sources;
  const double sector = (static_cast<double>(region) + random.uniform()) / regions;
  const double height = -0.2 + (1.2 * random.uniform());  // little below the electrodes
  const double around = std::sqrt(1 - (height * height));
  const double turn = 2 * std::numbers::pi * sector;
  const double depth = 0.45 + (0.35 * random.uniform());
  return {depth * Eigen::Vector3d(around * std::cos(turn), around * std::sin(turn), height), draw_direction(random)};
}

Dipole draw_alpha(Index k, RandomStream& random) {
  const double across = (static_cast<double>(k) / (alpha_sources - 1) * 1.2) - 0.6;
  const Eigen::Vector3d place = Eigen::Vector3d(across, -0.7, 0.25 + (0.2 * random.uniform())).normalized() * 0.7;
  return {place, place + (0.5 * draw_direction(random))};
}

Dipole temporal_dipole(Index k) {
  const Eigen::Vector3d place(k == 0 ? -0.75 : 0.75, 0.3, 0.05);
  return {place, place};
}

// A sum of first-order low passes whose heights fall with their corners has a spectrum of about 1/f above the lowest
// corner. Below it the spectrum is flat, as amplifiers and analysts leave it.
struct FallingSpectrum {
  static constexpr std::array<double, 5> corners{0.8, 2.4, 7.2, 21.6, 64.8};  // Hz
  static constexpr double exponent = 0.55;                                    // of amplitude: 1/f^1.1 in power
  std::array<float, corners.size()> pole{};
  std::array<float, corners.size()> gain{};

  explicit FallingSpectrum(double rate) {
    double power = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const double phi = std::exp(-2 * std::numbers::pi * corners[i] / rate);
      pole[i] = static_cast<float>(phi);
      gain[i] = static_cast<float>(std::pow(corners[i], -exponent) * (1 - phi));
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
      for (std::size_t j = 0; j < corners.size(); ++j) {
        power += static_cast<double>(gain[i]) * static_cast<double>(gain[j]) /
                 (1 - (static_cast<double>(pole[i]) * static_cast<double>(pole[j])));
      }
    }
    for (float& value : gain) value /= static_cast<float>(std::sqrt(power));
  }
};

// Muscle and gaze at one temple: noise from 10 Hz up, away from the band in which speech is followed. Variance 1.
class TemporalActivity {
 public:
  explicit TemporalActivity(double rate) : pace_(static_cast<float>(1 - std::exp(-2 * std::numbers::pi * 10 / rate))) {
    float energy = 0;
    for (int n = 0; n < static_cast<int>(rate); ++n) {  // of its answer to an impulse
      const float answer = step(n == 0 ? 1.0F : 0.0F);
      energy += answer * answer;
    }
    gain_ = 1 / std::sqrt(energy);
    slow_ = {};
  }

  float step(float fresh) {
    for (float& slow : slow_) {
      slow += pace_ * (fresh - slow);
      fresh -= slow;
    }
    return gain_ * fresh;
  }

 private:
  float pace_;
  float gain_ = 1;
  std::array<float, 2> slow_{};
};

// Real EEG is never stationary: the power of a region, and of alpha, wanders for minutes. The temples follow the gaze.
class SlowDrift {
 public:
  SlowDrift(double rate, RandomStream& random)
      : every_(std::max<Index>(1, static_cast<Index>(rate / steps_a_second))),
        keep_(static_cast<float>(std::exp(-static_cast<double>(every_) / (rate * memory)))) {
    for (float& value : log_power_) value = innovation(random);
  }

  // Amplitudes of the sources; their mean power is 1.
  const Eigen::ArrayXf& step(RandomStream& random) {
    if (count_++ % every_ != 0) return amplitude_;
    const float fresh = std::sqrt(1 - (keep_ * keep_));
    for (float& value : log_power_) value = (keep_ * value) + (fresh * innovation(random));
    for (Index m = 0; m < cortical_sources + alpha_sources; ++m) {
      const float log_power = spread * log_power_[static_cast<std::size_t>(m / region_sources)];
      amplitude_[m] = std::exp((log_power / 2) - (spread * spread / 4));
    }
    return amplitude_;
  }

 private:
  static constexpr double steps_a_second = 8;
  static constexpr double memory = 120;  // s
  static constexpr float spread = 1.6F;  // standard deviation of the logarithm of power
  Index every_;
  float keep_;
  Index count_ = 0;
  std::array<float, regions + 1> log_power_{};  // the last is alpha's
  Eigen::ArrayXf amplitude_ = Eigen::ArrayXf::Ones(all_sources);
};

// All sources together, sample by sample; arithmetic runs over the sources side by side.
class SourceActivity {
 public:
  using Lane = Eigen::ArrayXf;

  SourceActivity(double rate, Hertz alpha)
      : rate_(rate), spectrum_(rate), temporal_{TemporalActivity(rate), TemporalActivity(rate)} {
    for (Lane& state : states_) state = Lane::Zero(cortical_sources);
    const double bandwidth = 1.5;  // Hz: alpha comes and goes within a second
    const double radius = std::exp(-std::numbers::pi * bandwidth / rate);
    const double angle = 2 * std::numbers::pi * alpha.value / rate;
    alpha_cosine_ = static_cast<float>(radius * std::cos(angle));
    alpha_sine_ = static_cast<float>(radius * std::sin(angle));
    alpha_gain_ = static_cast<float>(std::sqrt(1 - (radius * radius)));
    // Let slow sources forget that they began at nothing.
    discard_ = static_cast<Index>(rate * 4);
  }

  [[nodiscard]] double rate() const noexcept { return rate_; }
  [[nodiscard]] Index discard() const noexcept { return discard_; }

  // right_over_left: logarithm of the ratio of powers.
  void step(RandomStream& random, double right_over_left, Eigen::Ref<Eigen::RowVectorXf> out) {
    for (Index m = 0; m < cortical_sources; ++m) fresh_[m] = innovation(random);
    Eigen::Map<Eigen::ArrayXf> cortical(out.data(), cortical_sources);
    cortical.setZero();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i] = (spectrum_.pole[i] * states_[i]) + fresh_;
      cortical += spectrum_.gain[i] * states_[i];
    }
    for (Index k = 0; k < alpha_sources; ++k) out[cortical_sources + k] = alpha_step(k, random);
    const auto lean = static_cast<float>(std::exp(right_over_left / 4));  // of amplitude, on either side
    out[cortical_sources + alpha_sources] = temporal_[0].step(innovation(random)) / lean;
    out[cortical_sources + alpha_sources + 1] = temporal_[1].step(innovation(random)) * lean;
  }

 private:
  // A rotating pair of numbers, of which one is seen.
  float alpha_step(Index k, RandomStream& random) {
    auto& [seen, hidden] = alpha_[static_cast<std::size_t>(k)];
    const float turned = (alpha_cosine_ * seen) - (alpha_sine_ * hidden) + (alpha_gain_ * innovation(random));
    hidden = (alpha_sine_ * seen) + (alpha_cosine_ * hidden) + (alpha_gain_ * innovation(random));
    seen = turned;
    return seen;
  }

  double rate_;
  FallingSpectrum spectrum_;
  std::array<Lane, FallingSpectrum::corners.size()> states_;
  Lane fresh_ = Lane::Zero(cortical_sources);
  std::array<std::array<float, 2>, alpha_sources> alpha_{};
  std::array<TemporalActivity, temporal_sources> temporal_;
  float alpha_cosine_ = 0;
  float alpha_sine_ = 0;
  float alpha_gain_ = 0;
  Index discard_ = 0;
};

}  // namespace

Head make_head(const std::vector<std::string>& channels) {
  return {positions_of(channels), positions_of(electrodes(64))};
}

Eigen::VectorXd scalp_pattern(const Head& head, const std::vector<Dipole>& dipoles) {
  return potential(head.electrodes, dipoles) / potential(head.cap, dipoles).cwiseAbs().maxCoeff();
}

BackgroundSources draw_background(const Head& head, Hertz alpha, RandomStream& random) {
  BackgroundSources sources{alpha, Eigen::MatrixXf(all_sources, head.electrodes.rows())};
  const auto place = [&](Index row, const Dipole& dipole, double level) {
    sources.mixing.row(row) = (level * scalp_pattern(head, {dipole})).cast<float>().transpose();
  };
  for (Index k = 0; k < cortical_sources; ++k) {
    const Dipole dipole = draw_cortical(k, random);
    place(k, dipole, cortical_level * std::exp(0.4 * random.normal()));
  }
  for (Index k = 0; k < alpha_sources; ++k) place(cortical_sources + k, draw_alpha(k, random), alpha_level);
  for (Index k = 0; k < temporal_sources; ++k) {
    place(cortical_sources + alpha_sources + k, temporal_dipole(k), temporal_level);
  }
  return sources;
}

Eigen::MatrixXd speech_band_covariance(const BackgroundSources& sources) {
  constexpr double cortical_share = 0.3;  // of a source's power
  constexpr double sensor_share = 0.125;  // 8 of 64 Hz
  Eigen::MatrixXd mixing = sources.mixing.topRows(cortical_sources).cast<double>();
  mixing.colwise() -= mixing.rowwise().mean().eval();
  Eigen::MatrixXd covariance = cortical_share * mixing.transpose() * mixing;
  covariance.diagonal().array() += sensor_share * sensor_level * sensor_level;
  return covariance;
}

Gaze::Gaze(const BackgroundOptions& options, int speakers, const RandomStream& random)
    : random_(random), amount_(options.amount), sides_(speakers) {
  constexpr double lean = 2.0;    // of the log ratio of powers, towards either side
  constexpr double memory = 120;  // s
  keep_ = std::exp(-1 / (memory * options.sampling_frequency.value));
  for (Index j = 0; j < sides_.size(); ++j) sides_[j] = lean * (-1 + (2 * static_cast<double>(j) / (speakers - 1)));
  drift_ = random_.normal();
}

double Gaze::step(const Eigen::Ref<const Eigen::RowVectorXd>& attention) {
  constexpr double wander = 1.8;  // standard deviation
  const double value = amount_ * (attention.dot(sides_) + (wander * drift_));
  drift_ = (keep_ * drift_) + (std::sqrt(1 - (keep_ * keep_)) * static_cast<double>(innovation(random_)));
  return value;
}

struct Background::State {
  State(const BackgroundSources& sources, const BackgroundOptions& options, const RandomStream& fresh)
      : random(fresh),
        activity(options.sampling_frequency.value, sources.alpha),
        drift(begin()),
        mixing(static_cast<float>(options.amount) * sources.mixing),
        sensor(static_cast<float>(options.amount * sensor_level *
                                  std::sqrt(options.sampling_frequency.value / reference_rate))) {}

  // What the slow sources have to forget is drawn before the drift.
  SlowDrift begin() {
    for (Index n = 0; n < activity.discard(); ++n) activity.step(random, 0, row);
    return SlowDrift(activity.rate(), random);
  }

  RandomStream random;
  SourceActivity activity;
  Eigen::RowVectorXf row{all_sources};
  SampleMatrix mixed{block, all_sources};
  SlowDrift drift;
  Eigen::MatrixXf mixing;
  float sensor;
};

Background::Background(const BackgroundSources& sources, const BackgroundOptions& options, const RandomStream& random)
    : state_(std::make_unique<State>(sources, options, random)) {}
Background::~Background() = default;
Background::Background(Background&&) noexcept = default;
Background& Background::operator=(Background&&) noexcept = default;

void Background::add(const Eigen::VectorXd& lateralisation, SampleMatrix& samples) {
  State& state = *state_;
  for (Index first = 0; first < samples.rows(); first += block) {
    const Index count = std::min(block, samples.rows() - first);
    for (Index n = 0; n < count; ++n) {
      state.activity.step(state.random, lateralisation[first + n], state.row);
      state.mixed.row(n) = state.row.array() * state.drift.step(state.random).transpose();
      for (Index c = 0; c < samples.cols(); ++c) samples(first + n, c) += state.sensor * innovation(state.random);
    }
    samples.middleRows(first, count).noalias() += state.mixed.topRows(count) * state.mixing;
  }
}

}  // namespace heed::sim
