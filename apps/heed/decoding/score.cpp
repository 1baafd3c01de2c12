// SPDX-License-Identifier: MIT
// `heed score`: a BIDS folder in, scores of every window out.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/decode/alignment.h>
#include <heed/decode/window_sums.h>
#include <heed/evaluate/summary.h>
#include <heed/io/decoder_file.h>
#include <io/bids/dataset_writer.h>
#include <pipeline/decoding/cross_validation.h>
#include <pipeline/decoding/significance.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "decoding/cohort_work.h"
#include "decoding/decoder_options.h"
#include "decoding/score_files.h"
#include "exit_code.h"
#include "json_value.h"
#include "population/lender.h"
#include "population/population_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* score_examples = R"(Examples:
  heed score BIDS_DIR -o scores                        CCA, each run by a decoder of the participant's other runs
  heed score BIDS_DIR --decoder ls -o scores && heed compare scores --switch-every 60
  heed score BIDS_DIR --window 1,5,10,30 -o scores     several window lengths, for 'heed mesd scores'
  heed score BIDS_DIR --recipe heed -o scores          heed's own recipe; leans on the folder's other listeners
  heed score BIDS_DIR --participant 01 --run 01 --model model.json -o scores

Writes DIR/sub-01/eeg/sub-01_..._desc-cca_scores.tsv, a file a run, with a JSON sidecar each.)";

struct ScoreFlags {
  std::string dataset;
  std::string output;
  std::string model;
  std::vector<double> windows{1};
  SelectionFlags selection;
  SignalFlags signals;
  DecoderFlags decoder;
  PopulationFlags population;
  CacheFlags cache;
  std::size_t threads = 0;
  int digits = 6;
  bool json = false;
};

struct ParticipantSummary {
  std::vector<pipeline::Significance> significance{};  // one a window length
  std::optional<decode::Alignment> alignment{};        // nothing: there was nothing to check
  std::vector<std::string> notes{};
};

class Scoring {
 public:
  explicit Scoring(const ScoreFlags& flags)
      : flags_(flags), dataset_(io::read_dataset(flags.dataset)), participants_(chosen_runs()) {
    for (const double window : flags.windows) windows_.push_back({window});
    if (flags.model.empty()) {
      choice_ = decoder_choice(flags.decoder, flags.signals);
    } else {
      decoder_ = io::read_decoder(flags.model);
      choice_.preprocessing = decoder_->preprocessing;
      choice_.channels = decoder_->channels;
      choice_.kind = std::holds_alternative<CcaDecoder>(decoder_->filters) ? pipeline::DecoderKind::cca
                                                                           : pipeline::DecoderKind::least_squares;
    }
    std::set<Seconds> different;
    for (const Seconds window : windows_) {
      (void)decode::cells_per_window(window);
      if (!different.insert(window).second) {
        throw Error(ErrorKind::invalid_argument, fmt::format("--window: {:g} s is given twice", window.value));
      }
    }
    (void)pipeline::training_options(choice_, windows_.front());
    summaries_.resize(participants_.size());
  }

  int run() {
    const pipeline::Preparation preparation(dataset_, {choice_.preprocessing, cache_folder(flags_.cache)});
    io::make_derivative_folder(flags_.output, dataset_);
    tell_recipe(flags_.decoder, choice_);
    find_lender(preparation);
    const auto failures = for_each_participant(participants_, {"scoring", {flags_.threads}}, [&](std::size_t k) {
      const auto prepared = preparation.prepare(participants_[k].id, participants_[k].runs);
      score(k, trials_of(prepared));
    });
    const int code = conclude(participants_, failures);
    if (flags_.json) {
      print_json(failures);
    } else if (code < exit_usage) {
      print_table(failures);
    }
    flush_output();
    print_notes();
    if (code < exit_usage)
      fmt::print(stderr, "scores written to {}; 'heed compare {}' tracks attention\n", flags_.output, flags_.output);
    return code;
  }

 private:
  [[nodiscard]] std::vector<io::ParticipantRuns> chosen_runs() const {
    return io::select_runs(dataset_, selection(flags_.selection));
  }

  [[nodiscard]] pipeline::ParticipantTrials trials_of(const pipeline::PreparedParticipant& prepared) const {
    try {
      return pipeline::scaled_trials(prepared, choice_);
    } catch (const Error& error) {
      if (!decoder_ || error.kind() != ErrorKind::not_found) throw;
      throw Error(ErrorKind::bad_data, std::string(error.what()) + "; " + flags_.model +
                                           " was trained with it: train another with --channels of those");
    }
  }

  // Others to learn from: of a file, or with heed's recipe the rest of the folder.
  void find_lender(const pipeline::Preparation& preparation) {
    if (decoder_ || !may_lend(flags_.population)) return;
    const LenderSources sources{&dataset_, &preparation, &choice_, {}};
    if (!flags_.population.file.empty()) {
      lender_ = Lender::of_file(sources, flags_.population, io::read_population(flags_.population.file));
    } else if (flags_.decoder.recipe == "heed" && dataset_.participants.size() > pipeline::fewest_others) {
      lender_ = Lender::of_folder(sources, flags_.population, io::select_runs(dataset_, {}), {.count = flags_.threads});
    }
  }

