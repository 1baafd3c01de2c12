// SPDX-License-Identifier: MIT
// `heed live`: attention as it happens, from a source to sinks.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/evaluate/gains.h>
#include <heed/io/decoder_file.h>
#include <heed/io/model_file.h>
#include <heed/live/session.h>
#include <live/calibrator.h>
#include <live/learner.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>
#include <live/sources/open_source.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <memory>
#include <utility>

#include "eeg/folder_verbs.h"
#include "gain_options.h"
#include "live_adaptive.h"
#include "live_cables.h"
#include "live_page.h"
#include "live_report.h"
#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* live_examples = R"(Examples:
  heed live --demo                                                             watch, hear and steer it in a browser
  heed live simulated: --speed 20
  heed live replay:BIDS_DIR --participant 01 --run 01 --model decoder.json --tracking tracking.json --speed max --out tsv:live.tsv
  heed live replay:BIDS_DIR?switch-every=60-125 --participant 01 --run 01 --model decoder.json --out ndjson:-
  heed live simulated:?control=- --out ndjson:-                                type left or right to move the listener's attention
  heed live tcp://127.0.0.1:5000 --population pop.json --save-decoder me.json  no calibration: it learns while it listens
  heed live tcp://127.0.0.1:5000 --calibrate 250 --record DIR                  a decoder that is trained in the session, without labels
  heed live lsl:BioSemi --model decoder.json --out lsl --out osc://127.0.0.1:9999/heed/gain --record session.xdf
  heed live --list                                                             streams of the lab streaming layer
  my-decoder | heed live - --scores --out ndjson:-                             somebody else's scores
  heed live tcp://127.0.0.1:5000 --model decoder.json --out mha://127.0.0.1:33337/mha.gain.gains
  heed live tcp://127.0.0.1:5000 --model decoder.json --dry-run                what would be opened, and how late it is

The decoder is one of 'heed train --filters causal', the tracking model one of 'heed track --save-model'.)";

struct LiveFlags {
  std::string source;
  std::vector<std::string> outputs;
  std::string decoder_file;
  std::string tracking_file;
  std::string speed = "1";
  std::string record;
  io::RunSelection selection;
  double window = 1;
  std::optional<double> hop;
  std::optional<double> step;
  std::optional<double> calibrate;
  std::string calibrate_by = "label-free";
  std::vector<std::string> attention_markers;
  std::string save_decoder;
  pipeline::DecoderRequest decoder{.kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal};
  PopulationFlags population;
  double lag = 0;
  AdaptFlags adapt;
  ChainFlags chain;
  std::string map = evaluate::map_word({});
  live::SteeringOptions steering;
  std::vector<std::string> sounds;
  double audio_offset = 0;
  std::string marker;
  double rail = 200'000;
  int digits = 6;
  bool scores = false;
  bool json = false;
  bool dry_run = false;
  PageFlags page;
  CableFlags cables;
};

std::atomic<bool> stop_asked{false};  // NOLINT(*-non-const-global-variables): what a signal handler may touch

void ask_to_stop(int) { stop_asked.store(true); }

std::optional<double> speed_of(const LiveFlags& flags) {
  if (flags.speed == "max") return std::nullopt;
  double speed = 0;
  if (!CLI::detail::lexical_cast(flags.speed, speed) || !(speed > 0)) {
    throw Error(ErrorKind::invalid_argument, "--speed " + flags.speed + ": give a positive number, or max");
  }
  return speed;
}

decode::WindowLayout layout_of(const LiveFlags& flags) {
  if (flags.step) return decode::WindowLayout::in_steps({*flags.step});
  return {{flags.window}, {flags.hop.value_or(flags.window)}};
}

live::SourceRequest source_request(const LiveFlags& flags, const live::Address& address,
                                   const std::optional<Decoder>& decoder) {
  live::SourceRequest request{.address = address,
                              .selection = flags.selection,
                              .decoder = decoder,
                              .scores = flags.scores,
                              .audio_offset = {flags.audio_offset},
                              .marker = flags.marker,
                              .window = layout_of(flags),
                              .lsl_library = flags.cables.lsl_library,
                              .tell = [](const std::string& text) { tell("heed live: {}\n", text); },
                              .stop = &stop_asked};
  for (const std::string& sound : flags.sounds) {
    auto [speaker, file] = split_pair("--audio", sound, "SPEAKER=FILE");
    request.sounds.push_back({std::move(speaker), std::move(file)});
  }
  return request;
}

