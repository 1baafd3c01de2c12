// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/cohort.h>
#include <heed/io/entities.h>
#include <heed/io/score_file.h>
#include <heed/io/text_file.h>
#include <heed/io/tsv.h>

#include <algorithm>
#include <cmath>
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

// Numbers in names count by value: run-2 before run-10.
bool natural_less(std::string_view a, std::string_view b) {
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

bool comes_before(const fs::path& a, const fs::path& b) {
  const std::string a_name = a.filename().string();
  const std::string b_name = b.filename().string();
  if (natural_less(a_name, b_name)) return true;
  if (natural_less(b_name, a_name)) return false;
  return a < b;
}

void append_folder(const fs::path& folder, std::vector<fs::path>& files) {
  const std::size_t before = files.size();
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().filename().string().ends_with("_scores.tsv") && !entry.is_directory()) {
        files.push_back(entry.path());
      }
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorKind::io, folder.string() + ": cannot be searched (" + failure.code().message() + ")");
  }
  if (files.size() == before) {
    throw Error(ErrorKind::not_found, folder.string() + ": no *_scores.tsv in this folder or below");
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

struct Group {
  std::string subject;  // empty: a file by itself
  std::vector<fs::path> files;
};

std::vector<Group> group_by_subject(std::span<const fs::path> files) {
  std::vector<Group> groups;
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
  return groups;
}

// Scores of one participant made in different ways are alternatives, not trials.
void check_one_choice(const Group& group) {
  for (const std::string key : {"window", "decoder", "desc"}) {
    std::set<std::string> values;
    for (const fs::path& file : group.files) {
      const FileEntities entities = parse_entities(file);
      const std::string_view value = entities.value(key);
      values.insert(value.empty() ? "none" : key + "-" + std::string(value));
    }
    if (values.size() < 2) continue;
    std::string choices;
    for (const std::string& value : values) choices += (choices.empty() ? "" : ", ") + value;
    throw Error(ErrorKind::bad_data, "sub-" + group.subject + ": its files differ in " + key + "- (" + choices +
                                         "); choose one, e.g. *_" + *values.begin() + "_*scores.tsv");
  }
}

// What has to agree between files, and the file it was first seen in.
struct Common {
  fs::path file;
  std::size_t speakers = 0;
  Seconds window;
  ScoreType type = ScoreType::correlation;
};

Common common_of(const fs::path& file, const ScoredParticipant& participant) {
  return {file, participant.speakers.size(), participant.trials.front().scores.window, participant.type};
}

void check_agreement(const Common& a, const Common& b) {
  constexpr double relative_tolerance = 1e-6;
  const auto differ = [&](const std::string& in_a, const std::string& in_b) {
    return Error(ErrorKind::bad_data, input_name(a.file) + " has " + in_a + ", " + input_name(b.file) + " has " + in_b +
                                          "; files taken together must agree");
  };
  if (a.speakers != b.speakers) {
    throw differ(std::to_string(a.speakers) + " speakers", std::to_string(b.speakers) + " speakers");
  }
  if (std::abs(a.window.value - b.window.value) > relative_tolerance * a.window.value) {
    throw differ("windows of " + number_text(a.window.value, 9) + " s",
                 "windows of " + number_text(b.window.value, 9) + " s");
  }
  const auto type_name = [](ScoreType type) { return type == ScoreType::correlation ? "correlations" : "log-odds"; };
  if (a.type != b.type) throw differ(type_name(a.type), type_name(b.type));
}

ScoreFile read_with_warnings(const fs::path& file, std::vector<std::string>& warnings) {
  ScoreFile result = read_scores(file);
  for (const std::string& warning : result.warnings) warnings.push_back(input_name(file) + ": " + warning);
  return result;
}

// Each file's trials get names of their own; files called alike are told apart by their path.
class TrialNamer {
 public:
  void name(const fs::path& file, ScoredParticipant& participant) {
    std::string label = name_without_suffix(file);
    if (!labels_.insert(label).second) label = file.generic_string();
    for (ScoredTrial& trial : participant.trials) trial.name = label + (trial.name.empty() ? "" : "/" + trial.name);
  }

 private:
  std::set<std::string> labels_;
};

ScoredParticipant read_group(const Group& group, std::vector<std::string>& warnings) {
  check_one_choice(group);
  ScoredParticipant result = read_with_warnings(group.files.front(), warnings).participant;
  if (group.files.size() == 1) return result;
  const Common first = common_of(group.files.front(), result);
  TrialNamer namer;
  namer.name(group.files.front(), result);
  for (const fs::path& file : std::span(group.files).subspan(1)) {
    ScoredParticipant next = read_with_warnings(file, warnings).participant;
    check_agreement(first, common_of(file, next));
    if (next.speakers != result.speakers) {
      throw Error(ErrorKind::bad_data, input_name(first.file) + " and " + input_name(file) +
                                           " name the speakers of sub-" + group.subject +
                                           " differently; use the same columns in the same order");
    }
    namer.name(file, next);
    std::ranges::move(next.trials, std::back_inserter(result.trials));
  }
  return result;
}

}  // namespace

std::vector<fs::path> find_score_files(std::span<const fs::path> paths) {
  if (paths.empty()) throw Error(ErrorKind::invalid_argument, "no score files given");
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
      append_folder(path, files);
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

ScoresCohort read_scores_cohort(std::span<const fs::path> paths) {
  const std::vector<fs::path> files = find_score_files(paths);
  ScoresCohort cohort;
  std::optional<Common> first;
  std::set<std::string> ids;
  for (const Group& group : group_by_subject(files)) {
    ScoredParticipant participant = read_group(group, cohort.warnings);
    const Common common = common_of(group.files.front(), participant);
    if (!first) first = common;
    check_agreement(*first, common);
    // Files of the same name in different folders, without sub-: the path tells them apart.
    if (!ids.insert(participant.id).second) participant.id = group.files.front().generic_string();
    cohort.participants.push_back(std::move(participant));
  }
  return cohort;
}

}  // namespace heed::io
