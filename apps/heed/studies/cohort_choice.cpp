// SPDX-License-Identifier: MIT
#include "studies/cohort_choice.h"

#include <heed/data/error.h>
#include <io/bids/derivative.h>
#include <io/discovery.h>

#include <filesystem>

#include "model_options.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;

bool names_simulated(const study::CohortName& name) { return name.on == std::vector<std::string>{"simulated"}; }

}  // namespace

void add_cohort_flags(CLI::App& verb, study::CohortName& name) {
  if (name.on.empty()) name.on = {"simulated"};
  verb.add_option("--on", name.on, "simulated, a BIDS folder, or score files (or a folder of them)")
      ->type_name("COHORT ...")
      ->capture_default_str();
  verb.add_option("--participants", name.participants,
                  "So many: of each simulated cohort (default 13 and 20), the first of a folder (default all)")
      ->check(CLI::Range(2, 1000));
  verb.add_flag("--quick", name.quick, "Smaller simulated cohorts (6 and 5), fewer repeats");
  add_seed_flag(verb, name.seed, "Seed of simulated cohorts and random intervals");
}

std::unique_ptr<study::Cohort> open_cohort(const study::CohortName& name, const CacheFlags& cache,
                                           const std::string& output) {
  if (names_simulated(name)) {
    return study::simulated_cohort(study::paper_cohorts({name.participants, name.quick, name.seed}));
  }
  const auto limit = name.participants ? std::optional(static_cast<std::size_t>(*name.participants)) : std::nullopt;
  const std::vector<fs::path> paths(name.on.begin(), name.on.end());
  if (paths.size() > 1 || !fs::is_directory(paths.front())) return study::score_files_cohort(paths, limit);
  io::refuse_output_inside(paths.front(), output);
  // A folder with recordings, else with scores.
  try {
    return study::bids_cohort(paths.front(), {cache_folder(cache), limit});
  } catch (const Error& no_recordings) {
    if (no_recordings.kind() != ErrorKind::not_found) throw;
    try {
      (void)io::find_files(paths, io::scores_ending);
    } catch (const Error&) {
      throw no_recordings;
    }
    return study::score_files_cohort(paths, limit);
  }
}

study::CohortName from_the_root(study::CohortName name) {
  if (names_simulated(name)) return name;
  for (std::string& path : name.on) path = fs::absolute(path).lexically_normal().string();
  return name;
}

}  // namespace heed::app
