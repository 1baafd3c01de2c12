// SPDX-License-Identifier: MIT
#include <io/bids/inheritance.h>
#include <io/discovery.h>
#include <io/entities.h>

#include <algorithm>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

void sort_by_name(std::vector<fs::path>& paths) {
  std::ranges::sort(paths, [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
}

bool applies(const FileEntities& file, const FileEntities& recording) {
  return std::ranges::all_of(file.pairs, [&](const auto& pair) { return recording.value(pair.first) == pair.second; });
}

}  // namespace

const BidsTree::Listing& BidsTree::listing(const fs::path& folder) {
  const auto [known, is_new] = listings_.try_emplace(folder);
  if (!is_new || !fs::is_directory(folder)) return known->second;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with('.')) continue;
      (entry.is_directory() ? known->second.folders : known->second.files).push_back(entry.path());
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorKind::io, folder.string() + ": cannot be searched (" + failure.code().message() + ")");
  }
  sort_by_name(known->second.files);
  sort_by_name(known->second.folders);
  return known->second;
}

const std::vector<fs::path>& BidsTree::files(const fs::path& folder) { return listing(folder).files; }
const std::vector<fs::path>& BidsTree::folders(const fs::path& folder) { return listing(folder).folders; }

std::vector<fs::path> BidsTree::applying(const fs::path& recording, std::string_view suffix,
                                         std::string_view extension) {
  const FileEntities wanted = parse_entities(recording);
  std::vector<fs::path> result;
  fs::path folder = root_;
  fs::path below = recording.lexically_relative(root_).parent_path();
  for (auto step = below.begin();; ++step) {
    std::vector<fs::path> here;
    for (const fs::path& file : files(folder)) {
      if (file.extension() != extension) continue;
      const FileEntities entities = parse_entities(file);
      if (entities.suffix == suffix && applies(entities, wanted)) here.push_back(file);
    }
    std::ranges::stable_sort(here, {}, [](const fs::path& file) { return parse_entities(file).pairs.size(); });
    result.insert(result.end(), here.begin(), here.end());
    if (step == below.end()) return result;
    folder /= *step;
  }
}

std::optional<fs::path> BidsTree::closest(const fs::path& recording, std::string_view suffix,
                                          std::string_view extension) {
  const std::vector<fs::path> all = applying(recording, suffix, extension);
  return all.empty() ? std::nullopt : std::optional(all.back());
}

std::string BidsTree::shown(const fs::path& file) const { return file.lexically_relative(root_).string(); }

std::string BidsTree::without_place(const Error& error, const fs::path& file) {
  const std::string_view message = error.what();
  const std::string place = file.string() + ": ";
  return std::string(message.starts_with(place) ? message.substr(place.size()) : message);
}

}  // namespace heed::io
