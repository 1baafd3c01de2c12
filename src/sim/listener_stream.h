// SPDX-License-Identifier: MIT
// A simulated listener's EEG as it goes on, without end, for attention that may move at any moment: the brain of
// simulate_run, asked for a few samples at a time.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/series.h>
#include <sim/background.h>
#include <sim/recording_options.h>
#include <sim/recording_run.h>

#include <vector>

namespace heed::sim {

class ListenerStream {
 public:
  // Participant and trial count from 1; disturbances of the options are left out. Throws as simulate_listener.
  ListenerStream(const RecordingCohortOptions& options, int participant, int trial);

  // The next samples (rows x channels), uV. onsets: rows x speakers, those of onset_drive. Attention crosses over to
  // another speaker within half a second.
  [[nodiscard]] SampleMatrix next(const Matrix& onsets, Speaker attended);

 private:
  struct Response {
    ResponseComponent component{};
    Eigen::VectorXd bell{};   // over the lags
    Eigen::VectorXd drive{};  // of the last samples, as many as lags; a ring
  };
  [[nodiscard]] float respond(Response& response, const Eigen::RowVectorXd& onsets);

  std::vector<Response> responses_{};
  Background background_;
  Gaze gaze_;
  double crossing_;               // of attention, per sample
  Eigen::RowVectorXd attention_;  // 1: attended
  Index sample_ = 0;
  Index channels_ = 0;
};

}  // namespace heed::sim