std::unique_ptr<live::Source> opened(const LiveFlags& flags, const live::SourceRequest& request) {
  std::vector<live::AttentionMarker> markers;
  for (const std::string& marker : flags.attention_markers) {
    auto [text, speaker] = split_pair("--attend", marker, "MARKER=SPEAKER");
    markers.push_back({std::move(text), std::move(speaker)});
  }
  return live::with_attention_markers(live::open_source(request), std::move(markers));
}

std::string listener_of(const LiveFlags& flags) {
  return flags.selection.participants.empty() ? "" : flags.selection.participants.front();
}

// How a decoder is to be trained in the session; nothing where it is there already.
std::optional<live::CalibratorOptions> calibrator_options(const LiveFlags& flags) {
  if (!flags.calibrate) return std::nullopt;
  if (!flags.decoder_file.empty() || flags.scores) {
    throw Error(ErrorKind::invalid_argument, "--calibrate trains a decoder in the session; leave out " +
                                                 std::string(flags.scores ? "--scores" : "--model"));
  }
  live::CalibratorOptions options{.label_free = flags.calibrate_by == "label-free",
                                  .population = population_request(flags.population)};
  options.choice = pipeline::resolve(flags.decoder, options.population.given.get());
  options.listener = listener_of(flags);
  return options;
}

// Nothing where the decoder is another one.
std::optional<live::AdaptiveStartRequest> adaptive_start(const LiveFlags& flags, const live::Address& address) {
  if (flags.calibrate) return std::nullopt;
  return adaptive_request({.adapt = flags.adapt,
                           .population = flags.population,
                           .decoder = flags.decoder,
                           .selection = flags.selection,
                           .kept = flags.save_decoder,
                           .window = {flags.window},
                           .other_decoder = !flags.decoder_file.empty() || flags.scores,
                           .tracking_model = !flags.tracking_file.empty()},
                          address);
}

std::optional<Decoder> decoder_for(const LiveFlags& flags, const live::Address& address, Notes& notes) {
  if (!flags.decoder_file.empty()) return io::read_decoder(flags.decoder_file);
  if (flags.scores || flags.calibrate) return std::nullopt;
  if (address.scheme != "simulated") {
    throw Error(
        ErrorKind::invalid_argument,
        "a live session needs --population, from which a decoder starts that learns while it listens; --model, a "
        "decoder of 'heed train --filters causal'; or --calibrate, which trains one in the session; scores of another "
        "decoder need --scores");
  }
  notes.push_back({.text = "no decoder is given: one is trained on other trials of the simulated listener"});
  return live::simulated_decoder(address, Seconds{1});
}

live::SessionOptions session_options(const LiveFlags& flags, std::optional<Decoder> decoder) {
  live::SessionOptions options{.decoder = std::move(decoder), .window = layout_of(flags)};
  options.tracking.chain = chain_choice(flags.chain);
  if (!flags.tracking_file.empty()) options.tracking.model = io::read_model(flags.tracking_file);
  if (const auto half_life = flags.adapt.half_life()) {
    options.tracking.adaptation = emission::AdaptiveOptions{.half_life = {*half_life}};
  }
  options.tracking.lag = {flags.lag};
  options.steering = flags.steering;
  options.steering.gains = evaluate::with_map(flags.map, options.steering.gains);
  return options;
}

std::string emission_words(const live::Session& session) {
  if (const auto learnt = session.learnt()) return io::describe(Emission(learnt->emission));
  return session.description().content == live::StreamContent::log_likelihoods ? "" : io::describe(session.emission());
}