  // Each trial is a test of its own.
  static std::vector<std::vector<std::string>> tests_of(const pipeline::ParticipantTrials& trials) {
    std::vector<std::vector<std::string>> tests;
    for (const Trial& trial : trials.trials) tests.push_back({trial.name});
    return tests;
  }

  [[nodiscard]] std::optional<pipeline::ListenerPrior> prior_of(const pipeline::ParticipantTrials& trials,
                                                                std::vector<std::string>& notes) const {
    if (!lender_) return std::nullopt;
    return lender_->prior_of(trials.id, tests_of(trials), notes);
  }

  [[nodiscard]] std::vector<ScoredParticipant> scores_of(const pipeline::ParticipantTrials& trials,
                                                         const std::optional<pipeline::ListenerPrior>& prior) const {
    if (decoder_) return pipeline::score_trials(trials, *decoder_, windows_);
    return prior ? pipeline::cross_validate(trials, choice_, windows_, *prior)
                 : pipeline::cross_validate(trials, choice_, windows_);
  }

  void score(std::size_t k, const pipeline::ParticipantTrials& trials) {
    std::vector<std::string> notes = trials.notes;
    const auto prior = prior_of(trials, notes);
    const auto scored = scores_of(trials, prior);
    write_score_files({.folder = flags_.output,
                       .description = std::string(pipeline::name(choice_.kind)),
                       .name_window = windows_.size() > 1,
                       .options = {.digits = flags_.digits,
                                   .decoder = decoder_words(prior ? lender_->words(*prior, tests_of(trials)) : ""),
                                   .preprocessing = io::describe(choice_.preprocessing)}},
                      participants_[k], trials, scored);
    summaries_[k] = {{}, alignment_of(trials), std::move(notes)};
    for (const ScoredParticipant& one : scored) {
      summaries_[k].significance.push_back(pipeline::significance_of(one));
    }
    for (std::string& note : notes_on_missing(scored.front())) summaries_[k].notes.push_back(std::move(note));
    note_training_runs(k);
  }

  // CSP looks at rhythms, not at speech: nothing to align.
  [[nodiscard]] std::optional<decode::Alignment> alignment_of(const pipeline::ParticipantTrials& trials) const {
    std::vector<const Trial*> labelled;
    for (const Trial& trial : trials.trials) {
      if (!trial.attention.empty()) labelled.push_back(&trial);
    }
    if (labelled.empty() || choice_.kind == pipeline::DecoderKind::csp) return std::nullopt;
    return decode::check_alignment(labelled);
  }

  void note_training_runs(std::size_t k) {
    if (!decoder_) return;
    for (const io::BidsRun& run : participants_[k].runs) {
      if (std::ranges::find(decoder_->runs, run.name) == decoder_->runs.end()) continue;
      summaries_[k].notes.push_back(
          run.name + ": the model was trained on a run of this name; if on this very one, its scores flatter it");
    }
  }

  [[nodiscard]] std::string decoder_words(const std::string& lent) const {
    if (decoder_) return io::describe(*decoder_);
    return decoder_text(choice_) + (lent.empty() ? "" : ", " + lent);
  }

  [[nodiscard]] std::string decoder_words() const {
    return decoder_words(lender_ ? lender_->words() : "") + (decoder_ ? ", as trained" : ", leave one trial out");
  }

