// SPDX-License-Identifier: MIT
// Stories: rhythm of speech, the same for everybody, and turns that fit together.
#include <gtest/gtest.h>
#include <sim/recording_story.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace heed::sim {
namespace {

TEST(Story, DependsOnSeedAndNumberAlone) {
  const Story story = simulate_story(5, 3, Seconds{60});
  const Story longer = simulate_story(5, 3, Seconds{120});
  ASSERT_GT(longer.syllables.size(), story.syllables.size());
  for (std::size_t k = 0; k < story.syllables.size(); ++k) {
    ASSERT_EQ(story.syllables[k].onset, longer.syllables[k].onset);
    ASSERT_EQ(story.syllables[k].level, longer.syllables[k].level);
  }
  EXPECT_EQ(story.file, "story-03");
  EXPECT_NE(simulate_story(5, 4, Seconds{60}).syllables[5].level, story.syllables[5].level);
  EXPECT_NE(simulate_story(6, 3, Seconds{60}).syllables[5].level, story.syllables[5].level);
}

TEST(Story, HasTheRhythmOfSpeech) {
  const Story story = simulate_story(1, 1, Seconds{300});
  const double rate = static_cast<double>(story.syllables.size()) / 300;
  EXPECT_GT(rate, 3.5);  // a second, pauses included
  EXPECT_LT(rate, 5);
  const double phrases = static_cast<double>(story.pauses.size()) / 5;  // a minute
  EXPECT_GT(phrases, 15);
  EXPECT_LT(phrases, 35);
  for (std::size_t k = 1; k < story.syllables.size(); ++k) {
    ASSERT_GT(story.syllables[k].onset, story.syllables[k - 1].onset);
  }
  const Story other = simulate_story(1, 2, Seconds{300});
  EXPECT_GT(other.syllables[0].pitch.value / story.syllables[0].pitch.value, 1.2);  // a low and a high voice
}

// Power of the envelope in a band, by correlation with sines of a whole number of periods.
double power(const Eigen::VectorXd& x, double rate, double low, double high) {
  const auto n = static_cast<double>(x.size());
  double sum = 0;
  for (double k = std::ceil(low * n / rate); k < high * n / rate; k += 1) {
    double re = 0;
    double im = 0;
    for (Index t = 0; t < x.size(); ++t) {
      const double angle = 2 * std::numbers::pi * k * static_cast<double>(t) / n;
      re += x[t] * std::cos(angle);
      im += x[t] * std::sin(angle);
    }
    sum += (re * re) + (im * im);
  }
  return sum;
}

TEST(Story, EnvelopeLivesBetweenOneAndNineHertz) {
  const Story story = simulate_story(1, 1, Seconds{64});
  const Eigen::VectorXd envelope = story_envelope(story, {Hertz{32}, Seconds{0}, 2048});
  const double all = power(envelope, 32, 0.5, 16);
  EXPECT_GT(power(envelope, 32, 1, 9) / all, 0.5);                      // phrases and pauses take the rest, below 1 Hz
  EXPECT_GT(power(envelope, 32, 2, 6), power(envelope, 32, 6, 9) * 3);  // syllables, irregular as real ones
  EXPECT_LT(power(envelope, 32, 9, 16) / all, 0.06);
}

TEST(Story, EnvelopeIsTheAmplitudeToThePowerPointSix) {
  Story story;
  story.duration = Seconds{2};
  story.syllables.push_back({Seconds{0.5}, Seconds{1}, 3.0, Hertz{100}, {}, 0});
  const Eigen::VectorXd envelope = story_envelope(story, {Hertz{100}, Seconds{0}, 300});
  EXPECT_EQ(envelope.head(50).maxCoeff(), 0);
  EXPECT_EQ(envelope.tail(150).maxCoeff(), 0);
  EXPECT_NEAR(envelope[85], std::pow(3.0, 0.6), 1e-12);  // .35 of its length: the peak
  EXPECT_NEAR(envelope[67], std::pow(3.0 * std::pow(std::sin(std::numbers::pi / 2 * 0.17 / 0.35), 2), 0.6), 1e-9);
  const Eigen::VectorXd later = story_envelope(story, {Hertz{100}, Seconds{0.6}, 30});
  EXPECT_LT((later - envelope.segment(60, 30)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Programme, TalkersOfATrialAreStoriesFromItsBeginningToItsEnd) {
  RecordingCohortOptions options;
  options.trial = Seconds{30};
  const Programme programme = simulate_programme(options, 2);
  ASSERT_EQ(programme.pieces.size(), 2U);
  EXPECT_EQ(programme.pieces[0].speaker, "left");
  EXPECT_EQ(programme.pieces[1].speaker, "right");
  EXPECT_EQ(programme.pieces[0].file, "story-03");  // every trial has new ones
  EXPECT_EQ(programme.pieces[1].file, "story-04");
  EXPECT_EQ(programme.pieces[1].duration, Seconds{30});
}

TEST(Programme, ConversationsTakeTurnsWithoutAGap) {
  RecordingCohortOptions options = three_conversations();
  options.trial = Seconds{200};
  const Programme programme = simulate_programme(options, 1);
  EXPECT_EQ(programme.stories.size(), 6U);
  for (const std::string& speaker : speaker_names(options)) {
    Seconds time{};
    std::map<std::string, Seconds> said;
    std::string before;
    int turns = 0;
    for (const StimulusPiece& piece : programme.pieces) {
      if (piece.speaker != speaker) continue;
      EXPECT_NEAR(piece.onset.value, time.value, 1e-9);
      EXPECT_NE(piece.file, before);                                      // the other talker
      EXPECT_NEAR(piece.file_onset.value, said[piece.file].value, 1e-9);  // goes on where it was
      said[piece.file] = piece.file_onset + piece.duration;
      time = piece.onset + piece.duration;
      before = piece.file;
      ++turns;
    }
    EXPECT_NEAR(time.value, 200, 1e-9);
    EXPECT_GE(turns, 8);
    ASSERT_EQ(said.size(), 2U);
    for (const auto& [file, end] : said) {
      const auto story = std::ranges::find(programme.stories, file, &Story::file);
      ASSERT_NE(story, programme.stories.end());
      EXPECT_NEAR(story->duration.value, end.value, 1e-9);  // the file ends where it is no longer used
    }
  }
}

}  // namespace
}  // namespace heed::sim
