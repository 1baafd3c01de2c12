// SPDX-License-Identifier: MIT
#include <heed/data/version.h>
#include <io/digest.h>
#include <study/plan/plan.h>
#include <study/score_library.h>

namespace heed::study {
namespace {

// Raised whenever cells are made or written differently: what older versions kept is then not found.
constexpr std::string_view generation = "1";
// Draws of random intervals in a quick study.
constexpr int quick_repeats = 5;

std::vector<GridParticipant> without_digests(const std::vector<PlannedParticipant>& participants) {
  std::vector<GridParticipant> plain;
  plain.reserve(participants.size());
  for (const PlannedParticipant& one : participants) plain.push_back({one.id, one.speakers});
  return plain;
}

}  // namespace

std::vector<PlannedParticipant> participants_of(const Cohort& cohort) {
  for (const int speakers : cohort.speakers()) require_cohort(cohort.participants(speakers).size());
  std::vector<PlannedParticipant> participants;
  for (const int speakers : cohort.speakers()) {
    const auto ids = cohort.participants(speakers);
    for (std::size_t k = 0; k < ids.size(); ++k) participants.push_back({ids[k], speakers, cohort.digest(speakers, k)});
  }
  return participants;
}

Plan::Plan(StudyText text, CohortName name, std::vector<PlannedParticipant> participants)
    : text_(std::move(text)),
      study_(parse_study(text_.toml, text_.origin)),
      name_(std::move(name)),
      participants_(std::move(participants)),
      grid_(study::settings_of(study_), without_digests(participants_)),
      common_key_(common_key()) {
  // Where it lay is of no interest: the same study has the same bytes.
  text_.origin = std::filesystem::path(text_.origin).filename().string();
}

Plan::Plan(StudyText study, CohortName name, const Cohort& cohort)
    : Plan(std::move(study), std::move(name), cohort, participants_of(cohort)) {}

Plan::Plan(StudyText study, CohortName name, const Cohort& cohort, std::vector<PlannedParticipant> participants)
    : Plan(std::move(study), std::move(name), std::move(participants)) {
  words_ = cohort.describe();
  simulated_ = cohort.is_simulated();
}

RunOptions Plan::run_options() const {
  RunOptions options{.seed = name_.seed};
  if (name_.quick) options.most_repeats = quick_repeats;
  return options;
}

std::string Plan::common_key() const {
  io::Digest digest;
  digest.add("cell").add(generation).add(version());
  digest.add(std::to_string(name_.seed)).add(std::to_string(run_options().most_repeats));
  digest.add(std::to_string(static_cast<int>(study_.measure)));
  digest.add(study_.figure.picture == StudyPicture::reliability ? "reliability" : "");
  for (const PlannedParticipant& one : participants_) {
    digest.add(one.id).add(std::to_string(one.speakers)).add(one.digest);
  }
  if (study_.measure == StudyMeasure::tracking) return digest.hex();
  // A trace is that of the first setting's average participant, and of equal scores the first setting has the lags.
  for (const Setting& setting : grid_.settings()) digest.add(io::digest_of(setting));
  return digest.hex();
}

std::string Plan::key(CellPlace place) const {
  io::Digest digest;
  digest.add(common_key_).add(std::to_string(place.participant));
  digest.add(io::digest_of(grid_.settings()[place.setting]));
  return digest.hex();
}

std::string Plan::provenance(CellPlace place) const {
  const PlannedParticipant& who = participants_[place.participant];
  return "seed " + std::to_string(name_.seed) + " | sub-" + who.id + " xxh3-128:" + who.digest;
}

}  // namespace heed::study
