// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/group_page.h>
#include <report/page/result_words.h>
#include <report/participant_dots_figure.h>

#include <algorithm>
#include <utility>

namespace heed::report {
namespace {

void check(const GroupPage& page) {
  for (const GroupParticipant& one : page.participants) {
    if (one.accuracies.size() == page.methods.size()) continue;
    throw Error(ErrorKind::invalid_argument, participant_name(one.id) + ": " + std::to_string(one.accuracies.size()) +
                                                 " accuracies for " + std::to_string(page.methods.size()) +
                                                 " methods; give one each, nothing where it is not known");
  }
}

bool has_accuracies(const GroupPage& page) {
  return std::ranges::any_of(page.participants, [](const GroupParticipant& one) {
    return std::ranges::any_of(one.accuracies, [](const auto& accuracy) { return accuracy.has_value(); });
  });
}

// How many participants are better than guessing, of those for whom it can be told.
std::string beyond_luck(const GroupPage& page) {
  std::size_t told = 0;
  std::size_t beyond = 0;
  for (const GroupParticipant& one : page.participants) {
    if (one.accuracies.empty() || !one.accuracies.front() || !one.chance_bound) continue;
    ++told;
    beyond += *one.accuracies.front() >= *one.chance_bound ? 1U : 0U;
  }
  if (told == 0) return "";
  return std::to_string(beyond) + " of " + std::to_string(told);
}

Section summary(const GroupPage& page) {
  Section section{"Summary", {}};
  append_notes(section, page.warnings, Tone::warning);
  if (!page.left_out.empty()) {
    section.blocks.emplace_back(Note{
        counted(page.left_out.size(), "participant") + " could not be used; the reasons are below.", Tone::warning});
  }
  section.blocks.emplace_back(Facts{{{"Dataset", page.dataset},
                                     {"Participants", std::to_string(page.participants.size())},
                                     {"Decoder", page.decoder},
                                     {"Window", seconds_words(page.window)},
                                     {"Chance", per_cent(page.chance)},
                                     {"Better than guessing", beyond_luck(page)}}});
  return section;
}

Section methods(const GroupPage& page) {
  Table table{.caption = "Mean \u00b1 standard deviation over participants",
              .columns = {{.heading = "method", .numbers = false},
                          {.heading = "participants", .decimals = 0},
                          {.heading = "accuracy", .unit = "%"},
                          {.heading = "p"},
                          {.heading = "switch time", .unit = "s"},
                          {.heading = "p"}},
              .rows = {}};
  for (const MethodResult& one : page.methods) {
    table.rows.push_back({one.method, std::optional(static_cast<double>(one.accuracy.count)),
                          mean_cell(one.accuracy, 100), p_cell(one.accuracy_p), mean_cell(one.switch_time, 1),
                          p_cell(one.switch_time_p)});
  }
  Section section{"Methods", {std::move(table)}};
  if (page.methods.size() > 1) {
    const std::string& reference = page.reference.empty() ? page.methods.front().method : page.reference;
    section.blocks.emplace_back(Paragraph{"p: Wilcoxon's signed-rank test against " + reference +
                                          ", two-sided, over the participants who have both; not corrected for the "
                                          "number of methods."});
  }
  return section;
}

Drawing dots(const GroupPage& page) {
  ParticipantDotsPicture picture{.methods = {},
                                 .participants = {},
                                 .chance = page.chance,
                                 .title = "Accuracy of every participant",
                                 .subtitle = page.dataset};
  for (const MethodResult& one : page.methods) picture.methods.push_back(one.method);
  for (const GroupParticipant& one : page.participants) {
    picture.participants.push_back({participant_name(one.id), one.accuracies, one.chance_bound});
  }
  return draw_participant_dots(picture);
}

Table participant_table(const GroupPage& page) {
  Table table{.caption = "Every participant",
              .columns = {{.heading = "participant", .numbers = false}, {.heading = "windows", .decimals = 0}},
              .rows = {}};
  for (const MethodResult& one : page.methods) {
    table.columns.push_back({.heading = one.method, .unit = "%", .factor = 100});
  }
  table.columns.push_back({.heading = "bound of luck", .unit = "%", .factor = 100});
  table.columns.push_back({.heading = "p"});
  for (const GroupParticipant& one : page.participants) {
    const std::string name = participant_name(one.id);
    std::vector<Cell> row{one.page.empty() ? Cell(name) : Cell(Link{name, one.page}),
                          std::optional(static_cast<double>(one.windows))};
    for (const auto& accuracy : one.accuracies) row.emplace_back(accuracy);
    row.emplace_back(one.chance_bound);
    row.push_back(p_cell(one.p_value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section participants(const GroupPage& page) {
  Section section{"Participants", {}};
  if (has_accuracies(page)) {
    section.blocks.emplace_back(Figure{dots(page), "A column a participant. Within the shaded range " +
                                                       page.methods.front().method +
                                                       " may be right by luck alone; the other methods depend on it."});
  } else {
    section.blocks.emplace_back(
        Note{"No participant has an accuracy: who was attended is not known, so there is no figure.", Tone::note});
  }
  section.blocks.emplace_back(participant_table(page));
  return section;
}

Section left_out(const GroupPage& page) {
  Table table{.caption = "Not in the results",
              .columns = {{.heading = "participant", .numbers = false}, {.heading = "reason", .numbers = false}},
              .rows = {}};
  for (const LeftOut& one : page.left_out) table.rows.push_back({participant_name(one.id), one.reason});
  return {"Left out", {std::move(table)}};
}

}  // namespace

std::string group_page(const GroupPage& page) {
  check(page);
  Page result{.title = page.dataset.empty() ? "Group results" : page.dataset + ": group results",
              .subtitle = counted(page.participants.size(), "participant"),
              .sections = {summary(page), methods(page)},
              .provenance = page.provenance};
  if (!page.participants.empty()) result.sections.push_back(participants(page));
  if (page.trade_off) {
    result.sections.push_back({"Accuracy against switch time",
                               {Figure{*page.trade_off,
                                       "The better the nearer to the upper left: right more often, "
                                       "and sooner after a switch of attention."}}});
  }
  if (!page.left_out.empty()) result.sections.push_back(left_out(page));
  if (!page.notes.empty()) {
    Section notes{"Notes", {}};
    append_notes(notes, page.notes, Tone::note);
    result.sections.push_back(std::move(notes));
  }
  return html_text(result);
}

}  // namespace heed::report
