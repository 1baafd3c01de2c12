// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <study/setting.h>
#include <study/study_file.h>

#include <algorithm>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mutants.h"

namespace heed::study {
namespace {

using test::expect_error;

// ---- the studies built in ----

std::vector<Study> all_built_in() {
  std::vector<Study> studies;
  for (const std::string_view name : built_in_studies()) studies.push_back(find_study(std::string(name)));
  return studies;
}

// How many settings of a study have all these values. Lags and what they are around are no parameters.
std::size_t settings_at(const std::vector<Setting>& settings, const NamedValues& values) {
  return static_cast<std::size_t>(std::ranges::count_if(settings, [&](const Setting& setting) {
    const NamedValues named = named_values(setting);
    return std::ranges::all_of(values, [&](const NamedValue& one) {
      return one.name == "lag" || one.name == "centring" || std::ranges::find(named, one) != named.end();
    });
  }));
}

TEST(BuiltInStudies, ThePapersComeFirst) {
  const std::vector<Study> studies = all_built_in();
  EXPECT_EQ(studies.size(), 22U);
  EXPECT_TRUE(std::ranges::is_partitioned(studies, [](const Study& one) { return !one.paper.empty(); }));
}

TEST(BuiltInStudies, SayWhatTheyAreAndHaveSettings) {
  for (const Study& study : all_built_in()) {
    EXPECT_FALSE(study.title.empty()) << study.name;
    EXPECT_FALSE(study.question.empty()) << study.name;
    EXPECT_GE(settings_of(study).size(), 3U) << study.name;
  }
}

TEST(BuiltInStudies, StateThingsOfOneSettingOrOneLine) {
  for (const Study& study : all_built_in()) {
    const std::vector<Setting> settings = settings_of(study);
    for (const PublishedValue& one : study.published) {
      EXPECT_EQ(settings_at(settings, one.setting), 1U) << study.name << ", " << one.place;
      EXPECT_FALSE(one.place.empty()) << study.name;
    }
    for (const Claim& claim : study.claims) {
      const std::size_t count = settings_at(settings, claim.setting);
      const bool frontiers = claim.kind == ClaimKind::better_frontier || claim.kind == ClaimKind::same_frontier;
      const bool is_one = !frontiers && (claim.along.empty() || claim.along == "lag");
      EXPECT_TRUE(is_one ? count == 1 : count > 2) << claim.text;
      const bool compares = claim.kind == ClaimKind::greater || claim.kind == ClaimKind::less ||
                            claim.kind == ClaimKind::alike || claim.kind == ClaimKind::makes_up;
      const bool lines = claim.kind == ClaimKind::changes_less || frontiers;
      EXPECT_EQ(settings_at(settings, claim.other) == 1, compares) << claim.text;
      EXPECT_EQ(!claim.other.empty(), compares || lines) << claim.text;
      EXPECT_FALSE(study.paper.empty() && !claim.place.empty()) << claim.text;
    }
  }
}

// Every number of the paper's tables II to IV and of its text; shares, not per cent.
TEST(BuiltInStudies, HoldThePapersNumbers) {
  struct Published {
    const char* study;
    const char* measure;
    double value;
    NamedValues at;
  };
  const auto tracker = [](const char* name) { return NamedValue{.name = "tracker", .value = name}; };
  const auto decoder = [](const char* name) { return NamedValue{.name = "decoder", .value = name}; };
  const auto speakers = [](double count) { return NamedValue{.name = "speakers", .value = count}; };
  const NamedValue lag{.name = "lag", .value = 1.0};
  const NamedValue fast{.name = "switch_probability", .value = "as-fast-as-state-space"};
  const std::vector<Published> numbers{
      {"post_processors", "accuracy", .972, {tracker("smooth")}},
      {"post_processors", "switch_time", 17.0, {tracker("smooth")}},
      {"post_processors", "accuracy", .965, {tracker("viterbi")}},
      {"post_processors", "switch_time", 38.5, {tracker("viterbi")}},
      {"post_processors", "accuracy", .89, {tracker("causal")}},
      {"post_processors", "switch_time", 20.3, {tracker("causal")}},
      {"post_processors", "accuracy", .877, {tracker("markov-chain")}},
      {"post_processors", "switch_time", 35.3, {tracker("markov-chain")}},
      {"post_processors", "accuracy", .878, {tracker("probabilistic-gain")}},
      {"post_processors", "switch_time", 22.0, {tracker("probabilistic-gain")}},
      {"post_processors", "accuracy", .598, {tracker("state-space")}},
      {"post_processors", "switch_time", 7.7, {tracker("state-space")}},
      {"post_processors", "accuracy", .80, {tracker("causal"), fast}},
      {"post_processors", "switch_time", 7.9, {tracker("causal"), fast}},
      {"decoders", "accuracy", .901, {tracker("causal"), decoder("ls")}},
      {"decoders", "switch_time", 34.8, {tracker("causal"), decoder("ls")}},
      {"decoders", "accuracy", .89, {tracker("causal"), decoder("cca")}},
      {"decoders", "switch_time", 20.3, {tracker("causal"), decoder("cca")}},
      {"decoders", "accuracy", .981, {tracker("smooth"), decoder("ls")}},
      {"decoders", "switch_time", 25.2, {tracker("smooth"), decoder("ls")}},
      {"decoders", "accuracy", .972, {tracker("smooth"), decoder("cca")}},
      {"decoders", "switch_time", 17.0, {tracker("smooth"), decoder("cca")}},
      {"decoders", "accuracy", .577, {tracker("raw"), decoder("ls")}},
      {"decoders", "accuracy", .582, {tracker("raw"), decoder("cca")}},
      {"speakers", "accuracy", .89, {tracker("causal"), speakers(2)}},
      {"speakers", "switch_time", 20.3, {tracker("causal"), speakers(2)}},
      {"speakers", "accuracy", .885, {tracker("causal"), speakers(3)}},
      {"speakers", "switch_time", 52.7, {tracker("causal"), speakers(3)}},
      {"speakers", "accuracy", .972, {tracker("smooth"), speakers(2)}},
      {"speakers", "switch_time", 17.2, {tracker("smooth"), speakers(2)}},
      {"speakers", "switch_time", 17.0, {tracker("smooth"), speakers(2)}},
      {"speakers", "accuracy", .955, {tracker("smooth"), speakers(3)}},
      {"speakers", "switch_time", 37.2, {tracker("smooth"), speakers(3)}},
      {"post_processors", "accuracy", .901, {tracker("causal")}},
      {"post_processors", "switch_time", 34.8, {tracker("causal")}},
      {"post_processors", "accuracy", .981, {tracker("smooth")}},
      {"post_processors", "switch_time", 25.2, {tracker("smooth")}},
      {"post_processors", "accuracy", .577, {tracker("raw")}},
      {"independence", "correlation", .1, {decoder("ls"), lag}},
      {"independence", "correlation", .1, {decoder("cca"), lag}},
      {"independence", "correlation", .88, {decoder("csp"), lag}},
  };
  for (const Published& one : numbers) {
    const Study study = find_study(one.study);
    const auto is_it = [&](const PublishedValue& value) {
      const bool all_named = std::ranges::all_of(one.at, [&](const NamedValue& named) {
        return std::ranges::find(value.setting, named) != value.setting.end();
      });
      return value.measure == one.measure && std::abs(value.value - one.value) < 1e-12 && all_named;
    };
    EXPECT_EQ(std::ranges::count_if(study.published, is_it), 1) << one.study << " " << one.measure << " " << one.value;
  }
}

TEST(BuiltInStudies, AreFoundByNameOrByFile) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("mine.toml", "title = \"Mine\"\n[[grid]]\nwindow = [1, 2]\n").string();
  const Study mine = find_study(file);
  EXPECT_EQ(mine.name, "mine");
  EXPECT_EQ(settings_of(mine).size(), 2U);
  expect_error(ErrorKind::not_found, {"absent.toml"},
               [&] { (void)find_study((folder.path() / "absent.toml").string()); });
}

TEST(BuiltInStudies, NamesTheNearestOfThemAndAll) {
  expect_error(
      ErrorKind::not_found,
      {"no study 'swich_probability'", "did you mean 'switch_probability'? There are post_processors", ".toml"},
      [] { (void)find_study("swich_probability"); });
}

// ---- what a file may hold ----

TEST(ParseStudy, ReadsEverything) {
  const Study study = parse_study(R"(
title = "T"
paper = "Section 1"
question = "Q?"

[figure]
picture = "trade_off"
along = "window"
logarithmic = true
series = ["tracker"]

[[grid]]
tracker = ["causal", "smooth"]
window = [1, 2.5]

[[published]]
at = { tracker = "smooth", window = 2.5 }
accuracy = 90
accuracy_sd = 2.5
switch_time = 20
place = "Table 1"
headline = true

[[claim]]
kind = "greater"
text = "C."
measure = "miss_rate"
at = { tracker = "smooth" }
than = { tracker = "causal", window = 2.5 }
place = "Section 2"
)",
                                  "folder/some_name.toml");
  EXPECT_EQ(study.name, "some_name");
  EXPECT_EQ(study.title, "T");
  EXPECT_EQ(study.paper, "Section 1");
  EXPECT_EQ(study.question, "Q?");
  EXPECT_EQ(study.measure, StudyMeasure::tracking);
  EXPECT_EQ(study.figure.picture, StudyPicture::trade_off);
  EXPECT_EQ(study.figure.along, "window");
  EXPECT_TRUE(study.figure.logarithmic);
  EXPECT_EQ(study.figure.series, std::vector<std::string>{"tracker"});

