// SPDX-License-Identifier: MIT
// Made-up results of studies: one of every picture, with published values, claims and an obstacle. The same every time.
#pragma once

#include <report/study/study_report.h>

namespace heed::test {

[[nodiscard]] StudyResult post_processors();
[[nodiscard]] StudyResult switch_probability();
[[nodiscard]] StudyResult aad_accuracy();
[[nodiscard]] StudyResult calibration();
[[nodiscard]] StudyResult independence();
[[nodiscard]] StudyResult attention_switch();

// All of them, called simulated, and a study that could not be run.
[[nodiscard]] report::StudyReport sample_report();

}  // namespace heed::test
