// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <io/open_file.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <vector>

// Compiled in: the library's own functions are not needed at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heed::io {

struct Digest::State {
  XXH3_state_t hash;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add_bytes(std::span<const char> bytes) { XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size()); }

Digest& Digest::add(std::string_view part) {
  add_bytes(part);
  // The length behind each part, lowest byte first, keeps parts apart.
  std::array<char, sizeof(std::uint64_t)> length{};
  for (std::size_t k = 0; k < length.size(); ++k) {
    length[k] = static_cast<char>(static_cast<std::uint64_t>(part.size()) >> (8 * k));
  }
  add_bytes(length);
  return *this;
}

Digest& Digest::add_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    const ErrorKind kind = errno == ENOENT ? ErrorKind::not_found : ErrorKind::io;
    throw Error(kind, path.string() + ": cannot be read (" + reason(errno) + ")");
  }
  constexpr std::size_t block = std::size_t{1} << 20U;
  std::vector<char> buffer(block);
  Digest content;
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, path.string() + ": reading failed (" + reason(errno) + ")");
    if (count == 0) break;
    content.add_bytes({buffer.data(), static_cast<std::size_t>(count)});
  }
  return add(content.hex());
}

std::string Digest::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->hash));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xFU];
  }
  return text;
}

}  // namespace heed::io
