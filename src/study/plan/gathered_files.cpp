// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/result_table_file.h>
#include <io/text_file.h>
#include <study/plan/gathered_files.h>

namespace heed::study {

namespace fs = std::filesystem;

std::string main_table(const Study& study) {
  if (study.measure == StudyMeasure::trace) return "trace";
  return study.measure == StudyMeasure::independence ? "lags" : "tracking";
}

fs::path file_of_table(const fs::path& table, const std::string& name, const std::string& main) {
  if (name == main) return table;
  fs::path beside = table;
  return beside.replace_filename(table.stem().string() + "_" + name + table.extension().string());
}

fs::path sidecar_of(const fs::path& table) {
  fs::path sidecar = table;
  return sidecar.replace_extension(".json");
}

GatheredStudy read_gathered(const fs::path& table) {
  const fs::path beside = sidecar_of(table);
  GatheredSidecar sidecar = parse_gathered(io::read_text_file(beside), beside.string());
  StudyResult& result = sidecar.gathered.result;
  for (const std::string& name : sidecar.tables) {
    const fs::path file = file_of_table(table, name, main_table(result.study));
    try {
      result.tables.push_back({name, io::parse_table(io::read_text_file(file))});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data) throw;
      throw error.within(file.string());
    }
  }
  judge_applicability(result, settings_of(result.study), sidecar.left_out);
  return std::move(sidecar.gathered);
}

}  // namespace heed::study
