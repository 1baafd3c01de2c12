// SPDX-License-Identifier: MIT
// `heed live`: attention as it happens, from a source to sinks.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/emission/label_free.h>
#include <heed/evaluate/gains.h>
#include <heed/io/model_file.h>
#include <heed/live/session.h>
#include <io/atomic_file.h>
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
#include <set>
#include <utility>

#include "live_adaptive.h"
#include "live_flags.h"
#include "live_report.h"
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
  heed live tcp://127.0.0.1:5000 --population pop.json --save-decoder me.json  no calibration: heed learns while it listens
  heed live tcp://127.0.0.1:5000 --calibrate 250 --record DIR                  a decoder that is trained in the session, without labels
  heed live lsl:BioSemi --model decoder.json --out lsl --out osc://127.0.0.1:9999/heed/gain --record session.xdf
  heed live --list                                                             streams of the lab streaming layer
  my-decoder | heed live - --scores --out ndjson:-                             scores of a decoder of your own
  heed live tcp://127.0.0.1:5000 --model decoder.json --out mha://127.0.0.1:33337/mha.gain.gains
  heed live tcp://127.0.0.1:5000 --model decoder.json --dry-run                what would be opened, and how late it is

The decoder is one of 'heed train --filters causal', the tracking model one of 'heed track --save-model'.)";

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

