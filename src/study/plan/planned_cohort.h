// SPDX-License-Identifier: MIT
// A cohort as it was planned: its digests are the plan's, and nobody's data are used that have changed since. Hundreds
// of recordings need not be read by every process for that: each checks those it is responsible for or decodes.
#pragma once

#include <heed/data/error.h>
#include <study/plan/plan.h>

#include <mutex>
#include <set>

namespace heed::study {

class PlannedCohort final : public Cohort {
 public:
  // Both must outlive it. Throws bad_data where other participants are there than were planned.
  PlannedCohort(const Plan& plan, const Cohort& cohort);

  // Throws bad_data where the data of a participant (by number in the plan) are not those that were planned.
  void check(std::size_t participant) const;
  // Throws what scores() threw for such a participant, whatever became of it.
  void rethrow_change() const;

  [[nodiscard]] std::string describe() const override { return cohort_.describe(); }
  [[nodiscard]] bool is_simulated() const noexcept override { return cohort_.is_simulated(); }
  [[nodiscard]] std::vector<int> speakers() const override { return cohort_.speakers(); }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return cohort_.baseline_decoder();
  }
  [[nodiscard]] std::vector<std::string> participants(int speakers) const override {
    return cohort_.participants(speakers);
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds window) const override {
    return cohort_.obstacle(decoding, window);
  }
  [[nodiscard]] std::string digest(int speakers, std::size_t participant) const override;
  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                  std::span<const ScoresWanted> wanted) const override;
  [[nodiscard]] bool decodes() const noexcept override { return cohort_.decodes(); }

 private:
  // The number in the plan of a part's first participant.
  [[nodiscard]] std::size_t first_of(int speakers) const;

  const Plan& plan_;
  const Cohort& cohort_;
  mutable std::mutex guard_;
  mutable std::set<std::size_t> checked_;
  mutable std::optional<Error> change_;
};

}  // namespace heed::study
