// SPDX-License-Identifier: MIT
#include "live_report.h"

#include <data/switching.h>
#include <data/text.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

// "right 97 %"
std::string who_text(const live::StreamDescription& stream, Speaker speaker, double probability) {
  return fmt::format("{} {:.0f} %", stream.speakers[static_cast<std::size_t>(speaker)], 100 * probability);
}

ordered_json delays_json(const live::StageDelays& delays) {
  return {{"eeg", delays.eeg.value},       {"sound", delays.sound.value},
          {"lags", delays.lags.value},     {"band_pass", delays.band_pass.value},
          {"window", delays.window.value}, {"until_decision", delays.until_decision().value}};
}

ordered_json clock_json(const live::ClockCounts& counts) {
  return {{"jittered", counts.jittered},
          {"gaps", counts.gaps},
          {"lost_samples", counts.lost_samples},
          {"flat_samples", counts.flat_samples},
          {"duplicates", counts.duplicates},
          {"backwards", counts.backwards},
          {"jumps", counts.jumps},
          {"shifted", counts.shifted},
          {"late_sound", counts.late_sound},
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

ordered_json learnt_json(const live::Session& session) {
  const auto learnt = session.learnt();
  return learnt ? json_value(*learnt, session.hop()) : ordered_json(nullptr);
}

// "58 % of the decoder is the listener's own"
std::string learnt_text(const live::Session& session) {
  const auto learnt = session.learnt();
  if (!learnt) return "";
  std::string text = fmt::format("own {:.0f} %", 100 * (1 - learnt->population_share));
  if (learnt->guarded) text += ", population given up";
  return text;
}

ordered_json or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

std::vector<std::string> texts_of(const Notes& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(data::shown(note));
  return texts;
}

// "simulated:" is an address, and no name to be followed by a colon.
std::string source_name(const live::StreamDescription& stream) {
  return stream.name.ends_with(':') ? stream.name.substr(0, stream.name.size() - 1) : stream.name;
}

std::string windows_text(const live::Session& session) { return data::shown_windows(session.window(), session.hop()); }

std::string tracking_words(const LivePlan& plan) {
  if (!plan.tracking.empty()) return plan.tracking;
  if (!plan.start.empty()) return "by what the decoder's own scores mean, which is learnt with it";
  return plan.session.description().content == live::StreamContent::log_likelihoods
             ? "log-likelihoods as they come"
             : "an emission that is adapted to the listener without labels";
}

void print_signals(const LivePlan& plan) {
  const live::StreamDescription& stream = plan.session.description();
  const live::StageDelays& delays = plan.session.delays();
  say("EEG         {} channels at {} Hz, in {}\n", stream.channels.size(), stream.sampling_frequency.value,
      stream.unit);
  for (const live::SoundFeed& feed : stream.feeds) {
    say("sound       {}: {} at {} Hz\n", stream.speakers[static_cast<std::size_t>(feed.speaker)],
        feed.kind == live::FeedKind::audio ? "audio" : "envelope", feed.sampling_frequency.value);
  }
  if (plan.calibration) {
    say("decoder     trained in the session, on its first {} s\n", plan.calibration->value);
  } else if (!plan.start.empty()) {
    say("decoder     {}, learns while it listens; its {} channels are there by name\n", plan.start,
        plan.session.learnt_listener("")->channels.size());
  } else if (plan.decoder != nullptr) {
    say("decoder     fits the stream: its {} channels are there by name, {} Hz become {} Hz, both in uV\n",
        plan.decoder->channels.size(), stream.sampling_frequency.value,
        plan.decoder->preprocessing.sampling_frequency.value);
  }
  say("delays      EEG {:.0f} ms (resampling) and {:.0f} ms (lags); sound {:.0f} ms (gammatones, resampling, "
      "onsets); band-pass {:.0f} ms, of both alike\n",
      1e3 * delays.eeg.value, 1e3 * delays.lags.value, 1e3 * delays.sound.value, 1e3 * delays.band_pass.value);
}

}  // namespace

void StateLine::end_line() {
  if (std::exchange(shown_, false)) tell("\n");
}

void StateLine::decided(const live::Decision& decision) {
  const live::StreamDescription& stream = session_.description();
  std::string who = "-";
  if (decision.standing == live::Standing::tracking) {
    who = who_text(stream, decision.decision, decision.posterior[static_cast<std::size_t>(decision.decision)]);
  }
  if (!decision.hindsight.empty()) {
    const auto best = std::ranges::max_element(decision.hindsight);
    who += ", in hindsight " + who_text(stream, static_cast<Speaker>(best - decision.hindsight.begin()), *best);
  }
  show(decision.end, who, decision.gains, decision.standing);
}

void StateLine::relaxed(const live::Relaxation& relaxation) {
  show(relaxation.time, "-", relaxation.gains, relaxation.standing);
}

// Samples of EEG, or windows of scores, that came per second since the line was last written; measured over a second.
std::string StateLine::rate() {
  const auto now = std::chrono::steady_clock::now();
  const double passed = std::chrono::duration<double>(now - measured_).count();
  if (!shown_ || passed >= 1) {
    if (shown_) rate_ = fmt::format("{:.0f} Hz", static_cast<double>(report_.rows - rows_) / passed);
    measured_ = now;
    rows_ = report_.rows;
  }
  return rate_.empty() ? "- Hz" : rate_;
}

// What matters least is last: a line that is longer than the terminal is wide would be left behind with each window.
void StateLine::show(Seconds time, const std::string& who, std::span<const double> gains, live::Standing standing) {
  const auto p99 = report_.latencies.quantile(0.99);
  const live::SessionCounts& counts = session_.counts();
  std::vector<std::string> fields{fmt::format("{:<11} {}", live::name(standing), who),
                                  fmt::format("gains {:.1f} dB", fmt::join(gains, " "))};
  if (const std::string learnt = learnt_text(session_); !learnt.empty()) fields.push_back(learnt);
  fields.insert(fields.end(), {rate(), fmt::format("held {}", counts.held), fmt::format("gaps {}", counts.clock.gaps),
                               "latency " + (p99 ? milliseconds_text(*p99) : "-")});
  std::string line = fmt::format("{:8.1f} s", time.value);
  const std::size_t columns = terminal_columns(STDERR_FILENO).value_or(std::string::npos);
  for (const std::string& field : fields) {
    if (text_width(line) + 2 + text_width(field) >= columns) break;
    line += "  " + field;
  }
  shown_ = true;
  (void)std::fputs(("\r" + visible(line) + "\x1b[K").c_str(), stderr);
}

std::optional<Note> why_undecided(const live::Session& session, const std::string& marker) {
  const live::SessionCounts& counts = session.counts();
  if (counts.windows > counts.held + counts.calibrating) return std::nullopt;
  std::string why;
  const std::vector<std::string> awaited = session.awaited();
  const bool silent = std::ranges::any_of(awaited, [](const std::string& one) { return one != "EEG"; });
  if (silent && !marker.empty()) {
    why = "the marker '" + marker + "', which starts the sound files, did not come";
  } else if (!awaited.empty()) {
    why = fmt::format("{} did not come", fmt::join(awaited, ", "));
  } else if (session.is_calibrating()) {
    why = "the stream ended before the decoder was trained";
  } else if (counts.windows == 0) {
    why = "the stream ended before its first window did";
  } else if (counts.refused > 0) {
    why = "the scores made no sense";
  } else if (counts.calibrating == 0) {
    why = "samples were missing in every window, beyond the rail, or the same over and over";
  } else {
    return std::nullopt;
  }
  return Note{.kind = NoteKind::doubtful, .text = why + ": nothing was decided"};
}

void print_live_json(const LiveOutcome& outcome) {
  const live::SessionCounts& counts = outcome.session.counts();
  ordered_json json{{"stream", stream_json(outcome.session.description())},
                    {"window", outcome.session.window().value},
                    {"hop", outcome.session.hop().value},
                    {"windows", counts.windows},
                    {"calibrating", counts.calibrating},
                    {"held", counts.held},
                    {"refused", counts.refused},
                    {"switches", counts.switches},
                    {"switching", json_value(outcome.session.switching())},
                    {"learnt", learnt_json(outcome.session)},
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
                      {"reconnects", outcome.sinks.reconnects},
                      {"broken", outcome.sinks.broken}}},
                    {"delays", delays_json(outcome.session.delays())},
                    {"latency", latency_json(outcome.report.latencies)},
                    {"notes", texts_of(outcome.notes)}};
  json["failure"] = or_null(outcome.failure);
  fmt::print("{}", json_text(json));
}

