// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/axis.h>
#include <report/page/result_words.h>
#include <report/participant_page.h>

#include <utility>

namespace heed::report {
namespace {

void check(const ParticipantPage& page) {
  for (const RunResult& run : page.runs) {
    bool alike = run.trackers.size() == page.runs.front().trackers.size();
    for (std::size_t k = 0; alike && k < run.trackers.size(); ++k) {
      alike = run.trackers[k].method == page.runs.front().trackers[k].method;
    }
    if (!alike) {
      throw Error(ErrorKind::invalid_argument,
                  "run " + run.name + ": other trackers than in the first run; give the same ones in the same order");
    }
  }
}

std::string joined(const std::vector<std::string>& words) {
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
               {"Window", seconds_words(page.window)},
               {"Speakers", joined(page.speakers)},
               {"Recorded", counted(page.runs.size(), "run") + ", " + duration_label(total) + " in all"}}};
  return facts;
}

Tone tone_of(const AlignmentResult& result) {
  if (!result.in_step) return Tone::note;
  return *result.in_step ? Tone::good : Tone::warning;
}

Section summary(const ParticipantPage& page) {
  Section section{"Summary", {}};
  append_notes(section, page.warnings, Tone::warning);
  section.blocks.emplace_back(chance_note(page.raw, page.window));
  if (page.alignment && tone_of(*page.alignment) == Tone::warning) {
    section.blocks.emplace_back(Note{page.alignment->verdict, Tone::warning});
  }
  section.blocks.emplace_back(facts_of(page));
  Table table{.caption = "All runs together",
              .columns = {{.heading = "method", .numbers = false},
                          {.heading = "accuracy", .unit = "%", .factor = 100},
                          {.heading = "switch time", .unit = "s"}},
              .rows = {}};
  table.rows.push_back({std::string("raw"), page.raw.accuracy, std::monostate{}});
  for (const TrackerResult& one : page.trackers) table.rows.push_back({one.method, one.accuracy, one.switch_time});
  section.blocks.emplace_back(std::move(table));
  return section;
}

Section runs(const ParticipantPage& page) {
  Table table{.caption = "Every run",
              .columns = {{.heading = "run", .numbers = false},
                          {.heading = "length", .unit = "s", .decimals = 0},
                          {.heading = "windows", .decimals = 0},
                          {.heading = "raw accuracy", .unit = "%", .factor = 100}},
              .rows = {}};
  for (const TrackerResult& one : page.runs.front().trackers) {
    table.columns.push_back({.heading = one.method + " accuracy", .unit = "%", .factor = 100});
    table.columns.push_back({.heading = one.method + " switch time", .unit = "s"});
  }
  for (const RunResult& run : page.runs) {
    std::vector<Cell> row{run.name, std::optional(run.duration.value), std::optional(static_cast<double>(run.windows)),
                          run.raw_accuracy};
    for (const TrackerResult& one : run.trackers) {
      row.emplace_back(one.accuracy);
      row.emplace_back(one.switch_time);
    }
    table.rows.push_back(std::move(row));
  }
  return {"Runs", {std::move(table)}};
}

Section attention(const ParticipantPage& page) {
  Section section{"Attention over time", {}};
  for (const Drawing& drawing : page.attention) {
    section.blocks.emplace_back(
        Figure{drawing,
               "The probability that each speaker is attended, stacked to one; above it who was attended, "
               "where that is known; below it what the windows alone say."});
  }
  return section;
}

Section alignment(const AlignmentResult& result) {
  return {"Are EEG and audio in step?",
          {Note{result.verdict, tone_of(result)},
           Figure{result.drawing,
                  "How well EEG and sound agree when one is moved against the other. In step, the curve peaks inside "
                  "the shaded range. A peak elsewhere tells by how much the two are apart; none tells that no response "
                  "was found."}}};
}

Section topography(const Drawing& drawing) {
  return {"What the decoder listens to",
          {Figure{drawing,
                  "Forward patterns: how strongly, and with which sign, the decoded signal is present in each channel "
                  "so long after the sound. Maps of a brain's response are smooth and change within some tens of "
                  "milliseconds; a pattern in one single channel, or the same at every lag, points to an artefact."}}};
}

}  // namespace

std::string participant_page(const ParticipantPage& page) {
  check(page);
  Page result{.title = participant_name(page.id) + ": whom did they listen to?",
              .subtitle = page.dataset,
              .sections = {summary(page)},
              .provenance = page.provenance};
  if (!page.runs.empty()) result.sections.push_back(runs(page));
  if (!page.attention.empty()) result.sections.push_back(attention(page));
  if (page.alignment) result.sections.push_back(alignment(*page.alignment));
  if (page.topography) result.sections.push_back(topography(*page.topography));
  if (!page.notes.empty()) {
    Section notes{"Notes", {}};
    append_notes(notes, page.notes, Tone::note);
    result.sections.push_back(std::move(notes));
  }
  return html_text(result);
}

}  // namespace heed::report
