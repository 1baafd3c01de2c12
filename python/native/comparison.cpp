// SPDX-License-Identifier: MIT
// heed.compare and heed.mesd on participants or their files. The Python functions in heed/evaluation.py declare the
// keywords; here they become the options of the engine, and what would have no effect is refused.
#include <heed/io/score_tables.h>
#include <heed/pipeline/compare.h>
#include <heed/pipeline/evaluate.h>

#include <algorithm>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/keywords.h"
#include "native/model_arguments.h"
#include "native/scores.h"
#include "native/views.h"
#include "native/warnings.h"

namespace heed::python {
namespace {

using pipeline::EmissionFamily;
using Names = std::vector<std::string>;
using Cohort = std::vector<ScoredParticipant>;

constexpr const char* scores_wanted =
    "participants (a list of heed.Participant(id, [heed.ScoredTrial(scores, attended), ...])), a path or a sequence of "
    "paths";

// The emission as it was given: by name, or whole.
struct GivenEmission {
  std::optional<EmissionFamily> family{};
  std::optional<Model> model{};
};

GivenEmission given_emission(const Keywords& keywords) {
  const py::object emission = keywords.object("emission");
  GivenEmission given;
  if (py::isinstance<py::str>(emission)) {
    given.family = pipeline::family_named(emission.cast<std::string>());
    return given;
  }
  given.model = model_of(emission);
  return given;
}

bool says_mixture(const Keywords& keywords) {
  return std::ranges::any_of(std::array{"components", "covariance", "mixture_seed"},
                             [&](const char* name) { return !keywords.object(name).is_none(); });
}

void check_given(const Keywords& keywords, bool tempers) {
  const auto fit = keywords.word("fit");
  const bool starts = fit == "adaptive" || fit == "baum-welch";  // the engine knows from which emissions
  const bool fits = !keywords.object("spread").is_none() || says_mixture(keywords) || (fit && !starts && !tempers);
  if (fits) refuse("emission", "is given, so there is nothing to fit; omit the options of fits");
}

void check_family(const Keywords& keywords, EmissionFamily family) {
  const bool gaussian = family == EmissionFamily::fisher_gaussian || family == EmissionFamily::gaussian;
  if (!keywords.object("spread").is_none() && !gaussian) refuse("spread", "needs a Gaussian emission");
  if (family == EmissionFamily::mixture) return;
  if (says_mixture(keywords)) refuse("emission", "components, covariance and mixture_seed need 'mixture'");
  if (!keywords.object("states").is_none()) refuse("states", "names the states of features: emission='mixture'");
}

pipeline::EmissionChoice checked_emission(const Keywords& keywords, const GivenEmission& given) {
  if (given.model) {
    check_given(keywords, keywords.flag("calibrate") || keywords.word("evidence") == "scaled");
  } else {
    check_family(keywords, given.family.value_or(EmissionFamily::gaussian));
  }
  return emission_choice(keywords);
}

io::ScoreReadOptions read_options(const Keywords& keywords, const GivenEmission& given) {
  io::ScoreReadOptions options;
  options.states = keywords.optional<Names>("states", "names").value_or(Names{});
  if (!given.model) {
    options.probabilities =
        given.family == EmissionFamily::probability || given.family == EmissionFamily::hard_decision;
    return options;
  }
  if (const auto* mixture = std::get_if<MixtureEmission>(&given.model->emission)) {
    if (options.states.empty()) options.states = mixture->states;
    if (options.states != mixture->states) refuse("states", "are not those of the emission; omit them");
  }
  options.probabilities = std::holds_alternative<ProbabilityEmission>(given.model->emission) ||
                          std::holds_alternative<HardDecisionEmission>(given.model->emission);
  return options;
}

track::MethodOptions method_options(const Keywords& keywords) {
  track::MethodOptions options;
  options.lag = Seconds{keywords.number("lag").value_or(options.lag.value)};
  options.gain_states = keywords.whole("gain_states");
  options.gain_step = keywords.number("gain_step").value_or(options.gain_step);
  options.state_space.compatible = keywords.flag("state_space_compatible");
  if (!(options.lag.value >= 0)) refuse("lag", "must be in seconds, at least 0");
  if (options.gain_states && *options.gain_states < 2) refuse("gain_states", "must be at least 2");
  if (!(options.gain_step > 0)) refuse("gain_step", "must be a number above 0");
  return options;
}

std::optional<std::vector<double>> sweep_of(const Keywords& keywords) {
  const py::object sweep = keywords.object("sweep");
  if (sweep.is_none() || sweep.is(py::bool_(false))) return std::nullopt;
  return sweep.is(py::bool_(true)) ? pipeline::paper_switch_probabilities() : numbers_of(sweep, "sweep");
}

pipeline::CompareRequest compare_request(const Keywords& keywords, const GivenEmission& given) {
  pipeline::CompareRequest request;
  for (const std::string& name : keywords.optional<Names>("methods", "names of methods").value_or(Names{})) {
    request.methods.push_back(track::method_named(name));
  }
  request.method = method_options(keywords);
  request.chain = chain_choice(keywords);
  request.emission = checked_emission(keywords, given);
  request.model = whole_model(keywords);
  request.join = keywords.flag("join");
  if (const auto trial = keywords.number("trial")) request.trial = Seconds{*trial};
  if (const py::object every = keywords.object("switch_every"); !every.is_none()) {
    request.switch_every = interval_of(every);
  }
  request.repeats = keywords.whole("repeats").value_or(request.repeats);
  request.seed = keywords.seed("seed").value_or(request.seed);
  if (request.repeats < 1) refuse("repeats", "must be at least 1");
  request.switch_probabilities = sweep_of(keywords);
  if (const auto gain = keywords.word("gain")) {
    request.gains = evaluate::with_map(*gain);
    if (const auto range = keywords.number("gain_range")) request.gains = evaluate::with_range(*range, *request.gains);
    if (const auto slew = keywords.number("gain_slew")) request.gains->slew_decibel_per_second = *slew;
  }
  return request;
}

// Participants are copied: they may be changed by nobody, but their owner may let go of them.
std::optional<Cohort> participants_of(const py::object& scores) {
  if (py::isinstance<ScoredParticipant>(scores)) return Cohort{scores.cast<const ScoredParticipant&>()};
  if (!py::isinstance<py::sequence>(scores) || py::isinstance<py::str>(scores) || py::len(scores) == 0) {
    return std::nullopt;
  }
  Cohort cohort;
  for (const py::handle one : scores) {
    if (!py::isinstance<ScoredParticipant>(one)) return std::nullopt;
    cohort.push_back(one.cast<const ScoredParticipant&>());
  }
  return cohort;
}

Cohort cohort_of(const py::object& scores, const Keywords& keywords, const GivenEmission& given) {
  const io::ScoreReadOptions reading = read_options(keywords, given);
  auto cohort = participants_of(scores);
  if (cohort && !keywords.object("states").is_none())
    refuse("states", "say how files are read; participants know their own");
  return cohort ? std::move(*cohort) : read_cohort(paths_of(scores, "scores", scores_wanted), reading);
}

// The JSON of the comparison, that of its curves, what people should know, and what of it is worth a warning.
py::tuple compare(const py::object& scores, const py::dict& options) {
  const Keywords keywords(options);
  const GivenEmission given = given_emission(keywords);
  const Cohort cohort = cohort_of(scores, keywords, given);
  pipeline::CompareRequest request = compare_request(keywords, given);
  request.participants = cohort;
  pipeline::Comparison comparison;
  {
    Released released;
    request.progress = [&](std::size_t, std::size_t) { released.check(); };
    comparison = pipeline::compare(request);
  }
  return py::make_tuple(pipeline::comparison_json(comparison), pipeline::curves_json(comparison),
                        texts_of(comparison.notes), warnings_of(comparison.notes));
}

std::vector<io::WindowedScores> by_window(const Cohort& cohort) {
  std::vector<io::WindowedScores> result;
  for (const ScoredParticipant& one : cohort) {
    auto place = std::ranges::find(result, one.id, &io::WindowedScores::id);
    if (place == result.end()) place = result.insert(result.end(), {one.id, {}});
    place->lengths.push_back(one);
  }
  const auto window = [](const ScoredParticipant& one) { return one.trials.front().scores.window; };
  for (io::WindowedScores& one : result) {
    std::ranges::sort(one.lengths, {}, window);
    if (std::ranges::adjacent_find(one.lengths, {}, window) != one.lengths.end()) {
      refuse("scores", "participant " + one.id + " appears twice with windows of the same length");
    }
  }
  return result;
}

io::WindowedCohort windowed(const py::object& scores) {
  if (const auto cohort = participants_of(scores)) return {by_window(*cohort), {}};
  const auto paths = paths_of(scores, "scores", scores_wanted);
  Released released;
  return io::read_scores_by_window(paths);
}

evaluate::GainChainOptions gain_options(const Keywords& keywords) {
  evaluate::GainChainOptions options;
  options.comfort = keywords.number("comfort").value_or(options.comfort);
  options.confidence = keywords.number("confidence").value_or(options.confidence);
  options.fewest_states = keywords.whole("fewest_states").value_or(options.fewest_states);
  return options;
}

std::string mesd_of_scores(const py::object& scores, const py::dict& keywords) {
  const auto options = gain_options(Keywords(keywords));
  const io::WindowedCohort cohort = windowed(scores);
  pipeline::MesdResult result;
  {
    Released released;
    result = pipeline::measure_mesd({cohort.participants, options, [&] { released.check(); }});
  }
  warn(cohort.warnings);
  warn(warnings_of(result.notes));
  return pipeline::switch_durations_json(result);
}

std::string mesd_of_curve(const py::object& windows, const py::object& accuracies, const py::dict& keywords) {
  const auto lengths = numbers_of(windows, "windows");
  const auto shares = numbers_of(accuracies, "accuracies");
  if (lengths.size() != shares.size()) {
    refuse("accuracies", std::to_string(shares.size()) + " for " + std::to_string(lengths.size()) +
                             " window lengths; give one for each");
  }
  std::vector<evaluate::CurvePoint> curve;
  for (std::size_t k = 0; k < lengths.size(); ++k) curve.push_back({Seconds{lengths[k]}, shares[k]});
  return pipeline::mesd_json(evaluate::minimal_expected_switch_duration(curve, gain_options(Keywords(keywords))));
}

}  // namespace

void bind_comparison(py::module_& module) {
  module.def("compare_json", &compare, py::arg("scores"), py::arg("options"));
  module.def("mesd_of_scores_json", &mesd_of_scores, py::arg("scores"), py::arg("options"));
  module.def("mesd_of_curve_json", &mesd_of_curve, py::arg("windows"), py::arg("accuracies"), py::arg("options"));
}

}  // namespace heed::python
