// SPDX-License-Identifier: MIT
#include <heed/data/version.h>
#include <live/page/page_events.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heed::live {
namespace {

using Json = nlohmann::ordered_json;

// What is not UTF-8 is replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json or_null(std::optional<double> number) { return number ? Json(*number) : Json(nullptr); }

Json parameters_object(const SessionParameters& parameters) {
  const auto& gains = parameters.steering.gains;
  return {{"switch_probability", or_null(parameters.tracking.chain.switch_probability)},
          {"least_switch_probability", least_switch_probability},
          {"most_switch_probability", most_switch_probability},
          {"enhanced", gains.enhanced_decibel},
          {"suppressed", gains.suppressed_decibel},
          {"lowest", gains.lowest_decibel},
          {"highest", gains.highest_decibel},
          {"paused", parameters.steering.paused}};
}

Json demo_object(const std::optional<DemoControls>& demo) {
  if (!demo) return nullptr;
  return {{"listener", demo->setup.listener == ListenerProfile::hard ? "hard" : "clear"},
          {"talkers", demo->setup.talkers},
          {"listener_fixed", !demo->change},
          {"talkers_fixed", !demo->change || demo->own_sounds}};
}

Json learnt_object(const LearntPicture& learnt) {
  Json electrodes = Json::array();
  for (const auto& one : learnt.electrodes()) electrodes.push_back({{"name", one.name}, {"x", one.x}, {"y", one.y}});
  return {{"electrodes", electrodes},
          {"lag", learnt.lag().value},
          {"likeness", learnt.likeness()},
          {"then", learnt.then()},
          {"now", learnt.now()}};
}

}  // namespace

std::string event_text(std::string_view kind, const std::string& json, const std::string& id) {
  std::string text = id.empty() ? "" : "id: " + id + "\n";
  text += "event: ";
  text += kind;
  return text + "\ndata: " + json + "\n\n";
}

std::string learnt_json(const LearntPicture& learnt) { return text_of(learnt_object(learnt)); }

std::string parameters_json(const SessionParameters& parameters) { return text_of(parameters_object(parameters)); }

std::string session_json(const SessionFace& face) {
  Json json{{"instance", face.instance}, {"number", face.number}, {"running", face.shown != nullptr}};
  if (face.shown == nullptr) {
    json["another"] = face.another;
    return text_of(json);
  }
  const Session& session = face.shown->session;
  const StreamDescription& stream = session.description();
  const auto audio = std::ranges::find(stream.feeds, FeedKind::audio, &SoundFeed::kind);
  json.update({{"version", version()},
               {"source", stream.name},
               {"speakers", stream.speakers},
               {"window", session.window().value},
               {"hop", session.hop().value},
               {"sure", sure_enough},
               {"delay", session.delays().until_decision().value},
               {"rate", stream.sampling_frequency.value},
               {"labelled", stream.labelled},
               {"sound", audio == stream.feeds.end() ? Json(nullptr) : Json(audio->sampling_frequency.value)},
               {"speed", or_null(face.shown->speed)},
               {"parameters", parameters_object(face.shown->parameters.parameters())},
               {"demo", demo_object(face.shown->demo)},
               {"learnt", face.learnt == nullptr ? Json(nullptr) : learnt_object(*face.learnt)}});
  return text_of(json);
}

std::string ended_json(bool another) { return text_of({{"another", another}}); }

std::string report_json(const PageReport& report, Speaker truth) {
  return text_of({{"t", report.end.value},
                  {"now", report.stream_time.value},
                  {"scores", report.scores},
                  {"posterior", report.posterior},
                  {"decision", report.decision},
                  {"gains_db", report.gains},
                  {"state", name(report.standing)},
                  {"held", report.held},
                  {"own_share", or_null(report.own_share)},
                  {"gave_up", report.gave_up},
                  {"number", report.number},
                  {"attended", truth == unknown_speaker ? Json(nullptr) : Json(truth)}});
}

std::string line_json(const PageWords::Line& line) {
  Json json{{"t", line.time.value}, {"kind", line.kind}, {"text", line.text}};
  if (line.delay) json["delay"] = line.delay->value;
  return text_of(json);
}

std::string health_json(const Vitals& vitals, std::optional<double> rate) {
  const ClockCounts& clock = vitals.counts.clock;
  const auto silent = std::chrono::steady_clock::now() - vitals.eeg_came;
  return text_of({{"t", vitals.stream_time.value},
                  {"rate", or_null(rate)},
                  {"silent", std::chrono::duration<double>(silent).count()},
                  {"windows", vitals.counts.windows},
                  {"held", vitals.counts.held},
                  {"switches", vitals.counts.switches},
                  {"gaps", clock.gaps},
                  {"lost_samples", clock.lost_samples},
                  {"jumps", clock.jumps},
                  {"shifted", clock.shifted},
                  {"drift_ppm", clock.drift_ppm},
                  {"latency_p50", vitals.usual_latency.value},
                  {"latency_p99", vitals.late_latency.value},
                  {"latency_longest", vitals.longest_latency.value},
                  {"dropped", vitals.source.dropped},
                  {"reconnects", vitals.source.reconnects},
                  {"not_shown", vitals.lost_reports}});
}

}  // namespace heed::live