  void print_table(const std::vector<std::optional<Error>>& failures) const {
    fmt::print("{}\n\n", decoder_words());
    TextTable table(
        {"participant", "window s", "windows", "accuracy %", "chance %", "95 % bound", "p", "EEG and sound"});
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      for (std::size_t w = 0; w < summaries_[k].significance.size() && !failures[k]; ++w) {
        const auto& found = summaries_[k].significance[w];
        table.add({"sub-" + participants_[k].id, fmt::format("{:g}", windows_[w].value), std::to_string(found.windows),
                   shown(percent(found.accuracy), 1), shown(percent(found.chance), 1), shown(percent(found.bound), 1),
                   found.p_value ? fmt::format("{:.2g}", *found.p_value) : "n/a", verdict(summaries_[k].alignment)});
      }
    }
    fmt::print("{}\n", table.text());
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      const auto mean = mean_accuracy(failures, w);
      fmt::print("accuracy of single windows of {:g} s: {} %{}\n", windows_[w].value,
                 shown_with_spread(percent(mean.mean), percent(mean.sd), 1), mean.sd ? " (mean ± SD)" : "");
    }
  }

  [[nodiscard]] evaluate::Summary mean_accuracy(const std::vector<std::optional<Error>>& failures,
                                                std::size_t w) const {
    std::vector<std::optional<double>> accuracies;
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      if (!failures[k]) accuracies.push_back(summaries_[k].significance[w].accuracy);
    }
    return evaluate::summarise(accuracies);
  }

  static std::optional<double> percent(std::optional<double> share) {
    return share ? std::optional(100 * *share) : std::nullopt;
  }

  static std::string verdict(const std::optional<decode::Alignment>& alignment) {
    if (!alignment) return "n/a";
    switch (alignment->verdict) {
      case decode::AlignmentVerdict::aligned:
        return "aligned";
      case decode::AlignmentVerdict::likely_offset:
        return fmt::format("{:+.0f} ms?", 1000 * alignment->offset.value);
      case decode::AlignmentVerdict::unclear:
        return "unclear";
    }
    return {};
  }

  [[nodiscard]] static nlohmann::ordered_json length_json(Seconds window, const pipeline::Significance& found) {
    return {{"window", window.value},
            {"windows", found.windows},
            {"accuracy", json_value(found.accuracy)},
            {"chance", found.chance},
            {"chance_bound", json_value(found.bound)},
            {"p", json_value(found.p_value)}};
  }

  // The first window length by itself, as most ask for one; all of them below "lengths".
  [[nodiscard]] nlohmann::ordered_json participant_json(const std::string& id,
                                                        const ParticipantSummary& summary) const {
    nlohmann::ordered_json json{{"id", id}};
    json.update(length_json(windows_.front(), summary.significance.front()));
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      json["lengths"].push_back(length_json(windows_[w], summary.significance[w]));
    }
    const auto& alignment = summary.alignment;
    const bool moved = alignment && alignment->verdict == decode::AlignmentVerdict::likely_offset;
    json["alignment"] = moved ? "offset" : verdict(alignment);
    json["alignment_offset"] = json_value(moved ? std::optional(alignment->offset.value) : std::nullopt);
    json["alignment_strength"] = json_value(alignment ? std::optional(alignment->strength) : std::nullopt);
    json["notes"] = summary.notes;
    return json;
  }

  void print_json(const std::vector<std::optional<Error>>& failures) const {
    nlohmann::ordered_json participants = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      if (failures[k]) {
        participants.push_back({{"id", participants_[k].id}, {"failure", failures[k]->what()}});
        continue;
      }
      participants.push_back(participant_json(participants_[k].id, summaries_[k]));
    }
    fmt::print("{}", json_text({{"decoder", decoder_words()},
                                {"preprocessing", io::describe(choice_.preprocessing)},
                                {"output", flags_.output},
                                {"participants", participants}}));
  }

  void print_notes() const {
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      for (const std::string& note : summaries_[k].notes) warn("sub-" + participants_[k].id + ": " + note);
      const auto& alignment = summaries_[k].alignment;
      if (alignment && alignment->verdict == decode::AlignmentVerdict::likely_offset) {
        warn("sub-" + participants_[k].id + ": " + decode::describe(*alignment));
      }
    }
  }

  const ScoreFlags& flags_;
  io::BidsDataset dataset_;
  std::vector<io::ParticipantRuns> participants_;
  std::vector<Seconds> windows_;
  std::optional<Decoder> decoder_;
  std::optional<Lender> lender_;
  pipeline::DecoderChoice choice_;
  std::vector<ParticipantSummary> summaries_;
};

}  // namespace

void add_score(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("score", "Decode the EEG of a BIDS folder: scores of every window");
  verb->footer(score_examples);
  auto flags = std::make_shared<ScoreFlags>();
  verb->add_option("dataset", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("-o,--output", flags->output, "Folder to write to; made if it is not there")
      ->required()
      ->type_name("DIR");
  verb->add_option("--window", flags->windows, "Window lengths in seconds, a,b,...; multiples of 0.25")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  CLI::Option* model =
      verb->add_option("--model", flags->model, "Decoder of 'heed train' (default: leave one trial out)")
          ->type_name("FILE");
  verb->add_option("--digits", flags->digits, "Significant digits of the scores; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "The table as JSON");
  add_threads_flag(*verb, flags->threads);
  add_cache_flags(*verb, flags->cache);
  add_selection_flags(*verb, flags->selection);
  add_decoder_flags(*verb, flags->decoder, true);
  add_signal_flags(*verb, flags->signals);
  add_population_flags(*verb, flags->population);
  flags->population.file_option->excludes(model);
  flags->population.weight_option->excludes(model);
  for (CLI::Option* option : flags->decoder.options) option->excludes(model);  // the model has its own
  for (CLI::Option* option : flags->signals.options) option->excludes(model);
  verb->callback([&chosen, flags, verb] {
    chosen = [flags, verb] {
      take_over(*verb, flags->population, flags->decoder, flags->signals);
      apply_recipe(*verb, flags->decoder, flags->signals);
      return Scoring(*flags).run();
    };
  });
}

}  // namespace heed::app
