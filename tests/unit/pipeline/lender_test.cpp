// SPDX-License-Identifier: MIT
// Who lends to whom, and sums of listeners that are made once.
#include <gtest/gtest.h>
#include <heed/io/model_file.h>
#include <io/text_file.h>
#include <pipeline/scoring/lender.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support/expect_error.h"
#include "support/listening_dataset.h"
#include "support/population_cases.h"

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;

const test::ListeningCase six{.participants = {"01", "02", "03", "04", "05", "06"}, .samples = 128 * 20};

FolderRequest request_of(const test::ListeningDataset& files, const std::string& participant = "") {
  FolderRequest request{.dataset = files.root(), .cache = files.cache(), .threads = 1};
  if (!participant.empty()) request.selection.participants = {participant};
  return request;
}

PopulationOptions options() { return {.choice = resolve({}), .scores = false}; }

std::vector<fs::path> kept_sums(const fs::path& cache) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(cache)) {
    if (entry.path().filename().string().starts_with("sums-")) files.push_back(entry.path());
  }
  return files;
}

std::string text_of(const FolderSums& sums) { return io::population_text(population_of(options(), sums.entries)); }

FolderSums sums_of(const FolderRequest& request, const SumUpOrder& order = {.take_kept = true}) {
  const OpenFolder folder(request, options().choice.preprocessing);
  return sum_up(folder, folder.participants(), options(), order);
}

TEST(FolderSums, AreKeptAndTheSameFromTheCache) {
  const test::ListeningDataset files(six);
  FolderRequest without = request_of(files);
  without.cache.reset();
  const std::string plain = text_of(sums_of(without));
  EXPECT_EQ(text_of(sums_of(request_of(files))), plain);
  const auto kept = kept_sums(files.cache());
  ASSERT_EQ(kept.size(), 6U);
  const auto when = fs::last_write_time(kept[0]);
  for (const fs::path& path : fs::directory_iterator(files.cache())) {
    if (path.filename().string().starts_with("run-")) fs::remove(path);
  }
  EXPECT_EQ(text_of(sums_of(request_of(files), {.first = 4, .take_kept = true})), plain);
  EXPECT_EQ(fs::last_write_time(kept[0]), when);
  for (const fs::path& path : fs::directory_iterator(files.cache())) {
    EXPECT_FALSE(path.filename().string().starts_with("run-")) << "somebody was prepared again";
  }
}

TEST(FolderSums, WhatIsDamagedIsMadeAnew) {
  const test::ListeningDataset files(six);
  const std::string plain = text_of(sums_of(request_of(files)));
  const auto kept = kept_sums(files.cache());
  fs::resize_file(kept[0], fs::file_size(kept[0]) / 2);
  std::string text = io::read_text_file(kept[1]);
  text[text.size() - 10] ^= 1;  // a digit that is still one
  std::ofstream(kept[1], std::ios::binary) << text;
  std::ofstream(kept[2], std::ios::binary) << "";
  EXPECT_EQ(text_of(sums_of(request_of(files))), plain);
}

TEST(FolderSums, OtherFilesOrChoicesAreOtherSums) {
  const test::ListeningDataset files(six);
  (void)sums_of(request_of(files));
  const OpenFolder folder(request_of(files), options().choice.preprocessing);
  PopulationOptions others = options();
  others.choice.longest_lag = Seconds{0.4};
  (void)sum_up(folder, folder.participants(), others, {.take_kept = true});
  EXPECT_EQ(kept_sums(files.cache()).size(), 12U);
  std::ofstream(files.file("stimuli/sub-02_run-1_0.tsv"), std::ios::app) << "1\n";
  (void)sums_of(request_of(files));
  EXPECT_EQ(kept_sums(files.cache()).size(), 13U);
}

TEST(FolderSums, ManyAtOnceMakeTheSameFiles) {
  const test::ListeningDataset files(six);
  std::vector<std::string> texts(4);
  {
    std::vector<std::jthread> nodes;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      nodes.emplace_back([&, k] { texts[k] = text_of(sums_of(request_of(files), {.first = k, .take_kept = true})); });
    }
  }
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
  EXPECT_EQ(kept_sums(files.cache()).size(), 6U);
  EXPECT_EQ(text_of(sums_of(request_of(files))), texts[0]);
}

// Where this fails, the same signals give other sums than before: raise sums_version (pipeline/scoring/lender.h), so
// that nobody is served what an older heed kept, and write the new numbers here.
TEST(FolderSums, AreThoseOfTheirVersion) {
  const auto cohort = test::make_cohort({.listeners = 1});
  const auto entries = population_entries(cohort[0].trials, cohort[0].sources, test::least_squares_population());
  EXPECT_EQ(sums_version, 1);
  EXPECT_EQ(entries[0].samples, 1920);
  EXPECT_NEAR(entries[0].products(0, 0), 0.265960574, 1e-5);
  EXPECT_NEAR(entries[0].products(8, 0), 0.550449908, 1e-5);
  EXPECT_NEAR(entries[1].products(9, 0), 0.20675905, 1e-5);
  EXPECT_NEAR(entries[0].scores->attended, 17.8681788, 1e-4);
}

