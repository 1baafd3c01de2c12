// SPDX-License-Identifier: MIT
#include <report/page/page.h>
#include <report/page/result_pages.h>
#include <report/study/result_tables.h>
#include <report/study/study_drawings.h>
#include <report/study/study_report.h>
#include <report/study/trace_picture.h>
#include <report/text.h>

#include <algorithm>
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

// Every claim of every study that was run, placed by the study's title.
std::vector<Verdict> all_verdicts(const std::vector<StudyResult>& studies) {
  std::vector<Verdict> all;
  for (const StudyResult& result : studies) {
    if (!result.obstacle.empty()) continue;
    for (Verdict& one : verdicts_of(result).verdicts) {
      one.place = result.study.title;
      all.push_back(std::move(one));
    }
  }
  return all;
}

// "Of 12 claims of the paper, 9 hold here, 2 do not, 1 cannot be decided."
std::string claim_count(const std::vector<Verdict>& verdicts, const std::string& source) {
  const auto count = [&](std::optional<bool> holds) {
    return static_cast<std::size_t>(std::ranges::count(verdicts, holds, &Verdict::holds));
  };
  const auto counted_as = [](std::size_t number, const char* one, const char* many) {
    return std::to_string(number) + (number == 1 ? one : many);
  };
  std::string text =
      "Of " + counted(verdicts.size(), "claim") + source + ", " + counted_as(count(true), " holds here", " hold here");
  if (count(false) > 0) text += ", " + counted_as(count(false), " does not", " do not");
  if (count(std::nullopt) > 0) text += ", " + std::to_string(count(std::nullopt)) + " cannot be decided";
  return text + ".";
}

// The paper's first, then those of studies beyond it.
std::string claim_counts(const std::vector<StudyResult>& studies) {
  std::vector<StudyResult> of_the_paper;
  std::vector<StudyResult> beyond;
  for (const StudyResult& result : studies) (result.study.paper.empty() ? beyond : of_the_paper).push_back(result);
  const std::vector<Verdict> published = all_verdicts(of_the_paper);
  const std::vector<Verdict> others = all_verdicts(beyond);
  std::string text;
  if (!published.empty()) text += claim_count(published, " of the paper");
  if (!others.empty()) text += (text.empty() ? "" : " ") + claim_count(others, published.empty() ? "" : " beyond it");
  return text + " Each is listed with its study.";
}

constexpr std::string_view about_paper =
    "The experiments of N. Heintz, T. Francart and A. Bertrand, \u201cPost-processing of EEG-based Auditory Attention "
    "Decoding Decisions via Hidden Markov Models\u201d. Unless a study states otherwise, the settings are those of its "
    "Table I: two speakers, windows of 1 s, a switch probability p of 0.001 per second of window, five minutes between "
    "switches, CCA.";
constexpr std::string_view about_measures =
    "Accuracy is the share of correct decisions from the moment a switch is detected until the next one. Switch time "
    "is "
    "the distance of the detected switch from the true one; a missed switch counts the whole time until the next (the "
    "paper's Section IV-B). A method whose decisions change all the time is therefore fast, but inaccurate.";
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

Section at_a_glance(const StudyReport& report) {
  Section section{"At a glance", {}};
  const bool of_the_paper = std::ranges::any_of(
      report.studies, [](const StudyResult& result) { return result.obstacle.empty() && !result.study.paper.empty(); });
  if (of_the_paper) section.blocks.emplace_back(Paragraph{std::string(about_paper)});
  Table headlines = headline_table(report.studies);
  if (!headlines.rows.empty()) section.blocks.emplace_back(std::move(headlines));
  if (has_tracking(report.studies)) section.blocks.emplace_back(Paragraph{std::string(about_measures)});
  append_notes(section, report.notes, Tone::note);
  if (const std::size_t listeners = most_listeners(report.studies); listeners > 0 && listeners < fewest_listeners) {
    append_notes(
        section,
        {"With fewer than six listeners no paired test can be significant; these results are only a trial run."},
        Tone::warning);
  }
  std::vector<Verdict> verdicts = all_verdicts(report.studies);
  if (verdicts.empty()) return section;
  section.blocks.emplace_back(Paragraph{claim_counts(report.studies)});
  std::erase_if(verdicts, [](const Verdict& one) { return one.holds.value_or(true); });
  if (verdicts.empty()) return section;
  section.blocks.emplace_back(Verdicts{std::move(verdicts), "Claims that do not hold here"});
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

Section study_section(const StudyResult& result, const StudyDrawings& figures, const std::string& stamp) {
  const Study& study = result.study;
  Section section{study.title, {Paragraph{study.question}}, study.paper.empty() ? "Beyond the paper" : study.paper};
  for (const StudyDrawing& drawing : figures.drawings) section.blocks.emplace_back(page_figure(result, drawing, stamp));
  append_notes(section, figures.missing, Tone::warning);
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
  Table tests = test_table(result);
  if (!tests.rows.empty()) section.blocks.emplace_back(std::move(tests));
  Verdicts verdicts = verdicts_of(result);
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
  const std::string stamp = report.simulated ? simulated_stamp : "";
  append_section(page, at_a_glance(report));
  for (const StudyResult& result : report.studies) {
    if (!result.obstacle.empty()) continue;
    const StudyDrawings figures = draw_study(result, stamp);
    page.sections.push_back(study_section(result, figures, stamp));
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
