// SPDX-License-Identifier: MIT
// Where a prior comes from: a file the user named, or the other listeners of the folder.
#pragma once

#include <heed/data/population.h>
#include <pipeline/decoding/listener_prior.h>
#include <pipeline/preparation/preparation.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "population/population_options.h"

namespace heed::app {

// All of them outlive the lender.
struct LenderSources {
  const io::BidsDataset* dataset = nullptr;
  const pipeline::Preparation* preparation = nullptr;
  const pipeline::DecoderChoice* choice = nullptr;
  std::optional<Seconds> scores{};  // of a folder: the spread of scores in such windows is wanted too
};

class Lender {
 public:
  // From a file; throws where its signals are not those of the choice.
  static Lender of_file(const LenderSources& sources, const PopulationFlags& flags, Population population);
  // From these participants; nothing where they are too few to help.
  static std::optional<Lender> of_folder(const LenderSources& sources, const PopulationFlags& flags,
                                         std::span<const io::ParticipantRuns> participants, pipeline::Threads threads);

  // tests: the sets of trials that decoders will be tested on, one a decoder. Nothing where a folder has too few others
  // for one of them; notes say so. Of a file the user wants what there is.
  [[nodiscard]] std::optional<pipeline::ListenerPrior> prior_of(const std::string& id,
                                                                std::span<const std::vector<std::string>> tests,
                                                                std::vector<std::string>& notes) const;
  // The listener's prior for a decoder trained on these trials: everything else is what it may be tested on.
  [[nodiscard]] std::optional<pipeline::LentPrior> lend(const std::string& id, const std::vector<Trial>& trained,
                                                        std::vector<std::string>& notes) const;

  [[nodiscard]] const Population& population() const { return population_; }
  [[nodiscard]] const std::string& words() const { return words_; }  // for people
  // The same of one listener's decoders, for sidecars: what was lent by how many, and a digest of the population.
  [[nodiscard]] std::string words(const pipeline::ListenerPrior& prior,
                                  std::span<const std::vector<std::string>> tests) const;

 private:
  Lender(const LenderSources& sources, const PopulationFlags& flags, Population population, bool given);
  [[nodiscard]] pipeline::ListenerPrior prior(const std::string& id) const;

  LenderSources sources_;
  Population population_;
  std::optional<double> weight_;
  bool given_ = false;
  std::string words_;
  std::string digest_;
};

// All participants of the dataset but one.
[[nodiscard]] std::vector<io::ParticipantRuns> all_but(const io::BidsDataset& dataset, const std::string& id);

}  // namespace heed::app
