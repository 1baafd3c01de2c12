// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/cnd/cnd_file.h>
#include <io/cnd/cnd_stimulus.h>
#include <io/recording/header_text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view neural_beginning = "dataSub";
constexpr std::string_view stimulus_beginning = "dataStim";

// The struct of the recording: eeg, or the only variable with data and fs that is not stim.
MatValue neural_of(const MatFile& file, const std::string& path) {
  if (file.has("eeg")) return file.variable("eeg");
  std::vector<MatValue> found;
  for (const std::string& name : file.names()) {
    const MatValue value = file.variable(name);
    if (name != "stim" && value.has("data") && value.has("fs")) found.push_back(value);
  }
  if (found.size() == 1) return found.front();
  throw Error(ErrorKind::bad_data, path + ": has no struct eeg with the fields data and fs, so it is no CND file");
}

struct StimulusFile {
  fs::path path{};
  bool shared = false;  // by all participants
};

StimulusFile stimulus_file(const PublicFile& file, const CndReadOptions& options) {
  if (options.stimuli) return {*options.stimuli, true};
  const std::string name = file.path.filename().string();
  const fs::path folder = file.path.parent_path();
  std::string stimulus(stimulus_beginning);
  stimulus += name.starts_with(neural_beginning) ? name.substr(neural_beginning.size()) : name;
  std::error_code ignored;
  if (fs::exists(folder / stimulus, ignored)) return {folder / stimulus, false};
  const std::string shared = std::string(stimulus_beginning) + ".mat";
  if (fs::exists(folder / shared, ignored)) return {folder / shared, true};
  throw Error(ErrorKind::not_found, file.path.string() + ": has no stim, and neither " + stimulus + " nor " + shared +
                                        " lies beside it; put it there, or say where it is");
}

// Groups of channels beside the EEG: a cell of structs, one struct, or a struct with a field for each.
std::vector<MatValue> external_groups(const MatValue& external) {
  std::vector<MatValue> groups;
  const auto add = [&](const MatValue& value) {
    if (value.has("data") && value.field("data").is(MatKind::cell)) groups.push_back(value);
  };
  if (external.is(MatKind::cell)) {
    for (std::size_t k = 0; k < external.size(); ++k) add(external.cell(k));
  } else if (external.has("data")) {
    add(external);
  } else if (external.is(MatKind::structure) && external.size() == 1) {
    for (const std::string& name : external.field_names()) add(external.field(name));
  }
  return groups;
}

std::string group_label(const MatValue& group, std::size_t number) {
  std::string label;
  if (group.has("description") && group.field("description").is(MatKind::text)) {
    label = bids_label(group.field("description").text());
  }
  return label.empty() ? "EXG" + std::to_string(number + 1) + "-" : label;
}

class CndParticipant final : public PublicParticipant {
 public:
  CndParticipant(const PublicFile& file, const CndReadOptions& options)
      : file_(MatFile::open(file.path)),
        eeg_(neural_of(file_, file.path.string())),
        data_(filled_cell(eeg_.field("data"))),
        rate_{eeg_.field("fs").positive()},
        stimulus_(open_stimulus(file, options)) {
    if (stimulus_.trials() != data_.size()) {
      throw data_.error("holds " + std::to_string(data_.size()) + " trials, stim.data " +
                        std::to_string(stimulus_.trials()) + "; both must hold the same trials, in the same order");
    }
    for (std::size_t k = 0; k < data_.size(); ++k) {
      if (data_.cell(k).size() > 0) recorded_.push_back(k);
    }
    if (recorded_.empty()) throw data_.error("every trial is empty");
  }

  [[nodiscard]] std::size_t trials() const override { return recorded_.size(); }

  [[nodiscard]] PublicTrial read(std::size_t index, std::vector<std::string>& notes) const override {
    if (index == 0 && recorded_.size() < data_.size()) {
      notes.push_back(std::to_string(data_.size() - recorded_.size()) + " empty trials are left out");
    }
    const std::size_t k = recorded_[index];
    const MatValue eeg = data_.cell(k);
    PublicTrial trial;
    trial.condition = bids_label(stimulus_.condition(k));
    set_recording(trial, eeg, labels(eeg, index == 0 ? &notes : nullptr), rate_);
    add_external(trial, k, notes);
    add_stimuli(trial, k);
    return trial;
  }

 private:
  CndStimulus open_stimulus(const PublicFile& file, const CndReadOptions& options) {
    if (file_.has("stim") && !options.stimuli) {
      prefix_ = "sub-" + file.subject + "_";
      return {file_.variable("stim"), options};
    }
    const StimulusFile found = stimulus_file(file, options);
    if (!found.shared) prefix_ = "sub-" + file.subject + "_";
    stimulus_source_ = MatFile::open(found.path);
    return {stimulus_source_->variable("stim"), options};
  }

