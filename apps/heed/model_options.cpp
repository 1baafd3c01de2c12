// SPDX-License-Identifier: MIT
#include "model_options.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/io/model_file.h>
#include <io/tsv.h>

namespace heed::app {
namespace {

using pipeline::EmissionFamily;

constexpr std::string_view unknown_probability = "auto";
constexpr std::string_view reference_name = "reference";

std::optional<GaussianEmission> by_hand(const EmissionFlags& flags, bool fisher) {
  const bool any = flags.mu_attended || flags.mu_unattended || flags.sigma;
  if (!any) return std::nullopt;
  if (!flags.mu_attended || !flags.mu_unattended || !flags.sigma) {
    throw Error(ErrorKind::invalid_argument, "give --mu-attended, --mu-unattended and --sigma together");
  }
  const GaussianEmission emission{.fisher = fisher,
                                  .spread = Spread::shared,
                                  .mu_attended = *flags.mu_attended,
                                  .mu_unattended = *flags.mu_unattended,
                                  .sigma_attended = *flags.sigma,
                                  .sigma_unattended = *flags.sigma,
                                  .correlation = 0};
  emission::check(emission, 2);  // whatever the number of speakers
  return emission;
}

void refuse(const char* why) { throw Error(ErrorKind::invalid_argument, why); }

bool is_by_hand(const EmissionFlags& flags) { return flags.mu_attended || flags.mu_unattended || flags.sigma; }

bool says_mixture(const EmissionFlags& flags) {
  return flags.components || !flags.covariance.empty() || flags.mixture_seed;
}

// Options that would have no effect: better refused than ignored.
void check_with_model(const EmissionFlags& flags) {
  if (is_by_hand(flags)) refuse("give either --model or --mu-attended, --mu-unattended and --sigma");
  if (!flags.family.empty() || !flags.spread.empty() || !flags.class_priors.empty() || flags.accuracy ||
      says_mixture(flags)) {
    refuse("--model contains the emission; omit --emission and its options");
  }
}

void check_combination(const EmissionFlags& flags, EmissionFamily family) {
  const bool gaussian = family == EmissionFamily::fisher_gaussian || family == EmissionFamily::gaussian;
  const bool hard = family == EmissionFamily::hard_decision;
  const bool mixture = family == EmissionFamily::mixture;
  const bool by_hand = is_by_hand(flags);
  if (by_hand && !gaussian)
    refuse("--mu-attended, --mu-unattended and --sigma need --emission fisher-gaussian or gaussian");
  if (!flags.spread.empty() && (by_hand || !gaussian)) refuse("--spread needs a Gaussian emission that is fitted");
  if (!flags.class_priors.empty() && family != EmissionFamily::softmax && family != EmissionFamily::probability) {
    refuse("--class-priors needs --emission softmax or probability");
  }
  if (flags.accuracy && !hard) refuse("--accuracy needs --emission hard-decision");
  if (says_mixture(flags) && !mixture) {
    refuse("--components, --covariance and --mixture-seed need --emission mixture");
  }
  if (!flags.states.empty() && !mixture) refuse("--states names the states of features, which need --emission mixture");
}

// What a classifier says of itself, or decides.
bool takes_probabilities(const EmissionFlags& flags, const std::optional<Model>& model) {
  if (!model) return flags.family == "probability" || flags.family == "hard-decision";
  return std::holds_alternative<ProbabilityEmission>(model->emission) ||
         std::holds_alternative<HardDecisionEmission>(model->emission);
}

}  // namespace

std::string refuse_negative(const std::string& text) {
  const auto number = io::parse_number(text);
  return number && *number >= 0 ? "" : "give a number of at least 0, not " + text;
}

namespace {

std::string refuse_no_probability(const std::string& text) {
  const bool usable = text == unknown_probability || io::parse_number(text);
  return usable ? "" : "give a probability, such as 0.001, or auto, not " + text;
}

}  // namespace

void add_switching_flags(CLI::App& verb, ChainFlags& flags, UnknownSwitching unknown) {
  const auto* group = chain_group;
  std::string help = fmt::format(
      "Probability of moving to each other speaker, per window (with N speakers attention leaves with N - 1 times as "
      "much); higher values follow switches sooner and fluctuate more (default {} x window seconds)",
      hmm::switch_probability_per_second);
  if (unknown == UnknownSwitching::allowed) {
    help += fmt::format(
        ". auto: how often the listener switches is unknown, so seven values from {:g} to {:g} per second are "
        "weighted by how well they predict the windows, and the result is reported",
        hmm::bank_probabilities_per_second.front(), hmm::bank_probabilities_per_second.back());
  }
  verb.add_option("-p,--switch-probability", flags.switch_probability, help)
      ->check(refuse_no_probability)
      ->type_name(unknown == UnknownSwitching::allowed ? "P|auto" : "P")
      ->group(group);
  verb.add_option("--expected-seconds-between-switches", flags.between_switches,
                  "The same as a duration: how long attention stays with a speaker on average. With N speakers and a "
                  "window every H seconds, p = H / (N - 1) / this")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS")
      ->group(group);
  verb.add_option("--switch-scaling", flags.scaling,
                  "How the default switch probability grows with the window: linear (the paper) or exact")
      ->check(CLI::IsMember({"linear", "exact"}))
      ->capture_default_str()
      ->group(group);
}

void add_chain_flags(CLI::App& verb, ChainFlags& flags) {
  const auto* group = chain_group;
  add_switching_flags(verb, flags, UnknownSwitching::allowed);
  verb.add_option(
          "--transition", flags.transition_file,
          "File with an N x N transition matrix (tab-separated, no header, row = from), instead of one probability")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--initial", flags.initial, "Probabilities in the first window, p1,p2,... (default: uniform)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
}

namespace {

void add_mixture_flags(CLI::App& verb, EmissionFlags& flags) {
  const auto* group = emission_group;
  verb.add_option("--states", flags.states,
                  "The file holds features, and these are the states, a,b,...: every column except the reserved ones "
                  "is a feature, and 'attended' names a state")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--components", flags.components, "mixture: number of Gaussians per state (default 2)")
      ->check(CLI::Range(Index{1}, Index{1000}))
      ->group(group);
  verb.add_option("--covariance", flags.covariance, "mixture: full (default), or diagonal for many features")
      ->check(CLI::IsMember(pipeline::covariance_names()))
      ->group(group);
  verb.add_option("--mixture-seed", flags.mixture_seed, "mixture: seed for the start of the fit (default 1)")
      ->check(refuse_negative)
      ->group(group);
}

}  // namespace

void add_emission_flags(CLI::App& verb, EmissionFlags& flags) {
  const auto* group = emission_group;
  verb.add_option(
          "--emission", flags.family,
          "fisher-gaussian (correlations), gaussian (LDA scores, log-odds), log-likelihood (scores are log-likelihoods "
          "already), softmax (classifier logits), probability (of a classifier), hard-decision (only the largest score "
          "counts), mixture (features of any kind); by default, the sidecar's ScoreType decides")
      ->check(CLI::IsMember(pipeline::family_names()))
      ->group(group);
  verb.add_option("--spread", flags.spread,
                  "One sigma (shared), one each for attended and unattended (separate), or one sigma and a "
                  "correlation between speakers (exchangeable); by default shared, or exchangeable where the columns "
                  "repeat one score, as s and -s do")
      ->check(CLI::IsMember(pipeline::spread_names()))
      ->group(group);
  verb.add_option("--mu-attended", flags.mu_attended,
                  "Mean score of the attended speaker (after atanh for correlations)")
      ->group(group);
  verb.add_option("--mu-unattended", flags.mu_unattended, "Mean score of the others")->group(group);
  verb.add_option("--sigma", flags.sigma, "Standard deviation of the scores around their mean")->group(group);
  verb.add_option("--class-priors", flags.class_priors,
                  "softmax, probability: how often each class was attended in the classifier's training data, "
                  "p1,p2,... (default: uniform)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--accuracy", flags.accuracy,
                  "hard-decision: how often the decoder is right, above 1/N and below 1 (default: from labels)")
      ->group(group);
  add_mixture_flags(verb, flags);
  verb.add_option("--fit", flags.fit,
                  "Fit the emission to labels (the column 'attended'), or without them: baum-welch (attention lasts) "
                  "and memoryless (each window on its own, two speakers) see the whole recording, its future included; "
                  "adaptive starts from others' labels or a model and learns only from what has been heard so far")
      ->check(CLI::IsMember(pipeline::fit_names()))
      ->group(group);
  verb.add_flag("--calibrate", flags.calibrate,
                "Divide log-likelihoods by the temperature at which causal posteriors predict attention best, found on "
                "the labels used for fitting")
      ->group(group);
  verb.add_option(
          "--evidence", flags.evidence,
          "Count evidence as it is (as-is), or multiply log-likelihoods by the scale at which their spread fits "
          "their mean (scaled), so that what overlapping windows say several times counts once; by default "
          "scaled where that scale, measured on the labels used for fitting, is below 0.8 or above 1.25")
      ->check(CLI::IsMember(pipeline::evidence_names()))
      ->group(group);
  verb.add_option("--dependence", flags.dependence,
                  "How scores repeat each other from window to window, as those of spatial filters do: none (the "
                  "default), ar1 (their noise goes on), offset (and each trial adds a bias of its own; two speakers, "
                  "six labelled trials or more), or auto (whichever their correlations favour; a note says why)")
      ->check(CLI::IsMember(pipeline::dependence_names()))
      ->group(group);
  verb.add_option("--model", flags.model_file,
                  "Model file with a fitted emission (see 'heed track --save-model'); or reference: what correlations "
                  "mean for simulated listeners, a last resort")
      ->type_name("FILE")
      ->group(group);
}

void add_method_flags(CLI::App& verb, MethodFlags& flags) {
  const auto* group = "Method";
  verb.add_option("--lag", flags.lag, "fixed-lag: seconds of the future each decision waits for")
      ->check(refuse_negative)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--gain-states", flags.gain_states,
                  "markov-chain: number of gains between two speakers; with more, the gain fluctuates less and follows "
                  "later (default: from the accuracy of other listeners' windows, else 17)")
      ->check(CLI::Range(2, 1000000))
      ->group(group);
  verb.add_option("--gain-step", flags.gain_step,
                  "probabilistic-gain: how far a window that is certain moves the gain; larger values follow sooner "
                  "and fluctuate more")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--state-space-compatible", flags.state_space_compatible,
                "state-space: last smoothed variance 0, as in the published demo")
      ->group(group);
}

