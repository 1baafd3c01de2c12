// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/sinks/ndjson_sink.h>
#include <live/sinks/open_sink.h>
#include <support/allocation_counter.h>
#include <support/expect_error.h>
#include <support/io_redirect.h>
#include <support/io_temporary_folder.h>
#include <support/loopback.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace heed::live {
namespace {

constexpr std::array<double, 2> posterior{0.1 + 0.2, 1e-17};
constexpr std::array<double, 2> gains{-3, -12.5};

Decision decision(double end) {
  return {.end = {end}, .posterior = posterior, .decision = 1, .gains = gains, .standing = Standing::tracking};
}

std::unique_ptr<Sink> open(const std::string& text) {
  SinkRequest request{.address = parse_address(text, EndKind::sink)};
  request.stream.speakers = {"left", "the \"right\" one"};
  return open_sink(request);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

constexpr const char* line_at_1 =
    R"({"t":1,"posterior":[0.30000000000000004,1e-17],"decision":"the \"right\" one","gains_db":[-3,-12.5],"state":"tracking"})"
    "\n";

TEST(NdjsonSink, LinesReadBackExactly) {
  ReportLine line({"left", "the \"right\" one"});
  Report report{.time = {1}, .decision = 1, .standing = Standing::tracking};
  report.posterior.assign(posterior.begin(), posterior.end());
  report.gains.assign(gains.begin(), gains.end());
  EXPECT_EQ(line.text(report), line_at_1);
  const auto json = nlohmann::json::parse(line.text(report));
  EXPECT_EQ(json["posterior"][0].get<double>(), posterior[0]);
  EXPECT_EQ(json["decision"], "the \"right\" one");
  const test::AllocationCount allocations;
  for (int k = 0; k < 10; ++k) (void)line.text(report);
  EXPECT_EQ(allocations.so_far(), 0U);
  for (const char* trial : {"run-01", "a \"second\" one", "run-01"}) {
    report.trial = trial;
    EXPECT_EQ(nlohmann::json::parse(line.text(report))["trial"], trial);
  }
  report.decision = unknown_speaker;
  report.standing = Standing::unknown;
  EXPECT_TRUE(nlohmann::json::parse(line.text(report))["decision"].is_null());
}

TEST(NdjsonSink, NamesInAnotherEncodingAreStillJson) {
  ReportLine line({"J\xfcrgen", "right"});
  Report report{.decision = 0, .trial = "\xff"};
  const auto json = nlohmann::json::parse(line.text(report));
  EXPECT_EQ(json["decision"], "J\xef\xbf\xbdrgen");
  EXPECT_EQ(json["trial"], "\xef\xbf\xbd");
}

TEST(NdjsonSink, FilesAndStandardOutput) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "out.ndjson";
  for (const std::string& address : {"ndjson:" + file.string(), std::string("ndjson:-"), std::string("-")}) {
    const test::Redirect output(STDOUT_FILENO, folder.path() / "standard", O_WRONLY | O_CREAT | O_TRUNC);
    const auto sink = open(address);
    sink->decided(decision(1));
    sink->relaxed({.time = {1.5}, .posterior = posterior, .gains = gains});
    sink->finish();
    EXPECT_EQ(sink->counts(), SinkCounts{});
    const std::string text = text_of(address == "-" || address == "ndjson:-" ? folder.path() / "standard" : file);
    EXPECT_TRUE(text.starts_with(line_at_1)) << text;
    EXPECT_NE(text.find("\"t\":1.5"), std::string::npos);
    EXPECT_NE(text.find("\"state\":\"unknown\""), std::string::npos);
  }
  test::expect_error(ErrorKind::cannot_create, {"absent", "folder that exists"},
                     [&] { (void)open("ndjson:" + (folder.path() / "absent/x").string()); });
}

TEST(NdjsonSink, AFullDiskIsToldAtTheEnd) {
  const auto sink = open("ndjson:/dev/full");
  for (int k = 0; k < 10; ++k) sink->decided(decision(k));
  test::expect_error(ErrorKind::io, {"/dev/full", "disk full"}, [&] { sink->finish(); });
  EXPECT_TRUE(sink->counts().broken);
}

TEST(NdjsonSink, AReaderThatHasGoneDoesNotEndTheProcess) {
  const test::TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  io::FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  const auto sink = open("ndjson:" + pipe.string());
  { const io::FileDescriptor gone = std::move(reader); }
  sink->decided(decision(1));
  test::expect_error(ErrorKind::io, {"reader has gone"}, [&] { sink->finish(); });
}

TEST(NdjsonSink, OverTcpAndAgainAfterAReaderHasGone) {
  const test::LoopbackServer server;
  const auto sink = open("tcp://" + server.host());
  {
    const io::FileDescriptor peer = server.accept();
    sink->decided(decision(1));
    EXPECT_EQ(test::receive_line(peer) + "\n", line_at_1);
  }
  // The first line after that may be lost unnoticed: that is TCP's nature.
  for (int k = 2; sink->counts().reconnects == 0 && k < 60000; ++k) {
    sink->decided(decision(k));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const io::FileDescriptor peer = server.accept();
  sink->decided(decision(9999));
  std::string last;
  for (std::string line = test::receive_line(peer); !line.empty(); line = test::receive_line(peer)) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
    last = line;
    if (line.find("9999") != std::string::npos) break;
  }
  EXPECT_NE(last.find("\"t\":9999"), std::string::npos) << last;
  sink->finish();
  EXPECT_EQ(sink->counts().reconnects, 1);
  EXPECT_FALSE(sink->counts().broken);
}

TEST(NdjsonSink, AReaderThatDoesNotReadNeverDelaysTheSession) {
  const test::LoopbackServer server;
  const auto sink = open("tcp://" + server.host());
  const io::FileDescriptor peer = server.accept();
  const auto start = std::chrono::steady_clock::now();
  constexpr int count = 60000;  // more than the sockets' buffers and the queue hold
  for (int k = 0; k < count; ++k) sink->decided(decision(k));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));  // an hour if each waited
  EXPECT_GT(sink->counts().dropped, 0);
}

TEST(NdjsonSink, NobodyListens) {
  test::expect_error(ErrorKind::io, {"refused", "start the other end first"},
                     [] { (void)open("tcp://127.0.0.1:" + std::to_string(test::free_port())); });
  const test::TemporaryFolder folder;
  test::expect_error(ErrorKind::not_found, {"start the program"},
                     [&] { (void)open("unix:" + (folder.path() / "s").string()); });
}

}  // namespace
}  // namespace heed::live
