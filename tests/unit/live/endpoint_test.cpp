// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <support/expect_error.h>
#include <support/io_temporary_folder.h>
#include <support/loopback.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace heed::live {
namespace {

Address source(const std::string& text) { return parse_address(text, EndKind::source); }

io::FileDescriptor connect_now(const Address& address) {
  return connect_to(address, endpoints_of(address), Waker{}, Seconds{60});
}

TEST(Endpoint, ConnectsAndAccepts) {
  const test::TemporaryFolder folder;
  for (const std::string& text : {std::string("tcp://127.0.0.1:0"), "unix:" + (folder.path() / "s").string()}) {
    Address address = source(text);
    const Listener listener(address);
    if (address.scheme == "tcp") address.port = listener.port();
    const io::FileDescriptor client = connect_now(address);
    const io::FileDescriptor peer = listener.accept(nullptr);
    EXPECT_EQ(::write(client.get(), "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(wait_for(peer.get(), 1, Waker{}, Seconds{60}), Waited::ready);
    EXPECT_EQ(::read(peer.get(), &byte, 1), 1);
    EXPECT_EQ(byte, 'x');
  }
  EXPECT_TRUE(folder.names().empty()) << "the socket's file was left behind";
}

TEST(Endpoint, NobodyIsThere) {
  const std::string port = std::to_string(test::free_port());
  test::expect_error(ErrorKind::io, {"tcp://127.0.0.1:" + port, "refused", "start the other end first"},
                     [&] { (void)connect_now(source("tcp://127.0.0.1:" + port)); });
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "s").string();
  test::expect_error(ErrorKind::not_found, {path, "start the program"},
                     [&] { (void)connect_now(source("unix:" + path)); });
  test::expect_error(ErrorKind::not_found, {"host.invalid", "check its name"},
                     [] { (void)endpoints_of(source("tcp://host.invalid:5000")); });
}

TEST(Endpoint, NobodyAnswersInTime) {
  // A backlog that is full answers nobody: on Linux the connection stays half-made.
  Address address = source("tcp://127.0.0.1:0");
  const Listener listener(address);
  address.port = listener.port();
  const Waker waker;
  waker.wake();
  std::vector<io::FileDescriptor> filling;
  try {
    for (int k = 0; k < 8; ++k) {
      filling.push_back(connect_to(address, endpoints_of(address), Waker{}, Seconds{0.02}));
    }
    FAIL() << "the backlog did not fill";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("check the host"), std::string::npos) << error.what();
  }
  test::expect_error(ErrorKind::io, {"anceled"},
                     [&] { (void)connect_to(address, endpoints_of(address), waker, Seconds{60}); });
}

TEST(Endpoint, PlacesThatCannotBeListenedAt) {
  const test::LoopbackServer server;
  test::expect_error(ErrorKind::io, {server.host(), "in use", "another address"},
                     [&] { const Listener listener(source("tcp://" + server.host())); });
  test::expect_error(ErrorKind::io, {"address of this machine"},
                     [] { const Listener listener(source("tcp://192.0.2.1:5000")); });
  const test::TemporaryFolder folder;
  const std::string file = folder.write("file", "text").string();
  test::expect_error(ErrorKind::io, {file, "not a socket"}, [&] { const Listener listener(source("unix:" + file)); });
  test::expect_error(ErrorKind::io, {"folder does not exist"},
                     [&] { const Listener listener(source("unix:" + (folder.path() / "a/b").string())); });
  test::expect_error(ErrorKind::invalid_argument, {"107", "shorter"},
                     [&] { const Listener listener(source("unix:/tmp/" + std::string(200, 'x'))); });
  const std::string path = (folder.path() / "s").string();
  const Listener first(source("unix:" + path));
  test::expect_error(ErrorKind::io, {path, "in use"}, [&] { const Listener second(source("unix:" + path)); });
}

// Root may do everything: for as long as this lives it is nobody.
class AsNobody {
 public:
  AsNobody() {
    if (root_) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~AsNobody() {
    if (root_) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  AsNobody(AsNobody&&) = delete;
  AsNobody& operator=(AsNobody&&) = delete;

 private:
  bool root_ = ::geteuid() == 0;
};

TEST(Endpoint, NoPermission) {
  const test::TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read);
  const AsNobody nobody;
  int first_free_port = 1024;
  std::ifstream("/proc/sys/net/ipv4/ip_unprivileged_port_start") >> first_free_port;
  if (first_free_port > 1) {
    test::expect_error(ErrorKind::io, {"ermission denied", "1024"},
                       [] { const Listener listener(source("tcp://127.0.0.1:1")); });
  }
  test::expect_error(ErrorKind::io, {"ermission denied", "may write to"},
                     [&] { const Listener listener(source("unix:" + (folder.path() / "s").string())); });
}

TEST(Endpoint, ASocketLeftBehindIsTakenOver) {
  const test::TemporaryFolder folder;
  const Address address = source("unix:" + (folder.path() / "s").string());
  {
    const io::FileDescriptor killed(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const Endpoint endpoint = endpoints_of(address).front();
    ASSERT_EQ(::bind(killed.get(), reinterpret_cast<const sockaddr*>(&endpoint.address), endpoint.length), 0);
    ASSERT_EQ(::listen(killed.get(), 1), 0);
  }
  EXPECT_EQ(folder.names().size(), 1U);
  const Listener listener(address);
  const io::FileDescriptor client = connect_now(address);
  EXPECT_TRUE(listener.accept(nullptr).is_open());
}

TEST(Endpoint, WaitingForAPeerCanBeStopped) {
  const Listener listener(source("tcp://127.0.0.1:0"));
  std::atomic<bool> stop = false;
  std::thread other([&] { stop = true; });
  test::expect_error(ErrorKind::io, {"stopped while waiting"}, [&] { (void)listener.accept(&stop); });
  other.join();
}

}  // namespace
}  // namespace heed::live