  ASSERT_EQ(study.published.size(), 2U);
  const PublishedValue& accuracy = study.published[0];
  EXPECT_EQ(accuracy.measure, "accuracy");
  EXPECT_DOUBLE_EQ(accuracy.value, 0.9);
  EXPECT_DOUBLE_EQ(accuracy.sd.value(), 0.025);
  EXPECT_EQ(accuracy.setting, (NamedValues{{"tracker", "smooth"}, {"window", 2.5}}));
  EXPECT_EQ(accuracy.place, "Table 1");
  EXPECT_TRUE(accuracy.headline);
  EXPECT_EQ(study.published[1].measure, "switch_time");
  EXPECT_EQ(study.published[1].value, 20);
  EXPECT_FALSE(study.published[1].sd);

  ASSERT_EQ(study.claims.size(), 1U);
  const Claim& claim = study.claims[0];
  EXPECT_EQ(claim.kind, ClaimKind::greater);
  EXPECT_EQ(claim.text, "C.");
  EXPECT_EQ(claim.measure, "miss_rate");
  EXPECT_EQ(claim.setting, (NamedValues{{"tracker", "smooth"}, {"window", 1.0}}));  // the default, which the grid holds
  EXPECT_EQ(claim.other, (NamedValues{{"tracker", "causal"}, {"window", 2.5}}));
  EXPECT_EQ(claim.place, "Section 2");
}

