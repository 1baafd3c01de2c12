// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <heed/hmm/chain.h>
#include <report/page/page.h>
#include <report/page/result_pages.h>
#include <report/study/paper_summary.h>
#include <report/study/result_tables.h>
#include <report/study/study_drawings.h>
#include <report/study/study_report.h>
#include <report/study/trace_picture.h>
#include <report/text.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace heed::report {
namespace {

const std::string simulated_stamp = "simulated data";

bool has_uplot() {
  return std::ranges::any_of(web_assets(), [](const WebAsset& asset) { return asset.name == "uplot.js"; });
}

std::string table_file(const Study& study, const std::string& table) {
  return table == main_table(study) ? study.name : study.name + "_" + table;
}

// Every claim of these studies, placed by the study's title.
std::vector<Verdict> all_verdicts(const std::vector<StudyResult>& studies, std::span<const std::string> others) {
  std::vector<Verdict> all;
  for (const StudyResult& result : studies) {
    for (Verdict& one : verdicts_of(result, others).verdicts) {
      one.place = result.study.title;
      all.push_back(std::move(one));
    }
  }
  return all;
}

const std::string about_paper =
    "The experiments of N. Heintz, T. Francart and A. Bertrand, \u201cPost-processing of EEG-based Auditory Attention "
    "Decoding Decisions via Hidden Markov Models\u201d. Unless a study states otherwise, the settings are those of its "
    "Table I: two speakers, windows of 1 s, a switch probability p of " +
    number_label(hmm::switch_probability_per_second) +
    " per second of window, five minutes between switches. "
    "The paper's scores there are those of CCA; a published number stands beside ours only where the decoder is the "
    "same, or is named with it.";
constexpr std::string_view about_measures =
    "Accuracy is the share of correct decisions from the moment a switch is detected until the next one. Switch time "
    "is "
    "the distance of the detected switch from the true one; a missed switch counts the whole time until the next (the "
    "paper's Section IV-B). A method whose decisions change all the time is therefore fast, but inaccurate.";
constexpr std::string_view about_verdicts =
    "A claim holds, or does not, where Wilcoxon's test over the listeners is significant (p < 0.05); likeness needs "
    "two "
    "one-sided tests within a margin of 2 points of accuracy or 20 % of the larger switch time (of frontiers, an "
    "interval "
    "of 90 % within it); everything else cannot be told. Every claim is tested by itself: of a hundred that are "
    "neither true nor false, five would come out as "
    "one "
    "or the other.";
constexpr std::size_t fewest_listeners = 6;  // with five, no paired test is significant

bool has_tracking(const std::vector<StudyResult>& studies) {
  return std::ranges::any_of(studies, [](const StudyResult& result) { return result.find("tracking") != nullptr; });
}

std::size_t most_listeners(const std::vector<StudyResult>& studies) {
  std::size_t most = 0;
  for (const StudyResult& result : studies) {
    const ResultTable* table = result.find("tracking");
    if (table != nullptr) most = std::max(most, distinct_settings(*table, {"participant"}).size());
  }
  return most;
}

// How many claims hold, and all those that do not or cannot be told; what holds is listed with its study.
void append_verdicts(Section& section, const std::vector<StudyResult>& all) {
  const std::vector<Verdict> verdicts = all_verdicts(all, other_cohorts(all));
  if (verdicts.empty()) return;
  section.blocks.emplace_back(Paragraph{std::string(about_verdicts)});
  if (const std::string beyond = beyond_in_words(all); !beyond.empty()) section.blocks.emplace_back(Paragraph{beyond});
  const auto append = [&](std::optional<bool> holds, const char* summary) {
    std::vector<Verdict> some;
    std::ranges::copy_if(verdicts, std::back_inserter(some), [&](const Verdict& one) { return one.holds == holds; });
    if (!some.empty()) section.blocks.emplace_back(Verdicts{std::move(some), summary});
  };
  append(false, "Claims that do not hold here");
  append(std::nullopt, "Claims that cannot be told here");
}

bool is_of_the_paper(const StudyReport& report) {
  return std::ranges::any_of(
      report.studies, [](const StudyResult& result) { return result.obstacle.empty() && !result.study.paper.empty(); });
}

Section at_a_glance(const StudyReport& report) {
  Section section{"At a glance", {}};
  const bool of_the_paper = is_of_the_paper(report);
  if (of_the_paper) section.blocks.emplace_back(cohort_table(report.studies));
  Table headlines = headline_table(report.studies);
  if (!headlines.rows.empty()) section.blocks.emplace_back(std::move(headlines));
  if (of_the_paper) section.blocks.emplace_back(Paragraph{about_paper});
  if (has_tracking(report.studies)) section.blocks.emplace_back(Paragraph{std::string(about_measures)});
  append_notes(section, report.notes, Tone::note);
  if (const std::size_t listeners = most_listeners(report.studies); listeners > 0 && listeners < fewest_listeners) {
    section.blocks.emplace_back(
        Callout{"With fewer than six listeners no paired test can be significant; these results are only a trial run.",
                Tone::warning});
  }
  append_verdicts(section, report.studies);
  return section;
}

Figure page_figure(const StudyResult& result, const StudyDrawing& drawing, const std::string& stamp) {
  Figure figure{.drawing = drawing.wide,
                .caption = drawing.caption,
                .narrow = drawing.narrow,
                .files = {{"figure (SVG)", "figures/" + drawing.name + ".svg"},
                          {"data (TSV)", "tables/" + table_file(result.study, drawing.table) + ".tsv"}}};
  if (drawing.table == "trace") figure.data = trace_json(read_traces(table_of(result, "trace")), stamp);
  return figure;
}

Section study_section(const StudyResult& result, const StudyDrawings& figures, const std::string& stamp,
                      std::span<const std::string> others) {
  const Study& study = result.study;
  Section section{study.title, {Paragraph{study.question}}, study.paper.empty() ? "Beyond the paper" : study.paper};
  for (const StudyDrawing& drawing : figures.drawings) section.blocks.emplace_back(page_figure(result, drawing, stamp));
  for (const std::string& reason : figures.missing) section.blocks.emplace_back(Callout{reason, Tone::warning});
  if (study.figure.picture == StudyPicture::trace) {
    if (!has_uplot()) {
      section.blocks.emplace_back(
          Callout{"This heed was built without uPlot, so the whole trial cannot be explored here; its data are in the "
                  "table.",
                  Tone::note});
    }
  } else {
    section.blocks.emplace_back(setting_table(result));
  }
  if (study.figure.picture == StudyPicture::frontiers) section.blocks.emplace_back(frontier_table(result));
  Table tests = test_table(result);
  if (!tests.rows.empty()) section.blocks.emplace_back(std::move(tests));
  Verdicts verdicts = verdicts_of(result, others);
  if (!verdicts.verdicts.empty()) section.blocks.emplace_back(std::move(verdicts));
  append_notes(section, result.notes, Tone::note);
  return section;
}

Section not_applicable(const std::vector<StudyResult>& studies) {
  Section section{"Not applicable here", {}};
  Facts reasons;
  for (const StudyResult& result : studies) {
    if (!result.obstacle.empty()) reasons.facts.push_back({result.study.title, result.obstacle});
  }
  if (!reasons.facts.empty()) section.blocks.emplace_back(std::move(reasons));
  return section;
}

Section about(const StudyReport& report) {
  Section section{"About these results", {}};
  if (!report.facts.empty()) section.blocks.emplace_back(Facts{report.facts});
  return section;
}

void append_section(Page& page, Section section) {
  if (!section.blocks.empty()) page.sections.push_back(std::move(section));
}

void add_assets(Page& page) {
  for (const WebAsset& asset : web_assets()) {
    if (asset.name == "page.css") continue;  // every page has it
    if (asset.name.ends_with(".css")) {
      page.style += asset.text;
    } else {
      page.scripts.push_back(asset);
    }
  }
}

}  // namespace

StudyPages study_pages(const StudyReport& report) {
  StudyPages pages;
  Page page{.title = report.title, .subtitle = report.cohort, .provenance = report.provenance};
  if (report.simulated) {
    page.banner =
        "Simulated listeners: these results show how the methods behave on data from heed's simulator, not on real "
        "listeners.";
  }
  if (is_of_the_paper(report)) page.lead = paper_in_short(report.studies);
  const std::string stamp = report.simulated ? simulated_stamp : "";
  append_section(page, at_a_glance(report));
  const std::vector<std::string> others = other_cohorts(report.studies);
  for (const StudyResult& result : report.studies) {
    if (!result.obstacle.empty()) continue;
    const StudyDrawings figures = draw_study(result, stamp);
    page.sections.push_back(study_section(result, figures, stamp, others));
    for (const StudyDrawing& one : figures.drawings) pages.figures.push_back({one.name, one.wide});
    for (const NamedTable& one : result.tables) {
      pages.tables.push_back({table_file(result.study, one.name), one.table});
    }
  }
  append_section(page, not_applicable(report.studies));
  append_section(page, about(report));
  add_assets(page);
  pages.html = html_text(page);
  return pages;
}

}  // namespace heed::report
