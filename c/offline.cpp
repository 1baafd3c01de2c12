// SPDX-License-Identifier: MIT
// The engine behind C: every call takes arrays apart, calls one function of the library, and turns what is thrown into
// a status. Nothing is written before all has succeeded.
#include <heed/c_offline.h>
#include <heed/core/decision.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/supervised.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed::c {
namespace {

static_assert(HEED_SWITCH_PROBABILITY_PER_SECOND == hmm::switch_probability_per_second);

// A mistake that has a status of its own, and a sentence where that of the status does not say which.
struct Refused {
  heed_status status;
  std::string words{heed_status_text(status)};
};

void tell(heed_error* error, std::string_view text) noexcept {
  if (error == nullptr) return;
  const std::size_t length = std::min(text.size(), sizeof error->text - 1);
  std::memcpy(error->text, text.data(), length);
  error->text[length] = '\0';
}

// What run() throws becomes a status and a sentence; a run that succeeds may have something to tell, too.
template <typename Run>
heed_status guarded(heed_error* error, const Run& run) noexcept {
  try {
    tell(error, "");
    run();
    return HEED_OK;
  } catch (const Refused& refused) {
    tell(error, refused.words);
    return refused.status;
  } catch (const Error& thrown) {
    tell(error, thrown.what());
    return thrown.kind() == ErrorKind::invalid_argument ? HEED_BAD_ARGUMENT : HEED_BAD_DATA;
  } catch (const std::bad_alloc&) {
    tell(error, heed_status_text(HEED_NO_MEMORY));
    return HEED_NO_MEMORY;
  } catch (const std::exception& thrown) {
    tell(error, thrown.what());
    return HEED_INTERNAL;
  }
}

template <typename... Pointer>
void require(const Pointer*... pointers) {
  const bool one_is_null = (... || !pointers);
  if (one_is_null) throw Refused{HEED_NULL};
}

template <typename Options>
void require_version(const Options& options) {
  if (options.version != HEED_C_VERSION) throw Refused{HEED_WRONG_VERSION};
}

constexpr const char* no_windows = "there is no window, or a trial has none";

Error too_few_speakers() {
  return {ErrorKind::invalid_argument, "attention needs at least two speakers to choose between"};
}

// More numbers than this no array holds.
Matrix matrix_of(const double* values, std::size_t rows, std::size_t columns) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max()) / sizeof(double);
  if (rows == 0 || columns == 0) throw Refused{HEED_WRONG_SIZE, columns == 0 ? "there is no speaker" : no_windows};
  if (rows > most / columns) throw Refused{HEED_WRONG_SIZE, "no array has " + std::to_string(rows) + " windows"};
  Matrix matrix(static_cast<Index>(rows), static_cast<Index>(columns));
  std::copy_n(values, rows * columns, matrix.data());
  return matrix;
}

hmm::Chain chain_of(const heed_chain& given) {
  require_version(given);
  const Index speakers = given.speakers;
  if (speakers < 2) throw too_few_speakers();
  const auto chain = given.transition == nullptr
                         ? hmm::Chain::sticky(speakers, given.switch_probability)
                         : hmm::Chain::make(matrix_of(given.transition, given.speakers, given.speakers));
  return given.initial == nullptr ? chain : chain.with_initial({given.initial, given.speakers});
}

struct Windows {
  const heed_chain* chain;
  const double* log_likelihood;
  std::size_t count;
};

// track(chain, windows) gives Posteriors.
template <typename Track>
heed_status posteriors(const Windows& windows, double* posterior, double* log_evidence, heed_error* error,
                       const Track& track) noexcept {
  return guarded(error, [&] {
    require(windows.chain, windows.log_likelihood, posterior);
    const hmm::Chain chain = chain_of(*windows.chain);
    const LogLikelihoods given{matrix_of(windows.log_likelihood, windows.count, windows.chain->speakers)};
    const Posteriors found = track(chain, given);
    std::copy_n(found.values.data(), found.values.size(), posterior);
    if (log_evidence != nullptr) *log_evidence = found.log_evidence;
  });
}

GaussianEmission emission_of(const heed_gaussian& given) {
  require_version(given);
  const bool separate = given.sigma_attended != given.sigma_unattended;
  if (separate && given.correlation != 0) {
    throw Error(ErrorKind::invalid_argument, "separate sigmas and a correlation between speakers do not go together");
  }
  const Spread spread = separate ? Spread::separate : given.correlation != 0 ? Spread::exchangeable : Spread::shared;
  return {.fisher = given.fisher != 0,
          .spread = spread,
          .mu_attended = given.mu_attended,
          .mu_unattended = given.mu_unattended,
          .sigma_attended = given.sigma_attended,
          .sigma_unattended = given.sigma_unattended,
          .correlation = given.correlation};
}