TEST(FindLender, TheOthersOfTheFolderWhereThereAreEnough) {
  const test::ListeningDataset files(six);
  const OpenFolder folder(request_of(files, "03"), options().choice.preprocessing);
  heed::Notes notes;
  const auto lender = find_lender(folder, {{}, Recipe::heed, options().choice, {}}, notes);
  ASSERT_TRUE(lender);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(io::listeners_in(lender->population()), 5U) << "who is selected alone need not be summed up";
  const PriorRequest asked{"03", folder.sources_of("03"), {{"sub-03_task-attend_run-1"}}};
  const auto alone = lender->prior_of(asked, notes);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->others(asked.tests[0]), 5U);

  const OpenFolder everybody(request_of(files), options().choice.preprocessing);
  const auto all = find_lender(everybody, {{}, Recipe::heed, options().choice, {}}, notes);
  EXPECT_EQ(io::listeners_in(all->population()), 6U);
  const auto among = all->prior_of(asked, notes);
  EXPECT_EQ(among->others(asked.tests[0]), 5U);
  EXPECT_EQ(all->words(*among, asked), lender->words(*alone, asked)) << "whoever else was selected";
  const DecoderShape shape{{"Fz", "Cz", "Pz", "Oz"}, training_options(options().choice, Seconds{1}).lags};
  EXPECT_EQ(among->lend(asked.tests[0], shape).cross.xy, alone->lend(asked.tests[0], shape).cross.xy);
}

TEST(FindLender, NobodyInSmallFoldersAndThatIsSaid) {
  const test::ListeningDataset files({.participants = {"01", "02", "03", "04"}, .samples = 128 * 20});
  const OpenFolder folder(request_of(files), options().choice.preprocessing);
  heed::Notes notes;
  EXPECT_FALSE(find_lender(folder, {{}, Recipe::heed, options().choice, {}}, notes));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].kind, NoteKind::chosen);
  EXPECT_NE(notes[0].text.find("3 other listeners"), std::string::npos) << notes[0].text;
  EXPECT_TRUE(kept_sums(files.cache()).empty()) << "nobody was summed up in vain";
}

TEST(FindLender, NobodyWhereNobodyIsWanted) {
  const test::ListeningDataset files(six);
  const OpenFolder folder(request_of(files), options().choice.preprocessing);
  heed::Notes notes;
  EXPECT_FALSE(find_lender(folder, {{}, Recipe::paper, options().choice, {}}, notes));
  EXPECT_FALSE(find_lender(folder, {{.none = true}, Recipe::heed, options().choice, {}}, notes));
  EXPECT_FALSE(find_lender(folder, {{.weight = 0}, Recipe::heed, options().choice, {}}, notes));
  EXPECT_TRUE(notes.empty());
  const auto refuse = [&](const PopulationRequest& request, Recipe recipe, const char* words) {
    test::expect_error(ErrorKind::invalid_argument, {words}, [&] {
      (void)find_lender(folder, {request, recipe, options().choice, {}}, notes);
    });
  };
  refuse({.weight = 0.3}, Recipe::paper, "no population");
  refuse({.none = true, .weight = 0.3}, Recipe::heed, "no population");
  refuse({.weight = 1.5}, Recipe::heed, "between 0 and 1");
}

TEST(FindLender, APopulationThatIsGivenIsUsedHoweverSmall) {
  const auto cohort = test::make_cohort({.listeners = 3});
  const PopulationOptions made = test::least_squares_population();
  const PopulationRequest request{.given = std::make_shared<const Population>(test::population_of(cohort, made)),
                                  .name = "pop.json"};
  const Lender lender(*request.given, request, made.choice);
  heed::Notes notes;
  const PriorRequest asked{"99", cohort[0].sources, {{cohort[0].sources[0].trial}}};
  PriorRequest stranger = asked;
  for (TrialSource& source : stranger.sources) {
    source.recording += "'";
    source.stimuli = {"other sounds"};
  }
  EXPECT_TRUE(lender.prior_of(stranger, notes));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].text.find("3 other listeners heard sounds other"), std::string::npos) << notes[0].text;

  DecoderChoice longer = made.choice;
  longer.longest_lag = Seconds{0.5};
  test::expect_error(ErrorKind::invalid_argument, {"pop.json", "holds delays of 0 to 250 ms", "needs 0 to 500 ms"},
                     [&] { const Lender refused(*request.given, request, longer); });
  DecoderChoice other = made.choice;
  other.preprocessing.low = Hertz{2};
  test::expect_error(ErrorKind::invalid_argument, {"pop.json", "other signals"},
                     [&] { const Lender refused(*request.given, request, other); });
}

}  // namespace
}  // namespace heed::pipeline
