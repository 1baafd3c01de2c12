// SPDX-License-Identifier: MIT
#include "decoding/decoder_options.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>
#include <heed/pipeline/decoding/recipe.h>

#include <charconv>

#include "model_options.h"

namespace heed::app {
namespace {

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
Range parse_range(const std::string& option, const std::string& text) {
  const std::size_t dash = text.find('-', 1);
  if (dash != std::string::npos) {
    const auto first = number(std::string_view(text).substr(0, dash));
    const auto last = number(std::string_view(text).substr(dash + 1));
    if (first && last && *first <= *last) return {*first, *last};
  }
  throw Error(ErrorKind::invalid_argument, fmt::format("{}: '{}' is not a range from one number up to another, like {}",
                                                       option, text, option == "--band" ? "1-9" : "0-250"));
}

decode::Regularisation regularisation(const DecoderFlags& flags) {
  decode::Regularisation result;
  if (flags.regularisation == "ridge-cv") result.kind = decode::RegularisationKind::cross_validated;
  if (flags.regularisation == "ledoit-wolf") result.kind = decode::RegularisationKind::ledoit_wolf;
  if (!flags.ridge) return result;
  if (result.kind != decode::RegularisationKind::ridge) {
    throw Error(ErrorKind::invalid_argument,
                "--ridge is of --regularisation ridge; " + flags.regularisation + " finds its own");
  }
  if (!(*flags.ridge >= 0) || *flags.ridge > 1e6) {
    throw Error(ErrorKind::invalid_argument, "--ridge must be a finite number, 0 or more; 0.1 is usual");
  }
  result.ridge = *flags.ridge;
  return result;
}

ScoreRule score_rule(const DecoderFlags& flags, FilterMode filters) {
  ScoreRule rule;
  if (flags.score != "cosine") {
    if (flags.score_shrinkage || !flags.score_memory.empty()) {
      throw Error(ErrorKind::invalid_argument,
                  "--score-shrinkage and --score-memory are of --score cosine; pearson has neither");
    }
    return rule;
  }
  rule.measure = WindowMeasure::cosine;
  rule.shrinkage = flags.score_shrinkage.value_or(rule.shrinkage);
  if (!(rule.shrinkage >= 0) || rule.shrinkage > 1e6) {
    throw Error(ErrorKind::invalid_argument, "--score-shrinkage must be a finite number, 0 or more; 0.3 is usual");
  }
  if (flags.score_memory.empty()) {
    if (filters == FilterMode::causal) rule.memory = pipeline::live_memory;
  } else if (flags.score_memory != "trial") {
    const auto seconds = number(flags.score_memory);
    if (!seconds || !(*seconds > 0) || *seconds > 1e6) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("--score-memory: '{}' is neither a number of seconds above 0 nor 'trial'; 60 is usual",
                              flags.score_memory));
    }
    rule.memory = Seconds{*seconds};
  }
  return rule;
}

std::vector<SpeechTarget> targets(const std::string& word) {
  if (word == "onset") return {SpeechTarget::onset};
  if (word == "both") return {SpeechTarget::envelope, SpeechTarget::onset};
  return {SpeechTarget::envelope};
}

}  // namespace

void add_selection_flags(CLI::App& verb, SelectionFlags& flags) {
  constexpr const char* group = "Which runs";
  const auto add = [&](const char* name, std::vector<std::string>& labels, const char* text) {
    verb.add_option(name, labels, text)->delimiter(',')->allow_extra_args(false)->type_name("LABELS")->group(group);
  };
  add("--participant", flags.participants, "These participants only: 01,02 (default all)");
  add("--session", flags.sessions, "These sessions only");
  add("--task", flags.tasks, "These tasks only");
  add("--run", flags.runs, "These runs only");
  add("--exclude-run", flags.without_runs, "All runs but these");
}

void add_signal_flags(CLI::App& verb, SignalFlags& flags) {
  flags.options = {
      verb.add_option("--band", flags.band, "Band-pass of EEG and envelopes, in Hz")->capture_default_str(),
      verb.add_option("--rate", flags.rate, "Sampling rate decoders work at, in Hz; at least 20")
          ->capture_default_str(),
      verb.add_option("--filters", flags.filters,
                      "zero-phase (no delay, needs the whole recording) or causal (what a live session can do)")
          ->check(CLI::IsMember(std::vector<std::string>{"zero-phase", "causal"}))
          ->capture_default_str(),
      verb.add_option("--reference", flags.reference, "average, none (as recorded), or channels: TP9,TP10")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->capture_default_str(),
      verb.add_option("--bad-channels", flags.bad_channels,
                      "exclude them from every run of the participant, or interpolate them from their neighbours")
          ->check(CLI::IsMember(std::vector<std::string>{"exclude", "interpolate"}))
          ->capture_default_str(),
      verb.add_option("--clip", flags.clip,
                      "Limit band-passed EEG to so many robust standard deviations; 0: leave artefacts as they are")
          ->capture_default_str(),
      verb.add_option("--target", flags.target,
                      "What of a speaker's sound is decoded: its envelope, its onset (where that rises) or both")
          ->check(CLI::IsMember(std::vector<std::string>{"envelope", "onset", "both"}))
          ->capture_default_str()};
  for (CLI::Option* option : flags.options) option->group(signal_group);
}

