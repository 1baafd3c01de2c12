// SPDX-License-Identifier: MIT
// The public data sets of auditory attention, as they were published: which files they are made of, and the
// trials in a file, read one at a time. docs/verbs/convert.md tells what is made of them and why.
#pragma once

#include <heed/data/recording.h>
#include <io/bids/channels_file.h>
#include <io/bids/dataset_writer.h>
#include <io/mat/mat_file.h>

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

// The same for files BEGINNING<number>ENDING; the advice is for a folder without any.
struct NumberedName {
  std::string_view beginning{};
  std::string_view ending{};
  std::string advice{};
};
[[nodiscard]] std::vector<PublicFile> find_numbered_files(const NumberedName& name,
                                                          std::span<const std::filesystem::path> sources);

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

  [[nodiscard]] virtual std::size_t trials() const = 0;
  // index from 0. Throws bad_data with file, field and what it should be; not_found for a sound that is missing.
  // What a user should know is added to notes.
  [[nodiscard]] virtual PublicTrial read(std::size_t index, std::vector<std::string>& notes) const = 0;
};

// Throws not_found, io, bad_data naming the field.
[[nodiscard]] std::unique_ptr<PublicParticipant> open_public_file(PublicSet set, const PublicFile& file,
                                                                  const PublicReadOptions& options = {});

// The reader of each set, and what they share: EEG with its channels, envelopes, sides.
[[nodiscard]] std::unique_ptr<PublicParticipant> open_av_gc_aad(const PublicFile& file);
[[nodiscard]] std::unique_ptr<PublicParticipant> open_kuleuven(const PublicFile& file,
                                                               const PublicReadOptions& options);
[[nodiscard]] std::unique_ptr<PublicParticipant> open_dtu(const PublicFile& file);

// A cell with something in it; `count` cells where that is not 0.
[[nodiscard]] MatValue filled_cell(const MatValue& value, std::size_t count = 0);

// FileHeader.Channels.Label: an array of structs, or one struct with a cell of labels.
[[nodiscard]] std::vector<std::string> channel_labels(const MatValue& channels);
[[nodiscard]] std::vector<std::string> cell_texts(const MatValue& cell);

// In microvolts, as all the sets are. Those whose names are not of the scalp get the type MISC. Throws where there is
// not a label for each column of the EEG.
void set_recording(PublicTrial& trial, const MatValue& eeg, const std::vector<std::string>& labels, Hertz rate);

[[nodiscard]] Seconds duration(const Recording& recording);

// One column, cut to the length of the EEG. Throws where it is shorter than that.
[[nodiscard]] Envelope read_envelope(const MatValue& value, Hertz rate, Seconds eeg);

// "left" of left, L, Left; throws for anything else.
[[nodiscard]] std::string side(const MatValue& value);
[[nodiscard]] std::string other_side(const std::string& side);

}  // namespace heed::io
