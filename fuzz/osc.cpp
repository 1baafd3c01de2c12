// SPDX-License-Identifier: MIT
// A packet of OSC from anybody.
#include <live/osc/osc_message.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  std::vector<heed::live::OscMessage> messages;
  if (!heed::live::parse_osc(text_of(data, size), messages)) {
    require(messages.empty());
    return 0;
  }
  require(messages.size() <= size);
  for (const heed::live::OscMessage& message : messages) {
    require(heed::live::is_osc_address(message.address));
    std::vector<heed::live::OscMessage> again;
    require(heed::live::parse_osc(heed::live::osc_bytes(message), again) && again.size() == 1);
    require(again.front().address == message.address && again.front().arguments.size() == message.arguments.size());
  }
  return 0;
}
