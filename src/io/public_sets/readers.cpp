// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <io/public_sets/readers.h>
#include <io/recording/header_text.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>

namespace heed::io {

MatValue filled_cell(const MatValue& value, std::size_t count) {
  if (!value.is(MatKind::cell) || value.size() == 0) {
    throw value.error("is " + value.described() + ", not a cell array with a cell for each trial");
  }
  if (count != 0 && value.size() != count) {
    throw value.error("has " + std::to_string(value.size()) + " cells, where there are " + std::to_string(count) +
                      " trials");
  }
  return value;
}

std::vector<std::string> cell_texts(const MatValue& cell) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < cell.size(); ++k) texts.push_back(cell.cell(k).text());
  return texts;
}

std::vector<std::string> channel_labels(const MatValue& channels) {
  if (channels.has("Label") && channels.field("Label").is(MatKind::cell)) return cell_texts(channels.field("Label"));
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < channels.size(); ++k) labels.push_back(channels.element(k).field("Label").text());
  if (labels.empty()) throw channels.error("is " + channels.described() + ", not a struct for each channel");
  return labels;
}

void set_recording(PublicTrial& trial, const MatValue& eeg, const std::vector<std::string>& labels, Hertz rate) {
  trial.recording.samples = eeg.samples();
  trial.recording.sampling_frequency = rate;
  if (std::ssize(labels) != trial.recording.samples.cols()) {
    throw eeg.error("is " + eeg.described() + ", but there are " + std::to_string(labels.size()) +
                    " labels of channels; time must go down the rows, channels across");
  }
  for (const std::string& label : labels) {
    if (label.empty()) throw eeg.error("a channel has no label");
    trial.recording.channels.push_back({label, "uV", rate});
    trial.channels.push_back({label, is_other_channel(label) ? "MISC" : "EEG", "uV", rate, true});
  }
}

Seconds duration(const Recording& recording) {
  return {static_cast<double>(recording.samples.rows()) / recording.sampling_frequency.value};
}

Envelope read_envelope(const MatValue& value, Hertz rate, Seconds eeg) {
  const std::vector<double> numbers = value.numbers();
  const auto rows = static_cast<Index>(std::llround(eeg * rate));
  if (std::ssize(numbers) < rows) {
    throw value.error("has " + std::to_string(numbers.size()) + " values, the EEG lasts " + data::shown(eeg.value) +
                      " s, " + std::to_string(rows) + " values");
  }
  // More than a second too long is no rounding but something else: several columns, another rate.
  if (std::ssize(numbers) > rows + std::llround(rate.value)) {
    throw value.error("is " + value.described() + ", not one column of about " + std::to_string(rows) + " values");
  }
  Envelope envelope{rate, {}, {"envelope"}, Matrix(rows, 1)};
  std::copy_n(numbers.begin(), rows, envelope.values.data());
  return envelope;
}

std::string side(const MatValue& value) {
  const std::string text = value.text();
  for (const std::string_view name : {"left", "right"}) {
    if (equal_ignoring_case(text, name) || equal_ignoring_case(text, name.substr(0, 1))) return std::string(name);
  }
  throw value.error(in_quotes(text) + " is no side; left, right, L or R is one");
}

std::string other_side(const std::string& side) { return side == "left" ? "right" : "left"; }

}  // namespace heed::io
