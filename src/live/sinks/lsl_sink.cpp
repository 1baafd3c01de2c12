// SPDX-License-Identifier: MIT
// Posteriors and switches for the lab streaming layer: heed-posterior, one channel per speaker, stamped with the end of
// the analysed window, and heed-switch, a marker with the name of whoever is attended from now on.
#include <live/lsl/lsl_streams.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/threaded_sink.h>

#include <cmath>
#include <optional>

namespace heed::live {
namespace {

constexpr std::size_t places = 256;

class LslSpeech final : public Speech {
 public:
  explicit LslSpeech(const SinkRequest& request)
      : library_(LslLibrary::open(request.lsl_library)),
        speakers_(request.stream.speakers),
        same_clock_(request.stream.name.starts_with("lsl")),
        posterior_(library_, {.name = "heed-posterior",
                              .type = "AttentionPosterior",
                              .source_id = "heed-posterior" + suffix(request),
                              .sampling_frequency = {1 / request.hop.value_or(request.window).value},
                              .labels = speakers_}),
        switches_(library_, {.name = "heed-switch",
                             .type = "Markers",
                             .source_id = "heed-switch" + suffix(request),
                             .format = lsl_text,
                             .labels = {"attended"}}) {}

  [[nodiscard]] bool deliver(const Report& report, const Waker&) override {
    const Seconds stamp = on_lsl_clock(report.time);
    values_.assign(report.posterior.begin(), report.posterior.end());
    posterior_.push(values_, stamp);
    const bool known = report.standing == Standing::tracking && report.decision != unknown_speaker;
    const Speaker attended = known ? report.decision : unknown_speaker;
    if (told_ == attended) return true;
    told_ = attended;
    switches_.push(known ? speakers_[static_cast<std::size_t>(attended)] : "unknown", stamp);
    return true;
  }
  [[nodiscard]] std::string trouble() const override { return ""; }
  [[nodiscard]] SinkCounts counts() const noexcept override { return {}; }

 private:
  // The same from session to session, so that whoever receives finds it again.
  static std::string suffix(const SinkRequest& request) {
    return request.address.path.empty() ? "" : "-" + request.address.path;
  }

  // Sources other than LSL have a clock of their own: what is decided now was heard now.
  Seconds on_lsl_clock(Seconds time) {
    if (same_clock_) return time;
    const Seconds now{(*library_)->local_clock()};
    constexpr double apart = 1;  // s; the source's clock jumped, or its recording is played at another speed
    if (!offset_ || std::abs((time + *offset_ - now).value) > apart) offset_ = now - time;
    return time + *offset_;
  }

  LslPointer library_;
  std::vector<std::string> speakers_;
  bool same_clock_;
  LslOutlet posterior_;
  LslOutlet switches_;
  std::optional<Seconds> offset_{};
  std::optional<Speaker> told_{};
  std::vector<float> values_{};
};

}  // namespace

std::unique_ptr<Sink> open_lsl_sink(const SinkRequest& request) {
  return std::make_unique<ThreadedSink>(std::make_unique<LslSpeech>(request),
                                        ThreadedSink::Room{places, request.patience},
                                        static_cast<Index>(request.stream.speakers.size()));
}

}  // namespace heed::live