void add_seed_flag(CLI::App& verb, std::uint64_t& seed, const std::string& description) {
  verb.add_option("--seed", seed, description)->check(refuse_negative)->capture_default_str();
}

std::string switching_words(const ChainFlags& flags) {
  if (!flags.switch_probability.empty()) return ", p = " + flags.switch_probability;
  if (flags.between_switches) return fmt::format(", switches expected every {:g} s", *flags.between_switches);
  return flags.scaling == "exact" ? ", p scaled exactly" : "";
}

std::string switching_options(const ChainFlags& flags) {
  std::string text = flags.switch_probability.empty() ? "" : " -p " + flags.switch_probability;
  if (flags.between_switches) {
    text += fmt::format(" --expected-seconds-between-switches {:g}", *flags.between_switches);
  }
  return text + (flags.scaling == "exact" ? " --switch-scaling exact" : "");
}

pipeline::ChainChoice chain_choice(const ChainFlags& flags) {
  const bool unknown = flags.switch_probability == unknown_probability;
  pipeline::ChainChoice choice{
      .switch_probability = unknown ? std::nullopt : io::parse_number(flags.switch_probability),
      .between_switches = flags.between_switches ? std::optional(Seconds{*flags.between_switches}) : std::nullopt,
      .scaling = flags.scaling == "exact" ? pipeline::SwitchScaling::exact : pipeline::SwitchScaling::linear,
      .transition = std::nullopt,
      .transition_file = flags.transition_file,
      .initial = flags.initial,
      .unknown_switch_probability = unknown};
  if (flags.transition_file.empty()) return choice;
  if (!flags.switch_probability.empty()) {
    throw Error(ErrorKind::invalid_argument, "give either --switch-probability or --transition");
  }
  choice.transition = io::read_chain(flags.transition_file);
  try {
    (void)hmm::Chain::make(*choice.transition);
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_data, flags.transition_file + ": " + error.what());
  }
  return choice;
}

