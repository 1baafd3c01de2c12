// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/bids/dataset_writer.h>
#include <io/discovery.h>
#include <study/cohorts/single_listener.h>
#include <study/cohorts/study_cohort.h>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

bool is_simulated(const CohortName& name) { return name.on == std::vector<std::string>{"simulated"}; }

}  // namespace

std::unique_ptr<Cohort> open_cohort(const CohortName& name, const std::optional<fs::path>& cache,
                                    const fs::path& output) {
  const auto refuse_runs = [&] {
    if (name.runs == RunChoice{}) return;
    throw Error(ErrorKind::invalid_argument, "runs and conditions can be chosen of a BIDS folder only");
  };
  if (is_simulated(name) || name.on.size() > 1 || !fs::is_directory(name.on.front())) refuse_runs();
  if (is_simulated(name)) return simulated_cohort(paper_cohorts({name.participants, name.quick, name.seed}));
  const auto limit = name.participants ? std::optional(static_cast<std::size_t>(*name.participants)) : std::nullopt;
  const std::vector<fs::path> paths(name.on.begin(), name.on.end());
  if (paths.size() > 1 || !fs::is_directory(paths.front())) return parted_if_alone(score_files_cohort(paths, limit));
  io::refuse_output_inside(paths.front(), output);
  // A folder with recordings, else with scores.
  try {
    return parted_if_alone(bids_cohort(paths.front(), {cache, limit, name.runs}));
  } catch (const Error& no_recordings) {
    if (no_recordings.kind() != ErrorKind::not_found) throw;
    try {
      (void)io::find_files(paths, io::scores_ending);
    } catch (const Error&) {
      throw no_recordings;
    }
    refuse_runs();
    return parted_if_alone(score_files_cohort(paths, limit));
  }
}

CohortName absolute(CohortName name) {
  if (is_simulated(name)) return name;
  for (std::string& path : name.on) path = fs::absolute(path).lexically_normal().string();
  return name;
}

}  // namespace heed::study
