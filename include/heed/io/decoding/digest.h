// SPDX-License-Identifier: MIT
// A fingerprint of contents: equal contents, equal digest; different contents differ for all practical purposes. Not
// meant against somebody who wants two contents to collide.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heed::io {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  // Parts are told apart: ("ab", "c") is not ("a", "bc").
  Digest& add(std::string_view part);
  // The bytes of a file, its name left out. Throws not_found or io, naming it.
  Digest& add_file(const std::filesystem::path& path);

  [[nodiscard]] std::string hex() const;  // 32 characters, the same on every machine

 private:
  struct State;
  void add_bytes(std::span<const char> bytes);
  std::unique_ptr<State> state_;
};

}  // namespace heed::io
