// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/sinks/open_sink.h>
#include <support/expect_error.h>
#include <support/fake_lsl.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace heed::live {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

SinkRequest request(const std::string& source) {
  SinkRequest request{.address = parse_address("lsl", EndKind::sink)};
  request.stream.name = source;
  request.stream.speakers = {"left", "right"};
  request.window = {0.5};
  request.lsl_library = test::FakeLsl::library();
  return request;
}

void decide(Sink& sink, double end, Speaker who, Standing standing = Standing::tracking) {
  const std::array<double, 2> posterior{who == 0 ? 0.75 : 0.25, who == 0 ? 0.25 : 0.75};
  sink.decided({.end = {end}, .posterior = posterior, .decision = who, .gains = posterior, .standing = standing});
}

TEST(LslSink, SendsPosteriorsWithTheEndOfTheirWindowsAndSwitchesOnce) {
  const test::FakeLsl lsl("");
  const auto sink = open_sink(request("lsl:amp"));
  decide(*sink, 1000.5, 0);
  decide(*sink, 1001, 0);
  decide(*sink, 1001.5, 1);
  decide(*sink, 1002, 1, Standing::unknown);
  sink->finish();
  EXPECT_EQ(lines_of(lsl.sent_file()),
            (std::vector<std::string>{
                "outlet heed-posterior AttentionPosterior heed-posterior 2 left,right",
                "outlet heed-switch Markers heed-switch 0 attended", "heed-posterior 1000.5 0.75 0.25",
                "heed-switch 1000.5 left", "heed-posterior 1001 0.75 0.25", "heed-posterior 1001.5 0.25 0.75",
                "heed-switch 1001.5 right", "heed-posterior 1002 0.25 0.75", "heed-switch 1002 unknown"}));
}

// What another source calls its time is brought to the clock of LSL, once.
TEST(LslSink, StampsOfOtherSourcesKeepTheirDistances) {
  const test::FakeLsl lsl("");
  const auto sink = open_sink(request("simulated:"));
  decide(*sink, 5, 0);
  decide(*sink, 5.5, 0);
  sink->finish();
  std::vector<double> stamps;
  for (const std::string& line : lines_of(lsl.sent_file())) {
    std::istringstream words(line);
    std::string name;
    double stamp = 0;
    if (words >> name >> stamp && name == "heed-posterior") stamps.push_back(stamp);
  }
  ASSERT_EQ(stamps.size(), 2U);
  EXPECT_NEAR(stamps[1] - stamps[0], 0.5, 1e-6);
}

TEST(LslSink, WithoutTheLibraryThereIsARemedy) {
  SinkRequest without = request("lsl:amp");
  without.lsl_library = "/none.so";
  test::expect_error(ErrorKind::unsupported, {"HEED_LSL_LIB"}, [&] { (void)open_sink(without); });
}

}  // namespace
}  // namespace heed::live
