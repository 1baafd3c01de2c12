// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/xdf/xdf_convert.h>
#include <io/xdf/xdf_run.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr Seconds shortest_run{1};

std::string two_digits(std::size_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// The value of "sub-" in sub-01_task-x_eeg.xdf; empty where there is none.
std::string entity(const fs::path& file, const std::string& key) {
  std::string name = "_" + file.stem().string() + "_";
  const std::size_t at = name.find("_" + key + "-");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 2;
  return bids_label(std::string_view(name).substr(begin, name.find('_', begin) - begin));
}

bool is_table(const fs::path& file) { return file.extension() == ".tsv" || file.extension() == ".npy"; }

// The files of one participant.
class Conversion {
 public:
  Conversion(ParticipantDraft& draft, const XdfConvertOptions& options, bool is_only_file,
             std::vector<std::string>& notes)
      : draft_(draft), options_(options), is_only_file_(is_only_file), notes_(notes) {}

  void add(const fs::path& source) {
    XdfFile file = XdfFile::open(source);
    const XdfPlan plan = plan_xdf(file, options_.rules);
    notes_.insert(notes_.end(), file.notes().begin(), file.notes().end());
    std::string task = entity(source, "task");
    if (task.empty()) task = options_.task.empty() ? "attend" : bids_label(options_.task);
    const XdfStream& eeg = file.streams()[plan.eeg];
    std::vector<XdfSegment> segments = eeg.segments;
    const double fewest = shortest_run * eeg.header.sampling_frequency;
    std::erase_if(segments, [&](const XdfSegment& segment) { return static_cast<double>(segment.samples) < fewest; });
    if (segments.empty()) {
      throw Error(ErrorKind::bad_data, source.string() + ": no second of EEG lies in one piece");
    }
    cuts_ = is_only_file_ && segments.size() == 1 && !options_.whole;
    for (const XdfSegment& segment : segments) write(file, plan, segment, task);
  }

 private:
  void write(XdfFile& file, const XdfPlan& plan, const XdfSegment& segment, const std::string& task) {
    WrittenRun run;
    run.entities = {"", "", task, "", two_digits(draft_.runs() + 1)};
    PlacedRun placed = place_run(file, plan, segment, notes_);
    const SampleClock clock{segment, placed.recording.sampling_frequency};
    std::vector<StimulusPiece> pieces = written_voices(placed, run.entities);
    add_files(plan, clock, pieces);
    place(plan, clock, pieces, run.listening);
    if (run.listening.attention.empty()) {
      notes_.push_back("run-" + run.entities.run + ": no marker says who was attended; give a rule for it");
    }
    run.recording = std::move(placed.recording);
    run.channels = std::move(placed.channels);
    run.markers = std::move(placed.markers);
    draft_.write(run);
  }

  std::vector<StimulusPiece> written_voices(const PlacedRun& placed, const BidsEntities& entities) {
    std::vector<StimulusPiece> pieces;
    std::map<std::string, int> counts;
    for (const PlacedVoice& voice : placed.voices) {
      const int count = ++counts[voice.speaker];
      std::string label = bids_label(voice.speaker);
      if (label.empty()) label = "speaker";
      const std::string file = file_name(entities, label, count) + (voice.is_envelope ? ".tsv" : ".wav");
      voice.is_envelope ? write_envelope(file, voice) : write_sound(file, voice);
      pieces.push_back({.speaker = voice.speaker, .onset = voice.onset, .duration = voice.duration(), .file = file});
    }
    return pieces;
  }

  // No other piece may have the name.
  [[nodiscard]] std::string file_name(const BidsEntities& entities, const std::string& label, int count) {
    std::string name =
        "task-" + entities.task + "_run-" + entities.run + "_" + label + (count > 1 ? std::to_string(count) : "");
    name = "sub-" + draft_.subject() + "_" + name;
    while (!names_.insert(name).second) name += "x";
    return name;
  }

  void write_envelope(const std::string& file, const PlacedVoice& voice) {
    Envelope envelope{.sampling_frequency = voice.rate, .columns = {"envelope"}};
    envelope.values = Eigen::Map<const Matrix>(voice.values.data(), std::ssize(voice.values), 1);
    draft_.write_envelope(file, envelope);
  }

  void write_sound(const std::string& file, const PlacedVoice& voice) {
    double peak = 1;
    for (const double value : voice.values) peak = std::max(peak, std::abs(value));
    if (peak > 1) notes_.push_back(file + ": the sound went beyond full scale and was made softer");
    Sound sound{.sampling_frequency = voice.rate};
    sound.samples.reserve(voice.values.size());
    for (const double value : voice.values) sound.samples.push_back(static_cast<float>(value / peak));
    draft_.write_sound(file, sound);
  }

  // Files that markers started.
  void add_files(const XdfPlan& plan, const SampleClock& clock, std::vector<StimulusPiece>& pieces) {
    for (const XdfMarker& marker : plan.markers) {
      for (const StimulusRule& rule : options_.rules.stimuli) {
        const Seconds onset = clock.at(marker.time);
        if (onset < Seconds{0} || onset >= clock.end() || !meaning_of(marker.text, {{rule.pattern, ""}})) continue;
        const std::string file = rule.file.filename().string();
        pieces.push_back({.speaker = rule.speaker,
                          .onset = onset,
                          .duration = std::min(clock.end() - onset, copied(rule.file, file)),
                          .file = file});
      }
    }
  }

  // Its duration.
  Seconds copied(const fs::path& source, const std::string& file) {
    if (!is_table(source)) {
      if (names_.insert(file).second) draft_.copy_sound(file, source);
      return read_audio_header(source).duration();
    }
    const Envelope envelope = read_envelope(source);
    if (names_.insert(file).second) draft_.write_envelope(file, envelope);
    return {static_cast<double>(envelope.values.rows()) / envelope.sampling_frequency.value};
  }

  // Pieces and attention, cut to trials where there are any.
  void place(const XdfPlan& plan, const SampleClock& clock, const std::vector<StimulusPiece>& pieces,
             ListeningEvents& events) {
    const std::vector<AttentionStretch> attention = attention_of(plan, clock);
    std::vector<TrialSpan> trials = trials_of(plan, options_.rules.trial_ends, clock);
    if (trials.empty() && cuts_ && attention.size() > 1) {
      trials = by_attention(attention);
      notes_.push_back("no marker begins a trial: the recording becomes " + std::to_string(trials.size()) +
                       " trials, one from each change of attention to the next");
    }
    if (trials.empty()) trials.push_back({"", Seconds{0}, clock.end()});
    for (const TrialSpan& trial : trials) {
      for (StimulusPiece piece : pieces) {
        const Seconds end = std::min(trial.end, piece.onset + piece.duration);
        const Seconds begin = std::max(trial.begin, piece.onset);
        if (end <= begin) continue;
        piece.file_onset = piece.file_onset + (begin - piece.onset);
        piece.onset = begin;
        piece.duration = end - begin;
        piece.trial = trial.name;
        events.stimuli.push_back(piece);
      }
      for (AttentionStretch stretch : attention) {
        const Seconds end = std::min(trial.end, stretch.onset + stretch.duration);
        stretch.onset = std::max(trial.begin, stretch.onset);
        stretch.duration = end - stretch.onset;
        stretch.trial = trial.name;
        if (stretch.duration > Seconds{0}) events.attention.push_back(stretch);
      }
    }
  }

  static std::vector<TrialSpan> by_attention(const std::vector<AttentionStretch>& attention) {
    std::vector<TrialSpan> trials;
    for (const AttentionStretch& stretch : attention) {
      trials.push_back(
          {std::to_string(trials.size() + 1) + "-" + stretch.speaker, stretch.onset, stretch.onset + stretch.duration});
    }
    return trials;
  }

  ParticipantDraft& draft_;
  const XdfConvertOptions& options_;
  bool is_only_file_;
  bool cuts_ = false;  // where attention changes
  std::vector<std::string>& notes_;
  std::set<std::string> names_{};  // of files in stimuli/
};

struct ParticipantFiles {
  std::string subject{};
  std::vector<fs::path> files{};
};

std::vector<ParticipantFiles> by_participant(std::span<const fs::path> sources, const XdfConvertOptions& options) {
  std::vector<ParticipantFiles> participants;
  for (const fs::path& source : sources) {
    std::string subject = options.subject.empty() ? entity(source, "sub") : options.subject;
    if (subject.empty()) subject = "01";
    auto found = std::ranges::find(participants, subject, &ParticipantFiles::subject);
    if (found == participants.end()) found = participants.insert(found, {subject, {}});
    found->files.push_back(source);
  }
  return participants;
}

// Rules that do not fit are found before anything is written.
void check(std::span<const fs::path> sources, const XdfRules& rules) {
  for (const fs::path& source : sources) {
    XdfFile file = XdfFile::open(source);
    (void)plan_xdf(file, rules);
  }
  for (const StimulusRule& rule : rules.stimuli) {
    if (!fs::exists(rule.file)) throw Error(ErrorKind::not_found, rule.file.string() + ": no such file");
  }
}

}  // namespace

std::vector<ConvertedParticipant> convert_xdf(std::span<const fs::path> sources, const fs::path& target,
                                              const XdfConvertOptions& options) {
  check(sources, options.rules);
  DatasetWriter writer(FolderLock(target), {.name = "Recordings of LabRecorder", .readme = "Made of XDF files.\n"},
                       options.writing);
  std::vector<ConvertedParticipant> result;
  std::size_t done = 0;
  for (const ParticipantFiles& participant : by_participant(sources, options)) {
    ConvertedParticipant& converted = result.emplace_back();
    converted.subject = participant.subject;
    converted.source = participant.files.front();
    converted.earlier = writer.has_participant(participant.subject);
    if (converted.earlier) continue;
    try {
      ParticipantDraft draft = writer.begin(participant.subject);
      Conversion conversion(draft, options, participant.files.size() == 1, converted.notes);
      for (const fs::path& file : participant.files) {
        conversion.add(file);
        if (options.progress) options.progress(++done, sources.size());
      }
      converted.runs = draft.runs();
      writer.commit(draft, participant.files.front().filename().string());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cannot_create || error.kind() == ErrorKind::io) throw;
      converted.failure = error;
    }
  }
  return result;
}

}  // namespace heed::io
