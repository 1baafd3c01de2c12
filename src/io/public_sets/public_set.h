// SPDX-License-Identifier: MIT
// The public data sets of auditory attention, as they were published: which files they are made of, and the
// trials in a file, read one at a time. docs/verbs/convert.md tells what is made of them and why.
#pragma once

#include <heed/data/recording.h>
#include <io/bids/channels_file.h>
#include <io/bids/dataset_writer.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

enum class PublicSet {
  av_gc_aad,  // KU Leuven 2024, audiovisual, gaze-controlled; talkers change sides
  kuleuven,   // KU Leuven 2016
  dtu,        // Technical University of Denmark 2018
};

[[nodiscard]] std::span<const PublicSet> all_public_sets() noexcept;
[[nodiscard]] std::string_view name(PublicSet set) noexcept;   // av-gc-aad, kuleuven, dtu
[[nodiscard]] std::string_view title(PublicSet set) noexcept;  // one line for people
[[nodiscard]] std::string_view url(PublicSet set) noexcept;    // where to download it
[[nodiscard]] DatasetDescription description(PublicSet set);

struct PublicFile {
  std::string subject{};  // "01" of S1.mat
  std::filesystem::path path{};
};

// Files of a set in order of their participants. Folders are searched to the bottom for names as published; a file
// may be called anything. Throws not_found (no such path, nothing of the set in a folder), bad_data (two files of
// one participant).
[[nodiscard]] std::vector<PublicFile> find_public_files(PublicSet set, std::span<const std::filesystem::path> sources);

struct TrialEnvelope {
  std::string file{};  // below stimuli/
  Envelope envelope{};
};

struct TrialSound {
  std::string file{};  // below stimuli/
  std::filesystem::path source{};
};

struct PublicTrial {
  std::string condition{};  // letters and digits; empty: the set has none
  Recording recording{};
  std::vector<BidsChannel> channels{};
  std::vector<RecordingEvent> markers{};
  ListeningEvents listening{};
  std::vector<TrialEnvelope> envelopes{};
  std::vector<TrialSound> sounds{};
};

struct PublicReadOptions {
  std::optional<std::filesystem::path> stimuli{};  // kuleuven: where the WAV files are; else beside the data
};

// One file, open. Not for two threads at once.
class PublicParticipant {
 public:
  PublicParticipant() = default;
  virtual ~PublicParticipant() = default;
  PublicParticipant(const PublicParticipant&) = delete;
  PublicParticipant& operator=(const PublicParticipant&) = delete;
  PublicParticipant(PublicParticipant&&) = delete;
  PublicParticipant& operator=(PublicParticipant&&) = delete;

  [[nodiscard]] virtual std::size_t trials() const = 0;
  // index from 0. Throws bad_data with file, field and what it should be; not_found for a sound that is missing.
  // What a user should know is added to notes.
  [[nodiscard]] virtual PublicTrial read(std::size_t index, std::vector<std::string>& notes) const = 0;
};

// Throws not_found, io, bad_data naming the field.
[[nodiscard]] std::unique_ptr<PublicParticipant> open_public_file(PublicSet set, const PublicFile& file,
                                                                  const PublicReadOptions& options = {});

}  // namespace heed::io
