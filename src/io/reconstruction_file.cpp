// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/discovery.h>
#include <io/json_object.h>
#include <io/reconstruction_file.h>
#include <io/score_tables/sidecar.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> endings{"_reconstruction.tsv", "_reconstruction.npy"};
constexpr double same_time = 1e-6;  // s
constexpr double same_rate = 1e-9;  // of the rate

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::bad_data, why); }

// ---- envelopes ----

// Rows meet one to one, so everything but the numbers must be the same.
void check_meets(const Envelope& envelope, const Reconstruction& reconstruction) {
  const double rate = reconstruction.sampling_frequency.value;
  if (std::abs(envelope.sampling_frequency.value - rate) > same_rate * rate) {
    refuse("has " + number_text(envelope.sampling_frequency.value) + " samples per second, the reconstruction " +
           number_text(rate) + "; resample one of them");
  }
  if (std::abs(envelope.onset.value - reconstruction.onset.value) > same_time) {
    refuse("begins at " + number_text(envelope.onset.value) + " s, the reconstruction at " +
           number_text(reconstruction.onset.value) + " s; cut both to begin together");
  }
  if (envelope.values.rows() != reconstruction.values.size()) {
    refuse("has " + std::to_string(envelope.values.rows()) + " samples, the reconstruction " +
           std::to_string(reconstruction.values.size()) + "; cut both to end together");
  }
}

Envelope meeting(const fs::path& path, const Reconstruction& reconstruction) {
  Envelope envelope = read_envelope(path);
  try {
    check_meets(envelope, reconstruction);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
  return envelope;
}

void add_speaker(Reconstruction& reconstruction, const std::string& speaker, const Eigen::VectorXd& envelope) {
  if (std::ranges::find(reconstruction.speakers, speaker) != reconstruction.speakers.end()) {
    refuse("key Envelopes names the speaker " + in_quotes(speaker) + " twice");
  }
  reconstruction.speakers.push_back(speaker);
  Matrix& all = reconstruction.envelopes;
  all.conservativeResize(envelope.size(), all.cols() + 1);
  all.rightCols(1) = envelope;
}

void read_one_table(Reconstruction& reconstruction, const fs::path& path) {
  const Envelope envelope = meeting(path, reconstruction);
  reconstruction.speakers = envelope.columns;
  reconstruction.envelopes = envelope.values;
}

void read_one_each(Reconstruction& reconstruction, const JsonObject& json, const fs::path& folder) {
  for (const JsonObject& one : json.objects("Envelopes")) {
    const fs::path path = folder / one.text("File");
    const Envelope envelope = meeting(path, reconstruction);
    if (envelope.values.cols() != 1) {
      refuse(input_name(path) + ": has several columns; the envelope of one speaker has one");
    }
    add_speaker(reconstruction, one.text("Speaker"), envelope.values.col(0));
  }
}

void read_envelopes(Reconstruction& reconstruction, const JsonObject& json, const fs::path& folder) {
  if (json.has("Envelopes") && !json.has_text("Envelopes")) {
    read_one_each(reconstruction, json, folder);
  } else {
    read_one_table(reconstruction,
                   folder / (json.has("Envelopes") ? json.text("Envelopes") : reconstruction.name + "_envelopes.tsv"));
  }
  if (reconstruction.speakers.size() < 2) {
    refuse("has the envelope of one speaker; attention is decided between two or more");
  }
}

// ---- who was attended ----

Speaker speaker_called(const std::string& name, const Reconstruction& reconstruction) {
  if (name == missing_cell) return unknown_speaker;
  const auto& speakers = reconstruction.speakers;
  const auto found = std::ranges::find(speakers, name);
  if (found == speakers.end()) {
    std::string known;
    for (const std::string& speaker : speakers) known += (known.empty() ? "" : ", ") + speaker;
    refuse("key Attended: no speaker is called " + in_quotes(name) + "; there are " + known);
  }
  return static_cast<Speaker>(found - speakers.begin());
}

// From the begin of each entry to that of the next.
void read_stretches(Reconstruction& reconstruction, const JsonObject& json) {
  const Index end = reconstruction.values.size();
  const auto stretches = json.objects("Attended");
  std::vector<Index> firsts;
  for (const JsonObject& one : stretches) {
    const double since = one.number("Onset") - reconstruction.onset.value;
    const double first = std::round(since * reconstruction.sampling_frequency.value);
    if (first < 0 || first >= static_cast<double>(end)) refuse("key Attended: an Onset lies outside the signal");
    if (!firsts.empty() && static_cast<Index>(first) <= firsts.back()) refuse("key Attended: onsets must increase");
    firsts.push_back(static_cast<Index>(first));
  }
  firsts.push_back(end);
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const Speaker speaker = speaker_called(stretches[k].text("Speaker"), reconstruction);
    if (speaker == unknown_speaker) continue;
    reconstruction.attention.push_back({{firsts[k], firsts[k + 1] - firsts[k]}, speaker});
  }
}

void read_attention(Reconstruction& reconstruction, const JsonObject& json) {
  if (!json.has("Attended")) return;
  if (!json.has_text("Attended")) {
    read_stretches(reconstruction, json);
    return;
  }
  const Speaker speaker = speaker_called(json.text("Attended"), reconstruction);
  if (speaker != unknown_speaker) reconstruction.attention = {{{0, reconstruction.values.size()}, speaker}};
}

}  // namespace

Reconstruction read_reconstruction(const fs::path& path) {
  const Envelope signal = read_envelope(path);
  Reconstruction reconstruction{.listener = participant_id(path),
                                .name = name_without_suffix(path),
                                .sampling_frequency = signal.sampling_frequency,
                                .onset = signal.onset};
  try {
    if (signal.values.cols() != 1) {
      refuse("has " + std::to_string(signal.values.cols()) + " columns; a reconstruction is one");
    }
    reconstruction.values = signal.values.col(0);
    const JsonObject json = JsonObject::parse(read_text_file(*sidecar_path(path)));
    read_envelopes(reconstruction, json, path.parent_path());
    read_attention(reconstruction, json);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
  return reconstruction;
}

std::vector<fs::path> find_reconstructions(std::span<const fs::path> paths) {
  std::vector<fs::path> files = find_files(paths, endings);
  std::map<std::string, fs::path> names;
  for (const fs::path& file : files) {
    if (is_standard_stream(file)) {
      throw Error(ErrorKind::invalid_argument, "reconstructions are not read from standard input; name files");
    }
    const auto [known, is_new] = names.try_emplace(name_without_suffix(file), file);
    if (!is_new) {
      refuse(input_name(file) + ": " + known->second.string() + " has the same name; give one of them, or rename it");
    }
  }
  return files;
}

}  // namespace heed::io