void print_live_summary(const LiveOutcome& outcome) {
  const live::SessionCounts& counts = outcome.session.counts();
  const auto p99 = outcome.report.latencies.quantile(0.99);
  tell("{}: {}, {} held, {}; {}, {} lost, {} of sound shifted", source_name(outcome.session.description()),
       count_text(static_cast<std::size_t>(counts.windows), "window"), counts.held,
       count_text(static_cast<std::size_t>(counts.switches), "switch"),
       count_text(static_cast<std::size_t>(counts.clock.gaps), "gap"),
       count_text(static_cast<std::size_t>(counts.clock.lost_samples), "sample"), counts.clock.shifted);
  if (const Index left_out = counts.clock.duplicates + counts.clock.backwards; left_out > 0) {
    tell("; {} left out, whose time stamps were those of earlier ones",
         count_text(static_cast<std::size_t>(left_out), "block"));
  }
  if (counts.clock.jumps > 0)
    tell("; the clock jumped {}", count_text(static_cast<std::size_t>(counts.clock.jumps), "time"));
  if (counts.calibrating > 0)
    tell("; {} of calibration", count_text(static_cast<std::size_t>(counts.calibrating), "window"));
  if (p99) tell("; 99 % of the decisions within {}", milliseconds_text(*p99));
  tell("\n");
  if (const auto learnt = outcome.session.learnt()) {
    tell("{:.0f} s of listening were learnt from; {:.0f} % of the decoder is the listener's own\n",
         learnt->labelled_windows * outcome.session.hop().value, 100 * (1 - learnt->population_share));
    if (learnt->guarded) {
      warn(fmt::format("the population did not fit and was given up after {:.0f} s; is the EEG upside down?",
                       static_cast<double>(*learnt->guarded) * outcome.session.hop().value));
    }
  }
  if (const auto found = outcome.session.switching()) tell("the listener switches {}\n", data::switching_words(*found));
}

