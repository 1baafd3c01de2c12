// SPDX-License-Identifier: MIT
// Results along a parameter, as the pictures that are drawn of them.
#pragma once

#include <data/study.h>
#include <report/study/sweep_figure.h>
#include <report/trade_off_figure.h>

#include <string>
#include <vector>

namespace heed::report {

// A line a series, a panel a measure.
[[nodiscard]] SweepPicture sweep_picture(const StudyResult& result, const std::vector<std::string>& measures);

// Accuracy against switch time along the same parameter; every participant at every value is a dot.
[[nodiscard]] TradeOffPicture trade_off_picture(const StudyResult& result);

// How often what is believed comes true; of the table "reliability".
[[nodiscard]] SweepPicture reliability_picture(const StudyResult& result);

}  // namespace heed::report
