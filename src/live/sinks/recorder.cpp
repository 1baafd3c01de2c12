// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/recording_file.h>
#include <io/atomic_file.h>
#include <io/bids/channels_file.h>
#include <io/bids/dataset_writer.h>
#include <io/bids/events_file.h>
#include <io/growing_file.h>
#include <io/tsv.h>
#include <live/sinks/recorder.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

static_assert(std::endian::native == std::endian::little, "BrainVision and WAV are written as they lie in memory");

namespace fs = std::filesystem;
constexpr int wav_header_bytes = 44;
constexpr const char* content = "the recording";

std::string_view bytes_of(std::span<const float> samples) noexcept {
  return {reinterpret_cast<const char*>(samples.data()), samples.size_bytes()};  // NOLINT(*-reinterpret-cast)
}

// One channel of 32 bit floats.
std::array<char, wav_header_bytes> wav_header(std::uint32_t rate, std::uint64_t samples) {
  std::array<char, wav_header_bytes> header{};
  const auto put = [&](std::size_t at, auto value) { std::memcpy(header.data() + at, &value, sizeof value); };
  const auto data_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(samples * 4, 0xffffff00U));
  std::memcpy(header.data(), "RIFF", 4);
  put(4, static_cast<std::uint32_t>(data_bytes + wav_header_bytes - 8));
  std::memcpy(header.data() + 8, "WAVEfmt ", 8);
  put(16, std::uint32_t{16});
  put(20, std::uint16_t{3});  // IEEE floats
  put(22, std::uint16_t{1});
  put(24, rate);
  put(28, rate * 4);
  put(32, std::uint16_t{4});
  put(34, std::uint16_t{32});
  std::memcpy(header.data() + 36, "data", 4);
  put(40, data_bytes);
  return header;
}

// A folder that was there before keeps what it says of itself.
void describe_dataset(const fs::path& folder, const nlohmann::ordered_json& description) {
  const fs::path file = folder / "dataset_description.json";
  if (!fs::exists(file)) io::write_text_file(file, description.dump(2) + "\n");
}