void add_decoder_flags(CLI::App& verb, DecoderFlags& flags, bool with_csp) {
  std::vector<std::string> decoders{"ls", "cca"};
  if (with_csp) decoders.emplace_back("csp");
  flags.options = {
      verb.add_option("--recipe", flags.recipe,
                      "What is not said by other options: paper, or heed's own, which decodes real EEG better: onsets, "
                      "0.5-9 Hz, ls, ridge 0.3, cosine")
          ->check(CLI::IsMember(std::vector<std::string>{"paper", "heed"}))
          ->capture_default_str(),
      verb.add_option("--decoder", flags.decoder,
                      std::string("ls (least squares), cca (canonical correlation + LDA)") +
                          (with_csp ? " or csp (which side, from rhythms; two speakers)" : ""))
          ->check(CLI::IsMember(decoders))
          ->capture_default_str(),
      verb.add_option("--regularisation", flags.regularisation,
                      "ridge, ridge-cv (chosen within the training trials) or ledoit-wolf")
          ->check(CLI::IsMember(std::vector<std::string>{"ridge", "ridge-cv", "ledoit-wolf"}))
          ->capture_default_str(),
      verb.add_option("--ridge", flags.ridge, "Of --regularisation ridge, times the mean variance")
          ->default_str(fmt::format("{:g}", decode::Regularisation{}.ridge)),
      verb.add_option("--lags", flags.lags, "EEG behind the sound, first and last lag in ms")->capture_default_str(),
      verb.add_option("--pairs", flags.pairs, "Canonical pairs of cca")
          ->default_str(fmt::format("{}", pipeline::DecoderChoice{}.pairs)),
      verb.add_option("--score", flags.score,
                      "How ls and cca compare a window's signals: pearson, or cosine: less noisy, and it keeps what "
                      "lies below 1 Hz")
          ->check(CLI::IsMember(std::vector<std::string>{"pearson", "cosine"}))
          ->capture_default_str(),
      verb.add_option("--score-shrinkage", flags.score_shrinkage,
                      "Of --score cosine: how much of the signals' usual power is added to a window's (default 0.3)"),
      verb.add_option("--score-memory", flags.score_memory,
                      "Of --score cosine: usual is what was so long ago, in seconds, or the trial (default trial; "
                      "60 with --filters causal)")
          ->type_name("SECONDS|trial"),
      verb.add_option("--channels", flags.channels,
                      "Decode from these channels only: Fz,Cz,... (default all good ones)")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->type_name("NAMES")};
  for (CLI::Option* option : flags.options) option->group(decoder_group);
}

void add_cache_flags(CLI::App& verb, CacheFlags& flags) {
  verb.add_option("--cache", flags.folder,
                  "Folder of prepared signals, reused while nothing they were made of changes (default ~/.cache/heed)")
      ->type_name("DIR");
  verb.add_flag("--no-cache", flags.none, "Prepare signals anew and keep nothing");
}

