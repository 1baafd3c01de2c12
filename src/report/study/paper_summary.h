// SPDX-License-Identifier: MIT
// What a reader who reads no further should know of a reproduction: what the paper claims, what of it holds on these
// and on other listeners, and why where it differs.
#pragma once

#include <data/study.h>
#include <report/page/page.h>

#include <string>
#include <vector>

namespace heed::report {

// The cohorts of reference that these results are not, in the order in which claims name them. A cohort is this one,
// reproduced, where no claim of any study tells the two apart.
[[nodiscard]] std::vector<std::string> other_cohorts(const std::vector<StudyResult>& studies);

// What it claims; what of that every set of cohorts shows; why they differ.
[[nodiscard]] std::vector<LeadParagraph> paper_in_short(const std::vector<StudyResult>& studies);

// This cohort and those of reference that it is not: how many of the paper's claims hold, and headlines.
[[nodiscard]] Table cohort_table(const std::vector<StudyResult>& studies);

// How many claims beyond the paper hold; empty where there are none.
[[nodiscard]] std::string beyond_in_words(const std::vector<StudyResult>& studies);

}  // namespace heed::report
