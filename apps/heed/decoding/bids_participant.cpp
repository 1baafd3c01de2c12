// SPDX-License-Identifier: MIT
// The participant level of `heed bids`.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/decode/window_sums.h>
#include <heed/io/decoder_file.h>
#include <heed/io/posterior_file.h>
#include <heed/report/attention_figure.h>
#include <io/atomic_file.h>
#include <io/bids/dataset_check.h>
#include <io/bids/dataset_writer.h>
#include <io/digest.h>
#include <io/result_table_file.h>
#include <pipeline/decoding/cross_validation.h>
#include <pipeline/decoding/own_tracking.h>
#include <pipeline/decoding/significance.h>
#include <report/page/result_pages.h>

#include <filesystem>

#include "decoding/bids.h"
#include "decoding/cohort_work.h"
#include "decoding/participant_record.h"
#include "decoding/score_files.h"
#include "plot.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;
using pipeline::OwnTracking;
using pipeline::ParticipantTrials;

constexpr std::array shown_methods{track::Method::causal, track::Method::smooth};

// All that a participant's page and files are made from.
struct Results {
  ScoredParticipant scores{};
  std::vector<OwnTracking> tracking{};
  pipeline::Significance significance{};
  decode::Alignment alignment{};
  pipeline::ForwardPattern pattern{};
  std::vector<std::string> notes{};
  std::string data_digest{};
};

class ParticipantLevel {
 public:
  explicit ParticipantLevel(const BidsFlags& flags)
      : flags_(flags),
        dataset_(io::read_dataset(flags.dataset)),
        participants_(io::select_runs(dataset_, selection(flags))),
        choice_(decoder_choice(flags.decoder, flags.signals)),
        preparation_(dataset_, {choice_.preprocessing, cache_folder({.folder = flags.work})}) {
    (void)decode::cells_per_window({flags.window});
    (void)pipeline::training_options(choice_, {flags.window});
  }

  int run() {
    io::make_derivative_folder(flags_.output, dataset_);
    tell_recipe(flags_.decoder, choice_);
    if (flags_.decoder.recipe == "heed") {
      fmt::print(stderr, "every participant is decoded alone; 'heed score --recipe heed' leans on the others\n");
    }
    const auto problems = flags_.skip_validation ? io::Problems{} : validation_errors();
    std::vector<char> earlier(participants_.size(), 0);
    const auto failures = for_each_participant(participants_, {"decoding", {flags_.threads}}, [&](std::size_t k) {
      const io::ParticipantRuns& runs = participants_[k];
      ParticipantRecord record{.decoder = desc(), .method = method()};
      try {
        record.data_digest = preparation_.digest_of(runs.runs);
        record.key = key_of(record.data_digest);
        if (is_done(runs.id, record.key)) {
          earlier[k] = 1;
          return;
        }
        throw_first_of(runs.id, problems);
        decode(runs, record.data_digest);
      } catch (const Error& error) {
        record.failure = error.what();
        write_record(flags_.output, runs.id, record);
        throw;
      }
      write_record(flags_.output, runs.id, record);
    });
    return tell(failures, earlier);
  }

 private:
  [[nodiscard]] std::string desc() const { return std::string(pipeline::name(choice_.kind)); }

  [[nodiscard]] std::string method() const {
    return decoder_text(choice_) + "; " + io::describe(choice_.preprocessing);
  }

  [[nodiscard]] bool is_done(const std::string& id, const std::string& key) const {
    const auto record = read_record(flags_.output, id);
    return record && record->key == key && !record->failure;
  }

  [[nodiscard]] std::string key_of(const std::string& data_digest) const {
    io::Digest digest;
    digest.add(version()).add(data_digest).add(decoder_text(choice_)).add(fmt::format("{}", flags_.window));
    digest.add(io::describe(choice_.preprocessing)).add(io::name_of(choice_.preprocessing.bad_channels));
    for (const std::string& channel : choice_.channels) digest.add(channel);
    return digest.hex();
  }

