// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/text_file.h>
#include <study/plan/report_folder.h>

#include <nlohmann/json.hpp>
#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Whose the folder is, and what was written there.
constexpr std::string_view record_name = "reproduce.json";
// Raised whenever results are kept differently.
constexpr int format = 3;

Error not_ours(const fs::path& folder, const std::string& reason) {
  return {ErrorKind::cannot_create, folder.string() + ": " + reason + "; choose another folder, or remove this one"};
}

std::string text_in(const Json& record, const char* key) {
  return record.contains(key) && record[key].is_string() ? record[key].get<std::string>() : "unknown";
}

Json read_record(const fs::path& folder, const std::string& program) {
  Json record = Json::parse(io::read_text_file(folder / record_name), nullptr, false);
  const bool readable = record.is_object() && text_in(record, "Program") == program && record.contains("Key") &&
                        record["Key"].is_string() && record.contains("Files") && record["Files"].is_array();
  if (!readable) throw not_ours(folder, "its " + std::string(record_name) + " was not written by '" + program + "'");
  if (!record.contains("Format") || record["Format"] != format) {
    throw not_ours(folder, "its results were made by an earlier version of heed (" + text_in(record, "Version") +
                               "), which kept them differently");
  }
  return record;
}

}  // namespace

ReportFolder::ReportFolder(fs::path folder, ReportOwner owner) : lock_(std::move(folder)), owner_(std::move(owner)) {
  if (!lock_.is_empty()) {
    if (!fs::exists(path(record_name)))
      throw not_ours(lock_.folder(), "holds something other than results from '" + owner_.program + "'");
    const Json record = read_record(lock_.folder(), owner_.program);
    if (record["Key"] != owner_.key) {
      throw not_ours(lock_.folder(), "holds the results of another cohort (" + text_in(record, "Cohort") + ")");
    }
    for (const Json& file : record["Files"]) {
      if (file.is_string()) earlier_.insert(file.get<std::string>());
    }
  }
  write_record(earlier_);
}

void ReportFolder::write_record(const std::set<std::string>& files) const {
  const Json record{{"Program", owner_.program}, {"Format", format},  {"Version", version()},
                    {"Cohort", owner_.cohort},   {"Key", owner_.key}, {"Files", files}};
  io::write_text_file(path(record_name), record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void ReportFolder::write(const std::string& name, std::string_view text) {
  const fs::path target = path(name);
  std::error_code failure;
  fs::create_directories(target.parent_path(), failure);
  if (failure) {
    throw Error(ErrorKind::cannot_create,
                target.parent_path().string() + ": cannot be created as a folder (" + failure.message() + ")");
  }
  io::write_text_file(target, text);
  written_.insert(name);
}

void ReportFolder::finish() {
  for (const std::string& name : earlier_) {
    const fs::path file = path(name).lexically_normal();
    const bool inside =
        !fs::path(name).is_absolute() && !name.starts_with("..") && name.find("/../") == std::string::npos;
    std::error_code failure;
    if (inside && !written_.contains(name)) fs::remove(file, failure);
  }
  write_record(written_);
}

}  // namespace heed::study
