// SPDX-License-Identifier: MIT
// `heed live`: attention as it happens, from a source to sinks.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/evaluate/gains.h>
#include <heed/io/decoder_file.h>
#include <heed/io/model_file.h>
#include <heed/live/session.h>
#include <live/demo.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/recorder.h>
#include <live/sources/open_source.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

#include "gain_options.h"
#include "json_value.h"
#include "live_page.h"
#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* live_examples = R"(Examples:
  heed live --demo                                                            watch, hear and steer it in a browser
  heed live simulated: --speed 20
  heed live replay:BIDS_DIR --participant 01 --run 01 --model decoder.json --tracking tracking.json --speed max --out tsv:live.tsv
  heed live replay:BIDS_DIR?switch-every=60-125 --participant 01 --run 01 --model decoder.json --out ndjson:-
  my-decoder | heed live - --scores --out ndjson:-                             somebody else's scores
  heed live tcp://127.0.0.1:5000 --model decoder.json --out mha://127.0.0.1:33337/mha.gain.gains
  heed live tcp://127.0.0.1:5000 --model decoder.json --page                   watch it in a browser
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
  double lag = 0;
  std::optional<double> half_life;
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

live::SourceRequest source_request(const LiveFlags& flags, const live::Address& address,
                                   const std::optional<Decoder>& decoder) {
  live::SourceRequest request{.address = address,
                              .selection = flags.selection,
                              .decoder = decoder,
                              .scores = flags.scores,
                              .audio_offset = {flags.audio_offset},
                              .marker = flags.marker,
                              .window = {flags.window},
                              .stop = &stop_asked};
  for (const std::string& sound : flags.sounds) {
    const std::size_t equals = sound.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorKind::invalid_argument, "--audio " + sound + ": write SPEAKER=FILE");
    }
    request.sounds.push_back({sound.substr(0, equals), sound.substr(equals + 1)});
  }
  return request;
}

std::optional<Decoder> decoder_for(const LiveFlags& flags, const live::Address& address, Notes& notes) {
  if (!flags.decoder_file.empty()) return io::read_decoder(flags.decoder_file);
  if (flags.scores) return std::nullopt;
  if (address.scheme != "simulated") {
    throw Error(ErrorKind::invalid_argument,
                "a live session needs --model, a decoder of 'heed train --filters causal'; scores of another decoder "
                "need --scores");
  }
  notes.push_back({.text = "no decoder is given: one is trained on other trials of the simulated listener"});
  return live::simulated_decoder(address, {flags.window});
}

live::SessionOptions session_options(const LiveFlags& flags, std::optional<Decoder> decoder) {
  live::SessionOptions options{.decoder = std::move(decoder), .window = {flags.window}};
  options.tracking.chain = chain_choice(flags.chain);
  if (!flags.tracking_file.empty()) options.tracking.model = io::read_model(flags.tracking_file);
  if (flags.half_life) options.tracking.adaptation = emission::AdaptiveOptions{.half_life = {*flags.half_life}};
  options.tracking.lag = {flags.lag};
  options.steering = flags.steering;
  options.steering.gains = evaluate::with_map(flags.map, options.steering.gains);
  return options;
}

std::string emission_words(const live::Session& session) {
  return session.description().content == live::StreamContent::log_likelihoods ? "" : io::describe(session.emission());
}

// One line that is written over and over: who, how sure, gains, gaps, latency.
class StateLine final : public live::Sink {
 public:
  explicit StateLine(const live::Session& session) : session_(session) {}
  ~StateLine() override {
    if (shown_) tell("\n");
  }
  StateLine(const StateLine&) = delete;
  StateLine& operator=(const StateLine&) = delete;
  StateLine(StateLine&&) = delete;
  StateLine& operator=(StateLine&&) = delete;

  void decided(const live::Decision& decision) override {
    const auto who = static_cast<std::size_t>(decision.decision);
    show(decision.end, decision.standing == live::Standing::tracking ? session_.description().speakers[who] : "-",
         decision.posterior[who], decision.gains, decision.standing);
  }
  void relaxed(const live::Relaxation& relaxation) override {
    show(relaxation.time, "-", 0, relaxation.gains, relaxation.standing);
  }

