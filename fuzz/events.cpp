// SPDX-License-Identifier: MIT
// events.tsv: what can be read reads back, and becomes trials that lie within the recording.
#include <io/bids/events_file.h>

#include "target.h"

namespace heed::fuzz {
namespace {

RecordingHeader ten_minutes() {
  RecordingHeader header;
  header.format = "BDF";
  header.sampling_frequency = Hertz{64};
  constexpr Index half = 64L * 300;
  header.samples = 2 * half;
  header.channels = {{"Cz", "uV", Hertz{64}}};
  header.segments = {{Seconds{0}, 0, half}, {Seconds{310}, half, half}};
  return header;
}

void check_trials_of(const ListeningEvents& events) {
  const RecordingHeader header = ten_minutes();
  (void)io::check_trials(events, header);
  for (const io::TrialPlan& trial : io::plan_trials(events, header)) {
    require(trial.samples > 0 && trial.first_sample >= 0);
    require(trial.first_sample + trial.samples <= header.samples);
  }
}

void read(std::string_view text) {
  (void)io::check_events(text);
  const ListeningEvents events = io::parse_events(text);
  allow_errors([&] { check_trials_of(events); });
  allow_errors([&] {
    const std::string written = io::events_text(events);
    require(io::events_text(io::parse_events(written)) == written);
  });
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  allow_errors([&] { read(text_of(data, size)); });
  return 0;
}
