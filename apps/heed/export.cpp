// SPDX-License-Identifier: MIT
// `heed export`: a model, a chain and gains as constants of C, for core on a device.
#include <fmt/format.h>
#include <heed/core/score_evidence.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/emission/label_free.h>
#include <heed/io/model_file.h>
#include <heed/pipeline/model_choice.h>
#include <io/atomic_file.h>

#include <memory>

#include "gain_options.h"
#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* export_examples = R"(Examples:
  heed track sub-01_scores.tsv --fit-from others/ --save-model model.json -o sub-01_posterior.tsv
  heed export model.json --switch-probability 0.001 --c -o model.h
  heed export model.json --expected-seconds-between-switches 60 --gain 2dB/nat --range 9 --c -o model.h

The header defines HEED_MODEL_EMISSION, HEED_MODEL_GAUSSIAN, HEED_MODEL_CHAIN and HEED_MODEL_GAINS, which initialise the
options of <heed/c.h> and <heed/c_steering.h>; examples/c/device.c uses them.)";

struct ExportFlags {
  std::string model;
  ChainFlags chain;
  GainFlags gain;
  std::string output = "-";
  Index speakers = 2;
  bool c = false;
};

[[noreturn]] void refuse(const ExportFlags& flags, const std::string& why) {
  throw Error(ErrorKind::unsupported, flags.model + ": " + why);
}

core::ScoreEvidence<double> evidence_of(const ExportFlags& flags, const Model& model) {
  const auto* gaussian = std::get_if<GaussianEmission>(&model.emission);
  if (gaussian == nullptr) {
    refuse(flags, "the emission is " + io::describe(model) + "; a device has the Gaussian ones, so fit one of those");
  }
  if (model.dependence) {
    refuse(flags, "the model knows that scores repeat each other, which core does not; fit it with --dependence none");
  }
  const auto evidence = core::ScoreEvidence<double>::make({.fisher = gaussian->fisher,
                                                           .mu_attended = gaussian->mu_attended,
                                                           .mu_unattended = gaussian->mu_unattended,
                                                           .sigma_attended = gaussian->sigma_attended,
                                                           .sigma_unattended = gaussian->sigma_unattended,
                                                           .correlation = gaussian->correlation,
                                                           .temperature = model.temperature});
  if (!evidence) refuse(flags, "its parameters make no emission; fit it again");
  return *evidence;
}

// Of single precision: nine digits read back exactly, and C wants a point in it.
std::string number(double value) {
  std::string text = fmt::format("{:.9g}", static_cast<float>(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

double switch_probability(const ExportFlags& flags, const Model& model) {
  const pipeline::ChainChoice choice = chain_choice(flags.chain);
  if (choice.unknown_switch_probability) {
    throw Error(
        ErrorKind::invalid_argument,
        "a device has one switch probability; give it as a number, for instance what 'heed track -p auto' finds");
  }
  return pipeline::make_chain(choice, flags.speakers, model.hop).as_sticky()->move();
}

evaluate::GainOptions gains_of(const ExportFlags& flags, const Model& model) {
  GainFlags asked = flags.gain;
  if (asked.maps.size() > 1) throw Error(ErrorKind::invalid_argument, "--gain: a device has one map; give one");
  if (asked.maps.empty()) asked.maps = {evaluate::map_word({})};
  const evaluate::GainOptions options = gain_options(asked).front();
  (void)evaluate::make_gain_rule(flags.speakers, model.hop, options);  // which throws where there is none
  return options;
}

// Whoever reads the header has to know where it came from. Other origins are texts of users, and stay out of comments.
std::string described(const Model& model) {
  return io::describe(model) + (emission::is_reference(model) ? " (" + model.origin + ", a last resort)" : "");
}

// The same parameters before they are made into an emission, as <heed/c_steering.h> takes them.
std::string gaussian_text(const Model& model) {
  const auto& e = std::get<GaussianEmission>(model.emission);
  return fmt::format(
      "/* heed_gaussian: the fit it was made from. */\n#define HEED_MODEL_GAUSSIAN \\\n  {{ HEED_C_VERSION, {}, "
      "{:.17g}, "
      "{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g} }}\n\n",
      e.fisher ? 1 : 0, e.mu_attended, e.mu_unattended, e.sigma_attended, e.sigma_unattended, e.correlation,
      model.temperature);
}

int run_export(const ExportFlags& flags) {
  const Model model = read_model(flags.model);
  const auto evidence = evidence_of(flags, model);
  const double p = switch_probability(flags, model);
  const evaluate::GainOptions gains = gains_of(flags, model);
  std::string text = fmt::format(
      "/* Made by heed {} from a model: {}.\n * {} speakers; a window every {:g} s. C: see <heed/c.h>. */\n"
      "#ifndef HEED_MODEL_H\n#define HEED_MODEL_H\n\n#include <heed/c.h>\n\n",
      version(), described(model), flags.speakers, model.hop.value);
  text += fmt::format("#define HEED_MODEL_SPEAKERS {}\n#define HEED_MODEL_SECONDS_PER_WINDOW {}\n\n", flags.speakers,
                      number(model.hop.value));
  text += fmt::format(
      "/* heed_emission: what a {} says. */\n#define HEED_MODEL_EMISSION \\\n  {{ HEED_C_VERSION, {}, {}, {} }}\n\n",
      evidence.fisher() ? "correlation" : "score", evidence.fisher() ? 1 : 0, number(evidence.linear()),
      number(evidence.quadratic()));
  text += gaussian_text(model);
  text += fmt::format(
      "/* heed_chain_options: how attention moves. */\n#define HEED_MODEL_CHAIN \\\n  {{ HEED_C_VERSION, {}, {} }}\n\n",
      flags.speakers, number(p));
  text += fmt::format(
      "/* heed_gain_options: {}. */\n#define HEED_MODEL_GAINS \\\n  {{ HEED_C_VERSION, {}, {}, {}, {}, {}, {}, {}, {}, "
      "{}, {}, {}, {} }}\n\n#endif\n",
      gain_words(gains), flags.speakers, static_cast<int>(gains.map), number(model.hop.value),
      number(gains.enhanced_decibel), number(gains.suppressed_decibel), number(gains.slew_decibel_per_second),
      number(gains.lowest_decibel), number(gains.highest_decibel), number(gains.decibels_per_nat),
      number(gains.certainty), number(gains.margin_decibel), number(gains.slope_per_decibel));
  if (flags.output == "-") {
    fmt::print("{}", text);
    flush_output();
  } else {
    io::write_text_file(flags.output, text);
  }
  return 0;
}

}  // namespace

void add_export(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("export", "Write a model, a chain and gains as constants for a device");
  verb->footer(export_examples);
  auto flags = std::make_shared<ExportFlags>();
  verb->add_option("model", flags->model,
                   "Model file (see 'heed track --save-model'); or reference: what correlations of one second mean for "
                   "simulated listeners, a last resort")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--c", flags->c, "Write a C header")->required();
  verb->add_option("-o,--output", flags->output, "Header to write, whole or not at all; or - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  verb->add_option("--speakers", flags->speakers, "Number of speakers")
      ->check(CLI::Range(Index{2}, Index{8}))
      ->capture_default_str();
  add_switching_flags(*verb, flags->chain, UnknownSwitching::refused);
  add_gain_flags(*verb, flags->gain, "How posteriors become gains: ", GainDefault::usual_map);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_export(*flags); }; });
}

}  // namespace heed::app
