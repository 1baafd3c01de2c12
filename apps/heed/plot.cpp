// SPDX-License-Identifier: MIT
#include "plot.h"

#include <data/switching.h>
#include <data/text.h>
#include <dsp/montage.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>
#include <heed/track/method.h>
#include <io/text_file.h>
#include <pipeline/track_participant.h>
#include <report/figures.h>

#include <algorithm>
#include <filesystem>

#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* picture_group = "Picture";

std::string refuse_other_endings(const std::string& file) {
  try {
    (void)report::figure_format(file);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string name_of_scores(const Emission& emission) {
  const auto* gaussian = std::get_if<GaussianEmission>(&emission);
  if (gaussian != nullptr && gaussian->fisher) return "correlation";
  return std::holds_alternative<SoftmaxEmission>(emission) ? "logit" : "score";
}

std::string p_text(double p) { return fmt::format("p = {:.3g}", p); }

report::TradeOffCurve curve_of(const pipeline::MethodResult& method, std::optional<double> p) {
  const bool has_p = p && !method.curve.empty();
  report::TradeOffCurve curve{.name = std::string(track::name(method.method)),
                              .in_use = {method.accuracy.mean, method.switch_time.mean,
                                         has_p                  ? "mean at " + p_text(*p)
                                         : method.curve.empty() ? "mean"
                                                                : "mean, p unknown"}};
  for (const pipeline::TradeOffPoint& point : method.curve) {
    curve.sweep.push_back({point.accuracy.mean, point.switch_time.mean, "mean at " + p_text(point.switch_probability)});
  }
  for (const pipeline::ParticipantResult& participant : method.participants) {
    curve.participants.push_back(
        {participant.metrics.accuracy, participant.metrics.switch_time, "participant " + participant.id});
  }
  return curve;
}

// What the curves are made of, if there are any.
std::string sweep_text(const pipeline::Comparison& comparison) {
  const auto has_none = [](const pipeline::MethodResult& method) { return method.curve.empty(); };
  const auto swept = std::ranges::find_if_not(comparison.methods, has_none);
  if (swept == comparison.methods.end()) return "";
  return fmt::format("; curves: p from {:.3g} (left) to {:.3g} (right); large marks: {}{}",
                     swept->curve.back().switch_probability, swept->curve.front().switch_probability,
                     comparison.switch_probability ? p_text(*comparison.switch_probability) : "p unknown",
                     std::ranges::any_of(comparison.methods, has_none) ? "; methods without p have a single mark" : "");
}

}  // namespace

void add_plot_file_flag(CLI::App& verb, const std::string& name, std::string& file, const std::string& picture) {
  verb.add_option(name, file, "Draw " + picture + " to a file that ends in .svg, .pdf or .png")
      ->type_name("FILE")
      ->check(refuse_other_endings)
      ->group(picture_group);
}

void add_plot_flags(CLI::App& verb, PlotFlags& flags, const std::string& picture) {
  const auto* group = picture_group;
  add_plot_file_flag(verb, "--plot", flags.file, picture);
  verb.add_option("--plot-title", flags.title, "Title of the picture; by default what was drawn")
      ->type_name("TEXT")
      ->group(group);
  verb.add_option(
          "--plot-width", flags.width,
          "Width of the picture in millimetres; text keeps its size, so give the width at which it will be printed")
      ->check(CLI::Range(70, 2000))
      ->capture_default_str()
      ->group(group);
}

PendingPlot::PendingPlot(const PlotFlags& flags, const report::Drawing& drawing)
    : path_(flags.file), bytes_(report::render(drawing, report::figure_format(flags.file))) {
  if (!io::is_output_stream(path_)) staged_ = std::make_unique<io::StagedFile>(path_, bytes_);
}

void PendingPlot::commit() { staged_ ? staged_->commit() : io::write_text_file(path_, bytes_); }

report::Drawing attention_drawing(const PlotFlags& flags, const AttentionPlot& plot) {
  const std::string file = std::filesystem::path(io::input_name(plot.scores)).filename().string();
  const Posteriors& first = plot.tracked.trials.front().posteriors;
  report::AttentionPicture picture{.tracked = plot.tracked,
                                   .scores = {},
                                   .score_name = name_of_scores(plot.model.emission),
                                   .title = flags.title.empty() ? file : flags.title,
                                   .subtitle = fmt::format("{}, windows of {} s{}", plot.method, first.window.value,
                                                           data::shown_hop(first.window, first.hop))};
  // There is not one feature per speaker, but there is one log-likelihood.
  std::vector<LogLikelihoods> log_likelihoods;
  if (!plot.participant.features.empty()) {
    log_likelihoods = pipeline::log_likelihoods_of(plot.participant, plot.model);
    picture.score_name = "log-likelihood";
    for (const LogLikelihoods& trial : log_likelihoods) picture.scores.push_back(data::view(trial.values));
  } else {
    for (const ScoredTrial& trial : plot.participant.trials) {
      picture.scores.push_back(data::view(trial.scores.values));
    }
  }
  return report::draw_attention(picture, {.width = flags.width});
}

report::Drawing switching_drawing(const PlotFlags& flags, const AttentionPlot& plot) {
  const auto& found = plot.tracked.switching;
  if (!found) {
    throw Error(
        ErrorKind::invalid_argument,
        "--plot-switching draws what was found of an unknown switch probability; add --switch-probability auto, "
        "and a method that has one: causal, fixed-lag, smooth or viterbi");
  }
  report::SwitchingPicture picture{.found = *found, .hop = plot.tracked.trials.front().posteriors.hop};
  for (const TrackedTrial& trial : plot.tracked.trials) picture.history.push_back(trial.switching);
  const std::string file = std::filesystem::path(io::input_name(plot.scores)).filename().string();
  picture.title = flags.title.empty() ? file : flags.title;
  picture.subtitle = "This listener switches " + data::switching_words(*found);
  return report::draw_switching(picture, {.width = flags.width});
}

report::Drawing trade_off_drawing(const PlotFlags& flags, const pipeline::Comparison& comparison,
                                  const std::string& switches) {
  report::TradeOffPicture picture{.curves = {},
                                  .chance = comparison.chance,
                                  .title = flags.title,
                                  .subtitle = fmt::format("switches {}{}", switches, sweep_text(comparison))};
  if (picture.title.empty()) {
    picture.title = fmt::format("{}, {}, windows of {} s{}",
                                count_text(comparison.methods.front().participants.size(), "participant"),
                                count_text(comparison.speakers, "speaker"), comparison.window.value,
                                data::shown_hop(comparison.window, comparison.hop));
  }
  for (const pipeline::MethodResult& method : comparison.methods) {
    picture.curves.push_back(curve_of(method, comparison.switch_probability));
  }
  try {
    return report::draw_trade_off(picture, {.width = flags.width});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_data) throw;
    throw Error(error.kind(), std::string(error.what()) + " (--switch-every)");
  }
}