// The last axis runs fastest: the order of the file matters, not that of the alphabet.
TEST(ParseStudy, KeepsTheOrderOfTheFile) {
  const Study study = parse_study("title = \"T\"\n[[grid]]\nwindow = [1, 2]\ndecoder = [\"ls\", \"cca\"]\n", "t.toml");
  ASSERT_EQ(study.grids.size(), 1U);
  EXPECT_EQ(study.grids[0][0].name, "window");
  EXPECT_EQ(study.grids[0][1].name, "decoder");
  EXPECT_EQ(study.figure.series, (std::vector<std::string>{"decoder", "window"}));  // all that varies
}

TEST(ParseStudy, TakesTruthForYesAndNo) {
  const Study study = parse_study("title = \"T\"\n[[grid]]\ncalibrated = [false, true]\n", "t.toml");
  EXPECT_EQ(study.grids[0][0].values, (std::vector<TableValue>{"no", "yes"}));
}

TEST(ParseStudy, PicturesFollowTheMeasure) {
  const auto picture = [](const std::string& measure) {
    return parse_study("title = \"T\"\nmeasure = \"" + measure + "\"\n[[grid]]\ntracker = \"raw\"\n", "t.toml")
        .figure.picture;
  };
  EXPECT_EQ(picture("tracking"), StudyPicture::comparison);
  EXPECT_EQ(picture("trace"), StudyPicture::trace);
  EXPECT_EQ(picture("independence"), StudyPicture::lags);
}