  // Errors of the dataset itself stop everything; those below a participant's folder stop the participant.
  io::Problems validation_errors() const {
    io::Problems errors;
    for (io::Problem& problem : io::check_dataset(flags_.dataset).problems) {
      if (problem.severity != io::Severity::error) continue;
      if (!problem.file.starts_with("sub-")) {
        throw Error(ErrorKind::bad_data, (fs::path(flags_.dataset) / problem.file).string() + ": " + problem.text() +
                                             " ('heed validate' lists everything)");
      }
      errors.push_back(std::move(problem));
    }
    return errors;
  }

  void throw_first_of(const std::string& id, const io::Problems& problems) const {
    for (const io::Problem& problem : problems) {
      if (!problem.file.starts_with("sub-" + id + "/")) continue;
      throw Error(ErrorKind::bad_data, (fs::path(flags_.dataset) / problem.file).string() + ": " + problem.text());
    }
  }

  void decode(const io::ParticipantRuns& runs, const std::string& digest) const {
    const ParticipantTrials trials = pipeline::scaled_trials(preparation_.prepare(runs.id, runs.runs), choice_);
    const Seconds window{flags_.window};
    Results results;
    results.scores = std::move(pipeline::cross_validate(trials, choice_, {&window, 1}).front());
    results.tracking = pipeline::track_leaving_trials_out(results.scores, {}, shown_methods);
    results.significance = pipeline::significance_of(results.scores);
    std::vector<const Trial*> labelled;
    for (const Trial& trial : trials.trials) {
      if (!trial.attention.empty()) labelled.push_back(&trial);
    }
    results.alignment = decode::check_alignment(labelled);
    results.pattern = pipeline::train(
                          1, [&](std::size_t) { return trials; }, choice_, window)
                          .pattern;
    results.notes = trials.notes;
    for (std::string& note : notes_on_missing(results.scores)) results.notes.push_back(std::move(note));
    results.data_digest = digest;
    write_tables(runs, trials, results);
    write_page(runs, trials, results);
  }

  void write_tables(const io::ParticipantRuns& runs, const ParticipantTrials& trials, const Results& results) const {
    write_score_files(
        {.folder = flags_.output,
         .description = desc(),
         .options = {.decoder = decoder_text(choice_), .preprocessing = io::describe(choice_.preprocessing)}},
        runs, trials, {&results.scores, 1});
    for (const io::BidsRun& run : runs.runs) {
      for (const OwnTracking& one : results.tracking) write_posteriors(run, trials, one);
    }
    const auto& pattern = results.pattern;
    const auto folder = io::derivative_path(flags_.output, runs.runs.front(), "x").parent_path();
    io::write_pattern(folder / fmt::format("sub-{}_desc-{}_pattern.tsv", runs.id, desc()),
                      {pattern.channels, pattern.lags, pattern.values});
  }

  void write_posteriors(const io::BidsRun& run, const ParticipantTrials& trials, const OwnTracking& tracking) const {
    TrackedParticipant part = tracking.tracked;
    part.trials.clear();
    for (std::size_t k = 0; k < trials.runs.size(); ++k) {
      if (trials.runs[k] != run.name) continue;
      part.trials.push_back(tracking.tracked.trials[k]);
      part.trials.back().name = name_within_run(tracking.tracked.trials[k].name, run.name);
    }
    const std::string method(track::name(tracking.method));
    io::write_posteriors(io::derivative_path(flags_.output, run, "desc-" + method + "_posterior.tsv"), part,
                         {.method = method,
                          .emission = "fitted to the participant's other trials",
                          .sources = {run.name + "_desc-" + desc() + "_scores.tsv"}});
  }