heed_gaussian c_gaussian(const Model& model) {
  const auto& e = std::get<GaussianEmission>(model.emission);
  return {HEED_C_VERSION,   e.fisher ? 1U : 0U, e.mu_attended, e.mu_unattended,
          e.sigma_attended, e.sigma_unattended, e.correlation, model.temperature};
}

Refused not_all(std::size_t windows) {
  return {HEED_WRONG_SIZE, "the lengths of the trials must be above 0 and add up to the windows, " +
                               std::to_string(windows) + " in all"};
}

std::vector<std::size_t> lengths_of(const heed_fit_options& options, std::size_t windows) {
  if (options.lengths == nullptr) return {windows};
  std::vector<std::size_t> lengths(options.lengths, options.lengths + options.trials);
  std::size_t left = windows;
  for (const std::size_t length : lengths) {
    if (length == 0 || length > left) throw not_all(windows);
    left -= length;
  }
  if (left != 0) throw not_all(windows);
  return lengths;
}

std::vector<Speaker> labels_of(const std::int32_t* labels, std::size_t count, std::size_t speakers) {
  std::vector<Speaker> result(labels, labels + count);
  for (std::size_t t = 0; t < count; ++t) {
    if (result[t] >= unknown_speaker && std::cmp_less(result[t], speakers)) continue;
    throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": " + std::to_string(result[t]) +
                                         " is not a speaker; they count from 0 to " + std::to_string(speakers - 1) +
                                         ", and -1 is unknown");
  }
  return result;
}

ScoredParticipant participant_of(const double* scores, const std::int32_t* attended, std::size_t windows,
                                 const heed_fit_options& options) {
  const std::size_t speakers = options.speakers;
  ScoredParticipant participant{.id = "trials"};
  for (std::size_t j = 0; j < speakers; ++j) participant.speakers.push_back(std::to_string(j));
  const std::vector<Speaker> labels =
      attended == nullptr ? std::vector<Speaker>(windows, unknown_speaker) : labels_of(attended, windows, speakers);
  std::size_t first = 0;
  for (const std::size_t length : lengths_of(options, windows)) {
    const auto from = labels.begin() + static_cast<std::ptrdiff_t>(first);
    participant.trials.push_back({.scores = {matrix_of(scores + (first * speakers), length, speakers)},
                                  .attention = {{from, from + static_cast<std::ptrdiff_t>(length)}}});
    first += length;
  }
  return participant;
}

std::optional<Spread> spread_of(const heed_fit_options& options) {
  if (options.spread > HEED_SPREAD_AUTO) throw Refused{HEED_BAD_ARGUMENT};
  if (options.spread == HEED_SPREAD_AUTO) return std::nullopt;
  return static_cast<Spread>(options.spread);
}

struct Fitted {
  GaussianEmission emission;
  std::string words;
};

Fitted fitted_to_labels(const ScoredParticipant& participant, const heed_fit_options& options) {
  const bool fisher = options.fisher != 0;
  const std::vector moments{emission::moments(participant, fisher)};
  return {emission::fit_gaussian(moments, {.fisher = fisher, .spread = spread_of(options)}), {}};
}

Fitted fitted_without_labels(const ScoredParticipant& participant, const heed_fit_options& options) {
  const bool fisher = options.fisher != 0;
  const auto chain = hmm::Chain::sticky(options.speakers, options.switch_probability);
  const auto found =
      emission::fit_baum_welch({&participant, 1}, chain, {.fisher = fisher, .spread = spread_of(options)}).emission;
  const auto test = emission::test_separation({&participant, 1}, chain, fisher);
  if (test.passed()) return {found, {}};
  return {emission::undecided(found, chain.states()), emission::undecided_words(test)};
}

Fitted fitted_to(const ScoredParticipant& participant, bool labelled, const heed_fit_options& options) {
  Fitted fitted = labelled ? fitted_to_labels(participant, options) : fitted_without_labels(participant, options);
  const bool chosen = options.spread == HEED_SPREAD_AUTO && fitted.emission.spread == Spread::exchangeable;
  if (chosen && fitted.words.empty()) fitted.words = emission::columns_repeat_words;
  return fitted;
}

// Trials of windows that last so long and come so often.
void set_windows(ScoredParticipant& participant, const heed_evidence_options& options) {
  const auto is_time = [](double seconds) { return seconds > 0 && seconds <= std::numeric_limits<float>::max(); };
  if (!is_time(options.window) || !is_time(options.hop) || options.hop > options.window) {
    throw Error(ErrorKind::invalid_argument,
                "the window and the hop must be longer than 0 s, and the hop no longer than the window");
  }
  for (ScoredTrial& trial : participant.trials) {
    trial.scores.window = Seconds{options.window};
    trial.scores.hop = Seconds{options.hop};
  }
}

