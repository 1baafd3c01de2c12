// SPDX-License-Identifier: MIT
// Numbers and texts between two processes of one program, over a socket. Nothing is interpreted: both ends are ours,
// but what comes from the other may end at any byte.
#pragma once

#include <io/open_file.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

class Channel {
 public:
  explicit Channel(FileDescriptor socket) : socket_(std::move(socket)) {}

  // Each throws Broken where the other end is gone, or silent for too long.
  struct Broken {};
  void put(std::uint64_t number) { put_bytes(&number, sizeof number); }
  void put(const std::string& text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t value = 0;
    get_bytes(&value, sizeof value);
    return value;
  }
  [[nodiscard]] std::string text() {
    std::string value(checked(number()), '\0');
    get_bytes(value.data(), value.size());
    return value;
  }
  // For long ones: straight into their place.
  void put_bytes(const void* bytes, std::size_t count);
  void get_bytes(void* bytes, std::size_t count);

 private:
  static std::size_t checked(std::uint64_t bytes);

  FileDescriptor socket_;
};

}  // namespace heed::io
