// SPDX-License-Identifier: MIT
// One request of a browser, read from bytes as they come. Whatever is sent, no more is kept than a short head and a
// short body, and what is not plain HTTP/1.1 is refused with its status.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::live {

struct HttpRequest {
  std::string method{};
  std::string path{};                                          // as it was sent; nothing is decoded
  std::string query{};                                         // what follows ?
  std::vector<std::pair<std::string, std::string>> headers{};  // names in lower case, none twice
  std::string body{};

  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;  // empty: not there
};

class RequestReader {
 public:
  static constexpr std::size_t longest_head = 8192;
  static constexpr std::size_t longest_body = 4096;

  enum class State { reading, complete, refused };

  // Bytes after a complete request are passed over: a connection serves one.
  State take(std::string_view bytes);

  [[nodiscard]] State state() const noexcept { return state_; }
  [[nodiscard]] const HttpRequest& request() const noexcept { return request_; }
  [[nodiscard]] int status() const noexcept { return status_; }  // of a refusal: 400, 411, 413, 431, 501 or 505

 private:
  State refuse(int status);
  [[nodiscard]] bool read_head(std::string_view head);
  [[nodiscard]] bool read_first_line(std::string_view line);
  [[nodiscard]] bool read_header(std::string_view line);
  [[nodiscard]] bool read_length();

  HttpRequest request_{};
  std::string bytes_{};  // of the head
  std::size_t body_size_ = 0;
  bool has_head_ = false;
  int status_ = 0;
  State state_ = State::reading;
};

}  // namespace heed::live
