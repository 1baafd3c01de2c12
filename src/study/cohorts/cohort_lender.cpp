// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <study/cohorts/cohort_lender.h>

#include <tuple>

namespace heed::study {

namespace {

// How everybody fares by what the others know, as `heed population` tries it. Whoever cannot be scored does not count.
PopulationAdaptation tried_on_all(const Population& population, const pipeline::PopulationOptions& options,
                                  std::size_t listeners, const CohortLender::Load& load) {
  PopulationAdaptation result{.seconds = pipeline::seconds_to_try()};
  std::vector<std::optional<AdaptationTrial>> trials(listeners);
  (void)data::in_parallel(listeners, {0}, [&](std::size_t k) {
    const ListenerSignals signals = load(k);
    trials[k] = pipeline::adaptation_trial(pipeline::scaled_trials(signals.prepared, options.choice), signals.sources,
                                           population, options, result.seconds);
  });
  for (std::optional<AdaptationTrial>& trial : trials) {
    if (trial) result.trials.push_back(std::move(*trial));
  }
  return result;
}

}  // namespace

const pipeline::Lender& CohortLender::get(const pipeline::DecoderChoice& choice, Lending lending, std::size_t listeners,
                                          const Load& load) {
  const std::string key = io::digest_of(std::tuple(choice, lending));
  Made& made = [&]() -> Made& {
    const std::scoped_lock lock(guard_);
    return made_[key];
  }();
  std::call_once(made.once, [&] {
    // How their scores spread is not wanted: studies learn that from everybody's own scores.
    const bool adaptation = lending == Lending::to_adaptation;
    const pipeline::PopulationOptions options{.choice = choice, .scores = false, .covariances = adaptation};
    std::vector<std::vector<PopulationEntry>> entries(listeners);
    const auto failures = data::in_parallel(listeners, {0}, [&](std::size_t k) {
      const ListenerSignals signals = load(k);
      entries[k] =
          pipeline::population_entries(pipeline::scaled_trials(signals.prepared, choice), signals.sources, options);
    });
    std::vector<PopulationEntry> all;
    for (std::size_t k = 0; k < listeners; ++k) {
      if (!failures[k]) std::ranges::move(entries[k], std::back_inserter(all));
    }
    Population population = pipeline::make_population(options, std::move(all));
    if (adaptation) population.adaptation = tried_on_all(population, options, listeners, load);
    made.lender.emplace(std::move(population), pipeline::PopulationRequest{}, choice);
  });
  return *made.lender;
}

}  // namespace heed::study
