// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/page/gate.h>
#include <live/page/live_site.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace heed::live {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::size_t event_bytes = std::size_t{4} << 20U;
constexpr Seconds longest_picture{600};                     // of web/live/traces.js
constexpr std::size_t sound_bytes = std::size_t{1} << 19U;  // a few seconds
constexpr std::chrono::seconds between_health{1};
constexpr std::chrono::seconds rate_window{5};

Answer json_answer(std::string json) { return {.type = "application/json", .body = std::move(json)}; }

bool is_json(const HttpRequest& request) { return request.header("content-type").starts_with("application/json"); }

// What was asked for after which event: its number plus one, where this program sent it; else 0.
std::uint64_t next_event(std::string_view last, const std::string& instance) {
  std::uint64_t number = 0;
  if (!last.starts_with(instance + "-")) return 0;
  last.remove_prefix(instance.size() + 1);
  const auto [end, failure] = std::from_chars(last.data(), last.data() + last.size(), number);
  return failure == std::errc{} && end == last.data() + last.size() ? number + 1 : 0;
}

}  // namespace

LiveSite::LiveSite() : instance_(random_token().substr(0, 8)), events_(event_bytes), sound_(sound_bytes) {}

// ---- the session's thread ----

void LiveSite::show(const ShownSession& shown) {
  const std::lock_guard lock(mutex_);
  shown_.emplace(shown);
  const StreamDescription& stream = shown.session.description();
  words_.emplace(stream.speakers, stream.content != StreamContent::signals);
  learnt_.emplace(shown.session.channels());
  inbox_.begin(stream);
  ++session_number_;
  begun_ = true;
  calibrating_ = false;
  ended_ = false;
  another_ = false;
}

void LiveSite::hide() {
  const std::lock_guard lock(mutex_);
  inbox_.end();
  ended_ = shown_.has_value();
  shown_.reset();
}

// ---- what viewers are told ----

SessionFace LiveSite::face() const {
  const bool has_learnt = learnt_ && learnt_->is_known();
  return {instance_, session_number_, shown_ ? &*shown_ : nullptr, another_, has_learnt ? &*learnt_ : nullptr};
}

void LiveSite::add_kept(std::string_view kind, const std::string& data, Broadcast::Life life) {
  events_.add(event_text(kind, data, instance_ + "-" + std::to_string(events_.end())), life);
}

void LiveSite::add_fleeting(std::string_view kind, const std::string& data) {
  events_.add(event_text(kind, data, ""), Broadcast::Life::fleeting);
}

void LiveSite::add_reports() {
  for (const AttentionMark& mark : mail_.marks) words_->mark(mark);
  for (std::size_t k = 0; k < mail_.count; ++k) {
    const PageReport& report = mail_.reports[k];
    words_->report(report);
    calibrating_ = report.standing == Standing::calibrating;
    if (!report.relaxation) let_go_of_old_windows(report.end);
    add_kept(report.relaxation ? "relaxed" : "window", report_json(report, words_->truth()), Broadcast::Life::passing);
  }
}

// Who comes late on a slow link is not to wait for hours of windows that no picture shows.
void LiveSite::let_go_of_old_windows(Seconds end) {
  if (!windows_.empty() && end < windows_.back().end) windows_.clear();  // another trial, whose time begins anew
  windows_.push_back({end, events_.end()});
  while (windows_.front().end < end - longest_picture) windows_.pop_front();
  events_.let_go(windows_.front().event);
}

// Viewers who come later find it in the session.
void LiveSite::tell_learnt() {
  if (mail_.learnt.pattern.empty()) return;
  learnt_->take(mail_.learnt);
  add_fleeting("learnt", learnt_json(*learnt_));
}

void LiveSite::add_lines() {
  for (const PageWords::Line& line : words_->take()) add_kept("log", line_json(line));
}

// Over the last seconds; nothing until one has passed.
std::optional<double> LiveSite::eeg_rate() {
  const SteadyTime now = std::chrono::steady_clock::now();
  rate_points_.push_back({now, mail_.vitals.eeg_rows});
  while (rate_points_.size() > 2 && now - rate_points_.front().time > rate_window) rate_points_.pop_front();
  const RatePoint& first = rate_points_.front();
  const double seconds = std::chrono::duration<double>(now - first.time).count();
  if (seconds < 1) return std::nullopt;
  return static_cast<double>(mail_.vitals.eeg_rows - first.rows) / seconds;
}

