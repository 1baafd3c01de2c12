// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <heed/report/attention_figure.h>
#include <io/text_file.h>
#include <pipeline/track_participant.h>

#include <filesystem>

#include "plot.h"

namespace heed::app {
namespace {

std::string name_of_scores(const Emission& emission) {
  const auto* gaussian = std::get_if<GaussianEmission>(&emission);
  if (gaussian != nullptr && gaussian->fisher) return "correlation";
  return std::holds_alternative<SoftmaxEmission>(emission) ? "logit" : "score";
}

}  // namespace

report::Drawing attention_drawing(const PlotFlags& flags, const AttentionPlot& plot) {
  const std::string file = std::filesystem::path(io::input_name(plot.scores)).filename().string();
  report::AttentionPicture picture{
      .tracked = plot.tracked,
      .evidence = {},
      .evidence_name = name_of_scores(plot.model.emission),
      .title = flags.title.empty() ? file : flags.title,
      .subtitle = fmt::format("{}, windows of {} s", plot.method, plot.tracked.trials.front().posteriors.window.value)};
  // Features are not one a speaker; what they say of each is.
  std::vector<LogLikelihoods> said;
  if (!plot.participant.features.empty()) {
    said = pipeline::log_likelihoods_of(plot.participant, plot.model);
    picture.evidence_name = "log-likelihood";
    for (const LogLikelihoods& trial : said) picture.evidence.push_back(data::view(trial.values));
  } else {
    for (const ScoredTrial& trial : plot.participant.trials) {
      picture.evidence.push_back(data::view(trial.scores.values));
    }
  }
  return report::draw_attention(picture, {.width = flags.width});
}

}  // namespace heed::app
