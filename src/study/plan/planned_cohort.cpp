// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/plan/planned_cohort.h>

#include <algorithm>

namespace heed::study {
namespace {

Error changed(const std::string& change) {
  return {ErrorKind::bad_data,
          change + ", and results of before and after must not be mixed; restore it, or plan again"};
}

}  // namespace

PlannedCohort::PlannedCohort(const Plan& plan, const Cohort& cohort) : plan_(plan), cohort_(cohort) {
  std::vector<std::pair<int, std::string>> planned;
  std::vector<std::pair<int, std::string>> there;
  for (const PlannedParticipant& one : plan.participants()) planned.emplace_back(one.speakers, one.id);
  for (const int speakers : cohort.speakers()) {
    for (const std::string& id : cohort.participants(speakers)) there.emplace_back(speakers, id);
  }
  if (planned == there) return;
  for (const auto& one : planned) {
    if (std::ranges::find(there, one) == there.end())
      throw changed("sub-" + one.second + " was planned and is not there");
  }
  for (const auto& one : there) {
    if (std::ranges::find(planned, one) == planned.end())
      throw changed("sub-" + one.second + " was not there when the study was planned");
  }
  throw changed("the participants come in another order than was planned");
}

std::size_t PlannedCohort::first_of(int speakers) const {
  const auto first = std::ranges::find(plan_.participants(), speakers, &PlannedParticipant::speakers);
  return static_cast<std::size_t>(first - plan_.participants().begin());
}

void PlannedCohort::check(std::size_t participant) const {
  {
    const std::scoped_lock lock(guard_);
    if (checked_.contains(participant)) return;
  }
  const PlannedParticipant& planned = plan_.participants()[participant];
  const bool same = cohort_.digest(planned.speakers, participant - first_of(planned.speakers)) == planned.digest;
  const std::scoped_lock lock(guard_);
  if (same) {
    checked_.insert(participant);
    return;
  }
  change_ = changed("the data of sub-" + planned.id + " have changed since the study was planned");
  throw Error(*change_);
}

void PlannedCohort::rethrow_change() const {
  if (change_) throw Error(*change_);
}

std::string PlannedCohort::digest(int speakers, std::size_t participant) const {
  return plan_.participants()[first_of(speakers) + participant].digest;
}

std::vector<DecodedScores> PlannedCohort::scores(std::size_t participant, std::span<const ScoresWanted> wanted) const {
  if (decodes()) check(first_of(wanted.front().decoding.speakers) + participant);
  return cohort_.scores(participant, wanted);
}

}  // namespace heed::study