void LiveSite::tell_health() {
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now - health_told_ < between_health) return;
  health_told_ = now;
  words_->check(mail_.vitals);
  add_fleeting("health", health_json(mail_.vitals, eeg_rate()));
}

void LiveSite::refresh() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(begun_, false)) {
    rate_points_.clear();
    events_.clear();
    windows_.clear();
    add_fleeting("session", session_json(face()));
  }
  if (!words_) return;
  inbox_.take(mail_);
  add_reports();
  tell_learnt();
  if (shown_) tell_health();
  add_lines();
  if (std::exchange(ended_, false)) add_kept("ended", ended_json(another_));
  for (std::string& piece : mail_.sounds) sound_.add(std::move(piece));
  inbox_.want_sound(sound_.has_audience());
}

// ---- requests ----

Answer LiveSite::event_stream(const HttpRequest& request) {
  const Broadcast::Place place = events_.from(next_event(request.header("last-event-id"), instance_));
  return {.type = "text/event-stream; charset=utf-8",
          .body = "retry: 1000\n\n" + event_text("session", session_json(face()), ""),
          .stream = &events_,
          .place = place};
}

Answer LiveSite::sound_stream() {
  return {.type = "application/octet-stream", .stream = &sound_, .place = sound_.from(sound_.end())};
}

Answer LiveSite::change_parameters(const HttpRequest& request) {
  if (!shown_) return refusal(503, "No session is running.");
  // A decoder that is on its way to the session must not be overtaken.
  if (calibrating_)
    return refusal(422, "heed is learning this listener; parameters can be changed once it knows enough.");
  const ParameterChange change = parse_parameter_change(request.body);
  const bool was_paused = shown_->parameters.parameters().steering.paused;
  const SessionParameters fresh = shown_->parameters.change(change);
  add_fleeting("parameters", parameters_json(fresh));
  const bool paused = fresh.steering.paused;
  if (paused != was_paused) {
    words_->say(mail_.vitals.stream_time, "change",
                paused ? "A viewer paused the steering: gains go to equal." : "A viewer let the steering go on.");
  }
  if (change.switch_probability || change.enhanced_decibel || change.suppressed_decibel) {
    words_->say(mail_.vitals.stream_time, "change", "A viewer changed the parameters.");
  }
  add_lines();
  return json_answer(parameters_json(fresh));
}

Answer LiveSite::change_demo(const HttpRequest& request) {
  if (!shown_) return refusal(503, "No session is running.");
  if (!shown_->demo) return refusal(404, "This is not a demonstration: attention is the listener's own.");
  const DemoControls& demo = *shown_->demo;
  const DemoWish wish = parse_demo_wish(request.body, std::ssize(shown_->session.description().speakers));
  if ((wish.listener || wish.talkers) && !demo.change) {
    return refusal(422, "Listener and talkers stay as they are: this demonstration is being kept, or has an end.");
  }
  if (wish.talkers && demo.own_sounds) {
    return refusal(422, "The talkers are the sound files that heed was started with. Start it with two or three.");
  }
  if (wish.attend) demo.attend(*wish.attend);
  if (wish.lose_eeg) demo.lose_eeg();
  if (wish.listener || wish.talkers) {
    another_ = true;
    demo.change({wish.listener.value_or(demo.setup.listener), wish.talkers.value_or(demo.setup.talkers)});
  }
  return json_answer("{}");
}

Answer LiveSite::answer(const HttpRequest& request) {
  const bool post = request.method == "POST";
  if (!post && request.method != "GET") return refusal(405, "Only GET and POST are known here.");
  const std::lock_guard lock(mutex_);
  if (request.path == "/parameters" || request.path == "/demo") {
    if (!post) return refusal(405, "Send this with POST.");
    if (!is_json(request)) return refusal(400, "Send JSON.");
    try {
      return request.path == "/demo" ? change_demo(request) : change_parameters(request);
    } catch (const Error& error) {
      return refusal(error.kind() == ErrorKind::bad_data ? 400 : 422, error.what());
    }
  }
  const auto asset = std::ranges::find(page_assets(), request.path, &PageAsset::path);
  const bool known = asset != page_assets().end() || request.path == "/events" || request.path == "/sound";
  if (!known) return refusal(404, "There is nothing here.");
  if (post) return refusal(405, "Ask for this with GET.");
  if (request.path == "/events") return event_stream(request);
  if (request.path == "/sound") return sound_stream();
  return {.type = asset->type, .body = std::string(asset->text)};
}

}  // namespace heed::live
