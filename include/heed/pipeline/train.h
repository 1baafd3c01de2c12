// SPDX-License-Identifier: MIT
// One decoder from the runs of a BIDS folder: of one listener, with what others lend, with or without labels; or pooled
// over many.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/pipeline/population.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// Where, and how late, the decoded signal shows on the scalp.
struct ForwardPattern {
  std::vector<std::string> channels{};
  std::vector<Seconds> lags{};
  Matrix values{};  // channels x lags; of CCA the first pair, of several targets the first
};

struct TrainedDecoder {
  Decoder decoder{};
  ForwardPattern pattern{};
};

// ---- without labels ----

// Below it, learning without labels does not pay.
inline constexpr Seconds shortest_label_free{100};

struct LabelFreeOptions {
  Seconds window{1};
  Index passes = 3;
  double switches_per_second = 0.01;  // to each other speaker: more than attention does, as early passes err
};

struct LabelFreePass {
  GaussianEmission emission{};      // that the attention of this pass was found with
  double certainty = 0;             // mean over windows of the likeliest speaker's probability
  std::optional<double> changed{};  // share of windows decided otherwise than in the pass before
};

struct LabelFreeDecoder {
  TrainedDecoder trained{};
  std::vector<LabelFreePass> passes{};
  TrackedParticipant attention{};  // of the last pass: what the decoder was trained on; by trial
  Seconds duration{};              // of all windows that could be scored
  heed::Notes notes{};
};

// ---- from a folder ----

struct TrainRequest {
  FolderRequest folder{};
  DecoderRequest decoder{};
  PopulationRequest population{};  // for one listener
  Seconds window{1};               // whose correlations the discriminant of CCA learns, or without labels the chain
  bool label_free = false;         // labels are not looked at; least squares, of one listener
};

struct TrainResult {
  TrainedDecoder trained{};
  std::optional<LabelFreeDecoder> label_free{};  // how it went; its `trained` is empty
  std::optional<Recipe> recipe{};                // nothing: the population's
  DecoderChoice choice{};
  std::vector<std::string> sources{};  // files of EEG, without their folders
  Hertz native_rate{};                 // of the first recording
  heed::Notes notes{};
};

// Throws invalid_argument for a request that makes no sense, bad_data without a labelled trial (unless they are not
// looked at) and where participants differ in channels, naming them; as io::read_dataset and io::select_runs do.
[[nodiscard]] TrainResult train(const TrainRequest& request);

}  // namespace heed::pipeline