void add_sinks(const LiveFlags& flags, live::Session& session, const live::RunReport& report, live::SinkList& sinks) {
  live::SinkRequest request{.stream = session.description(),
                            .window = session.window(),
                            .hop = session.hop(),
                            .digits = flags.digits,
                            .switch_probability = session.switch_probability(),
                            .unknown_switch_probability = session.switching().has_value(),
                            .emission = emission_words(session),
                            .lsl_library = flags.cables.lsl_library};
  // A recording at full speed can wait for who reads.
  if (session.description().stored && !speed_of(flags)) request.patience = Seconds{5};
  for (const std::string& output : flags.outputs) {
    request.address = live::parse_address(output, live::EndKind::sink);
    // A pipe that is read slowly holds up whoever sends as fast as it can, and loses nothing.
    const bool pipe = request.address.scheme == "-" || request.address.scheme == "ndjson";
    if (pipe) request.patience = std::max(request.patience, Seconds{1});
    sinks.add(live::open_sink(request));
  }
  add_recorder(flags.record, session, request, sinks);
  if (!flags.json && ::isatty(STDERR_FILENO) != 0) sinks.add(std::make_unique<StateLine>(session, report));
}

struct Performance {
  live::Source& source;
  live::Session& session;
  live::ParameterDesk& desk;
  std::optional<live::CalibratorOptions> calibration{};
  Notes notes{};
  PageView view{};
};

// A source, its session and what goes out, from the first sample to the last.
int run_session(const LiveFlags& flags, Performance performance) {
  live::Session& session = performance.session;
  Notes& notes = performance.notes;
  live::RunReport report;
  live::SinkList sinks;
  add_sinks(flags, session, report, sinks);
  const PageWatch watch(performance.view, performance.source, session, performance.desk, report, sinks);
  live::Source& source = watch.source();
  if (!flags.json) {
    for (const Note& note : notes) warn(note);
  }
  std::optional<live::Calibrator> calibrator;
  if (performance.calibration) calibrator.emplace(session, performance.desk, std::move(*performance.calibration));
  std::optional<live::Learner> learner;
  if (session.learnt()) learner.emplace(session, live::LearnerOptions{flags.save_decoder, listener_of(flags)});
  live::RunOptions options{.speed = speed_of(flags), .stop = &stop_asked};
  if (learner) options.between_blocks = [&] { learner->look(); };
  bool told = false;
  if (calibrator) {
    options.between_blocks = [&] {
      calibrator->look();
      if (told || calibrator->decoder() == nullptr) return;
      told = true;
      notes.insert(notes.end(), calibrator->notes().begin(), calibrator->notes().end());
      if (!flags.save_decoder.empty()) io::write_decoder(flags.save_decoder, *calibrator->decoder());
      tell("heed live: the decoder is trained ({})\n", io::describe(*calibrator->decoder()));
    };
  }
  live::SteadyClock clock;
  std::exception_ptr failure;
  std::string words;
  try {
    live::run(source, session, sinks, clock, options, report);
    if (learner) learner->finish();
  } catch (const Error& error) {
    failure = std::current_exception();
    words = error.what();
  }
  session.tap(nullptr);
  if (session.is_calibrating() && !failure) {
    notes.push_back(
        {.kind = NoteKind::doubtful, .text = "the stream ended before the decoder was trained: nothing was decided"});
    if (!flags.json) warn(notes.back());
  }
  const LiveOutcome outcome{session, report, source.counts(), sinks.counts(), notes, words};
  flags.json ? print_live_json(outcome) : print_live_summary(outcome);
  if (failure) std::rethrow_exception(failure);
  return 0;
}

