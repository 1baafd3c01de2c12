// SPDX-License-Identifier: MIT
#include "model_options.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/io/chain_file.h>
#include <heed/io/model_file.h>
#include <heed/io/tsv.h>

#include <map>

namespace heed::app {
namespace {

using pipeline::EmissionFamily;

const std::map<std::string, EmissionFamily, std::less<>> families{{"fisher-gaussian", EmissionFamily::fisher_gaussian},
                                                                  {"gaussian", EmissionFamily::gaussian},
                                                                  {"log-likelihood", EmissionFamily::log_likelihood},
                                                                  {"softmax", EmissionFamily::softmax}};

const std::map<std::string, Spread, std::less<>> spreads{
    {"shared", Spread::shared}, {"separate", Spread::separate}, {"exchangeable", Spread::exchangeable}};

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

// Options that would have no effect: better refused than ignored.
void check_combination(const EmissionFlags& flags, EmissionFamily family) {
  const bool by_hand = flags.mu_attended || flags.mu_unattended || flags.sigma;
  const bool model = !flags.model_file.empty();
  const bool gaussian = family == EmissionFamily::fisher_gaussian || family == EmissionFamily::gaussian;
  const auto refuse = [](const char* why) { throw Error(ErrorKind::invalid_argument, why); };
  if (by_hand && model) refuse("give either --model or --mu-attended, --mu-unattended and --sigma");
  if (model && !(flags.family.empty() && flags.spread.empty() && flags.class_priors.empty())) {
    refuse("--model says what the emission is; leave --emission, --spread and --class-priors out");
  }
  if (by_hand && !gaussian) refuse("mu and sigma belong to the emissions fisher-gaussian and gaussian");
  if (!flags.spread.empty() && (by_hand || !gaussian)) refuse("--spread belongs to a Gaussian emission that is fitted");
  if (!flags.class_priors.empty() && family != EmissionFamily::softmax) {
    refuse("--class-priors belong to --emission softmax");
  }
}

// Seconds or seeds: CLI11 would wrap a negative seed around.
std::string refuse_negative(const std::string& text) {
  const auto number = io::parse_number(text);
  return number && *number >= 0 ? "" : "give a number of 0 or more, not " + text;
}

}  // namespace

void add_chain_flags(CLI::App& verb, ChainFlags& flags) {
  const auto* group = "Markov chain";
  verb.add_option("-p,--switch-probability", flags.switch_probability,
                  "Chance of a move to each other speaker, per window; higher follows switches sooner and wavers "
                  "more (default 0.001 x window seconds)")
      ->group(group);
  verb.add_option("--switch-scaling", flags.scaling,
                  "How the default switch probability grows with the window: linear (the paper) or exact")
      ->check(CLI::IsMember({"linear", "exact"}))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--transition", flags.transition_file,
                  "File with an N x N transition matrix (tabs, no header, row = from), instead of one probability")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--initial", flags.initial, "Probabilities of the first window, p1,p2,... (default uniform)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
}

void add_emission_flags(CLI::App& verb, EmissionFlags& flags) {
  const auto* group = emission_group;
  verb.add_option("--emission", flags.family,
                  "fisher-gaussian (correlations), gaussian (LDA scores, log-odds), log-likelihood (scores are log b "
                  "already), softmax (classifier logits); default by the sidecar's ScoreType")
      ->check(CLI::IsMember(families))
      ->group(group);
  verb.add_option("--spread", flags.spread,
                  "One sigma (shared), one each for attended and unattended (separate), or one sigma and a "
                  "correlation between speakers (exchangeable; for scores made from one difference); default shared")
      ->check(CLI::IsMember(spreads))
      ->group(group);
  verb.add_option("--mu-attended", flags.mu_attended,
                  "Mean score of the attended speaker (after atanh for correlations)")
      ->group(group);
  verb.add_option("--mu-unattended", flags.mu_unattended, "Mean score of the others")->group(group);
  verb.add_option("--sigma", flags.sigma, "Standard deviation of the scores around their mean")->group(group);
  verb.add_option(
          "--class-priors", flags.class_priors,
          "softmax: how often each class was attended in the classifier's training, p1,p2,... (default uniform)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--model", flags.model_file, "Model file with a fitted emission (see 'heed track --save-model')")
      ->type_name("FILE")
      ->group(group);
}

void add_lag_flag(CLI::App& verb, double& seconds) {
  verb.add_option("--lag", seconds, "fixed-lag: seconds of the future each decision waits for")
      ->check(refuse_negative)
      ->capture_default_str();
}

void add_seed_flag(CLI::App& verb, std::uint64_t& seed, const std::string& description) {
  verb.add_option("--seed", seed, description)->check(refuse_negative)->capture_default_str();
}

pipeline::ChainChoice chain_choice(const ChainFlags& flags) {
  pipeline::ChainChoice choice{
      .switch_probability = flags.switch_probability,
      .scaling = flags.scaling == "exact" ? pipeline::SwitchScaling::exact : pipeline::SwitchScaling::linear,
      .transition = std::nullopt,
      .initial = flags.initial};
  if (flags.transition_file.empty()) return choice;
  if (flags.switch_probability) {
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

pipeline::EmissionChoice emission_choice(const EmissionFlags& flags, ScoreType type) {
  pipeline::EmissionChoice choice;
  if (!flags.family.empty()) choice.family = families.at(flags.family);
  if (!flags.spread.empty()) choice.spread = spreads.at(flags.spread);
  choice.class_priors = flags.class_priors;
  const EmissionFamily family = pipeline::family_of(choice, type);
  check_combination(flags, family);
  if (const auto hand = by_hand(flags, family == EmissionFamily::fisher_gaussian)) choice.given = *hand;
  return choice;
}

std::optional<Model> given_model(const EmissionFlags& flags, Seconds window, std::vector<std::string>& notes) {
  if (flags.model_file.empty()) return std::nullopt;
  Model model = io::read_model(flags.model_file);
  if (model.window != window) {
    notes.push_back(fmt::format("{} was fitted to windows of {} s, these are {} s long", flags.model_file,
                                model.window.value, window.value));
  }
  return model;
}

}  // namespace heed::app
