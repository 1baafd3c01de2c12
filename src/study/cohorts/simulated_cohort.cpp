// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <study/cohorts/cohort_lender.h>
#include <study/cohorts/decode_wanted.h>
#include <study/cohorts/study_cohort.h>

#include <algorithm>

namespace heed::study {
namespace {

// One data set.
struct Part {
  sim::RecordingCohortOptions options;
  pipeline::SimulatedCohort listeners;
  mutable CohortLender lender;

  explicit Part(const sim::RecordingCohortOptions& of) : options(of), listeners(of) {}
};

std::string part_text(const sim::RecordingCohortOptions& part) {
  return std::to_string(part.participants) + " x " + std::to_string(part.trials) + " trials of " +
         data::shown(part.trial.value / 60) + " min with " + std::to_string(part.speakers) +
         (part.turn_taking ? " conversations" : " speakers");
}

std::string nobody_hears(int speakers) {
  return "no simulated listeners hear " + std::to_string(speakers) + " speakers";
}

class Simulated final : public Cohort {
 public:
  explicit Simulated(const std::vector<sim::RecordingCohortOptions>& parts) {
    for (const auto& part : parts) parts_.push_back(std::make_unique<Part>(part));
  }

  [[nodiscard]] std::string describe() const override {
    std::string text = "simulated listeners: ";
    for (const auto& part : parts_) text += (part == parts_.front() ? "" : ", ") + part_text(part->options);
    return text + "; seed " + std::to_string(parts_.front()->options.seed);
  }
  [[nodiscard]] bool is_simulated() const noexcept override { return true; }
  [[nodiscard]] std::vector<int> speakers() const override {
    std::vector<int> all;
    for (const auto& part : parts_) all.push_back(part->options.speakers);
    return all;
  }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return pipeline::DecoderKind::cca;
  }
  [[nodiscard]] std::vector<std::string> participants(int speakers) const override {
    std::vector<std::string> ids;
    const Part& part = part_of(speakers);
    for (int k = 1; k <= part.options.participants; ++k) {
      // Other people in every part: results of one name belong to one person.
      ids.push_back((&part == parts_.front().get() ? "" : "c") + std::string(k < 10 ? "0" : "") + std::to_string(k));
    }
    return ids;
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds) const override {
    const auto known = speakers();
    if (std::ranges::find(known, decoding.speakers) == known.end()) return nobody_hears(decoding.speakers);
    return decoding_obstacle(decoding);
  }
  [[nodiscard]] std::string digest(int speakers, std::size_t participant) const override {
    sim::RecordingCohortOptions options = part_of(speakers).options;
    options.participants = 0;  // a listener is the same in a cohort of any size
    return io::digest_of(std::tuple(std::string("simulated"), participant, options));
  }
  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                  std::span<const ScoresWanted> wanted) const override {
    const int speakers = wanted.front().decoding.speakers;
    const Part& part = part_of(speakers);
    const std::string id = participants(speakers)[participant];
    const std::vector<Preprocessing> ways = ways_of(wanted);
    std::vector<pipeline::PreparedParticipant> prepared;
    std::size_t next = 0;  // signals are asked for in the order of the ways
    return decode_wanted(wanted,
                         {[&](const Preprocessing&) {
                            if (next == 0) prepared = part.listeners.prepare(participant, ways);
                            prepared[next].id = id;
                            return std::move(prepared[next++]);
                          },
                          [&](const pipeline::DecoderChoice& choice, Lending lending) -> const pipeline::Lender& {
                            return lender(part, choice, lending);
                          },
                          [&] { return part.listeners.sources_of(participant); }, part.listeners.participants() - 1});
  }

 private:
  [[nodiscard]] const pipeline::Lender& lender(const Part& part, const pipeline::DecoderChoice& choice,
                                               Lending lending) const {
    const auto ids = participants(part.options.speakers);
    return part.lender.get(choice, lending, ids.size(), [&](std::size_t k) {
      ListenerSignals signals{part.listeners.prepare(k, choice.preprocessing), part.listeners.sources_of(k)};
      signals.prepared.id = ids[k];
      return signals;
    });
  }

  [[nodiscard]] const Part& part_of(int speakers) const {
    const auto found =
        std::ranges::find(parts_, speakers, [](const std::unique_ptr<Part>& part) { return part->options.speakers; });
    if (found == parts_.end()) {
      throw Error(ErrorKind::not_found, nobody_hears(speakers));
    }
    return **found;
  }

  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace

std::unique_ptr<Cohort> simulated_cohort(const std::vector<sim::RecordingCohortOptions>& parts) {
  return std::make_unique<Simulated>(parts);
}

std::vector<sim::RecordingCohortOptions> paper_cohorts(const PaperCohortOptions& options) {
  std::vector<sim::RecordingCohortOptions> parts{{}, sim::three_conversations()};
  if (options.quick) {
    parts[0].participants = 6;
    parts[1].participants = 5;
  }
  for (auto& part : parts) {
    if (options.participants) part.participants = *options.participants;
    part.seed = options.seed;
    sim::check(part);
  }
  return parts;
}

}  // namespace heed::study
