// SPDX-License-Identifier: MIT
// What a hearing aid links: core and nothing else.
#include <heed/core/attention_filter.h>

#include <array>
#include <cstdio>

int main() {
  const auto chain = heed::core::StickyChain<float>::make(2, 0.001F);
  if (!chain) return 1;
  auto filter = heed::core::AttentionFilter<float, 2>::make(*chain);
  if (!filter) return 1;
  const std::array<float, 2> window{0.0F, 0.5F};
  for (int t = 0; t < 10; ++t) filter->step(window);
  std::printf("core alone: attending %zu\n", filter->decision());
  return filter->belief()[1] > 0.9F ? 0 : 1;
}
