// SPDX-License-Identifier: MIT
// The group level of `heed bids`: emissions leave one participant out, the table, the page.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/compare.h>
#include <io/atomic_file.h>
#include <io/tsv.h>
#include <pipeline/artificial_switches.h>
#include <report/page/result_pages.h>

#include <algorithm>
#include <filesystem>

#include "eeg/bids.h"
#include "exit_code.h"
#include "gain_options.h"
#include "plot.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;
using pipeline::Comparison;

// The score files of those who are done, and who is not.
struct Gathered {
  std::string method{};  // decoder and preparation in words
  std::vector<fs::path> scores{};
  std::vector<report::LeftOut> left_out{};
  std::vector<report::DataDigest> data{};
  Notes notes{};
};

// Results of different decoders or preparations can be told together, but seldom are meant to be.
class OneMethod {
 public:
  void add(const std::string& id, const ParticipantRecord& record, Notes& notes) {
    if (id_.empty()) {
      id_ = id;
      first_ = record;
    } else if (record.choice != first_.choice) {
      notes.push_back({id, NoteKind::doubtful,
                       "decoded differently (" + record.method + ") than sub-" + id_ + " (" + first_.method +
                           "); run the participant level for all participants with the same options"});
    }
  }

 private:
  std::string id_;
  ParticipantRecord first_;
};

void add_score_files(const fs::path& folder, const std::string& id, const std::string& ending,
                     std::vector<fs::path>& files) {
  for (const auto& entry : fs::recursive_directory_iterator(folder / ("sub-" + id))) {
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  }
}

// The decoder whose scores are wanted; nothing: it was not said, and whatever the participant level used is meant.
std::optional<std::string> decoder_asked_for(const BidsFlags& flags) {
  const pipeline::DecoderRequest& decoder = flags.request.decoder;
  if (!decoder.kind && !decoder.recipe) return std::nullopt;
  return std::string(pipeline::name(pipeline::resolve(decoder, flags.request.population.given.get()).kind));
}

Gathered gather(const BidsFlags& flags, const std::vector<io::ParticipantRuns>& participants) {
  std::optional<std::string> decoder = decoder_asked_for(flags);
  Gathered result;
  OneMethod one_method;
  for (const io::ParticipantRuns& one : participants) {
    const auto record = read_record(flags.output, one.id);
    if (!record) {
      result.left_out.push_back({one.id, "not decoded yet; run the participant level"});
    } else if (record->failure) {
      result.left_out.push_back({one.id, *record->failure});
    } else if (record->decoder != decoder.value_or(record->decoder)) {
      result.left_out.push_back({one.id, "decoded by " + record->decoder + ", not " + *decoder});
    } else {
      decoder = record->decoder;
      if (result.method.empty()) result.method = record->method;
      add_score_files(flags.output, one.id, "_desc-" + record->decoder + "_scores.tsv", result.scores);
      one_method.add(one.id, *record, result.notes);
      result.data.push_back({"sub-" + one.id, "xxh3-128:" + record->data_digest});
    }
  }
  std::ranges::sort(result.scores);
  if (result.scores.empty()) {
    const std::string by = decoder ? " by " + *decoder : "";
    const pipeline::DecoderRequest& asked = flags.request.decoder;
    std::string option = asked.recipe ? " --recipe " + std::string(pipeline::name(*asked.recipe)) : "";
    if (asked.kind) option += " --decoder " + *decoder;
    throw Error(ErrorKind::not_found,
                fmt::format("{}: no participant has been decoded{} yet; first: heed bids {} {} participant{}",
                            flags.output, by, data::shell_word(flags.dataset), data::shell_word(flags.output), option));
  }
  return result;
}

