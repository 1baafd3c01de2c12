// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/atomic_file.h>
#include <io/open_file.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed::io {
namespace {

// What libsndfile reads through: it never opens a file itself, so a missing file, a folder and a pipe are told
// apart in one place. Its callbacks are C: nothing may be thrown through them.
struct Source {
  explicit Source(const std::filesystem::path& path) : file(path) {}
  SampleFile file;
  std::int64_t position = 0;
};

sf_count_t source_size(void* user) { return static_cast<Source*>(user)->file.size(); }

sf_count_t source_position(void* user) { return static_cast<Source*>(user)->position; }

sf_count_t source_seek(sf_count_t offset, int whence, void* user) {
  auto& source = *static_cast<Source*>(user);
  const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source.position : source.file.size();
  sf_count_t target = 0;
  if (__builtin_add_overflow(from, offset, &target) || target < 0) return -1;
  source.position = target;
  return target;
}

sf_count_t source_read(void* bytes, sf_count_t count, void* user) {
  auto& source = *static_cast<Source*>(user);
  const sf_count_t there =
      std::clamp<sf_count_t>(source.file.size() - source.position, 0, std::max<sf_count_t>(count, 0));
  try {
    source.file.read(source.position, {static_cast<char*>(bytes), static_cast<std::size_t>(there)});
  } catch (const Error&) {
    return 0;
  }
  source.position += there;
  return there;
}

struct CloseFile {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};

std::string name_of_format(int format) {
  const auto name = [](int id) -> std::string {
    SF_FORMAT_INFO info{id, nullptr, nullptr};
    const bool known = sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0 && info.name != nullptr;
    return known ? info.name : "";
  };
  // libsndfile adds the maker in brackets: "WAV (Microsoft)".
  std::string major = name(format & SF_FORMAT_TYPEMASK);
  major.resize(std::min(major.find(" ("), major.size()));
  const std::string minor = name(format & SF_FORMAT_SUBMASK);
  return minor.empty() ? major : major + ", " + minor;
}

class AudioFile {
 public:
  explicit AudioFile(const std::filesystem::path& path) : source_(path) {
    SF_VIRTUAL_IO calls{source_size, source_seek, source_read, nullptr, source_position};
    SF_INFO info{};
    file_.reset(sf_open_virtual(&calls, SFM_READ, &info, &source_));
    if (file_ == nullptr) {
      throw error(ErrorKind::bad_data, "is not audio that heed can read (" + std::string(sf_strerror(nullptr)) +
                                           "); convert it to WAV or FLAC");
    }
    if (info.samplerate <= 0 || info.channels <= 0 || info.frames < 0) {
      throw error(ErrorKind::bad_data, "its header is damaged: no rate, channel or length; convert it again");
    }
    header_ = {name_of_format(info.format), Hertz{static_cast<double>(info.samplerate)}, info.frames, info.channels};
  }

  [[nodiscard]] const AudioHeader& header() const noexcept { return header_; }

  [[nodiscard]] Sound read(const AudioPart& part) {
    const Index frames = part.frames.value_or(std::max<Index>(0, header_.frames - part.first_frame));
    check(part, frames);
    if (sf_seek(file_.get(), part.first_frame, SEEK_SET) != part.first_frame) throw ends_early(part.first_frame);
    Sound sound{header_.sampling_frequency,
                Seconds{static_cast<double>(part.first_frame) / header_.sampling_frequency.value},
                {}};
    const auto channels = static_cast<std::size_t>(header_.channels);
    std::vector<float> block(largest_block / channels * channels);
    while (static_cast<Index>(sound.samples.size()) < frames) {
      const auto have = static_cast<Index>(sound.samples.size());
      const auto wanted = std::min(frames - have, static_cast<Index>(block.size() / channels));
      const sf_count_t count = sf_readf_float(file_.get(), block.data(), wanted);
      if (count <= 0) throw ends_early(part.first_frame + have);
      append({block.data(), static_cast<std::size_t>(count) * channels}, part, sound.samples);
    }
    return sound;
  }

 private:
  static constexpr std::size_t largest_block = 65536;  // samples; more than the 1024 channels libsndfile takes

  [[nodiscard]] Error error(ErrorKind kind, const std::string& problem) const {
    return {kind, source_.file.name() + ": " + problem};
  }

  [[nodiscard]] Error ends_early(Index frame) const {
    return error(ErrorKind::bad_data, "frame " + std::to_string(frame + 1) + " of " + std::to_string(header_.frames) +
                                          " cannot be read: the file is truncated or damaged; copy it again");
  }

  void check(const AudioPart& part, Index frames) const {
    if (part.channel && (*part.channel < 0 || *part.channel >= header_.channels)) {
      throw error(ErrorKind::invalid_argument, "there is no channel " + std::to_string(*part.channel) + "; it has " +
                                                   std::to_string(header_.channels) + ", counted from 0");
    }
    if (part.first_frame < 0 || frames < 0 || part.first_frame > header_.frames ||
        frames > header_.frames - part.first_frame) {
      throw error(ErrorKind::invalid_argument, "frames from " + std::to_string(part.first_frame) + " on, " +
                                                   std::to_string(frames) + " of them, are needed; it has " +
                                                   std::to_string(header_.frames));
    }
  }

