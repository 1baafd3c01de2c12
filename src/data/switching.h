// SPDX-License-Identifier: MIT
// What a posterior of the switch probability means to people: how long attention stays.
#pragma once

#include <heed/data/series.h>

#include <string>

namespace heed::data {

// "316", "3160": to three digits, which are more than the values of a bank tell apart. Above 0.
[[nodiscard]] std::string three_digits(double value);

// The mean time from one switch to the next at value g: 1 / ((N - 1) p) seconds.
[[nodiscard]] Seconds switch_interval(const SwitchPosterior& posterior, std::size_t value);

// The heaviest value, the lowest of several: that of the slowest listener.
[[nodiscard]] std::size_t most_probable(const SwitchPosterior& posterior);

// "about every 32 s (p = 0.0316 per second, 78 %; 90 % between 10 and 100 s)"
[[nodiscard]] std::string switching_words(const SwitchPosterior& posterior);

}  // namespace heed::data