  void write_page(const io::ParticipantRuns& runs, const ParticipantTrials& trials, const Results& results) const {
    const std::string who = "sub-" + runs.id;
    report::ParticipantPage page{
        .id = runs.id,
        .dataset = dataset_.name,
        .decoder = decoder_text(choice_) + ", leave one trial out; " + io::describe(choice_.preprocessing),
        .window = Seconds{flags_.window},
        .speakers = results.scores.speakers};
    const auto& found = results.significance;
    page.raw = {found.accuracy, found.windows, found.chance, found.bound, found.p_value};
    for (const OwnTracking& one : results.tracking) page.trackers.push_back(result_of(one.method, one.metrics));
    add_runs(page, trials, results);
    page.alignment = report::AlignmentResult{alignment_drawing(results.alignment, "EEG against sound, " + who),
                                             decode::describe(results.alignment),
                                             results.alignment.verdict != decode::AlignmentVerdict::likely_offset};
    page.topography = pattern_drawing(results.pattern, "What the decoder of " + who + " listens to");
    for (const OwnTracking& one : results.tracking) page.attention.push_back(attention_drawing(results, one));
    page.notes = results.notes;
    page.notes.push_back(
        "The emission of each trial was fitted to the participant's other trials; the group level fits "
        "it to the other participants.");
    if (choice_.preprocessing.filters == FilterMode::zero_phase) {
      page.notes.push_back(
          "Filters ran forwards and backwards, so even causal attention has seen a little of the "
          "future; --filters causal is what a live session could do.");
    }
    page.provenance = {.command = flags_.command,
                       .version = std::string(version()),
                       .data = {{who, "xxh3-128:" + results.data_digest}}};
    io::write_text_file(fs::path(flags_.output) / (who + ".html"), report::participant_page(page));
  }

  static report::TrackerResult result_of(track::Method method, const evaluate::ParticipantMetrics& metrics) {
    return {std::string(track::name(method)), metrics.accuracy, metrics.switch_time};
  }

  void add_runs(report::ParticipantPage& page, const ParticipantTrials& trials, const Results& results) const {
    for (std::size_t k = 0; k < trials.trials.size(); ++k) {
      const Trial& trial = trials.trials[k];
      ScoredParticipant alone = results.scores;
      alone.trials = {results.scores.trials[k]};
      report::RunResult row{.name = trial.name,
                            .duration = {static_cast<double>(trial.samples()) / trial.sampling_frequency.value},
                            .windows = alone.trials.front().scores.values.rows(),
                            .raw_accuracy = pipeline::significance_of(alone).accuracy};
      for (const OwnTracking& one : results.tracking) row.trackers.push_back(result_of(one.method, one.by_trial[k]));
      page.runs.push_back(std::move(row));
    }
  }

  [[nodiscard]] report::Drawing attention_drawing(const Results& results, const OwnTracking& tracking) const {
    const std::string method(track::name(tracking.method));
    report::AttentionPicture picture{
        .tracked = tracking.tracked,
        .score_name = results.scores.type == ScoreType::correlation ? "correlation" : "log-odds",
        .title = "Attention of sub-" + results.scores.id,
        .subtitle = fmt::format("{}, windows of {:g} s", method, flags_.window)};
    for (const ScoredTrial& trial : results.scores.trials) picture.scores.push_back(data::view(trial.scores.values));
    return report::draw_attention(picture);
  }

  int tell(const std::vector<std::optional<Error>>& failures, const std::vector<char>& earlier) const {
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      if (failures[k]) continue;
      fmt::print(stderr, "sub-{}: {}\n", participants_[k].id,
                 earlier[k] != 0 ? "done before"
                                 : (fs::path(flags_.output) / ("sub-" + participants_[k].id + ".html")).string());
    }
    const int code = conclude(participants_, failures);
    if (code < 2) fmt::print(stderr, "next: heed bids {} {} group\n", flags_.dataset, flags_.output);
    return code;
  }

  const BidsFlags& flags_;
  io::BidsDataset dataset_;
  std::vector<io::ParticipantRuns> participants_;
  pipeline::DecoderChoice choice_;
  pipeline::Preparation preparation_;
};

}  // namespace

int run_participant_level(const BidsFlags& flags) { return ParticipantLevel(flags).run(); }

}  // namespace heed::app
