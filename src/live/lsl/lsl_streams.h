// SPDX-License-Identifier: MIT
// Streams of the lab streaming layer: which are there, one that is received and one that is sent.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <live/lsl/lsl_library.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

using LslPointer = std::shared_ptr<const LslLibrary>;

struct LslInfoDeleter {
  LslPointer library{};
  void operator()(LslInfo* info) const noexcept {
    if (info != nullptr) (*library)->destroy_streaminfo(info);
  }
};
using LslInfoPointer = std::unique_ptr<LslInfo, LslInfoDeleter>;

struct LslStream {
  std::string name{};
  std::string type{};
  std::string source_id{};
  std::string uid{};
  Index channels = 0;
  Hertz sampling_frequency{};  // 0: irregular
  int format = 0;
  std::shared_ptr<LslInfo> info{};
};

struct LslChannel {
  std::string label{};
  std::string unit{};
};

// Those that answer within so long.
[[nodiscard]] std::vector<LslStream> find_lsl_streams(const LslPointer& library, Seconds patience);
[[nodiscard]] std::string lsl_format_name(int format);

class LslInlet {
 public:
  // Opens the stream. Throws io where it does not answer.
  LslInlet(LslPointer library, LslStream stream, Seconds patience);
  ~LslInlet();
  LslInlet(const LslInlet&) = delete;
  LslInlet& operator=(const LslInlet&) = delete;
  LslInlet(LslInlet&&) = delete;
  LslInlet& operator=(LslInlet&&) = delete;

  [[nodiscard]] const LslStream& stream() const noexcept { return stream_; }
  // As many as the stream describes, at most its channels. Throws io where it does not answer.
  [[nodiscard]] std::vector<LslChannel> channels(Seconds patience) const;

  static constexpr Index rows_at_once = 1024;  // that are pulled at most
  // What came, at once: rows of channels, and the time of each on this computer's clock of LSL. The number of rows.
  // lost(): the stream has gone for good.
  [[nodiscard]] Index pull(std::vector<float>& values, std::vector<double>& times);
  // The first channel of the next string; nothing: none came.
  struct Marker {
    Seconds time{};
    std::string text{};
  };
  [[nodiscard]] std::optional<Marker> pull_marker();
  [[nodiscard]] bool lost() const noexcept { return lost_; }
  // Since the last sample came.
  [[nodiscard]] Seconds silence() const noexcept;

 private:
  void correct();
  void came() noexcept { last_ = std::chrono::steady_clock::now(); }

  LslPointer library_;
  LslStream stream_;
  LslInletHandle* handle_;
  double correction_ = 0;  // to be added to stamps
  std::chrono::steady_clock::time_point corrected_{};
  std::chrono::steady_clock::time_point last_;
  std::vector<char*> strings_{};
  bool lost_ = false;
};

struct LslOutletDescription {
  std::string name{};
  std::string type{};
  std::string source_id{};
  Hertz sampling_frequency{};
  int format = lsl_float32;
  std::vector<std::string> labels{};  // one per channel
};

class LslOutlet {
 public:
  // Throws io where the library refuses.
  LslOutlet(LslPointer library, const LslOutletDescription& description);
  ~LslOutlet();
  LslOutlet(const LslOutlet&) = delete;
  LslOutlet& operator=(const LslOutlet&) = delete;
  LslOutlet(LslOutlet&&) = delete;
  LslOutlet& operator=(LslOutlet&&) = delete;

  void push(std::span<const float> values, Seconds stamp);
  void push(const std::string& text, Seconds stamp);

 private:
  LslPointer library_;
  LslInfoPointer info_;
  LslOutletHandle* handle_;
};

}  // namespace heed::live