pipeline::CompareRequest compare_request(const BidsFlags& flags, std::span<const ScoredParticipant> participants) {
  pipeline::CompareRequest request{.participants = participants, .chain = chain_choice(flags.chain)};
  request.methods = {track::Method::raw, track::Method::causal, track::Method::fixed_lag, track::Method::smooth,
                     track::Method::viterbi};
  if (!flags.switch_every.empty())
    request.switch_every = pipeline::parse_interval("--switch-every", flags.switch_every);
  request.switch_probabilities = pipeline::paper_switch_probabilities();
  request.gains = evaluate::GainOptions{};
  return request;
}

std::string cell(std::optional<double> value) { return value ? io::number_text(*value) : "n/a"; }

// Tidy: one row per participant and method.
std::string group_table(const Comparison& comparison) {
  std::string text =
      "participant\tmethod\taccuracy\twhole_accuracy\tswitch_time\tmissed\tswitches\twindows\tbenefit\twrong_"
      "emphasis\ttravel\t"
      "wrong_share\n";
  for (const auto& method : comparison.methods) {
    for (const auto& one : method.participants) {
      text += "sub-" + one.id + "\t" + std::string(track::name(method.method)) + "\t" + cell(one.metrics.accuracy) +
              "\t" + cell(one.metrics.whole_accuracy) + "\t" + cell(one.metrics.switch_time) + "\t" +
              io::number_text(one.metrics.missed) + "\t" + io::number_text(one.metrics.switches) + "\t" +
              io::number_text(one.metrics.windows) + "\t" + cell(one.gains->benefit()) + "\t" +
              cell(one.gains->wrong_emphasis()) + "\t" + cell(one.gains->travel()) + "\t" +
              cell(one.gains->wrong_share()) + "\n";
    }
  }
  return text;
}

std::optional<double> p_of(const std::optional<evaluate::Wilcoxon>& test) {
  return test ? std::optional(test->p) : std::nullopt;
}

constexpr std::string_view no_switches =
    "no switch of attention was recorded, so there is no switch time; --switch-every 60 makes artificial ones";

bool has_switches(const Comparison& comparison) { return comparison.methods.front().switches > 0; }

std::string switches_text(const BidsFlags& flags) {
  return flags.switch_every.empty() ? "as recorded" : "artificial, every " + flags.switch_every + " s";
}

decode::WindowLayout layout_of(const Comparison& comparison, ScoreType type) {
  decode::WindowLayout layout(comparison.window, comparison.hop);
  layout.steps = type == ScoreType::step_cosine;
  return layout;
}

// As a live session steers by default.
report::GainTable gains_of(const Comparison& comparison) {
  report::GainTable table{.map = gain_words({})};
  for (const auto& method : comparison.methods) {
    std::vector<evaluate::GainWorth> gains;
    for (const auto& one : method.participants) gains.push_back(*one.gains);
    table.rows.push_back(report::gain_row(std::string(track::name(method.method)), gains));
  }
  return table;
}

report::GroupPage group_page(const BidsFlags& flags, const Comparison& comparison, const Gathered& gathered,
                             const std::vector<ScoredParticipant>& participants) {
  report::GroupPage page{
      .decoder = gathered.method,
      .windows = windows_words(layout_of(comparison, participants.front().type)) + switching_words(flags.chain),
      .evidence = comparison.evidence_words,
      .chance = comparison.chance,
      .left_out = gathered.left_out,
      .notes = gathered.notes,
      .provenance = {.command = flags.command, .version = std::string(version()), .data = gathered.data}};
  page.notes.insert(page.notes.end(), comparison.notes.begin(), comparison.notes.end());
  for (const auto& method : comparison.methods) {
    page.methods.push_back({std::string(track::name(method.method)), method.accuracy, method.switch_time,
                            p_of(method.accuracy_test), p_of(method.switch_time_test), method.whole_accuracy});
  }
  page.gains = gains_of(comparison);
  for (std::size_t k = 0; k < participants.size(); ++k) {
    const auto found = pipeline::significance_of(participants[k]);
    report::GroupParticipant one{.id = participants[k].id,
                                 .page = "sub-" + participants[k].id + ".html",
                                 .windows = found.windows,
                                 .chance_bound = found.bound,
                                 .p_value = found.p_value};
    for (const auto& method : comparison.methods) {
      one.accuracies.push_back(comparison.by_trial ? method.accuracy.mean : method.participants[k].metrics.accuracy);
    }
    page.participants.push_back(std::move(one));
  }
  if (has_switches(comparison)) {
    page.trade_off = trade_off_drawing(PlotFlags{}, comparison, switches_text(flags));
  } else {
    page.notes.push_back({"", NoteKind::left_out, std::string(no_switches)});
  }
  const std::string draws =
      comparison.draws > 1 ? ", averaged over " + std::to_string(comparison.draws) + " draws of them" : "";
  page.notes.push_back(
      {"", NoteKind::chosen,
       "Switches " + switches_text(flags) + draws +
           (comparison.by_trial ? ". Emission parameters of each trial are fitted to the others."
                                : ". Emission parameters of each participant are fitted to the others.")});
  return page;
}

