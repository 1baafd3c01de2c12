// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/cnd/cnd_file.h>
#include <io/held_file.h>
#include <io/mat/mat5_writer.h>
#include <io/recording/header_text.h>
#include <pipeline/preparation/cnd_folder.h>
#include <pipeline/preparation/run_signals.h>

#include <algorithm>

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;
using io::Mat5Value;

struct PlannedRun {
  io::BidsRun run{};
  RunPlan plan{};
};

std::vector<std::string> eeg_names(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const io::EegChannel& channel : plan.eeg) names.push_back(channel.name);
  return names;
}

std::vector<std::string> speaker_names(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const io::SpeakerPieces& speaker : plan.trials.front().speakers) names.push_back(speaker.name);
  return names;
}

Mat5Value texts(const std::vector<std::string>& values) {
  std::vector<Mat5Value> items;
  for (const std::string& value : values) items.push_back(Mat5Value::text(value));
  return Mat5Value::cell(1, std::ssize(values), std::move(items));
}

// Of one participant; the second appears last.
struct CndFiles {
  CndFiles(const fs::path& folder, std::size_t number)
      : stimulus(folder / ("dataStim" + std::to_string(number) + ".mat")),
        subject(folder / ("dataSub" + std::to_string(number) + ".mat")) {}

  [[nodiscard]] bool exist() const { return fs::exists(stimulus) && fs::exists(subject); }

  fs::path stimulus;
  fs::path subject;
};

// One participant, read trial by trial while it is written.
class CndParticipant {
 public:
  CndParticipant(const io::BidsDataset& dataset, const io::ParticipantRuns& participant)
      : sounds_(dataset), id_(participant.id) {
    for (const io::BidsRun& run : participant.runs) runs_.push_back({run, plan_run(dataset, run)});
    for (const PlannedRun& one : runs_) check_like_first(one);
    rate_ = runs_.front().plan.header.sampling_frequency;
  }

  void write(const CndFiles& files) const {
    io::write_mat5(files.stimulus, {{"stim", stim()}});
    try {
      io::write_mat5(files.subject, {{"eeg", eeg()}});
    } catch (...) {
      std::error_code ignored;
      fs::remove(files.stimulus, ignored);  // both or neither
      throw;
    }
  }

  [[nodiscard]] std::size_t trials() const {
    std::size_t count = 0;
    for (const PlannedRun& one : runs_) count += one.plan.trials.size();
    return count;
  }

 private:
  // A CND file has one rate, one list of channels and one of features.
  void check_like_first(const PlannedRun& one) const {
    const RunPlan& first = runs_.front().plan;
    const auto differs = [&](const std::string& property) {
      return Error(ErrorKind::bad_data, one.run.eeg.string() + ": has other " + property + " than " +
                                            runs_.front().run.name + "; CND needs the same in all runs of a listener");
    };
    if (one.plan.header.sampling_frequency.value != first.header.sampling_frequency.value) {
      throw differs("samples per second");
    }
    if (eeg_names(one.plan) != eeg_names(first)) throw differs("EEG channels");
    if (speaker_names(one.plan) != speaker_names(first)) throw differs("speakers");
  }

  [[nodiscard]] Mat5Value eeg() const {
    const std::vector<std::string> names = eeg_names(runs_.front().plan);
    std::vector<Mat5Value> data;
    std::vector<double> positions;
    for (const PlannedRun& one : runs_) {
      for (const io::TrialPlan& trial : one.plan.trials) {
        data.push_back(
            Mat5Value::numbers(trial.samples, std::ssize(names), [this, &one, &trial] { return samples(one, trial); }));
        positions.push_back(static_cast<double>(positions.size() + 1));
      }
    }
    std::vector<Mat5Value> labels;
    for (const std::string& name : names) labels.push_back(Mat5Value::text(name));
    return Mat5Value::structs({{"dataType", {Mat5Value::text("EEG")}},
                               {"deviceName", {Mat5Value::text("n/a")}},
                               {"fs", {Mat5Value::number(rate_.value)}},
                               {"data", {cell_of(std::move(data))}},
                               {"chanlocs", {Mat5Value::structs({{"labels", std::move(labels)}})}},
                               {"origTrialPosition", {Mat5Value::row(std::move(positions))}},
                               {"subject", {Mat5Value::text("sub-" + id_)}},
                               {"cndVersion", {Mat5Value::number(1)}}});
  }

