// SPDX-License-Identifier: MIT
// A trained decoder as versioned JSON: filters, channels, lags, how signals are prepared, scales. Every
// double reads back as it was. docs/formats.md, decoders.
#pragma once

#include <heed/data/decoding/decoder.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Raised when an older heed could misread a newer file.
inline constexpr std::size_t decoder_format_version = 1;

// Throws not_found, io; unsupported for a version or kind this heed does not know; bad_data naming the key that is
// missing, mistyped, out of range, or of another size than channels and lags say.
[[nodiscard]] Decoder read_decoder(const std::filesystem::path& path);
[[nodiscard]] Decoder parse_decoder(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a decoder that could not be read back.
void write_decoder(const std::filesystem::path& path, const Decoder& decoder);
[[nodiscard]] std::string decoder_text(const Decoder& decoder);

// One line for people: "least squares, 64 channels, lags 0 ... 16 at 64 Hz, 1 ... 9 Hz, zero-phase".
[[nodiscard]] std::string describe(const Decoder& decoder);

// "1 ... 9 Hz, zero-phase, 64 Hz, average reference"; artefact clipping where it is on.
[[nodiscard]] std::string describe(const Preprocessing& preprocessing);

// The words of options and files: "zero-phase", "causal"; "exclude", "interpolate".
[[nodiscard]] std::string_view name_of(FilterMode mode) noexcept;
[[nodiscard]] std::string_view name_of(BadChannels choice) noexcept;

}  // namespace heed::io
