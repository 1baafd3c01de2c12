// SPDX-License-Identifier: MIT
// A public data set, or files of another structure with one participant each, as a BIDS folder: one run a trial.
// Participants that cannot be converted do not keep the others from it.
#pragma once

#include <heed/data/error.h>
#include <io/bids/dataset_writer.h>
#include <io/public_sets/public_set.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed::io {

struct ConvertOptions {
  std::vector<std::string> subjects{};  // "01" or "1"; none: all there are
  PublicReadOptions reading{};
  DatasetWriteOptions writing{};
  std::function<void(std::size_t done, std::size_t total)> progress{};  // trials of all participants, about
};

struct ConvertedParticipant {
  std::string subject{};
  std::filesystem::path source{};
  std::size_t runs = 0;
  bool earlier = false;  // was there already
  std::optional<Error> failure{};
  std::vector<std::string> notes{};
};

// What the files of participants are, and how one is opened.
struct SourceFiles {
  std::vector<PublicFile> files{};  // by subject
  DatasetDescription description{};
  std::function<std::unique_ptr<PublicParticipant>(const PublicFile&)> open{};
  std::string remedy{};  // for a file that is not as it should be
};

// Throws before anything is written: invalid_argument (a subject there is not), cannot_create (the target). A disk that
// fills up stops the conversion: io.
[[nodiscard]] std::vector<ConvertedParticipant> convert_files(const SourceFiles& source,
                                                              const std::filesystem::path& target,
                                                              const ConvertOptions& options = {});

// Throws before anything is written: not_found, bad_data (see find_public_files), invalid_argument (a subject there
// is not), cannot_create (the target). A disk that fills up stops the conversion: io.
[[nodiscard]] std::vector<ConvertedParticipant> convert_public_set(PublicSet set,
                                                                   std::span<const std::filesystem::path> sources,
                                                                   const std::filesystem::path& target,
                                                                   const ConvertOptions& options = {});

}  // namespace heed::io
