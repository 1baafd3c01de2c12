// SPDX-License-Identifier: MIT
#include <live/page/http_request.h>

#include <algorithm>
#include <charconv>

namespace heed::live {
namespace {

constexpr std::size_t most_headers = 64;

bool is_token(std::string_view text) {
  constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
  const auto allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           signs.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

// No control character can hide in what is read, and so none in what is answered.
bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= ' ' && c != 0x7f) || c < 0; });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const noexcept {
  for (const auto& [known, value] : headers) {
    if (known == name) return value;
  }
  return {};
}

RequestReader::State RequestReader::refuse(int status) {
  status_ = status;
  bytes_.clear();
  return state_ = State::refused;
}

bool RequestReader::read_first_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  const std::string_view version = line.substr(second + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    status_ = version.starts_with("HTTP/") ? 505 : 400;
    return false;
  }
  request_.method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, second - first - 1);
  const std::size_t question = std::min(target.find('?'), target.size());
  request_.path = target.substr(0, question);
  request_.query = target.substr(std::min(question + 1, target.size()));
  return is_token(request_.method) && target.starts_with('/') && is_printable(target);
}

bool RequestReader::read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  const std::string_view value = trimmed(line.substr(colon + 1));
  std::string name = lower(line.substr(0, colon));
  // Two of a kind: whoever reads the first and whoever reads the second would disagree.
  const bool known = std::ranges::any_of(request_.headers, [&](const auto& header) { return header.first == name; });
  if (known || !is_printable(value) || request_.headers.size() == most_headers) return false;
  request_.headers.emplace_back(std::move(name), value);
  return true;
}

// True: the body can be read.
bool RequestReader::read_length() {
  if (!request_.header("transfer-encoding").empty()) {
    status_ = 501;
    return false;
  }
  const std::string_view text = request_.header("content-length");
  if (text.empty()) {
    status_ = 411;
    return request_.method != "POST";
  }
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), body_size_);
  if (failure == std::errc::invalid_argument || end != text.data() + text.size()) return false;
  status_ = 413;
  return failure == std::errc{} && body_size_ <= longest_body;
}

bool RequestReader::read_head(std::string_view head) {
  status_ = 400;
  std::size_t line_end = head.find("\r\n");
  if (!read_first_line(head.substr(0, line_end))) return false;
  while (line_end < head.size()) {
    const std::size_t begin = line_end + 2;
    line_end = std::min(head.find("\r\n", begin), head.size());
    if (!read_header(head.substr(begin, line_end - begin))) return false;
  }
  return read_length();
}

RequestReader::State RequestReader::take(std::string_view bytes) {
  if (state_ != State::reading) return state_;
  if (has_head_) {
    request_.body.append(bytes.substr(0, body_size_ - request_.body.size()));
  } else {
    // Head and body together are short: what lies beyond is not kept.
    bytes_.append(bytes.substr(0, longest_head + 4 + longest_body - std::min(bytes_.size(), longest_head)));
    const std::size_t end = bytes_.find("\r\n\r\n");
    if (std::min(end, bytes_.size()) > longest_head) return refuse(431);
    if (end == std::string::npos) return state_;
    if (!read_head(std::string_view(bytes_).substr(0, end))) return refuse(status_);
    has_head_ = true;
    request_.body = bytes_.substr(end + 4, body_size_);
    bytes_.clear();
  }
  if (request_.body.size() == body_size_) state_ = State::complete;
  return state_;
}

}  // namespace heed::live
