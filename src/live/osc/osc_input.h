// SPDX-License-Identifier: MIT
// OSC for a session that runs: markers and attention join the blocks of its source, and parameters are handed to
// whoever may change them. Packets are read between blocks, so no thread is needed and nothing waits.
#pragma once

#include <heed/live/stream.h>
#include <live/parameter_desk.h>

#include <functional>
#include <memory>
#include <string>

namespace heed::live {

struct OscInputOptions {
  std::string host{"127.0.0.1"};
  int port = 0;
  // Throws invalid_argument for what is out of its range; the message is then counted as refused.
  std::function<void(const ParameterChange&)> change{};
};

// Throws io where the port cannot be listened on.
//   /heed/marker ,s TEXT                    a marker, now
//   /heed/attended ,s NAME                  NAME is attended from now on; an empty one: nobody knows
//   /heed/switch-probability ,f P           per window
//   /heed/gain-range ,ff SUPPRESSED ENHANCED  in dB
[[nodiscard]] std::unique_ptr<Source> with_osc_input(std::unique_ptr<Source> source, OscInputOptions options);

}  // namespace heed::live
