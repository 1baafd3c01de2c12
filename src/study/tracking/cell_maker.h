// SPDX-License-Identifier: MIT
// Cells made from scores that are there, group by group: models and log-likelihoods are shared by the settings of a
// group, and learnt for those participants only whose cells are wanted.
#pragma once

#include <study/cell_grid.h>
#include <study/cells/cell.h>
#include <study/run_study.h>

#include <functional>
#include <span>

namespace heed::study {

class PreparedGroup;

class CellMaker {
 public:
  // All must outlive it; the grid is that of the study and the cohort the scores are of.
  CellMaker(const Study& study, const CellGrid& grid, const ScoreLibrary& scores, const RunOptions& options);

  using Done = std::function<void(CellPlace, const Cell&)>;
  // Hands out every cell as soon as it is made, from several threads at once. What `done` throws ends it.
  void make(std::span<const CellPlace> wanted, const Done& done) const;

 private:
  struct Row;  // of one participant: the settings wanted
  using Rows = std::vector<Row>;

  void make_lags(std::span<const CellPlace> wanted, const Done& done) const;
  void make_group(const std::vector<std::size_t>& members, const Rows& rows, const Done& done) const;
  void follow(const PreparedGroup& prepared, const std::vector<std::size_t>& settings, const Row& row,
              const Done& done) const;
  void trace(const PreparedGroup& prepared, const std::vector<std::size_t>& members, const Row& row,
             const Done& done) const;
  [[nodiscard]] std::vector<std::string> notes_of(const std::string& id) const;

  const Study& study_;
  const CellGrid& grid_;
  const ScoreLibrary& scores_;
  RunOptions options_;
};

}  // namespace heed::study
