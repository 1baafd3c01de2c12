// SPDX-License-Identifier: MIT
#include <live/connections/outlet.h>
#include <live/sinks/ndjson_sink.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/threaded_sink.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heed::live {
namespace {

constexpr std::size_t places = 256;  // windows: four minutes of them

class NdjsonSpeech final : public Speech {
 public:
  NdjsonSpeech(const Address& address, const std::vector<std::string>& speakers) : outlet_(address), line_(speakers) {}

  [[nodiscard]] bool deliver(const Report& report, const Waker& waker) override {
    arrived_ = outlet_.write(line_.text(report), waker);
    return arrived_;
  }

  [[nodiscard]] std::string trouble() const override {
    return arrived_ ? "" : outlet_.name() + ": the last decisions did not arrive; the other end is slow or has gone";
  }

  [[nodiscard]] SinkCounts counts() const noexcept override { return {.reconnects = outlet_.reconnects()}; }

 private:
  Outlet outlet_;
  ReportLine line_;
  bool arrived_ = true;
};

std::string written(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

ReportLine::ReportLine(const std::vector<std::string>& speakers) {
  for (const std::string& speaker : speakers) speakers_.push_back(written(speaker));
}

void ReportLine::add(double number) {
  std::array<char, 32> digits{};
  if (!std::isfinite(number)) {
    line_ += "null";
    return;
  }
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  line_.append(digits.data(), result.ptr);
}

void ReportLine::add(std::span<const double> numbers) {
  line_ += '[';
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) line_ += ',';
    add(numbers[k]);
  }
  line_ += ']';
}

std::string_view ReportLine::text(const Report& report) {
  line_ = "{\"t\":";
  add(report.time.value);
  line_ += ",\"posterior\":";
  add(report.posterior);
  line_ += ",\"decision\":";
  line_ += report.decision < 0 ? std::string_view("null") : speakers_.at(static_cast<std::size_t>(report.decision));
  line_ += ",\"gains_db\":";
  add(report.gains);
  line_ += ",\"state\":\"";
  line_ += name(report.standing);
  line_ += '"';
  if (!report.trial.empty()) {
    if (report.trial != trial_) {
      trial_ = report.trial;
      trial_text_ = written(trial_);
    }
    line_ += ",\"trial\":";
    line_ += trial_text_;
  }
  if (report.own_share) {
    line_ += ",\"own_share\":";
    add(*report.own_share);
    if (report.gave_up) line_ += ",\"population\":\"given up\"";
  }
  if (!report.hindsight.empty()) {
    line_ += ",\"hindsight\":";
    add(report.hindsight);
  }
  line_ += "}\n";
  return line_;
}

std::unique_ptr<Sink> open_ndjson_sink(const SinkRequest& request) {
  const std::vector<std::string>& speakers = request.stream.speakers;
  return std::make_unique<ThreadedSink>(std::make_unique<NdjsonSpeech>(request.address, speakers),
                                        ThreadedSink::Room{places, request.patience},
                                        static_cast<Index>(speakers.size()));
}

}  // namespace heed::live
