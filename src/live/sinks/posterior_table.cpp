// SPDX-License-Identifier: MIT
// A posterior table that is whole up to the last window at every moment: each row is handed to the system at once, so a
// program that is killed loses nothing but the window it was at.
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <io/atomic_file.h>
#include <io/growing_file.h>
#include <io/score_tables/sidecar.h>
#include <io/score_tables/window_table.h>
#include <live/sinks/open_sink.h>

#include <filesystem>
#include <string>
#include <utility>

namespace heed::live {
namespace {

class PosteriorTable final : public Sink {
 public:
  explicit PosteriorTable(const SinkRequest& request)
      : path_(request.address.path),
        speakers_(request.stream.speakers),
        window_(request.window),
        hop_(request.hop.value_or(request.window)) {
    shape_ = {.speakers = speakers_,
              .digits = request.digits,
              .named = request.stream.named_trials,
              .decided = true,
              .labelled = request.stream.labelled};
    if (hop_ < window_) shape_.duration = window_;
    text_.reserve(4096);
    io::append_header(text_, shape_);
    const std::filesystem::path sidecar = sidecar_place();
    file_ = io::GrowingFile(path_, "the table of posteriors");
    flush();
    write_sidecar(request, sidecar);
  }

  void decided(const Decision& decision) override {
    // Onsets count windows from the trial's: a table stays regular whatever the source's clock does.
    if (decision.trial_number != trial_ || decision.window == 0) onset_ = decision.onset;
    trial_ = decision.trial_number;
    const Seconds onset = onset_ + (static_cast<double>(decision.window) * hop_);
    io::append_window(text_, shape_,
                      {.onset = onset,
                       .trial = decision.trial,
                       .values = decision.posterior,
                       .decision = decision.decision,
                       .attended = decision.attended});
    flush();
  }

  void finish() override { file_.finish(); }

 private:
  [[nodiscard]] std::filesystem::path sidecar_place() const {
    const auto beside = io::sidecar_path(path_);
    if (beside) return *beside;
    throw Error(ErrorKind::invalid_argument, path_.string() + ": the sidecar would have this name; end it with .tsv");
  }

  void write_sidecar(const SinkRequest& request, const std::filesystem::path& sidecar) const {
    if (io::is_output_stream(path_)) return;
    TrackedParticipant participant{.speakers = speakers_};
    participant.trials.push_back({.name = shape_.named ? "trial" : ""});
    participant.trials.front().posteriors.window = window_;
    participant.trials.front().posteriors.hop = hop_;
    participant.trials.front().posteriors.log_evidence = std::numeric_limits<double>::quiet_NaN();
    io::write_text_file(
        sidecar, io::posterior_sidecar(participant, {.digits = shape_.digits,
                                                     .method = "causal",
                                                     .switch_probability = request.switch_probability,
                                                     .unknown_switch_probability = request.unknown_switch_probability,
                                                     .emission = request.emission,
                                                     .sources = {request.stream.name}}));
  }

  void flush() {
    file_.append(text_);
    text_.clear();
  }

  std::filesystem::path path_;
  std::vector<std::string> speakers_;
  Seconds window_;
  Seconds hop_;
  io::TableShape shape_{};
  std::string text_{};
  io::GrowingFile file_{};
  Index trial_ = 0;
  Seconds onset_{};
};

}  // namespace

std::unique_ptr<Sink> open_posterior_table(const SinkRequest& request) {
  return std::make_unique<PosteriorTable>(request);
}

}  // namespace heed::live
