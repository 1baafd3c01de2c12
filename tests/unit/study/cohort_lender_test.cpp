// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/recipe.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <study/cohorts/cohort_population.h>

#include <atomic>

#include "support/expect_error.h"
#include "support/few_listeners.h"

namespace heed::study {
namespace {

pipeline::SimulatedCohort listeners() { return pipeline::SimulatedCohort(test::few_listeners({.participants = 3})); }

const pipeline::DecoderChoice choice = pipeline::with_recipe({}, pipeline::Recipe::heed);

TEST(CohortPopulation, IsMadeOnceOfEverybody) {
  const pipeline::SimulatedCohort cohort = listeners();
  std::atomic<int> loads = 0;
  const auto load = [&](std::size_t k) {
    ++loads;
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  CohortPopulation population;
  ASSERT_EQ(population.get(choice, 3, load).entries.size(), 6U) << "a listener and run each";
  EXPECT_EQ(population.get(choice, 3, load).entries.back().listener, "03");
  EXPECT_EQ(loads, 3);
  const auto& entries = population.get(choice, 3, load).entries;
  EXPECT_EQ(entries[0].stimuli, entries[2].stimuli) << "everybody hears the same in the first trial";
  EXPECT_NE(entries[0].stimuli, entries[1].stimuli) << "and something else in the second";
}

// Another decoder wants other sums: it is not handed those of the first who asked.
TEST(CohortPopulation, IsOfTheDecoderThatAsks) {
  const pipeline::SimulatedCohort cohort = listeners();
  const auto load = [&](std::size_t k) {
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  pipeline::DecoderChoice longer = choice;
  longer.longest_lag = Seconds{0.4};
  CohortPopulation population;
  const Population& first = population.get(choice, 3, load);
  const Population& second = population.get(longer, 3, load);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(&population.get(choice, 3, load), &first);
}

TEST(CohortPopulation, DoesWithoutWhoCannotBeRead) {
  const pipeline::SimulatedCohort cohort = listeners();
  CohortPopulation population;
  const auto load = [&](std::size_t k) {
    if (k == 1) throw Error(ErrorKind::bad_data, "no events");
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  EXPECT_EQ(population.get(choice, 3, load).entries.size(), 4U);
  CohortPopulation alone;
  test::expect_error(ErrorKind::bad_data, {}, [&] { (void)alone.get(choice, 2, load); });
}

}  // namespace
}  // namespace heed::study
