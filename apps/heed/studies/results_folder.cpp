// SPDX-License-Identifier: MIT
#include "studies/results_folder.h"

#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/report/render.h>
#include <io/atomic_file.h>
#include <io/result_table_file.h>
#include <io/text_file.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "json_value.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Whose the folder is, and what was written there.
constexpr std::string_view record_name = "reproduce.json";

Error not_ours(const fs::path& folder, const std::string& what) {
  return {ErrorKind::cannot_create,
          folder.string() + ": " + what + "; choose another folder with -o, or remove this one"};
}

Json read_record(const fs::path& folder, const std::string& program) {
  Json record = Json::parse(io::read_text_file(folder / record_name), nullptr, false);
  const bool readable = record.is_object() && record.value("Program", "") == program && record.contains("Key") &&
                        record["Key"].is_string() && record.contains("Files") && record["Files"].is_array();
  if (!readable) throw not_ours(folder, "its " + std::string(record_name) + " is not one of '" + program + "'");
  return record;
}

}  // namespace

ResultsFolder::ResultsFolder(fs::path folder, ResultsOwner owner)
    : folder_(std::move(folder)), owner_(std::move(owner)) {
  std::error_code failure;
  if (fs::exists(folder_, failure) && !fs::is_directory(folder_)) throw not_ours(folder_, "a file is in its place");
  if (fs::is_directory(folder_, failure) && !fs::is_empty(folder_)) {
    if (!fs::exists(folder_ / record_name))
      throw not_ours(folder_, "holds something other than results of '" + owner_.program + "'");
    const Json record = read_record(folder_, owner_.program);
    if (record["Key"] != owner_.key) {
      throw not_ours(folder_, "holds the results of another cohort (" + record.value("Cohort", "not said") + ")");
    }
    for (const Json& file : record["Files"]) {
      if (file.is_string()) earlier_.insert(file.get<std::string>());
    }
  }
  fs::create_directories(folder_, failure);
  if (failure) {
    throw Error(ErrorKind::cannot_create,
                folder_.string() + ": cannot be made (" + failure.message() + "); choose another folder with -o");
  }
  write_record(earlier_);
}

void ResultsFolder::write_record(const std::set<std::string>& files) const {
  const Json record{{"Program", owner_.program},
                    {"Version", version()},
                    {"Cohort", owner_.cohort},
                    {"Key", owner_.key},
                    {"Files", files}};
  io::write_text_file(folder_ / record_name, json_text(record));
}

void ResultsFolder::write(const std::string& name, std::string_view text) {
  const fs::path target = folder_ / name;
  std::error_code failure;
  fs::create_directories(target.parent_path(), failure);
  io::write_text_file(target, text);
  written_.insert(name);
}

void ResultsFolder::finish() {
  for (const std::string& name : earlier_) {
    const fs::path file = (folder_ / name).lexically_normal();
    const bool inside =
        !fs::path(name).is_absolute() && !name.starts_with("..") && name.find("/../") == std::string::npos;
    std::error_code failure;
    if (inside && !written_.contains(name)) fs::remove(file, failure);
  }
  write_record(written_);
}

void write_pages(ResultsFolder& folder, const report::StudyReport& report) {
  const report::StudyPages pages = report::study_pages(report);
  for (const report::NamedDrawing& figure : pages.figures) {
    folder.write("figures/" + figure.name + ".svg", report::render(figure.drawing, report::FigureFormat::svg));
  }
  for (const NamedTable& table : pages.tables)
    folder.write("tables/" + table.name + ".tsv", io::table_text(table.table));
  folder.write("report.html", pages.html);
  folder.finish();
}

}  // namespace heed::app
