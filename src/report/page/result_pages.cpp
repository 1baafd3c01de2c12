// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/axis.h>
#include <report/figures.h>
#include <report/page/result_pages.h>
#include <report/text.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace heed::report {
namespace {

constexpr double smallest_p = 0.001;
constexpr double significant = 0.05;

std::string p_number(double p) { return p < smallest_p ? "< 0.001" : fixed_label(p, 3); }

// "p = 0.012", "p < 0.001"
std::string p_words(double p) { return (p < smallest_p ? "p " : "p = ") + p_number(p); }

// "72.1 ± 5.3", the mean alone for one value; every number times the factor
TableCell mean_cell(const evaluate::Summary& summary, double factor) {
  if (!summary.mean) return {};
  const std::string mean = fixed_label(factor * *summary.mean, 1);
  if (!summary.sd) return mean;
  return mean + " \u00b1 " + fixed_label(factor * *summary.sd, 1);
}

constexpr std::string_view two_accuracies =
    "Accuracy counts windows from each noticed switch to the next true one; whole counts all windows, late and missed "
    "switches included.";

// What the raw accuracy means: better than guessing, or not, or unknown.
Callout chance_callout(const RawAccuracy& raw, const std::string& windows) {
  if (!raw.accuracy) {
    return {"It is unknown who was attended, so the accuracy of the decoder cannot be given.", Tone::note};
  }
  std::string text = "Window by window, without tracking, the decoder is right in " + per_cent(*raw.accuracy) + " of " +
                     std::to_string(raw.windows) + " " + windows + ". Guessing is right in " + per_cent(raw.chance);
  text += raw.bound ? " on average and reaches " + per_cent(*raw.bound) + " or more in only 5 % of cases." : ".";
  if (!raw.bound || !raw.p_value) {
    return {text + " There are too few windows to tell this result from chance.", Tone::warning};
  }
  if (*raw.p_value <= significant) {
    return {text + " This is better than guessing (" + p_words(*raw.p_value) + ").", Tone::good};
  }
  return {text + " This is not better than guessing (" + p_words(*raw.p_value) +
              "): check the alignment of EEG and audio, and the channels, before trusting anything below.",
          Tone::warning};
}

void check(const ParticipantPage& page) {
  for (const RunResult& run : page.runs) {
    bool alike = run.trackers.size() == page.runs.front().trackers.size();
    for (std::size_t k = 0; alike && k < run.trackers.size(); ++k) {
      alike = run.trackers[k].method == page.runs.front().trackers[k].method;
    }
    if (!alike) {
      throw Error(ErrorKind::invalid_argument,
                  "run " + run.name +
                      ": its trackers differ from those of the first run; give the same ones in the same order");
    }
  }
}

std::string comma_separated(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) text += (k == 0 ? "" : ", ") + words[k];
  return text;
}

Facts facts_of(const ParticipantPage& page) {
  Seconds total{};
  for (const RunResult& run : page.runs) total = total + run.duration;
  Facts facts{{{"Dataset", page.dataset},
               {"Participant", participant_name(page.id)},
               {"Decoder", page.decoder},
               {"Scores", page.windows},
               {"Speakers", comma_separated(page.speakers)},
               {"Recorded", counted(page.runs.size(), "run") + ", " + duration_label(total) + " in total"}}};
  return facts;
}

Tone tone_of(const AlignmentResult& result) {
  if (!result.in_step) return Tone::note;
  return *result.in_step ? Tone::good : Tone::warning;
}

Section summary_section(const ParticipantPage& page) {
  Section section{"Summary", {}};
  append_notes(section, page.warnings, Tone::warning);
  section.blocks.emplace_back(chance_callout(page.raw, page.windows));
  if (page.alignment && tone_of(*page.alignment) == Tone::warning) {
    section.blocks.emplace_back(Callout{page.alignment->verdict, Tone::warning});
  }
  section.blocks.emplace_back(facts_of(page));
  Table table{.caption = "All runs together",
              .columns = {{.heading = "method", .numbers = false},
                          {.heading = "accuracy", .unit = "%", .factor = 100},
                          {.heading = "whole", .unit = "%", .factor = 100},
                          {.heading = "switch time", .unit = "s"}}};
  table.rows.push_back({std::string("raw"), page.raw.accuracy, page.raw.accuracy, std::monostate{}});
  for (const TrackerResult& one : page.trackers) {
    table.rows.push_back({one.method, one.accuracy, one.whole_accuracy, one.switch_time});
  }
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(Paragraph{std::string(two_accuracies)});
  return section;
}

