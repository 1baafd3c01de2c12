// SPDX-License-Identifier: MIT
#include <dsp/montage.h>
#include <live/page/learnt_picture.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::live {

LearntPicture::LearntPicture(std::span<const std::string> channels) : channels_(channels.size()) {
  const auto positions = dsp::electrode_positions(channels);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!positions[c]) continue;
    // By the angle from the vertex, so that nothing is crowded at the rim.
    const double flat = std::hypot(positions[c]->x, positions[c]->y);
    const double radius = std::atan2(flat, positions[c]->z) / (std::numbers::pi / 2);
    const double scale = flat > 0 ? radius / flat : 0;
    electrodes_.push_back({channels[c], scale * positions[c]->x, scale * positions[c]->y});
    places_.push_back(c);
  }
}

// Of the electrodes at a lag, as a share of all lags.
double LearntPicture::power(const LearntNews& news, std::size_t lag) const {
  double all = 0;
  double here = 0;
  for (std::size_t k = 0; k < news.pattern.size() / channels_; ++k) {
    for (const std::size_t place : places_) {
      const double value = news.pattern[(k * channels_) + place];
      all += value * value;
      here += k == lag ? value * value : 0;
    }
  }
  return all > 0 ? here / all : 0;
}

void LearntPicture::take(const LearntNews& news) {
  if (news.pattern.empty() || news.pattern.size() % channels_ != 0) return;
  if (!is_known()) first_ = news;
  last_ = news;
  double most = -1;
  for (std::size_t lag = 0; lag < news.pattern.size() / channels_; ++lag) {
    const double both = power(first_, lag) + power(last_, lag);
    if (both <= most) continue;
    most = both;
    strongest_ = lag;
  }
}

Seconds LearntPicture::lag() const noexcept {
  return last_.first_lag + Seconds{static_cast<double>(strongest_) / last_.rate.value};
}

double LearntPicture::likeness() const {
  const Eigen::Map<const Eigen::VectorXd> then(first_.pattern.data(), std::ssize(first_.pattern));
  const Eigen::Map<const Eigen::VectorXd> now(last_.pattern.data(), std::ssize(last_.pattern));
  const double norms = then.norm() * now.norm();
  return norms > 0 ? then.dot(now) / norms : 0;
}

std::vector<double> LearntPicture::map_of(const LearntNews& news) const {
  std::vector<double> map;
  double largest = 0;
  for (const std::size_t place : places_) {
    map.push_back(news.pattern[(strongest_ * channels_) + place]);
    largest = std::max(largest, std::abs(map.back()));
  }
  for (double& value : map) value = largest > 0 ? value / largest : 0;
  return map;
}

}  // namespace heed::live
