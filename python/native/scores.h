// SPDX-License-Identifier: MIT
// How calls take scores, from files or from Python, and hand participants over.
#pragma once

#include <heed/data/scored.h>
#include <heed/io/score_tables.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <vector>

namespace heed::python {

namespace py = pybind11;

// A path or several. Throws TypeError for anything else, saying what is wanted, and InvalidArgument for none.
[[nodiscard]] std::vector<std::filesystem::path> paths_of(const py::object& value, const char* argument,
                                                          const char* wanted = "a path or a sequence of paths");

// Files as participants; what is doubtful about them becomes warnings.
[[nodiscard]] std::vector<ScoredParticipant> read_cohort(const std::vector<std::filesystem::path>& paths,
                                                         const io::ScoreReadOptions& options);

[[nodiscard]] py::list to_list(std::vector<ScoredParticipant>&& participants);

}  // namespace heed::python
