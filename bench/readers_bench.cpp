// SPDX-License-Identifier: MIT
// A BDF of 240 MB (65 channels, 2048 Hz, 10 min) to a matrix, beside a bare read() of the same file, libxdffileio and
// MNE, in one run. Then an XDF of 1 GB (64 channels of int16 at 2048 Hz, two microphones, markers), opened and read in
// pieces, with the memory that took. Files are made at first use, in the build folder; they are in the page cache when
// they are measured.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/io/recording_file.h>
#include <io/xdf/xdf_file.h>
#include <io/xdf/xdf_writer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace heed::bench {
namespace {

namespace fs = std::filesystem;

constexpr int channels = 65;
constexpr int rate = 2048;
constexpr int seconds = 600;

std::string field(std::string text, std::size_t width) {
  text.resize(width, ' ');
  return text;
}

std::string header_bytes() {
  std::string out = std::string("\xff") + "BIOSEMI" + field("X X X X", 80) + field("Startdate 15-NOV-2026 X X X", 80);
  out += "15.11.2609.30.00" + field(std::to_string(256 * (channels + 1)), 8) + field("24BIT", 44);
  out += field(std::to_string(seconds), 8) + field("1", 8) + field(std::to_string(channels), 4);
  const auto each = [&](std::size_t width, const std::function<std::string(int)>& text) {
    for (int c = 0; c < channels; ++c) out += field(text(c), width);
  };
  const auto always = [](const char* text) { return [text](int) { return std::string(text); }; };
  each(16, [](int c) { return "A" + std::to_string(c + 1); });
  each(80, always("active electrode"));
  each(8, always("uV"));
  each(8, always("-262144"));
  each(8, always("262143"));
  each(8, always("-8388608"));
  each(8, always("8388607"));
  each(80, always(""));
  each(8, always("2048"));
  each(32, always(""));
  return out;
}

// Noise; the same in every run. Under its name only when it is whole.
fs::path recording() {
  fs::path path = fs::path(HEED_BENCH_FOLDER) / "readers_bench.bdf";
  const std::string header = header_bytes();
  const auto size = header.size() + std::size_t{3} * channels * rate * seconds;
  if (fs::exists(path) && fs::file_size(path) == size) return path;
  std::printf("making %s (%zu MB)\n", path.c_str(), size / 1'000'000);
  const fs::path unfinished = path.string() + ".part";
  std::ofstream file(unfinished, std::ios::binary);
  file << header;
  RandomStream random(1);
  std::string record(std::size_t{3} * channels * rate, '\0');
  for (int second = 0; second < seconds; ++second) {
    for (char& byte : record) byte = static_cast<char>(random.bits());
    file << record;
  }
  file.close();
  if (!file) throw Error(ErrorKind::io, path.string() + ": could not be written");
  fs::rename(unfinished, path);
  return path;
}

// The fastest of several: other programs on the machine only ever make it slower.
double best_of(int times, const std::function<void()>& run) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// Through a buffer of `piece` bytes; of the file's size: all of it ends up in memory, as with heed.
void bare_read(const fs::path& path, std::size_t piece) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const std::unique_ptr<char, decltype(&std::free)> buffer(static_cast<char*>(std::malloc(piece)), &std::free);
  for (ssize_t got = 1; got > 0;) {
    std::size_t filled = 0;
    while (filled < piece && (got = ::read(file, buffer.get() + filled, piece - filled)) > 0) {
      filled += static_cast<std::size_t>(got);
    }
    benchmark::DoNotOptimize(buffer.get());
    if (filled == piece && piece > (std::size_t{1} << 24U)) break;
  }
  ::close(file);
}

void read_all(const fs::path& path) {
  const Recording recording = io::read_recording(path);
  benchmark::DoNotOptimize(recording.samples.data());
}

// As preparing does: the file stays open.
void read_pieces(const fs::path& path) {
  const io::RecordingFile file = io::RecordingFile::open(path);
  for (int piece = 0; piece * 30 < seconds; ++piece) {
    const double at = piece * 30;
    benchmark::DoNotOptimize(file.read({{}, Seconds{at}, Seconds{at + 30}}).samples.data());
  }
}

// Seconds by a script's own clock, best of three; 0 where what it reads with is not installed. Debian's Python has it
// where another has not.
double seconds_of(const std::string& script, const fs::path& path) {
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    const std::string command =
        python + " -B -W ignore " + HEED_BENCH_SOURCE + "/" + script + " " + path.string() + " 2>/dev/null";
    // NOLINTNEXTLINE(cert-env33-c): a rival in a process of its own, with a command of our own
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    std::array<char, 64> line{};
    if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) continue;
    if (const double best = std::strtod(line.data(), nullptr); best > 0) return best;
  }
  return 0;
}

void report(const std::string& reader, double time, double heed, const std::string& goal) {
  std::printf("  %-44s %8.1f ms   %6.2f x heed's time%s\n", reader.c_str(), 1e3 * time, time / heed, goal.c_str());
}

// package: of Debian. time: 0 where it is not installed.
void report_peer(const std::string& reader, const char* package, double time, double heed, int goal) {
  if (time > 0) {
    report(reader, time, heed, "   goal: at least " + std::to_string(goal));
  } else {
    std::printf("  %s: not compared, as it is not installed (Debian: %s)\n", reader.c_str(), package);
  }
}

