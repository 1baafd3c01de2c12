// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sources/ndjson_header.h>
#include <support/expect_error.h>

#include <string>

namespace heed::live {
namespace {

TEST(NdjsonHeader, OfScores) {
  const StreamDescription stream = parse_ndjson_header(R"({"speakers":["left","right"],"window":0.5,"attended":true})");
  EXPECT_EQ(stream.content, StreamContent::scores);
  EXPECT_EQ(stream.speakers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(stream.window.value, 0.5);
  EXPECT_TRUE(stream.labelled);
  EXPECT_FALSE(stream.named_trials);
  EXPECT_EQ(parse_ndjson_header(R"({"speakers":["a","b","c"]})").window.value, 1);
}

TEST(NdjsonHeader, OfSignals) {
  const StreamDescription stream = parse_ndjson_header(
      R"({"audio_rate":{"b":44100,"a":16000},"rate":512,"channels":["Fz","Cz"],"bad":["Cz"],"unit":"V",)"
      R"("speakers":["a","b"],"trials":true})");
  EXPECT_EQ(stream.content, StreamContent::signals);
  EXPECT_EQ(stream.sampling_frequency.value, 512);
  EXPECT_EQ(stream.channels, (std::vector<std::string>{"Fz", "Cz"}));
  EXPECT_EQ(stream.bad, (std::vector<std::string>{"Cz"}));
  EXPECT_EQ(stream.unit, "V");
  EXPECT_TRUE(stream.named_trials);
  EXPECT_EQ(stream.feeds, (std::vector<SoundFeed>{{0, FeedKind::audio, {16000}}, {1, FeedKind::audio, {44100}}}));
  const StreamDescription envelopes =
      parse_ndjson_header(R"({"speakers":["a","b"],"rate":64,"channels":["Fz"],"envelope_rate":64})");
  EXPECT_EQ(envelopes.feeds, (std::vector<SoundFeed>{{0, FeedKind::envelope, {64}}, {1, FeedKind::envelope, {64}}}));
  EXPECT_EQ(envelopes.unit, "uV");
}

TEST(NdjsonHeader, RefusalsNameTheRemedy) {
  struct Case {
    const char* line;
    const char* words;
  };
  for (const auto& [line, words] : std::initializer_list<Case>{
           {"[]", "an object"},
           {"{}", "at least two speakers"},
           {R"({"speakers":["a"]})", "at least two speakers"},
           {R"({"speakers":["a","a"]})", "twice"},
           {R"({"speakers":["a",""]})", "empty"},
           {R"({"speakers":["a","Decision"]})", "reserved"},
           {R"({"speakers":["a","b"],"speakers":["a","b"]})", "'speakers' appears twice"},
           {R"({"speaker":["a","b"]})", "did you mean 'speakers'"},
           {R"({"speakers":["a","b"],"window":0})", "window must be above 0"},
           {R"({"speakers":["a","b"],"window":1e9})", "at most 3600"},
           {R"({"speakers":["a","b"],"channels":["Fz"]})", "\"rate\":512"},
           {R"({"speakers":["a","b"],"channels":[],"rate":1})", "channels is empty"},
           {R"({"speakers":["a","b"],"channels":["Fz"],"rate":-1})", "rate must be above 0"},
           {R"({"speakers":["a","b"],"channels":["Fz"],"rate":1,"bad":["Cz"]})", "'Cz' is not one of the channels"},
           {R"({"speakers":["a","b"],"audio_rate":16000})", "belong to EEG"},
           {R"({"speakers":["a","b"],"channels":["Fz"],"rate":1,"audio_rate":{"a":1}})", "no rate for 'b'"},
           {R"({"speakers":["a","b"],"channels":["Fz"],"rate":1,"audio_rate":{"c":1}})",
            "'c' is not one of the speakers"},
           {R"({"speakers":["a","b"],"channels":["Fz"],"rate":1,"audio_rate":1,"envelope_rate":1})", "exclude"},
           {R"({"speakers":["a","b"]} x)", "the end of the line"},
       }) {
    test::expect_error(ErrorKind::bad_data, {words}, [&, text = line] { (void)parse_ndjson_header(text); });
  }
  std::string many = R"({"speakers":["s0")";
  for (int k = 1; k < 65; ++k) many += ",\"s" + std::to_string(k) + "\"";
  test::expect_error(ErrorKind::bad_data, {"more than 64"}, [&] { (void)parse_ndjson_header(many + "]}"); });
}

}  // namespace
}  // namespace heed::live
