// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/discovery.h>
#include <io/text_file.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// The run of digits at the start, without leading zeros.
std::string_view leading_number(std::string_view text, std::size_t& length) {
  length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view number = text.substr(0, length);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool comes_before(const fs::path& a, const fs::path& b) {
  const std::string a_name = a.filename().string();
  const std::string b_name = b.filename().string();
  if (natural_less(a_name, b_name)) return true;
  if (natural_less(b_name, a_name)) return false;
  return a < b;
}

void append_folder(const fs::path& folder, std::span<const std::string_view> endings, std::vector<fs::path>& files) {
  const std::size_t before = files.size();
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const auto ends_it = [&](std::string_view ending) { return name.ends_with(ending); };
      std::error_code unreadable;  // a link to itself: told when it is opened
      if (std::ranges::any_of(endings, ends_it) && !entry.is_directory(unreadable)) files.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorKind::io, folder.string() + ": cannot be searched (" + failure.code().message() + ")");
  }
  if (files.size() == before) {
    std::string wanted;
    for (const std::string_view ending : endings) wanted += (wanted.empty() ? "*" : " or *") + std::string(ending);
    throw Error(ErrorKind::not_found, folder.string() + ": no " + wanted + " in this folder or below");
  }
}

void check_no_file_twice(std::span<const fs::path> files) {
  std::set<fs::path> seen;
  for (const fs::path& file : files) {
    std::error_code failure;
    const fs::path real = is_standard_stream(file) ? file : fs::weakly_canonical(file, failure);
    if (!seen.insert(real).second) {
      throw Error(ErrorKind::bad_data, input_name(file) + ": the file is given twice; its windows would count twice");
    }
  }
}

Error differing(const std::string& subject, const std::string& key, const std::set<std::string>& values) {
  std::string choices = *values.begin();
  for (auto value = std::next(values.begin()); value != values.end(); ++value) choices.append(", ").append(*value);
  return {ErrorKind::bad_data,
          "sub-" + subject + ": its files differ in " + key + "- (" + choices + "); give the files of only one"};
}

void check_one_value(const ParticipantFiles& participant, const std::string& key) {
  std::set<std::string> values;
  for (const fs::path& file : participant.files) {
    const FileEntities entities = parse_entities(file);
    const std::string_view value = entities.value(key);
    values.insert(value.empty() ? "none" : key + "-" + std::string(value));
  }
  if (values.size() > 1) throw differing(participant.subject, key, values);
}

void check_told_apart(std::span<const ParticipantFiles> participants) {
  std::map<std::string, std::string> names;
  for (const ParticipantFiles& participant : participants) {
    const std::string id = participant_id(participant.files.front());
    const std::string& before = names.try_emplace(without_case(id), id).first->second;
    if (before == id) continue;
    throw Error(ErrorKind::bad_data, input_name(participant.files.front()) + ": participant " + id + " differs from " +
                                         before + " in upper and lower case only, which many disks do not tell apart;" +
                                         " rename one of them");
  }
}

}  // namespace

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

std::string without_case(std::string_view name) {
  std::string result(name);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool natural_less(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      std::size_t a_length = 0;
      std::size_t b_length = 0;
      const std::string_view a_number = leading_number(a, a_length);
      const std::string_view b_number = leading_number(b, b_length);
      if (a_number != b_number) {
        return std::make_tuple(a_number.size(), a_number) < std::make_tuple(b_number.size(), b_number);
      }
      a.remove_prefix(a_length);
      b.remove_prefix(b_length);
    } else {
      if (a[0] != b[0]) return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

std::vector<fs::path> find_files(std::span<const fs::path> paths, std::string_view ending) {
  return find_files(paths, std::span(&ending, 1));
}

std::vector<fs::path> find_files(std::span<const fs::path> paths, std::span<const std::string_view> endings) {
  if (paths.empty()) throw Error(ErrorKind::invalid_argument, "no files given");
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
      append_folder(path, endings, files);
    } else if (is_standard_stream(path) || fs::exists(path, failure)) {
      files.push_back(path);
    } else {
      throw Error(ErrorKind::not_found, path.string() + ": no such file or folder");
    }
  }
  std::ranges::sort(files, comes_before);
  check_no_file_twice(files);
  return files;
}

std::vector<ParticipantFiles> group_by_participant(std::span<const fs::path> files) {
  std::vector<ParticipantFiles> groups;
  std::map<std::string, std::size_t> group_of;
  for (const fs::path& file : files) {
    const std::string subject(parse_entities(file).value("sub"));
    const auto [known, is_new] = group_of.try_emplace(subject, groups.size());
    if (subject.empty() || is_new) {
      groups.push_back({subject, {file}});
    } else {
      groups[known->second].files.push_back(file);
    }
  }
  check_told_apart(groups);
  return groups;
}

std::vector<ParticipantFiles> group_by_window(const ParticipantFiles& participant) {
  for (const char* key : {"decoder", "desc"}) check_one_value(participant, key);
  std::vector<ParticipantFiles> groups;
  std::map<std::string, std::size_t> group_of;
  for (const fs::path& file : participant.files) {
    const auto [known, is_new] = group_of.try_emplace(std::string(parse_entities(file).value("window")), groups.size());
    if (is_new) groups.push_back({participant.subject, {}});
    groups[known->second].files.push_back(file);
  }
  return groups;
}

void check_one_choice(const ParticipantFiles& participant) {
  for (const char* key : {"window", "decoder", "desc"}) check_one_value(participant, key);
}

}  // namespace heed::io
