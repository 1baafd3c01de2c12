// SPDX-License-Identifier: MIT
#include "eeg/folder_verbs.h"

#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "exit_code.h"
#include "terminal.h"

namespace heed::app {
namespace {

constexpr const char* signal_group = "Signals (how they are preprocessed)";
constexpr const char* decoder_group = "Decoder";
constexpr const char* population_group = "Population (learning from other listeners)";
constexpr const char* nobody = "none";
constexpr double milliseconds = 1000;  // of a second

struct Range {
  double first = 0;
  double last = 0;
};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "1-9": the first number may be negative.
Range parse_range(const std::string& option, const std::string& text, const char* example) {
  const std::size_t dash = text.find('-', 1);
  if (dash != std::string::npos) {
    const auto first = number(std::string_view(text).substr(0, dash));
    const auto last = number(std::string_view(text).substr(dash + 1));
    if (first && last && *first <= *last) return {*first, *last};
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}: '{}' is not a range from one number up to another, like {}", option, text, example));
}

// The words of options, whichever layer has them.
template <typename Choice>
std::string word_of(Choice choice) {
  if constexpr (requires { pipeline::name(choice); }) {
    return std::string(pipeline::name(choice));
  } else {
    return std::string(io::name_of(choice));
  }
}

template <typename Choices, typename Choice>
CLI::Option* add_choice(CLI::App& verb, const std::string& name, const Choices& choices, std::optional<Choice>& chosen,
                        const std::string& text) {
  std::vector<std::string> words;
  for (const Choice choice : choices) words.push_back(word_of(choice));
  const auto take = [&chosen, choices](const std::string& word) {
    for (const Choice choice : choices) {
      if (word_of(choice) == word) chosen = choice;
    }
  };
  return verb.add_option_function<std::string>(name, take, text)->check(CLI::IsMember(words));
}

std::vector<SpeechTarget> targets_named(const std::string& word) {
  if (word == "both") return {SpeechTarget::envelope, SpeechTarget::onset};
  return {word == io::name_of(SpeechTarget::onset) ? SpeechTarget::onset : SpeechTarget::envelope};
}

Reference reference_named(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"none"}) return {ReferenceKind::none, {}};
  if (words == std::vector<std::string>{"average"}) return {ReferenceKind::average, {}};
  return {ReferenceKind::channels, words};
}

pipeline::PowerMemory memory_named(const std::string& word) {
  if (word == "trial") return {};
  if (const auto seconds = number(word); seconds && *seconds > 0) return {Seconds{*seconds}};
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("--score-memory: '{}' is neither a number of seconds above 0 nor 'trial'; 60 is usual", word));
}

void put_in_group(const Options& options, const char* group) {
  for (CLI::Option* option : options) option->group(group);
}

}  // namespace

// ---- options ----

void add_cache_options(CLI::App& verb, CacheFolder& cache) {
  verb.add_option_function<std::string>(
          "--cache", [&cache](const std::string& folder) { cache = folder; },
          "Folder of preprocessed signals, reused as long as their sources and settings do not change (default: "
          "~/.cache/heed)")
      ->type_name("DIR");
  verb.add_flag_callback(
      "--no-cache", [&cache] { cache.reset(); }, "Preprocess the signals again and keep nothing");
}

