// SPDX-License-Identifier: MIT
// filter, smooth, viterbi and fixed_lag on arrays: one sequence, many below each other (lengths), or a block of
// sequences of one length. The engine's in-place tiers read the caller's array and write the array that is returned.
#include <heed/data/scored.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/dependence.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/batch.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/switching_texts.h"
#include "native/docs/tracker_texts.h"
#include "native/emissions.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/model_arguments.h"
#include "native/tracker_call.h"
#include "native/views.h"

namespace heed::python {
namespace {

using hmm::SequenceSummary;

// The scores of every sequence, copied.
std::vector<Scores> sequences_of(const Call& call) {
  std::vector<Scores> sequences;
  for (Index row = 0; const Index count : call.lengths) {
    sequences.push_back({copied(call.rows.view.middle_rows(row, count)), call.window});
    row += count;
  }
  return sequences;
}

py::object evidences(const Call& call, const std::vector<SequenceSummary>& summaries) {
  if (call.single() && call.rows.sequences == 0) return py::float_(summaries.front().log_evidence);
  std::vector<double> values;
  for (const SequenceSummary& summary : summaries) values.push_back(summary.log_evidence);
  return to_numpy(std::move(values));
}

py::object with_evidence(const Call& call, py::object result, const std::vector<SequenceSummary>& summaries,
                         bool wanted) {
  if (!wanted) return result;
  return py::make_tuple(std::move(result), evidences(call, summaries));
}

// What parse() has settled cannot fail; anything else would hand out memory nobody wrote.
void require_done(bool done) {
  if (!done) throw std::logic_error("heed: shapes that were checked do not fit; please report this");
}

// make_run() makes what a thread works with, of which run(batch, out, released) writes the posteriors of a slice and
// gives whether that was done.
template <typename MakeRun>
py::object posteriors(const Call& call, bool return_log_evidence, const MakeRun& make_run) {
  const Index states = call.chain.states();
  py::array_t<double> result(shape_of(call, states));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  const MutableMatrixView out{result.mutable_data(), call.rows.view.rows, states, states};
  {
    Released released;
    in_slices(call, call.threads, released, [&] {
      return [&, run = make_run()](const Slice& slice, const hmm::BatchView& batch) mutable {
        const hmm::BatchPosteriorsView part{out.middle_rows(slice.row, slice.rows),
                                            std::span(summaries).subspan(slice.first, slice.count)};
        require_done(run(batch, part, released));
      };
    });
  }
  return with_evidence(call, std::move(result), summaries, return_log_evidence);
}

// tracked(bank, windows) gives hmm::BankPosteriors.
template <typename Tracked>
py::object unknown_posteriors(const Call& call, bool return_log_evidence, const Tracked& tracked) {
  const Index states = call.chain.states();
  py::array_t<double> result(shape_of(call, states));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  double* out = result.mutable_data();
  in_trials(call, [&](const hmm::Bank& bank, const LogLikelihoods& windows, std::size_t sequence, Index row) {
    hmm::BankPosteriors rows = tracked(bank, windows);
    std::copy_n(rows.posteriors.values.data(), rows.posteriors.values.size(), out + (row * states));
    summaries[sequence].log_evidence = rows.posteriors.log_evidence;
    return std::move(rows.switching);
  });
  return with_evidence(call, std::move(result), summaries, return_log_evidence);
}

// Calls take(tracked, sequence) with what track(chain, model, scores) gives for every sequence whose windows depend on
// each other; with an unknown switch probability, track is handed the bank, and sequences are one listener's trials.
template <typename Track, typename Take>
void over_dependent(const Call& call, const Track& track, const Take& take) {
  Released released;
  auto bank = call.bank;
  for (std::size_t k = 0; const Scores& scores : sequences_of(call)) {
    if (bank) {
      auto tracked = track(*bank, *call.dependent, scores);
      bank = bank->with_weights(tracked.switching.after);
      take(std::move(tracked), k++);
    } else {
      take(track(call.chain, *call.dependent, scores), k++);
    }
    released.check();
  }
}

const Posteriors& posteriors_of(const Posteriors& rows) { return rows; }
const Posteriors& posteriors_of(const hmm::BankPosteriors& rows) { return rows.posteriors; }
const Path& best_path(const Path& path) { return path; }
const Path& best_path(const hmm::BankPath& best) { return best.path; }

template <typename Track>
py::object dependent_posteriors(const Call& call, bool return_log_evidence, const Track& track) {
  py::array_t<double> result(shape_of(call, call.chain.states()));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  double* out = result.mutable_data();
  over_dependent(call, track, [&](const auto& tracked, std::size_t k) {
    const Posteriors& posteriors = posteriors_of(tracked);
    out = std::copy_n(posteriors.values.data(), posteriors.values.size(), out);
    summaries[k] = {posteriors.log_evidence, posteriors.held};
  });
  return with_evidence(call, std::move(result), summaries, return_log_evidence);
}

py::object filter(const py::object& values, const Options& options, bool return_log_evidence) {
  const Call call = parse(values, options);
  if (call.dependent) {
    return dependent_posteriors(call, return_log_evidence,
                                [](const auto&... sequence) { return emission::filter(sequence...); });
  }
  if (call.bank) {
    return unknown_posteriors(call, return_log_evidence,
                              [](const auto& bank, const auto& windows) { return hmm::filter(bank, windows); });
  }
  return posteriors(call, return_log_evidence, [&] {
    return [&, workspace = hmm::FilterWorkspace(call.chain.states())](const auto& batch, const auto& out,
                                                                      const Released& /*released*/) mutable {
      return hmm::filter_batch_into(call.chain, batch, workspace, out);
    };
  });
}

py::object smooth(const py::object& values, const Options& options, bool return_log_evidence) {
  const Call call = parse(values, options);
  if (call.dependent) {
    return dependent_posteriors(call, return_log_evidence,
                                [](const auto&... sequence) { return emission::smooth(sequence...); });
  }
  if (call.bank) {
    return unknown_posteriors(call, return_log_evidence,
                              [](const auto& bank, const auto& windows) { return hmm::smooth(bank, windows); });
  }
  return posteriors(call, return_log_evidence, [&] {
    hmm::SmoothWorkspace prepared;
    if (call.single()) {
      prepared.prepare(call.longest(), call.chain.states());
    } else {
      prepared.prepare_batch(call.longest(), call.chain.states());
    }
    return
        [&, workspace = std::move(prepared)](const auto& batch, const auto& out, const Released& /*released*/) mutable {
          return hmm::smooth_batch_into(call.chain, batch, workspace, out);
        };
  });
}

// Rows between two looks for Ctrl-C: each looks ahead over `lag` windows.
bool fixed_lag_into(const Call& call, Index lag, hmm::SmoothWorkspace& workspace, const hmm::BatchView& batch,
                    const hmm::BatchPosteriorsView& out, Released& released) {
  const Index rows_at_a_time = call.rows_at_a_time(std::clamp<Index>(lag, 1, call.longest()));
  bool done = true;
  Index row = 0;
  for (std::size_t k = 0; const Index count : batch.lengths) {
    hmm::FixedLagRun run(call.chain, {batch.log_likelihood.middle_rows(row, count), lag}, workspace,
                         out.values.middle_rows(row, count));
    while (run.look_back(rows_at_a_time)) released.check();
    released.check();
    out.sequences[k++].log_evidence = run.log_evidence();
    done = done && !std::isnan(run.log_evidence());
    row += count;
  }
  return done;
}

py::object fixed_lag(const py::object& values, double lag, const Options& options, bool return_log_evidence) {
  const Call call = parse(values, options);
  if (call.dependent) {
    return dependent_posteriors(call, return_log_evidence, [&](const auto&... sequence) {
      return emission::fixed_lag(sequence..., Seconds{lag});
    });
  }
  const Index lag_windows = hmm::lag_in_windows(Seconds{lag}, call.window);
  if (call.bank) {
    return unknown_posteriors(call, return_log_evidence, [&](const auto& bank, const auto& windows) {
      return hmm::fixed_lag(bank, windows, Seconds{lag});
    });
  }
  return posteriors(call, return_log_evidence, [&] {
    return [&, workspace = hmm::SmoothWorkspace(call.longest(), call.chain.states())](
               const auto& batch, const auto& out, Released& released) mutable {
      return fixed_lag_into(call, lag_windows, workspace, batch, out, released);
    };
  });
}

py::object viterbi(const py::object& values, const Options& options, bool return_log_probability) {
  const Call call = parse(values, options);
  py::array_t<Speaker> result(shape_of(call, std::nullopt));
  std::vector<SequenceSummary> summaries(call.lengths.size());
  const std::span<Speaker> out(result.mutable_data(), static_cast<std::size_t>(call.rows.view.rows));
  if (call.dependent) {
    auto next = out.begin();
    over_dependent(
        call, [](const auto&... sequence) { return emission::viterbi(sequence...); },
        [&](const auto& best, std::size_t k) {
          next = std::ranges::copy(best_path(best).states, next).out;
          summaries[k] = {best_path(best).log_probability, best_path(best).held};
        });
  } else if (call.bank) {
    in_trials(call, [&](const hmm::Bank& bank, const LogLikelihoods& windows, std::size_t sequence, Index row) {
      hmm::BankPath best = hmm::viterbi(bank, windows);
      std::ranges::copy(best.path.states, out.begin() + row);
      summaries[sequence].log_evidence = best.path.log_probability;
      return std::move(best.switching);
    });
  } else {
    Released released;
    in_slices(call, call.threads, released, [&] {
      return [&, workspace = hmm::ViterbiWorkspace(call.longest(), call.chain.states())](
                 const Slice& slice, const hmm::BatchView& batch) mutable {
        const auto states = out.subspan(static_cast<std::size_t>(slice.row), static_cast<std::size_t>(slice.rows));
        require_done(hmm::viterbi_batch_into(call.chain, batch, workspace,
                                             {states, std::span(summaries).subspan(slice.first, slice.count)}));
      };
    });
  }
  return with_evidence(call, std::move(result), summaries, return_log_probability);
}

// The states of a path below each other, however the sequences are given.
std::vector<Speaker> path_of(const py::object& path, const Call& call) {
  const py::object array = py::module_::import("numpy").attr("asarray")(path);
  std::vector<Speaker> states = attention_of(array.attr("ravel")(), "path", call.chain.states()).attended;
  if (std::cmp_not_equal(states.size(), call.rows.view.rows)) {
    refuse("path", std::to_string(states.size()) + " states for " + std::to_string(call.rows.view.rows) +
                       " windows; give one for each window, -1 where every speaker will do");
  }
  return states;
}

// Of an unknown p, all values are equally likely beforehand.
hmm::PathProbability probability_of(const Call& call, const LogLikelihoods& windows, std::span<const Speaker> path) {
  if (!call.bank) return hmm::path_probability(call.chain, windows, path);
  std::vector<hmm::PathProbability> values;
  for (std::size_t g = 0; g < call.bank->size(); ++g) {
    values.push_back(hmm::path_probability(call.bank->chain(g), windows, path));
  }
  return hmm::mean_of(values);
}

py::dict switch_posterior(const py::object& values, Options options) {
  options.switch_probability = py::str("auto");
  const Call call = parse(values, options);
  const auto count = static_cast<Index>(call.bank->size());
  Matrix history(call.rows.view.rows, count);
  hmm::BankWeights after = call.bank->weights();
  const auto learn = [&](hmm::Switching switching, Index row) {
    history.middleRows(row, switching.weights.rows()) = switching.weights;
    after = switching.after;
    return switching;
  };
  if (call.dependent) {
    Released released;
    for (Index row = 0; const Scores& scores : sequences_of(call)) {
      (void)learn(emission::filter(call.bank->with_weights(after), *call.dependent, scores).switching, row);
      row += scores.values.rows();
      released.check();
    }
  } else {
    in_trials(call, [&](const hmm::Bank& bank, const LogLikelihoods& windows, std::size_t /*sequence*/, Index row) {
      return learn(hmm::filter(bank, windows).switching, row);
    });
  }
  py::dict result = switching_dict(call.bank->posterior(after));
  result["history"] = to_numpy(std::move(history)).attr("reshape")(py::cast(shape_of(call, count)));
  return result;
}

py::dict path_probability(const py::object& values, const py::object& path, const Options& options) {
  const Call call = parse(values, options);
  if (call.dependent) refuse("emission", "has a dependence; paths have probabilities for independent windows alone");
  const std::vector<Speaker> states = path_of(path, call);
  std::vector<hmm::PathProbability> found;
  {
    Released released;
    const auto add = [&](const Slice& slice, const hmm::BatchView& batch) {
      Index row = 0;
      for (const Index count : batch.lengths) {
        const MatrixView part = batch.log_likelihood.middle_rows(row, count);
        const LogLikelihoods windows = copied_windows(call, part);
        const auto from = static_cast<std::size_t>(slice.row + row);
        found.push_back(
            probability_of(call, windows, std::span(states).subspan(from, static_cast<std::size_t>(count))));
        row += count;
      }
    };
    in_slices(call, 1, released, [&] { return add; });
  }
  const auto each = [&](auto member) -> py::object {
    std::vector<double> numbers;
    for (const hmm::PathProbability& one : found) numbers.push_back(member(one));
    if (call.single() && call.rows.sequences == 0) return py::float_(numbers.front());
    return to_numpy(std::move(numbers));
  };
  py::dict result;
  result["log_prior"] = each([](const auto& one) { return one.log_prior; });
  result["log_joint"] = each([](const auto& one) { return one.log_joint; });
  result["log_evidence"] = each([](const auto& one) { return one.log_evidence; });
  result["log_posterior"] = each([](const auto& one) { return one.log_posterior(); });
  return result;
}

// The parameters of an adaptation that callers may choose.
emission::AdaptiveOptions adaptation_of(const py::object& half_life, const py::object& prior_windows) {
  return {.half_life = Seconds{number_of(half_life, "half_life")},
          .prior_windows = number_of(prior_windows, "prior_windows")};
}

py::array_t<double> adapted_log_likelihoods(const py::object& values, const Options& options,
                                            const emission::AdaptiveOptions& adaptation) {
  const Call call = parse(values, options);
  const auto* start = call.model && !call.dependent ? std::get_if<GaussianEmission>(&call.model->emission) : nullptr;
  if (start == nullptr)
    refuse("emission", "adaptation starts from a GaussianEmission, or a Model of independent windows");
  py::array_t<double> result(shape_of(call, call.chain.states()));
  double* out = result.mutable_data();
  const Released released;
  std::vector<ScoredTrial> trials;
  for (Scores& scores : sequences_of(call)) trials.push_back({.scores = std::move(scores)});
  const double temperature = call.model->temperature;
  const auto adapted = call.bank
                           ? emission::adapted_log_likelihoods(*start, *call.bank, trials, adaptation, temperature)
                           : emission::adapted_log_likelihoods(*start, call.chain, trials, adaptation, temperature);
  for (const LogLikelihoods& trial : adapted.log_likelihoods) {
    out = std::copy_n(trial.values.data(), trial.values.size(), out);
  }
  return result;
}

template <auto function>
void define(py::module_& module, const char* name, const char* extra, const texts::TrackerText& text) {
  module.def(
      name,
      [](const py::object& values, const py::object& switch_probability, const py::object& emission,
         const py::object& transition, const py::object& initial, const py::object& window, const py::object& lengths,
         const py::object& threads, bool with_extra) {
        return function(values, {switch_probability, emission, transition, initial, window, lengths, threads},
                        with_extra);
      },
      py::arg("values"), py::arg("switch_probability") = py::none(), py::kw_only(), py::arg("emission") = py::none(),
      py::arg("transition") = py::none(), py::arg("initial") = py::none(), py::arg("window") = py::none(),
      py::arg("lengths") = py::none(), py::arg("threads") = 1, py::arg(extra) = false, texts::docstring(text).c_str());
}

void define_fixed_lag(py::module_& module) {
  module.def(
      "fixed_lag",
      [](const py::object& values, const py::object& switch_probability, const py::object& lag,
         const py::object& emission, const py::object& transition, const py::object& initial, const py::object& window,
         const py::object& lengths, const py::object& threads, bool return_log_evidence) {
        return fixed_lag(values, number_of(lag, "lag"),
                         {switch_probability, emission, transition, initial, window, lengths, threads},
                         return_log_evidence);
      },
      py::arg("values"), py::arg("switch_probability") = py::none(), py::kw_only(),
      py::arg("lag") = hmm::default_lag.value, py::arg("emission") = py::none(), py::arg("transition") = py::none(),
      py::arg("initial") = py::none(), py::arg("window") = py::none(), py::arg("lengths") = py::none(),
      py::arg("threads") = 1, py::arg("return_log_evidence") = false, texts::docstring(texts::fixed_lag).c_str());
}

void define_path_probability(py::module_& module) {
  module.def(
      "path_probability",
      [](const py::object& values, const py::object& path, const py::object& switch_probability,
         const py::object& emission, const py::object& transition, const py::object& initial, const py::object& window,
         const py::object& lengths) {
        return path_probability(values, path, {switch_probability, emission, transition, initial, window, lengths});
      },
      py::arg("values"), py::arg("path"), py::arg("switch_probability") = py::none(), py::kw_only(),
      py::arg("emission") = py::none(), py::arg("transition") = py::none(), py::arg("initial") = py::none(),
      py::arg("window") = py::none(), py::arg("lengths") = py::none(),
      texts::docstring(texts::path_probability).c_str());
}

void define_switch_posterior(py::module_& module) {
  module.def(
      "switch_posterior",
      [](const py::object& values, const py::object& emission, const py::object& initial, const py::object& window,
         const py::object& lengths) {
        return switch_posterior(values, {py::none(), emission, py::none(), initial, window, lengths});
      },
      py::arg("values"), py::kw_only(), py::arg("emission") = py::none(), py::arg("initial") = py::none(),
      py::arg("window") = py::none(), py::arg("lengths") = py::none(), texts::switch_posterior);
}

void define_adapted_log_likelihoods(py::module_& module) {
  const emission::AdaptiveOptions defaults;
  module.def(
      "adapted_log_likelihoods",
      [](const py::object& values, const py::object& emission, const py::object& switch_probability,
         const py::object& transition, const py::object& initial, const py::object& window, const py::object& lengths,
         const py::object& half_life, const py::object& prior_windows) {
        return adapted_log_likelihoods(values, {switch_probability, emission, transition, initial, window, lengths},
                                       adaptation_of(half_life, prior_windows));
      },
      py::arg("values"), py::arg("emission"), py::arg("switch_probability") = py::none(), py::kw_only(),
      py::arg("transition") = py::none(), py::arg("initial") = py::none(), py::arg("window") = py::none(),
      py::arg("lengths") = py::none(), py::arg("half_life") = defaults.half_life.value,
      py::arg("prior_windows") = defaults.prior_windows, texts::adapted_log_likelihoods);
}

}  // namespace

void bind_trackers(py::module_& module) {
  define<filter>(module, "filter", "return_log_evidence", texts::filter);
  define<smooth>(module, "smooth", "return_log_evidence", texts::smooth);
  define<viterbi>(module, "viterbi", "return_log_probability", texts::viterbi);
  define_fixed_lag(module);
  define_path_probability(module);
  define_switch_posterior(module);
  define_adapted_log_likelihoods(module);
}

}  // namespace heed::python
