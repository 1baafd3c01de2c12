// SPDX-License-Identifier: MIT
#include <sim/draws.h>
#include <sim/listener_stream.h>

#include <algorithm>

namespace heed::sim {

ListenerStream::ListenerStream(const RecordingCohortOptions& options, int participant, int trial)
    : background_(background_of(options, participant, make_head(channels_of(options))),
                  {options.sampling_frequency, options.noise},
                  random_stream(options.seed, StreamKind::background, participant, trial)),
      gaze_({options.sampling_frequency, options.gaze}, options.speakers,
            random_stream(options.seed, StreamKind::gaze, participant, trial)),
      crossing_(1 / (0.5 * options.sampling_frequency.value)),
      attention_(Eigen::RowVectorXd::Zero(options.speakers)),
      channels_(std::ssize(channels_of(options))) {
  for (ResponseComponent& component : simulate_listener(options, participant).responses) {
    Response& response = responses_.emplace_back();
    response.bell = response_bell(component, options.sampling_frequency);
    response.drive = Eigen::VectorXd::Zero(response.bell.size());
    response.component = std::move(component);
  }
}

float ListenerStream::respond(Response& response, const Eigen::RowVectorXd& onsets) {
  const ResponseComponent& component = response.component;
  const Index lags = response.drive.size();
  const double attended = onsets.dot(attention_);
  response.drive[sample_ % lags] = (component.attended * attended) + (component.unattended * (onsets.sum() - attended));
  double answer = 0;
  for (Index lag = 0; lag < std::min(lags, sample_ + 1); ++lag) {
    answer += response.bell[lag] * response.drive[(sample_ - lag) % lags];
  }
  return static_cast<float>(answer);
}

SampleMatrix ListenerStream::next(const Matrix& onsets, Speaker attended) {
  SampleMatrix samples = SampleMatrix::Zero(onsets.rows(), channels_);
  Eigen::VectorXd lateralisation(onsets.rows());
  for (Index n = 0; n < onsets.rows(); ++n, ++sample_) {
    for (Index speaker = 0; speaker < attention_.size(); ++speaker) {
      const double target = speaker == attended ? 1 : 0;
      const double step = sample_ == 0 ? 1 : crossing_;  // it begins with somebody
      attention_[speaker] += std::clamp(target - attention_[speaker], -step, step);
    }
    lateralisation[n] = gaze_.step(attention_);
    for (Response& response : responses_) {
      samples.row(n) += respond(response, onsets.row(n)) * response.component.pattern.cast<float>().transpose();
    }
  }
  background_.add(lateralisation, samples);
  return samples;
}

}  // namespace heed::sim
