// SPDX-License-Identifier: MIT
// One listener as a cohort: her trials in a few parts, each judged by what was learnt from the others.
#pragma once

#include <study/cohorts/study_cohort.h>

#include <memory>
#include <string>
#include <string_view>

namespace heed::study {

// The cohort as it is where it has several participants. Decodes the listener once, for the names of her trials; throws
// what that throws.
[[nodiscard]] std::unique_ptr<Cohort> parted_if_alone(std::unique_ptr<Cohort> cohort);

// "01" of "01_part-2", and of "01": tables are about listeners, so that the parts of one count as one in every test.
[[nodiscard]] std::string listener_of(std::string_view id);

}  // namespace heed::study