void add_threads_option(CLI::App& verb, std::size_t& threads) {
  verb.add_option("--threads", threads,
                  "Participants processed at once; each needs its EEG in memory (0: one per core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_folder_options(CLI::App& verb, pipeline::FolderRequest& request) {
  verb.add_option("dataset", request.dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  add_threads_option(verb, request.threads);
  add_cache_options(verb, request.cache);
  add_run_options(verb, request.selection);
}

void add_run_options(CLI::App& verb, io::RunSelection& selection) {
  const auto add = [&](const char* name, std::vector<std::string>& labels, const char* text) {
    verb.add_option(name, labels, text)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LABELS")
        ->group("Which runs");
  };
  add("--participant", selection.participants, "These participants only: 01,02 (default: all)");
  add("--session", selection.sessions, "These sessions only");
  add("--task", selection.tasks, "These tasks only");
  add("--run", selection.runs, "These runs only");
  add("--exclude-run", selection.without_runs, exclude_run_words);
}

void add_window_option(CLI::App& verb, std::vector<Seconds>& windows) {
  const auto take = [&windows](const std::vector<double>& lengths) {
    windows.clear();
    for (const double length : lengths) windows.push_back({length});
  };
  verb.add_option_function<std::vector<double>>("--window", take,
                                                "Window lengths in seconds, a,b,...; multiples of 0.25")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("1");
}

CLI::Option* add_hop_option(CLI::App& verb, std::optional<Seconds>& hop) {
  return verb.add_option_function<double>(
      "--hop", [&hop](double seconds) { hop = Seconds{seconds}; },
      "Seconds from one window to the next, where windows overlap: a multiple of 0.25, at most the window's length "
      "(default: the window's length)");
}

void add_step_option(CLI::App& verb, std::optional<Seconds>& step) {
  verb.add_option_function<double>(
          "--step", [&step](double seconds) { step = Seconds{seconds}; },
          "Instead of windows: steps of 0.25, 0.5 or 0.75 s, each measured by the power of the last second (ls only)")
      ->excludes("--hop")
      ->excludes("--window");
}

void add_digits_option(CLI::App& verb, int& digits) {
  verb.add_option("--digits", digits, "Significant digits of the scores; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
}

CLI::Option* add_recipe_option(CLI::App& verb, pipeline::DecoderRequest& request) {
  return add_choice(verb, "--recipe", std::array{pipeline::Recipe::paper, pipeline::Recipe::heed}, request.recipe,
                    "Defaults of all other options: heed's own, which decode real EEG best (onsets, 0.5-9 Hz, ls, "
                    "ridge 0.3, cosine, a population), or the paper's (envelopes, 1-9 Hz, cca, ridge 0.1, pearson)")
      ->default_str(word_of(pipeline::default_recipe));
}

Options add_signal_options(CLI::App& verb, pipeline::DecoderRequest& request) {
  const Preprocessing usual = pipeline::resolve({}).preprocessing;
  Options options{
      verb.add_option_function<std::string>(
              "--band", [&request](const std::string& text) { request.band = parse_band("--band", text); },
              "Band-pass of EEG and envelopes, in Hz")
          ->default_str(fmt::format("{:g}-{:g}", usual.low.value, usual.high.value)),
      verb.add_option_function<double>(
              "--rate", [&request](double rate) { request.sampling_frequency = Hertz{rate}; },
              "Sampling rate at which decoders work, in Hz; at least 20")
          ->default_str(fmt::format("{:g}", usual.sampling_frequency.value)),
      add_choice(verb, "--filters", std::array{FilterMode::zero_phase, FilterMode::causal}, request.filters,
                 "zero-phase (no delay, needs the whole recording) or causal (as in a live session)")
          ->default_str(word_of(usual.filters)),
      verb.add_option_function<std::vector<std::string>>(
              "--reference",
              [&request](const std::vector<std::string>& words) { request.reference = reference_named(words); },
              "average, none (as recorded), or channels: TP9,TP10")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->default_str("average"),
      add_choice(verb, "--bad-channels", std::array{BadChannels::exclude, BadChannels::interpolate},
                 request.bad_channels,
                 "exclude them from every run of the participant, or interpolate them from their neighbours")
          ->default_str(word_of(usual.bad_channels)),
      verb.add_option("--clip", request.clip,
                      "Limit band-passed EEG to this many robust standard deviations; 0 leaves artefacts as they are")
          ->default_str(fmt::format("{:g}", usual.clip)),
      verb.add_option_function<std::string>(
              "--target", [&request](const std::string& word) { request.targets = targets_named(word); },
              "Which feature of a speaker's sound is decoded: its envelope, its onset (where the envelope rises) or "
              "both")
          ->check(CLI::IsMember(std::vector<std::string>{"envelope", "onset", "both"}))
          ->default_str(word_of(usual.targets.front()))};
  put_in_group(options, signal_group);
  return options;
}

Options add_decoder_options(CLI::App& verb, pipeline::DecoderRequest& request, bool with_csp) {
  const pipeline::DecoderChoice usual = pipeline::resolve({});
  std::vector<pipeline::DecoderKind> decoders(pipeline::all_decoders.begin(), pipeline::all_decoders.end());
  if (!with_csp) std::erase(decoders, pipeline::DecoderKind::csp);
  Options options{
      add_recipe_option(verb, request),
      add_choice(verb, "--decoder", decoders, request.kind,
                 std::string("ls (least squares), cca (canonical correlation + LDA)") +
                     (with_csp ? " or csp (attended side, from EEG rhythms; two speakers)" : ""))
          ->default_str(word_of(usual.kind)),
      add_choice(verb, "--regularisation", pipeline::all_regularisations, request.regularisation,
                 "ridge, ridge-cv (chosen within the training trials) or ledoit-wolf")
          ->default_str(word_of(usual.regularisation.kind)),
      verb.add_option("--ridge", request.ridge, "For --regularisation ridge: multiple of the mean channel variance")
          ->default_str(fmt::format("{:g}", usual.regularisation.ridge)),
      verb.add_option_function<std::string>(
              "--lags",
              [&request](const std::string& text) {
                const Range range = parse_range("--lags", text, "0-250");
                request.lags = pipeline::LagSpan{{range.first / milliseconds}, {range.last / milliseconds}};
              },
              "Delays of the EEG behind the sound, first and last in ms")
          ->default_str(
              fmt::format("{:g}-{:g}", milliseconds * usual.first_lag.value, milliseconds * usual.longest_lag.value)),
      verb.add_option("--pairs", request.pairs, "For cca: number of canonical pairs")
          ->default_str(fmt::format("{}", usual.pairs)),
      add_choice(verb, "--score", std::array{WindowMeasure::pearson, WindowMeasure::cosine}, request.measure,
                 "How ls and cca compare the signals of a window: pearson, or cosine, which is less noisy and keeps "
                 "what lies below 1 Hz")
          ->default_str(word_of(usual.rule.measure)),
      verb.add_option("--score-shrinkage", request.shrinkage,
                      "For --score cosine: how much of the signals' usual power is added to that of a window")
          ->default_str(fmt::format("{:g}", usual.rule.shrinkage)),
      verb.add_option_function<std::string>(
              "--score-memory", [&request](const std::string& word) { request.memory = memory_named(word); },
              "For --score cosine: the usual power is that of the last SECONDS, or of the whole trial (default: trial; "
              "60 with --filters causal)")
          ->type_name("SECONDS|trial"),
      verb.add_option("--channels", request.channels,
                      "Decode from these channels only: Fz,Cz,... (default: all good ones)")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->type_name("NAMES")};
  put_in_group(options, decoder_group);
  return options;
}

Options add_population_options(CLI::App& verb, PopulationFlags& flags) {
  const auto weight = [&flags](const std::string& word) {
    flags.weight = number(word);
    if (word == "auto" || (flags.weight && *flags.weight >= 0 && *flags.weight <= 1)) return;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--prior-weight: '{}' is neither auto nor a number from 0 to 1", word));
  };
  Options options{
      verb.add_option("--population", flags.file,
                      "Learn from the listeners of a file from 'heed population', whose settings become "
                      "the defaults for signals and decoder; none: from nobody (default with heed's "
                      "recipe: from the other listeners of the folder)")
          ->type_name("POP"),
      verb.add_option_function<std::string>(
              "--prior-weight", weight,
              "Weight of the other listeners in a decoder: 0 to 1, or auto (by their number: 0.34 for 8, 0.43 for 17)")
          ->type_name("B")
          ->default_str("auto")};
  put_in_group(options, population_group);
  return options;
}

pipeline::PopulationRequest population_request(const PopulationFlags& flags) {
  pipeline::PopulationRequest request{.none = flags.file == nobody, .weight = flags.weight};
  if (flags.file.empty() || request.none) return request;
  request.given = std::make_shared<const Population>(io::read_population(flags.file));
  request.name = flags.file;
  return request;
}

pipeline::Band parse_band(const std::string& option, const std::string& text) {
  const Range range = parse_range(option, text, "1-9");
  return {Hertz{range.first}, Hertz{range.last}};
}

// ---- what is told ----

std::function<void(std::string_view, std::size_t, std::size_t)> progress_bars() {
  struct Stage {
    std::string title;
    std::unique_ptr<ProgressBar> bar;
  };
  return [stage = std::make_shared<Stage>()](std::string_view title, std::size_t done, std::size_t total) {
    if (stage->title != title) {
      stage->bar.reset();  // clears its line
      stage->title = title;
      stage->bar = std::make_unique<ProgressBar>(stage->title);
    }
    stage->bar->show(done, total);
  };
}

std::string note_text(const Note& note) {
  if (note.subject.empty()) return note.text;
  return (note.subject.starts_with("sub-") ? "" : "sub-") + note.subject + ": " + note.text;
}

void warn(const Notes& notes) {
  for (const Note& note : notes) warn(note_text(note));
}

std::string next_step(const std::string& folder, std::size_t lengths) {
  const std::string typed = fmt::format("heed {} {}", lengths > 1 ? "mesd" : "compare", data::shell_word(folder));
  // Within quotes of its own the command could not be copied.
  const std::string shown = typed.ends_with('\'') ? typed : "'" + typed + "'";
  return shown + (lengths > 1 ? " compares the window lengths" : " tracks attention");
}

int conclude(const std::vector<pipeline::ParticipantOutcome>& participants) {
  const auto failed = std::ranges::count_if(participants, [](const auto& one) { return one.failure.has_value(); });
  if (failed == 0) return exit_success;
  for (const auto& [id, failure] : participants) {
    if (!failure) continue;
    const std::string participant = "sub-" + id;
    const std::string message = failure->what();
    tell("heed: {}\n", message.starts_with(participant) ? message : participant + ": " + message);
  }
  if (participants.size() > 1) tell("heed: {} of {} participants failed\n", failed, participants.size());
  if (failed < std::ssize(participants)) return exit_partial;
  return exit_code(participants.front().failure->kind());
}

}  // namespace heed::app
