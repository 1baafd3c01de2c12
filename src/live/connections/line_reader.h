// SPDX-License-Identifier: MIT
// Lines from a pipe, a terminal or a socket, as they come, each no longer than a limit: what it holds is bounded by it,
// whatever the other end sends.
#pragma once

#include <heed/data/units.h>
#include <live/connections/waiting.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace heed::live {

class LineReader {
 public:
  enum class Came {
    line,
    nothing,  // in time
    woken,
    rest,  // the end, with bytes before it that no line end follows
    end,
  };

  LineReader(int descriptor, std::size_t longest_line);

  // Waits for the next line, which is without its line end (LF or CRLF) and valid until the next call. After the end,
  // the end again. Throws bad_data (a line that is too long), io (the connection was lost).
  [[nodiscard]] Came next(std::string_view& line, const Waker& waker, Seconds patience);
  [[nodiscard]] std::size_t line_number() const noexcept { return line_number_; }  // of the last line, from 1

 private:
  [[nodiscard]] bool take(std::string_view& line);
  [[nodiscard]] bool fill();  // false: the end

  int descriptor_;
  std::size_t longest_line_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;    // of what was not handed out yet
  std::size_t end_ = 0;      // of what is there
  std::size_t scanned_ = 0;  // up to here there is no line end
  std::size_t line_number_ = 0;
  bool ended_ = false;
};

}  // namespace heed::live
