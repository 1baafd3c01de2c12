// SPDX-License-Identifier: MIT
#include <data/fields.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <study/setting.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"

namespace heed::study {
namespace {

using test::expect_error;

Setting with(std::string name, TableValue value) {
  return make_setting({{.name = std::move(name), .value = std::move(value)}});
}

TEST(Setting, IsTheBaselineUnlessSaidOtherwise) {
  const Setting setting = make_setting({});
  EXPECT_FALSE(setting.speakers);
  EXPECT_FALSE(setting.decoder);
  EXPECT_EQ(setting.recipe, pipeline::Recipe::paper);
  EXPECT_FALSE(setting.listening.joined);
  EXPECT_EQ(setting.window, Seconds{1});
  EXPECT_EQ(setting.longest_lag, Seconds{0.25});
  EXPECT_EQ(setting.tracker, track::Method::causal);
  EXPECT_FALSE(setting.switch_probability);
  EXPECT_EQ(setting.switch_rule, SwitchRule::scaled);
  EXPECT_EQ(setting.switches, Switches::baseline);
  EXPECT_EQ(setting.trials, TrialKind::all);
  EXPECT_EQ(setting.accuracy_shift, 0);
  EXPECT_EQ(setting.look_ahead, Seconds{5});
  EXPECT_EQ(setting.emission, pipeline::EmissionFit::labels);
  EXPECT_FALSE(setting.calibrated);
  EXPECT_EQ(setting.repeats, 1);
}

// What is named reads back to the same setting, and is complete and in order.
TEST(Setting, NamesEveryParameter) {
  const Setting setting = make_setting({{"tracker", "smooth"}, {"window", 5.0}});
  const NamedValues named = named_values(setting);
  ASSERT_EQ(named.size(), parameter_names().size());
  for (std::size_t k = 0; k < named.size(); ++k) EXPECT_EQ(named[k].name, parameter_names()[k]);
  const NamedValues expected{{"speakers", "as-given"},
                             {"decoder", "baseline"},
                             {"recipe", "paper"},
                             {"learning", "labels"},
                             {"disturbance", "none"},
                             {"minute", "all"},
                             {"window", 5.0},
                             {"lags", 0.25},
                             {"ridge", "by-recipe"},
                             {"stimulus_ridge", 0.001},
                             {"lda", "per-speaker"},
                             {"columns", "as-given"},
                             {"tracker", "smooth"},
                             {"switch_probability", "scaled"},
                             {"switch_interval", "baseline"},
                             {"trials", "all"},
                             {"joined", "no"},
                             {"accuracy_shift", 0.0},
                             {"look_ahead", 5.0},
                             {"gain_states", "by-mesd"},
                             {"gain_step", 0.4},
                             {"gain_map", "dead-zone"},
                             {"emission", "labels"},
                             {"spread", "as-fitted"},
                             {"evidence", 1.0},
                             {"dependence", "none"},
                             {"calibrated", "no"},
                             {"repeats", 1.0}};
  EXPECT_EQ(named, expected);
  EXPECT_EQ(make_setting(named), setting);
}

// Another value for a field of any type that settings have.
template <typename Enum>
requires std::is_enum_v<Enum>
void change(Enum& field) { field = static_cast<Enum>(static_cast<int>(field) + 1); }
void change(bool& field) { field = !field; }
void change(int& field) { ++field; }
void change(double& field) { field += 0.25; }
void change(Seconds& field) { change(field.value); }
void change(SwitchInterval& field) { change(field.longest); }
void change(Ridges& field) { change(field.stimulus); }
void change(GainSetting& field) { change(field.step); }
void change(ListeningSetting& field) { change(field.learning); }
template <typename Value>
void change(std::optional<Value>& field) {
  Value value = field.value_or(Value{});
  change(value);
  field = value;
}

// Whatever field is added is part of every key, and has to be one of the parameters that tables show.
TEST(Setting, EveryFieldTellsSettingsApart) {
  Setting original;
  original.switches = Switches::artificial;
  constexpr std::size_t count = data::count_fields<Setting>();
  [&]<std::size_t... field>(std::index_sequence<field...>) {
    const auto changed = [&](auto number) {
      Setting other = original;
      change(std::get<number()>(data::fields_of(other)));
      if (number() == 12) other.switches = Switches::recorded;  // beyond artificial there is none
      EXPECT_NE(other, original) << number();
      EXPECT_NE(io::digest_of(other), io::digest_of(original)) << number();
      EXPECT_NE(named_values(other), named_values(original)) << number();
    };
    (changed(std::integral_constant<std::size_t, field>{}), ...);
  }
  (std::make_index_sequence<count>{});
}

TEST(Setting, ReadsWords) {
  EXPECT_EQ(with("decoder", "ls").decoder, pipeline::DecoderKind::least_squares);
  EXPECT_EQ(with("decoder", "cca").decoder, pipeline::DecoderKind::cca);
  EXPECT_EQ(with("decoder", "csp").decoder, pipeline::DecoderKind::csp);
  for (const track::Method method : track::all_methods()) {
    EXPECT_EQ(with("tracker", std::string(track::name(method))).tracker, method);
  }
  EXPECT_EQ(with("switch_probability", "as-fast-as-state-space").switch_rule, SwitchRule::as_state_space);
  EXPECT_EQ(with("switch_probability", "auto").switch_rule, SwitchRule::unknown);
  EXPECT_EQ(with("switch_interval", "recorded").switches, Switches::recorded);
  EXPECT_EQ(with("trials", "switching").trials, TrialKind::switching);
  EXPECT_EQ(with("trials", "sustained").trials, TrialKind::sustained);
  EXPECT_EQ(with("emission", "baum-welch").emission, pipeline::EmissionFit::baum_welch);
  EXPECT_EQ(with("emission", "memoryless").emission, pipeline::EmissionFit::memoryless);
  EXPECT_TRUE(with("calibrated", "yes").calibrated);
  EXPECT_TRUE(with("joined", "yes").listening.joined);
  for (const pipeline::Recipe recipe : pipeline::all_recipes) {
    EXPECT_EQ(with("recipe", std::string(pipeline::name(recipe))).recipe, recipe);
  }
}

TEST(Setting, ReadsNumbersToTheEndsOfTheirRanges) {
  EXPECT_EQ(with("speakers", 2.0).speakers, 2);
  EXPECT_EQ(with("speakers", 8.0).speakers, 8);
  EXPECT_EQ(with("window", 0.25).window, Seconds{0.25});
  EXPECT_EQ(with("window", 60.0).window, Seconds{60});
  EXPECT_EQ(with("lags", 1.0).longest_lag, Seconds{1});
  EXPECT_EQ(with("switch_probability", 0.5).switch_probability, 0.5);
  EXPECT_EQ(with("accuracy_shift", -1.0).accuracy_shift, -1);
  EXPECT_EQ(with("accuracy_shift", 20.0).accuracy_shift, 20);
  EXPECT_EQ(with("look_ahead", 0.0).look_ahead, Seconds{0});
  EXPECT_EQ(with("look_ahead", 600.0).look_ahead, Seconds{600});
  EXPECT_EQ(with("repeats", 1000.0).repeats, 1000);
}

TEST(Setting, ReadsIntervals) {
  const Setting fixed = with("switch_interval", 90.0);
  EXPECT_EQ(fixed.switches, Switches::artificial);
  EXPECT_EQ(fixed.switch_interval.shortest, Seconds{90});
  EXPECT_EQ(fixed.switch_interval.longest, Seconds{90});
  const Setting random = with("switch_interval", "60-125");
  EXPECT_EQ(random.switches, Switches::artificial);
  EXPECT_EQ(random.switch_interval.shortest, Seconds{60});
  EXPECT_EQ(random.switch_interval.longest, Seconds{125});
}

struct Refused {
  const char* name;
  TableValue value;
  const char* remedy;
};

class RefusedValue : public testing::TestWithParam<Refused> {};

TEST_P(RefusedValue, IsNamedWithWhatMayBeWritten) {
  const Refused& one = GetParam();
  const std::string shown = "'" + data::text_of(one.value) + "'";
  expect_error(ErrorKind::invalid_argument, {one.name, shown, one.remedy}, [&] { (void)with(one.name, one.value); });
}

INSTANTIATE_TEST_SUITE_P(
    Values, RefusedValue,
    testing::Values(
        Refused{"speakers", 1.0, "2 to 8"}, Refused{"speakers", 9.0, "2 to 8"}, Refused{"speakers", 2.5, "2 to 8"},
        Refused{"speakers", "two", "2 to 8"}, Refused{"decoder", "lsq", "ls, cca, csp"},
        Refused{"decoder", 1.0, "ls, cca, csp"}, Refused{"window", 0.0, "multiple of 0.25"},
        Refused{"window", 0.3, "multiple of 0.25"}, Refused{"window", 60.25, "up to 60"},
        Refused{"window", "long", "seconds"}, Refused{"window", std::numeric_limits<double>::quiet_NaN(), "seconds"},
        Refused{"window", TableValue{}, "seconds"}, Refused{"lags", 0.0, "above 0"}, Refused{"lags", 1.01, "up to 1"},
        Refused{"tracker", "forward", "causal, fixed-lag, smooth"}, Refused{"switch_probability", 0.0, "above 0"},
        Refused{"switch_probability", 0.51, "up to 0.5"}, Refused{"switch_probability", "fast", "once-an-interval"},
        Refused{"switch_interval", 0.5, "seconds from 1"}, Refused{"switch_interval", 86401.0, "to 86400"},
        Refused{"switch_interval", "125-60", "60-125"}, Refused{"switch_interval", "60-", "60-125"},
        Refused{"switch_interval", "60-125s", "60-125"}, Refused{"switch_interval", "-5-60", "60-125"},
        Refused{"switch_interval", "60", "seconds from 1"}, Refused{"trials", "some", "switching"},
        Refused{"accuracy_shift", -1.01, "-1 to 20"}, Refused{"accuracy_shift", 20.1, "-1 to 20"},
        Refused{"look_ahead", -1.0, "0 to 600"}, Refused{"look_ahead", 601.0, "0 to 600"},
        Refused{"emission", "guess", "baum-welch"}, Refused{"calibrated", "maybe", "no or yes"},
        Refused{"calibrated", 1.0, "no or yes"}, Refused{"joined", "never", "no or yes"},
        Refused{"recipe", "soup", "paper, ridge, cosine, onset or heed"}, Refused{"repeats", 0.0, "1 to 1000"},
        Refused{"repeats", 1001.0, "1 to 1000"}, Refused{"repeats", 1.5, "1 to 1000"}));

TEST(Setting, NamesTheNearestParameter) {
  expect_error(ErrorKind::invalid_argument, {"no parameter 'swich_interval'", "did you mean 'switch_interval'?"},
               [] { (void)with("swich_interval", 60.0); });
  expect_error(ErrorKind::invalid_argument, {"no parameter 'colour'", "there are speakers, decoder, recipe, learning"},
               [] { (void)with("colour", "red"); });
}

TEST(Setting, TakesAParameterOnce) {
  expect_error(ErrorKind::invalid_argument, {"window is given twice"}, [] {
    (void)make_setting({{"window", 1.0}, {"window", 2.0}});
  });
}

TEST(Setting, OnceAnIntervalNeedsAnIntervalOfItsOwn) {
  const auto once = [](TableValue interval, double window) {
    return make_setting(
        {{"switch_probability", "once-an-interval"}, {"switch_interval", std::move(interval)}, {"window", window}});
  };
  EXPECT_EQ(once(60.0, 1).switch_rule, SwitchRule::once_an_interval);
  EXPECT_EQ(once("60-120", 1).switch_rule, SwitchRule::once_an_interval);
  expect_error(ErrorKind::invalid_argument, {"once-an-interval", "switch_interval in seconds, e.g. 60"},
               [&] { (void)once("recorded", 1); });
  expect_error(ErrorKind::invalid_argument, {"once-an-interval"},
               [] { (void)with("switch_probability", "once-an-interval"); });
  expect_error(ErrorKind::invalid_argument, {"switch_probability of 0.75", "more than 0.5"},
               [&] { (void)once(20.0, 15); });
}

TEST(Setting, WindowsAreNotLongerThanIntervals) {
  expect_error(ErrorKind::invalid_argument, {"switches every 20 s in windows of 30 s", "shorter windows"}, [] {
    (void)make_setting({{"switch_interval", 20.0}, {"window", 30.0}});
  });
}

TEST(Setting, SwitchProbabilityIsAtMostOneByTheSpeakers) {
  EXPECT_EQ(make_setting({{"speakers", 4.0}, {"switch_probability", 0.25}}).switch_probability, 0.25);
  expect_error(ErrorKind::invalid_argument, {"0.3 with 4 speakers", "0.25"}, [] {
    (void)make_setting({{"speakers", 4.0}, {"switch_probability", 0.3}});
  });
}

Study grids(std::vector<StudyGrid> all) { return Study{.grids = std::move(all)}; }

TEST(SettingsOf, RunsTheLastAxisFastest) {
  const auto settings = settings_of(
      grids({{{.name = "window", .values = {1.0, 2.0}}, {.name = "tracker", .values = {"raw", "causal", "smooth"}}}}));
  ASSERT_EQ(settings.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(settings[k].window, Seconds{k < 3 ? 1.0 : 2.0});
    EXPECT_EQ(settings[k].tracker,
              (std::array{track::Method::raw, track::Method::causal, track::Method::smooth})[k % 3]);
  }
}

TEST(SettingsOf, HoldsNoneTwice) {
  // window = 1 is the default: the second grid adds one setting only.
  const auto settings = settings_of(
      grids({{{.name = "tracker", .values = {"causal", "smooth"}}}, {{.name = "window", .values = {1.0, 2.0}}}}));
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[2].window, Seconds{2});
}

TEST(SettingsOf, RefusesEmptyAndEndlessGrids) {
  expect_error(ErrorKind::invalid_argument, {"window has no values", "leave it out"},
               [] { (void)settings_of(grids({{{.name = "window", .values = {}}}})); });
  GridAxis many{.name = "accuracy_shift", .values = {}};
  for (int k = 0; k < 400; ++k) many.values.emplace_back(k * 0.01);
  GridAxis others{.name = "look_ahead", .values = {}};
  for (int k = 0; k < 400; ++k) others.values.emplace_back(k * 1.0);
  expect_error(ErrorKind::invalid_argument, {"more than 100000 settings"}, [&] {
    (void)settings_of(grids({{many, others}}));
  });
}

TEST(Setting, RecipesBeyondThePaperAreOfLeastSquares) {
  EXPECT_EQ(make_setting({{"recipe", "heed"}, {"decoder", "ls"}}).recipe, pipeline::Recipe::heed);
  test::expect_error(ErrorKind::invalid_argument, {"recipe onset", "leave decoder out"}, [] {
    (void)make_setting({{"recipe", "onset"}, {"decoder", "cca"}});
  });
}

TEST(Setting, CalibrationNeedsLabels) {
  EXPECT_TRUE(make_setting({{"calibrated", "yes"}}).calibrated);
  test::expect_error(ErrorKind::invalid_argument, {"calibrat", "labels"}, [] {
    (void)make_setting({{"calibrated", "yes"}, {"emission", "baum-welch"}});
  });
}

TEST(Setting, LearningWithoutLabelsIsOfHeedsRecipe) {
  const Setting adaptive =
      make_setting({{"recipe", "heed"}, {"learning", "adaptive"}, {"disturbance", "slipped-cap"}, {"minute", 2.0}});
  EXPECT_EQ(adaptive.listening, (ListeningSetting{Learning::adaptive, Disturbance::slipped_cap, 2.0, false}));
  EXPECT_EQ(make_setting(named_values(adaptive)), adaptive);
  expect_error(ErrorKind::invalid_argument, {"recipe heed"}, [] { (void)with("learning", "adaptive"); });
  expect_error(ErrorKind::invalid_argument, {"disturbance"}, [] {
    (void)make_setting({{"recipe", "heed"}, {"disturbance", "nobody"}});
  });
  expect_error(ErrorKind::invalid_argument, {"labels-alone"}, [] { (void)with("learning", "slowly"); });
  expect_error(ErrorKind::invalid_argument, {"1440"}, [] { (void)with("minute", -1.0); });
}

}  // namespace
}  // namespace heed::study