void check(const StreamDescription& stream) {
  if (stream.content != StreamContent::signals) {
    throw Error(ErrorKind::invalid_argument, "a stream of scores has no signals to record; write its posteriors");
  }
  for (const SoundFeed& feed : stream.feeds) {
    const double rate = feed.sampling_frequency.value;
    if (feed.kind == FeedKind::envelope || rate == std::round(rate)) continue;
    throw Error(ErrorKind::unsupported, "sound of " + io::number_text(rate) +
                                            " Hz cannot be kept as WAV, which has a whole number of samples per "
                                            "second; record into a file that ends in .xdf");
  }
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

struct SessionRecorder::State {
  struct FeedFile {
    io::GrowingFile file{};
    std::string name{};
    Seconds onset{};
    std::uint64_t samples = 0;
    std::string text{};  // of a table's rows
  };

  struct Told {
    Seconds stamp{};
    Speaker speaker = unknown_speaker;
  };

  State(fs::path folder, SinkRequest table)
      : root(std::move(folder)), request(std::move(table)), stream(request.stream) {
    check(stream);
    std::error_code failure;
    fs::create_directories(eeg_folder(), failure);
    if (!failure) fs::create_directories(root / "stimuli", failure);
    if (!failure) fs::create_directories(table_folder(), failure);
    if (failure) {
      throw Error(ErrorKind::cannot_create, root.string() + ": the folder for the recording cannot be made (" +
                                                failure.message() + "); choose another");
    }
    describe_dataset(root, {{"Name", "Live sessions of heed"}, {"BIDSVersion", "1.8.0"}, {"DatasetType", "raw"}});
    describe_dataset(root / "derivatives" / "heed", {{"Name", "Decisions of live sessions"},
                                                     {"BIDSVersion", "1.8.0"},
                                                     {"DatasetType", "derivative"},
                                                     {"GeneratedBy", {{{"Name", "heed"}, {"Version", version()}}}}});
  }

  [[nodiscard]] fs::path eeg_folder() const { return root / "sub-live" / "eeg"; }
  [[nodiscard]] fs::path table_folder() const { return root / "derivatives" / "heed" / "sub-live" / "eeg"; }
  [[nodiscard]] std::string name() const { return "sub-live_task-live_run-" + two_digits(run); }
  [[nodiscard]] fs::path beside(const std::string& ending) const { return eeg_folder() / (name() + ending); }

  // The next run that is not there: it is taken by making its first file, and another session takes the one after it.
  void take_run() {
    while (fs::exists(beside("_eeg.vhdr")) || !io::make_new(beside("_eeg.eeg"), content)) ++run;
  }

  void open_run() {
    if (eeg.is_open()) return;
    take_run();
    Recording recording{.sampling_frequency = stream.sampling_frequency,
                        .samples = SampleMatrix::Zero(1, std::ssize(stream.channels))};
    std::vector<io::BidsChannel> channels;
    for (const std::string& channel : stream.channels) {
      recording.channels.push_back({channel, "uV", stream.sampling_frequency});
      const bool good = std::ranges::find(stream.bad, channel) == stream.bad.end();
      channels.push_back({channel, "EEG", "uV", stream.sampling_frequency, good});
    }
    io::write_brainvision(beside("_eeg.vhdr"), recording, {}, {});
    eeg = io::GrowingFile(beside("_eeg.eeg"), content);
    io::write_text_file(beside("_channels.tsv"), io::channels_text(channels));
    const nlohmann::ordered_json sidecar{{"TaskName", "live"},
                                         {"SamplingFrequency", stream.sampling_frequency.value},
                                         {"EEGReference", "n/a"},
                                         {"PowerLineFrequency", "n/a"},
                                         {"SoftwareFilters", "n/a"}};
    io::write_text_file(beside("_eeg.json"), sidecar.dump(2) + "\n");
    feeds.clear();
    feeds.resize(stream.feeds.size());
  }

  void open_feed(std::size_t feed, Seconds stamp) {
    open_run();
    const SoundFeed& described = stream.feeds[feed];
    const bool audio = described.kind == FeedKind::audio;
    const double rate = described.sampling_frequency.value;
    FeedFile& file = feeds[feed];
    file.onset = stamp;
    file.name = name() + "_feed-" + std::to_string(feed + 1) + (audio ? ".wav" : ".tsv");
    file.file = io::GrowingFile(root / "stimuli" / file.name, content);
    if (audio) {
      const auto header = wav_header(static_cast<std::uint32_t>(rate), 0);
      file.file.append({header.data(), header.size()});
      return;
    }
    file.file.append("envelope\n");
    const nlohmann::ordered_json sidecar{{"SamplingFrequency", rate}, {"StartTime", 0}, {"Columns", {"envelope"}}};
    io::write_text_file((root / "stimuli" / file.name).replace_extension(".json"), sidecar.dump(2) + "\n");
  }

  // Onsets count from the run's first sample, as those of a table that is made of it offline.
  void keep(Decision decision) {
    if (!eeg_onset) return;
    if (!decisions) {
      request.address.path = (table_folder() / (name() + "_desc-live_posteriors.tsv")).string();
      request.stream.named_trials = false;  // a run is one trial
      decisions = open_posterior_table(request);
    }
    decision.onset = decision.onset - *eeg_onset;
    decision.trial_number = 0;
    decisions->decided(decision);
  }

  void close_run() {
    checkpoint();
    if (decisions) decisions->finish();
    decisions.reset();
    eeg.finish();
    for (FeedFile& feed : feeds) feed.file.finish();
    eeg_onset.reset();
    feeds.clear();
    told.clear();
  }

  // Stretches of attention up to the end of the EEG that is there.
  void add_attention(ListeningEvents& events) const {
    const Seconds end = *eeg_onset + Seconds{static_cast<double>(eeg_samples) / stream.sampling_frequency.value};
    for (std::size_t k = 0; k < told.size(); ++k) {
      const Seconds from = std::max(told[k].stamp, *eeg_onset);
      const Seconds until = std::min(k + 1 < told.size() ? told[k + 1].stamp : end, end);
      if (told[k].speaker == unknown_speaker || !(until > from)) continue;
      events.attention.push_back({.speaker = stream.speakers[static_cast<std::size_t>(told[k].speaker)],
                                  .onset = from - *eeg_onset,
                                  .duration = until - from});
    }
  }

  // Tables and headers say how much there is by now.
  void checkpoint() {
    if (!eeg.is_open() || !eeg_onset) return;
    ListeningEvents events;
    for (std::size_t f = 0; f < feeds.size(); ++f) {
      FeedFile& file = feeds[f];
      if (!file.file.is_open() || file.samples == 0) continue;
      const SoundFeed& described = stream.feeds[f];
      const double rate = described.sampling_frequency.value;
      if (described.kind == FeedKind::audio) {
        const auto header = wav_header(static_cast<std::uint32_t>(rate), file.samples);
        file.file.overwrite_start({header.data(), header.size()});
      }
      events.stimuli.push_back({.speaker = stream.speakers[static_cast<std::size_t>(described.speaker)],
                                .onset = file.onset - *eeg_onset,
                                .duration = {static_cast<double>(file.samples) / rate},
                                .file = file.name});
    }
    add_attention(events);
    if (!events.stimuli.empty()) io::write_text_file(beside("_events.tsv"), io::events_text(events));
  }

  fs::path root;
  SinkRequest request;
  StreamDescription stream;
  int run = 1;
  io::GrowingFile eeg{};
  std::optional<Seconds> eeg_onset{};
  Index eeg_samples = 0;
  std::vector<Told> told{};
  std::unique_ptr<Sink> decisions{};  // of the run, from its first window on
  std::vector<FeedFile> feeds{};
};

SessionRecorder::SessionRecorder(fs::path folder, SinkRequest decisions)
    : state_(std::make_unique<State>(std::move(folder), std::move(decisions))) {}
SessionRecorder::~SessionRecorder() = default;

void SessionRecorder::eeg_begins(Seconds stamp) {
  state_->open_run();
  state_->eeg_onset = stamp;
  state_->eeg_samples = 0;
}

void SessionRecorder::sound_begins(Index feed, Seconds stamp) {
  state_->open_feed(static_cast<std::size_t>(feed), stamp);
}

void SessionRecorder::restarts() { state_->close_run(); }

void SessionRecorder::eeg(std::span<const float> samples, Index rows) {
  state_->eeg.append(bytes_of(samples));
  state_->eeg_samples += rows;
}

void SessionRecorder::attended(Seconds stamp, Speaker speaker) { state_->told.push_back({stamp, speaker}); }

void SessionRecorder::audio(Index feed, std::span<const float> samples) {
  State::FeedFile& file = state_->feeds[static_cast<std::size_t>(feed)];
  file.file.append(bytes_of(samples));
  file.samples += samples.size();
}

void SessionRecorder::envelope(Index feed, std::span<const double> values) {
  State::FeedFile& file = state_->feeds[static_cast<std::size_t>(feed)];
  constexpr int exactly = 17;
  file.text.clear();
  for (const double value : values) {
    io::append_number(file.text, value, exactly);
    file.text += '\n';
  }
  file.file.append(file.text);
  file.samples += values.size();
}

void SessionRecorder::decided(const Decision& decision) {
  state_->checkpoint();
  state_->keep(decision);
}

void SessionRecorder::finish() { state_->close_run(); }

}  // namespace heed::live