 private:
  void show(Seconds time, const std::string& who, double certainty, std::span<const double> gains,
            live::Standing standing) {
    shown_ = true;
    const live::ClockCounts& clock = session_.counts().clock;
    (void)std::fputs(fmt::format("\r{:8.1f} s  {:<11} {:>10} {:3.0f} %  gains {:.1f} dB  held {}  gaps {}  \x1b[K",
                                 time.value, live::name(standing), who, 100 * certainty, fmt::join(gains, " "),
                                 session_.counts().held, clock.gaps)
                         .c_str(),
                     stderr);
  }

  const live::Session& session_;
  bool shown_ = false;
};

void add_sinks(const LiveFlags& flags, const live::Source& source, const live::Session& session,
               live::SinkList& sinks) {
  for (const std::string& output : flags.outputs) {
    live::SinkRequest request{.address = live::parse_address(output, live::EndKind::sink),
                              .stream = session.description(),
                              .window = session.window(),
                              .digits = flags.digits,
                              .switch_probability = session.switch_probability(),
                              .emission = emission_words(session)};
    // A recording at full speed can wait for who reads.
    if (source.is_stored() && !speed_of(flags)) request.patience = Seconds{5};
    sinks.add(live::open_sink(request));
  }
  if (!flags.json && ::isatty(STDERR_FILENO) != 0) sinks.add(std::make_unique<StateLine>(session));
}

ordered_json delays_json(const live::StageDelays& delays) {
  return {{"eeg", delays.eeg.value},       {"sound", delays.sound.value},
          {"lags", delays.lags.value},     {"band_pass", delays.band_pass.value},
          {"window", delays.window.value}, {"until_decision", delays.until_decision().value}};
}

ordered_json clock_json(const live::ClockCounts& counts) {
  return {{"jittered", counts.jittered},         {"gaps", counts.gaps},
          {"lost_samples", counts.lost_samples}, {"duplicates", counts.duplicates},
          {"backwards", counts.backwards},       {"jumps", counts.jumps},
          {"shifted", counts.shifted},           {"late_sound", counts.late_sound},
          {"drift_ppm", counts.drift_ppm}};
}

ordered_json latency_json(const live::LatencyHistogram& latencies) {
  const auto seconds = [&](double part) {
    const auto value = latencies.quantile(part);
    return value ? ordered_json(value->value) : ordered_json(nullptr);
  };
  ordered_json histogram = ordered_json::array();
  for (std::size_t bin = 0; bin < latencies.counts().size(); ++bin) {
    if (latencies.counts()[bin] == 0) continue;
    histogram.push_back({{"at_most", live::LatencyHistogram::edge(bin).value}, {"count", latencies.counts()[bin]}});
  }
  return {{"p50", seconds(0.5)},
          {"p99", seconds(0.99)},
          {"p99.9", seconds(0.999)},
          {"longest", latencies.longest().value},
          {"histogram", histogram}};
}

ordered_json stream_json(const live::StreamDescription& stream) {
  ordered_json feeds = ordered_json::array();
  for (const live::SoundFeed& feed : stream.feeds) {
    feeds.push_back({{"speaker", stream.speakers[static_cast<std::size_t>(feed.speaker)]},
                     {"kind", feed.kind == live::FeedKind::audio ? "audio" : "envelope"},
                     {"rate", feed.sampling_frequency.value}});
  }
  return {{"source", stream.name},
          {"speakers", stream.speakers},
          {"channels", stream.channels.size()},
          {"rate", stream.sampling_frequency.value},
          {"sounds", feeds}};
}

std::vector<std::string> texts_of(const Notes& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(data::shown(note));
  return texts;
}

struct Outcome {
  const live::Session& session;
  const live::RunReport& report;
  live::SourceCounts source;
  live::SinkCounts sinks;
  const Notes& notes;
};

