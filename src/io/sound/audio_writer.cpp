// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/atomic_file.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace heed::io {
namespace {

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

struct CloseFile {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};

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