// Of signals; a stream may say what it is meant for.
decode::WindowLayout layout_of(const LiveFlags& flags, const live::StreamDescription& stream = {}) {
  if (flags.step) return decode::WindowLayout::in_steps({*flags.step});
  const Seconds window{flags.window.value_or(stream.window.value)};
  const Seconds hop = flags.window ? window : stream.hop.value_or(window);
  return {window, {flags.hop.value_or(hop.value)}};
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

void check_outputs(const LiveFlags& flags) {
  std::set<std::string> files;
  for (const std::string& output : flags.outputs) {
    const live::Address address = live::parse_address(output, live::EndKind::sink);
    const bool file = address.scheme == "tsv" || address.scheme == "ndjson" || address.scheme == "-";
    const std::string place = address.scheme == "-" ? "-" : address.path;
    if (!file || files.insert(place).second) continue;
    throw Error(ErrorKind::invalid_argument, "--out " + output + ": two sinks would write into " + place +
                                                 " at the same time; give each its own file");
  }
}

void check_window_flags(const LiveFlags& flags) {
  if (flags.scores && (flags.window || flags.hop || flags.step)) {
    throw Error(ErrorKind::invalid_argument,
                "--window, --hop and --step are for signals; a stream of scores says in its first line how long its "
                "windows are");
  }
}

// Nothing where the decoder is another one.
std::optional<live::AdaptiveStartRequest> adaptive_start(const LiveFlags& flags, const live::Address& address) {
  if (flags.calibrate) return std::nullopt;
  return adaptive_request({.adapt = flags.adapt,
                           .population = flags.population,
                           .decoder = flags.decoder,
                           .selection = flags.selection,
                           .kept = flags.save_decoder,
                           .window = {flags.window.value_or(1)},
                           .other_decoder = !flags.decoder_file.empty() || flags.scores,
                           .tracking_model = !flags.tracking_file.empty()},
                          address);
}

// Where what is learnt is kept; empty: nowhere, as of a frozen decoder, whose file stays as it is.
std::string kept_file(const LiveFlags& flags) { return flags.adapt.is_off() ? "" : flags.save_decoder; }

// A file that goes on keeps whose it is, also where nobody says so again.
std::string kept_listener(const LiveFlags& flags, const std::optional<live::AdaptiveStartRequest>& adaptive) {
  const std::string named = listener_of(flags);
  return named.empty() && adaptive && adaptive->learnt ? adaptive->learnt->listener : named;
}

void note_what_is_not_kept(const LiveFlags& flags, Notes& notes) {
  if (flags.save_decoder == kept_file(flags)) return;
  notes.push_back({.text = "nothing is learnt with --adapt off, so " + flags.save_decoder + " is not written"});
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
  decode::check_layout(layout_of(flags));  // before a decoder is trained for nothing
  notes.push_back({.text = "no decoder is given: one is trained on other trials of the simulated listener"});
  return live::simulated_decoder(address, Seconds{1});
}

Model tracking_model(const LiveFlags& flags, const decode::WindowLayout& layout) {
  const Model model = read_model(flags.tracking_file);
  return emission::is_reference(model) ? emission::reference_model(layout.window, layout.hop) : model;
}

live::SessionOptions session_options(const LiveFlags& flags, std::optional<Decoder> decoder) {
  live::SessionOptions options{.decoder = std::move(decoder), .window = layout_of(flags)};
  options.tracking.chain = chain_choice(flags.chain);
  if (!flags.tracking_file.empty()) options.tracking.model = tracking_model(flags, options.window);
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
  std::string listener{};  // whose decoder is kept
  Notes notes{};
  PageView view{};
};

// What cannot be kept is told, and tried again at the end: steering does not stop for a file.
void tell_not_kept(const std::string& why) { tell("heed live: {}; heed tries again, and the session goes on\n", why); }

// Trains the decoder of a session that begins with a calibration, says when it is there, and keeps it.
class Calibration {
 public:
  Calibration(Performance& performance, std::string file)
      : calibrator_(performance.session, performance.desk, std::move(*performance.calibration)),
        file_(std::move(file)),
        notes_(performance.notes) {}

  // Between two blocks.
  void look() {
    calibrator_.look();
    if (told_ || calibrator_.decoder() == nullptr) return;
    told_ = true;
    notes_.insert(notes_.end(), calibrator_.notes().begin(), calibrator_.notes().end());
    tell("heed live: the decoder is trained ({})\n", io::describe(*calibrator_.decoder()));
    try {
      keep();
    } catch (const Error& error) {
      tell_not_kept(error.what());
    }
  }
  // A decoder that is to be kept is worth waiting for: what it is trained on is there.
  void finish() {
    if (file_.empty()) return;
    calibrator_.finish();
    look();
    if (!kept_ && calibrator_.decoder() != nullptr) keep();
  }

 private:
  void keep() {
    if (!file_.empty()) io::write_decoder(file_, *calibrator_.decoder());
    kept_ = true;
  }

  live::Calibrator calibrator_;
  std::string file_;
  Notes& notes_;
  bool told_ = false;
  bool kept_ = false;
};

// A source, its session and what goes out, from the first sample to the last.
int run_session(const LiveFlags& flags, Performance performance) {
  live::Session& session = performance.session;
  Notes& notes = performance.notes;
  live::RunReport report;
  live::SinkList sinks;
  add_sinks(flags, session, report, sinks);
  const PageWatch watch(performance.view, performance.source, session, performance.desk, report, sinks);
  if (performance.view.announce) performance.view.announce();
  live::Source& source = watch.source();
  if (!flags.json) {
    for (const Note& note : notes) warn(note);
  }
  std::optional<Calibration> calibration;
  if (performance.calibration) calibration.emplace(performance, flags.save_decoder);
  std::optional<live::Learner> learner;
  if (session.learnt()) {
    learner.emplace(session, live::LearnerOptions{
                                 .file = kept_file(flags), .listener = performance.listener, .tell = tell_not_kept});
  }
  live::RunOptions options{.speed = speed_of(flags), .stop = &stop_asked};
  if (learner) options.between_blocks = [&] { learner->look(); };
  if (calibration) options.between_blocks = [&] { calibration->look(); };
  live::SteadyClock clock;
  std::exception_ptr failure;
  std::string words;
  try {
    live::run(source, session, sinks, clock, options, report);
    if (learner) learner->finish();
    if (calibration) calibration->finish();
  } catch (const Error& error) {
    failure = std::current_exception();
    words = error.what();
  }
  session.tap(nullptr);
  if (const auto undecided = failure ? std::nullopt : why_undecided(session, flags.marker)) {
    notes.push_back(*undecided);
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
  // Whatever is wrong is told before anybody is sent to the page.
  live::DemoOptions demo = demo_options(flags.page, layout_of(flags));
  const auto page = open_page(flags.page);
  bool announced = false;
  const auto announce = [&] {
    if (!std::exchange(announced, true)) announce_page(flags.page, *page);
  };
  const auto play = [&](live::DemoStage& stage, const live::DemoControls& controls) {
    live::SessionOptions options = session_options(flags, std::move(stage.decoder));
    options.adaptive = std::move(stage.adaptive);
    if (options.adaptive) options.adaptive->adaptation.adapt = !flags.adapt.is_off();
    if (!options.tracking.model) options.tracking.model = stage.model;
    // Visitors move attention more often than people in a quiet room do.
    auto& chain = options.tracking.chain;
    const bool chosen = chain.transition || chain.switch_probability || chain.unknown_switch_probability;
    if (!chosen) chain.switch_probability = 0.01;
    std::optional<live::ParameterDesk> desk;
    const auto source = with_osc(flags.cables, std::move(stage.source), desk);
    live::Session session(source->description(), options);
    desk.emplace(session, live::SessionParameters{options.tracking, options.steering});
    const PageView view{page.get(), speed_of(flags), controls, announce};
    (void)run_session(flags, {*source, session, *desk, {}, {}, session.notes(), view});
    return !stop_asked;
  };
  return show_demo(std::move(demo), kept, play);
}

int run_live(const LiveFlags& flags) {
  if (flags.cables.list) return list_streams(flags.cables, flags.json);
  check_page_flags(flags.page, flags.source);
  check_live_flags(flags);
  (void)std::signal(SIGINT, ask_to_stop);
  (void)std::signal(SIGTERM, ask_to_stop);
  check_outputs(flags);
  const auto speed = speed_of(flags);
  if (flags.page.demo) return run_demo(flags);
  const live::Address address = live::parse_address(flags.source, live::EndKind::source);
  check_window_flags(flags);
  Notes notes;
  auto calibration = calibrator_options(flags);
  auto adaptive = adaptive_start(flags, address);
  live::SessionOptions options = session_options(flags, adaptive ? std::nullopt : decoder_for(flags, address, notes));
  live::SourceRequest request = source_request(flags, address, options.decoder);
  if (calibration) {
    options.calibration = live::calibration_options(calibration->choice, {*flags.calibrate});
    calibration->wait = !speed;
    request.decoder = Decoder{.preprocessing = calibration->choice.preprocessing};  // what signals are prepared for
  }
  if (adaptive) request.decoder = Decoder{.preprocessing = live::adaptive_signals(*adaptive)};
  if (!kept_file(flags).empty()) io::try_output(kept_file(flags));
  const auto page = flags.dry_run ? nullptr : open_page(flags.page);
  if (page) announce_page(flags.page, *page);
  std::optional<live::ParameterDesk> desk;
  const auto source = with_osc(flags.cables, opened(flags, request), desk);
  options.window = layout_of(flags, source->description());
  if (adaptive) {
    note_what_is_not_kept(flags, notes);
    adaptive->window = options.window.window;
    options.adaptive = live::adaptive_session(source->description(), *adaptive, notes);
    if (adaptive->learnt) tell("heed live: goes on from {} ({})\n", flags.save_decoder, adaptive->learnt->origin);
  }
  // Recordings are taken as offline; what comes from an amplifier may be at its end.
  if (!source->is_stored()) {
    options.rail = flags.rail;
    options.flat = Seconds{0.5};
  }
  live::Session session(source->description(), options);
  desk.emplace(session, live::SessionParameters{options.tracking, options.steering});
  notes.insert(notes.end(), session.notes().begin(), session.notes().end());
  if (!flags.dry_run) {
    return run_session(flags, {*source, session, *desk, std::move(calibration), kept_listener(flags, adaptive),
                               std::move(notes), PageView{.page = page.get(), .speed = speed}});
  }
  LivePlan plan{.session = session,
                .decoder = options.decoder ? &*options.decoder : nullptr,
                .outputs = flags.outputs,
                .record = flags.record,
                .tracking = flags.tracking_file,
                .kept = kept_file(flags),
                .osc_input = flags.cables.osc_input,
                .page = flags.page.page,
                .notes = notes};
  if (adaptive) plan.start = start_words(*adaptive);
  if (flags.calibrate) plan.calibration = Seconds{*flags.calibrate};
  print_live_plan(plan, flags.json);
  return 0;
}

}  // namespace

void add_live(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("live", "Track attention as it happens, and steer gains by it");
  verb->footer(live_examples);
  auto flags = std::make_shared<LiveFlags>();
  add_live_flags(*verb, *flags);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_live(*flags); }; });
}

}  // namespace heed::app
