// SPDX-License-Identifier: MIT
// The participant level of `heed bids`.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <heed/report/attention_figure.h>
#include <io/atomic_file.h>
#include <io/bids/dataset_check.h>
#include <io/bids/dataset_writer.h>
#include <io/digest.h>
#include <io/result_table_file.h>
#include <pipeline/scoring/leave_trial_out.h>
#include <pipeline/scoring/scoring.h>
#include <pipeline/scoring/training.h>
#include <report/page/result_pages.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "eeg/bids.h"
#include "exit_code.h"
#include "gain_options.h"
#include "plot.h"
#include "terminal.h"

namespace heed::app {
namespace {

namespace fs = std::filesystem;
using pipeline::ParticipantTrials;
using pipeline::TrackedByMethod;

constexpr std::array shown_methods{track::Method::causal, track::Method::smooth};

// Names without what they have in common, such as sub-01 and a task: cut to the room of a figure, what tells trials
// apart would be lost.
std::vector<std::string> distinct_parts(std::span<const TrackedTrial> trials) {
  std::vector<std::vector<std::string>> parts;
  std::map<std::string, std::size_t> trials_with;
  for (const TrackedTrial& trial : trials) {
    std::istringstream text(trial.name);
    parts.emplace_back();
    for (std::string part; std::getline(text, part, '_');) parts.back().push_back(part);
    for (const std::string& part : std::set<std::string>(parts.back().begin(), parts.back().end())) ++trials_with[part];
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    std::string name;
    for (const std::string& part : parts[k]) {
      if (trials_with[part] < trials.size()) name += (name.empty() ? "" : "_") + part;
    }
    names.push_back(name.empty() ? trials[k].name : name);
  }
  return names;
}

// All that a participant's page and files are made from.
struct Results {
  pipeline::ScoredListener scored{};
  std::vector<TrackedByMethod> tracking{};
  pipeline::ForwardPattern pattern{};
  std::string data_digest{};

  [[nodiscard]] const ScoredParticipant& scores() const { return scored.result.scores.front(); }
};

class ParticipantLevel {
 public:
  explicit ParticipantLevel(const BidsFlags& flags)
      : flags_(flags),
        problems_(flags.skip_validation ? io::Problems{} : validation_errors()),
        request_(watched(flags.request)),
        scoring_(request_) {}

  int run() {
    tell("{}; {}\n", scoring_.decoder_words(), io::describe(scoring_.choice().preprocessing));
    warn(scoring_.notes());
    const auto& participants = scoring_.participants();
    tell_of_other_decoders();
    std::vector<char> earlier(participants.size(), 0);
    const auto errors = scoring_.folder().for_each("decoding", participants.size(), [&](std::size_t k) {
      const io::ParticipantRuns& runs = participants[k];
      ParticipantRecord record{
          .decoder = scoring_.description(),
          .choice = io::digest_of(scoring_.choice()),
          .method = pipeline::describe(scoring_.choice()) + "; " + io::describe(scoring_.choice().preprocessing)};
      try {
        record.data_digest = scoring_.folder().preparation().digest_of(runs.runs);
        record.key = scoring_.key_of(k) + switching_words(flags_.chain);
        if (is_done(runs.id, record.key)) {
          earlier[k] = 1;
          return;
        }
        throw_first_of(runs.id);
        decode(k, record.data_digest);
      } catch (const Error& error) {
        record.failure = error.what();
        write_record(flags_.output, runs.id, record);
        throw;
      }
      write_record(flags_.output, runs.id, record);
    });
    return summarise(errors, earlier);
  }

 private:
  [[nodiscard]] bool is_done(const std::string& id, const std::string& key) const {
    const auto record = read_record(flags_.output, id);
    return record && record->key == key && !record->failure;
  }

  // Results of another decoder stay where they are; verbs that read the whole folder would find both.
  void tell_of_other_decoders() const {
    for (const io::ParticipantRuns& one : scoring_.participants()) {
      const auto record = read_record(flags_.output, one.id);
      if (!record || record->failure || record->decoder == scoring_.description()) continue;
      warn(fmt::format(
          "{} holds scores of an earlier start, by {} (desc-{}); they stay beside those by {}. Remove them, "
          "or choose another folder",
          flags_.output, record->decoder, record->decoder, scoring_.description()));
      return;
    }
  }

  // Errors of the dataset itself stop everything; those below a participant's folder stop the participant.
  [[nodiscard]] io::Problems validation_errors() const {
    io::Problems errors;
    for (io::Problem& problem :
         io::check_dataset(flags_.dataset, {.selection = flags_.request.folder.selection}).problems) {
      if (problem.severity != io::Severity::error) continue;
      if (!problem.file.starts_with("sub-")) {
        throw Error(ErrorKind::bad_data, (fs::path(flags_.dataset) / problem.file).string() + ": " + problem.text() +
                                             " ('heed validate' lists everything)");
      }
      errors.push_back(std::move(problem));
    }
    return errors;
  }

