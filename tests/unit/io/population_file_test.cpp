// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/model_file.h>

#include <limits>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mutants.h"

namespace heed::io {
namespace {

constexpr float third = 1.0F / 3;

Population small() {
  Population population;
  population.preprocessing.low = Hertz{0.5};
  population.preprocessing.targets = {SpeechTarget::envelope, SpeechTarget::onset};
  population.targets = {"envelope", "onset"};
  population.delays = {0, 1};
  population.decoder = {.ridge = 0.3, .longest_lag = {1.0 / 64}, .rule = {.measure = WindowMeasure::cosine}};
  population.origin = "2 listeners of somewhere";
  PopulationEntry one{.listener = "01", .run = "sub-01_run-01", .recording = "abc", .stimuli = {"s1", "s2"}};
  one.channels = {"Fz", "Cz"};
  one.samples = 16000;
  one.products = SampleMatrix{{0.1F, third}, {-1e-30F, 2}, {3, 4}, {5, -third}};
  one.scores = ScoreMoments{.windows = 250, .speakers = 2, .attended = 25.1, .attended_squares = 6.6};
  one.scores->unattended_squares = 1.0 / 3;
  one.scores->window_sum_squares = 9;
  PopulationEntry two{.listener = "02", .run = "sub-02_run-01", .recording = "def", .stimuli = {"s1", "s2"}};
  two.channels = {"Fz"};
  two.samples = 8000;
  two.products = SampleMatrix{{1, 2}, {3, 4}};
  population.entries = {one, two};
  return population;
}

TEST(PopulationFile, ReadsBackExactly) {
  const Population written = small();
  const Population read = parse_population(population_text(written));
  EXPECT_EQ(read.preprocessing.low, written.preprocessing.low);
  EXPECT_EQ(read.preprocessing.targets, written.preprocessing.targets);
  EXPECT_EQ(read.targets, written.targets);
  EXPECT_EQ(read.delays, written.delays);
  EXPECT_EQ(read.decoder.kind, "ls");
  EXPECT_EQ(read.decoder.ridge, 0.3);
  EXPECT_EQ(read.decoder.longest_lag, written.decoder.longest_lag);
  EXPECT_EQ(read.decoder.rule, written.decoder.rule);
  EXPECT_EQ(read.origin, written.origin);
  ASSERT_EQ(read.entries.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const PopulationEntry& a = written.entries[k];
    const PopulationEntry& b = read.entries[k];
    EXPECT_EQ(a.listener, b.listener);
    EXPECT_EQ(a.run, b.run);
    EXPECT_EQ(a.recording, b.recording);
    EXPECT_EQ(a.stimuli, b.stimuli);
    EXPECT_EQ(a.channels, b.channels);
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.products, b.products);
    EXPECT_EQ(a.scores.has_value(), b.scores.has_value());
  }
  EXPECT_EQ(read.entries[0].scores->unattended_squares, 1.0 / 3);
  EXPECT_EQ(population_text(read), population_text(written));
}

// The same with what adaptive decoders start from.
Population with_covariances() {
  Population population = small();
  population.entries[0].covariance = SampleMatrix{{1, 0.25F}, {0.25F, 1}, {0.1234F, -0.5F}, {0.9999F, 0}};
  population.entries[1].covariance = SampleMatrix{{1}, {-0.0001F}};
  population.adaptation = PopulationAdaptation{.seconds = {100, 400}};
  population.adaptation->trials.push_back({"01", *population.entries[0].scores, {0.1 + 0.2, 1.0 / 3}});
  return population;
}

TEST(PopulationFile, CovariancesReadBackExactlyAndAreOfVersion2) {
  const Population written = with_covariances();
  const std::string text = population_text(written);
  EXPECT_NE(text.find("\"FormatVersion\": 2"), std::string::npos);
  EXPECT_NE(text.find("\"Covariance\":[10000,2500,2500,10000,1234,-5000,9999,0]"), std::string::npos);
  const Population read = parse_population(text);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(read.entries[k].covariance, written.entries[k].covariance);
  EXPECT_EQ(read.adaptation, written.adaptation);
  EXPECT_EQ(population_text(read), text);
  // Without any, older versions of heed read it.
  EXPECT_NE(population_text(small()).find("\"FormatVersion\": 1"), std::string::npos);
  EXPECT_FALSE(parse_population(population_text(small())).adaptation);
}

TEST(PopulationFile, CovariancesThatMakeNoSenseAreRefused) {
  const auto refused = [](const char* word, auto change) {
    Population population = with_covariances();
    change(population);
    test::expect_error(ErrorKind::invalid_argument, {word}, [&] { (void)population_text(population); });
  };
  refused("entry 1 (sub-01_run-01): Covariance does not hold a number for each of 2 delays and 2 x 2 channels",
          [](Population& p) { p.entries[0].covariance.resize(3, 2); });
  refused("beyond -1 ... 1", [](Population& p) { p.entries[0].covariance(0, 0) = 2; });
  refused("beyond", [](Population& p) { p.entries[0].covariance(0, 0) = std::numeric_limits<float>::quiet_NaN(); });
  refused("Adaptation.Seconds is empty", [](Population& p) { p.adaptation->seconds.clear(); });
  refused("Seconds must be", [](Population& p) { p.adaptation->seconds[0] = 0; });
  refused("as many as Seconds", [](Population& p) { p.adaptation->trials[0].separations.pop_back(); });
  refused("named twice", [](Population& p) { p.adaptation->trials.push_back(p.adaptation->trials[0]); });
  std::string text = population_text(with_covariances());
  text.replace(text.find("[10000,2500,"), 12, "[10000,");
  test::expect_error(ErrorKind::bad_data, {"entry 1", "Covariance"}, [&] { (void)parse_population(text); });
}

TEST(PopulationFile, AFileIsWholeOrNotThere) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "pop.json";
  write_population(path, small());
  EXPECT_EQ(population_text(read_population(path)), population_text(small()));
  test::expect_error(ErrorKind::not_found, {"none.json"}, [&] { (void)read_population(folder.path() / "none.json"); });
  Population broken = small();
  broken.entries.clear();
  const auto other = folder.path() / "other.json";
  EXPECT_THROW(write_population(other, broken), Error);
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST(PopulationFile, OneLineAnEntryAndOneForPeople) {
  const std::string text = population_text(small());
  EXPECT_NE(text.find("\n    {\"Listener\":\"02\""), std::string::npos);
  EXPECT_EQ(describe(small()),
            "2 listeners, 2 entries; ls, ridge 0.3, lags 0 ... 15.625 ms, cosine; 0.5 ... 9 Hz, zero-phase, 64 Hz, "
            "average reference, targets envelope and onset");
}

template <typename Change>
Population changed(Change&& change) {
  Population population = small();
  change(population);
  return population;
}

TEST(PopulationFile, WhatMakesNoSenseIsNotWritten) {
  const auto refused = [](const char* word, auto change) {
    test::expect_error(ErrorKind::invalid_argument, {word}, [&] { (void)population_text(changed(change)); });
  };
  refused("entry 1 (sub-01_run-01): Products",
          [](Population& p) { p.entries[0].products(1, 1) = std::numeric_limits<float>::quiet_NaN(); });
  refused("Products", [](Population& p) { p.entries[0].products(0, 0) = std::numeric_limits<float>::infinity(); });
  refused("entry 2", [](Population& p) { p.entries[1].products.resize(3, 2); });
  refused("Scores", [](Population& p) { p.entries[0].scores->attended = std::numeric_limits<double>::quiet_NaN(); });
  refused("squares", [](Population& p) { p.entries[0].scores->attended_squares = -1; });
  refused("Samples", [](Population& p) { p.entries[0].samples = 0; });
  refused("Stimuli", [](Population& p) { p.entries[0].stimuli = {"b", "a"}; });
  refused("Stimuli", [](Population& p) { p.entries[0].stimuli.clear(); });
  refused("Channels", [](Population& p) { p.entries[0].channels = {"Fz", "Fz"}; });
  refused("Recording", [](Population& p) { p.entries[0].recording.clear(); });
  refused("twice", [](Population& p) { p.entries.push_back(p.entries[0]); });
  refused("Entries is empty", [](Population& p) { p.entries.clear(); });
  refused("Delays", [](Population& p) { p.delays = {1, 0}; });
  refused("Decoder.Kind", [](Population& p) { p.decoder.kind = "csp"; });
  refused("Shrinkage", [](Population& p) { p.decoder.rule.shrinkage = -1; });
  refused("Preprocessing.", [](Population& p) { p.preprocessing.low = Hertz{20}; });
}

TEST(PopulationFile, WhatIsWrongInAFileIsNamed) {
  const std::string good = population_text(small());
  const auto refused = [&](ErrorKind kind, const std::string& old, const std::string& now, const char* word) {
    std::string text = good;
    const std::size_t at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), now);
    test::expect_error(kind, {word}, [&] { (void)parse_population(text); });
  };
  refused(ErrorKind::bad_data, "heed-population", "heed-decoder", "make one");
  refused(ErrorKind::unsupported, "\"FormatVersion\": 1", "\"FormatVersion\": 3", "Update heed");
  refused(ErrorKind::bad_data, "\"Products\":[0.100000001", "\"Products\":[null", "entry 1: key Entries.Products");
  refused(ErrorKind::bad_data, "\"Products\":[0.100000001", "\"Products\":[NaN", "not valid JSON");
  refused(ErrorKind::bad_data, "\"Products\":[0.100000001", "\"Products\":[1e999", "number");
  refused(ErrorKind::bad_data, "\"Products\":[0.100000001,", "\"Products\":[", "entry 1 (sub-01_run-01): Products");
  refused(ErrorKind::bad_data, "\"Samples\":16000", "\"Samples\":-1", "Samples");
  refused(ErrorKind::bad_data, "\"Run\":\"sub-02_run-01\",", "", "entry 2: key Entries.Run is missing");
  refused(ErrorKind::bad_data, "\"Delays\": [0,1]", "\"Delays\": [0,0.5]", "Delays");
  refused(ErrorKind::bad_data, "\"Measure\":\"cosine\"", "\"Measure\":\"mutual\"", "none of pearson, cosine");
  test::expect_error(ErrorKind::bad_data, {"JSON"}, [] { (void)parse_population("junk"); });
}

// Either read or refused with a reason, whatever was broken.
TEST(PopulationFile, BrokenFilesAreReadOrRefused) {
  const std::string good = population_text(small());
  const std::string newer = population_text(with_covariances());
  test::Mutator mutator(11);
  int refused = 0;
  for (int k = 0; k < 2000; ++k) {
    try {
      const Population read = parse_population(mutator.mutant(k % 2 == 0 ? good : newer));
      EXPECT_FALSE(population_text(read).empty());
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace heed::io