void print_table(const Comparison& comparison, const BidsFlags& flags) {
  say("{}, {}, switches {}\n\n", count_text(comparison.methods.front().participants.size(), "participant"),
      data::shown_windows(comparison.window, comparison.hop), switches_text(flags));
  TextTable table({"method", "accuracy %", "whole %", "switch time s"});
  const auto percent = [](std::optional<double> x) { return x ? std::optional(100 * *x) : std::nullopt; };
  for (const auto& method : comparison.methods) {
    table.add({std::string(track::name(method.method)),
               shown_with_spread(percent(method.accuracy.mean), percent(method.accuracy.sd), 1),
               shown_with_spread(percent(method.whole_accuracy.mean), percent(method.whole_accuracy.sd), 1),
               shown_with_spread(method.switch_time.mean, method.switch_time.sd, 1)});
  }
  say("{}", table.text());
  if (!comparison.evidence_words.empty()) say("\nevidence scale {}\n", comparison.evidence_words);
}

void write_model(const BidsFlags& flags, const std::vector<ScoredParticipant>& participants) {
  const auto fitted = pipeline::fit_model({.participants = participants});
  io::write_model(fs::path(flags.output) / "group_model.json", fitted.model);
}

Comparison compare(const std::vector<ScoredParticipant>& participants, const BidsFlags& flags) {
  ProgressBar bar("comparing");
  pipeline::CompareRequest request = compare_request(flags, participants);
  request.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return pipeline::compare(request);
}

}  // namespace

int run_group_level(const BidsFlags& flags) {
  const io::BidsDataset dataset = io::read_dataset(flags.dataset);
  const auto asked = io::select_runs(dataset, flags.request.folder.selection);
  const Gathered gathered = gather(flags, asked);
  const io::ScoresCohort cohort = io::read_scores_cohort(gathered.scores);
  const Comparison comparison = compare(cohort.participants, flags);
  write_model(flags, cohort.participants);
  report::GroupPage page = group_page(flags, comparison, gathered, cohort.participants);
  page.dataset = dataset.name;
  const fs::path folder(flags.output);
  io::write_text_file(folder / "group_comparison.tsv", group_table(comparison));
  io::write_text_file(folder / "group_comparison.json", pipeline::comparison_json(comparison));
  io::write_text_file(folder / "group.html", report::group_page(page));
  print_table(comparison, flags);
  flush_output();
  warn(gathered.notes);
  for (const std::string& warning : cohort.warnings) warn(warning);
  for (const Note& note : comparison.notes) warn(note);
  if (!has_switches(comparison)) warn(std::string(no_switches));
  for (const report::LeftOut& one : gathered.left_out) tell("heed: sub-{} is left out: {}\n", one.id, one.reason);
  tell("group page: {}\n", (folder / "group.html").string());
  return gathered.left_out.empty() ? exit_success : exit_partial;
}

}  // namespace heed::app
