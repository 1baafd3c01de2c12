// SPDX-License-Identifier: MIT
#include <study/results/outcome.h>

#include <algorithm>

namespace heed::study {

const ResultTable* Outcome::find(std::string_view table) const noexcept {
  const auto found = std::ranges::find(tables, table, &NamedTable::name);
  return found != tables.end() ? &found->table : nullptr;
}

OutcomeGrid::OutcomeGrid(std::vector<Setting> settings, std::vector<GridParticipant> participants)
    : settings_(std::move(settings)), participants_(std::move(participants)) {
  for (const GridParticipant& one : participants_) {
    const auto known = std::ranges::find(parts_, one.speakers, &Part::speakers);
    part_of_.push_back(static_cast<std::size_t>(known - parts_.begin()));
    if (known == parts_.end()) parts_.push_back({.speakers = one.speakers});
  }
  for (std::size_t i = 0; i < settings_.size() && !parts_.empty(); ++i) {
    // Speakers that no part has: the baseline's with a surrogate, or an outcome that says why there is nothing.
    const auto part =
        std::ranges::find_if(parts_, [&](const Part& one) { return settings_[i].speakers == one.speakers; });
    (part != parts_.end() ? *part : parts_.front()).settings.push_back(i);
  }
  first_.push_back(0);
  for (const std::size_t part : part_of_) first_.push_back(first_.back() + parts_[part].settings.size());
}

std::vector<OutcomePlace> OutcomeGrid::all() const {
  std::vector<OutcomePlace> places;
  places.reserve(size());
  for (std::size_t k = 0; k < participants_.size(); ++k) {
    for (const std::size_t setting : settings_of(k)) places.push_back({k, setting});
  }
  return places;
}

std::span<const std::size_t> OutcomeGrid::settings_of(std::size_t participant) const {
  return parts_[part_of_[participant]].settings;
}

std::vector<std::size_t> OutcomeGrid::participants_of(std::size_t setting) const {
  std::vector<std::size_t> participants;
  for (std::size_t k = 0; k < participants_.size(); ++k) {
    if (std::ranges::binary_search(settings_of(k), setting)) participants.push_back(k);
  }
  return participants;
}

}  // namespace heed::study
