// SPDX-License-Identifier: MIT
// The domain in which scores are normal: atanh for correlations (Fisher 1915), as they are otherwise.
#pragma once

namespace heed::emission {

// Correlations are clipped to +-fisher_limit before atanh, so that a perfect one stays finite.
inline constexpr double fisher_limit = 1 - 1e-7;

// Whether `transformed` takes it: finite and, where `fisher`, within +-1.
[[nodiscard]] bool is_score(double score, bool fisher) noexcept;

// The score as the emission sees it. Throws bad_data on an infinite score and, where `fisher`, on one beyond +-1.
[[nodiscard]] double transformed(double score, bool fisher);

}  // namespace heed::emission
