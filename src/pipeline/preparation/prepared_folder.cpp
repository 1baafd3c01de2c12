// SPDX-License-Identifier: MIT
// Prepared signals as a BIDS folder.
#include <heed/io/model_file.h>
#include <io/bids/dataset_writer.h>
#include <pipeline/preparation/preparation.h>

#include <limits>
#include <mutex>

namespace heed::pipeline {
namespace {

std::string stimulus_name(const PreparedRun& run, const PreparedTrial& trial, const std::string& speaker) {
  const std::string part = trial.name.empty() ? "" : "_trial-" + io::bids_label(trial.name);
  return run.name + part + "_" + io::bids_label(speaker) + ".tsv";
}

// One trial behind the other, on a clock that begins at 0.
class TrialsOnOneClock {
 public:
  TrialsOnOneClock(const io::BidsRun& run, const PreparedRun& prepared) : prepared_(prepared) {
    written_.entities = run.entities;
    written_.entities.session.clear();
    written_.recording.sampling_frequency = prepared.sampling_frequency;
    for (const std::string& name : prepared.channels) {
      written_.recording.channels.push_back({name, "uV", prepared.sampling_frequency});
      written_.channels.push_back({.name = name, .type = "EEG", .unit = "uV"});
    }
    Index rows = 0;
    for (const PreparedTrial& trial : prepared.trials) rows += trial.eeg.rows();
    written_.recording.samples.resize(rows, std::ssize(prepared.channels));
    Index first = 0;
    for (const PreparedTrial& trial : prepared.trials) {
      add(trial, first);
      first += trial.eeg.rows();
    }
  }

  void write(io::ParticipantDraft& draft) const {
    for (const PreparedTrial& trial : prepared_.trials) {
      for (std::size_t s = 0; s < trial.stimuli.size(); ++s) {
        draft.write_envelope(stimulus_name(prepared_, trial, prepared_.speakers[s]),
                             {.sampling_frequency = prepared_.sampling_frequency,
                              .columns = prepared_.targets,
                              .values = trial.stimuli[s].cast<double>()});
      }
    }
    draft.write(written_);
  }

 private:
  [[nodiscard]] Seconds time(Index samples) const {
    return {static_cast<double>(samples) / prepared_.sampling_frequency.value};
  }

  void add(const PreparedTrial& trial, Index first) {
    auto rows = written_.recording.samples.middleRows(first, trial.eeg.rows());
    rows = trial.eeg;
    // What was not recorded is not made up: readers of 32 bit floats see NaN, as heed does.
    for (const SampleRange& gap : trial.missing) {
      rows.middleRows(gap.first, gap.count).setConstant(std::numeric_limits<float>::quiet_NaN());
    }
    const std::string name = prepared_.trials.size() > 1 && trial.name.empty() ? "1" : trial.name;
    for (const std::string& speaker : prepared_.speakers) {
      written_.listening.stimuli.push_back({.speaker = speaker,
                                            .onset = time(first),
                                            .duration = time(trial.eeg.rows()),
                                            .file = stimulus_name(prepared_, trial, speaker),
                                            .trial = name});
    }
    for (const AttendedRange& range : trial.attention) {
      written_.listening.attention.push_back({.speaker = prepared_.speakers[static_cast<std::size_t>(range.speaker)],
                                              .onset = time(first + range.samples.first),
                                              .duration = time(range.samples.count),
                                              .trial = name});
    }
  }

  const PreparedRun& prepared_;
  io::WrittenRun written_;
};

// heed's recipe decodes onsets; whoever prepares signals for other programs wants the envelope too.
Preprocessing signals_of(const DecoderRequest& request) {
  Preprocessing preprocessing = resolve(request).preprocessing;
  const auto recipe = recipe_of(request);
  if (!request.targets && recipe && *recipe >= Recipe::onset) {
    preprocessing.targets = {SpeechTarget::envelope, SpeechTarget::onset};
  }
  return preprocessing;
}

}  // namespace

PrepareResult prepare(const PrepareRequest& request) {
  PrepareResult result{.preprocessing = signals_of(request.decoder)};
  const OpenFolder folder(request.folder, result.preprocessing);
  result.notes = folder.notes();
  const auto& participants = folder.participants();
  io::DatasetWriter writer(io::FolderLock(request.output),
                           {.name = folder.dataset().name + ", preprocessed for decoders",
                            .readme = "EEG and envelopes preprocessed by heed: " + io::describe(result.preprocessing) +
                                      ". They are not scaled. Preprocessing them again would filter them twice."},
                           {.resume = request.resume});
  std::mutex writing;
  std::vector<heed::Notes> notes(participants.size());
  const auto errors = folder.for_each("preparing", participants.size(), [&](std::size_t k) {
    const std::string& id = participants[k].id;
    {
      const std::scoped_lock lock(writing);
      if (writer.has_participant(id)) return;
    }
    const PreparedParticipant prepared = folder.prepare(participants[k]);
    notes[k] = prepared.notes;
    const std::scoped_lock lock(writing);
    io::ParticipantDraft draft = writer.begin(id);
    for (std::size_t r = 0; r < prepared.runs.size(); ++r) {
      TrialsOnOneClock(participants[k].runs[r], prepared.runs[r]).write(draft);
    }
    writer.commit(draft, participants[k].runs.front().eeg.filename().string());
  });
  for (std::size_t k = 0; k < participants.size(); ++k) {
    result.participants.push_back({participants[k].id, errors[k]});
    result.notes.insert(result.notes.end(), notes[k].begin(), notes[k].end());
  }
  return result;
}

}  // namespace heed::pipeline
