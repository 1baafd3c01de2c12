// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/connections/line_reader.h>
#include <live/sources/ndjson_reader.h>
#include <live/sources/open_source.h>
#include <live/sources/threaded_source.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace heed::live {
namespace {

// As many as a few lines have. A sender waits where the session is slower: a line is never lost.
constexpr std::size_t places = 16;
constexpr Seconds slice{0.1};  // so soon is a stop noticed
constexpr int slices_before_telling = 10;
constexpr Seconds connecting{5};

class NdjsonStream final : public BlockReader {
 public:
  NdjsonStream(const SourceRequest& request, io::FileDescriptor descriptor)
      : name_(request.address.text == "-" ? "standard input" : request.address.text),
        descriptor_(std::move(descriptor)),
        lines_(descriptor_.get(), NdjsonReader::longest_line),
        reader_(name_) {
    const Waker never;
    for (int slices = 0; !reader_.is_described() && !ended_; ++slices) {
      if (slices == slices_before_telling && request.tell) request.tell("waiting for the first lines of " + name_);
      if (request.stop != nullptr && request.stop->load()) {
        throw Error(ErrorKind::io, "stopped while waiting for the first lines of " + name_);
      }
      read_line(never, slice);
    }
    if (reader_.description().speakers.empty()) {
      throw Error(ErrorKind::bad_data,
                  name_ + R"(: the stream ended before its first line, such as {"speakers":["left","right"]})");
    }
  }

  [[nodiscard]] const StreamDescription& description() const override { return reader_.description(); }

  void run(BlockQueue& queue, const Waker& waker) override {
    constexpr Seconds long_time{3600};  // after which it is waited for again
    Block block;
    while (true) {
      while (reader_.take(block)) {
        if (!queue.put(block)) return;
      }
      if (ended_ || !read_line(waker, long_time)) return;
    }
  }

 private:
  // False: woken.
  bool read_line(const Waker& waker, Seconds patience) {
    try {
      std::string_view line;
      const LineReader::Came came = lines_.next(line, waker, patience);
      ended_ = came == LineReader::Came::rest || came == LineReader::Came::end;
      if (came == LineReader::Came::line) reader_.read(line);
      if (came == LineReader::Came::rest) read_rest(line);
      return came != LineReader::Came::woken;
    } catch (const Error& error) {
      throw error.within(name_);
    }
  }

  // A last line without its end is as good as any if it is whole.
  void read_rest(std::string_view line) {
    try {
      reader_.read(line);
    } catch (const Error& error) {
      throw Error(error.kind(), std::string(error.what()) +
                                    "; the stream ended in the middle of this line: did the sender stop, or was the "
                                    "connection lost?");
    }
  }

  std::string name_;
  io::FileDescriptor descriptor_;
  LineReader lines_;
  NdjsonReader reader_;
  bool ended_ = false;
};

io::FileDescriptor standard_input() {
  io::FileDescriptor descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!descriptor.is_open()) throw Error(ErrorKind::io, "standard input is closed: " + io::reason(errno));
  return descriptor;
}

io::FileDescriptor sender(const SourceRequest& request) {
  const Address& address = request.address;
  if (address.scheme == "-") return standard_input();
  if (whole_option(address, "connect").value_or(0) != 0) {
    return connect_to(address, endpoints_of(address), Waker{}, connecting);
  }
  const Listener listener(address);
  if (request.tell) request.tell("waiting for a sender at " + address.text);
  return listener.accept(request.stop);
}

void check_content(const SourceRequest& request, const StreamDescription& stream) {
  const bool signals = stream.content == StreamContent::signals;
  if (signals && request.scores) {
    throw Error(ErrorKind::bad_data,
                stream.name + ": the stream holds EEG, but scores are expected; leave channels out of its first line");
  }
  if (!signals && request.decoder) {
    throw Error(ErrorKind::bad_data,
                stream.name +
                    ": the stream holds no EEG, which a decoder needs; name rate and channels in its first "
                    "line, or do without a decoder");
  }
}

}  // namespace

std::unique_ptr<Source> open_ndjson(const SourceRequest& request) {
  auto stream = std::make_unique<NdjsonStream>(request, sender(request));
  check_content(request, stream->description());
  return with_sound_files(std::make_unique<ThreadedSource>(std::move(stream), places, WhenFull::wait), request);
}

}  // namespace heed::live
