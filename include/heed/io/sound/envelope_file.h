// SPDX-License-Identifier: MIT
// Envelopes somebody made already: a table, one row a sample, one column or several, and beside it a
// JSON with SamplingFrequency, StartTime (0 if it is not there) and Columns (the header row, again).
#pragma once

#include <heed/data/recording.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// A table, or with the ending .npy one column of numpy's (npy_file.h), called envelope. Throws not_found (no table, no
// sidecar), io, bad_data with row and column: n/a, text, no rows.
[[nodiscard]] Envelope read_envelope(const std::filesystem::path& path);

// The same from memory; the sidecar's errors begin with "sidecar".
[[nodiscard]] Envelope parse_envelope(std::string_view table, std::string_view sidecar);

// Table and sidecar (same name, .json) appear together, or neither. digits: significant, 1..17; 17 reads back
// exactly. Throws cannot_create, io, or invalid_argument for what cannot be read back.
void write_envelope(const std::filesystem::path& path, const Envelope& envelope, int digits = 9);

}  // namespace heed::io
