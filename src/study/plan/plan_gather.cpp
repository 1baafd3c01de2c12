// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/result_table_file.h>
#include <study/plan/gathered_files.h>
#include <study/plan/plan_gather.h>

#include <list>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

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

CellSource kept_in(const CellStore& store, const Plan& plan) {
  return [&](CellPlace place) -> std::optional<Cell> {
    auto found = store.find(plan.key(place));
    return found ? std::optional(cell_of(std::move(*found))) : std::nullopt;
  };
}

}  // namespace

GatherReport gather_plan(const PlanFolder& folder, const fs::path& table, const GatherOptions& options) {
  const Plan& plan = folder.plan();
  const CellStore store(folder.cells());
  GrowingTables tables(table, main_table(plan.study()));
  const Assembled assembled =
      assemble(plan.study(), plan.grid(), kept_in(store, plan),
               [&](const std::string& name, const ResultTable& rows) { tables.append(name, rows); });
  if (assembled.missing > 0 && !options.partial) {
    throw Error(ErrorKind::bad_data, folder.folder().string() + ": " + std::to_string(assembled.missing) + " of " +
                                         std::to_string(plan.grid().size()) +
                                         " cells are missing; finish them with 'heed study run " +
                                         folder.folder().string() + "', or gather what is there with --partial");
  }
  tables.commit(gathered_json(plan, assembled, tables.names()));
  return {.cells = plan.grid().size(), .missing = assembled.missing, .files = tables.files()};
}

StudyResult result_of(const Plan& plan, const CellStore& cells) {
  const CellSource kept = kept_in(cells, plan);
  return assemble_result(plan.study(), plan.grid(), [&](CellPlace place) {
    auto cell = kept(place);
    if (!cell) {
      throw Error(ErrorKind::bad_data,
                  cells.file_of(plan.key(place)).string() + ": this cell is missing or damaged; run the study again");
    }
    return cell;
  });
}

}  // namespace heed::study
