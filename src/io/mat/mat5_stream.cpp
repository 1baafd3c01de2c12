// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/mat/mat5_guard.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>

namespace heed::io {

struct Mat5Stream::Inflater {
  Inflater() {
    if (inflateInit(&state) != Z_OK) throw Error(ErrorKind::io, "zlib cannot start");
  }
  ~Inflater() { inflateEnd(&state); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream state{};
  std::array<unsigned char, std::size_t{1} << 15U> input{};
  bool ended = false;
};

Mat5Stream::Mat5Stream(const FileDescriptor& file, FileStretch stretch, bool compressed)
    : file_(file), stretch_(stretch), inflater_(compressed ? std::make_unique<Inflater>() : nullptr) {}

Mat5Stream::~Mat5Stream() = default;

std::string Mat5Stream::place() const {
  if (!inflater_) return "byte " + std::to_string(stretch_.offset + given_);
  return "byte " + std::to_string(given_) + " of the compressed data at byte " + std::to_string(stretch_.offset);
}

// Of the file itself, at most to the end of the stretch; 0 there.
std::size_t Mat5Stream::read_file(std::span<unsigned char> bytes) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), stretch_.bytes - taken_));
  ssize_t count = -1;
  do {
    count = ::pread(file_.get(), bytes.data(), wanted, static_cast<off_t>(stretch_.offset + taken_));
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw Error(ErrorKind::io, "cannot be read (" + reason(errno) + ")");
  taken_ += static_cast<std::uint64_t>(count);
  return static_cast<std::size_t>(count);
}

std::size_t Mat5Stream::inflate_some(std::span<unsigned char> bytes) {
  z_stream& state = inflater_->state;
  state.next_out = bytes.data();
  state.avail_out = static_cast<uInt>(std::min<std::size_t>(bytes.size(), std::size_t{1} << 20U));
  const uInt room = state.avail_out;
  while (state.avail_out == room && !inflater_->ended) {
    if (state.avail_in == 0) {
      state.next_in = inflater_->input.data();
      state.avail_in = static_cast<uInt>(read_file(inflater_->input));
      if (state.avail_in == 0) return 0;
    }
    const int result = inflate(&state, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) {
      throw Error(ErrorKind::bad_data, place() + ": the compressed data are damaged; download the file again");
    }
    inflater_->ended = result == Z_STREAM_END;
  }
  return room - state.avail_out;
}

std::size_t Mat5Stream::read_some(std::span<unsigned char> bytes) {
  const std::size_t count = inflater_ ? inflate_some(bytes) : read_file(bytes);
  given_ += count;
  return count;
}

void Mat5Stream::read(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const std::size_t count = read_some(bytes);
    if (count == 0) {
      throw Error(ErrorKind::bad_data, place() + ": the file ends in the middle of a value; download it again");
    }
    bytes = bytes.subspan(count);
  }
}

void Mat5Stream::skip(std::uint64_t count) {
  if (!inflater_) {
    if (count > stretch_.bytes - taken_) {
      throw Error(ErrorKind::bad_data, place() + ": the file ends in the middle of a value; download it again");
    }
    taken_ += count;
    given_ += count;
    return;
  }
  std::vector<unsigned char> dropped(static_cast<std::size_t>(std::min<std::uint64_t>(count, std::uint64_t{1} << 16U)));
  while (count > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(count, dropped.size()));
    read(std::span(dropped).first(piece));
    count -= piece;
  }
}

bool Mat5Stream::at_end() {
  if (!inflater_) return taken_ == stretch_.bytes;
  std::array<unsigned char, 1> more{};
  return read_some(more) == 0 && inflater_->ended && inflater_->state.avail_in == 0 && taken_ == stretch_.bytes;
}

}  // namespace heed::io
