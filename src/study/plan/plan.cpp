// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/digest.h>
#include <io/held_file.h>
#include <io/text_file.h>
#include <study/cohorts/score_library.h>
#include <study/plan/plan.h>

#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

// Raised whenever outcomes are made or written differently: those of before are then not found.
constexpr int generation = 2;
// Draws of random intervals in a quick study.
constexpr int quick_repeats = 5;
constexpr const char* file_name = "plan.json";

std::vector<GridParticipant> without_digests(const std::vector<PlannedParticipant>& participants) {
  std::vector<GridParticipant> plain;
  plain.reserve(participants.size());
  for (const PlannedParticipant& one : participants) plain.push_back({one.id, one.speakers});
  return plain;
}

Plan read_plan(const fs::path& folder) {
  std::error_code failure;
  if (!fs::exists(folder, failure)) {
    throw Error(ErrorKind::not_found, folder.string() + ": not there; make a plan with 'heed study plan'");
  }
  const fs::path file = folder / file_name;
  if (!fs::is_directory(folder, failure) || !fs::exists(file, failure)) {
    throw Error(ErrorKind::bad_data, folder.string() +
                                         ": not the plan of a study, which is a folder with a plan.json; make one with "
                                         "'heed study plan'");
  }
  return Plan::parse(io::read_text_file(file), file.string());
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
      grid_(study::settings_of(study_), without_digests(participants_)) {
  for (const Setting& setting : grid_.settings()) setting_keys_.push_back(io::digest_of(setting));
  common_key_ = common_key();
  // Where it lay is of no interest: the same study has the same bytes.
  text_.origin = fs::path(text_.origin).filename().string();
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
  const bool reliability = study_.figure.picture == StudyPicture::reliability;
  // A trace is that of the first setting's average participant, and of equal scores the first setting has the lags.
  const bool alone = study_.measure == StudyMeasure::tracking;
  return io::digest_of(std::tuple(std::string("outcome"), generation, std::string(version()), name_.seed,
                                  run_options().most_repeats, study_.measure, reliability, participants_,
                                  alone ? std::vector<std::string>{} : setting_keys_));
}

std::string Plan::key(OutcomePlace place) const {
  return io::digest_of(std::tuple(common_key_, place.participant, setting_keys_[place.setting]));
}

std::string Plan::provenance(std::size_t participant) const {
  const PlannedParticipant& one = participants_[participant];
  return "seed " + std::to_string(name_.seed) + " | sub-" + one.id + " xxh3-128:" + one.digest;
}

PlanFolder::PlanFolder(fs::path folder, Plan plan) : folder_(std::move(folder)), plan_(std::move(plan)) {
  const io::FolderLock lock(folder_);
  if (!lock.is_empty()) {
    throw Error(ErrorKind::cannot_create, folder_.string() +
                                              ": there is something already; choose another folder, or continue a plan "
                                              "that is there with 'heed study run'");
  }
  io::write_text_file(folder_ / file_name, plan_.json());
}

PlanFolder::PlanFolder(fs::path folder) : folder_(std::move(folder)), plan_(read_plan(folder_)) {}

}  // namespace heed::study