// ---- what it may not ----

struct Bad {
  const char* name;
  const char* toml;
  std::vector<const char*> words;
};

class BadStudy : public testing::TestWithParam<Bad> {};

TEST_P(BadStudy, IsRefusedWithPlaceAndRemedy) {
  expect_error(ErrorKind::bad_data, {"bad.toml: line "}, [] { (void)parse_study(GetParam().toml, "bad.toml"); });
  for (const char* word : GetParam().words) {
    expect_error(ErrorKind::bad_data, {word}, [] { (void)parse_study(GetParam().toml, "bad.toml"); });
  }
}

#define HEAD "title = \"T\"\n[[grid]]\ntracker = [\"causal\", \"smooth\"]\nwindow = [2, 5]\n"

const std::vector<Bad> bad_studies{
    {"Empty", "", {"line 1", "has no 'title'", "add title"}},
    {"Syntax", "title = \"T\"\n[[grid]\n", {"line 2", "not TOML", "toml.io"}},
    {"Brackets", "title = \"T\"\n[[=\n", {"line 2", "not TOML"}},
    {"NoText", "title = 3\n", {"line 1", "'title' is not a text", "quotes"}},
    {"UnknownKey", "title = \"T\"\nquestoin = \"Q\"\n", {"line 2", "no key 'questoin'", "did you mean 'question'?"}},
    {"FarKey", "title = \"T\"\ncolour = \"red\"\n", {"no key 'colour'", "there are title, paper, question"}},
    {"Measure", "title = \"T\"\nmeasure = \"speed\"\n", {"line 2", "no measure 'speed'", "tracking, trace"}},
    {"NoGrid", "title = \"T\"\n", {"no grid", "add [[grid]]"}},
    {"GridNotAList", "title = \"T\"\n[grid]\nwindow = 1\n", {"line 2", "'grid' is not a list", "[[grid]]"}},
    {"GridOfNumbers", "title = \"T\"\ngrid = [1]\n", {"line 2", "'grid' is not a table"}},
    {"UnknownParameter", "title = \"T\"\n[[grid]]\nwindwo = 1\n", {"line 3", "no parameter 'windwo'", "'window'"}},
    {"EmptyAxis", "title = \"T\"\n[[grid]]\nwindow = []\n", {"line 3", "window has no values", "at least one"}},
    {"WrongType", "title = \"T\"\n[[grid]]\nwindow = [1,\n \"long\"]\n", {"line 4", "'long'", "multiple of 0.25"}},
    {"OutOfRange", "title = \"T\"\n[[grid]]\nwindow = [1, 90]\n", {"line 3", "window cannot be '90'", "up to 60"}},
    {"ListInList", "title = \"T\"\n[[grid]]\nwindow = [[1]]\n", {"line 3", "not a single value"}},
    {"Date", "title = \"T\"\n[[grid]]\nwindow = 2026-01-01\n", {"line 3", "dates", "a number"}},
    {"ValueTwice", "title = \"T\"\n[[grid]]\nwindow = [1, 2, 1.0]\n", {"line 3", "lists 1 twice", "leave one out"}},
    {"Together",
     "title = \"T\"\n\n[[grid]]\nswitch_probability = \"once-an-interval\"\n",
     {"line 3", "needs a switch_interval"}},
    {"FigureKey", HEAD "[figure]\nalnog = \"window\"\npicture = \"sweep\"\n", {"line 6", "did you mean 'along'?"}},
    {"Picture", HEAD "[figure]\npicture = \"lags\"\n", {"line 6", "no picture 'lags'", "comparison, sweep"}},
    {"NoAxis", HEAD "[figure]\npicture = \"sweep\"\n", {"line 5", "has no 'along'"}},
    {"AxisUnknown",
     HEAD "[figure]\npicture = \"sweep\"\nalong = \"windows\"\n",
     {"line 7", "no parameter 'windows'", "'window'"}},
    {"AxisOfOne", HEAD "[figure]\npicture = \"sweep\"\nalong = \"lags\"\n", {"line 7", "single value, 0.25"}},
    {"AxisOfWords",
     HEAD "[figure]\npicture = \"sweep\"\nalong = \"tracker\"\n",
     {"line 7", "'causal' is not a number"}},
    {"AxisNeedless", HEAD "[figure]\npicture = \"comparison\"\nalong = \"window\"\n", {"line 7", "no key 'along'"}},
    {"Series", HEAD "[figure]\nseries = [\"trackr\"]\n", {"line 6", "no parameter 'trackr'", "'tracker'"}},
    {"SeriesMixed", HEAD "[figure]\nseries = [\"tracker\"]\n", {"line 6", "tell all settings apart"}},
    {"SeriesNoList", HEAD "[figure]\nseries = \"tracker\"\n", {"line 6", "not a list of texts"}},
    {"Logarithmic",
     HEAD "[figure]\npicture = \"sweep\"\nalong = \"window\"\nlogarithmic = 1\n",
     {"line 8", "true or false"}},
    {"NoSuchSetting",
     HEAD "[[published]]\nat = { window = 7 }\naccuracy = 90\n",
     {"line 5", "no grid holds window = 7"}},
    {"SeveralSettings",
     HEAD "[[published]]\nat = { tracker = \"causal\" }\naccuracy = 90\n",
     {"line 5", "say which window: 2, 5"}},
    {"PublishedParameter",
     HEAD "[[published]]\nat = { windw = 2 }\naccuracy = 90\n",
     {"line 5", "did you mean 'window'?"}},
    {"PublishedMeasure", HEAD "[[published]]\nat = { window = 2 }\nacuracy = 90\n", {"line 7", "'accuracy'?"}},
    {"PublishedNothing", HEAD "[[published]]\nat = { window = 2 }\n", {"line 5", "no measure", "accuracy"}},
    {"PublishedSpread",
     HEAD "[[published]]\nat = { window = 2 }\naccuracy_sd = 2\n",
     {"line 5", "'accuracy_sd' without"}},
    {"PublishedInfinite",
     HEAD "[[published]]\nat = { window = 2 }\naccuracy = inf\n",
     {"line 7", "'accuracy' is not a number"}},
    {"TraceStates",
     "title = \"T\"\nmeasure = \"trace\"\n[[grid]]\nwindow = 1\n[[published]]\naccuracy = 90\n",
     {"line 5", "a trace has no measures"}},
    {"Lag",
     "title = \"T\"\nmeasure = \"independence\"\n[[grid]]\nwindow = 1\n[[published]]\nat = { lag = 31 }\ncorrelation = "
     "0\n",
     {"line 5", "lag cannot be '31'", "1 to 30"}},
    {"Centring",
     "title = \"T\"\nmeasure = \"independence\"\n[[grid]]\nwindow = 1\n[[published]]\nat = { lag = 3, centring = "
     "\"run\" }\ncorrelation = 0\n",
     {"line 5", "centring cannot be 'run'", "listener or trial"}},
    {"PublishedDecoder",
     HEAD "[[published]]\nat = { window = 2 }\ndecoder = \"pca\"\naccuracy = 90\n",
     {"line 7", "no decoder 'pca'", "ls, cca or csp"}},
    {"FigureMeasures", HEAD "[figure]\nmeasures = [\"acuracy\"]\n", {"line 6", "no measure 'acuracy'", "'accuracy'?"}},
    {"FigureManyMeasures",
     HEAD "[figure]\nmeasures = [\"accuracy\", \"brier\", \"ece\", \"log_loss\"]\n",
     {"line 6", "at most three measures"}},
    {"ClaimWith",
     HEAD "[[claim]]\nkind = \"rises_with\"\ntext = \"C\"\nmeasure = \"accuracy\"\nalong = \"window\"\n",
     {"line 5", "kind rises_with needs 'with'"}},
    {"LagOfTracking", HEAD "[[published]]\nat = { lag = 3 }\naccuracy = 9\n", {"no parameter 'lag'"}},
    {"ClaimKind",
     HEAD "[[claim]]\nkind = \"larger\"\n",
     {"line 6", "no kind of claim 'larger'", "greater, less, alike"}},
    {"ClaimText",
     HEAD "[[claim]]\nkind = \"above\"\nmeasure = \"accuracy\"\nbound = 0\n",
     {"line 5", "claim has no 'text'"}},
    {"ClaimMeasure",
     HEAD "[[claim]]\nkind = \"above\"\ntext = \"C\"\nbound = 0\nmeasure = \"acuracy\"\n",
     {"line 9", "no measure 'acuracy'", "'accuracy'?"}},
    {"ClaimBound",
     HEAD "[[claim]]\nkind = \"above\"\ntext = \"C\"\nmeasure = \"accuracy\"\n",
     {"line 5", "kind above needs 'bound'"}},
    {"ClaimNeedless",
     HEAD "[[claim]]\nkind = \"above\"\ntext = \"C\"\nmeasure = \"accuracy\"\nalong = \"window\"\n",
     {"line 9", "no key 'along' in claim"}},
    {"ClaimSame",
     HEAD
     "[[claim]]\nkind = \"alike\"\ntext = \"C\"\nmeasure = \"accuracy\"\nat = { window = 2 }\nthan = { window = 2 }\n",
     {"line 5", "the same setting"}},
    {"ClaimHeldAndAlong",
     HEAD
     "[[claim]]\nkind = \"rises\"\ntext = \"C\"\nmeasure = \"accuracy\"\nat = { window = 2 }\nalong = \"window\"\n",
     {"line 5", "held and runs along"}},
    {"ClaimShortAxis",
     HEAD "[[claim]]\nkind = \"levels_off\"\ntext = \"C\"\nmeasure = \"accuracy\"\nalong = \"window\"\n",
     {"line 5", "'window' has 2 values here", "3 are needed"}},
};

#undef HEAD

INSTANTIATE_TEST_SUITE_P(Files, BadStudy, testing::ValuesIn(bad_studies),
                         [](const auto& one) { return std::string(one.param.name); });

// Whatever bytes come, the answer is a study whose settings exist, or an Error that names the file.
TEST(ParseStudy, SurvivesBrokenFiles) {
  test::Mutator mutator(1);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const BuiltInStudy& one : built_in_texts()) {
    for (int k = 0; k < 100; ++k) {
      try {
        const Study study = parse_study(mutator.mutant(one.toml), "broken.toml");
        EXPECT_FALSE(settings_of(study).empty());
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data) << error.what();
        EXPECT_TRUE(std::string(error.what()).starts_with("broken.toml: line ")) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(read, 20U);
  EXPECT_GT(refused, 700U);
}

TEST(StudyFile, AnEmptyGridIsNone) {
  test::expect_error(ErrorKind::bad_data, {"x.toml", "the grid is empty"}, [] {
    (void)parse_study("title = \"t\"\nquestion = \"q\"\n[figure]\npicture = \"comparison\"\n[[grid]]\n", "x.toml");
  });
}

}  // namespace
}  // namespace heed::study