  void append(std::span<const float> block, const AudioPart& part, std::vector<float>& samples) const {
    const auto channels = static_cast<std::size_t>(header_.channels);
    for (std::size_t i = 0; i < block.size(); i += channels) {
      double sum = 0;
      for (const float value : block.subspan(i, channels)) sum += static_cast<double>(value);
      const float sample = part.channel ? block[i + static_cast<std::size_t>(*part.channel)]
                                        : static_cast<float>(sum / static_cast<double>(channels));
      if (!std::isfinite(sample)) {
        const Index frame = part.first_frame + static_cast<Index>(samples.size());
        throw error(ErrorKind::bad_data,
                    "frame " + std::to_string(frame + 1) + " is not a finite number; repair or replace the file");
      }
      samples.push_back(sample);
    }
  }

  Source source_;
  std::unique_ptr<SNDFILE, CloseFile> file_;
  AudioHeader header_;
};

// The file as libsndfile writes it, in memory: the disk sees it whole. Its callbacks are C: nothing may be thrown
// through them.
struct Target {
  std::string bytes{};
  std::size_t position = 0;
};

sf_count_t target_size(void* user) { return std::ssize(static_cast<Target*>(user)->bytes); }

sf_count_t target_position(void* user) { return static_cast<sf_count_t>(static_cast<Target*>(user)->position); }

sf_count_t target_seek(sf_count_t offset, int whence, void* user) {
  auto& target = *static_cast<Target*>(user);
  const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? target_position(user) : target_size(user);
  if (from + offset < 0) return -1;
  target.position = static_cast<std::size_t>(from + offset);
  return from + offset;
}

sf_count_t target_write(const void* bytes, sf_count_t count, void* user) {
  auto& target = *static_cast<Target*>(user);
  const auto length = static_cast<std::size_t>(std::max<sf_count_t>(count, 0));
  try {
    if (target.bytes.size() < target.position + length) target.bytes.resize(target.position + length);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  std::memcpy(target.bytes.data() + target.position, bytes, length);
  target.position += length;
  return count;
}

// libsndfile looks at the beginning of what it wrote when it closes some formats.
sf_count_t target_read(void* bytes, sf_count_t count, void* user) {
  auto& target = *static_cast<Target*>(user);
  const std::size_t there = target.bytes.size() - std::min(target.position, target.bytes.size());
  const auto length = std::min(static_cast<std::size_t>(std::max<sf_count_t>(count, 0)), there);
  std::memcpy(bytes, target.bytes.data() + target.position, length);
  target.position += length;
  return static_cast<sf_count_t>(length);
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, path.string() + ": " + why);
}

int format_of(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".wav") return SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  if (ending == ".flac") return SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
  refuse(path, "sound is written as .wav or .flac");
}

std::vector<short> steps_of(const std::filesystem::path& path, const Sound& sound) {
  std::vector<short> steps;
  steps.reserve(sound.samples.size());
  for (const float sample : sound.samples) {
    if (!std::isfinite(sample)) {
      refuse(path, "sample " + std::to_string(steps.size() + 1) + " of the sound is not a finite number");
    }
    constexpr float full_scale = 32768;
    steps.push_back(static_cast<short>(std::lrint(std::clamp(sample * full_scale, -full_scale, full_scale - 1))));
  }
  return steps;
}

}  // namespace

AudioHeader read_audio_header(const std::filesystem::path& path) { return AudioFile(path).header(); }

Sound read_audio(const std::filesystem::path& path, const AudioPart& part) { return AudioFile(path).read(part); }

void write_audio(const std::filesystem::path& path, const Sound& sound) {
  const double rate = sound.sampling_frequency.value;
  constexpr double fastest = 655350;  // what FLAC has room for
  if (!(rate >= 1 && rate <= fastest && std::floor(rate) == rate)) {
    refuse(path, "a sampling frequency of " + data::shown(rate) + " Hz cannot be written; it must be whole");
  }
  SF_INFO info{0, static_cast<int>(rate), 1, format_of(path), 0, 0};
  const std::vector<short> steps = steps_of(path, sound);
  Target target;
  SF_VIRTUAL_IO calls{target_size, target_seek, target_read, target_write, target_position};
  std::unique_ptr<SNDFILE, CloseFile> file(sf_open_virtual(&calls, SFM_WRITE, &info, &target));
  if (file == nullptr) {
    throw Error(ErrorKind::unsupported, path.string() + ": libsndfile cannot write it (" + sf_strerror(nullptr) + ")");
  }
  const auto written = sf_writef_short(file.get(), steps.data(), std::ssize(steps));
  if (written != std::ssize(steps) || sf_close(file.release()) != 0) {
    throw Error(ErrorKind::io, path.string() + ": libsndfile stopped after " + std::to_string(written) + " frames");
  }
  write_text_file(path, target.bytes);
}

}  // namespace heed::io