  // As chanlocs has them, where it has one for each column.
  [[nodiscard]] std::vector<std::string> labels(const MatValue& eeg, std::vector<std::string>* notes) const {
    std::vector<std::string> ignored;
    if (notes == nullptr) notes = &ignored;
    std::vector<std::string> names;
    if (eeg_.has("chanlocs") && eeg_.field("chanlocs").is(MatKind::structure)) {
      const MatValue places = eeg_.field("chanlocs");
      for (std::size_t c = 0; c < places.size(); ++c) names.push_back(places.element(c).field("labels").text());
    }
    const std::size_t columns = eeg.dimensions().size() == 2 ? eeg.dimensions()[1] : 0;
    if (names.size() != columns) {
      notes->push_back("the channels are numbered: there are " + std::to_string(columns) + ", and " +
                       std::to_string(names.size()) + " names in chanlocs");
      names.clear();
      for (std::size_t c = 1; c <= columns; ++c) names.push_back("E" + std::to_string(c));
    }
    make_unique(names, *notes);
    return names;
  }

  // Mastoids and the like: for references, not for decoding.
  void add_external(PublicTrial& trial, std::size_t k, std::vector<std::string>& notes) const {
    if (!eeg_.has("extChan")) return;
    const std::vector<MatValue> groups = external_groups(eeg_.field("extChan"));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const MatValue cells = groups[g].field("data");
      if (k >= cells.size() || cells.cell(k).size() == 0) continue;
      const SampleMatrix samples = cells.cell(k).samples();
      Recording& recording = trial.recording;
      if (samples.rows() != recording.samples.rows()) {
        notes.push_back(cells.cell(k).path() + " has another length than the EEG, and is left out");
        continue;
      }
      const Index before = recording.samples.cols();
      recording.samples.conservativeResize(Eigen::NoChange, before + samples.cols());
      recording.samples.rightCols(samples.cols()) = samples;
      for (Index c = 1; c <= samples.cols(); ++c) {
        const std::string name = group_label(groups[g], g) + std::to_string(c);
        recording.channels.push_back({name, "uV", rate_});
        trial.channels.push_back({name, "MISC", "uV", rate_, true});
      }
    }
  }

  void add_stimuli(PublicTrial& trial, std::size_t k) const {
    const Seconds onset = stimulus_onset();
    const Seconds most = duration(trial.recording) - onset;
    if (!(most > Seconds{0})) {
      throw eeg_.error("paddingStartSample lies behind the end of trial " + std::to_string(k + 1));
    }
    for (std::size_t s = 0; s < stimulus_.speakers().size(); ++s) {
      const std::string& speaker = stimulus_.speakers()[s];
      Envelope envelope = stimulus_.envelope(s, k);
      const Seconds length{static_cast<double>(envelope.values.rows()) / envelope.sampling_frequency.value};
      const std::string file = prefix_ + "stim-" + std::to_string(k + 1) + "_" + bids_label(speaker) + ".tsv";
      trial.listening.stimuli.push_back(
          {.speaker = speaker, .onset = onset, .duration = std::min(most, length), .file = file});
      trial.envelopes.push_back({file, std::move(envelope)});
    }
    for (AttentionStretch stretch : stimulus_.attention(k, most)) {
      const Seconds end = std::min(most, stretch.onset + stretch.duration);
      stretch.duration = end - stretch.onset;
      stretch.onset = stretch.onset + onset;
      if (stretch.duration > Seconds{0}) trial.listening.attention.push_back(stretch);
    }
  }

  // EEG from before the stimulus may be there, for filters.
  [[nodiscard]] Seconds stimulus_onset() const {
    if (!eeg_.has("paddingStartSample") || eeg_.field("paddingStartSample").size() == 0) return {};
    const MatValue padding = eeg_.field("paddingStartSample");
    const double samples = padding.number();
    if (samples < 0 || samples != std::floor(samples)) throw padding.error("must be a whole number of samples");
    return {samples / rate_.value};
  }

  MatFile file_;
  MatValue eeg_;
  MatValue data_;
  Hertz rate_;
  std::optional<MatFile> stimulus_source_{};
  std::string prefix_{};  // of the names of stimuli that are the participant's own
  CndStimulus stimulus_;
  std::vector<std::size_t> recorded_{};  // trials with EEG
};

}  // namespace

std::unique_ptr<PublicParticipant> open_cnd(const PublicFile& file, const CndReadOptions& options) {
  return std::make_unique<CndParticipant>(file, options);
}

std::vector<ConvertedParticipant> convert_cnd(std::span<const fs::path> sources, const fs::path& target,
                                              const CndReadOptions& reading, const ConvertOptions& options) {
  const auto open = [&](const PublicFile& file) { return open_cnd(file, reading); };
  return convert_files(
      {.files = find_numbered_files(
           {neural_beginning, ".mat", "give the files themselves if they are called otherwise"}, sources),
       .description = {.name = "CND data",
                       .readme = "Converted by heed from CND files (dataSub and dataStim of the CNSP workshop). A run "
                                 "is one trial. The files tell no unit; microvolts are assumed.\n"},
       .open = open},
      target, options);
}

}  // namespace heed::io
