// SPDX-License-Identifier: MIT
// What the colours and signs of pictures of attention mean.
#pragma once

#include <report/attention_panels.h>
#include <report/ink/legend.h>

#include <vector>

namespace heed::report {

// Those that there are.
struct AttentionSigns {
  bool truth = false, unknown = false, missing = false, true_switch = false, noticed = false, missed = false,
       other = false, decided = false;
};

// The speakers, then what is there.
[[nodiscard]] std::vector<LegendEntry> attention_legend(Names speakers, const AttentionSigns& seen);

}  // namespace heed::report
