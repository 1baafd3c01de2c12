// SPDX-License-Identifier: MIT
// KU Leuven 2016: a cell of trials, each with its EEG, the names of two WAV files and the ear attended to.
#include <heed/io/sound_file.h>
#include <io/public_sets/public_set.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

class KuLeuven final : public PublicParticipant {
 public:
  KuLeuven(const PublicFile& file, const PublicReadOptions& options)
      : path_(file.path),
        stimuli_(options.stimuli),
        file_(MatFile::open(file.path)),
        trials_(filled_cell(file_.variable("trials"))) {}

  [[nodiscard]] std::size_t trials() const override { return trials_.size(); }

  [[nodiscard]] PublicTrial read(std::size_t index, std::vector<std::string>& notes) const override {
    const MatValue source = trials_.cell(index);
    PublicTrial trial;
    const std::string attended = side(source.field("attended_ear"));
    const Hertz rate{source.at("FileHeader.SampleRate").positive()};
    set_recording(trial, source.at("RawData.EegData"), channel_labels(source.at("FileHeader.Channels")), rate);
    if (source.has("condition")) trial.condition = bids_label(source.field("condition").text());
    const std::string name = trial_name(source, index);
    const Seconds end = duration(trial.recording);
    const MatValue stimuli = source.field("stimuli");
    if (!stimuli.is(MatKind::cell) || stimuli.size() != 2) {
      throw stimuli.error("is " + stimuli.described() + ", not a cell with two WAV files, left and right");
    }
    for (const auto& [place, k] : {std::pair("left", 0U), std::pair("right", 1U)}) {
      const TrialSound sound = find_sound(stimuli.cell(k));
      const Seconds length{std::min(end.value, read_audio_header(sound.source).duration().value)};
      if (length < end) notes.push_back(sound.file + " is shorter than the EEG of " + source.path());
      trial.listening.stimuli.push_back({place, {}, length, sound.file, {}, {}, name});
      trial.sounds.push_back(sound);
    }
    trial.listening.attention.push_back({attended, {}, end, name});
    return trial;
  }

 private:
  // TrialID where there is one.
  [[nodiscard]] static std::string trial_name(const MatValue& source, std::size_t index) {
    if (!source.has("TrialID")) return std::to_string(index + 1);
    const MatValue id = source.field("TrialID");
    if (id.is(MatKind::text)) return id.text();
    return number_text(id.number());
  }

  [[nodiscard]] TrialSound find_sound(const MatValue& value) const {
    const std::string file = value.text();
    if (file.empty() || file.find_first_of("/\\") != std::string::npos || file.front() == '.') {
      throw value.error(in_quotes(file) + " is not the name of a WAV file");
    }
    const fs::path folder = fs::absolute(path_).parent_path();
    std::vector<fs::path> places{folder / "stimuli", folder.parent_path() / "stimuli", folder};
    if (stimuli_) places = {*stimuli_};
    for (const fs::path& place : places) {
      std::error_code ignored;
      if (fs::is_regular_file(place / file, ignored)) return {file, place / file};
    }
    throw Error(ErrorKind::not_found, value
                                          .error(in_quotes(file) + " is not in " + places.front().string() +
                                                 "; unpack the stimuli there, or say in which folder they are")
                                          .what());
  }

  fs::path path_;
  std::optional<fs::path> stimuli_;
  MatFile file_;
  MatValue trials_;
};

}  // namespace

std::unique_ptr<PublicParticipant> open_kuleuven(const PublicFile& file, const PublicReadOptions& options) {
  return std::make_unique<KuLeuven>(file, options);
}

}  // namespace heed::io
