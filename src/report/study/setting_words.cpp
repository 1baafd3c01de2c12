// SPDX-License-Identifier: MIT
#include <heed/hmm/chain.h>
#include <report/study/setting_words.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace heed::report {
namespace {

struct ValueWords {
  std::string_view parameter;
  std::string_view value;
  std::string_view words;
};

constexpr std::array known_values{
    ValueWords{"tracker", "raw", "single windows"},
    ValueWords{"tracker", "causal", "causal HMM"},
    ValueWords{"tracker", "smooth", "forward-backward HMM"},
    ValueWords{"tracker", "viterbi", "Viterbi HMM"},
    ValueWords{"tracker", "fixed-lag", "fixed-lag HMM"},
    ValueWords{"tracker", "markov-chain", "Markov chain"},
    ValueWords{"tracker", "probabilistic-gain", "probabilistic gain"},
    ValueWords{"tracker", "state-space", "state-space model"},
    ValueWords{"decoder", "ls", "least squares"},
    ValueWords{"decoder", "cca", "CCA"},
    ValueWords{"decoder", "csp", "CSP"},
    ValueWords{"decoder", "baseline", ""},
    ValueWords{"recipe", "paper", "as in the paper"},
    ValueWords{"recipe", "ridge", "ridge 0.3"},
    ValueWords{"recipe", "cosine", "+ cosine, 0.5-9 Hz"},
    ValueWords{"recipe", "onset", "+ onsets"},
    ValueWords{"recipe", "heed", "+ population"},
    ValueWords{"learning", "labels", "trained on labels, with others"},
    ValueWords{"learning", "labels-alone", "trained on labels alone"},
    ValueWords{"learning", "population", "others' decoder, fixed"},
    ValueWords{"learning", "adaptive", "learns while it listens"},
    ValueWords{"learning", "nothing", "learns from nothing"},
    ValueWords{"disturbance", "none", ""},
    ValueWords{"disturbance", "slipped-cap", "cap slips"},
    ValueWords{"disturbance", "swapped-sounds", "sounds swapped"},
    ValueWords{"disturbance", "nobody", "nobody attended"},
    ValueWords{"disturbance", "inverted-cap", "EEG upside down"},
    ValueWords{"minute", "all", ""},
    ValueWords{"joined", "yes", "trials joined"},
    ValueWords{"speakers", "as-given", ""},
    ValueWords{"speakers", "2", "two speakers"},
    ValueWords{"speakers", "3", "three conversations"},
    ValueWords{"speakers", "3-surrogate", "two speakers and a surrogate"},
    ValueWords{"switch_probability", "auto", "p unknown"},
    ValueWords{"switch_probability", "once-an-interval", "p = 1/interval"},
    ValueWords{"switch_probability", "as-fast-as-state-space", "as fast as state-space"},
    ValueWords{"switch_interval", "baseline", ""},
    ValueWords{"switch_interval", "recorded", "recorded switches"},
    ValueWords{"switch_interval", "none", "attention stays"},
    ValueWords{"columns", "as-given", "two scores"},
    ValueWords{"columns", "difference", "s and \u2212s"},
    ValueWords{"ridge", "by-recipe", ""},
    ValueWords{"lda", "per-speaker", "LDA of each speaker"},
    ValueWords{"lda", "difference", "LDA of the difference"},
    ValueWords{"spread", "as-fitted", ""},
    ValueWords{"spread", "shared", "product"},
    ValueWords{"spread", "separate", "a sigma per class"},
    ValueWords{"spread", "exchangeable", "exchangeable"},
    ValueWords{"gain_states", "by-mesd", ""},
    ValueWords{"gain_map", "dead-zone", "dead zone"},
    ValueWords{"gain_map", "decibels", "straight line"},
    ValueWords{"gain_map", "amplitude", "straight line in amplitude"},
    ValueWords{"gain_map", "decision", "decisions alone"},
    ValueWords{"gain_map", "2dB/nat", "2 dB per nat"},
    ValueWords{"centring", "listener", "centred per listener"},
    ValueWords{"centring", "trial", "centred per trial"},
    ValueWords{"trials", "all", ""},
    ValueWords{"trials", "switching", "switching trials"},
    ValueWords{"trials", "sustained", "sustained trials"},
    ValueWords{"emission", "labels", "fitted with labels"},
    ValueWords{"emission", "baum-welch", "Baum-Welch, no labels"},
    ValueWords{"emission", "memoryless", "memoryless, no labels"},
    ValueWords{"emission", "adaptive", "adapting to what was heard"},
    ValueWords{"dependence", "none", "independent windows"},
    ValueWords{"dependence", "ar1", "AR(1)"},
    ValueWords{"dependence", "offset", "AR(1) and offsets"},
    ValueWords{"dependence", "auto", "dependence by correlations"},
    ValueWords{"calibrated", "no", "as fitted"},
    ValueWords{"calibrated", "yes", "calibrated"},
};

// Around a value that has no words of its own.
struct ParameterWords {
  std::string_view parameter;
  std::string_view before;
  std::string_view after;
  std::string_view axis;
};

constexpr std::array known_parameters{
    ParameterWords{"speakers", "", " speakers", "speakers"},
    ParameterWords{"decoder", "", "", "decoder"},
    ParameterWords{"recipe", "", "", "recipe"},
    ParameterWords{"learning", "", "", "learning"},
    ParameterWords{"disturbance", "", "", "disturbance"},
    ParameterWords{"minute", "minute ", "", "minutes since the start"},
    ParameterWords{"window", "windows of ", " s", "window (s)"},
    ParameterWords{"lags", "lags up to ", " s", "longest lag of the decoder (s)"},
    ParameterWords{"tracker", "", "", "method"},
    ParameterWords{"switch_probability", "p = ", "", "switch probability p"},
    ParameterWords{"p", "p = ", "", "switch probability p"},
    ParameterWords{"switch_interval", "switches every ", " s", "time between switches (s)"},
    ParameterWords{"trials", "", " trials", "trials"},
    ParameterWords{"accuracy_shift", "\u03b1 = ", "", "shift \u03b1 of the attended scores"},
    ParameterWords{"look_ahead", "look-ahead ", " s", "look-ahead (s)"},
    ParameterWords{"ridge", "ridge ", "", "ridge"},
    ParameterWords{"stimulus_ridge", "stimulus ridge ", "", "stimulus ridge"},
    ParameterWords{"lda", "", "", "LDA"},
    ParameterWords{"gain_states", "K = ", "", "gain states K"},
    ParameterWords{"gain_step", "step ", "", "gain step"},
    ParameterWords{"gain_map", "", "", "map to gains"},
    ParameterWords{"columns", "", "", "columns"},
    ParameterWords{"spread", "", "", "spread"},
    ParameterWords{"evidence", "evidence \u00d7 ", "", "factor on the evidence"},
    ParameterWords{"dependence", "", "", "dependence"},
    ParameterWords{"centring", "", "", "centring"},
    ParameterWords{"emission", "", "", "emission"},
    ParameterWords{"calibrated", "calibrated: ", "", "calibrated"},
    ParameterWords{"repeats", "", " repeats", "repeats"},
    ParameterWords{"lag", "lag ", "", "lag (windows)"},
    ParameterWords{"raw_accuracy", "", "", "accuracy of single windows (%)"},
};

struct MeasureWords {
  std::string_view measure;
  std::string_view title;
  std::string_view unit;
  double factor;
  int decimals;
};

constexpr std::array known_measures{
    MeasureWords{"accuracy", "accuracy", "%", 100, 1},
    MeasureWords{"whole_accuracy", "accuracy over all windows", "%", 100, 1},
    MeasureWords{"switch_time", "switch time", "s", 1, 1},
    MeasureWords{"median_switch_time", "median switch time", "s", 1, 1},
    MeasureWords{"signed_switch_time", "signed switch time", "s", 1, 1},
    MeasureWords{"first_hit_time", "time to the first hit", "s", 1, 1},
    MeasureWords{"decided_time", "time to window's end", "s", 1, 1},
    MeasureWords{"latency_inclusive_time", "switch time with latency", "s", 1, 1},
    MeasureWords{"miss_rate", "missed switches", "%", 100, 1},
    MeasureWords{"false_switch_rate", "false switches", "per minute", 1, 2},
    MeasureWords{"brier", "Brier score", "", 1, 3},
    MeasureWords{"ece", "expected calibration error", "%", 100, 1},
    MeasureWords{"log_loss", "log loss", "", 1, 3},
    MeasureWords{"benefit", "benefit", "dB", 1, 2},
    MeasureWords{"wrong_emphasis", "wrong emphasis", "dB s per minute", 1, 1},
    MeasureWords{"travel", "travel of the gains", "dB per minute", 1, 1},
    MeasureWords{"wrong_share", "time below -3 dB", "%", 100, 1},
    MeasureWords{"correlation", "correlation", "", 1, 2},
};

std::string spelled(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

// Said only where it tells settings apart.
bool is_common(const NamedValue& value) {
  const std::string text = data::text_of(value.value);
  return (value.name == "switch_probability" && text == "scaled") || (value.name == "calibrated" && text == "no") ||
         (value.name == "emission" && text == "labels") || (value.name == "columns" && text == "as-given") ||
         (value.name == "evidence" && text == "1") || (value.name == "gain_step" && text == "0.4") ||
         (value.name == "gain_map" && text == "dead-zone");
}

bool differ_only_in(const NamedValues& one, const NamedValues& other, std::size_t place) {
  if (one.size() != other.size()) return false;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if ((one[k] == other[k]) == (k == place)) return false;
  }
  return true;
}

// A range such as 60-125 gets the dash that stands between numbers.
std::string shown_value(const TableValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr) return number_label(*number);
  std::string text = data::text_of(value);
  const std::size_t dash = text.find('-');
  const bool range = dash != std::string::npos && text.find_first_not_of("0123456789-.") == std::string::npos;
  if (range && dash > 0) text.replace(dash, 1, "\u2013");
  return text;
}

}  // namespace

