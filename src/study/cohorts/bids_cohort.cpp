// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/events_file.h>
#include <pipeline/preparation/preparation.h>
#include <study/cohorts/cohort_lender.h>
#include <study/cohorts/decode_wanted.h>
#include <study/cohorts/study_cohort.h>

#include <algorithm>
#include <set>

namespace heed::study {
namespace {

// Video1 and Video2 are trials of one condition.
std::string without_number(std::string condition) {
  while (!condition.empty() && condition.back() >= '0' && condition.back() <= '9') condition.pop_back();
  return condition;
}

// Whether a condition is named, by itself or with its number.
bool is_named(const std::string& condition, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return name == condition || name == without_number(condition); });
}

std::vector<io::ParticipantRuns> chosen_runs(const io::BidsDataset& dataset, const RunChoice& choice) {
  auto participants = io::select_runs(dataset, {.runs = choice.runs});
  for (const std::string& name : choice.conditions) {
    const auto has = [&](const io::BidsRun& run) { return is_named(run.entities.acquisition, {name}); };
    const bool known = std::ranges::any_of(
        participants, [&](const io::ParticipantRuns& one) { return std::ranges::any_of(one.runs, has); });
    if (!known) {
      throw Error(ErrorKind::not_found, dataset.root.string() + ": no run has acq-" + name +
                                            " in its name, which is its condition; choose another condition");
    }
  }
  for (io::ParticipantRuns& one : participants) {
    std::set<std::string> seen;
    std::erase_if(one.runs, [&](const io::BidsRun& run) {
      const std::string& condition = run.entities.acquisition;
      if (!choice.conditions.empty() && !is_named(condition, choice.conditions)) return true;
      return choice.first_of_each && !seen.insert(without_number(condition)).second;
    });
  }
  std::erase_if(participants, [](const io::ParticipantRuns& one) { return one.runs.empty(); });
  return participants;
}

class Bids final : public Cohort {
 public:
  Bids(const std::filesystem::path& folder, const BidsCohortOptions& options)
      : dataset_(io::read_dataset(folder)),
        participants_(chosen_runs(dataset_, options.runs)),
        cache_(options.cache),
        envelopes_(preparation(choice_of({}).preprocessing)) {
    if (options.participants && *options.participants < participants_.size()) {
      participants_.resize(*options.participants);
    }
    speakers_ = count_speakers();
    if (options.runs.first_of_each) runs_in_words_ = "; the first trial of each condition";
    if (!options.runs.conditions.empty() || !options.runs.runs.empty()) runs_in_words_ += "; some of the runs";
  }

  [[nodiscard]] std::string describe() const override {
    return dataset_.name + ": " + std::to_string(participants_.size()) +
           (participants_.size() == 1 ? " participant, " : " participants, ") + std::to_string(speakers_) +
           " speakers" + runs_in_words_;
  }
  [[nodiscard]] std::vector<int> speakers() const override { return {speakers_}; }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return pipeline::DecoderKind::cca;
  }
  [[nodiscard]] std::vector<std::string> participants(int) const override {
    std::vector<std::string> ids;
    for (const io::ParticipantRuns& one : participants_) ids.push_back(one.id);
    return ids;
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds) const override {
    if (decoding.speakers != speakers_) {
      return dataset_.root.string() + " has " + std::to_string(speakers_) + " speakers, not " +
             std::to_string(decoding.speakers);
    }
    return decoding_obstacle(decoding);
  }
  [[nodiscard]] std::string digest(int, std::size_t participant) const override {
    return envelopes_.digest_of(participants_[participant].runs);
  }
  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                  std::span<const ScoresWanted> wanted) const override {
    const io::ParticipantRuns& who = participants_[participant];
    return decode_wanted(wanted, {[&](const Preprocessing& way) { return preparation(way).prepare(who.id, who.runs); },
                                  [&](const pipeline::DecoderChoice& choice,
                                      Lending lending) -> const pipeline::Lender& { return lender(choice, lending); },
                                  [&] { return envelopes_.sources_of(who.runs); }, participants_.size() - 1});
  }

 private:
  pipeline::Preparation preparation(const Preprocessing& way) const { return {dataset_, {way, cache_}}; }

  const pipeline::Lender& lender(const pipeline::DecoderChoice& choice, Lending lending) const {
    return lender_.get(choice, lending, participants_.size(), [&](std::size_t k) {
      const io::ParticipantRuns& who = participants_[k];
      return ListenerSignals{preparation(choice.preprocessing).prepare(who.id, who.runs),
                             envelopes_.sources_of(who.runs)};
    });
  }

  // Of the first run that has events; runs that differ are told when they are prepared.
  [[nodiscard]] int count_speakers() const {
    for (const io::ParticipantRuns& participant : participants_) {
      for (const io::BidsRun& run : participant.runs) {
        if (!run.events) continue;
        std::set<std::string> names;
        for (const StimulusPiece& piece : io::read_events(*run.events).stimuli) names.insert(piece.speaker);
        return static_cast<int>(names.size());
      }
    }
    throw Error(ErrorKind::bad_data, dataset_.root.string() +
                                         ": no run has an events.tsv, so nobody knows what was heard; 'heed validate' "
                                         "tells what is missing");
  }

  io::BidsDataset dataset_;
  std::vector<io::ParticipantRuns> participants_;
  std::optional<std::filesystem::path> cache_;
  pipeline::Preparation envelopes_;  // digests do not depend on the way
  mutable CohortLender lender_;
  int speakers_ = 0;
  std::string runs_in_words_;
};

}  // namespace

std::unique_ptr<Cohort> bids_cohort(const std::filesystem::path& folder, const BidsCohortOptions& options) {
  return std::make_unique<Bids>(folder, options);
}

}  // namespace heed::study
