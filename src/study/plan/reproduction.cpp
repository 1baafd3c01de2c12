// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/plan/plan_gather.h>
#include <study/plan/reproduction.h>

#include <algorithm>
#include <map>
#include <set>

namespace heed::study {
namespace {

// Takes what several studies have to say out of them, and gives it once.
std::vector<std::string> take_common_notes(std::vector<StudyResult>& results) {
  std::map<std::string, std::size_t> counts;
  for (const StudyResult& result : results) {
    for (const std::string& note : result.notes) ++counts[note];
  }
  std::vector<std::string> common;
  for (StudyResult& result : results) {
    std::erase_if(result.notes, [&](const std::string& note) {
      if (counts[note] < 2) return false;
      if (std::ranges::find(common, note) == common.end()) common.push_back(note);
      return true;
    });
  }
  return common;
}

}  // namespace

std::vector<StudyText> find_study_texts(std::span<const std::string> names) {
  std::vector<StudyText> texts;
  for (const std::string& name : names) texts.push_back(find_study_text(name));
  if (names.empty()) {
    for (const std::string_view name : built_in_studies()) texts.push_back(find_study_text(std::string(name)));
  }
  std::set<std::string> seen;
  for (const StudyText& text : texts) {
    const std::string name = parse_study(text.toml, text.origin).name;
    if (seen.insert(name).second) continue;
    throw Error(ErrorKind::invalid_argument,
                "two studies are called '" + name + "', and their tables and figures would be too; rename one");
  }
  return texts;
}

std::vector<Plan> plans_of(std::span<const StudyText> texts, const CohortName& name, const Cohort& cohort) {
  const std::vector<PlannedParticipant> participants = participants_of(cohort);
  std::vector<Plan> plans;
  for (const StudyText& text : texts) plans.emplace_back(text, name, cohort, participants);
  return plans;
}

std::vector<Setting> settings_of(std::span<const Plan> plans) {
  std::vector<Setting> settings;
  for (const Plan& plan : plans) {
    settings.insert(settings.end(), plan.grid().settings().begin(), plan.grid().settings().end());
  }
  return settings;
}

Reproduction reproduce(std::span<const Plan> plans, const ScoreLibrary& scores, const std::filesystem::path& results,
                       const PlanRunOptions& options) {
  ResultStore store(results);
  store.files().remove_leftovers();
  std::size_t all = 0;
  for (const Plan& plan : plans) all += plan.grid().size();
  Reproduction reproduction;
  std::size_t done = 0;
  for (const Plan& plan : plans) {
    PlanRunOptions of_plan = options;
    const std::size_t then = done + plan.grid().size();
    of_plan.results = [&](std::size_t made, std::size_t missing) {
      if (options.results) options.results(then - missing + made, all);
    };
    (void)run_plan(plan, scores, store, of_plan);
    reproduction.studies.push_back(result_of(plan, store));
    done = then;
  }
  reproduction.notes = scores.notes();
  for (const std::string& choice : scores.choices()) reproduction.notes.push_back(choice);
  for (const std::string& note : take_common_notes(reproduction.studies)) reproduction.notes.push_back(note);
  return reproduction;
}

}  // namespace heed::study
