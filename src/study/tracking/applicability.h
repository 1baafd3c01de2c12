// SPDX-License-Identifier: MIT
// Whether what was run of a study still says something, when a cohort cannot give all its settings.
#pragma once

#include <data/study.h>
#include <study/setting.h>

#include <span>
#include <string>

namespace heed::study {

struct LeftOut {
  std::string what{};  // "tracker = viterbi, speakers = 3"
  std::string why{};
};

// What a setting has of its own, for people.
[[nodiscard]] std::string words_of(const Setting& setting, const Study& study);

// Settings that are left out become notes; or the obstacle, without tables, where nothing of interest is left.
void judge_applicability(StudyResult& result, std::span<const Setting> settings, std::span<const LeftOut> left_out);

}  // namespace heed::study