std::string value_words(const NamedValue& value) {
  const std::string text = data::text_of(value.value);
  if (value.name == "switch_probability" && text == "scaled") {
    return "p = " + number_label(hmm::switch_probability_per_second) + "/s";
  }
  for (const ValueWords& one : known_values) {
    if (one.parameter == value.name && one.value == text) return std::string(one.words);
  }
  const auto* const known = std::ranges::find(known_parameters, value.name, &ParameterWords::parameter);
  if (known == known_parameters.end()) return spelled(value.name) + " = " + shown_value(value.value);
  return std::string(known->before) + shown_value(value.value) + std::string(known->after);
}

std::string setting_words(const NamedValues& setting) {
  std::string text;
  for (const NamedValue& value : setting) {
    const std::string words = value_words(value);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  }
  return text.empty() ? "baseline" : text;
}

std::vector<std::string> setting_names(const std::vector<NamedValues>& settings) {
  std::vector<std::string> names;
  for (const NamedValues& setting : settings) {
    NamedValues differing;
    for (std::size_t k = 0; k < setting.size(); ++k) {
      const bool tells =
          std::ranges::any_of(settings, [&](const NamedValues& other) { return differ_only_in(setting, other, k); });
      if (tells || !is_common(setting[k])) differing.push_back(setting[k]);
    }
    names.push_back(setting_words(differing));
  }
  return names;
}

std::string axis_words(const std::string& parameter) {
  const auto* const known = std::ranges::find(known_parameters, parameter, &ParameterWords::parameter);
  return known != known_parameters.end() ? std::string(known->axis) : spelled(parameter);
}

MeasureAxis measure_axis(const std::string& measure) {
  const auto* const known = std::ranges::find(known_measures, measure, &MeasureWords::measure);
  if (known == known_measures.end()) return {.title = spelled(measure), .decimals = 3};
  return {.title = std::string(known->title),
          .unit = std::string(known->unit),
          .factor = known->factor,
          .decimals = known->decimals};
}

std::string difference_words(double difference, const MeasureAxis& axis) {
  const std::string number = fixed_label(axis.factor * difference, axis.decimals);
  // What is rounded to zero has no direction.
  const bool nothing = number.find_first_of("123456789") == std::string::npos;
  const std::string size = fixed_label(std::abs(axis.factor * difference), axis.decimals);
  const std::string unit = axis.unit == "%" ? "pp" : axis.unit;
  return (nothing ? size : difference > 0 ? "+" + size : number) + (unit.empty() ? "" : " " + unit);
}

}  // namespace heed::report
