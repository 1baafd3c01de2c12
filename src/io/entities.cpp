// SPDX-License-Identifier: MIT
#include <io/entities.h>
#include <io/text_file.h>

#include <algorithm>

namespace heed::io {

std::string_view FileEntities::value(std::string_view key) const noexcept {
  const auto found = std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first);
  return found == pairs.end() ? std::string_view{} : std::string_view(found->second);
}

// The extension begins at the last dot: a value may hold one (window-0.5s).
FileEntities parse_entities(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  FileEntities result;
  for (std::size_t begin = 0; begin <= stem.size();) {
    const std::size_t end = std::min(stem.find('_', begin), stem.size());
    const std::string part = stem.substr(begin, end - begin);
    const std::size_t dash = part.find('-');
    const bool is_pair = dash != std::string::npos && dash > 0 && dash + 1 < part.size();
    if (is_pair) {
      result.pairs.emplace_back(part.substr(0, dash), part.substr(dash + 1));
    } else if (end == stem.size()) {
      result.suffix = part;
    }
    begin = end + 1;
  }
  return result;
}

std::string name_without_suffix(const std::filesystem::path& file) {
  std::string stem = file.stem().string();
  for (const std::string_view suffix : {"_scores", "_posterior", "_reconstruction"}) {
    if (stem.size() > suffix.size() && stem.ends_with(suffix)) {
      stem.erase(stem.size() - suffix.size());
      break;
    }
  }
  return stem;
}

std::string participant_id(const std::filesystem::path& file) {
  if (is_standard_stream(file)) return "stdin";
  const FileEntities entities = parse_entities(file);
  const std::string_view subject = entities.value("sub");
  return subject.empty() ? name_without_suffix(file) : std::string(subject);
}

}  // namespace heed::io
