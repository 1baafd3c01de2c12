// SPDX-License-Identifier: MIT
// DTU: a struct of cells, one per trial, as the authors' own preprocessing leaves it. wavA is attended.
#include <io/public_sets/public_set.h>
#include <io/tsv.h>

#include <cmath>
#include <optional>

namespace heed::io {
namespace {

// A number of any shape that holds one: 1, {1}.
std::optional<double> one_number(const MatValue& value) {
  if (value.is(MatKind::cell) && value.size() == 1) return one_number(value.cell(0));
  if (!value.is(MatKind::number) || value.size() != 1) return std::nullopt;
  return value.number();
}

// That of a trial, in a list with one for each.
std::optional<double> number_of(const MatValue& list, std::size_t index, std::size_t trials) {
  if (list.size() != trials) return std::nullopt;
  if (list.is(MatKind::cell)) return one_number(list.cell(index));
  if (!list.is(MatKind::number)) return std::nullopt;
  return list.numbers().at(index);
}

class Dtu final : public PublicParticipant {
 public:
  explicit Dtu(const PublicFile& file)
      : subject_(file.subject),
        data_(MatFile::open(file.path).variable("data")),
        eeg_(filled_cell(data_.field("eeg"))) {}

  [[nodiscard]] std::size_t trials() const override { return eeg_.size(); }

  [[nodiscard]] PublicTrial read(std::size_t index, std::vector<std::string>& notes) const override {
    PublicTrial trial;
    const MatValue eeg = eeg_.cell(index);
    const bool first = index == 0;  // one note is enough
    const Hertz rate = rate_of("eeg", first ? &notes : nullptr);
    set_recording(trial, eeg, labels(index, first ? &notes : nullptr), rate);
    const Seconds end = duration(trial.recording);
    for (const std::string speaker : {"A", "B"}) {
      const MatValue wav = filled_cell(data_.field("wav" + speaker), trials()).cell(index);
      std::string file = "sub-" + subject_ + "_run-" + std::to_string(index + 1) + "_wav" + speaker + ".tsv";
      trial.envelopes.push_back({file, read_envelope(wav, rate_of("wav" + speaker, nullptr), end)});
      trial.listening.stimuli.push_back({speaker, {}, end, std::move(file), {}, {}, ""});
    }
    trial.listening.attention.push_back({"A", {}, end, ""});
    if (const auto value = event_value(index)) {
      trial.markers.push_back({{}, {}, "Stimulus/" + number_text(*value)});
    } else if (first) {
      notes.emplace_back("data.event.eeg has no value for each trial; no markers are written");
    }
    return trial;
  }

 private:
  // data.fsample.eeg, or one rate for all; the preprocessing of the authors ends at 64 Hz.
  [[nodiscard]] Hertz rate_of(const std::string& field, std::vector<std::string>* notes) const {
    constexpr Hertz published{64};
    if (data_.has("fsample")) {
      const MatValue rates = data_.field("fsample");
      if (rates.is(MatKind::number)) return {rates.positive()};
      if (rates.has(field)) return {rates.field(field).positive()};
      if (field != "eeg") return rate_of("eeg", notes);
      throw rates.error("has no field eeg with the sampling frequency");
    }
    if (notes != nullptr) notes->push_back("data.fsample is missing; 64 Hz is taken, as published");
    return published;
  }

  // One label per channel, for all trials or for each.
  [[nodiscard]] std::vector<std::string> labels(std::size_t index, std::vector<std::string>* notes) const {
    if (data_.has("dim") && data_.field("dim").has("chan") && data_.at("dim.chan").has("eeg")) {
      const MatValue list = data_.at("dim.chan.eeg");
      if (list.is(MatKind::cell) && list.size() > 0) {
        const bool each = list.cell(0).is(MatKind::cell);
        return cell_texts(each ? list.cell(list.size() == trials() ? index : 0) : list);
      }
    }
    constexpr int scalp = 64;
    std::vector<std::string> names;
    for (int k = 1; k <= scalp; ++k) names.push_back("E" + std::to_string(k));
    names.insert(names.end(), {"EXG1", "EXG2"});
    if (notes != nullptr) notes->push_back("data.dim.chan.eeg is missing; channels are called E1 to E64, EXG1, EXG2");
    return names;
  }

  // Which talker was attended, as the trigger said: 1 the man, 2 the woman.
  [[nodiscard]] std::optional<double> event_value(std::size_t index) const {
    if (!data_.has("event") || !data_.field("event").has("eeg")) return std::nullopt;
    const MatValue events = data_.at("event.eeg");
    if (!events.is(MatKind::structure)) return std::nullopt;
    if (events.size() == trials() && events.element(index).has("value")) {
      return one_number(events.element(index).field("value"));
    }
    return events.has("value") ? number_of(events.field("value"), index, trials()) : std::nullopt;
  }

  std::string subject_;
  MatValue data_;
  MatValue eeg_;
};

}  // namespace

std::unique_ptr<PublicParticipant> open_dtu(const PublicFile& file) { return std::make_unique<Dtu>(file); }

}  // namespace heed::io