std::optional<double> evidence_scale_of(const GaussianEmission& emission, const ScoredParticipant& participant) {
  emission::LabelledTrials trials;
  for (const ScoredTrial& trial : participant.trials) {
    trials.push_back({emission::log_likelihoods(emission, trial.scores), trial.attention});
  }
  const std::vector sums{emission::evidence_moments(trials, emission::windows_per_block(participant))};
  return emission::evidence_scale(sums);
}

bool scales(std::uint32_t counting, double scale) {
  return counting == HEED_EVIDENCE_WHERE_UNUSUAL ? !emission::is_usual(scale) : counting == HEED_EVIDENCE_SCALED;
}

// As the program says it.
std::string words_of(double scale, bool overlap, bool scaled) {
  std::string words = "evidence scale " + emission::scale_words(scale, overlap ? emission::Neighbours::overlap
                                                                               : emission::Neighbours::apart);
  if (emission::is_usual(scale)) return words;
  return words + (scaled ? "; log-likelihoods are multiplied by it" : "; it is left as it is");
}

struct Labelled {
  const std::int32_t* decisions;
  const std::int32_t* attended;
};

std::vector<evaluate::TrialMetrics> measured_trials(Labelled windows, std::span<const std::size_t> lengths,
                                                    Seconds window) {
  std::vector<evaluate::TrialMetrics> measured;
  for (const std::size_t length : lengths) {
    if (length == 0) throw Refused{HEED_WRONG_SIZE, no_windows};
    const auto highest = std::max(*std::max_element(windows.decisions, windows.decisions + length),
                                  *std::max_element(windows.attended, windows.attended + length));
    const auto speakers = static_cast<std::size_t>(highest) + 1;
    measured.push_back(
        evaluate::measure_trial({.states = labels_of(windows.decisions, length, speakers), .window = window},
                                {labels_of(windows.attended, length, speakers)}));
    windows.decisions += length;
    windows.attended += length;
  }
  if (measured.empty()) throw Refused{HEED_WRONG_SIZE, no_windows};
  return measured;
}

double number(const std::optional<double>& value) { return value.value_or(std::numeric_limits<double>::quiet_NaN()); }

}  // namespace
}  // namespace heed::c

using namespace heed::c;

