// SPDX-License-Identifier: MIT
// Recordings of EEG: BDF, BDF+, EDF, EDF+, BrainVision, EEGLAB, FIF and GDF, known by their content and their name. A
// header costs little; samples are read for the wanted channels and stretch only. Every length a file states is held
// against its size before memory is asked for. docs/formats.md, recordings.
#pragma once

#include <heed/data/recording.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

// Whether the file's ending is one of those below: what read_recording opens by its name.
[[nodiscard]] bool is_recording_file(const std::filesystem::path& path);
// ".vhdr, .ahdr, .bdf or .edf", for messages.
[[nodiscard]] std::string recording_endings();

struct RecordingPart {
  std::vector<std::string> channels{};  // by name, in this order; empty: all at the header's sampling frequency
  // On the recording's clock: samples at or after `from` and before `to`, cut to what there is.
  std::optional<Seconds> from{};
  std::optional<Seconds> to{};
};

class RecordingSource;

// An open recording: its header is parsed once, however often samples are read. Several threads may read at once.
class RecordingFile {
 public:
  // Of BrainVision give the .vhdr. Throws not_found, io; unsupported for a variant heed does not read; bad_data with
  // the byte (or line), what is wrong and what to do.
  [[nodiscard]] static RecordingFile open(const std::filesystem::path& path);
  ~RecordingFile();
  RecordingFile(RecordingFile&& other) noexcept;
  RecordingFile& operator=(RecordingFile&& other) noexcept;
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  [[nodiscard]] const RecordingHeader& header() const noexcept;  // complete but for the events
  [[nodiscard]] RecordingHeader header_with_events() const;      // reads a status channel from end to end
  // The files whose bytes the samples depend on: the file itself, and the samples of a .vhdr.
  [[nodiscard]] std::vector<std::filesystem::path> files() const;

  // Throws not_found for a channel that is not there; bad_data if the channels differ in rate (naming the odd ones);
  // unsupported if the part crosses a pause of a discontinuous file (naming its segments).
  [[nodiscard]] Recording read(const RecordingPart& part = {}) const;

 private:
  RecordingFile(std::filesystem::path path, std::unique_ptr<const RecordingSource> source);

  std::filesystem::path path_;
  std::unique_ptr<const RecordingSource> source_;
};

// A file opened for one call: its header with events, or samples.
[[nodiscard]] RecordingHeader read_recording_header(const std::filesystem::path& path);
[[nodiscard]] Recording read_recording(const std::filesystem::path& path, const RecordingPart& part = {});

// Recordings written as other programs read them: BDF+ and EDF+ (24 and 16 bit integers, each channel scaled to its
// own range), BrainVision (32 bit floats, exact). Whole or not there: three files of BrainVision appear together.
struct RecordingWriteOptions {
  std::optional<std::string> start{};  // local time, 2026-11-15T09:30:00; fractions of a second are kept
  std::string subject{"X"};            // EDF and BDF: who; X is "not told"
};

// A sample reads back to within half a step of the channel's range (2^-25 of it in BDF, 2^-17 in EDF), which the header
// states in eight characters. Events become annotations; those outside the samples are left out, and all are written
// relative to the first sample. Where no record length from an eighth of a second to a second divides the samples, the
// last record is filled up with the last sample. Throws invalid_argument (no channels or samples, a sample that is not
// finite, a name of more than 16 ASCII characters, an event without description, a rate for which no whole number of
// samples makes a record), cannot_create, io.
void write_bdf(const std::filesystem::path& path, const Recording& recording,
               std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});
void write_edf(const std::filesystem::path& path, const Recording& recording,
               std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});

// path is the .vhdr; the .eeg and .vmrk lie beside it under the same name. An event "Type/description" keeps both;
// other events become markers of type Stimulus; the first marker is a New Segment. Onsets and durations are rounded to
// samples. NaN is a missing sample.
void write_brainvision(const std::filesystem::path& path, const Recording& recording,
                       std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});

}  // namespace heed::io
