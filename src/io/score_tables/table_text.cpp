// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/score_tables/window_table.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace heed::io {
namespace {

Error cannot_write(const std::string& why) { return {ErrorKind::invalid_argument, "cannot write the table: " + why}; }

void check_speakers(std::span<const std::string> speakers) {
  if (speakers.size() < 2) throw cannot_write("at least two speakers are needed");
  std::set<std::string_view> seen;
  for (const std::string& speaker : speakers) {
    check_writable(speaker, "a speaker");
    if (!reserved_like(speaker).empty()) throw cannot_write(in_quotes(speaker) + " is reserved; rename the speaker");
    if (!seen.insert(speaker).second) throw cannot_write("two speakers are called " + in_quotes(speaker));
  }
}

void check_labels(std::span<const Speaker> labels, const TrialColumns& trial, Speaker lowest) {
  const auto speakers = static_cast<Speaker>(trial.values->cols());
  const bool fits = static_cast<Index>(labels.size()) == trial.values->rows() &&
                    std::ranges::all_of(labels, [&](Speaker s) { return s >= lowest && s < speakers; });
  if (!fits) throw cannot_write("every window needs one label that is a speaker");
}

void check_trial(const TrialColumns& trial, const TrialColumns& first, std::size_t speakers) {
  if (trial.values->rows() == 0) throw cannot_write("a trial has no windows");
  if (trial.values->cols() != static_cast<Index>(speakers)) throw cannot_write("every speaker needs one column");
  const double window = trial.window.value;
  if (!(window > 0) || !std::isfinite(window)) throw cannot_write("a window must last longer than 0 s");
  if (window != first.window.value) throw cannot_write("all trials of a file have one window length");
  if (!(trial.hop.value > 0) || trial.hop > trial.window) {
    throw cannot_write("a hop is longer than 0 s and no longer than the window");
  }
  if (trial.hop != first.hop) throw cannot_write("all trials of a file have one hop");
  if (!std::isfinite(trial.onset.value)) throw cannot_write("a trial has no onset");
  check_labels(trial.attended, trial, unknown_speaker);
  if (!trial.decisions) return;
  check_labels(*trial.decisions, trial, 0);
  const bool probabilities = (trial.values->array() >= 0 && trial.values->array() <= 1).all();
  if (!probabilities) throw cannot_write("a posterior is a probability from 0 to 1");
}

void check_trials(std::span<const TrialColumns> trials, std::size_t speakers) {
  if (trials.empty()) throw cannot_write("there are no trials");
  std::set<std::string_view> seen;
  for (const TrialColumns& trial : trials) {
    check_trial(trial, trials.front(), speakers);
    if (trials.size() > 1 || !trial.name.empty()) check_writable(trial.name, "a trial");
    if (!seen.insert(trial.name).second) throw cannot_write("two trials are called " + in_quotes(trial.name));
  }
}

// Rounding an onset to `digits` would make a long recording irregular. Fifteen keep 0.3 what it is
// (3 x 0.1 is 0.30000000000000004); who asks for exact numbers gets exact onsets.
void append_onset(std::string& text, Seconds onset, int digits) {
  constexpr int decimal_digits = 15;
  append_number(text, onset.value, std::max(digits, decimal_digits));
}

void append_label(std::string& text, const TableShape& shape, Speaker speaker) {
  text += '\t';
  text +=
      speaker == unknown_speaker ? missing_cell : std::string_view(shape.speakers[static_cast<std::size_t>(speaker)]);
}

bool has_labels(std::span<const TrialColumns> trials) {
  return std::ranges::any_of(trials, [](const TrialColumns& trial) {
    return std::ranges::any_of(trial.attended, [](Speaker s) { return s != unknown_speaker; });
  });
}

}  // namespace

void append_header(std::string& text, const TableShape& shape) {
  if (shape.digits < 1 || shape.digits > 17) {
    throw Error(ErrorKind::invalid_argument, "digits must be from 1 to 17");
  }
  check_speakers(shape.speakers);
  text += "onset";
  if (shape.duration) text += "\tduration";
  if (shape.named) text += "\ttrial";
  for (const std::string& speaker : shape.speakers) (text += '\t') += speaker;
  if (shape.decided) text += "\tdecision";
  if (shape.labelled) text += "\tattended";
  text += '\n';
}

void append_window(std::string& text, const TableShape& shape, const WindowCells& cells) {
  append_onset(text, cells.onset, shape.digits);
  if (shape.duration) append_number(text += '\t', shape.duration->value, shape.digits);
  if (shape.named) (text += '\t') += cells.trial;
  for (const double value : cells.values) append_number(text += '\t', value, shape.digits);
  if (shape.decided) append_label(text, shape, cells.decision);
  if (shape.labelled) append_label(text, shape, cells.attended);
  text += '\n';
}

std::string table_text(std::span<const std::string> speakers, std::span<const TrialColumns> trials, int digits) {
  if (digits < 1 || digits > 17) throw Error(ErrorKind::invalid_argument, "digits must be from 1 to 17");
  check_speakers(speakers);
  check_trials(trials, speakers.size());
  const TableShape shape{
      .speakers = speakers,
      .digits = digits,
      .duration = trials.front().hop < trials.front().window ? std::optional(trials.front().window) : std::nullopt,
      .named = !trials.front().name.empty(),
      .decided = trials.front().decisions.has_value(),
      .labelled = has_labels(trials)};
  std::string text;
  append_header(text, shape);
  for (const TrialColumns& trial : trials) {
    for (Index t = 0; t < trial.values->rows(); ++t) {
      const auto row = static_cast<std::size_t>(t);
      append_window(text, shape,
                    {.onset = trial.onset + static_cast<double>(t) * trial.hop,
                     .trial = trial.name,
                     .values = data::view(*trial.values).row(t),
                     .decision = trial.decisions ? (*trial.decisions)[row] : unknown_speaker,
                     .attended = trial.attended[row]});
    }
  }
  return text;
}

}  // namespace heed::io
