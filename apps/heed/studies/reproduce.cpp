// SPDX-License-Identifier: MIT
// `heed reproduce`: every study of the paper on a cohort, and the report.
#include <evaluate/claims.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/digest.h>
#include <report/study/study_report.h>
#include <study/plan/plan_gather.h>
#include <study/plan/plan_run.h>
#include <study/study_file.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "command_tree.h"
#include "exit_code.h"
#include "json_value.h"
#include "studies/cohort_choice.h"
#include "studies/results_folder.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* reproduce_examples = R"(Examples:
  heed reproduce --quick -o repro                    the paper on a few simulated listeners, in a minute or two
  heed reproduce -o repro                            on simulated cohorts of the paper's size
  heed reproduce --on BIDS_DIR -o repro              on your recordings
  heed reproduce --on *_scores.tsv -o repro          on scores of your own decoder; what needs EEG is listed
  heed reproduce --studies switch_probability,speakers -o repro
  heed reproduce --list                              the studies there are

Open DIR/report.html: one file, nothing is loaded. DIR/figures has every figure as SVG, DIR/tables its data as TSV.
Started again with the same cohort, what was decoded and run is used again.)";

struct ReproduceFlags {
  study::CohortName cohort;
  std::vector<std::string> studies;
  std::string output;
  std::size_t threads = 0;
  CacheFlags cache;
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

std::vector<study::StudyText> texts_of(const ReproduceFlags& flags) {
  std::vector<study::StudyText> texts;
  if (flags.studies.empty()) {
    for (const std::string_view name : study::built_in_studies()) {
      texts.push_back(study::find_study_text(std::string(name)));
    }
  }
  for (const std::string& name : flags.studies) texts.push_back(study::find_study_text(name));
  return texts;
}

std::vector<Study> studies_of(const std::vector<study::StudyText>& texts) {
  std::vector<Study> studies;
  for (const study::StudyText& text : texts) {
    studies.push_back(study::parse_study(text.toml, text.origin));
    const auto namesake = std::ranges::find(studies, studies.back().name, &Study::name);
    if (&*namesake != &studies.back()) {
      throw Error(ErrorKind::invalid_argument, "--studies: two studies are called '" + studies.back().name +
                                                   "', and their files would be too; rename one");
    }
  }
  return studies;
}

struct ClaimCount {
  std::size_t hold = 0;
  std::size_t told = 0;
};

class Reproduction {
 public:
  explicit Reproduction(const ReproduceFlags& flags)
      : flags_(flags),
        texts_(texts_of(flags)),
        studies_(studies_of(texts_)),
        cohort_(open_cohort(flags.cohort, flags.cache, flags.output)),
        participants_(study::participants_of(*cohort_)) {
    const bool parts = cohort_->speakers().size() > 1;
    for (const study::PlannedParticipant& one : participants_) {
      const std::string name = "sub-" + one.id + (parts ? fmt::format(", {} speakers", one.speakers) : "");
      data_.push_back({name, "xxh3-128:" + one.digest});
    }
  }

  int run() {
    ResultsFolder folder(flags_.output, {"heed reproduce", cohort_->describe(), key()});
    const study::CellStore store(folder.cells() / "scores");
    const study::CellStore cells(folder.cells() / "studies");
    (void)store.remove_leftovers();
    (void)cells.remove_leftovers();
    std::vector<study::Setting> settings;
    for (const Study& study : studies_) {
      for (study::Setting& setting : study::settings_of(study)) settings.push_back(std::move(setting));
    }
    stages_.begin(cohort_->is_simulated() ? "simulating and decoding" : "reading and decoding");
    const study::ScoreLibrary scores = decode(settings, store);
    stages_.begin("studies");
    run_studies(scores, cells);
    stages_.begin("report");
    write(folder);
    stages_.end();
    say();
    for (const std::string& note : scores.notes()) warn(note);
    return scores.notes().empty() ? exit_success : exit_partial;
  }

 private:
  // Whom the results are about; which studies, and how many threads, may differ from run to run.
  [[nodiscard]] std::string key() const {
    io::Digest digest;
    digest.add(version()).add(flags_.cohort.quick ? "quick" : "").add(std::to_string(flags_.cohort.seed));
    for (const report::DataDigest& one : data_) digest.add(one.name).add(one.digest);
    return digest.hex();
  }

  study::ScoreLibrary decode(std::span<const study::Setting> settings, const study::CellStore& store) {
    ProgressBar bar("decoding");
    return {*cohort_, settings, {{flags_.threads}, &store, [&](std::size_t done, std::size_t total) {
                                   bar.show(done, total);
                                 }}};
  }

  void run_studies(const study::ScoreLibrary& scores, const study::CellStore& cells) {
    std::vector<study::Plan> plans;
    std::size_t all = 0;
    for (const study::StudyText& text : texts_) {
      plans.emplace_back(text, flags_.cohort, *cohort_, participants_);
      all += plans.back().grid().size();
    }
    ProgressBar bar("studies");
    std::size_t done = 0;
    for (const study::Plan& plan : plans) {
      const std::size_t then = done + plan.grid().size();
      (void)study::run_plan(plan, scores, cells,
                            {.threads = {flags_.threads}, .cells = [&](std::size_t made, std::size_t missing) {
                               bar.show(then - missing + made, all);
                             }});
      results_.push_back(study::result_of(plan, cells));
      done = then;
    }
    notes_ = scores.notes();
    for (const std::string& note : gather_common_notes()) notes_.push_back(note);
  }

