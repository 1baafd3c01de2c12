// SPDX-License-Identifier: MIT
// From the address of a source to the source: a table with one line per scheme.
#pragma once

#include <heed/data/decoder.h>
#include <heed/decode/window_sums.h>
#include <heed/io/bids_dataset.h>
#include <heed/live/stream.h>
#include <live/address.h>
#include <sim/recording_options.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::live {

// A file of one speaker that was started with the stream, or by a marker.
struct SoundFile {
  std::string speaker{};
  std::filesystem::path path{};
};

struct SourceRequest {
  Address address{};
  io::RunSelection selection{};             // of replay: participant and run
  std::optional<Decoder> decoder{};         // of signals: what they will be prepared for
  bool scores = false;                      // the stream is expected to hold scores or log-likelihoods
  std::vector<SoundFile> sounds{};          // of streams that bring EEG alone
  Seconds audio_offset{};                   // of those files, after the first EEG sample or the marker
  std::string marker{};                     // that starts them; empty: the first EEG sample
  decode::WindowLayout window{Seconds{1}};  // of signals: attention is told by windows
  Seconds block{0.05};                      // of stored sources: how much comes at once
  std::string lsl_library{};                // file of liblsl; empty: where it usually is
  // What a user should know while the source is opened or runs, such as whom it waits for. Called by any thread.
  std::function<void(const std::string&)> tell{};
  const std::atomic<bool>* stop = nullptr;  // opening, which may wait for a peer, throws io once it is true
};

// Throws as parse_address does, not_found, io, bad_data, unsupported, with the address.
[[nodiscard]] std::unique_ptr<Source> open_source(const SourceRequest& request);

// One per scheme, in sources/.
[[nodiscard]] std::unique_ptr<Source> open_replay(const SourceRequest& request);
[[nodiscard]] std::unique_ptr<Source> open_simulated(const SourceRequest& request);
[[nodiscard]] std::unique_ptr<Source> open_ndjson(const SourceRequest& request);  // -, tcp, unix
[[nodiscard]] std::unique_ptr<Source> open_biosemi(const SourceRequest& request);
[[nodiscard]] std::unique_ptr<Source> open_lsl(const SourceRequest& request);

// What replay: sends that is no folder. A recording in one file, its events as markers, and another trial after each of
// its pauses: sound comes from files beside it. Throws as io::RecordingFile and with_sound_files do.
[[nodiscard]] std::unique_ptr<Source> open_recording(const SourceRequest& request);
// An XDF file, each sample stamped with its time on the clock of the computer that recorded; a pause of the EEG begins
// a trial. Which stream is the EEG, and who speaks where, is said by the address's options eeg and speakers. Throws as
// io::XdfFile and io::plan_xdf do, and invalid_argument where there is no sound of at least two speakers.
[[nodiscard]] std::unique_ptr<Source> open_xdf(const SourceRequest& request);

// With the request's files as the speakers' sound beside its EEG; the source itself where it brings scores, or sound of
// its own. Sound is handed on as EEG of its time comes, before it. Throws invalid_argument where sound is missing or
// given twice, and as reading sound does.
[[nodiscard]] std::unique_ptr<Source> with_sound_files(std::unique_ptr<Source> source, const SourceRequest& request);

// With the attention that markers tell: a marker of this text means that its speaker is attended from then on. Throws
// invalid_argument for a speaker who is none.
struct AttentionMarker {
  std::string text{};
  std::string speaker{};
};
[[nodiscard]] std::unique_ptr<Source> with_attention_markers(std::unique_ptr<Source> source,
                                                             std::vector<AttentionMarker> markers);

// A decoder of the listener that `simulated:` simulates, of other trials than the one that is sent.
[[nodiscard]] Decoder simulated_decoder(const Address& address, Seconds window);
// Likewise of the first participant of a cohort.
[[nodiscard]] Decoder simulated_decoder(const sim::RecordingCohortOptions& listener, Seconds window);

}  // namespace heed::live
