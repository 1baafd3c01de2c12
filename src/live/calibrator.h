// SPDX-License-Identifier: MIT
// Trains the decoder of a session that is being calibrated, on a thread of its own, and hands it over between two
// windows: no decision waits for it.
#pragma once

#include <heed/live/session.h>
#include <heed/pipeline/population.h>
#include <heed/pipeline/recipe.h>
#include <live/connections/failure.h>
#include <live/parameter_desk.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace heed::live {

struct CalibratorOptions {
  pipeline::DecoderChoice choice{};          // least squares, causal
  bool label_free = true;                    // attention is not looked at, even where it is told
  pipeline::PopulationRequest population{};  // what others lend; nothing is lent where none is given
  std::string listener{};                    // whose entries in the population are not used
  Seconds window{1};                         // that is learnt in without labels
  bool wait = false;                         // the session waits: for recordings that are faster than training
};

// How such a decoder's signals are to be kept. Throws invalid_argument for another decoder than least squares, and for
// filters that are not causal.
[[nodiscard]] CalibrationOptions calibration_options(const pipeline::DecoderChoice& choice, Seconds length);

// The decoder of these trials. Throws bad_data where attention was not told, or no window can be scored.
[[nodiscard]] Decoder calibrated_decoder(std::vector<Trial> trials, const CalibratorOptions& options, Notes& notes);

class Calibrator {
 public:
  // Session and desk must outlive it.
  Calibrator(Session& session, ParameterDesk& desk, CalibratorOptions options);
  ~Calibrator();  // waits until the training is over
  Calibrator(const Calibrator&) = delete;
  Calibrator& operator=(const Calibrator&) = delete;
  Calibrator(Calibrator&&) = delete;
  Calibrator& operator=(Calibrator&&) = delete;

  // Between two blocks, by the session's thread: begins to train once enough was heard. Throws what training threw.
  void look();
  // After the last block: waits for the training that has begun, or may begin. Throws likewise.
  void finish();

  // What came of it: nothing before.
  [[nodiscard]] const Decoder* decoder() const noexcept { return done_ && decoder_ ? &*decoder_ : nullptr; }
  [[nodiscard]] const Notes& notes() const noexcept { return notes_; }  // once there is a decoder

 private:
  void report();

  Session& session_;
  ParameterDesk& desk_;
  CalibratorOptions options_;
  std::optional<Decoder> decoder_{};
  Notes notes_{};
  std::optional<Failure> failure_{};
  std::atomic<bool> done_ = false;  // what the thread wrote may be read
  std::thread thread_{};
};

}  // namespace heed::live