void print_json(const Outcome& outcome) {
  const live::SessionCounts& counts = outcome.session.counts();
  const ordered_json json{{"stream", stream_json(outcome.session.description())},
                          {"window", outcome.session.window().value},
                          {"windows", counts.windows},
                          {"held", counts.held},
                          {"refused", counts.refused},
                          {"switches", counts.switches},
                          {"relaxations", counts.relaxations},
                          {"streamed", outcome.report.streamed.value},
                          {"elapsed", outcome.report.elapsed.value},
                          {"stopped", outcome.report.stopped},
                          {"clock", clock_json(counts.clock)},
                          {"source",
                           {{"dropped", outcome.source.dropped},
                            {"refused", outcome.source.refused},
                            {"reconnects", outcome.source.reconnects},
                            {"out_of_range", outcome.source.out_of_range},
                            {"battery_low", outcome.source.battery_low}}},
                          {"sinks",
                           {{"dropped", outcome.sinks.dropped},
                            {"refused", outcome.sinks.refused},
                            {"reconnects", outcome.sinks.reconnects}}},
                          {"delays", delays_json(outcome.session.delays())},
                          {"latency", latency_json(outcome.report.latencies)},
                          {"notes", texts_of(outcome.notes)}};
  fmt::print("{}", json_text(json));
}

void print_summary(const Outcome& outcome) {
  const live::SessionCounts& counts = outcome.session.counts();
  const auto p99 = outcome.report.latencies.quantile(0.99);
  tell("{}: {}, {} held, {}; {} gaps, {} samples lost, {} of sound shifted", outcome.session.description().name,
       count_text(static_cast<std::size_t>(counts.windows), "window"), counts.held,
       count_text(static_cast<std::size_t>(counts.switches), "switch"), counts.clock.gaps, counts.clock.lost_samples,
       counts.clock.shifted);
  if (p99) tell("; 99 % of the decisions within {:.2g} ms", 1e3 * p99->value);
  tell("\n");
}

int print_plan(const LiveFlags& flags, const live::Session& session, const Notes& notes) {
  const live::StageDelays& delays = session.delays();
  if (flags.json) {
    fmt::print("{}", json_text({{"stream", stream_json(session.description())},
                                {"outputs", flags.outputs},
                                {"window", session.window().value},
                                {"delays", delays_json(delays)},
                                {"fits", true},
                                {"notes", texts_of(notes)}}));
    return 0;
  }
  for (const Note& note : notes) warn(note);
  const live::StreamDescription& stream = session.description();
  fmt::print("source      {}: {}", stream.name, fmt::join(stream.speakers, ", "));
  if (!stream.channels.empty())
    fmt::print("; {} channels at {} Hz", stream.channels.size(), stream.sampling_frequency.value);
  fmt::print("\n");
  for (const std::string& output : flags.outputs) fmt::print("sink        {}\n", output);
  if (stream.content == live::StreamContent::signals) {
    fmt::print("decoder     fits the stream\n");
    fmt::print("EEG         {:.0f} ms late (resampling), {:.0f} ms for its lags\n", 1e3 * delays.eeg.value,
               1e3 * delays.lags.value);
    fmt::print("sound       {:.0f} ms late (gammatones, resampling, onsets)\n", 1e3 * delays.sound.value);
    fmt::print("band-pass   {:.0f} ms, of EEG and sound alike\n", 1e3 * delays.band_pass.value);
  }
  fmt::print("decision    {:.0f} ms after the end of each window of {} s\n", 1e3 * delays.until_decision().value,
             delays.window.value);
  return 0;
}

// A source with what it is decoded by.
struct Stage {
  live::Source& source;
  live::SessionOptions options;
  Notes notes;
  std::optional<live::DemoControls> demo{};
};

// What a page shows of a session, for as long as it runs.
class PageWatch {
 public:
  PageWatch(live::LivePage& page, const live::ShownSession& shown, live::SinkList& sinks) : page_(page) {
    page_.show(shown);
    sinks.add(page_.sink(shown));
  }
  ~PageWatch() { page_.hide(); }
  PageWatch(const PageWatch&) = delete;
  PageWatch& operator=(const PageWatch&) = delete;
  PageWatch(PageWatch&&) = delete;
  PageWatch& operator=(PageWatch&&) = delete;

