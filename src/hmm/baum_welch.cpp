// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/baum_welch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace heed::hmm {
namespace {

// All sequences, after one E-step.
struct Gathered {
  std::vector<Posteriors> posteriors;
  TransitionCounts transitions;
  std::vector<double> initial;  // summed over sequences
  double objective = 0;
};

double log_prior(const Chain& chain, const SwitchPrior& prior) {
  if (chain.as_sticky() == nullptr) return 0;
  const double stay = chain.as_sticky()->stay();
  const double leave = static_cast<double>(chain.states() - 1) * chain.as_sticky()->move();
  return (prior.switches * std::log(leave)) + (prior.stays * std::log(stay));
}

Gathered gather(const Chain& chain, std::span<const TrainingSequence> sequences, const SwitchPrior& prior) {
  Gathered all;
  all.initial.resize(static_cast<std::size_t>(chain.states()));
  all.objective = log_prior(chain, prior);
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    Expectation expected = [&] {
      try {
        return expectation(chain, sequences[s].log_likelihoods, sequences[s].labels);
      } catch (const Error& error) {
        throw error.within("sequence " + std::to_string(s));
      }
    }();
    all.objective += expected.posteriors.log_evidence;
    all.transitions += expected.transitions;
    const Matrix& gamma = expected.posteriors.values;
    for (std::size_t j = 0; gamma.rows() > 0 && j < all.initial.size(); ++j) {
      all.initial[j] += gamma(0, static_cast<Index>(j));
    }
    all.posteriors.push_back(std::move(expected.posteriors));
  }
  return all;
}

// The likelihood of p has one peak, so cutting it to the range of p never lowers the evidence;
// the lower end gives way to a chain that started below it.
Chain next_sticky(const Chain& chain, const TransitionCounts& counts, const SwitchPrior& prior) {
  const double switches = counts.switches + prior.switches;
  const double steps = switches + counts.stays + prior.stays;
  if (!(steps > 0)) return chain;
  const double current = chain.as_sticky()->move();
  const auto n = static_cast<double>(chain.states());
  const double p = switches / steps / (n - 1);
  return Chain::sticky(chain.states(), std::clamp(p, std::min(current, 1e-12), 1 / n)).with_initial(chain.initial());
}

// A state nobody left keeps its row: the data say nothing about it.
Chain next_general(const Chain& chain, const TransitionCounts& counts) {
  Matrix transition(chain.states(), chain.states());
  for (Index i = 0; i < chain.states(); ++i) {
    const double left = counts.pairs.row(i).sum();
    for (Index j = 0; j < chain.states(); ++j) {
      transition(i, j) = left > 0 ? counts.pairs(i, j) / left : chain.transition(From{i}, To{j});
    }
  }
  return Chain::make(transition).with_initial(chain.initial());
}

Chain next_chain(const Chain& chain, const Gathered& all, const BaumWelchOptions& options) {
  Chain next = chain;
  if (options.estimate_transition && chain.as_sticky() != nullptr) {
    next = next_sticky(chain, all.transitions, options.prior);
  } else if (options.estimate_transition && all.transitions.pairs.size() > 0) {
    next = next_general(chain, all.transitions);
  }
  if (!options.estimate_initial) return next;
  std::vector<double> initial = all.initial;
  double total = 0;
  for (const double expected : initial) total += expected;
  for (double& expected : initial) expected /= total;
  return next.with_initial(initial);
}

void require_options(const Chain& chain, std::span<const TrainingSequence> sequences, const BaumWelchOptions& options) {
  const auto reject = [](const char* message) { throw Error(ErrorKind::invalid_argument, message); };
  const SwitchPrior& prior = options.prior;
  const bool counted = prior.switches >= 0 && prior.stays >= 0 && std::isfinite(prior.switches + prior.stays);
  if (!counted) reject("the switch prior counts steps; give numbers of at least 0");
  if (chain.as_sticky() == nullptr && prior.switches + prior.stays > 0) {
    reject("the switch prior is for sticky chains; omit it for a general chain");
  }
  if (!(options.relative_gain >= 0) || options.max_iterations < 0) {
    reject("relative_gain and max_iterations of Baum-Welch must not be negative");
  }
  const bool any = std::ranges::any_of(
      sequences, [](const TrainingSequence& sequence) { return sequence.log_likelihoods.values.rows() > 0; });
  if (!any) throw Error(ErrorKind::bad_data, "Baum-Welch has no windows to learn from; give at least one sequence");
}

void replace_log_likelihoods(std::vector<TrainingSequence>& sequences, std::vector<LogLikelihoods> fresh) {
  bool fits = fresh.size() == sequences.size();
  for (std::size_t s = 0; fits && s < fresh.size(); ++s) {
    fits = fresh[s].values.rows() == sequences[s].log_likelihoods.values.rows();
  }
  if (!fits) {
    throw Error(ErrorKind::invalid_argument,
                "the emission step must give log-likelihoods for the windows it was given, sequence by sequence");
  }
  for (std::size_t s = 0; s < fresh.size(); ++s) sequences[s].log_likelihoods = std::move(fresh[s]);
}

}  // namespace

BaumWelchResult baum_welch(const Chain& start, std::vector<TrainingSequence> sequences, const BaumWelchOptions& options,
                           const EmissionStep& emission) {
  require_options(start, sequences, options);
  Gathered all = gather(start, sequences, options.prior);
  BaumWelchResult result{.chain = start, .posteriors = {}, .history = {all.objective}};
  while (!result.converged && result.iterations < options.max_iterations) {
    Chain next = next_chain(result.chain, all, options);
    if (emission) replace_log_likelihoods(sequences, emission(all.posteriors));
    Gathered after = gather(next, sequences, options.prior);
    ++result.iterations;
    const double gain = after.objective - all.objective;
    const double enough = options.relative_gain * std::max(1.0, std::abs(all.objective));
    result.converged = std::abs(gain) <= enough;
    if (!(gain >= 0)) break;  // rounding at the peak, or a caller's M-step that went astray
    result.history.push_back(after.objective);
    result.chain = std::move(next);
    all = std::move(after);
  }
  result.posteriors = std::move(all.posteriors);
  return result;
}

}  // namespace heed::hmm