Section runs(const ParticipantPage& page) {
  Table table{.caption = "Every run",
              .columns = {{.heading = "run", .numbers = false},
                          {.heading = "length", .unit = "s", .decimals = 0},
                          {.heading = "windows", .decimals = 0},
                          {.heading = "raw accuracy", .unit = "%", .factor = 100}}};
  for (const TrackerResult& one : page.runs.front().trackers) {
    table.columns.push_back({.heading = one.method + " accuracy", .unit = "%", .factor = 100});
    table.columns.push_back({.heading = one.method + " switch time", .unit = "s"});
  }
  for (const RunResult& run : page.runs) {
    std::vector<TableCell> row{run.name, std::optional(run.duration.value),
                               std::optional(static_cast<double>(run.windows)), run.raw_accuracy};
    for (const TrackerResult& one : run.trackers) {
      row.emplace_back(one.accuracy);
      row.emplace_back(one.switch_time);
    }
    table.rows.push_back(std::move(row));
  }
  return {"Runs", {std::move(table)}};
}

Section gains(const GainTable& gains) {
  Table table{.caption = "Gains by " + gains.map,
              .columns = {{.heading = "method", .numbers = false},
                          {.heading = "benefit", .unit = "dB"},
                          {.heading = "wrong emphasis", .unit = "dB s per minute"},
                          {.heading = "travel", .unit = "dB per minute"},
                          {.heading = "time below -3 dB", .unit = "%"}}};
  for (const GainRow& row : gains.rows) {
    table.rows.push_back({row.method, mean_cell(row.benefit, 1), mean_cell(row.wrong_emphasis, 1),
                          mean_cell(row.travel, 1), mean_cell(row.wrong_share, 100)});
  }
  return {"What gains would be worth",
          {std::move(table),
           Paragraph{"If a hearing aid set its gains by each method: how much louder than the mean of the others the "
                     "attended speaker is on average (benefit), how far and how long somebody else is louder (wrong "
                     "emphasis), and how much the gains move against each other (travel)."}}};
}

Section attention(const ParticipantPage& page) {
  Section section{"Attention over time", {}};
  for (const Drawing& drawing : page.attention) {
    section.blocks.emplace_back(
        Figure{drawing,
               "Probability that each speaker is attended, stacked to one. Above it: who was attended, where that is "
               "known. Below it: the decision of each window on its own, and the smoothed scores."});
  }
  return section;
}

Section alignment(const AlignmentResult& result) {
  return {"Alignment of EEG and audio",
          {Callout{result.verdict, tone_of(result)},
           Figure{result.drawing,
                  "Agreement between EEG and sound when one is shifted against the other. If the two are aligned, the "
                  "curve peaks inside the shaded range. A peak elsewhere shows by how much they are apart; without a "
                  "peak, no response was found."}}};
}

Section topography(const Drawing& drawing) {
  return {
      "What the decoder responds to",
      {Figure{drawing,
              "Forward patterns: how strongly, and with which sign, the decoded signal is present in each channel at "
              "each lag after the sound. Maps of a brain response are smooth and change within tens of "
              "milliseconds; a pattern confined to a single channel, or the same at every lag, suggests an "
              "artefact."}}};
}

void check(const GroupPage& page) {
  for (const GroupParticipant& one : page.participants) {
    if (one.accuracies.size() == page.methods.size()) continue;
    throw Error(ErrorKind::invalid_argument, participant_name(one.id) + ": " + std::to_string(one.accuracies.size()) +
                                                 " accuracies for " + std::to_string(page.methods.size()) +
                                                 " methods; give one per method, and nothing where it is unknown");
  }
}

