// SPDX-License-Identifier: MIT
// Text for messages: numbers as people write them (1.5, not 1.500000), what may have been meant by a mistyped word, and
// words of commands for somebody to type.
#pragma once

#include <heed/data/scored.h>
#include <heed/data/units.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::data {

// Up to six significant digits, no trailing zeros.
[[nodiscard]] std::string shown(double value);

// " every 0.25 s" where windows overlap, else nothing.
[[nodiscard]] std::string shown_hop(Seconds window, Seconds hop);

// "windows of 1 s", and where they overlap "windows of 1 s every 0.25 s".
[[nodiscard]] std::string shown_windows(Seconds window, Seconds hop);

// "correlation", "log-odds", "step-cosine", as files have it.
[[nodiscard]] std::string_view name_of(ScoreType type) noexcept;
// Nothing for a word that is none of them; their list for messages: "correlation, log-odds or step-cosine".
[[nodiscard]] std::optional<ScoreType> score_type_named(std::string_view word) noexcept;
inline constexpr std::string_view score_type_words = "correlation, log-odds or step-cosine";

// ", did you mean 'track'?" for the nearest of the known words; empty where none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

// One word for a shell, whatever it holds: what needs quotes gets them.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace heed::data
