// SPDX-License-Identifier: MIT
// What the streams of an XDF file are to a listening experiment: which is the EEG, who speaks in which, and what
// markers mean. LabRecorder does not say, so users give rules; heed's own recordings need none. docs/verbs/convert.md.
#pragma once

#include <io/xdf/xdf_file.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// In a pattern * stands for any text, and in what the marker means for the text that it stood for: "attend_*" and "*".
struct MarkerRule {
  std::string pattern{};
  std::string meaning{};
};

// A file that was started by a marker.
struct StimulusRule {
  std::string pattern{};
  std::string speaker{};
  std::filesystem::path file{};
};

struct SpeakerRule {
  std::string speaker{};
  std::string stream{};            // by name
  std::optional<Index> channel{};  // from 0; nothing: the only one
};

struct XdfRules {
  std::string eeg{};                    // the stream's name; empty: the only one of type EEG
  std::vector<SpeakerRule> speakers{};  // none: every channel of streams of type Audio or Envelope
  std::vector<MarkerRule> attention{};  // meaning: who is attended from then on; "": nobody knows. None: attended/*
  std::vector<MarkerRule> trials{};     // meaning: the name of the trial that begins. None: trial/*
  std::vector<std::string> trial_ends{};
  std::vector<StimulusRule> stimuli{};
};

// "SPEAKER=STREAM" or "SPEAKER=STREAM#CHANNEL" (from 0); "PATTERN=MEANING"; "PATTERN=SPEAKER=FILE". Throw
// invalid_argument with the form.
[[nodiscard]] SpeakerRule parse_speaker_rule(std::string_view text);
// Several of them as addresses have them: "left:STREAM,right:STREAM#1".
[[nodiscard]] std::vector<SpeakerRule> parse_speaker_rules(std::string_view text);
[[nodiscard]] MarkerRule parse_marker_rule(std::string_view text);
[[nodiscard]] StimulusRule parse_stimulus_rule(std::string_view text);

// What heed's own recordings mean: attended/NAME.
[[nodiscard]] const std::vector<MarkerRule>& own_attention_rules();

// What the marker means by the first rule that fits it; nothing: none does.
[[nodiscard]] std::optional<std::string> meaning_of(std::string_view marker, const std::vector<MarkerRule>& rules);

struct XdfVoice {
  std::string speaker{};
  std::size_t stream = 0;
  Index channel = 0;
  bool is_envelope = false;
  double scale = 1;  // of integers, so that full scale is 1
};

struct XdfPlan {
  std::size_t eeg = 0;
  std::vector<XdfVoice> voices{};
  std::vector<XdfMarker> markers{};     // of all streams of strings, by time
  std::vector<MarkerRule> attention{};  // as given, or heed's own
  std::vector<MarkerRule> trials{};
};

// Throws not_found (no EEG, no stream of such a name: those there are named) and invalid_argument (several streams fit,
// a channel there is not).
[[nodiscard]] XdfPlan plan_xdf(XdfFile& file, const XdfRules& rules);

// uV, mV, V or nV of what labs write; empty where it is none of them.
[[nodiscard]] std::string eeg_unit(std::string_view unit);

}  // namespace heed::io
