// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/connections/line_reader.h>
#include <support/allocation_counter.h>
#include <support/expect_error.h>
#include <support/loopback.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace heed::live {
namespace {

using Came = LineReader::Came;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    ::close(read_end);
    finish();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  Pipe(Pipe&&) = delete;
  Pipe& operator=(Pipe&&) = delete;

  void write(std::string_view text) const {
    ASSERT_EQ(::write(write_end, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void finish() {
    if (write_end >= 0) ::close(std::exchange(write_end, -1));
  }
  int read_end = -1;
  int write_end = -1;
};

TEST(LineReader, LinesHoweverTheyAreCut) {
  Pipe pipe;
  const Waker waker;
  LineReader lines(pipe.read_end, 100);
  std::string_view line;
  EXPECT_EQ(lines.next(line, waker, Seconds{0}), Came::nothing);
  pipe.write("on");
  EXPECT_EQ(lines.next(line, waker, Seconds{0}), Came::nothing);
  pipe.write("e\r\n\ntwo\nre");
  ASSERT_EQ(lines.next(line, waker, Seconds{0}), Came::line);
  EXPECT_EQ(line, "one");
  ASSERT_EQ(lines.next(line, waker, Seconds{0}), Came::line);
  EXPECT_EQ(line, "");
  ASSERT_EQ(lines.next(line, waker, Seconds{0}), Came::line);
  EXPECT_EQ(line, "two");
  EXPECT_EQ(lines.line_number(), 3U);
  pipe.write("st");
  pipe.finish();
  ASSERT_EQ(lines.next(line, waker, Seconds{0}), Came::rest);
  EXPECT_EQ(line, "rest");
  EXPECT_EQ(lines.next(line, waker, Seconds{0}), Came::end);
  EXPECT_EQ(lines.next(line, waker, Seconds{0}), Came::end);
}

TEST(LineReader, IsWoken) {
  const Pipe pipe;
  const Waker waker;
  LineReader lines(pipe.read_end, 100);
  std::thread other([&] { waker.wake(); });
  std::string_view line;
  EXPECT_EQ(lines.next(line, waker, Seconds{60}), Came::woken);
  other.join();
}

TEST(LineReader, ALineOfTheLimitAndOneBeyond) {
  Pipe pipe;
  const Waker waker;
  LineReader lines(pipe.read_end, 100);
  pipe.write(std::string(100, 'a') + "\n" + std::string(101, 'b') + "\n");
  std::string_view line;
  EXPECT_EQ(lines.next(line, waker, Seconds{0}), Came::line);
  test::expect_error(ErrorKind::bad_data, {"line 2", "longer than 100 bytes", "one object per line"},
                     [&] { (void)lines.next(line, waker, Seconds{0}); });
}

// An endless line: what is kept is the limit and no more.
TEST(LineReader, DoesNotKeepAnEndlessLine) {
  constexpr std::size_t limit = std::size_t{1} << 20U;
  const io::FileDescriptor zeros(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(zeros.is_open());
  const Waker waker;
  const test::AllocationCount allocations;
  LineReader lines(zeros.get(), limit);
  std::string_view line;
  EXPECT_THROW((void)lines.next(line, waker, Seconds{1}), Error);
  EXPECT_LE(allocations.peak_bytes(), (3 * limit) + 4096);  // old and new storage while it grows
}

TEST(LineReader, ALostConnectionIsAnErrorWithItsPlace) {
  const test::LoopbackServer server;
  const io::FileDescriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = test::loopback(server.port());
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  io::FileDescriptor peer = server.accept();
  ASSERT_TRUE(test::send_bytes(peer, "one\ntw"));
  const Waker waker;
  LineReader lines(client.get(), 100);
  std::string_view line;
  ASSERT_EQ(lines.next(line, waker, Seconds{60}), Came::line);
  test::reset(std::move(peer));
  test::expect_error(ErrorKind::io, {"after line 1", "connection was lost"},
                     [&] { (void)lines.next(line, waker, Seconds{60}); });
}

}  // namespace
}  // namespace heed::live