  [[nodiscard]] Mat5Value stim() const {
    std::vector<std::string> names = speaker_names(runs_.front().plan);
    names.emplace_back(io::cnd_attention_feature);
    std::vector<Mat5Value> data;
    std::vector<double> numbers;
    std::vector<double> conditions;
    std::vector<std::string> condition_names;
    for (const PlannedRun& one : runs_) {
      const double condition = condition_of(one.run, condition_names);
      for (const io::TrialPlan& trial : one.plan.trials) {
        for (const io::SpeakerPieces& speaker : trial.speakers) {
          data.push_back(Mat5Value::numbers(trial.samples, 1, [this, &one, &trial, &speaker] {
            return Eigen::MatrixXd(envelope(one, trial, speaker));
          }));
        }
        data.push_back(Mat5Value::numbers(trial.samples, 1, [this, &trial] { return attended(trial); }));
        numbers.push_back(static_cast<double>(numbers.size() + 1));
        conditions.push_back(condition);
      }
    }
    return Mat5Value::structs({{"names", {texts(names)}},
                               {"fs", {Mat5Value::number(rate_.value)}},
                               {"data", {Mat5Value::cell(std::ssize(names), std::ssize(numbers), std::move(data))}},
                               {"stimIdxs", {Mat5Value::row(std::move(numbers))}},
                               {"condIdxs", {Mat5Value::row(std::move(conditions))}},
                               {"condNames", {texts(condition_names)}},
                               {"cndVersion", {Mat5Value::number(1)}}});
  }

  static Mat5Value cell_of(std::vector<Mat5Value> items) {
    const Index count = std::ssize(items);
    return Mat5Value::cell(1, count, std::move(items));
  }

  // What the name of a run says of it; counted from 1, as MATLAB does.
  static double condition_of(const io::BidsRun& run, std::vector<std::string>& names) {
    const std::string name = run.entities.acquisition.empty() ? run.entities.task : run.entities.acquisition;
    const auto found = std::ranges::find(names, name);
    const auto position = found - names.begin();
    if (found == names.end()) names.push_back(name);
    return static_cast<double>(position + 1);
  }

  [[nodiscard]] Eigen::MatrixXd samples(const PlannedRun& one, const io::TrialPlan& trial) const {
    // Half a sample early: neither end can be missed by rounding.
    const auto at = [&](Index k) {
      return Seconds{trial.onset.value + ((static_cast<double>(k) - 0.5) / rate_.value)};
    };
    return io::read_recording(one.run.eeg, {eeg_names(one.plan), at(0), at(trial.samples)}).samples.cast<double>();
  }

  [[nodiscard]] Matrix envelope(const PlannedRun& one, const io::TrialPlan& trial,
                                const io::SpeakerPieces& speaker) const {
    try {
      return speaker_envelope(sounds_, speaker, {trial.onset, trial.samples}, {.sampling_frequency = rate_});
    } catch (const Error& error) {
      throw error.within(one.run.name + (trial.name.empty() ? "" : ", trial " + trial.name));
    }
  }

  [[nodiscard]] Eigen::MatrixXd attended(const io::TrialPlan& trial) const {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(trial.samples, 1);
    for (const AttendedRange& range : attended_ranges(trial, rate_, trial.samples)) {
      result.middleRows(range.samples.first, range.samples.count).setConstant(static_cast<double>(range.speaker) + 1);
    }
    return result;
  }

  SoundFiles sounds_;
  std::string id_;
  std::vector<PlannedRun> runs_{};
  Hertz rate_{};
};

// That of sub-07, where all participants are numbers; else their places.
std::vector<std::size_t> file_numbers(const std::vector<io::ParticipantRuns>& participants) {
  std::vector<std::size_t> numbers;
  for (const io::ParticipantRuns& one : participants) {
    const auto number = io::parse_integer(one.id);
    if (!number || *number < 0 || std::ranges::find(numbers, static_cast<std::size_t>(*number)) != numbers.end()) {
      numbers.clear();
      break;
    }
    numbers.push_back(static_cast<std::size_t>(*number));
  }
  for (std::size_t k = numbers.size(); k < participants.size(); ++k) numbers.push_back(k + 1);
  return numbers;
}

}  // namespace

std::vector<io::ConvertedParticipant> write_cnd_folder(const fs::path& dataset, const fs::path& target,
                                                       const CndWriteOptions& options) {
  const io::BidsDataset source = io::read_dataset(dataset);
  const auto participants = io::select_runs(source, {.participants = options.subjects});
  io::refuse_output_inside(dataset, target);
  const io::FolderLock folder(target);
  if (!folder.is_empty() && !options.resume) {
    throw Error(ErrorKind::cannot_create,
                target.string() + ": is not empty; choose another folder, or resume what heed began to write there");
  }
  const std::vector<std::size_t> numbers = file_numbers(participants);
  std::vector<io::ConvertedParticipant> result;
  for (std::size_t k = 0; k < participants.size(); ++k) {
    io::ConvertedParticipant& converted = result.emplace_back();
    converted.subject = participants[k].id;
    const CndFiles files(target, numbers[k]);
    converted.earlier = files.exist();
    try {
      if (!converted.earlier) {
        const CndParticipant participant(source, participants[k]);
        participant.write(files);
        converted.runs = participant.trials();
      }
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cannot_create || error.kind() == ErrorKind::io) throw;
      converted.failure = error;
    }
    if (options.progress) options.progress(k + 1, participants.size());
  }
  return result;
}

}  // namespace heed::pipeline
