// SPDX-License-Identifier: MIT
// What the listeners of a cohort lend each other: their population, made when a decoder first wants it.
#pragma once

#include <pipeline/scoring/lender.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heed::study {

struct ListenerSignals {
  pipeline::PreparedParticipant prepared{};
  std::vector<pipeline::TrialSource> sources{};
};

enum class Lending {
  to_training,    // what decoders that are trained on labels lean on
  to_adaptation,  // also what those start from that learn while they listen
};

// May be used by several threads at once; who comes second waits for the first.
class CohortLender {
 public:
  // Listener k, counted from 0, prepared for the decoder.
  using Load = std::function<ListenerSignals(std::size_t)>;

  // Of this decoder. Listeners who cannot be read are no part of it. Throws bad_data for fewer than two.
  [[nodiscard]] const pipeline::Lender& get(const pipeline::DecoderChoice& choice, Lending lending,
                                            std::size_t listeners, const Load& load);

 private:
  struct Made {
    std::once_flag once{};
    std::optional<pipeline::Lender> lender{};
  };
  std::mutex guard_;
  std::map<std::string, Made> made_;  // by a digest of the decoder's choice and what is lent
};

}  // namespace heed::study
