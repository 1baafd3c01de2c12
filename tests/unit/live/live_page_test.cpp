// SPDX-License-Identifier: MIT
// The page over the loopback device, as browsers and those who mean harm would use it.
#include <gtest/gtest.h>
#include <live/page/live_page.h>
#include <poll.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/loopback.h"

namespace heed::live {
namespace {

using nlohmann::json;

// A session of scores that is fed by hand, on a page of its own.
class Watched {
 public:
  explicit Watched(std::vector<std::string> speakers = {"left", "right"}, const PageOptions& options = {.port = 0})
      : page_(options), session_(described(std::move(speakers)), {}), sink_(page_.sink(shown())) {
    page_.show(shown());
  }
  ~Watched() { page_.hide(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  Watched(Watched&&) = delete;
  Watched& operator=(Watched&&) = delete;

  void window(double left, double right) {
    session_.push({.kind = BlockKind::scores, .rows = 1, .values = {left, right}}, {now_ += 1}, *sink_);
  }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] int port() const { return page_.port(); }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  [[nodiscard]] std::string url() const { return page_.url(); }

 private:
  static StreamDescription described(std::vector<std::string> speakers) {
    return {.name = "<script>scores</script>", .content = StreamContent::scores, .speakers = std::move(speakers)};
  }
  ShownSession shown() { return {session_, source_, report_, desk_, 1, {}}; }

  struct NoSource final : Source {
    [[nodiscard]] const StreamDescription& description() const override { return stream; }
    Arrival next(Block&, Seconds) override { return Arrival::ended; }
    StreamDescription stream{};
  };

  LivePage page_;
  Session session_;
  ParameterDesk desk_{session_, {}};
  NoSource source_{};
  RunReport report_{};
  std::unique_ptr<Sink> sink_;
  double now_ = 0;
};

io::FileDescriptor connected(int port) {
  io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = test::loopback(port);
  test::be_impatient(socket.get());
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return socket;
}

void say(const io::FileDescriptor& socket, const std::string& bytes) {
  (void)::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

// Until the other end closes, or what is awaited has come.
std::string heard(const io::FileDescriptor& socket, const std::string& awaited = "") {
  std::string all;
  std::array<char, 4096> bytes{};
  while (awaited.empty() || all.find(awaited) == std::string::npos) {
    const ssize_t count = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
    if (count <= 0) break;
    all.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return all;
}

std::string asked(int port, const std::string& request) {
  const io::FileDescriptor socket = connected(port);
  say(socket, request);
  return heard(socket);
}

std::string get(const Watched& watched, const std::string& path) {
  return asked(watched.port(), "GET " + path + " HTTP/1.1\r\nHost: " + watched.host() + "\r\n\r\n");
}

std::string post(const Watched& watched, const std::string& path, const std::string& body,
                 const std::string& type = "application/json") {
  return asked(watched.port(), "POST " + path + " HTTP/1.1\r\nHost: " + watched.host() + "\r\nOrigin: http://" +
                                   watched.host() + "\r\nContent-Type: " + type +
                                   "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

int status(const std::string& answer) { return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0; }

io::FileDescriptor viewer(const Watched& watched, const std::string& last_event = "") {
  io::FileDescriptor socket = connected(watched.port());
  say(socket, "GET /events HTTP/1.1\r\nHost: " + watched.host() + "\r\n" +
                  (last_event.empty() ? "" : "Last-Event-ID: " + last_event + "\r\n") + "\r\n");
  return socket;
}

TEST(LivePage, ServesItsFilesUnderAStrictPolicy) {
  const Watched watched;
  const std::string page = get(watched, "/");
  EXPECT_EQ(status(page), 200);
  EXPECT_NE(page.find("<title>heed live</title>"), page.npos);
  for (const char* header : {"Content-Security-Policy: default-src 'none'; script-src 'self'", "frame-ancestors 'none'",
                             "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                             "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store"}) {
    EXPECT_NE(page.find(header), page.npos) << header;
  }
  EXPECT_EQ(page.find("Set-Cookie"), page.npos);
  for (const char* path : {"/live.js", "/live.css", "/traces.js", "/sound.js", "/theme.js", "/icon.svg"}) {
    EXPECT_EQ(status(get(watched, path)), 200) << path;
  }
  // The page asks for nothing that is not here: no other site is named in it.
  for (const char* path : {"/", "/live.js", "/live.css", "/traces.js", "/sound.js"}) {
    EXPECT_EQ(get(watched, path).find("http://", 200), std::string::npos) << path;
  }
}

TEST(LivePage, KnowsNoFilesButItsOwn) {
  const Watched watched;
  for (const char* path : {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/live.js/../x", "/live.js%00",
                           "/%2e%2e/live.css", "/web/live.js", "/.", "/index.html", "/events/", "/EVENTS"}) {
    EXPECT_EQ(status(get(watched, path)), 404) << path;
  }
  EXPECT_EQ(status(asked(watched.port(), "DELETE / HTTP/1.1\r\nHost: " + watched.host() + "\r\n\r\n")), 405);
  EXPECT_EQ(status(post(watched, "/live.js", "{}")), 405);
  EXPECT_EQ(status(get(watched, "/parameters")), 405);
}

TEST(LivePage, SendsEveryWindowOnceAndFillsTheGapAfterALostConnection) {
  Watched watched;
  watched.window(0.3, 0);
  watched.window(0.4, 0.1);
  std::string last;
  {
    const io::FileDescriptor socket = viewer(watched);
    const std::string before = heard(socket, "\"t\":2.0");
    EXPECT_EQ(status(before), 200);
    EXPECT_NE(before.find("retry: 1000"), before.npos);
    EXPECT_NE(before.find("\"speakers\":[\"left\",\"right\"]"), before.npos);
    EXPECT_NE(before.find("\"scores\":[0.3,0.0]"), before.npos);
    const std::size_t id = before.rfind("id: ", before.find("\"t\":2.0"));
    last = before.substr(id + 4, before.find('\n', id) - id - 4);
  }
  watched.window(0.5, 0.2);
  const std::string gap = heard(viewer(watched, last), "\"t\":3.0");
  EXPECT_EQ(gap.find("\"t\":2.0,\"now\""), gap.npos) << "it was seen before";
  EXPECT_NE(gap.find("\"scores\":[0.5,0.2]"), gap.npos);
  // An id of another program, or none, gives everything again.
  for (const char* other : {"ffffffff-7", "nonsense", "-1", "99999999999999999999999"}) {
    EXPECT_NE(heard(viewer(watched, other), "\"t\":3.0").find("\"scores\":[0.3,0.0]"), std::string::npos) << other;
  }
}

TEST(LivePage, WhoComesLateGetsTheWindowsThatPicturesShowAndAllThatHappened) {
  Watched watched;
  for (const int last : {350, 700}) {  // no more at once than the page has room for
    for (int k = last - 349; k <= last; ++k) watched.window(k < 10 ? 0.5 : 0, k < 10 ? 0 : 0.5);
    (void)heard(viewer(watched), "\"t\":" + std::to_string(last) + ".0");
  }
  const std::string late = heard(viewer(watched), "\"t\":700.0");
  EXPECT_EQ(late.find("{\"t\":99.0,\"now\""), late.npos) << "older than ten minutes";
  EXPECT_NE(late.find("{\"t\":100.0,\"now\""), late.npos);
  EXPECT_NE(late.find("\"number\":100,"), late.npos);
  EXPECT_NE(late.find("heed hears that left is attended"), late.npos);
}

TEST(LivePage, ChangesOfViewersReachTheSession) {
  Watched watched;
  watched.window(0.3, 0);
  EXPECT_EQ(status(post(watched, "/parameters", R"({"switch_probability":0.05,"suppressed":-6})")), 200);
  watched.window(0.3, 0);
  EXPECT_EQ(watched.session().switch_probability(), 0.05);
  EXPECT_EQ(status(post(watched, "/parameters", R"({"paused":true})")), 200);
  watched.window(0.3, 0);
  const std::string told = heard(viewer(watched), "paused the steering");
  EXPECT_NE(told.find("\"switch_probability\":0.05"), told.npos) << "who comes later sees what holds";
  EXPECT_NE(told.find("\"paused\":true"), told.npos);
  const std::string refused = post(watched, "/parameters", R"({"switch_probability":0.9})");
  EXPECT_EQ(status(refused), 422);
  EXPECT_NE(refused.find("must be from 0.0001 to 0.2, not 0.9"), refused.npos);
  EXPECT_EQ(status(post(watched, "/parameters", R"({"model":"/etc/passwd"})")), 400);
  EXPECT_EQ(status(post(watched, "/parameters", "{\"paused\":true}", "text/plain")), 400);
  EXPECT_EQ(status(post(watched, "/demo", R"({"attend":1})")), 404) << "attention is the listener's own";
}

TEST(LivePage, RefusesOtherSitesAndHosts) {
  const Watched watched;
  const auto refused = [&](const std::string& headers) {
    return status(asked(watched.port(), "POST /parameters HTTP/1.1\r\n" + headers +
                                            "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
  };
  const std::string host = "Host: " + watched.host() + "\r\n";
  EXPECT_EQ(refused(host + "Origin: http://" + watched.host() + "\r\n"), 200);
  EXPECT_EQ(refused(host + "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(refused(host), 403);
  EXPECT_EQ(refused("Host: evil.example\r\nOrigin: http://evil.example\r\n"), 421);
  EXPECT_EQ(refused(host + "Origin: http://" + watched.host() + "\r\nTransfer-Encoding: chunked\r\n"), 501);
  EXPECT_EQ(status(asked(watched.port(), "POST /parameters HTTP/1.1\r\n" + host + "Content-Length: 999999\r\n\r\n")),
            413);
  EXPECT_EQ(status(asked(watched.port(), "GET / HTTP/1.1\r\n" + host + "X: " + std::string(9000, 'a') + "\r\n\r\n")),
            431);
}

// Nothing of a request comes back in the headers of its answer.
TEST(LivePage, HeadersCannotBePutIntoAnswers) {
  const Watched watched;
  const std::string answer = get(watched, "/?x=%0d%0aSet-Cookie:%20a=b&token=abc");
  EXPECT_EQ(status(answer), 200);
  EXPECT_EQ(answer.find("a=b"), answer.npos);
  const std::string split = asked(watched.port(), "GET /a\r\nX: y HTTP/1.1\r\nHost: " + watched.host() + "\r\n\r\n");
  EXPECT_EQ(status(split), 400);
}

TEST(LivePage, NamesAreDataWhateverTheyHold) {
  const std::string name = "<img src=x onerror=alert(1)>\n\ndata: \"injected\"";
  Watched watched({name, "\xff\xfe"});
  watched.window(0.3, 0);
  const std::string told = heard(viewer(watched), "\"t\":1.0");
  const std::size_t begin = told.find("data: {") + 6;
  const json session = json::parse(told.substr(begin, told.find('\n', begin) - begin));
  EXPECT_EQ(session["speakers"][0], name);
  EXPECT_EQ(session["source"], "<script>scores</script>");
  EXPECT_EQ(told.find("\ndata: \"injected\""), told.npos);
}

TEST(LivePage, BeyondLoopbackATokenIsNeeded) {
  const Watched watched({"left", "right"}, {.address = "0.0.0.0", .port = 0});
  const std::string url = watched.url();
  const std::string token = url.substr(url.find("token=") + 6);
  EXPECT_EQ(token.size(), 32U);
  EXPECT_EQ(status(get(watched, "/")), 401);
  EXPECT_EQ(status(get(watched, "/live.js")), 401);
  EXPECT_EQ(status(get(watched, "/events")), 401);
  EXPECT_EQ(status(get(watched, "/?token=" + std::string(32, '0'))), 401);
  const std::string shown = get(watched, "/?token=" + token);
  EXPECT_EQ(status(shown), 200);
  const std::string cookie = "heed-token-" + std::to_string(watched.port()) + "=" + token;
  EXPECT_NE(shown.find("Set-Cookie: " + cookie + "; HttpOnly; SameSite=Strict; Path=/\r\n"), shown.npos);
  EXPECT_EQ(status(asked(watched.port(),
                         "GET /live.js HTTP/1.1\r\nHost: " + watched.host() + "\r\nCookie: " + cookie + "\r\n\r\n")),
            200);
  test::expect_error(ErrorKind::invalid_argument, {"not the number of a network address"},
                     [] { const LivePage page({.address = "my.host"}); });
}

TEST(LivePage, TheUsualPortMayBeTaken) {
  const test::LoopbackServer other;
  test::expect_error(ErrorKind::io, {"another program listens there"},
                     [&] { const LivePage page({.port = other.port()}); });
  const LivePage first({});
  const LivePage second({});
  EXPECT_NE(first.port(), second.port());
}

// ---- slow, dead and many ----

TEST(LivePage, WhoSendsByteByByteIsLeftAfterAWhile) {
  const Watched watched({"left", "right"}, {.port = 0, .limits = {.request = {1}}});
  const io::FileDescriptor socket = connected(watched.port());
  pollfd gone{socket.get(), POLLIN, 0};
  int bytes = 0;
  // The time is of the whole request: sending something now and then does not help.
  while (::poll(&gone, 1, 100) == 0 && bytes < 200) {
    say(socket, "G");
    ++bytes;
  }
  EXPECT_LT(bytes, 200);
  EXPECT_EQ(heard(socket), "");
  EXPECT_EQ(status(get(watched, "/")), 200) << "others do not notice";
}

TEST(LivePage, ViewersThatTakeNothingCostTheSessionNothing) {
  Watched watched({"left", "right"}, {.port = 0, .limits = {.stalled = {1}}});
  std::vector<io::FileDescriptor> stuck;
  for (int k = 0; k < 50; ++k) stuck.push_back(viewer(watched));
  for (int k = 0; k < 20'000; ++k) watched.window(0.3, 0.1);
  const io::FileDescriptor fresh = viewer(watched);
  EXPECT_NE(heard(fresh, "\"t\":20000.0").find("\"t\":20000.0"), std::string::npos);
}

TEST(LivePage, AThousandConnectionsDoNotKeepAViewerOut) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  const rlimit more{std::min<rlim_t>(files.rlim_max, 4096), files.rlim_max};
  (void)::setrlimit(RLIMIT_NOFILE, &more);
  if (more.rlim_cur < 1500) GTEST_SKIP() << "too few open files are allowed";
  Watched watched;
  const io::FileDescriptor before = viewer(watched);
  EXPECT_NE(heard(before, "event: session").find("200 OK"), std::string::npos);
  std::vector<io::FileDescriptor> idle;
  for (int k = 0; k < 1000; ++k) idle.push_back(connected(watched.port()));
  EXPECT_EQ(status(get(watched, "/")), 200);
  watched.window(0.3, 0);
  EXPECT_NE(heard(before, "\"t\":1.0").find("\"t\":1.0"), std::string::npos) << "who was there stays";
  EXPECT_NE(heard(viewer(watched), "\"t\":1.0").find("\"t\":1.0"), std::string::npos);
}

TEST(LivePage, ViewersAreCounted) {
  const Watched watched({"left", "right"}, {.port = 0, .limits = {.viewers = 3}});
  std::vector<io::FileDescriptor> viewers;
  for (int k = 0; k < 3; ++k) {
    viewers.push_back(viewer(watched));
    EXPECT_EQ(status(heard(viewers.back(), "event: session")), 200);
  }
  EXPECT_EQ(status(get(watched, "/events")), 503);
  viewers.pop_back();
  int again = 503;
  for (int k = 0; k < 50 && again == 503; ++k) {
    const io::FileDescriptor socket = viewer(watched);
    again = status(heard(socket, "\r\n\r\n"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(again, 200);
}

TEST(LivePage, ASessionThatEndsSaysSo) {
  auto watched = std::make_unique<Watched>();
  watched->window(0.3, 0);
  const io::FileDescriptor socket = viewer(*watched);
  EXPECT_NE(heard(socket, "\"t\":1.0").find("\"t\":1.0"), std::string::npos);
  watched.reset();
  EXPECT_NE(heard(socket).find("event: ended"), std::string::npos);
}

}  // namespace
}  // namespace heed::live
