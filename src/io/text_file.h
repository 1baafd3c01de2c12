// SPDX-License-Identifier: MIT
// Text from a file or from standard input ("-"): read whole and checked once, so that the readers
// behind it see clean UTF-8. A byte order mark is dropped; CRLF stays, the line reader drops it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace heed::io {

// More than any table heed meets (a day of quarter-second windows is 20 MB), less than a machine's memory.
inline constexpr std::size_t largest_text_file = std::size_t{1} << 30U;

// "-" stands for standard input or output.
[[nodiscard]] bool is_standard_stream(const std::filesystem::path& path);

// As messages call it: the path, or "standard input".
[[nodiscard]] std::string input_name(const std::filesystem::path& path);

// Errors: not_found; io (a directory, unreadable); bad_data (NUL bytes, not UTF-8); unsupported (too large).
// The message names the file.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t largest_bytes = largest_text_file);

}  // namespace heed::io
