// SPDX-License-Identifier: MIT
// `heed reproduce`: every study of the paper on a cohort, and the report.
#include <evaluate/claims.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/digest.h>
#include <report/study/result_tables.h>
#include <study/plan/reproduction.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>

#include "command_tree.h"
#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "json_value.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* reproduce_examples = R"(Examples:
  heed reproduce --quick -o repro                    the paper on a few simulated listeners, in about a minute
  heed reproduce -o repro                            on simulated cohorts of the paper's size
  heed reproduce --seeds 5 -o repro                  on five such cohorts
  heed reproduce --on BIDS_DIR -o repro              on your recordings
  heed reproduce --on AV-GC-AAD --first-of-each-condition -o repro       the paper's four trials, as we read it
  heed reproduce --on *_scores.tsv -o repro          on scores from your own decoder; what needs EEG is listed
  heed reproduce --studies switch_probability,speakers -o repro
  heed reproduce --list                              list the studies

Open DIR/report.html, a self-contained file. DIR/figures has every figure as SVG, DIR/tables its data as TSV.
When started again with the same cohort, earlier results are reused.)";

struct ReproduceFlags {
  study::CohortName cohort;
  std::vector<std::string> studies;
  std::string output;
  int seeds = 1;
  std::size_t threads = 0;
  CacheFolder cache = pipeline::default_cache();
  bool json = false;
  bool list = false;
  std::string command;
};

