// SPDX-License-Identifier: MIT
// AV-GC-AAD. Envelopes are by talker; the places left and right are what a listener attends to, so each is put
// together from the two talkers, who change sides at every switch.
#include <data/text.h>
#include <io/public_sets/public_set.h>

#include <algorithm>

namespace heed::io {
namespace {

class AvGcAad final : public PublicParticipant {
 public:
  explicit AvGcAad(const PublicFile& file)
      : subject_(file.subject),
        file_(MatFile::open(file.path)),
        data_(filled_cell(file_.variable("data"))),
        rate_{file_.variable("fs").positive()} {}

  [[nodiscard]] std::size_t trials() const override { return data_.size(); }

  [[nodiscard]] PublicTrial read(std::size_t index, std::vector<std::string>& notes) const override {
    PublicTrial trial;
    const MatValue condition = per_trial("conditionID").cell(index);
    const std::string condition_id = condition.text();
    trial.condition = bids_label(condition_id);
    if (trial.condition.empty()) throw condition.error("is empty; it must hold the condition of the trial");
    const MatValue eeg = data_.cell(index);
    set_recording(trial, eeg, labels(index, notes), rate_);
    const Seconds end = duration(trial.recording);

    const MatValue randomization = per_trial("randomization").cell(index);
    const std::string begins = first_side(index, randomization, notes);
    add_talkers(trial, index, begins);
    add_pieces(trial, pieces(randomization, end), begins, condition_id);
    return trial;
  }

 private:
  [[nodiscard]] MatValue per_trial(std::string_view name) const { return filled_cell(file_.variable(name), trials()); }

  // Where the attended talker is at the beginning.
  [[nodiscard]] std::string first_side(std::size_t index, const MatValue& randomization,
                                       std::vector<std::string>& notes) const {
    const MatValue begins = per_trial("initAttention").cell(index);
    std::string result = side(begins);
    if (randomization.has("first_attended_side") && side(randomization.field("first_attended_side")) != result) {
      notes.push_back(begins.path() + " is " + result + ", " + randomization.path() +
                      ".first_attended_side is not; the former is taken");
    }
    return result;
  }

  // The attended talker's envelope, then the other's; files say where a talker begins.
  void add_talkers(PublicTrial& trial, std::size_t index, const std::string& begins) const {
    const std::string stem = "sub-" + subject_ + "_run-" + std::to_string(index + 1) + "_talker-";
    const MatValue stimulus = file_.variable("stimulus");
    for (const bool attended : {true, false}) {
      const MatValue envelopes =
          filled_cell(stimulus.field(attended ? "attendedEnvelopes" : "unattendedEnvelopes"), trials());
      trial.envelopes.push_back({stem + (attended ? begins : other_side(begins)) + ".tsv",
                                 read_envelope(envelopes.cell(index), rate_, duration(trial.recording))});
    }
  }

  static void add_pieces(PublicTrial& trial, const std::vector<Seconds>& bounds, const std::string& begins,
                         const std::string& name) {
    std::string attended = begins;  // the place
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
      const Seconds onset = bounds[k];
      const Seconds length = bounds[k + 1] - onset;
      for (const std::string place : {"left", "right"}) {
        const TrialEnvelope& talker = trial.envelopes[place == attended ? 0 : 1];
        trial.listening.stimuli.push_back({place, onset, length, talker.file, onset, {}, name});
      }
      trial.listening.attention.push_back({attended, onset, length, name});
      attended = other_side(attended);
    }
  }

  // Metadata may list every channel of the amplifier; the data hold 64 of the scalp and EXG3 to EXG6.
  [[nodiscard]] std::vector<std::string> labels(std::size_t index, std::vector<std::string>& notes) const {
    const MatValue channels = per_trial("metadata").cell(index).at("FileHeader.Channels");
    std::vector<std::string> all = channel_labels(channels);
    constexpr std::size_t published = 68;
    constexpr std::size_t scalp = 64;
    if (all.size() <= published) return all;
    std::vector<std::string> kept(all.begin(), all.begin() + scalp);
    for (const char* name : {"EXG3", "EXG4", "EXG5", "EXG6"}) {
      if (std::ranges::find(all, name) != all.end()) kept.emplace_back(name);
    }
    notes.push_back(channels.path() + " lists " + std::to_string(all.size()) +
                    " channels; the first 64 and EXG3 to EXG6 are taken as those of the data");
    return kept;
  }

  // Where the trial begins, where talkers change sides, where it ends.
  [[nodiscard]] static std::vector<Seconds> pieces(const MatValue& randomization, Seconds end) {
    const MatValue value = randomization.field("switch_times");
    std::vector<Seconds> bounds{Seconds{0}};
    for (const double time : value.numbers()) {
      if (!(time > bounds.back().value) || !(time < end.value)) {
        throw value.error(data::shown(time) + " s is not between " + data::shown(bounds.back().value) +
                          " s and the end of the trial at " + data::shown(end.value) + " s");
      }
      bounds.push_back({time});
    }
    bounds.push_back(end);
    return bounds;
  }

  std::string subject_;
  MatFile file_;
  MatValue data_;
  Hertz rate_;
};

}  // namespace

std::unique_ptr<PublicParticipant> open_av_gc_aad(const PublicFile& file) { return std::make_unique<AvGcAad>(file); }

}  // namespace heed::io
