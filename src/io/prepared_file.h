// SPDX-License-Identifier: MIT
// Prepared runs in a cache: a header in JSON, the samples as they lie in memory, a digest at the end. Made to be read
// back by the same heed on the same kind of machine; what is damaged, cut off or of another version is not read.
#pragma once

#include <data/prepared_run.h>

#include <filesystem>
#include <optional>

namespace heed::io {

// Throws cannot_create or io.
void write_prepared(const std::filesystem::path& path, const PreparedRun& run);

// Nothing where there is no such file, or none that can be trusted: the caller prepares the run again.
[[nodiscard]] std::optional<PreparedRun> read_prepared(const std::filesystem::path& path);

}  // namespace heed::io
