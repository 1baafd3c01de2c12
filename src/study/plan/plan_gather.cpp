// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/result_table_file.h>
#include <io/text_file.h>
#include <study/plan/plan_gather.h>

#include <list>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

// Of a study's tables, the one that is TABLE.tsv itself.
std::string main_table(const Study& study) {
  if (study.measure == StudyMeasure::trace) return "trace";
  return study.measure == StudyMeasure::independence ? "lags" : "tracking";
}

// TABLE.tsv for the main one, TABLE_NAME.tsv beside it for others.
fs::path file_of_table(const fs::path& table, const std::string& name, const std::string& main) {
  if (name == main) return table;
  fs::path beside = table;
  return beside.replace_filename(table.stem().string() + "_" + name + table.extension().string());
}

fs::path sidecar_of(const fs::path& table) {
  fs::path sidecar = table;
  return sidecar.replace_extension(".json");
}

// Tables as they grow, in files that wait for their names.
class GrowingTables {
 public:
  GrowingTables(fs::path table, std::string main) : table_(std::move(table)), main_(std::move(main)) {}

  void append(const std::string& name, const ResultTable& rows) {
    const std::string text = io::table_text(rows);
    for (Growing& one : growing_) {
      if (one.name == name) return one.file.append(std::string_view(text).substr(text.find('\n') + 1));
    }
    growing_.emplace_back(name, file_of_table(table_, name, main_)).file.append(text);
    names_.push_back(name);
    files_.push_back(file_of_table(table_, name, main_));
  }

  // All of them, and the JSON, or none.
  void commit(const std::string& json) {
    io::StagedFile sidecar(sidecar_of(table_), json);
    for (Growing& one : growing_) one.file.finish();
    for (Growing& one : growing_) one.file.commit();
    sidecar.commit();
    files_.push_back(sidecar_of(table_));
  }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<fs::path>& files() const noexcept { return files_; }

 private:
  struct Growing {
    Growing(std::string of, const fs::path& path) : name(std::move(of)), file(path) {}
    std::string name;
    io::StagedFile file;
  };
  fs::path table_;
  std::string main_;
  std::list<Growing> growing_;
  std::vector<std::string> names_;
  std::vector<fs::path> files_;
};

OutcomeSource kept_in(const ResultStore& results, const Plan& plan) {
  return [&](OutcomePlace place) { return results.find(plan.participants()[place.participant].id, plan.key(place)); };
}

}  // namespace

GatherReport gather_plan(const PlanFolder& folder, const fs::path& table, const GatherOptions& options) {
  const Plan& plan = folder.plan();
  const ResultStore results(folder.results());
  GrowingTables tables(table, main_table(plan.study()));
  const Assembled assembled =
      assemble(plan.study(), plan.grid(), kept_in(results, plan),
               [&](const std::string& name, const ResultTable& rows) { tables.append(name, rows); });
  if (assembled.missing > 0 && !options.partial) {
    throw Error(ErrorKind::bad_data, folder.folder().string() + ": " + std::to_string(assembled.missing) + " of " +
                                         std::to_string(plan.grid().size()) +
                                         " results are missing; finish the plan, or gather what is there");
  }
  tables.commit(gathered_json(plan, assembled, tables.names()));
  return {.results = plan.grid().size(), .missing = assembled.missing, .files = tables.files()};
}

StudyResult result_of(const Plan& plan, const ResultStore& results) {
  const OutcomeSource kept = kept_in(results, plan);
  return assemble_result(plan.study(), plan.grid(), [&](OutcomePlace place) {
    auto outcome = kept(place);
    if (!outcome) {
      throw Error(ErrorKind::bad_data, results.file_of(plan.participants()[place.participant].id).string() +
                                           ": a result is missing; run the study again");
    }
    return outcome;
  });
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
  judge_applicability(result, sidecar.left_out);
  return std::move(sidecar.gathered);
}

}  // namespace heed::study
