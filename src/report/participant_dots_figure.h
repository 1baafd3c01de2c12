// SPDX-License-Identifier: MIT
// Accuracy of every participant, a dot a method: participants sorted by the first method, and where guessing
// may lead them shaded.
#pragma once

#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// Accuracies within [0, 1].
struct ParticipantAccuracies {
  std::string participant{};
  std::vector<std::optional<double>> accuracies{};  // one a method; nothing: not known
  std::optional<double> chance_bound{};             // of the first method: luck alone hardly goes beyond it
};

struct ParticipantDotsPicture {
  std::vector<std::string> methods{};  // raw first: the one participants are sorted by, and the bound belongs to
  std::vector<ParticipantAccuracies> participants{};  // in any order
  double chance = 0.5;                                // accuracy of a guesser
  std::string title{};
  std::string subtitle{};
};

// Participants from the least accurate to the most; those without an accuracy last; equal ones by name. Names are
// written while there is room for them, else they are in the dots' hints. Throws invalid_argument if a participant
// has not one accuracy a method, or one outside [0, 1]; bad_data if there is no accuracy at all.
[[nodiscard]] Drawing draw_participant_dots(const ParticipantDotsPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
