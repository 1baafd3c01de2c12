// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/open_file.h>
#include <live/connections/line_reader.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace heed::live {
namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 16U;

}  // namespace

LineReader::LineReader(int descriptor, std::size_t longest_line)
    : descriptor_(descriptor), longest_line_(longest_line), bytes_(read_at_once) {}

bool LineReader::take(std::string_view& line) {
  const void* found = end_ > scanned_ ? std::memchr(bytes_.data() + scanned_, '\n', end_ - scanned_) : nullptr;
  const std::size_t line_end =
      found == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(found) - bytes_.data());
  if (line_end - begin_ > longest_line_) {
    throw Error(ErrorKind::bad_data, "line " + std::to_string(line_number_ + 1) + " is longer than " +
                                         std::to_string(longest_line_) +
                                         " bytes; send shorter pieces, one object per line");
  }
  scanned_ = line_end;
  if (found == nullptr) return false;
  line = {bytes_.data() + begin_, line_end - begin_};
  if (line.ends_with('\r')) line.remove_suffix(1);
  begin_ = scanned_ = line_end + 1;
  ++line_number_;
  return true;
}

bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (bytes_.size() - end_ < read_at_once)
    bytes_.resize(std::min(2 * bytes_.size(), longest_line_ + (2 * read_at_once)));
  const ssize_t count = ::read(descriptor_, bytes_.data() + end_, bytes_.size() - end_);
  if (count > 0) end_ += static_cast<std::size_t>(count);
  if (count >= 0 || errno == EAGAIN || errno == EINTR) return count != 0;
  throw Error(ErrorKind::io, "after line " + std::to_string(line_number_) +
                                 " the connection was lost: " + io::reason(errno) + "; start the sender again");
}

LineReader::Came LineReader::next(std::string_view& line, const Waker& waker, Seconds patience) {
  while (!take(line)) {
    const Waited waited = ended_ ? Waited::ready : wait_for(descriptor_, POLLIN, waker, patience);
    if (waited != Waited::ready) return waited == Waited::woken ? Came::woken : Came::nothing;
    ended_ = ended_ || !fill();
    if (!ended_) continue;
    line = {bytes_.data() + begin_, end_ - begin_};
    begin_ = scanned_ = end_;
    if (line.empty()) return Came::end;
    ++line_number_;
    return Came::rest;
  }
  return Came::line;
}

}  // namespace heed::live
