// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/digest.h>
#include <io/xdf/xdf_file.h>
#include <live/sources/open_source.h>
#include <live/sources/stored_run.h>
#include <pipeline/artificial_switches.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace heed::live {
namespace {

// The dataset lives as long as the sounds are asked for.
class DatasetSounds final : public pipeline::SoundSource {
 public:
  explicit DatasetSounds(io::BidsDataset dataset) : dataset_(std::move(dataset)) {}
  [[nodiscard]] io::AudioHeader header(const std::string& file) const override { return files_.header(file); }
  [[nodiscard]] Sound sound(const std::string& file, const io::AudioPart& part) const override {
    return files_.sound(file, part);
  }
  [[nodiscard]] Envelope envelope(const std::string& file) const override { return files_.envelope(file); }

 private:
  io::BidsDataset dataset_;
  pipeline::SoundFiles files_{dataset_};
};

// One run after the other, each with its trials: what is learnt of the listener in one is there in the next.
class SuccessiveRuns final : public Source {
 public:
  explicit SuccessiveRuns(std::vector<std::unique_ptr<Source>> runs)
      : runs_(std::move(runs)), description_(runs_.front()->description()) {
    for (const auto& run : runs_) {
      StreamDescription other = run->description();
      description_.labelled = description_.labelled || other.labelled;
      other.labelled = description_.labelled;
      if (other == description_) continue;
      throw Error(ErrorKind::bad_data,
                  description_.name +
                      ": the runs cannot follow each other in one session, since their channels (or which of them are "
                      "bad), rates, speakers or kinds of sound differ; replay them one by one");
    }
  }

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  [[nodiscard]] bool is_stored() const noexcept override { return true; }
  Arrival next(Block& block, Seconds patience) override {
    for (; now_ < runs_.size(); ++now_) {
      if (runs_[now_]->next(block, patience) == Arrival::block) return Arrival::block;
    }
    return Arrival::ended;
  }

 private:
  std::vector<std::unique_ptr<Source>> runs_;
  StreamDescription description_;
  std::size_t now_ = 0;
};

io::BidsRun chosen_run(const io::BidsDataset& dataset, const SourceRequest& request) {
  const auto participants = io::select_runs(dataset, request.selection);
  std::string names;
  std::size_t count = 0;
  for (const io::ParticipantRuns& one : participants) {
    for (const io::BidsRun& run : one.runs) {
      if (++count <= 8) names += (names.empty() ? "" : ", ") + run.name;
    }
  }
  if (count == 1) return participants.front().runs.front();
  throw Error(ErrorKind::invalid_argument, request.address.text + ": a session replays one run, and there are " +
                                               std::to_string(count) + " (" + names + (count > 8 ? ", ..." : "") +
                                               "); choose the participant, or name the runs in their order");
}

// Those that were named, in their order; else all of the one participant, where nothing but the run tells them apart.
std::vector<std::string> runs_in_turn(const SourceRequest& request) {
  if (!request.selection.runs.empty()) return request.selection.runs;
  const auto participants = io::select_runs(io::read_dataset(request.address.path), request.selection);
  std::vector<std::string> numbers;
  if (participants.size() != 1) return numbers;
  for (const io::BidsRun& run : participants.front().runs) {
    const bool is_new = std::ranges::find(numbers, run.entities.run) == numbers.end();
    if (run.entities.run.empty() || !is_new) return {};
    numbers.push_back(run.entities.run);
  }
  return numbers;
}

// As offline: bad by channels.tsv, or flat, railed or empty in the recording.
pipeline::ChosenChannels channels_of(const io::BidsRun& run, const pipeline::RunPlan& plan) {
  pipeline::ChosenChannels chosen;
  for (const io::EegChannel& channel : plan.eeg) {
    chosen.all.push_back(channel.name);
    if (!channel.good) chosen.bad.push_back(channel.name);
  }
  for (const pipeline::FoundBad& bad : pipeline::find_bad_channels(run, plan)) {
    if (std::ranges::find(chosen.bad, bad.channel) == chosen.bad.end()) chosen.bad.push_back(bad.channel);
  }
  return chosen;
}

// One file, without the folder around it that says who was heard.
std::unique_ptr<Source> open_file(const SourceRequest& request, bool is_xdf) {
  if (request.address.options.contains("switch-every") || request.address.options.contains("seed")) {
    throw Error(
        ErrorKind::invalid_argument,
        request.address.text + ": talkers can be exchanged in a BIDS folder only; make one of the recording first");
  }
  return is_xdf ? open_xdf(request) : open_recording(request);
}

void exchange_talkers(const Address& address, std::vector<io::TrialPlan>& trials) {
  const auto every = address.options.find("switch-every");
  if (every == address.options.end()) return;
  const SwitchInterval interval = pipeline::parse_interval("switch-every", every->second);
  RandomStream random(static_cast<std::uint64_t>(whole_option(address, "seed").value_or(1)));
  for (io::TrialPlan& trial : trials) trial = pipeline::with_exchanged_talkers(trial, interval, random);
}

}  // namespace

