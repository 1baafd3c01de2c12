// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/decoding/decoder_file.h>
#include <io/json/preprocessing_json.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace heed::io {
namespace {

constexpr std::array filter_modes{FilterMode::zero_phase, FilterMode::causal};
constexpr std::array bad_channel_choices{BadChannels::exclude, BadChannels::interpolate};
constexpr std::array reference_kinds{ReferenceKind::none, ReferenceKind::average, ReferenceKind::channels};

template <typename Choices>
auto choice_named(const JsonObject& json, std::string_view key, const Choices& choices) {
  const std::string word = json.text(key);
  std::string known;
  for (const auto choice : choices) {
    if (word == name_of(choice)) return choice;
    known += (known.empty() ? "" : ", ") + std::string(name_of(choice));
  }
  throw Error(ErrorKind::bad_data, "key Preprocessing." + std::string(key) + " is '" + word + "', none of " + known);
}

}  // namespace

std::string_view name_of(ReferenceKind kind) noexcept {
  switch (kind) {
    case ReferenceKind::none:
      return "none";
    case ReferenceKind::average:
      return "average";
    case ReferenceKind::channels:
      return "channels";
  }
  return {};
}

std::string_view name_of(FilterMode mode) noexcept { return mode == FilterMode::causal ? "causal" : "zero-phase"; }
std::string_view name_of(BadChannels choice) noexcept {
  return choice == BadChannels::interpolate ? "interpolate" : "exclude";
}

Preprocessing parse_preprocessing(const JsonObject& json) {
  Preprocessing result;
  result.sampling_frequency = Hertz{json.positive("SamplingFrequency")};
  result.low = Hertz{json.positive("LowEdge")};
  result.high = Hertz{json.positive("HighEdge")};
  result.filters = choice_named(json, "Filters", filter_modes);
  result.reference.kind = choice_named(json, "Reference", reference_kinds);
  if (result.reference.kind == ReferenceKind::channels) result.reference.channels = json.texts("ReferenceChannels");
  result.bad_channels = choice_named(json, "BadChannels", bad_channel_choices);
  result.clip = json.number("Clip");
  if (const std::string fault = fault_of(result); !fault.empty()) {
    throw Error(ErrorKind::bad_data, "key Preprocessing." + fault);
  }
  return result;
}

std::string preprocessing_text(const Preprocessing& preprocessing) {
  nlohmann::ordered_json json{{"SamplingFrequency", preprocessing.sampling_frequency.value},
                              {"LowEdge", preprocessing.low.value},
                              {"HighEdge", preprocessing.high.value},
                              {"Filters", name_of(preprocessing.filters)},
                              {"Reference", name_of(preprocessing.reference.kind)},
                              {"BadChannels", name_of(preprocessing.bad_channels)},
                              {"Clip", preprocessing.clip}};
  if (preprocessing.reference.kind == ReferenceKind::channels) {
    json["ReferenceChannels"] = preprocessing.reference.channels;
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string fault_of(const Preprocessing& preprocessing) {
  const auto good = [](double value) { return value > 0 && std::isfinite(value); };
  if (!good(preprocessing.sampling_frequency.value)) return "SamplingFrequency must be greater than 0";
  if (!good(preprocessing.low.value)) return "LowEdge must be greater than 0";
  if (!good(preprocessing.high.value) || preprocessing.high <= preprocessing.low) {
    return "HighEdge must be greater than LowEdge";
  }
  if (2 * preprocessing.high.value >= preprocessing.sampling_frequency.value) {
    return "HighEdge must be below half the SamplingFrequency";
  }
  if (!(preprocessing.clip >= 0) || !std::isfinite(preprocessing.clip)) return "Clip must not be negative";
  const bool named = preprocessing.reference.kind == ReferenceKind::channels;
  if (named && preprocessing.reference.channels.empty()) return "ReferenceChannels names no channel";
  return {};
}

}  // namespace heed::io
