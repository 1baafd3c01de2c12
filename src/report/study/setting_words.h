// SPDX-License-Identifier: MIT
// The names of parameters, their values and measures, in words for readers. The one place that knows them.
#pragma once

#include <data/study.h>
#include <report/study/figures.h>

#include <string>
#include <vector>

namespace heed::report {

// "forward-backward HMM" of tracker = smooth, "p = 0.001/s" of switch_probability = scaled; empty where the
// value is a baseline that needs no words. Unknown names and values are written as they are.
[[nodiscard]] std::string value_words(const NamedValue& value);

// Its values joined by commas: "causal HMM, window 0.5 s"; of nothing but baselines: "baseline".
[[nodiscard]] std::string setting_words(const NamedValues& setting);

// Each as setting_words, but a common default (p = 0.001/s, as fitted) goes unsaid unless that alone tells it
// from another one.
[[nodiscard]] std::vector<std::string> setting_names(const std::vector<NamedValues>& settings);

// "window (s)"; "raw_accuracy" is the accuracy of single windows.
[[nodiscard]] std::string axis_words(const std::string& parameter);

// How a measure is named and shown: accuracies in per cent, times in seconds.
[[nodiscard]] MeasureAxis measure_axis(const std::string& measure);

// "+1.3 pp", "−0.8 s"; of per cent in percentage points
[[nodiscard]] std::string difference_words(double difference, const MeasureAxis& axis);

}  // namespace heed::report