extern "C" {

heed_status heed_offline_filter(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                double* posterior, double* log_evidence, heed_error* error) {
  return posteriors({chain, log_likelihood, windows}, posterior, log_evidence, error,
                    [](const auto&... given) { return heed::hmm::filter(given...); });
}

heed_status heed_offline_smooth(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                double* posterior, double* log_evidence, heed_error* error) {
  return posteriors({chain, log_likelihood, windows}, posterior, log_evidence, error,
                    [](const auto&... given) { return heed::hmm::smooth(given...); });
}

// NOLINTNEXTLINE(readability-function-size): C passes numbers one by one
heed_status heed_offline_fixed_lag(const heed_chain* chain, const double* log_likelihood, size_t windows, size_t lag,
                                   double* posterior, double* log_evidence, heed_error* error) {
  // Windows of one second: a lag beyond the trial is all of it.
  const heed::Seconds seconds{static_cast<double>(std::min(lag, windows))};
  return posteriors({chain, log_likelihood, windows}, posterior, log_evidence, error,
                    [&](const auto&... given) { return heed::hmm::fixed_lag(given..., seconds); });
}

heed_status heed_offline_viterbi(const heed_chain* chain, const double* log_likelihood, size_t windows, int32_t* path,
                                 double* log_probability, heed_error* error) {
  return guarded(error, [&] {
    require(chain, log_likelihood, path);
    const heed::hmm::Chain checked = chain_of(*chain);
    const heed::Path best = heed::hmm::viterbi(checked, {matrix_of(log_likelihood, windows, chain->speakers)});
    std::ranges::copy(best.states, path);
    if (log_probability != nullptr) *log_probability = best.log_probability;
  });
}

heed_status heed_offline_path_probability(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                          const int32_t* path, heed_path_probability* found, heed_error* error) {
  return guarded(error, [&] {
    require(chain, log_likelihood, path, found);
    require_version(*found);
    const heed::LogLikelihoods given{matrix_of(log_likelihood, windows, chain->speakers)};
    const auto probability =
        heed::hmm::path_probability(chain_of(*chain), given, labels_of(path, windows, chain->speakers));
    *found = {HEED_C_VERSION,           0,
              probability.log_prior,    probability.log_joint,
              probability.log_evidence, probability.log_posterior()};
  });
}

heed_status heed_offline_decide(const double* posterior, size_t windows, size_t speakers, int32_t* decisions,
                                heed_error* error) {
  return guarded(error, [&] {
    require(posterior, decisions);
    const heed::Matrix rows = matrix_of(posterior, windows, speakers);
    if (rows.array().isNaN().any()) {
      throw heed::Error(heed::ErrorKind::bad_data, "a posterior is NaN, so nobody can be decided for");
    }
    heed::core::DecisionRule<double> rule;
    for (size_t t = 0; t < windows; ++t) {
      decisions[t] = static_cast<int32_t>(rule.decide({rows.data() + (t * speakers), speakers}));
    }
  });
}

heed_status heed_offline_log_likelihoods(const heed_gaussian* gaussian, const double* scores, size_t windows,
                                         size_t speakers, double* log_likelihood, heed_error* error) {
  return guarded(error, [&] {
    require(gaussian, scores, log_likelihood);
    const heed::Emission emission = emission_of(*gaussian);
    heed::emission::check(emission, static_cast<heed::Index>(speakers));
    const auto found = heed::emission::tempered(
        heed::emission::log_likelihoods(emission, {matrix_of(scores, windows, speakers)}), gaussian->temperature);
    std::copy_n(found.values.data(), found.values.size(), log_likelihood);
  });
}

heed_status heed_offline_fit(const double* scores, const int32_t* attended, size_t windows,
                             const heed_fit_options* options, heed_gaussian* fitted, heed_error* words) {
  return guarded(words, [&] {
    require(scores, options, fitted);
    require_version(*options);
    if (options->speakers < 2) throw too_few_speakers();
    const heed::ScoredParticipant participant = participant_of(scores, attended, windows, *options);
    const auto [found, note] = fitted_to(participant, attended != nullptr, *options);
    *fitted = c_gaussian({.emission = found});
    tell(words, note);
  });
}

heed_status heed_offline_reference(double window, double hop, heed_gaussian* reference, heed_error* error) {
  return guarded(error, [&] {
    require(reference);
    *reference = c_gaussian(heed::emission::reference_model(heed::Seconds{window}, heed::Seconds{hop}));
  });
}

// NOLINTNEXTLINE(readability-function-size): C passes numbers one by one
heed_status heed_offline_count_evidence(heed_gaussian* fitted, const double* scores, const int32_t* attended,
                                        size_t windows, const heed_fit_options* fit,
                                        const heed_evidence_options* options, double* scale, heed_error* words) {
  return guarded(words, [&] {
    require(fitted, scores, attended, fit, options, scale);
    require_version(*fit);
    require_version(*options);
    if (options->counting > HEED_EVIDENCE_SCALED) throw Refused{HEED_BAD_ARGUMENT};
    if (fit->speakers < 2) throw too_few_speakers();
    const heed::GaussianEmission emission = emission_of(*fitted);
    heed::emission::check(heed::Emission{emission}, static_cast<heed::Index>(fit->speakers));
    heed::ScoredParticipant participant = participant_of(scores, attended, windows, *fit);
    set_windows(participant, *options);
    const auto found = evidence_scale_of(emission, participant);
    const bool scaled = found && scales(options->counting, *found);
    tell(words, found ? words_of(*found, options->hop < options->window, scaled)
                      : "attended speakers do not stand out, so there is no evidence scale: evidence counts as it is");
    if (scaled) fitted->temperature = 1 / *found;
    *scale = number(found);
  });
}

heed_status heed_offline_evaluate(const int32_t* decisions, const int32_t* attended, size_t windows,
                                  double seconds_per_window, heed_measures* measures, heed_error* error) {
  return heed_offline_evaluate_trials(decisions, attended, &windows, 1, seconds_per_window, measures, error);
}

// NOLINTNEXTLINE(readability-function-size): C passes numbers one by one
heed_status heed_offline_evaluate_trials(const int32_t* decisions, const int32_t* attended, const size_t* lengths,
                                         size_t trials, double seconds_per_window, heed_measures* measures,
                                         heed_error* error) {
  return guarded(error, [&] {
    require(decisions, attended, lengths, measures);
    require_version(*measures);
    const auto measured = measured_trials({decisions, attended}, {lengths, trials}, heed::Seconds{seconds_per_window});
    const auto found = heed::evaluate::pool(measured);
    *measures = {HEED_C_VERSION,
                 0,
                 number(found.accuracy),
                 number(found.whole_accuracy),
                 number(found.switch_time),
                 number(found.false_switch_rate),
                 found.switches,
                 found.missed};
  });
}

}  // extern "C"
