// SPDX-License-Identifier: MIT
// What streams and markers mean, by the rules a user gives.
#include <gtest/gtest.h>
#include <io/xdf/xdf_plan.h>

#include "support/expect_error.h"
#include "support/memory_file.h"
#include "support/xdf_bytes.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::XdfBytes;

std::string two_samples(XdfBytes& xdf) {
  xdf.samples(1, {XdfBytes::sample(1, XdfBytes::raw(0.0F)), XdfBytes::sample(XdfBytes::raw(0.0F))});
  xdf.samples(2,
              {XdfBytes::sample(1, XdfBytes::raw(std::int32_t{0})), XdfBytes::sample(XdfBytes::raw(std::int32_t{0}))});
  return xdf.bytes;
}

std::string session() {
  XdfBytes xdf;
  xdf.stream(1, "amp", "eeg", 1, "100", "float32");
  xdf.stream(2, "stereo", "Audio", 2, "16000", "int16", "<channels><channel><label>anna</label></channel></channels>");
  xdf.stream(3, "events", "Markers", 1, "0", "string");
  return two_samples(xdf);
}

TEST(XdfPlan, FindsEegAndSpeakersByTheirTypes) {
  const test::MemoryFile memory;
  XdfFile file = XdfFile::open(memory.write(session()));
  const XdfPlan plan = plan_xdf(file, {});
  EXPECT_EQ(plan.eeg, 0U);
  ASSERT_EQ(plan.voices.size(), 2U);
  EXPECT_EQ(plan.voices[0].speaker, "anna");
  EXPECT_EQ(plan.voices[1].speaker, "stereo-2");
  EXPECT_FALSE(plan.voices[0].is_envelope);
  EXPECT_EQ(plan.voices[0].scale, 1.0 / 32768);
}

TEST(XdfPlan, TakesTheStreamsThatAreNamed) {
  const test::MemoryFile memory;
  XdfFile file = XdfFile::open(memory.write(session()));
  const XdfPlan plan = plan_xdf(file, {.eeg = "stereo", .speakers = {{"a", "amp", {}}, {"b", "stereo", 1}}});
  EXPECT_EQ(plan.eeg, 1U);
  EXPECT_TRUE(plan.voices[0].is_envelope);  // no sound has 100 samples per second
  EXPECT_EQ(plan.voices[1].channel, 1);
  expect_error(ErrorKind::not_found, {"'mic'", "'amp' (eeg)"}, [&] { (void)plan_xdf(file, {.eeg = "mic"}); });
  expect_error(ErrorKind::bad_data, {"cannot be EEG"}, [&] { (void)plan_xdf(file, {.eeg = "events"}); });
  expect_error(ErrorKind::invalid_argument, {"2 channels", "b=stereo#0"}, [&] {
    (void)plan_xdf(file, {.speakers = {{"b", "stereo", {}}}});
  });
  expect_error(ErrorKind::invalid_argument, {"2 channels"}, [&] {
    (void)plan_xdf(file, {.speakers = {{"b", "stereo", 2}}});
  });
}

TEST(XdfPlan, AsksWhichStreamIsMeant) {
  XdfBytes xdf;
  xdf.stream(1, "one", "EEG", 1, "100", "float32");
  xdf.stream(2, "two", "signal", 1, "100", "int32");
  const test::MemoryFile memory;
  XdfFile file = XdfFile::open(memory.write(two_samples(xdf)));
  expect_error(ErrorKind::invalid_argument, {"several streams", "'one'", "'two'"}, [&] { (void)plan_xdf(file, {}); });
  XdfFile none = XdfFile::open(memory.write("XDF:"));
  expect_error(ErrorKind::not_found, {"no stream of type EEG"}, [&] { (void)plan_xdf(none, {}); });
}

TEST(XdfPlan, ReadsRules) {
  EXPECT_EQ(parse_speaker_rule("left=Mic 1#3").channel, 3);
  EXPECT_EQ(parse_speaker_rule("left=Mic 1#3").stream, "Mic 1");
  EXPECT_EQ(parse_marker_rule("a=b=left").pattern, "a=b");
  EXPECT_EQ(parse_marker_rule("rest=").meaning, "");
  EXPECT_EQ(parse_stimulus_rule("go=left=a=b.wav").file, "a=b.wav");
  EXPECT_EQ(parse_speaker_rules("a:x,b:y#1").size(), 2U);
  for (const char* bad : {"left", "=x", "left=", "left=x#", "left=x#-1"}) {
    expect_error(ErrorKind::invalid_argument, {"SPEAKER=STREAM"}, [&] { (void)parse_speaker_rule(bad); });
  }
  expect_error(ErrorKind::invalid_argument, {"MARKER=MEANING"}, [] { (void)parse_marker_rule("left"); });
  expect_error(ErrorKind::invalid_argument, {"MARKER=SPEAKER=FILE"}, [] { (void)parse_stimulus_rule("go=left"); });
}

TEST(XdfPlan, AStarStandsForAnyText) {
  const std::vector<MarkerRule> rules{{"attend_*_now", "*"}, {"rest", ""}, {"L", "left"}, {"*", "other"}};
  EXPECT_EQ(meaning_of("attend_anna_now", rules), "anna");
  EXPECT_EQ(meaning_of("rest", rules), "");
  EXPECT_EQ(meaning_of("L", rules), "left");
  EXPECT_EQ(meaning_of("anything", rules), "other");
  EXPECT_FALSE(meaning_of("attend_now", {{"attend_*_now", "*"}}));
  EXPECT_EQ(meaning_of("attended/left", own_attention_rules()), "left");
}

TEST(XdfPlan, KnowsHowLabsWriteMicrovolts) {
  for (const char* unit : {"uV", "microvolts", "\xC2\xB5V", "\xCE\xBCV", "Microvolt"}) EXPECT_EQ(eeg_unit(unit), "uV");
  EXPECT_EQ(eeg_unit("millivolts"), "mV");
  EXPECT_EQ(eeg_unit("counts"), "");
}

}  // namespace
}  // namespace heed::io
