// SPDX-License-Identifier: MIT
// heed.BidsFolder: an open folder, whose listeners are prepared when they are asked for.
#pragma once

#include <pipeline/preparation/preparation.h>

#include <memory>
#include <optional>

#include "native/eeg/trials.h"

namespace heed::python {

// Called without the GIL, between pieces of work that take a moment each.
void look_for_signals();

class BidsFolder {
 public:
  BidsFolder(const pipeline::FolderRequest& folder, const pipeline::DecoderRequest& request)
      : choice_(pipeline::resolve(request)),
        recipe_(pipeline::recipe_of(request)),
        open_(std::make_shared<const pipeline::OpenFolder>(folder, choice_.preprocessing)) {}

  [[nodiscard]] const pipeline::OpenFolder& open() const { return *open_; }
  [[nodiscard]] const pipeline::DecoderChoice& choice() const { return choice_; }
  [[nodiscard]] std::optional<pipeline::Recipe> recipe() const { return recipe_; }

  // By several threads at once, if the caller likes; without the GIL.
  [[nodiscard]] Listener listener(std::size_t k) const {
    const io::ParticipantRuns& one = open_->participants()[k];
    return {pipeline::scaled_trials(open_->prepare(one), choice_), choice_.preprocessing, recipe_, open_, {}};
  }

 private:
  pipeline::DecoderChoice choice_;
  std::optional<pipeline::Recipe> recipe_;
  std::shared_ptr<const pipeline::OpenFolder> open_;
};

}  // namespace heed::python
