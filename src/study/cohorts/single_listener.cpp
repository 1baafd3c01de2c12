// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/digest.h>
#include <study/cohorts/single_listener.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace heed::study {
namespace {

constexpr std::string_view part_mark = "_part-";

// More of them would leave trials that are too short to be joined and cut anew, fewer would learn from less.
constexpr std::size_t most_parts = 4;

class Parts final : public Cohort {
 public:
  explicit Parts(std::unique_ptr<Cohort> listener)
      : listener_(std::move(listener)), id_(listener_->participants(speaker_count()).front()) {
    const ScoresWanted wanted = baseline();
    if (const auto why = listener_->obstacle(wanted.decoding, wanted.windows.front())) refuse(*why);
    const DecodedScores decoded = listener_->scores(0, {&wanted, 1}).front();
    if (decoded.lengths.empty()) refuse(decoded.failure);
    for (const ScoredTrial& trial : decoded.lengths.front().trials) trials_.push_back(trial.name);
    parts_ = std::min(most_parts, trials_.size());
  }

  [[nodiscard]] std::string describe() const override {
    return listener_->describe() + "; of this one, " + std::to_string(parts_) +
           " parts are each judged by what was learnt from the others, and nothing is said of other listeners";
  }
  [[nodiscard]] bool is_simulated() const noexcept override { return listener_->is_simulated(); }
  [[nodiscard]] std::vector<int> speakers() const override { return listener_->speakers(); }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return listener_->baseline_decoder();
  }
  [[nodiscard]] std::vector<std::string> participants(int) const override {
    std::vector<std::string> ids;
    for (std::size_t part = 0; part < parts_; ++part) ids.push_back(name_of(part));
    return ids;
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds window) const override {
    return listener_->obstacle(decoding, window);
  }
  [[nodiscard]] std::string digest(int speakers, std::size_t participant) const override {
    return io::digest_of(std::tuple(listener_->digest(speakers, 0), parts_, participant));
  }
  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                  std::span<const ScoresWanted> wanted) const override {
    std::vector<DecodedScores> results = decoded(wanted);
    for (DecodedScores& result : results) {
      for (ScoredParticipant& length : result.lengths) {
        length.id = name_of(participant);
        std::erase_if(length.trials, [&](const ScoredTrial& trial) { return part_of(trial.name) != participant; });
      }
      std::erase_if(result.lengths, [](const ScoredParticipant& length) { return length.trials.empty(); });
    }
    return results;
  }
  [[nodiscard]] bool decodes() const noexcept override { return listener_->decodes(); }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::bad_data, "participant " + id_ + ": " + why);
  }
  [[nodiscard]] int speaker_count() const { return listener_->speakers().front(); }
  [[nodiscard]] ScoresWanted baseline() const {
    return {.decoding = {.speakers = speaker_count(), .decoder = listener_->baseline_decoder()},
            .windows = {Seconds{1}}};
  }
  [[nodiscard]] std::string name_of(std::size_t part) const {
    return id_ + std::string(part_mark) + std::to_string(part + 1);
  }
  // Trials that follow each other belong together.
  [[nodiscard]] std::size_t part_of(const std::string& trial) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(trials_, trial) - trials_.begin());
    return std::min(place * parts_ / trials_.size(), parts_ - 1);
  }
  // All of the listener, once for all parts.
  [[nodiscard]] std::vector<DecodedScores> decoded(std::span<const ScoresWanted> wanted) const {
    const std::scoped_lock lock(mutex_);
    std::vector<DecodedScores> results;
    for (const ScoresWanted& one : wanted) {
      const std::pair key(one.decoding, one.windows);
      auto known = kept_.find(key);
      if (known == kept_.end()) known = kept_.emplace(key, listener_->scores(0, {&one, 1}).front()).first;
      results.push_back(known->second);
    }
    return results;
  }

  std::unique_ptr<Cohort> listener_;
  std::string id_;
  std::vector<std::string> trials_;
  std::size_t parts_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<Decoding, std::vector<Seconds>>, DecodedScores> kept_;
};

}  // namespace

std::unique_ptr<Cohort> parted_if_alone(std::unique_ptr<Cohort> cohort) {
  const auto parts = cohort->speakers();
  const bool alone = parts.size() == 1 && cohort->participants(parts.front()).size() == 1;
  return alone ? std::make_unique<Parts>(std::move(cohort)) : std::move(cohort);
}

std::string listener_of(std::string_view id) { return std::string(id.substr(0, id.find(part_mark))); }

}  // namespace heed::study
