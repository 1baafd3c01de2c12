// SPDX-License-Identifier: MIT
// `heed study run`: makes the results of a plan that are missing.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <study/plan/plan_run.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* study_run_examples = R"(Examples:
  heed study run plan                    everything that is missing
  heed study run plan --shard 2/4        the second of four shares, at the same time as others or alone
  heed study run plan --shard auto/4     as a task of a job array (Slurm, PBS, Grid Engine), numbered from 1 to 4

If it is interrupted, start it again: participants who are finished stay as they are,
and of the others at most the last seconds of work are done again.)";

struct RunFlags {
  std::string plan;
  std::string shard = "1/1";
  std::size_t threads = 0;
  CacheFolder cache = pipeline::default_cache();
};

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// A task of a job array finds its share by its scheduler's variables.
study::ArrayTask share_of(const std::string& text) {
  try {
    return study::parse_share(text, variable);
  } catch (const Error& error) {
    throw error.within("--shard " + text);
  }
}

// Decoding and tracking have a bar each, one after the other.
study::PlanRunReport run_with_bars(const study::PlanFolder& folder, const study::Cohort& cohort,
                                   study::PlanRunOptions options) {
  std::optional<ProgressBar> decoding(std::in_place, "decoding");
  std::optional<ProgressBar> results;
  options.decoding = [&](std::size_t done, std::size_t all) { decoding->show(done, all); };
  options.results = [&](std::size_t done, std::size_t all) {
    decoding.reset();
    if (!results) results.emplace("results");
    results->show(done, all);
  };
  return study::run_plan(folder, cohort, options);
}

int run_run(const RunFlags& flags) {
  const study::ArrayTask share = share_of(flags.shard);
  const study::PlanFolder folder(flags.plan);
  const auto cohort = study::open_cohort(folder.plan().cohort_name(), flags.cache, flags.plan);
  const study::PlanRunReport report = run_with_bars(folder, *cohort, {.share = share, .threads = {flags.threads}});
  warn(report.notes);
  warn(report.choices);
  if (report.damaged > 0) {
    warn(fmt::format("the results of {} were damaged and have been made again",
                     count_text(report.damaged, "participant")));
  }
  for (const auto& [reason, count] : report.left_out) {
    warn(fmt::format("{} could not be computed: {}", count_text(count, "result"), reason));
  }
  const std::string whose = share.count > 1 ? fmt::format(", share {} of {}", share.number, share.count) : "";
  tell("{}{}: {} of {}, {} done before, {} made\n", flags.plan, whose, count_text(report.results, "result"),
       count_text(report.participants, "participant"), report.done_before, report.made);
  return report.notes.empty() ? exit_success : exit_partial;
}

}  // namespace

void add_study_run(CLI::App& study, Chosen& chosen) {
  CLI::App* verb = study.add_subcommand("run", "Compute the results of a plan that are missing");
  verb->footer(study_run_examples);
  auto flags = std::make_shared<RunFlags>();
  verb->add_option("PLAN", flags->plan, "Folder from 'heed study plan'")->required();
  verb->add_option("--shard", flags->shard, "The I-th of N shares of the participants; auto or auto/N in a job array")
      ->type_name("I/N")
      ->capture_default_str();
  add_threads_option(*verb, flags->threads);
  add_cache_options(*verb, flags->cache);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_run(*flags); }; });
}

}  // namespace heed::app