track::MethodOptions method_options(const MethodFlags& flags) {
  return {.lag = Seconds{flags.lag},
          .gain_states = flags.gain_states,
          .gain_step = flags.gain_step,
          .state_space = {.compatible = flags.state_space_compatible}};
}

std::optional<Model> given_model(const EmissionFlags& flags) {
  if (flags.model_file.empty()) return std::nullopt;
  check_with_model(flags);
  return read_model(flags.model_file);
}

Model read_model(const std::string& file) {
  return file == reference_name ? emission::reference_model(Seconds{1}, Seconds{1}) : io::read_model(file);
}

std::optional<Model> suited_to(const ScoredParticipant& participant, const std::optional<Model>& model) {
  if (!model || !emission::is_reference(*model)) return model;
  if (participant.type != ScoreType::correlation) {
    throw Error(ErrorKind::invalid_argument,
                "heed's reference says what correlations of windows mean, and these scores are something else; give a "
                "model that was fitted to such scores");
  }
  return emission::reference_model(participant.window(), participant.hop());
}

io::ScoreReadOptions read_options(const EmissionFlags& flags, const std::optional<Model>& model) {
  const auto* mixture = model ? std::get_if<MixtureEmission>(&model->emission) : nullptr;
  if (mixture == nullptr) return {.states = flags.states, .probabilities = takes_probabilities(flags, model)};
  if (!flags.states.empty() && flags.states != mixture->states) {
    throw Error(ErrorKind::invalid_argument, fmt::format("the states of {} are {}; omit --states", flags.model_file,
                                                         fmt::join(mixture->states, ",")));
  }
  return {.states = mixture->states};
}

