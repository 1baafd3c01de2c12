// SPDX-License-Identifier: MIT
// What was learnt, as versioned JSON: models, decoders and populations; and transition probabilities as text. Every
// number reads back exactly.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/matrix.h>
#include <heed/data/model.h>
#include <heed/data/population.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Raised when an older heed could misread a newer file. Files that version 1 can say are written as such: version 2 has
// a dependence between windows.
inline constexpr std::size_t model_format_version = 2;

// Throws not_found, io; unsupported for a version or emission this heed does not know; bad_data naming
// the key that is missing, mistyped or out of range.
[[nodiscard]] Model read_model(const std::filesystem::path& path);
[[nodiscard]] Model parse_model(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a model that could not be read back.
void write_model(const std::filesystem::path& path, const Model& model);
[[nodiscard]] std::string model_text(const Model& model);

// One line for people: "fisher-gaussian, shared sigma: mu 0.124 / 0.037, sigma 0.303".
[[nodiscard]] std::string describe(const Emission& emission);
// The same, and the temperature and the dependence where there are such.
[[nodiscard]] std::string describe(const Model& model);

// Transition probabilities: N x N numbers, tabs, no header, row = from, column = to. Whether rows are probabilities is
// for the chain to say. Throws not_found, io, or bad_data with the row.
[[nodiscard]] Matrix read_chain(const std::filesystem::path& path);
[[nodiscard]] Matrix parse_chain(std::string_view text);

// A decoder holds filters, channels, lags, scales and how signals are prepared; a population statistics and digests,
// one line per entry, and no samples of anybody (docs/formats.md, decoders and populations).

// Raised when an older heed could misread a newer file. A decoder is written in the oldest version that says all of it.
inline constexpr std::size_t decoder_format_version = 2;

// Throws not_found, io; unsupported for a version or kind this heed does not know; bad_data naming the key that is
// missing, mistyped, out of range, or of another size than channels and lags say.
[[nodiscard]] Decoder read_decoder(const std::filesystem::path& path);
[[nodiscard]] Decoder parse_decoder(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a decoder that could not be read back.
void write_decoder(const std::filesystem::path& path, const Decoder& decoder);
[[nodiscard]] std::string decoder_text(const Decoder& decoder);

// One line for people: "least squares, 64 channels, lags 0 ... 16 at 64 Hz, 1 ... 9 Hz, zero-phase".
[[nodiscard]] std::string describe(const Decoder& decoder);

// "1 ... 9 Hz, zero-phase, 64 Hz, average reference"; artefact clipping where it is on, targets that are not the
// envelope alone.
[[nodiscard]] std::string describe(const Preprocessing& preprocessing);

// "Pearson's correlation"; "shrunk cosine 0.3", "shrunk cosine 0.3 with a memory of 60 s".
[[nodiscard]] std::string describe(const ScoreRule& rule);

// The words of options and files: "zero-phase", "causal"; "exclude", "interpolate"; "envelope", "onset".
[[nodiscard]] std::string_view name_of(FilterMode mode) noexcept;
[[nodiscard]] std::string_view name_of(BadChannels choice) noexcept;
[[nodiscard]] std::string_view name_of(SpeechTarget target) noexcept;
// In their order: the names of a stimulus' columns.
[[nodiscard]] std::vector<std::string> names_of(std::span<const SpeechTarget> targets);

// Raised when an older heed could misread a newer file; 2 has covariances, which adaptive decoders start from. A
// population is written in the oldest version that says all of it.
inline constexpr std::size_t population_format_version = 2;

// Throws not_found, io; unsupported for a version this heed does not know; bad_data naming the entry (counted from 1)
// and the key that is missing, mistyped, no number, out of range, or of another size than channels and delays say.
[[nodiscard]] Population read_population(const std::filesystem::path& path);
[[nodiscard]] Population parse_population(std::string_view text);

// Throws cannot_create, io, or invalid_argument for a population that could not be read back.
void write_population(const std::filesystem::path& path, const Population& population);
[[nodiscard]] std::string population_text(const Population& population);

// What an adaptive decoder has learnt of one listener; every number reads back exactly. Throw as the functions above.
[[nodiscard]] LearntListener read_listener(const std::filesystem::path& path);
[[nodiscard]] LearntListener parse_listener(std::string_view text);
void write_listener(const std::filesystem::path& path, const LearntListener& listener);
[[nodiscard]] std::string listener_text(const LearntListener& listener);

// How many different listeners there are.
[[nodiscard]] std::size_t listeners_in(const Population& population);

// One line for people: "9 listeners, 18 entries; ls, ridge 0.3, lags 0 ... 250 ms; 0.5 ... 9 Hz, ...".
[[nodiscard]] std::string describe(const Population& population);

}  // namespace heed::io
