// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <live/sources/open_source.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

// Read whole when the source is opened, so that a disk never delays a window.
struct LoadedSound {
  SoundFeed feed{};
  std::vector<float> samples{};
  std::vector<double> values{};  // of an envelope
  Index handed_on = 0;
  bool ended = false;

  [[nodiscard]] Index rows() const {
    return static_cast<Index>(feed.kind == FeedKind::audio ? samples.size() : values.size());
  }
};

LoadedSound load(const std::filesystem::path& path, Speaker speaker) {
  const std::string ending = path.extension().string();
  LoadedSound loaded{.feed = {.speaker = speaker}};
  if (ending == ".tsv" || ending == ".npy") {
    const Envelope envelope = io::read_envelope(path);
    if (envelope.values.cols() != 1) {
      throw Error(ErrorKind::unsupported, path.string() + ": live, an envelope must have one column");
    }
    loaded.feed.kind = FeedKind::envelope;
    loaded.feed.sampling_frequency = envelope.sampling_frequency;
    loaded.values.assign(envelope.values.data(), envelope.values.data() + envelope.values.size());
    return loaded;
  }
  Sound sound = io::read_audio(path);
  loaded.feed.sampling_frequency = sound.sampling_frequency;
  loaded.samples = std::move(sound.samples);
  return loaded;
}

class WithSoundFiles final : public Source {
 public:
  WithSoundFiles(std::unique_ptr<Source> source, const SourceRequest& request)
      : source_(std::move(source)),
        stream_(source_->description()),
        marker_(request.marker),
        offset_(request.audio_offset) {
    for (const SoundFile& file : request.sounds) add(file);
    if (stream_.speakers.size() < 2) {
      throw Error(ErrorKind::invalid_argument,
                  stream_.name + " brings EEG alone; name a sound file for each of at least two speakers");
    }
    for (std::size_t k = 0; k < stream_.speakers.size(); ++k) {
      const auto of_speaker = [&](const SoundFeed& feed) { return feed.speaker == static_cast<Speaker>(k); };
      if (std::ranges::none_of(stream_.feeds, of_speaker)) {
        throw Error(ErrorKind::invalid_argument,
                    stream_.name + ": there is no sound of '" + stream_.speakers[k] + "'; name a sound file for it");
      }
    }
  }

  [[nodiscard]] const StreamDescription& description() const override { return stream_; }
  [[nodiscard]] bool is_stored() const noexcept override { return source_->is_stored(); }
  [[nodiscard]] SourceCounts counts() const noexcept override { return source_->counts(); }

  Arrival next(Block& block, Seconds patience) override {
    if (hand_on_sound(block)) return Arrival::block;
    if (std::exchange(waiting_, false)) {
      std::swap(block, held_);
      return Arrival::block;
    }
    const Arrival arrival = source_->next(held_, patience);
    if (arrival != Arrival::block) return arrival;
    look_at(held_);
    waiting_ = true;
    return next(block, Seconds{0});
  }

 private:
  void add(const SoundFile& file) {
    auto found = std::ranges::find(stream_.speakers, file.speaker);
    if (found == stream_.speakers.end() && announces_speakers_) {
      throw Error(ErrorKind::invalid_argument, stream_.name + ": the sound " + file.path.string() + " is for '" +
                                                   file.speaker + "', who is not one of the speakers");
    }
    if (found == stream_.speakers.end()) {
      stream_.speakers.push_back(file.speaker);
      found = std::prev(stream_.speakers.end());
    }
    sounds_.push_back(load(file.path, static_cast<Speaker>(found - stream_.speakers.begin())));
    stream_.feeds.push_back(sounds_.back().feed);
  }

  void look_at(const Block& block) {
    if (block.kind == BlockKind::eeg) {
      const Seconds first = block.stamp.value_or(time_);
      if (!start_ && marker_.empty()) start_ = first + offset_;
      time_ = first + Seconds{static_cast<double>(block.rows) / stream_.sampling_frequency.value};
    }
    const bool starts = block.kind == BlockKind::marker && !marker_.empty() && block.text == marker_;
    if (starts && !start_) start_ = block.stamp.value_or(time_) + offset_;
  }

  // What was heard up to the end of the EEG that came; of the first feed that lags behind.
  bool hand_on_sound(Block& block) {
    if (!start_) return false;
    for (std::size_t k = 0; k < sounds_.size(); ++k) {
      LoadedSound& sound = sounds_[k];
      const double rate = sound.feed.sampling_frequency.value;
      const double heard = std::clamp((time_ - *start_).value * rate, 0.0, static_cast<double>(sound.rows()));
      const auto due = static_cast<Index>(std::floor(heard));
      if (due <= sound.handed_on && (sound.ended || sound.handed_on < sound.rows())) continue;
      block.feed = static_cast<Index>(k);
      block.samples.clear();
      block.values.clear();
      block.rows = due - sound.handed_on;
      sound.ended = block.rows == 0;
      block.kind = sound.ended ? BlockKind::feed_end : BlockKind::sound;
      block.stamp = *start_ + Seconds{static_cast<double>(sound.handed_on) / rate};
      append(sound, due, block);
      return true;
    }
    return false;
  }

  static void append(LoadedSound& sound, Index due, Block& block) {
    if (sound.feed.kind == FeedKind::audio) {
      block.samples.assign(sound.samples.begin() + sound.handed_on, sound.samples.begin() + due);
    } else {
      block.values.assign(sound.values.begin() + sound.handed_on, sound.values.begin() + due);
    }
    sound.handed_on = due;
  }

  std::unique_ptr<Source> source_;
  StreamDescription stream_;
  bool announces_speakers_ = !stream_.speakers.empty();
  std::string marker_;
  Seconds offset_;
  std::vector<LoadedSound> sounds_{};
  std::optional<Seconds> start_{};  // of the sound, on the EEG's clock
  Seconds time_{};                  // end of the EEG that came
  Block held_{};
  bool waiting_ = false;  // held_ is to be handed on
};

}  // namespace

std::unique_ptr<Source> with_sound_files(std::unique_ptr<Source> source, const SourceRequest& request) {
  const StreamDescription& stream = source->description();
  const bool complete = stream.content != StreamContent::signals || !stream.feeds.empty();
  if (complete && !request.sounds.empty()) {
    throw Error(ErrorKind::invalid_argument,
                stream.name + ": the stream needs no sound files, since it brings scores or its own sound");
  }
  if (complete) return source;
  return std::make_unique<WithSoundFiles>(std::move(source), request);
}

}  // namespace heed::live