// Chunks of half a second with one stamp each, as LabRecorder writes them.
fs::path xdf_recording() {
  constexpr std::uint64_t wanted = 1'000'000'000;
  fs::path path = fs::path(HEED_BENCH_FOLDER) / "readers_bench.xdf";
  if (fs::exists(path) && fs::file_size(path) >= wanted) return path;
  std::printf("making %s (%llu MB)\n", path.c_str(), static_cast<unsigned long long>(wanted / 1'000'000));
  const fs::path unfinished = path.string() + ".part";
  io::XdfWriter writer(unfinished);
  const auto stream = [&](const char* name, const char* type, Index count, double frequency) {
    return writer.add_stream({.name = name,
                              .type = type,
                              .format = io::XdfFormat::float32,
                              .channels = count,
                              .sampling_frequency = {frequency}});
  };
  const auto eeg = stream("eeg", "EEG", 64, 2048);
  const std::array sounds{stream("a", "Audio", 1, 48'000), stream("b", "Audio", 1, 48'000)};
  const std::vector<float> eeg_rows(std::size_t{64} * 1024, 1.5F);
  const std::vector<float> sound_rows(24'000, 0.25F);
  for (int chunk = 0; fs::file_size(unfinished) < wanted; ++chunk) {
    const Seconds time{1000 + 0.5 * chunk};
    writer.write(eeg, time, std::span<const float>(eeg_rows));
    for (const auto sound : sounds) writer.write(sound, time, std::span<const float>(sound_rows));
    if (chunk % 10 == 0) writer.write_offset(eeg, time, {0.001});
    if (chunk % 20 == 0) writer.write_boundary();
  }
  writer.finish();
  fs::rename(unfinished, path);
  return path;
}

void read_xdf(const fs::path& path) {
  io::XdfFile file = io::XdfFile::open(path);
  SampleMatrix rows;
  for (std::size_t stream = 0; stream < file.streams().size(); ++stream) {
    constexpr Index at_once = 1 << 14;
    for (Index first = 0; first < file.streams()[stream].samples; first += at_once) {
      rows.resize(std::min(at_once, file.streams()[stream].samples - first), 1);
      file.read(stream, first, rows);
      benchmark::DoNotOptimize(rows.data());
    }
  }
}

long peak_kilobytes() {
  rusage usage{};
  (void)::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void run_xdf() {
  const fs::path path = xdf_recording();
  constexpr int times = 3;
  const auto megabytes = static_cast<double>(fs::file_size(path)) / 1e6;
  bare_read(path, std::size_t{1} << 20U);  // into the page cache
  const long before = peak_kilobytes();
  const double heed = best_of(times, [&] { read_xdf(path); });
  const long after = peak_kilobytes();
  const double open = best_of(times, [&] { benchmark::DoNotOptimize(io::XdfFile::open(path).streams().size()); });
  const double buffered = best_of(times, [&] { bare_read(path, std::size_t{1} << 20U); });
  std::printf("\nXDF, %.0f MB, best of %d\n", megabytes, times);
  report("heed, opened and every sample read", heed, heed, "");
  std::printf("  %-44s %8.1f MB/s   goal: at least 200\n", "that is", megabytes / heed);
  std::printf("  %-44s %8.1f MB\n", "more memory than before, at its peak", static_cast<double>(after - before) / 1e3);
  report("heed, opened alone", open, heed, "");
  report("read() through one buffer of 1 MB", buffered, heed, "");
}

int run() {
  run_xdf();
  const fs::path path = recording();
  const auto size = static_cast<std::size_t>(fs::file_size(path));
  constexpr int times = 7;
  bare_read(path, size);  // into the page cache
  // In turns, so that a busy minute of the machine meets them all.
  double heed = std::numeric_limits<double>::infinity();
  double bare = heed;
  double buffered = heed;
  double one_channel = heed;
  double pieces = heed;
  const io::RecordingPart part{{"A33"}, Seconds{300}, Seconds{310}};
  for (int i = 0; i < times; ++i) {
    heed = std::min(heed, best_of(1, [&] { read_all(path); }));
    pieces = std::min(pieces, best_of(1, [&] { read_pieces(path); }));
    bare = std::min(bare, best_of(1, [&] { bare_read(path, size); }));
    buffered = std::min(buffered, best_of(1, [&] { bare_read(path, std::size_t{1} << 20U); }));
    one_channel = std::min(one_channel, best_of(1, [&] { benchmark::DoNotOptimize(io::read_recording(path, part)); }));
  }
  std::printf("\nBDF, %d channels, %d Hz, %d s, %zu MB, best of %d\n", channels, rate, seconds, size / 1'000'000,
              times);
  report("heed, to single precision samples x channels", heed, heed, "");
  report("heed, in pieces of 30 s", pieces, heed, "");
  report("heed, one channel for 10 s", one_channel, heed, "");
  report("read() of the file into new memory", bare, heed, "   goal: at least 0.25");
  report("read() through one buffer of 1 MB", buffered, heed, "");
  report_peer("libxdffileio, xdf_read()", "libxdffileio0", seconds_of("xdffileio_read.py", path), heed, 4);
  report_peer("MNE, read_raw_bdf(preload=True)", "python3-mne", seconds_of("mne_read.py", path), heed, 10);
  return 0;
}

}  // namespace
}  // namespace heed::bench

int main() {
  try {
    return heed::bench::run();
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
