// SPDX-License-Identifier: MIT
// CND, the structure that users of mTRF-Toolbox and of the CNSP workshop exchange: `eeg` in dataSub1.mat ..., a cell of
// trials with time down the rows; `stim` in dataStim.mat or one file per participant, a cell of features x trials.
// Which features are speakers and who was attended is not part of the structure, so names or rules say it.
#pragma once

#include <io/public_sets/convert.h>
#include <io/xdf/xdf_plan.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// The feature by which heed keeps attention that may change: in each sample the number of the attended one among the
// other features, from 1, or 0 for nobody.
inline constexpr std::string_view cnd_attention_feature = "Attended speaker";

struct CndSpeaker {
  std::string speaker{};
  std::string feature{};  // its name in stim.names, or its number from 1
};
// "SPEAKER=FEATURE". Throws invalid_argument with the form.
[[nodiscard]] CndSpeaker parse_cnd_speaker(std::string_view text);

struct CndReadOptions {
  // None: all features where one is cnd_attention_feature; else those whose names say that they are attended and
  // unattended; else the only envelope, as a single speaker.
  std::vector<CndSpeaker> speakers{};
  // Who is attended in trials of a condition (stim.condNames), by the first rule that fits. None: by
  // cnd_attention_feature, or the speaker whose feature says it, or the only one.
  std::vector<MarkerRule> attention{};
  std::optional<std::filesystem::path> stimuli{};  // else stim in the file, dataStim1.mat or dataStim.mat beside it
};

// One file, open. Throws not_found, bad_data naming the field, invalid_argument for rules that do not fit.
[[nodiscard]] std::unique_ptr<PublicParticipant> open_cnd(const PublicFile& file, const CndReadOptions& options = {});

// Throws as find_numbered_files and convert_files do.
[[nodiscard]] std::vector<ConvertedParticipant> convert_cnd(std::span<const std::filesystem::path> sources,
                                                            const std::filesystem::path& target,
                                                            const CndReadOptions& reading = {},
                                                            const ConvertOptions& options = {});

}  // namespace heed::io