void print_live_plan(const LivePlan& plan, bool json) {
  const live::StreamDescription& stream = plan.session.description();
  const live::StageDelays& delays = plan.session.delays();
  const bool signals = stream.content == live::StreamContent::signals;
  if (json) {
    fmt::print("{}", json_text({{"stream", stream_json(stream)},
                                {"outputs", plan.outputs},
                                {"record", or_null(plan.record)},
                                {"start", or_null(plan.start)},
                                {"kept", or_null(plan.kept)},
                                {"osc_in", or_null(plan.osc_input)},
                                {"page", plan.page},
                                {"window", plan.session.window().value},
                                {"hop", plan.session.hop().value},
                                {"delays", delays_json(delays)},
                                {"fits", true},
                                {"notes", texts_of(plan.notes)}}));
    return;
  }
  for (const Note& note : plan.notes) warn(note);
  say("source      {}: {}\n", source_name(stream), fmt::join(stream.speakers, ", "));
  if (signals) print_signals(plan);
  say("tracking    {}\n", tracking_words(plan));
  for (const std::string& output : plan.outputs) say("sink        {}\n", output);
  if (!plan.record.empty()) say("recording   {}\n", plan.record);
  if (!plan.kept.empty()) say("kept        what is learnt, in {}\n", plan.kept);
  if (!plan.osc_input.empty()) say("OSC in      {}\n", plan.osc_input);
  if (plan.page) say("page        in a browser\n");
  say("decisions   {}, {:.0f} ms after the end of each\n", windows_text(plan.session),
      1e3 * delays.until_decision().value);
}

}  // namespace heed::app
