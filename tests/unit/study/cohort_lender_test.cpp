// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/recipe.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <study/cohorts/cohort_lender.h>

#include <atomic>

#include "support/expect_error.h"
#include "support/few_listeners.h"

namespace heed::study {
namespace {

pipeline::SimulatedCohort listeners() { return pipeline::SimulatedCohort(test::few_listeners({.participants = 3})); }

const pipeline::DecoderChoice choice = pipeline::with_recipe({}, pipeline::Recipe::heed);

TEST(CohortLender, IsMadeOnceOfEverybody) {
  const pipeline::SimulatedCohort cohort = listeners();
  std::atomic<int> loads = 0;
  const auto load = [&](std::size_t k) {
    ++loads;
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  CohortLender lender;
  ASSERT_EQ(lender.get(choice, Lending::to_training, 3, load).population().entries.size(), 6U)
      << "a listener and run each";
  EXPECT_EQ(lender.get(choice, Lending::to_training, 3, load).population().entries.back().listener, "03");
  EXPECT_EQ(loads, 3);
  const auto& entries = lender.get(choice, Lending::to_training, 3, load).population().entries;
  EXPECT_EQ(entries[0].stimuli, entries[2].stimuli) << "everybody hears the same in the first trial";
  EXPECT_NE(entries[0].stimuli, entries[1].stimuli) << "and something else in the second";
}

// Another decoder wants other sums: it is not handed those of the first who asked.
TEST(CohortLender, IsOfTheDecoderThatAsks) {
  const pipeline::SimulatedCohort cohort = listeners();
  const auto load = [&](std::size_t k) {
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  pipeline::DecoderChoice longer = choice;
  longer.longest_lag = Seconds{0.4};
  CohortLender lender;
  const pipeline::Lender& first = lender.get(choice, Lending::to_training, 3, load);
  const pipeline::Lender& second = lender.get(longer, Lending::to_training, 3, load);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(&lender.get(choice, Lending::to_training, 3, load), &first);
}

TEST(CohortLender, TriesOnEverybodyHowMuchAStartCounts) {
  const pipeline::SimulatedCohort cohort = listeners();
  const pipeline::DecoderChoice adaptive =
      pipeline::with_recipe({.kind = pipeline::DecoderKind::least_squares}, pipeline::Recipe::heed);
  const auto load = [&](std::size_t k) {
    return ListenerSignals{cohort.prepare(k, adaptive.preprocessing), cohort.sources_of(k)};
  };
  CohortLender lender;
  EXPECT_FALSE(lender.get(adaptive, Lending::to_training, 3, load).population().adaptation);
  const auto& adaptation = lender.get(adaptive, Lending::to_adaptation, 3, load).population().adaptation;
  ASSERT_TRUE(adaptation);
  EXPECT_EQ(adaptation->seconds, pipeline::seconds_to_try());
  ASSERT_EQ(adaptation->trials.size(), 3U);
  for (const AdaptationTrial& trial : adaptation->trials) {
    EXPECT_EQ(trial.separations.size(), adaptation->seconds.size());
    EXPECT_NE(trial.separations.front(), trial.separations.back());
  }
}

TEST(CohortLender, DoesWithoutWhoCannotBeRead) {
  const pipeline::SimulatedCohort cohort = listeners();
  CohortLender lender;
  const auto load = [&](std::size_t k) {
    if (k == 1) throw Error(ErrorKind::bad_data, "no events");
    return ListenerSignals{cohort.prepare(k, choice.preprocessing), cohort.sources_of(k)};
  };
  EXPECT_EQ(lender.get(choice, Lending::to_training, 3, load).population().entries.size(), 4U);
  CohortLender alone;
  test::expect_error(ErrorKind::bad_data, {}, [&] { (void)alone.get(choice, Lending::to_training, 2, load); });
}

}  // namespace
}  // namespace heed::study
