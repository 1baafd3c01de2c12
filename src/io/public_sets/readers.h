// SPDX-License-Identifier: MIT
// The reader of each set, and what they share: EEG with its channels, envelopes, sides.
#pragma once

#include <io/mat/mat_file.h>
#include <io/public_sets/public_set.h>

#include <memory>
#include <string>
#include <vector>

namespace heed::io {

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