int run_demo(const LiveFlags& flags) {
  const bool kept = !flags.outputs.empty() || !flags.record.empty() || flags.json;
  if (flags.dry_run) throw Error(ErrorKind::invalid_argument, "--dry-run tries out a source; --demo needs none");
  const auto page = open_page(flags.page);
  const auto play = [&](live::DemoStage& stage, const live::DemoControls& controls) {
    live::SessionOptions options = session_options(flags, std::move(stage.decoder));
    options.adaptive = std::move(stage.adaptive);
    if (options.adaptive) options.adaptive->adaptation.adapt = !flags.adapt.is_off();
    if (!options.tracking.model) options.tracking.model = stage.model;
    // Visitors move attention more often than people in a quiet room do.
    auto& chain = options.tracking.chain;
    const bool chosen = chain.transition || chain.switch_probability || chain.unknown_switch_probability;
    if (!chosen) chain.switch_probability = 0.01;
    live::Session session(stage.source->description(), options);
    live::ParameterDesk desk(session, {options.tracking, options.steering});
    const PageView view{page.get(), speed_of(flags), controls};
    (void)run_session(flags, {*stage.source, session, desk, {}, session.notes(), view});
    return !stop_asked;
  };
  return show_demo(flags.page, {.window = layout_of(flags)}, kept, play);
}

int run_live(const LiveFlags& flags) {
  if (flags.cables.list) return list_streams(flags.cables, flags.json);
  check_page_flags(flags.page, flags.source);
  (void)std::signal(SIGINT, ask_to_stop);
  (void)std::signal(SIGTERM, ask_to_stop);
  if (flags.page.demo) return run_demo(flags);
  const live::Address address = live::parse_address(flags.source, live::EndKind::source);
  for (const std::string& output : flags.outputs) (void)live::parse_address(output, live::EndKind::sink);
  const auto speed = speed_of(flags);
  Notes notes;
  auto calibration = calibrator_options(flags);
  const auto adaptive = adaptive_start(flags, address);
  live::SessionOptions options = session_options(flags, adaptive ? std::nullopt : decoder_for(flags, address, notes));
  live::SourceRequest request = source_request(flags, address, options.decoder);
  if (calibration) {
    options.calibration = live::calibration_options(calibration->choice, {*flags.calibrate});
    calibration->wait = !speed;
    request.decoder = Decoder{.preprocessing = calibration->choice.preprocessing};  // what signals are prepared for
  }
  if (adaptive) request.decoder = Decoder{.preprocessing = live::adaptive_signals(*adaptive)};
  const auto page = flags.dry_run ? nullptr : open_page(flags.page);
  std::optional<live::ParameterDesk> desk;
  const auto source = with_osc(flags.cables, opened(flags, request), desk);
  if (adaptive) options.adaptive = live::adaptive_session(source->description(), *adaptive, notes);
  // Recordings are taken as offline; what comes from an amplifier may be at its end.
  if (!source->is_stored()) {
    options.rail = flags.rail;
    options.flat = Seconds{0.5};
  }
  live::Session session(source->description(), options);
  desk.emplace(session, live::SessionParameters{options.tracking, options.steering});
  notes.insert(notes.end(), session.notes().begin(), session.notes().end());
  const PageView view{page.get(), speed, {}};
  if (!flags.dry_run)
    return run_session(flags, {*source, session, *desk, std::move(calibration), std::move(notes), view});
  LivePlan plan{.session = session,
                .decoder = options.decoder ? &*options.decoder : nullptr,
                .outputs = flags.outputs,
                .record = flags.record,
                .tracking = flags.tracking_file,
                .notes = notes};
  if (flags.calibrate) plan.calibration = Seconds{*flags.calibrate};
  print_live_plan(plan, flags.json);
  return 0;
}

void add_calibration_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Calibration";
  verb.add_option("--calibrate", flags.calibrate,
                  "Instead of --model: train the decoder in the session, on so many seconds at its start")
      ->check(CLI::PositiveNumber)
      ->group(group);
  verb.add_option("--calibrate-by", flags.calibrate_by,
                  "What it is trained on: label-free (attention is not looked at), or labels (attention as the stream "
                  "or markers tell it)")
      ->check(CLI::IsMember({"label-free", "labels"}))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--attend", flags.attention_markers,
                  "MARKER=SPEAKER: a marker, or a trigger's number, that says who is attended from then on")
      ->group(group);
  verb.add_option("--save-decoder", flags.save_decoder,
                  "File to keep the decoder of --calibrate in, or what was learnt with --population, at the end and "
                  "every three minutes; what is there from a session before is gone on from")
      ->type_name("FILE")
      ->group(group);
  add_recipe_option(verb, flags.decoder)->group(group);
  add_population_options(verb, flags.population);
}

