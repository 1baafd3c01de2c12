// SPDX-License-Identifier: MIT
// What a comparison has to say about its own figures: where they mislead, and what to do about it.
#pragma once

#include <heed/pipeline/compare.h>

#include <span>

namespace heed::pipeline {

// Whether a model knows that scores repeat each other.
[[nodiscard]] bool has_dependence(const Comparison& comparison);

void note_learning(Comparison& comparison);
void note_offset(const CompareRequest& request, Comparison& comparison);
void note_misses(const CompareRequest& request, Comparison& comparison);
// Where models that know of the repetition are right less often than those that do not.
void note_slower(std::span<const Model> models, Comparison& comparison);

}  // namespace heed::pipeline