  void throw_first_of(const std::string& id) const {
    for (const io::Problem& problem : problems_) {
      if (!problem.file.starts_with("sub-" + id + "/")) continue;
      throw Error(ErrorKind::bad_data, (fs::path(flags_.dataset) / problem.file).string() + ": " + problem.text());
    }
  }

  void decode(std::size_t k, const std::string& digest) const {
    Results results{.scored = scoring_.score(k), .data_digest = digest};
    results.tracking = pipeline::track_leaving_trials_out(results.scores(), chain_choice(flags_.chain), shown_methods);
    results.pattern = pattern_of(results.scored);
    write_tables(k, results);
    write_page(scoring_.participants()[k], results);
  }

  // Of a decoder of all trials, with what others lent.
  [[nodiscard]] pipeline::ForwardPattern pattern_of(const pipeline::ScoredListener& scored) const {
    const pipeline::DecoderChoice& choice = scoring_.choice();
    const Seconds window = layout().window;
    if (scored.prior) {
      const auto lags = pipeline::training_options(choice, window).lags;
      const auto lent = scored.prior->lend({}, {scored.trials.trials.front().channels, lags});
      return pipeline::train(scored.trials, choice, window, &lent).pattern;
    }
    return pipeline::train(scored.trials, choice, window).pattern;
  }

  void write_tables(std::size_t k, const Results& results) const {
    scoring_.write(k, results.scored);
    const io::ParticipantRuns& runs = scoring_.participants()[k];
    for (const io::BidsRun& run : runs.runs) {
      for (const TrackedByMethod& one : results.tracking) write_posteriors(run, results.scored.trials, one);
    }
    const auto& pattern = results.pattern;
    const auto folder = io::derivative_path(flags_.output, runs.runs.front(), "x").parent_path();
    io::write_pattern(folder / fmt::format("sub-{}_desc-{}_pattern.tsv", runs.id, scoring_.description()),
                      {pattern.channels, pattern.lags, pattern.values});
  }

  void write_posteriors(const io::BidsRun& run, const ParticipantTrials& trials,
                        const TrackedByMethod& tracking) const {
    TrackedParticipant part = tracking.tracked;
    part.trials.clear();
    for (std::size_t k = 0; k < trials.runs.size(); ++k) {
      if (trials.runs[k] != run.name) continue;
      part.trials.push_back(tracking.tracked.trials[k]);
      part.trials.back().name = pipeline::name_within_run(tracking.tracked.trials[k].name, run.name);
    }
    const std::string method(track::name(tracking.method));
    io::write_posteriors(io::derivative_path(flags_.output, run, "desc-" + method + "_posterior.tsv"), part,
                         {.method = method,
                          .emission = "fitted to the participant's other trials",
                          .sources = {run.name + "_desc-" + scoring_.description() + "_scores.tsv"}});
  }

  void write_page(const io::ParticipantRuns& runs, const Results& results) const {
    const std::string who = "sub-" + runs.id;
    const pipeline::DecoderChoice& choice = scoring_.choice();
    const pipeline::ParticipantScores& scored = results.scored.result;
    const std::string lent = scored.population.empty() ? "" : "; population: " + scored.population;
    report::ParticipantPage page{.id = runs.id,
                                 .dataset = scoring_.folder().dataset().name,
                                 .decoder = pipeline::describe(choice) + ", leave one trial out" + lent + "; " +
                                            io::describe(choice.preprocessing),
                                 .windows = windows_words(layout()) + switching_words(flags_.chain),
                                 .speakers = results.scores().speakers};
    const auto& found = scored.significance.front();
    page.raw = {found.accuracy, found.windows, found.chance, found.bound, found.p_value};
    for (const TrackedByMethod& one : results.tracking) page.trackers.push_back(result_of(one.method, one.metrics));
    page.gains = gains_of(results);
    add_runs(page, results);
    if (scored.alignment) {
      page.alignment = report::AlignmentResult{alignment_drawing(*scored.alignment, "EEG against sound, " + who),
                                               decode::describe(*scored.alignment), in_step(scored.alignment->verdict)};
    }
    page.topography =
        pattern_drawing(results.pattern, "What the decoder of " + who + " listens to", electrodes_of(runs, page));
    for (const TrackedByMethod& one : results.tracking) page.attention.push_back(attention_drawing(results, one));
    // The page is about one participant: runs are named in the text.
    const auto say = [&](std::string text) { page.notes.push_back({"", NoteKind::chosen, std::move(text)}); };
    for (const Note& note : scored.notes) say(note.subject == runs.id ? note.text : note_text(note));
    say("The emission of each trial was fitted to the participant's other trials; the group level fits it to the other "
        "participants.");
    if (choice.preprocessing.filters == FilterMode::zero_phase) {
      say("Filters ran forwards and backwards, so even causal attention has seen a little of the future; --filters "
          "causal filters as in a live session.");
    }
    page.provenance = {.command = flags_.command,
                       .version = std::string(version()),
                       .data = {{who, "xxh3-128:" + results.data_digest}}};
    io::write_text_file(fs::path(flags_.output) / (who + ".html"), report::participant_page(page));
  }