void add_source_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Source";
  verb.add_option("--participant", flags.selection.participants, "replay: the participant, 01")->group(group);
  verb.add_option("--session", flags.selection.sessions, "replay: the session")->group(group);
  verb.add_option("--task", flags.selection.tasks, "replay: the task")->group(group);
  verb.add_option("--run", flags.selection.runs, "replay: the run, 01; several follow each other in the order given")
      ->group(group);
  verb.add_option("--speed", flags.speed, "replay, simulated: times real time, or max")
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--scores", flags.scores, "The stream holds scores or log-likelihoods, and no decoder is needed")
      ->group(group);
  verb.add_option("--audio", flags.sounds, "SPEAKER=FILE: sound of a speaker for a stream that brings EEG alone")
      ->group(group);
  verb.add_option("--audio-offset", flags.audio_offset,
                  "Seconds from the first EEG sample (or the marker) to the sound")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--rail", flags.rail,
                  "Microvolts beyond which EEG counts as not recorded; recordings are taken as they are")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--marker", flags.marker, "Marker that starts the sound files")->group(group);
}

}  // namespace

void add_live(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("live", "Track attention as it happens, and steer gains by it");
  verb->footer(live_examples);
  auto flags = std::make_shared<LiveFlags>();
  verb->add_option("source", flags->source,
                   "replay:DIR, replay:FILE.xdf, simulated:, - (NDJSON on standard input), tcp://HOST:PORT, unix:PATH, "
                   "biosemi://HOST:PORT, "
                   "lsl:NAME")
      ->type_name("URL");
  verb->add_option("-o,--out", flags->outputs,
                   "Sink, as often as wanted: tsv:FILE, ndjson:FILE, ndjson:-, tcp://HOST:PORT, unix:PATH, "
                   "mha://HOST:PORT/VARIABLE, osc://HOST:PORT/PATH, lsl")
      ->type_name("URL");
  verb->add_option("--model", flags->decoder_file, "Decoder of 'heed train --filters causal'")->type_name("FILE");
  verb->add_option("--tracking", flags->tracking_file,
                   "Model of 'heed track --save-model'; without it the emission is adapted to the listener")
      ->type_name("FILE");
  verb->add_option("--window", flags->window, "Seconds per decision, a whole number of quarter seconds")
      ->capture_default_str();
  CLI::Option* hop = verb->add_option("--hop", flags->hop,
                                      "Seconds from one window to the next, where windows overlap: a multiple of 0.25 "
                                      "(default: the window's length)");
  verb->add_option("--step", flags->step,
                   "Instead of windows: steps of 0.25 s, each measured by the power of the last second")
      ->excludes(hop)
      ->excludes("--window");
  verb->add_option("--lag", flags->lag, "Second opinion with so many seconds of hindsight; 0: none")
      ->check(refuse_negative)
      ->capture_default_str();
  verb->add_option("--adapt", flags->adapt.word,
                   "on: a decoder that learns while it listens (default with --population; without one it starts from "
                   "nothing); off: its start, for good; a number: let the model of --tracking follow the listener, "
                   "half-life in seconds")
      ->type_name("on|off|SECONDS");
  verb->add_option("--record", flags->record,
                   "Folder to keep EEG, sound and decisions in as a BIDS run that 'heed score' decodes again, created "
                   "if it does not exist; or a file that ends in .xdf, as LabRecorder's")
      ->type_name("DIR|FILE.xdf");
  verb->add_option("--digits", flags->digits, "Significant digits of tables; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "Counts and latencies as JSON on standard output at the end");
  verb->add_flag("--dry-run", flags->dry_run,
                 "Open the source only, and say whether the decoder fits it and how late each stage is");
  add_page_flags(*verb, flags->page);
  add_source_flags(*verb, *flags);
  add_calibration_flags(*verb, *flags);
  add_cable_flags(*verb, flags->cables);
  add_steering_flags(*verb, flags->map, flags->steering);
  add_chain_flags(*verb, flags->chain);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_live(*flags); }; });
}

}  // namespace heed::app
