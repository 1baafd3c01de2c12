// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/plan/plan_gather.h>
#include <study/plan/reproduction.h>
#include <study/tracking/tables.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace heed::study {
namespace {

// Takes what several studies have to say out of them, and gives it once.
Notes take_common_notes(std::vector<StudyResult>& results) {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;  // by subject and text
  for (const StudyResult& result : results) {
    for (const Note& note : result.notes) ++counts[{note.subject, note.text}];
  }
  Notes common;
  for (StudyResult& result : results) {
    std::erase_if(result.notes, [&](const Note& note) {
      if (counts[{note.subject, note.text}] < 2) return false;
      if (std::ranges::find(common, note) == common.end()) common.push_back(note);
      return true;
    });
  }
  return common;
}

// Listeners of different seeds are different people.
void name_seed(ResultTable& table, std::uint64_t seed) {
  const auto column = std::ranges::find(table.columns, "participant");
  if (column == table.columns.end()) return;
  const auto place = static_cast<std::size_t>(column - table.columns.begin());
  for (auto& row : table.rows) row[place] = data::text_of(row[place]) + "_seed-" + std::to_string(seed);
}

void add_new(Notes& notes, const Notes& more) {
  for (const Note& note : more) {
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  }
}

}  // namespace

std::vector<StudyText> find_study_texts(std::span<const std::string> names) {
  std::vector<StudyText> texts;
  const auto add_built_in = [&](bool all) {
    for (const std::string_view name : built_in_studies()) {
      StudyText text = find_study_text(std::string(name));
      if (all || !parse_study(text.toml, text.origin).only_when_named) texts.push_back(std::move(text));
    }
  };
  if (names.empty()) add_built_in(false);
  for (const std::string& name : names) {
    if (name == "all") {
      add_built_in(true);
    } else {
      texts.push_back(find_study_text(name));
    }
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

Notes studies_not_named(std::span<const std::string> names) {
  std::string left_out;
  for (const std::string_view name : built_in_studies()) {
    if (!names.empty() || !find_study(std::string(name)).only_when_named) continue;
    left_out.append(left_out.empty() ? "" : ", ").append(name);
  }
  if (left_out.empty()) return {};
  return {{.subject = {},
           .kind = NoteKind::chosen,
           .text = "Studies that take long are run only when they are named: " + left_out + "."}};
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
  for (const Note& note : take_common_notes(reproduction.studies)) reproduction.notes.push_back(note);
  return reproduction;
}

void append_seed(Reproduction& all, Reproduction more, std::uint64_t seed) {
  for (StudyResult& result : more.studies) {
    for (NamedTable& named : result.tables) name_seed(named.table, seed);
  }
  if (all.studies.empty()) {
    all = std::move(more);
    return;
  }
  for (std::size_t k = 0; k < all.studies.size(); ++k) {
    StudyResult& result = all.studies[k];
    for (NamedTable& named : more.studies[k].tables) {
      const auto known = std::ranges::find(result.tables, named.name, &NamedTable::name);
      if (known == result.tables.end()) {
        result.tables.push_back(std::move(named));
      } else if (named.name == "reliability") {
        pool_reliability(known->table, named.table);
      } else if (named.name != "trace") {
        std::ranges::move(named.table.rows, std::back_inserter(known->table.rows));
      }
    }
    add_new(result.notes, more.studies[k].notes);
  }
  add_new(all.notes, more.notes);
}

}  // namespace heed::study