  // Nothing where it cannot be told.
  static std::optional<bool> in_step(decode::AlignmentVerdict verdict) {
    if (verdict == decode::AlignmentVerdict::unclear) return std::nullopt;
    return verdict == decode::AlignmentVerdict::aligned;
  }

  // Where they were measured, by the first run's table. One that says nothing usable costs the map its places, no more;
  // a disk that fails is told as everywhere.
  [[nodiscard]] std::vector<io::PlacedElectrode> electrodes_of(const io::ParticipantRuns& runs,
                                                               report::ParticipantPage& page) const {
    try {
      return io::read_electrodes(scoring_.folder().dataset(), runs.runs.front());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::io) throw;
      page.warnings.push_back(
          {"", NoteKind::doubtful, std::string("electrodes are drawn by their names: ") + error.what()});
      return {};
    }
  }

  [[nodiscard]] const decode::WindowLayout& layout() const { return scoring_.layouts().front(); }

  // As a live session steers by default.
  static report::GainTable gains_of(const Results& results) {
    report::GainTable table{.map = gain_words({})};
    for (const TrackedByMethod& one : results.tracking) {
      const auto worth = evaluate::GainWorth::measure(one.tracked);
      table.rows.push_back(report::gain_row(std::string(track::name(one.method)), {&worth, 1}));
    }
    return table;
  }

  static report::TrackerResult result_of(track::Method method, const evaluate::ParticipantMetrics& metrics) {
    return {std::string(track::name(method)), metrics.accuracy, metrics.switch_time, metrics.whole_accuracy};
  }

  static void add_runs(report::ParticipantPage& page, const Results& results) {
    const std::vector<Trial>& trials = results.scored.trials.trials;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const Trial& trial = trials[k];
      ScoredParticipant alone = results.scores();
      alone.trials = {results.scores().trials[k]};
      report::RunResult row{.name = trial.name,
                            .duration = {static_cast<double>(trial.samples()) / trial.sampling_frequency.value},
                            .windows = alone.trials.front().scores.values.rows(),
                            .raw_accuracy = pipeline::significance_of(alone).accuracy};
      for (const TrackedByMethod& one : results.tracking)
        row.trackers.push_back(result_of(one.method, one.by_trial[k]));
      page.runs.push_back(std::move(row));
    }
  }

  [[nodiscard]] report::Drawing attention_drawing(const Results& results, const TrackedByMethod& tracking) const {
    const std::string method(track::name(tracking.method));
    TrackedParticipant tracked = tracking.tracked;
    const std::vector<std::string> names = distinct_parts(tracked.trials);
    for (std::size_t k = 0; k < names.size(); ++k) tracked.trials[k].name = names[k];
    report::AttentionPicture picture{
        .tracked = tracked,
        .score_name = std::string(data::name_of(results.scores().type)),
        .title = "Attention of sub-" + results.scores().id,
        .subtitle = method + ", " + windows_words(layout()) + switching_words(flags_.chain)};
    for (const ScoredTrial& trial : results.scores().trials) picture.scores.push_back(data::view(trial.scores.values));
    return report::draw_attention(picture);
  }

  [[nodiscard]] int summarise(const std::vector<std::optional<Error>>& errors, const std::vector<char>& earlier) const {
    std::vector<pipeline::ParticipantOutcome> outcomes;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const std::string& id = scoring_.participants()[k].id;
      outcomes.push_back({id, errors[k]});
      if (errors[k]) continue;
      tell("sub-{}: {}\n", id,
           earlier[k] != 0 ? "done before" : (fs::path(flags_.output) / ("sub-" + id + ".html")).string());
    }
    const int code = conclude(outcomes);
    if (code < exit_usage) {
      tell("next: heed bids {} {} group{}\n", data::shell_word(flags_.dataset), data::shell_word(flags_.output),
           switching_options(flags_.chain));
    }
    return code;
  }

  const BidsFlags& flags_;
  io::Problems problems_;
  pipeline::ScoreRequest request_;
  pipeline::Scoring scoring_;
};

}  // namespace

int run_participant_level(const BidsFlags& flags) { return ParticipantLevel(flags).run(); }

}  // namespace heed::app
