// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/open_file.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
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
      throw error(ErrorKind::bad_data, "is no audio that heed can read (" + std::string(sf_strerror(nullptr)) +
                                           "); convert it to WAV or FLAC");
    }
    if (info.samplerate <= 0 || info.channels <= 0 || info.frames < 0) {
      throw error(ErrorKind::bad_data, "its header is broken: no rate, channel or length; convert it again");
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

  [[nodiscard]] Error error(ErrorKind kind, const std::string& what) const {
    return {kind, source_.file.name() + ": " + what};
  }

  [[nodiscard]] Error ends_early(Index frame) const {
    return error(ErrorKind::bad_data, "frame " + std::to_string(frame + 1) + " of " + std::to_string(header_.frames) +
                                          " cannot be read: the file is cut short or broken; copy it again");
  }

  void check(const AudioPart& part, Index frames) const {
    if (part.channel && (*part.channel < 0 || *part.channel >= header_.channels)) {
      throw error(ErrorKind::invalid_argument, "there is no channel " + std::to_string(*part.channel) + "; it has " +
                                                   std::to_string(header_.channels) + ", counted from 0");
    }
    if (part.first_frame < 0 || frames < 0 || part.first_frame > header_.frames ||
        frames > header_.frames - part.first_frame) {
      throw error(ErrorKind::invalid_argument, "frames from " + std::to_string(part.first_frame) + " on, " +
                                                   std::to_string(frames) + " of them, are wanted; it has " +
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

}  // namespace

AudioHeader read_audio_header(const std::filesystem::path& path) { return AudioFile(path).header(); }

Sound read_audio(const std::filesystem::path& path, const AudioPart& part) { return AudioFile(path).read(part); }

}  // namespace heed::io
