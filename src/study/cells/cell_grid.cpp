// SPDX-License-Identifier: MIT
#include <study/cell_grid.h>

#include <algorithm>

namespace heed::study {

CellGrid::CellGrid(std::vector<Setting> settings, std::vector<GridParticipant> participants)
    : settings_(std::move(settings)), participants_(std::move(participants)) {
  for (const GridParticipant& one : participants_) {
    const auto known = std::ranges::find(parts_, one.speakers, &Part::speakers);
    part_of_.push_back(static_cast<std::size_t>(known - parts_.begin()));
    if (known == parts_.end()) parts_.push_back({.speakers = one.speakers});
  }
  for (std::size_t i = 0; i < settings_.size() && !parts_.empty(); ++i) {
    // Speakers that no part has: the baseline's with a surrogate, or a cell that says why there is nothing.
    const auto own =
        std::ranges::find_if(parts_, [&](const Part& part) { return settings_[i].speakers == part.speakers; });
    (own != parts_.end() ? *own : parts_.front()).settings.push_back(i);
  }
  first_.push_back(0);
  for (const std::size_t part : part_of_) first_.push_back(first_.back() + parts_[part].settings.size());
}

CellPlace CellGrid::operator[](std::size_t number) const {
  const auto after = std::ranges::upper_bound(first_, number);
  const auto participant = static_cast<std::size_t>(after - first_.begin()) - 1;
  return {participant, settings_of(participant)[number - first_[participant]]};
}

std::span<const std::size_t> CellGrid::settings_of(std::size_t participant) const {
  return parts_[part_of_[participant]].settings;
}

std::vector<std::size_t> CellGrid::participants_of(std::size_t setting) const {
  std::vector<std::size_t> own;
  for (std::size_t k = 0; k < participants_.size(); ++k) {
    if (std::ranges::binary_search(settings_of(k), setting)) own.push_back(k);
  }
  return own;
}

}  // namespace heed::study
