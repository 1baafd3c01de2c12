// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/label_free.h>

#include <cmath>

namespace heed::emission {
namespace {

// Of 13 simulated listeners with two talkers, 4 x 10 min each: Pearson correlations of the paper's least squares, as
// most decoders of others give them, in windows of 1 to 30 s. tests/cli/test_reference_slow.py makes them anew. heed's
// own scores, shrunk cosines, spread less, so the reference is careful with them. Windows of any length have the same
// means; their variance is that of a second, over so many seconds, and that of listeners and slow changes, which no
// window averages away.
constexpr double mu_attended = 0.111;
constexpr double mu_unattended = 0.031;
constexpr double variance_of_a_second = 0.0916;
constexpr double lasting_variance = 0.00095;
constexpr std::size_t listeners = 13;

constexpr std::string_view origin = "heed's reference, made from simulated listeners";

}  // namespace

Model reference_model(Seconds window, Seconds hop) {
  if (!(hop.value > 0) || !(window >= hop) || !std::isfinite(window.value)) {
    throw Error(ErrorKind::invalid_argument,
                "the window and the hop must be longer than 0 s, and the hop no longer than the window");
  }
  const double sigma = std::sqrt((variance_of_a_second / window.value) + lasting_variance);
  return {.emission = GaussianEmission{.mu_attended = mu_attended,
                                       .mu_unattended = mu_unattended,
                                       .sigma_attended = sigma,
                                       .sigma_unattended = sigma},
          .window = window,
          .hop = hop,
          .participants = listeners,
          .origin = std::string(origin),
          .temperature = window.value / hop.value};  // what overlapping windows say several times counts once
}

bool is_reference(const Model& model) noexcept { return model.origin == origin; }

}  // namespace heed::emission
