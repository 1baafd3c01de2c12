// SPDX-License-Identifier: MIT
// One browser's connection: a request is read, its answer written, and the connection closed; a stream goes on until
// the viewer leaves. Nothing blocks, and every stage has its time.
#pragma once

#include <heed/data/units.h>
#include <io/open_file.h>
#include <live/page/http_request.h>
#include <live/page/site.h>

#include <chrono>
#include <string>

namespace heed::live {

struct PageLimits {
  std::size_t connections = 256;  // at once; more: those that have not asked for anything yet make room
  std::size_t viewers = 128;      // of streams, among them
  Seconds request{10};            // from the connection to the end of its request
  Seconds answer{30};             // to take all of an answer
  Seconds stalled{20};            // a viewer that takes nothing for so long has gone
};

class PageConnection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  PageConnection(io::FileDescriptor socket, Time now) : socket_(std::move(socket)), since_(now) {}

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  [[nodiscard]] short awaited() const noexcept;  // events for poll
  [[nodiscard]] bool is_over() const noexcept { return stage_ == Stage::over; }
  [[nodiscard]] bool is_viewer() const noexcept { return answer_.stream != nullptr && stage_ == Stage::writing; }
  [[nodiscard]] bool has_asked() const noexcept { return stage_ != Stage::reading; }

  // May be read from. True: there is a request, or a refusal, to be answered.
  [[nodiscard]] bool read(Time now);
  [[nodiscard]] const RequestReader& reader() const noexcept { return reader_; }
  void reply(Answer answer, Time now);
  // May be written to, or a stream went on.
  void write(Time now);
  void end_if_overdue(const PageLimits& limits, Time now) noexcept;

 private:
  enum class Stage {
    reading,
    writing,
    draining,  // all is said; what still comes in is thrown away, so that the answer is not lost by a reset
    over,
  };
  [[nodiscard]] bool has_bytes();
  void drain() noexcept;

  io::FileDescriptor socket_;
  RequestReader reader_{};
  Answer answer_{};
  SharedPiece piece_{};   // that is being written
  std::size_t sent_ = 0;  // of it
  Stage stage_ = Stage::reading;
  Time since_;  // that the stage began, or that a stream last moved
};

}  // namespace heed::live
