// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/digest.h>
#include <io/prepared_file.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace heed::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view magic = "heed-prepared-1\n";
constexpr std::size_t digest_length = 32;
constexpr std::size_t length_digits = 12;  // of the header's length, in decimal

Json ranges_json(const std::vector<SampleRange>& ranges) {
  Json json = Json::array();
  for (const SampleRange& range : ranges) json.push_back({range.first, range.count});
  return json;
}

Json trial_json(const PreparedTrial& trial) {
  Json attention = Json::array();
  for (const AttendedRange& range : trial.attention) {
    attention.push_back({range.samples.first, range.samples.count, range.speaker});
  }
  return {{"name", trial.name},
          {"onset", trial.onset.value},
          {"samples", trial.eeg.rows()},
          {"attention", attention},
          {"missing", ranges_json(trial.missing)}};
}

Json header_json(const PreparedRun& run) {
  Json trials = Json::array();
  for (const PreparedTrial& trial : run.trials) trials.push_back(trial_json(trial));
  return {{"name", run.name},         {"sampling_frequency", run.sampling_frequency.value},
          {"channels", run.channels}, {"speakers", run.speakers},
          {"targets", run.targets},   {"notes", run.notes},
          {"trials", trials}};
}

void append(std::string& bytes, const SampleMatrix& samples) {
  const std::size_t before = bytes.size();
  const std::size_t size = static_cast<std::size_t>(samples.size()) * sizeof(float);
  bytes.resize(before + size);
  if (size > 0) std::memcpy(bytes.data() + before, samples.data(), size);
}

// Walks over the bytes; every step is held against what is left.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw Error(ErrorKind::bad_data, "cut off");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  SampleMatrix take_samples(Index rows, Index columns) {
    if (rows < 0 || (columns > 0 && rows > std::ssize(rest_) / columns)) throw Error(ErrorKind::bad_data, "cut off");
    const std::string_view taken = take(static_cast<std::size_t>(rows * columns) * sizeof(float));
    SampleMatrix samples(rows, columns);
    if (!taken.empty()) std::memcpy(samples.data(), taken.data(), taken.size());
    return samples;
  }

 private:
  std::string_view rest_;
};

PreparedTrial parse_trial(const Json& json, const PreparedRun& run, Bytes& bytes) {
  PreparedTrial trial;
  trial.name = json.at("name");
  trial.onset = Seconds{json.at("onset").get<double>()};
  const Index samples = json.at("samples");
  for (const Json& range : json.at("attention")) {
    trial.attention.push_back({{range.at(0), range.at(1)}, range.at(2)});
  }
  for (const Json& range : json.at("missing")) trial.missing.push_back({range.at(0), range.at(1)});
  trial.eeg = bytes.take_samples(samples, std::ssize(run.channels));
  for (std::size_t s = 0; s < run.speakers.size(); ++s) {
    trial.stimuli.push_back(bytes.take_samples(samples, std::ssize(run.targets)));
  }
  return trial;
}

PreparedRun parse_run(std::string_view content) {
  Bytes bytes(content);
  const std::string length(bytes.take(length_digits));
  const Json json = Json::parse(bytes.take(std::stoul(length)));
  PreparedRun run;
  run.name = json.at("name");
  run.sampling_frequency = Hertz{json.at("sampling_frequency").get<double>()};
  run.channels = json.at("channels");
  run.speakers = json.at("speakers");
  run.targets = json.at("targets");
  run.notes = json.at("notes");
  for (const Json& trial : json.at("trials")) run.trials.push_back(parse_trial(trial, run, bytes));
  return run;
}

std::string digest_of(std::string_view content) { return Digest().add(content).hex(); }

}  // namespace

void write_prepared(const std::filesystem::path& path, const PreparedRun& run) {
  const std::string header = header_json(run).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string length = std::to_string(header.size());
  length.insert(0, length_digits - length.size(), '0');
  std::string bytes = std::string(magic) + length + header;
  for (const PreparedTrial& trial : run.trials) {
    append(bytes, trial.eeg);
    for (const SampleMatrix& stimulus : trial.stimuli) append(bytes, stimulus);
  }
  bytes += digest_of(std::string_view(bytes).substr(magic.size()));
  write_text_file(path, bytes);
}

std::optional<PreparedRun> read_prepared(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + length_digits + digest_length) return std::nullopt;
  const std::string_view content(bytes.data() + magic.size(), bytes.size() - magic.size() - digest_length);
  if (digest_of(content) != std::string_view(bytes).substr(bytes.size() - digest_length)) return std::nullopt;
  try {
    return parse_run(content);
  } catch (const std::exception&) {  // the digest holds, so another heed wrote it
    return std::nullopt;
  }
}

}  // namespace heed::io