StoredRun replayed_run(const SourceRequest& request) {
  io::BidsDataset dataset = io::read_dataset(request.address.path);
  const io::BidsRun chosen = chosen_run(dataset, request);
  const pipeline::RunPlan plan = pipeline::plan_run(dataset, chosen);
  const pipeline::ChosenChannels channels = channels_of(chosen, plan);
  const Preprocessing preprocessing = request.decoder ? request.decoder->preprocessing : Preprocessing{};
  StoredRun run{.name = request.address.text,
                .header = plan.header,
                .channels = pipeline::channels_to_read(channels, preprocessing),
                .bad = channels.bad,
                .trials = plan.trials,
                .sounds = std::make_shared<DatasetSounds>(std::move(dataset))};
  exchange_talkers(request.address, run.trials);
  auto file = std::make_shared<io::RecordingFile>(io::RecordingFile::open(chosen.eeg));
  run.read = [file, names = run.channels, rate = plan.header.sampling_frequency](Seconds time, Index rows) {
    // Half a sample early: neither end can be missed by rounding.
    const auto at = [&](Index k) { return Seconds{time.value + ((static_cast<double>(k) - 0.5) / rate.value)}; };
    return file->read({names, at(0), at(rows)}).samples;
  };
  return run;
}

std::unique_ptr<Source> open_replay(const SourceRequest& request) {
  const bool is_xdf = io::is_xdf_file(request.address.path);
  if (is_xdf) return open_file(request, is_xdf);
  if (request.address.options.contains("eeg") || request.address.options.contains("speakers")) {
    throw Error(
        ErrorKind::invalid_argument,
        request.address.text + ": eeg and speakers are for XDF files; the events of a BIDS folder say who speaks");
  }
  const bool is_file = std::filesystem::is_regular_file(request.address.path);
  if (is_file || io::is_recording_file(request.address.path)) return open_file(request, is_xdf);
  const Hertz rate =
      request.decoder ? request.decoder->preprocessing.sampling_frequency : Preprocessing{}.sampling_frequency;
  const ReplayOptions options{.rate = rate, .window = request.window, .block = request.block};
  const std::vector<std::string> numbers = runs_in_turn(request);
  if (numbers.size() < 2) return std::make_unique<StoredSource>(replayed_run(request), options);
  std::vector<std::unique_ptr<Source>> runs;
  for (const std::string& number : numbers) {
    SourceRequest one = request;
    one.selection.runs = {number};
    StoredRun run = replayed_run(one);
    for (io::TrialPlan& trial : run.trials) trial.name = "run-" + number + (trial.name.empty() ? "" : "/" + trial.name);
    runs.push_back(std::make_unique<StoredSource>(std::move(run), options));
  }
  return std::make_unique<SuccessiveRuns>(std::move(runs));
}

}  // namespace heed::live