pipeline::EmissionChoice emission_choice(const EmissionFlags& flags, ScoreType type,
                                         const std::optional<Model>& model) {
  pipeline::EmissionChoice choice;
  if (!flags.fit.empty()) choice.fit = pipeline::fit_named(flags.fit);
  choice.fit_switch_probability = flags.fit_switch_probability;
  choice.calibrate = flags.calibrate;
  if (!flags.evidence.empty()) choice.evidence = pipeline::evidence_named(flags.evidence);
  if (!flags.dependence.empty()) choice.dependence = pipeline::dependence_named(flags.dependence);
  if (choice.calibrate && choice.evidence == pipeline::EvidenceCounting::scaled) {
    refuse("give either --calibrate or --evidence scaled: both find one factor on the evidence");
  }
  if (model) {
    if (!flags.states.empty() && !std::holds_alternative<MixtureEmission>(model->emission)) {
      refuse("--states names the states of features, which this model does not know");
    }
    return choice;
  }
  if (!flags.family.empty()) choice.family = pipeline::family_named(flags.family);
  if (!flags.spread.empty()) choice.spread = pipeline::spread_named(flags.spread);
  choice.class_priors = flags.class_priors;
  choice.accuracy = flags.accuracy.value_or(0);
  choice.mixture.components = flags.components.value_or(choice.mixture.components);
  if (!flags.covariance.empty()) choice.mixture.covariance = pipeline::covariance_named(flags.covariance);
  choice.mixture.seed = flags.mixture_seed.value_or(choice.mixture.seed);
  const EmissionFamily family = pipeline::family_of(choice, type);
  check_combination(flags, family);
  if (const auto hand = by_hand(flags, family == EmissionFamily::fisher_gaussian)) choice.given = *hand;
  return choice;
}

}  // namespace heed::app
