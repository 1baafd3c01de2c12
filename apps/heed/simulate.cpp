// SPDX-License-Identifier: MIT
// `heed simulate scores`: a cohort with known attention, to try heed on and to plan studies with.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/artificial_switches.h>

#include <filesystem>
#include <memory>

#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* simulate_examples = R"(Examples:
  heed simulate scores -o cohort                                          13 listeners, 4 x 10 min, two speakers
  heed simulate scores --participants 20 --speakers 3 --accuracy 0.45 --seed 1 -o cohort
  heed simulate scores --autocorrelation 0.88 -o repeating                scores that repeat each other
  heed simulate scores --switch-every 60-125 --artefacts 0.02 --autocorrelation 0.3 -o cohort

Writes DIR/sub-01_scores.tsv and so on, each with a JSON sidecar.)";

struct SimulateFlags {
  sim::ScoreCohortOptions options;
  double minutes = sim::ScoreCohortOptions{}.trial.value / 60;
  double window = 1;
  std::string switch_every = "300";
  double artefact_length = sim::ScoreCohortOptions{}.artefact_length.value;
  std::string folder;
  int digits = 6;
  bool force = false;
};

std::filesystem::path score_path(const std::filesystem::path& folder, const ScoredParticipant& participant) {
  return folder / ("sub-" + participant.id + "_scores.tsv");
}

void prepare_folder(const std::filesystem::path& folder, const std::vector<ScoredParticipant>& cohort, bool force) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw Error(ErrorKind::cannot_create, folder.string() + ": cannot be created as a folder (" +
                                              (error ? error.message() : "a file is in its place") + ")");
  }
  for (const ScoredParticipant& participant : cohort) {
    const auto path = score_path(folder, participant);
    if (!force && std::filesystem::exists(path)) {
      throw Error(ErrorKind::cannot_create, path.string() + " exists; choose another folder, or --force to replace it");
    }
  }
}

int run_simulate(SimulateFlags& flags) {
  sim::ScoreCohortOptions& options = flags.options;
  options.trial = Seconds{flags.minutes * 60};
  options.window = Seconds{flags.window};
  options.interval = pipeline::parse_interval("--switch-every", flags.switch_every);
  options.artefact_length = Seconds{flags.artefact_length};
  const auto cohort = sim::simulate_scores(options);
  prepare_folder(flags.folder, cohort, flags.force);
  ProgressBar bar("writing");
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    io::write_scores(score_path(flags.folder, cohort[k]), cohort[k], {.digits = flags.digits});
    bar.show(k + 1, cohort.size());
  }
  tell("{}, {} of {:g} min each, {}, seed {}: written to {}\n", count_text(cohort.size(), "participant"),
       count_text(static_cast<std::size_t>(options.trials), "trial"), flags.minutes,
       count_text(static_cast<std::size_t>(options.speakers), "speaker"), options.seed, flags.folder);
  return 0;
}

void add_scores_options(CLI::App& verb, SimulateFlags& flags) {
  sim::ScoreCohortOptions& options = flags.options;
  verb.add_option("-o,--output", flags.folder, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  verb.add_option("--participants", options.participants, "Number of listeners")->capture_default_str();
  verb.add_option("--speakers", options.speakers, "Number of competing speakers")->capture_default_str();
  verb.add_option("--trials", options.trials, "Trials per listener")->capture_default_str();
  verb.add_option("--minutes", flags.minutes, "Length of a trial in minutes")->capture_default_str();
  verb.add_option("--window", flags.window, "Window length in seconds")->capture_default_str();
  verb.add_option("--accuracy", options.accuracy,
                  "How often the attended speaker has the largest score, on average over listeners")
      ->capture_default_str();
  verb.add_option("--accuracy-spread", options.accuracy_spread, "Its standard deviation over listeners")
      ->capture_default_str();
  verb.add_option("--autocorrelation", options.autocorrelation, "Correlation between neighbouring scores of a speaker")
      ->capture_default_str();
  verb.add_option("--offset-share", options.offset_share,
                  "Part of the noise between two speakers that is a bias of the whole trial")
      ->capture_default_str();
  verb.add_option("--switch-every", flags.switch_every, "Seconds between switches: fixed (300) or random (60-125)")
      ->capture_default_str();
  verb.add_option("--artefacts", options.artefact_rate, "Proportion of windows lost to artefacts (n/a in the file)")
      ->capture_default_str();
  verb.add_option("--artefact-length", flags.artefact_length, "Mean length of a lost stretch in seconds")
      ->capture_default_str();
  add_seed_flag(verb, options.seed, "Seed; the same seed gives the same files");
  verb.add_option("--digits", flags.digits, "Significant digits of the scores; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb.add_flag("--force", flags.force, "Replace existing files");
}

}  // namespace

void add_simulate(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("simulate", "Simulate data with known attention");
  verb->require_subcommand(1);
  verb->footer("Examples:\n  heed simulate scores -o cohort\n  heed simulate recording -o sim");
  CLI::App* scores = verb->add_subcommand("scores", "Scores of a cohort, as a decoder would give them");
  scores->footer(simulate_examples);
  auto flags = std::make_shared<SimulateFlags>();
  add_scores_options(*scores, *flags);
  scores->callback([&chosen, flags] { chosen = [flags] { return run_simulate(*flags); }; });
  add_simulate_recording(*verb, chosen);
}

}  // namespace heed::app