void add_threads_flag(CLI::App& verb, std::size_t& threads) {
  verb.add_option("--threads", threads, "Participants worked on at once; each needs its EEG in memory (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

io::RunSelection selection(const SelectionFlags& flags) {
  return {flags.participants, flags.sessions, flags.tasks, flags.runs, flags.without_runs};
}

Preprocessing preprocessing(const SignalFlags& flags) {
  Preprocessing result;
  const Range band = parse_range("--band", flags.band);
  result.low = Hertz{band.first};
  result.high = Hertz{band.last};
  result.sampling_frequency = Hertz{flags.rate};
  result.filters = flags.filters == "causal" ? FilterMode::causal : FilterMode::zero_phase;
  result.bad_channels = flags.bad_channels == "interpolate" ? BadChannels::interpolate : BadChannels::exclude;
  result.clip = flags.clip;
  result.targets = targets(flags.target);
  if (flags.reference == std::vector<std::string>{"none"}) {
    result.reference.kind = ReferenceKind::none;
  } else if (flags.reference != std::vector<std::string>{"average"}) {
    result.reference = {ReferenceKind::channels, flags.reference};
  }
  return result;
}

pipeline::DecoderChoice decoder_choice(const DecoderFlags& flags, const SignalFlags& signals) {
  pipeline::DecoderChoice choice;
  if (flags.decoder == "ls") choice.kind = pipeline::DecoderKind::least_squares;
  if (flags.decoder == "csp") choice.kind = pipeline::DecoderKind::csp;
  choice.preprocessing = preprocessing(signals);
  choice.preprocessing = pipeline::signals_for(choice);
  choice.regularisation = regularisation(flags);
  choice.rule = score_rule(flags, choice.preprocessing.filters);
  if (choice.kind == pipeline::DecoderKind::csp && flags.score != "pearson") {
    throw Error(ErrorKind::invalid_argument, "--score is of ls and cca; csp compares no signals");
  }
  const Range lags = parse_range("--lags", flags.lags);
  choice.first_lag = Seconds{lags.first / milliseconds};
  choice.longest_lag = Seconds{lags.last / milliseconds};
  if (flags.pairs && choice.kind != pipeline::DecoderKind::cca) {
    throw Error(ErrorKind::invalid_argument, "--pairs is of --decoder cca; " + flags.decoder + " has none");
  }
  choice.pairs = flags.pairs.value_or(choice.pairs);
  choice.channels = flags.channels;
  return choice;
}

std::optional<std::filesystem::path> cache_folder(const CacheFlags& flags) {
  if (flags.none) return std::nullopt;
  return flags.folder.empty() ? pipeline::default_cache() : flags.folder;
}

std::string decoder_text(const pipeline::DecoderChoice& choice) {
  if (choice.kind == pipeline::DecoderKind::csp) return "common spatial patterns + LDA";
  const bool least_squares = choice.kind == pipeline::DecoderKind::least_squares;
  const std::string kind = least_squares ? "least squares" : fmt::format("CCA, {} pairs + LDA", choice.pairs);
  std::string strength = fmt::format("ridge {:g}", choice.regularisation.ridge);
  if (choice.regularisation.kind == decode::RegularisationKind::cross_validated) strength = "ridge-cv";
  if (choice.regularisation.kind == decode::RegularisationKind::ledoit_wolf) strength = "ledoit-wolf";
  const bool pearson = choice.rule.measure == WindowMeasure::pearson;
  return fmt::format("{}, {}, lags {:g}-{:g} ms{}", kind, strength, milliseconds * choice.first_lag.value,
                     milliseconds * choice.longest_lag.value, pearson ? "" : ", " + io::describe(choice.rule));
}

void apply_recipe(const CLI::App& verb, DecoderFlags& flags, SignalFlags& signals) {
  if (flags.recipe != "heed") return;
  if (flags.decoder == "csp") {
    throw Error(ErrorKind::invalid_argument, "--recipe heed is about ls and cca; csp does not look at the sound");
  }
  const auto free = [&](const char* option) { return verb.get_option(option)->count() == 0; };
  const pipeline::DecoderChoice recipe = pipeline::with_recipe({}, pipeline::Recipe::heed);
  const Preprocessing& prepared = recipe.preprocessing;
  if (free("--target")) signals.target = io::name_of(prepared.targets.front());  // it has one
  if (free("--band")) signals.band = fmt::format("{:g}-{:g}", prepared.low.value, prepared.high.value);
  if (free("--decoder")) flags.decoder = pipeline::name(recipe.kind);
  if (free("--ridge") && flags.regularisation == "ridge") flags.ridge = recipe.regularisation.ridge;
  if (free("--score")) flags.score = recipe.rule.measure == WindowMeasure::cosine ? "cosine" : "pearson";
}

void show_recipe(CLI::App& verb, DecoderFlags flags, SignalFlags signals) {
  apply_recipe(verb, flags, signals);
  verb.get_option("--target")->default_str(signals.target);
  verb.get_option("--band")->default_str(signals.band);
  verb.get_option("--decoder")->default_str(flags.decoder);
  if (flags.ridge) verb.get_option("--ridge")->default_str(fmt::format("{:g}", *flags.ridge));
  verb.get_option("--score")->default_str(flags.score);
}

void tell_recipe(const DecoderFlags& flags, const pipeline::DecoderChoice& choice) {
  if (flags.recipe == DecoderFlags{}.recipe) return;
  fmt::print(stderr, "recipe {}: {}; {}\n", flags.recipe, decoder_text(choice), io::describe(choice.preprocessing));
}

}  // namespace heed::app
