// SPDX-License-Identifier: MIT
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/io/sound_file.h>
#include <pipeline/preparation/speaker_track.h>

#include <cmath>
#include <numbers>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/wav_bytes.h"

namespace heed::pipeline {
namespace {

constexpr Hertz rate{64};

class SpeakerTrack : public ::testing::Test {
 protected:
  SpeakerTrack() {
    std::filesystem::create_directories(folder_.path() / "stimuli");
    dataset_.root = folder_.path();
  }

  void write_envelope(const std::string& name, const Matrix& values, Hertz sampled = rate) {
    io::write_envelope(dataset_.stimulus(name),
                       {.sampling_frequency = sampled, .columns = {"envelope"}, .values = values}, 17);
  }

  // Noise whose level goes up and down as that of syllables does, at 8 kHz.
  void write_sound(const std::string& name, std::size_t seconds) {
    std::vector<std::int16_t> samples(8000 * seconds);
    RandomStream random(2, 2);
    for (std::size_t t = 0; t < samples.size(); ++t) {
      const double level = 0.5 + (0.4 * std::sin(2 * std::numbers::pi * 4 * static_cast<double>(t) / 8000));
      samples[t] = static_cast<std::int16_t>(std::lround(3000 * level * random.normal()));
    }
    folder_.write("stimuli/" + name, test::wav_bytes(samples, {.rate = 8000}));
  }

  [[nodiscard]] Eigen::VectorXd track(const std::vector<StimulusPiece>& pieces, TrialRows rows) const {
    return speaker_track(SoundFiles(dataset_), {"left", pieces}, rows, how_).col(0).cast<double>();
  }

  static Matrix noise(Index rows) {
    RandomStream random(5, 1);
    Matrix values(rows, 1);
    for (Index t = 0; t < rows; ++t) values(t, 0) = random.normal();
    return values;
  }

  static StimulusPiece piece(const std::string& file, double onset, double duration, double file_onset = 0) {
    return {.speaker = "left", .onset = {onset}, .duration = {duration}, .file = file, .file_onset = {file_onset}};
  }

