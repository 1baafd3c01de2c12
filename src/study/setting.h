// SPDX-License-Identifier: MIT
// One setting of a study: every parameter, where a file does not say otherwise at the paper's baseline (its Table I).
// A setting is its typed values; the names and words that files and tables use are derived from them.
#pragma once

#include <data/study.h>
#include <heed/data/scored.h>
#include <heed/evaluate/gains.h>
#include <heed/pipeline/model_choice.h>
#include <heed/pipeline/recipe.h>
#include <heed/track/method.h>
#include <study/cohorts/study_cohort.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heed::study {

// How the chain's p comes about where no number is given.
enum class SwitchRule {
  scaled,            // .001 per second of window
  once_an_interval,  // window / switch interval
  unknown,           // found by a bank of filters
  as_state_space,    // raised until attention is found as fast as by the state-space model, on the mean over the cohort
};

enum class Switches {
  baseline,    // as recorded; artificial ones every 300 s in trials without any, of 600 s where no trial has one
  recorded,    // only those: a cohort without any cannot be used
  none,        // those that were recorded are undone
  artificial,  // every switch_interval
};

// What the model is shown of two speakers' scores.
enum class ScoreColumns {
  as_given,
  difference,  // s and -s, s the difference of the two: one number, counted twice by a product over speakers
};

enum class TrialKind { all, switching, sustained };  // by whether attention moves in them as recorded

// Relative to the mean eigenvalue of the covariance they are added to.
struct Ridges {
  std::optional<double> eeg{};  // nothing: the recipe's
  double stimulus = pipeline::DecoderChoice{}.stimulus_ridge;
  friend bool operator==(const Ridges&, const Ridges&) = default;
};

// Of post-processors that are gains themselves, and of what becomes gains by a map.
struct GainSetting {
  std::optional<int> states{};             // markov-chain only; nothing: by the rule of the MESD, from other listeners
  double step = track::default_gain_step;  // probabilistic-gain only
  evaluate::GainOptions heard{};           // from posteriors to the gains whose worth is measured
  friend bool operator==(const GainSetting&, const GainSetting&) = default;
};

// How the decoder learns, and how what was heard is judged.
struct ListeningSetting {
  Learning learning = Learning::labels;
  Disturbance disturbance = Disturbance::none;
  std::optional<double> minute{};  // since the listener's first trial began: two minutes from there on; nothing: all
  bool joined = false;             // a participant's trials end to end, before attention is moved
  friend bool operator==(const ListeningSetting&, const ListeningSetting&) = default;
};

// Keys of results are digests of these fields (io::digest_of), and no field can be left out of one.
struct Setting {
  std::optional<int> speakers{};                      // nothing: as many as the cohort has
  std::optional<pipeline::DecoderKind> decoder{};     // nothing: CCA, or what score files were made with
  pipeline::Recipe recipe = pipeline::Recipe::paper;  // of the scores; all but the paper's use least squares
  Seconds window{1};
  Seconds longest_lag{0.25};  // of the decoder
  Ridges ridges{};
  ListeningSetting listening{};
  decode::DiscriminantForm lda = decode::DiscriminantForm::per_speaker;  // of CCA; of a difference, columns are, too
  ScoreColumns columns = ScoreColumns::as_given;
  track::Method tracker = track::Method::causal;
  std::optional<double> switch_probability{};  // nothing: by the rule
  SwitchRule switch_rule = SwitchRule::scaled;
  Switches switches = Switches::baseline;
  SwitchInterval switch_interval{};  // of artificial switches
  TrialKind trials = TrialKind::all;
  double accuracy_shift = 0;  // alpha: attended scores are moved by so many times (mu_attended - mu_unattended)
  Seconds look_ahead = hmm::default_lag;  // fixed-lag only
  GainSetting gains{};
  pipeline::EmissionFit emission = pipeline::EmissionFit::labels;
  std::optional<Spread> spread{};  // nothing: as fits choose it
  double evidence = 1;             // kappa: every log-likelihood is multiplied by it
  pipeline::DependenceChoice dependence = pipeline::DependenceChoice::none;
  bool calibrated = false;
  int repeats = 1;  // draws of random intervals

  friend bool operator==(const Setting&, const Setting&) = default;
};

[[nodiscard]] inline bool is_p_unknown(const Setting& setting) noexcept {
  return !setting.switch_probability && setting.switch_rule == SwitchRule::unknown;
}

// In the order of the columns of results.
[[nodiscard]] std::span<const std::string_view> parameter_names() noexcept;

// A parameter as files and tables write it. Throws invalid_argument for an unknown name, naming the nearest known one.
[[nodiscard]] TableValue value_of(const Setting& setting, std::string_view parameter);
// All of them, in the order of parameter_names().
[[nodiscard]] NamedValues named_values(const Setting& setting);

// Puts one value into a setting. Throws invalid_argument: an unknown name, or a value outside its range.
void read_parameter(const NamedValue& given, Setting& setting);

// Throws as read_parameter, and for values that do not go together.
[[nodiscard]] Setting make_setting(const NamedValues& values);

// What no parameter can know alone. Throws invalid_argument for values that do not go together.
void check_together(const Setting& setting);

// All settings of all grids, in order, none twice. Throws as make_setting, and for an empty axis.
[[nodiscard]] std::vector<Setting> settings_of(const Study& study);

}  // namespace heed::study
