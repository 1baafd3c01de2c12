// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/digest.h>
#include <pipeline/in_parallel.h>
#include <study/cohorts/cohort_lender.h>

namespace heed::study {

const pipeline::Lender& CohortLender::get(const pipeline::DecoderChoice& choice, std::size_t listeners,
                                          const Load& load) {
  const std::string key = io::digest_of(choice);
  Made& made = [&]() -> Made& {
    const std::scoped_lock lock(guard_);
    return made_[key];
  }();
  std::call_once(made.once, [&] {
    // How their scores spread is not wanted: studies learn that from everybody's own scores.
    const pipeline::PopulationOptions options{.choice = choice, .scores = false};
    std::vector<std::vector<PopulationEntry>> entries(listeners);
    const auto failures = pipeline::in_parallel(listeners, {0}, [&](std::size_t k) {
      const ListenerSignals signals = load(k);
      entries[k] =
          pipeline::population_entries(pipeline::scaled_trials(signals.prepared, choice), signals.sources, options);
    });
    std::vector<PopulationEntry> all;
    for (std::size_t k = 0; k < listeners; ++k) {
      if (!failures[k]) std::ranges::move(entries[k], std::back_inserter(all));
    }
    made.lender.emplace(pipeline::make_population(options, std::move(all)), pipeline::PopulationRequest{}, choice);
  });
  return *made.lender;
}

}  // namespace heed::study
