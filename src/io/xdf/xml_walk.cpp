// SPDX-License-Identifier: MIT
#include <io/recording/header_text.h>
#include <io/xdf/xml_walk.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace heed::io {
namespace {

constexpr std::size_t deepest = 32;
constexpr std::size_t longest_text = 4096;  // of one element; what is longer is cut
constexpr std::size_t longest_path = 4096;

constexpr std::array<std::pair<std::string_view, char>, 5> entities{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

void append_utf8(std::uint32_t code, std::string& text) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x110000U) {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// What stands between & and ; where it is known.
bool append_entity(std::string_view name, std::string& text) {
  for (const auto& [known, letter] : entities) {
    if (name == known) {
      text += letter;
      return true;
    }
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
  if (failure != std::errc{} || end != name.data() + name.size()) return false;
  append_utf8(code, text);
  return true;
}

std::string decoded(std::string_view raw) {
  constexpr std::size_t longest_entity = 10;
  std::string text;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] == '&') {
      const std::size_t end = raw.substr(at, longest_entity).find(';');
      if (end != std::string_view::npos && append_entity(raw.substr(at + 1, end - 1), text)) {
        at += end;
        continue;
      }
    }
    text += raw[at];
  }
  return clean_text(trimmed(text));
}

class Walk {
 public:
  Walk(std::string_view text, const std::function<void(std::string_view, const std::string&)>& closed)
      : rest_(text), closed_(closed) {}

  bool run() {
    while (!rest_.empty()) {
      const std::size_t tag = std::min(rest_.find('<'), rest_.size());
      add_text(rest_.substr(0, tag));
      rest_.remove_prefix(tag);
      if (!rest_.empty() && !markup()) return false;
    }
    return texts_.empty();
  }

 private:
  void add_text(std::string_view raw) {
    if (texts_.empty()) return;
    std::string& text = texts_.back();
    text += raw.substr(0, longest_text - std::min(longest_text, text.size()));
  }

  bool skip_past(std::string_view end) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + end.size());
    return true;
  }

  bool markup() {
    if (rest_.starts_with("<!--")) return skip_past("-->");
    if (rest_.starts_with("<?")) return skip_past("?>");
    if (rest_.starts_with("<![CDATA[")) {
      const std::size_t end = rest_.find("]]>");
      if (end == std::string_view::npos) return false;
      add_text(xml_escaped(rest_.substr(9, end - 9)));
      return skip_past("]]>");
    }
    if (rest_.starts_with("<!")) return skip_past(">");
    const std::size_t end = rest_.find('>');
    if (end == std::string_view::npos) return false;
    const std::string_view tag = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return tag.starts_with('/') ? close(trimmed(tag.substr(1))) : open(tag);
  }

  bool open(std::string_view tag) {
    const bool is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n"));
    if (name.empty() || texts_.size() == deepest || path_.size() + name.size() > longest_path) return false;
    if (!path_.empty()) path_ += '/';
    path_ += name;
    texts_.emplace_back();
    return !is_empty || close(name);
  }

  bool close(std::string_view name) {
    const std::size_t slash = path_.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    if (texts_.empty() || std::string_view(path_).substr(begin) != name) return false;
    closed_(path_, decoded(texts_.back()));
    texts_.pop_back();
    path_.resize(slash == std::string::npos ? 0 : slash);
    return true;
  }

  std::string_view rest_;
  const std::function<void(std::string_view, const std::string&)>& closed_;
  std::string path_{};
  std::vector<std::string> texts_{};  // of the open elements
};

}  // namespace

bool walk_xml(std::string_view text, const std::function<void(std::string_view, const std::string&)>& closed) {
  return Walk(text, closed).run();
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace heed::io