// Work by stages, and how long each took: said at the end, for those who plan larger ones.
class Stages {
 public:
  void begin(std::string name) {
    end();
    name_ = std::move(name);
    started_ = Clock::now();
  }
  void end() {
    if (name_.empty()) return;
    const std::chrono::duration<double> took = Clock::now() - started_;
    text_ += fmt::format("{}{} {:.1f} s", text_.empty() ? "" : ", ", name_, took.count());
    name_.clear();
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_;
  std::string text_;
  Clock::time_point started_;
};

std::string place_in_paper(const Study& study) { return study.paper.empty() ? "beyond" : study.paper; }

void print_table(const study::Cohort& /*cohort*/, const std::string& words, const study::Reproduction& reproduction,
                 const std::string& page) {
  say("{}\n\n", words);
  TextTable table({"study", "the paper's", "claims: hold", "do not", "cannot be told"});
  evaluate::ClaimCounts all;
  const auto row = [&](const std::string& name, const std::string& place, const evaluate::ClaimCounts& counts) {
    table.add({name, place, std::to_string(counts.hold), std::to_string(counts.fail), std::to_string(counts.open)});
  };
  for (const StudyResult& result : reproduction.studies) {
    const evaluate::ClaimCounts counts = evaluate::count_claims(result);
    row(result.study.name, place_in_paper(result.study), counts);
    all += counts;
  }
  row("all", "", all);
  say("{}\n", table.text());
  for (const StudyResult& result : reproduction.studies) {
    if (!result.obstacle.empty()) say("{}: not applicable here: {}\n", result.study.name, result.obstacle);
  }
  say("report: {}\n", page);
}

nlohmann::ordered_json notes_json(const Notes& notes) {
  auto texts = nlohmann::ordered_json::array();
  for (const Note& note : notes) texts.push_back(note_text(note));
  return texts;
}

void print_json(const study::Cohort& cohort, const std::string& words, const study::Reproduction& reproduction,
                const std::string& page) {
  auto studies = nlohmann::ordered_json::array();
  for (const StudyResult& result : reproduction.studies) {
    const bool applicable = result.obstacle.empty();
    auto claims = nlohmann::ordered_json::array();
    for (const Claim& claim : result.study.claims) {
      const auto verdict = report::verdict_of(claim, result);
      auto elsewhere = nlohmann::ordered_json::object();
      for (const KnownVerdict& known : claim.known) elsewhere[known.cohort] = json_value(known.holds);
      claims.push_back({{"text", claim.text},
                        {"holds", json_value(verdict.holds)},
                        {"tested", verdict.has_results},
                        {"evidence", verdict.evidence},
                        {"elsewhere", elsewhere}});
    }
    studies.push_back({{"name", result.study.name},
                       {"applicable", applicable},
                       {"obstacle", json_value(applicable ? std::nullopt : std::optional(result.obstacle))},
                       {"claims", claims},
                       {"notes", notes_json(result.notes)}});
  }
  fmt::print("{}", json_text({{"cohort", words},
                              {"simulated", cohort.is_simulated()},
                              {"report", page},
                              {"notes", notes_json(reproduction.notes)},
                              {"studies", studies}}));
}

study::ScoreLibrary decode(const ReproduceFlags& flags, const study::Cohort& cohort, std::span<const study::Plan> plans,
                           const fs::path& folder) {
  const study::SealedFiles store(folder);
  ProgressBar bar("decoding");
  const auto progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return {cohort, study::settings_of(plans), {.threads = {flags.threads}, .store = &store, .progress = progress}};
}

study::Reproduction run_studies(const ReproduceFlags& flags, std::span<const study::Plan> plans,
                                const study::ScoreLibrary& scores, const fs::path& folder) {
  ProgressBar bar("studies");
  const auto progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return study::reproduce(plans, scores, folder, {.threads = {flags.threads}, .results = progress});
}

int list_studies() {
  TextTable table({"study", "the paper's", "question"});
  for (const std::string_view name : study::built_in_studies()) {
    const Study study = study::find_study(std::string(name));
    table.add({study.name, place_in_paper(study), study.title + (study.only_when_named ? " (when named)" : "")});
  }
  say("{}", table.text());
  return exit_success;
}

// The cohorts of all seeds: one, unless simulated ones are asked for.
struct SeededCohort {
  std::unique_ptr<study::Cohort> cohort;
  std::vector<study::Plan> plans;
};

std::vector<SeededCohort> open_cohorts(const ReproduceFlags& flags, const std::vector<study::StudyText>& texts) {
  std::vector<SeededCohort> all;
  for (int k = 0; k < flags.seeds; ++k) {
    study::CohortName name = flags.cohort;
    name.seed += static_cast<std::uint64_t>(k);
    auto cohort = study::open_cohort(name, flags.cache, flags.output);
    if (flags.seeds > 1 && !cohort->is_simulated()) {
      throw Error(ErrorKind::invalid_argument, "--seeds is for simulated cohorts; leave it out");
    }
    auto plans = study::plans_of(texts, name, *cohort);
    all.push_back({std::move(cohort), std::move(plans)});
  }
  return all;
}

std::string seeds_text(const ReproduceFlags& flags) {
  const std::string first = std::to_string(flags.cohort.seed);
  return flags.seeds == 1
             ? first
             : fmt::format("{} to {}", first, flags.cohort.seed + static_cast<std::uint64_t>(flags.seeds - 1));
}

struct Made {
  study::Reproduction reproduction{};
  Notes left_out{};  // who
  Notes choices{};
};

Made make_all(const ReproduceFlags& flags, const std::vector<SeededCohort>& cohorts, const study::ReportFolder& folder,
              Stages& stages) {
  Made made;
  for (std::size_t k = 0; k < cohorts.size(); ++k) {
    const auto& [cohort, plans] = cohorts[k];
    stages.begin(cohort->is_simulated() ? "simulating and decoding" : "reading and decoding");
    const study::ScoreLibrary scores = decode(flags, *cohort, plans, folder.path("scores"));
    stages.begin("studies");
    study::Reproduction one = run_studies(flags, plans, scores, folder.path("results"));
    if (cohorts.size() == 1) {
      made.reproduction = std::move(one);
    } else {
      study::append_seed(made.reproduction, std::move(one), flags.cohort.seed + k);
    }
    std::ranges::copy(scores.notes(), std::back_inserter(made.left_out));
    std::ranges::copy(scores.choices(), std::back_inserter(made.choices));
  }
  return made;
}

int run_reproduce(const ReproduceFlags& flags) {
  if (flags.list) return list_studies();
  if (flags.output.empty()) {
    throw Error(ErrorKind::invalid_argument, "-o is missing: name a folder for the report, e.g. -o repro");
  }
  const std::vector<SeededCohort> cohorts = open_cohorts(flags, study::find_study_texts(flags.studies));
  const study::Cohort& first = *cohorts.front().cohort;
  std::vector<study::PlannedParticipant> participants;
  for (const SeededCohort& one : cohorts) {
    const auto& more = one.plans.front().participants();
    participants.insert(participants.end(), more.begin(), more.end());
  }
  // Which studies, and how many threads, may differ from run to run.
  const std::string key =
      io::digest_of(std::tuple(std::string(version()), flags.cohort.quick, flags.cohort.seed, participants));
  const std::string words =
      first.describe() +
      (flags.seeds > 1 ? fmt::format(", and {} more seed{}", flags.seeds - 1, flags.seeds == 2 ? "" : "s") : "");
  study::ReportFolder folder(flags.output, {"heed reproduce", words, key});
  Stages stages;
  Made made = make_all(flags, cohorts, folder, stages);
  const Notes not_named = study::studies_not_named(flags.studies);
  made.reproduction.notes.insert(made.reproduction.notes.end(), not_named.begin(), not_named.end());
  stages.begin("report");
  write_pages(
      folder,
      {.title = "Attention decoding by hidden Markov models, reproduced",
       .cohort = words,
       .simulated = first.is_simulated(),
       .studies = made.reproduction.studies,
       .notes = made.reproduction.notes,
       .facts = {{"Seed", seeds_text(flags)}, {"Mode", flags.cohort.quick ? "quick" : "full"}},
       .provenance = {.command = flags.command, .version = std::string(version()), .data = digests_of(participants)}});
  stages.end();
  (flags.json ? print_json : print_table)(first, words, made.reproduction, folder.path("report.html").string());
  flush_output();
  for (const Note& note : not_named) tell("{}\n", note.text);
  tell("{}\n", stages.text());
  warn(made.left_out);
  warn(made.choices);
  return made.left_out.empty() ? exit_success : exit_partial;
}

}  // namespace

void add_reproduce(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("reproduce", "Run every study of the paper on a cohort, for one report");
  verb->footer(reproduce_examples);
  auto flags = std::make_shared<ReproduceFlags>();
  add_cohort_flags(*verb, flags->cohort);
  verb->add_option("--seeds", flags->seeds,
                   "Number of simulated cohorts, with consecutive seeds; intervals then also cover the seeds")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--studies", flags->studies,
                   "These studies only, a,b,...: names from --list, TOML files of your own, or all: also those "
                   "that take long and are otherwise left out")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("-o,--output", flags->output, "Folder to write to; created if it does not exist")->type_name("DIR");
  verb->add_flag("--list", flags->list, "List the studies");
  verb->add_flag("--json", flags->json, "Print which claims hold as JSON");
  add_threads_option(*verb, flags->threads);
  add_cache_options(*verb, flags->cache);
  verb->callback([&chosen, flags, verb] {
    flags->command = typed_command(*verb);
    chosen = [flags] { return run_reproduce(*flags); };
  });
}

}  // namespace heed::app