  test::TemporaryFolder folder_;
  io::BidsDataset dataset_;
  Preprocessing how_{};
};

TEST_F(SpeakerTrack, AnEnvelopeAsLongAsTheTrialIsBandPassedAsItIs) {
  const Matrix values = noise(64 * 20);
  write_envelope("a.tsv", values);
  const Eigen::VectorXd plain = dsp::prepare_envelope({}, values, rate).col(0);
  EXPECT_LT((track({piece("a.tsv", 0, 20)}, {{0}, 64 * 20}) - plain).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(SpeakerTrack, PiecesOfAFileAreTheFile) {
  write_envelope("a.tsv", noise(64 * 20));
  const auto whole = track({piece("a.tsv", 0, 20)}, {{0}, 64 * 20});
  const auto parts = track({piece("a.tsv", 0, 7.5), piece("a.tsv", 7.5, 12.5, 7.5)}, {{0}, 64 * 20});
  EXPECT_EQ(whole, parts);
}

TEST_F(SpeakerTrack, SoundBeforeAndAfterTheTrialIsSeenByTheFilters) {
  const Matrix values = noise(64 * 60);
  write_envelope("a.tsv", values);
  const Eigen::VectorXd plain = dsp::prepare_envelope({}, values, rate).col(0).segment(64 * 20, 64 * 15);
  const auto inside = track({piece("a.tsv", 3, 60)}, {{23}, 64 * 15});
  EXPECT_LT((inside - plain).cwiseAbs().maxCoeff(), 1e-5) << "ten seconds of run-in are as good as all";
}

TEST_F(SpeakerTrack, AnOnsetBetweenSamplesMovesTheEnvelope) {
  const auto wave = [](double t) { return std::sin(2 * std::numbers::pi * 5 * t); };
  Matrix values(64 * 40, 1);
  for (Index t = 0; t < values.rows(); ++t) values(t, 0) = wave(static_cast<double>(t) / 64);
  write_envelope("a.tsv", values);
  constexpr double shift = 0.4 / 64;
  const auto moved = track({piece("a.tsv", shift, 39)}, {{10}, 64 * 20});
  const auto plain = track({piece("a.tsv", 0, 39)}, {{10}, 64 * 20});
  double error = 0;
  double size = 0;
  for (Index t = 64; t < 64 * 19; ++t) {
    const double time = 10 + (static_cast<double>(t) / 64);
    const double gain = plain.cwiseAbs().maxCoeff();
    error = std::max(error, std::abs(moved[t] - (gain * wave(time - shift))));
    size = std::max(size, gain);
  }
  EXPECT_LT(error, 0.015 * size);
}

TEST_F(SpeakerTrack, SoundInChunksIsTheSoundAsAWhole) {
  write_sound("a.wav", 25);
  const std::vector<float> audio = io::read_audio(dataset_.stimulus("a.wav")).samples;
  const auto envelope = dsp::speech_envelope(audio, {8000}, rate);
  const Matrix column = Eigen::Map<const Matrix>(envelope.data(), std::ssize(envelope), 1);
  const Eigen::VectorXd plain = dsp::prepare_envelope({}, column, rate).col(0);
  const auto made = track({piece("a.wav", 0, 25)}, {{0}, 64 * 25});
  EXPECT_LT((made - plain).cwiseAbs().maxCoeff(), 1e-6 * plain.cwiseAbs().maxCoeff());
}

TEST_F(SpeakerTrack, SilenceThroughoutIsAnError) {
  write_envelope("a.tsv", Matrix::Zero(64 * 20, 1));
  test::expect_error(ErrorKind::bad_data, {"left", "silent"}, [&] {
    (void)track({piece("a.tsv", 0, 20)}, {{0}, 64 * 20});
  });
}

TEST_F(SpeakerTrack, ATargetThatStaysTheSameIsAnError) {
  write_envelope("level.tsv", Matrix::Constant(64 * 20, 1, 3));
  write_envelope("fade.tsv", Eigen::VectorXd::LinSpaced(64 * 20, 5, 1));
  for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
    how_.filters = mode;
    how_.targets = {SpeechTarget::envelope, SpeechTarget::onset};
    test::expect_error(ErrorKind::bad_data, {"left", "the envelope of its sound never changes"}, [&] {
      (void)track({piece("level.tsv", 0, 20)}, {{0}, 64 * 20});
    });
    test::expect_error(ErrorKind::bad_data, {"left", "the onset of its sound never changes"}, [&] {
      (void)track({piece("fade.tsv", 0, 20)}, {{0}, 64 * 20});
    });
    how_.targets = {SpeechTarget::envelope};
    EXPECT_GT(track({piece("fade.tsv", 0, 20)}, {{0}, 64 * 20}).cwiseAbs().maxCoeff(), 1e-4);
  }
}

TEST_F(SpeakerTrack, TargetsAreColumns) {
  const Matrix values = noise(64 * 20).cwiseAbs();
  write_envelope("a.tsv", values);
  how_.targets = {SpeechTarget::onset, SpeechTarget::envelope};
  const io::SpeakerPieces speaker{"left", {piece("a.tsv", 0, 20)}};
  const SampleMatrix both = speaker_track(SoundFiles(dataset_), speaker, {{0}, 64 * 20}, how_);
  EXPECT_EQ(both, dsp::prepare_envelope(how_, values, rate).cast<float>());
  ASSERT_EQ(both.cols(), 2);
  how_.targets = {SpeechTarget::envelope};
  const auto alone = track({piece("a.tsv", 0, 20)}, {{0}, 64 * 20});
  EXPECT_LT((alone - both.col(1).cast<double>()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(SpeakerTrack, OnsetsOfSoundAreThoseOfItsEnvelope) {
  write_sound("a.wav", 12);
  const auto envelope = dsp::speech_envelope(io::read_audio(dataset_.stimulus("a.wav")).samples, {8000}, rate);
  how_.targets = {SpeechTarget::onset};
  const Matrix column = Eigen::Map<const Matrix>(envelope.data(), std::ssize(envelope), 1);
  const Eigen::VectorXd plain = dsp::prepare_envelope(how_, column, rate).col(0);
  const auto made = track({piece("a.wav", 0, 12)}, {{0}, 64 * 12});
  EXPECT_LT((made - plain).cwiseAbs().maxCoeff(), 1e-6 * plain.cwiseAbs().maxCoeff());
}

// Two pieces that sound at once, kept at different rates: what rises is their sum.
TEST_F(SpeakerTrack, EnvelopesOfSeveralRatesAreAddedBeforeTheirOnset) {
  const auto sampled = [](double hertz, double frequency) {
    Matrix values(static_cast<Index>(hertz * 30), 1);
    for (Index t = 0; t < values.rows(); ++t) {
      values(t, 0) = 1 + std::sin(2 * std::numbers::pi * frequency * static_cast<double>(t) / hertz);
    }
    return values;
  };
  write_envelope("a.tsv", sampled(64, 2));
  write_envelope("b.tsv", sampled(200, 3), Hertz{200});
  write_envelope("sum.tsv", sampled(64, 2) + sampled(64, 3));
  how_.targets = {SpeechTarget::onset};
  const TrialRows rows{{0}, 64 * 30};
  const auto sum = track({piece("sum.tsv", 0, 30)}, rows);
  const auto pieces = track({piece("a.tsv", 0, 30), piece("b.tsv", 0, 30)}, rows);
  const Eigen::VectorXd after = track({piece("a.tsv", 0, 30)}, rows) + track({piece("b.tsv", 0, 30)}, rows);
  const auto apart = [&](const Eigen::VectorXd& other) {
    return (sum - other).segment(128, 64 * 26).cwiseAbs().maxCoeff() / sum.cwiseAbs().maxCoeff();
  };
  EXPECT_LT(apart(pieces), 0.01);
  EXPECT_GT(apart(after), 0.1) << "else the order could not be told from this";
}

TEST_F(SpeakerTrack, EnvelopesOfOtherRatesAreResampled) {
  const auto wave = [](double t) {
    return std::sin(2 * std::numbers::pi * 4 * t) + std::sin(2 * std::numbers::pi * 6 * t);
  };
  const auto sampled = [&](double hertz) {
    Matrix values(static_cast<Index>(hertz * 30), 1);
    for (Index t = 0; t < values.rows(); ++t) values(t, 0) = wave(static_cast<double>(t) / hertz);
    return values;
  };
  write_envelope("a.tsv", sampled(64));
  write_envelope("b.tsv", sampled(200), Hertz{200});
  const auto a = track({piece("a.tsv", 0, 30)}, {{0}, 64 * 30});
  const auto b = track({piece("b.tsv", 0, 30)}, {{0}, 64 * 30});
  EXPECT_LT((a - b).segment(128, 64 * 26).cwiseAbs().maxCoeff(), 0.01 * a.cwiseAbs().maxCoeff());
}

TEST_F(SpeakerTrack, IsMadeOnceForAllWhoHearItAtTheSamePlaceOfTheirTrial) {
  write_envelope("a.tsv", noise(64 * 20));
  const SoundFiles sounds(dataset_);
  SpeakerTracks tracks(sounds, how_);
  const auto first = tracks.track({"left", {piece("a.tsv", 0, 20)}}, {{0}, 64 * 20});
  std::filesystem::remove(dataset_.stimulus("a.tsv"));
  EXPECT_EQ(tracks.track({"left", {piece("a.tsv", 7, 20)}}, {{7}, 64 * 20}), first) << "another clock, the same trial";
  test::expect_error(ErrorKind::not_found, {"a.tsv"}, [&] {
    (void)tracks.track({"left", {piece("a.tsv", 0, 20)}}, {{1}, 64 * 19});
  });
}

}  // namespace
}  // namespace heed::pipeline