report::Drawing pattern_drawing(const pipeline::ForwardPattern& pattern, const std::string& title,
                                std::span<const io::PlacedElectrode> electrodes) {
  report::TopographyPicture picture{.channels = pattern.channels,
                                    .positions = dsp::electrode_positions(pattern.channels),
                                    .pattern = pattern.values,
                                    .lags = pattern.lags,
                                    .title = title};
  picture.subtitle = "forward pattern of the decoder at each lag of the EEG behind the sound";
  // What was measured on the listener's head overrules what names say; unmeasured ones would be on another head.
  for (std::size_t c = 0; !electrodes.empty() && c < pattern.channels.size(); ++c) {
    const auto found = std::ranges::find(electrodes, pattern.channels[c], &io::PlacedElectrode::name);
    picture.positions[c].reset();
    if (found == electrodes.end()) continue;
    picture.positions[c] = dsp::ElectrodePosition{found->direction[0], found->direction[1], found->direction[2]};
  }
  return report::draw_topography(picture);
}

report::Drawing alignment_drawing(const decode::Alignment& alignment, const std::string& title) {
  report::AlignmentPicture picture{.shifts = alignment.curve.delays,
                                   .scores = alignment.curve.values,
                                   .score_name = "multiple correlation",
                                   .shift_name = "delay of the EEG behind the sound",
                                   .expected_first = Seconds{0},
                                   .expected_last = Seconds{0.35},
                                   .title = title,
                                   .subtitle = "EEG behind the sound of the attended speaker"};
  if (alignment.verdict != decode::AlignmentVerdict::unclear) picture.peak = alignment.peak;
  return report::draw_alignment(picture);
}

}  // namespace heed::app