 private:
  live::LivePage& page_;
};

int run_stage(const LiveFlags& flags, Stage stage, live::LivePage* page) {
  const auto speed = speed_of(flags);
  // Recordings are taken as offline; what comes from an amplifier may be at its end.
  if (!stage.source.is_stored()) stage.options.rail = flags.rail;
  live::Session session(stage.source.description(), stage.options);
  Notes& notes = stage.notes;
  notes.insert(notes.end(), session.notes().begin(), session.notes().end());
  if (flags.dry_run) return print_plan(flags, session, notes);
  live::SinkList sinks;
  add_sinks(flags, stage.source, session, sinks);
  if (!flags.record.empty()) {
    auto recorder = std::make_unique<live::SessionRecorder>(flags.record, session.description());
    session.tap(recorder.get());
    sinks.add(std::move(recorder));
  }
  if (!flags.json) {
    for (const Note& note : notes) warn(note);
  }
  live::RunReport report;
  std::unique_ptr<live::Source> overheard;
  std::optional<PageWatch> watch;
  if (page != nullptr) {
    overheard = page->listening(stage.source);
    const live::PageParameters parameters{stage.options.tracking, stage.options.steering};
    watch.emplace(*page, live::ShownSession{session, *overheard, report, parameters, speed, stage.demo}, sinks);
  }
  (void)std::signal(SIGINT, ask_to_stop);
  (void)std::signal(SIGTERM, ask_to_stop);
  live::SteadyClock clock;
  live::Source& source = overheard ? *overheard : stage.source;
  live::run(source, session, sinks, clock, {.speed = speed, .stop = &stop_asked}, report);
  const Outcome outcome{session, report, source.counts(), sinks.counts(), notes};
  flags.json ? print_json(outcome) : print_summary(outcome);
  return 0;
}

// What a visitor asked for, until the session that is running has ended.
class WantedSetup {
 public:
  void ask(const live::DemoSetup& setup) {
    const std::lock_guard lock(mutex_);
    setup_ = setup;
  }
  [[nodiscard]] std::optional<live::DemoSetup> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(setup_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<live::DemoSetup> setup_{};
};

// One session after the other, as visitors change the listener or the number of talkers.
int run_demo(const LiveFlags& flags) {
  live::DemoOptions options{.window = {flags.window}};
  options.files.assign(flags.page.talkers.begin(), flags.page.talkers.end());
  if (!options.files.empty()) options.setup.talkers = static_cast<int>(options.files.size());
  if (flags.page.seconds) options.duration = Seconds{*flags.page.seconds};
  // What is kept in files, or given as sounds, belongs to one listener and its talkers.
  const bool fixed = !flags.outputs.empty() || !flags.record.empty() || flags.json || !options.files.empty() ||
                     flags.page.seconds.has_value();
  const auto page = flags.dry_run ? nullptr : open_page(flags.page);
  for (std::optional<live::DemoSetup> setup = options.setup; setup;) {
    options.setup = *setup;
    live::DemoStage made = live::make_demo_stage(options);
    WantedSetup wanted;
    live::SimulatedListener& listener = *made.source;
    live::DemoControls controls{.setup = options.setup,
                                .attend = [&](Speaker speaker) { listener.attend(speaker); },
                                .lose_eeg = [&] { listener.lose_eeg({10}); }};
    const auto change = [&](const live::DemoSetup& asked) {
      wanted.ask(asked);
      listener.end();
    };
    if (!fixed) controls.change = change;
    live::SessionOptions session = session_options(flags, std::move(made.decoder));
    if (!session.tracking.model) session.tracking.model = std::move(made.model);
    // Visitors move attention more often than people in a quiet room do.
    const bool chosen = flags.chain.switch_probability || !flags.chain.transition_file.empty();
    if (!chosen) session.tracking.chain.switch_probability = 0.01;
    const int code = run_stage(flags, {listener, std::move(session), {}, controls}, page.get());
    if (code != 0 || stop_asked) return code;
    setup = wanted.take();
  }
  return 0;
}

int run_live(const LiveFlags& flags) {
  check_page_flags(flags.page, flags.source);
  for (const std::string& output : flags.outputs) (void)live::parse_address(output, live::EndKind::sink);
  (void)speed_of(flags);
  if (flags.page.demo) return run_demo(flags);
  const live::Address address = live::parse_address(flags.source, live::EndKind::source);
  Notes notes;
  auto decoder = decoder_for(flags, address, notes);
  live::SessionOptions options = session_options(flags, std::move(decoder));
  const auto page = flags.dry_run ? nullptr : open_page(flags.page);
  const auto source = live::open_source(source_request(flags, address, options.decoder));
  return run_stage(flags, {*source, std::move(options), std::move(notes)}, page.get());
}

void add_steering_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Steering";
  auto& gains = flags.steering.gains;
  verb.add_option("--map", flags.map, std::string("From posterior to gain: ") + gain_map_help)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--enhanced", gains.enhanced_decibel, "Gain in dB of a speaker who is certainly attended")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--suppressed", gains.suppressed_decibel, "Gain in dB of a speaker who is certainly not attended")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--slew", gains.slew_decibel_per_second, "The most that a gain may move, in dB per second")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--lowest", gains.lowest_decibel, "No gain is ever below this, in dB")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--highest", gains.highest_decibel, "No gain is ever above this, in dB")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--watchdog", flags.steering.patience,
                  "Windows without input, or without evidence, after which the gains relax to equal")
      ->capture_default_str()
      ->group(group);
}