bool has_accuracies(const GroupPage& page) {
  return std::ranges::any_of(page.participants, [](const GroupParticipant& one) {
    return std::ranges::any_of(one.accuracies, [](const auto& accuracy) { return accuracy.has_value(); });
  });
}

// How many participants are better than guessing, of those for whom that is known.
std::string better_than_guessing(const GroupPage& page) {
  std::size_t known = 0;
  std::size_t better = 0;
  for (const GroupParticipant& one : page.participants) {
    if (one.accuracies.empty() || !one.accuracies.front() || !one.chance_bound) continue;
    ++known;
    better += *one.accuracies.front() >= *one.chance_bound ? 1U : 0U;
  }
  if (known == 0) return "";
  return std::to_string(better) + " of " + std::to_string(known);
}

Section summary_section(const GroupPage& page) {
  Section section{"Summary", {}};
  append_notes(section, page.warnings, Tone::warning);
  if (!page.left_out.empty()) {
    section.blocks.emplace_back(Callout{
        counted(page.left_out.size(), "participant") + " could not be used; see the reasons below.", Tone::warning});
  }
  section.blocks.emplace_back(Facts{{{"Dataset", page.dataset},
                                     {"Participants", std::to_string(page.participants.size())},
                                     {"Decoder", page.decoder},
                                     {"Scores", page.windows},
                                     {"Evidence scale", page.evidence.empty() ? "not known" : page.evidence},
                                     {"Chance", per_cent(page.chance)},
                                     {"Better than guessing", better_than_guessing(page)}}});
  return section;
}

Section methods(const GroupPage& page) {
  Table table{.caption = "Mean \u00b1 standard deviation over participants",
              .columns = {{.heading = "method", .numbers = false},
                          {.heading = "participants", .decimals = 0},
                          {.heading = "accuracy", .unit = "%"},
                          {.heading = "p"},
                          {.heading = "whole", .unit = "%"},
                          {.heading = "switch time", .unit = "s"},
                          {.heading = "p"}}};
  for (const MethodResult& one : page.methods) {
    table.rows.push_back({one.method, std::optional(static_cast<double>(one.accuracy.count)),
                          mean_cell(one.accuracy, 100), p_cell(one.accuracy_p), mean_cell(one.whole_accuracy, 100),
                          mean_cell(one.switch_time, 1), p_cell(one.switch_time_p)});
  }
  Section section{"Methods", {std::move(table), Paragraph{std::string(two_accuracies)}}};
  if (page.methods.size() > 1) {
    const std::string& reference = page.reference.empty() ? page.methods.front().method : page.reference;
    section.blocks.emplace_back(Paragraph{"p: two-sided Wilcoxon signed-rank test against " + reference +
                                          ", over the participants with results for both; not corrected for the "
                                          "number of methods."});
  }
  return section;
}

Drawing dots(const GroupPage& page) {
  ParticipantDotsPicture picture{
      .chance = page.chance, .title = "Accuracy of every participant", .subtitle = page.dataset};
  for (const MethodResult& one : page.methods) picture.methods.push_back(one.method);
  for (const GroupParticipant& one : page.participants) {
    picture.participants.push_back({participant_name(one.id), one.accuracies, one.chance_bound});
  }
  return draw_participant_dots(picture);
}