  // What several studies have to say is said once, of all of them.
  std::vector<std::string> gather_common_notes() {
    std::map<std::string, std::size_t> counts;
    for (const StudyResult& result : results_) {
      for (const std::string& note : result.notes) ++counts[note];
    }
    std::vector<std::string> common;
    for (StudyResult& result : results_) {
      std::erase_if(result.notes, [&](const std::string& note) {
        if (counts[note] < 2) return false;
        if (std::ranges::find(common, note) == common.end()) common.push_back(note);
        return true;
      });
    }
    return common;
  }

  void write(ResultsFolder& folder) const {
    write_pages(folder, {.title = "Attention decoding by hidden Markov models, reproduced",
                         .cohort = cohort_->describe(),
                         .simulated = cohort_->is_simulated(),
                         .studies = results_,
                         .notes = notes_,
                         .facts = {{"Seed", std::to_string(flags_.cohort.seed)},
                                   {"Mode", flags_.cohort.quick ? "quick" : "full"}},
                         .provenance = {.command = flags_.command, .version = std::string(version()), .data = data_}});
  }

  static ClaimCount count_claims(const StudyResult& result) {
    ClaimCount count;
    for (const Claim& claim : result.study.claims) {
      const auto verdict = evaluate::judge(claim, result.judged());
      if (!verdict.holds) continue;
      ++count.told;
      if (*verdict.holds) ++count.hold;
    }
    return count;
  }
  void say() const {
    if (flags_.json) {
      print_json();
    } else {
      print_table();
    }
    flush_output();
    fmt::print(stderr, "{}\n", stages_.text());
  }

  void print_table() const {
    fmt::print("{}\n\n", cohort_->describe());
    TextTable table({"study", "the paper's", "claims that hold"});
    for (const StudyResult& result : results_) {
      const ClaimCount count = count_claims(result);
      const std::string verdict = !result.obstacle.empty() ? "not applicable"
                                  : count.told == 0        ? ""
                                                           : fmt::format("{} of {}", count.hold, count.told);
      table.add({result.study.name, result.study.paper.empty() ? "beyond" : result.study.paper, verdict});
    }
    fmt::print("{}\n", table.text());
    for (const StudyResult& result : results_) {
      if (!result.obstacle.empty()) fmt::print("{}: not applicable here: {}\n", result.study.name, result.obstacle);
    }
    fmt::print("report: {}\n", (fs::path(flags_.output) / "report.html").string());
  }

  void print_json() const {
    auto studies = nlohmann::ordered_json::array();
    for (const StudyResult& result : results_) {
      auto claims = nlohmann::ordered_json::array();
      for (const Claim& claim : result.study.claims) {
        if (!result.obstacle.empty()) break;
        const auto verdict = evaluate::judge(claim, result.judged());
        claims.push_back({{"text", claim.text}, {"holds", json_value(verdict.holds)}, {"evidence", verdict.evidence}});
      }
      studies.push_back(
          {{"name", result.study.name},
           {"applicable", result.obstacle.empty()},
           {"obstacle", json_value(result.obstacle.empty() ? std::nullopt : std::optional(result.obstacle))},
           {"claims", claims},
           {"notes", result.notes}});
    }
    fmt::print("{}", json_text({{"cohort", cohort_->describe()},
                                {"simulated", cohort_->is_simulated()},
                                {"report", (fs::path(flags_.output) / "report.html").string()},
                                {"notes", notes_},
                                {"studies", studies}}));
  }

  const ReproduceFlags& flags_;
  std::vector<study::StudyText> texts_;
  std::vector<Study> studies_;
  std::unique_ptr<study::Cohort> cohort_;
  std::vector<study::PlannedParticipant> participants_;
  std::vector<report::DataDigest> data_;
  std::vector<StudyResult> results_;
  std::vector<std::string> notes_;
  Stages stages_;
};

int list_studies() {
  TextTable table({"study", "the paper's", "what it asks"});
  for (const std::string_view name : study::built_in_studies()) {
    const Study study = study::find_study(std::string(name));
    table.add({study.name, study.paper.empty() ? "beyond" : study.paper, study.title});
  }
  fmt::print("{}", table.text());
  return exit_success;
}

int run_reproduce(const ReproduceFlags& flags) {
  if (flags.list) return list_studies();
  if (flags.output.empty()) {
    throw Error(ErrorKind::invalid_argument, "-o is missing: name a folder for the report, e.g. -o repro");
  }
  return Reproduction(flags).run();
}

}  // namespace

void add_reproduce(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("reproduce", "Every study of the paper on a cohort, in one report");
  verb->footer(reproduce_examples);
  auto flags = std::make_shared<ReproduceFlags>();
  add_cohort_flags(*verb, flags->cohort);
  verb->add_option("--studies", flags->studies, "These only, a,b,...: names of --list, or TOML files of your own")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("-o,--output", flags->output, "Folder to write to; made if it is not there")->type_name("DIR");
  verb->add_flag("--list", flags->list, "List the studies there are");
  verb->add_flag("--json", flags->json, "What holds and what does not, as JSON");
  add_threads_flag(*verb, flags->threads);
  add_cache_flags(*verb, flags->cache);
  verb->callback([&chosen, flags, verb] {
    flags->command = typed_command(*verb);
    chosen = [flags] { return run_reproduce(*flags); };
  });
}

}  // namespace heed::app