void add_source_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Source";
  verb.add_option("--participant", flags.selection.participants, "replay: the participant, 01")->group(group);
  verb.add_option("--session", flags.selection.sessions, "replay: the session")->group(group);
  verb.add_option("--task", flags.selection.tasks, "replay: the task")->group(group);
  verb.add_option("--run", flags.selection.runs, "replay: the run, 01")->group(group);
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
  verb->add_option(
          "source", flags->source,
          "replay:DIR, simulated:, - (NDJSON on standard input), tcp://HOST:PORT, unix:PATH, biosemi://HOST:PORT")
      ->type_name("URL");
  verb->add_option("-o,--out", flags->outputs,
                   "Sink, as often as wanted: tsv:FILE, ndjson:FILE, ndjson:-, tcp://HOST:PORT, unix:PATH, "
                   "mha://HOST:PORT/VARIABLE")
      ->type_name("URL");
  verb->add_option("--model", flags->decoder_file, "Decoder of 'heed train --filters causal'")->type_name("FILE");
  verb->add_option("--tracking", flags->tracking_file,
                   "Model of 'heed track --save-model'; without it the emission is adapted to the listener")
      ->type_name("FILE");
  verb->add_option("--window", flags->window, "Seconds per decision, a whole number of quarter seconds")
      ->capture_default_str();
  verb->add_option("--lag", flags->lag, "Second opinion with so many seconds of hindsight; 0: none")
      ->check(refuse_negative)
      ->capture_default_str();
  verb->add_option("--adapt", flags->half_life,
                   "Let the model of --tracking follow the listener, half-life in seconds");
  verb->add_option("--record", flags->record,
                   "Folder to keep EEG and sound in as a BIDS run that 'heed score' decodes again; created if it does "
                   "not exist")
      ->type_name("DIR");
  verb->add_option("--digits", flags->digits, "Significant digits of tables; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "Counts and latencies as JSON on standard output at the end");
  verb->add_flag("--dry-run", flags->dry_run,
                 "Open the source only, and say whether the decoder fits it and how late each stage is");
  add_page_flags(*verb, flags->page);
  add_source_flags(*verb, *flags);
  add_steering_flags(*verb, *flags);
  add_chain_flags(*verb, flags->chain);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_live(*flags); }; });
}

}  // namespace heed::app