Table participant_table(const GroupPage& page) {
  Table table{.caption = "Every participant",
              .columns = {{.heading = "participant", .numbers = false}, {.heading = "windows", .decimals = 0}}};
  for (const MethodResult& one : page.methods) {
    table.columns.push_back({.heading = one.method, .unit = "%", .factor = 100});
  }
  table.columns.push_back({.heading = "chance bound", .unit = "%", .factor = 100});
  table.columns.push_back({.heading = "p"});
  for (const GroupParticipant& one : page.participants) {
    const std::string name = participant_name(one.id);
    std::vector<TableCell> row{one.page.empty() ? TableCell(name) : TableCell(Link{name, one.page}),
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
    section.blocks.emplace_back(
        Figure{dots(page), "One column per participant. Within the shaded range, " + page.methods.front().method +
                               " may be right by chance alone; the other methods build on it."});
  } else {
    section.blocks.emplace_back(Callout{
        "No participant has an accuracy, since it is unknown who was attended; so there is no figure.", Tone::note});
  }
  section.blocks.emplace_back(participant_table(page));
  return section;
}

Section left_out(const GroupPage& page) {
  Table table{.caption = "Participants without results",
              .columns = {{.heading = "participant", .numbers = false}, {.heading = "reason", .numbers = false}}};
  for (const LeftOut& one : page.left_out) table.rows.push_back({participant_name(one.id), one.reason});
  return {"Left out", {std::move(table)}};
}

std::string with_notes(Page page, const Notes& notes) {
  Section section{"Notes", {}};
  append_notes(section, notes, Tone::note);
  if (!notes.empty()) page.sections.push_back(std::move(section));
  return html_text(page);
}

}  // namespace

TableCell p_cell(const std::optional<double>& p) {
  if (!p) return {};
  return p_number(*p);
}

GainRow gain_row(std::string method, std::span<const evaluate::GainWorth> gains) {
  const auto summary = [&](auto measure) {
    std::vector<std::optional<double>> values;
    for (const evaluate::GainWorth& one : gains) values.push_back((one.*measure)());
    return evaluate::summarise(values);
  };
  return {std::move(method), summary(&evaluate::GainWorth::benefit), summary(&evaluate::GainWorth::wrong_emphasis),
          summary(&evaluate::GainWorth::travel), summary(&evaluate::GainWorth::wrong_share)};
}

std::string participant_name(const std::string& id) { return id.starts_with("sub-") ? id : "sub-" + id; }

void append_notes(Section& section, const Notes& notes, Tone tone) {
  using Shared = std::pair<std::string, std::vector<std::string>>;  // a text, and whom it is about
  std::vector<Shared> shared;
  for (const Note& note : notes) {
    auto same = std::ranges::find_if(shared, [&](const Shared& other) {
      return other.first == note.text && !other.second.empty() && !note.subject.empty();
    });
    if (same == shared.end()) same = shared.insert(same, {note.text, {}});
    if (!note.subject.empty()) same->second.push_back(note.subject);
  }
  for (const auto& [text, ids] : shared) {
    const std::string subject = ids.empty() ? "" : ids.size() == 1 ? "participant " : "participants ";
    section.blocks.emplace_back(Callout{subject + comma_separated(ids) + (ids.empty() ? "" : ": ") + text, tone});
  }
}

std::string participant_page(const ParticipantPage& page) {
  check(page);
  Page result{.title = participant_name(page.id) + ": attention decoding",
              .subtitle = page.dataset,
              .sections = {summary_section(page)},
              .provenance = page.provenance};
  if (!page.runs.empty()) result.sections.push_back(runs(page));
  if (!page.gains.rows.empty()) result.sections.push_back(gains(page.gains));
  if (!page.attention.empty()) result.sections.push_back(attention(page));
  if (page.alignment) result.sections.push_back(alignment(*page.alignment));
  if (page.topography) result.sections.push_back(topography(*page.topography));
  return with_notes(std::move(result), page.notes);
}

std::string group_page(const GroupPage& page) {
  check(page);
  Page result{.title = page.dataset.empty() ? "Group results" : page.dataset + ": group results",
              .subtitle = counted(page.participants.size(), "participant"),
              .sections = {summary_section(page), methods(page)},
              .provenance = page.provenance};
  if (!page.gains.rows.empty()) result.sections.push_back(gains(page.gains));
  if (!page.participants.empty()) result.sections.push_back(participants(page));
  if (page.trade_off) {
    result.sections.push_back({"Accuracy against switch time",
                               {Figure{*page.trade_off,
                                       "The upper left is best: decisions are right more often and follow a switch "
                                       "of attention sooner."}}});
  }
  if (!page.left_out.empty()) result.sections.push_back(left_out(page));
  return with_notes(std::move(result), page.notes);
}

}  // namespace heed::report
