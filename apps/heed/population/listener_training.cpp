// SPDX-License-Identifier: MIT
#include "population/listener_training.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/hmm/chain.h>
#include <heed/io/model_file.h>
#include <heed/io/posterior_file.h>
#include <pipeline/decoding/label_free.h>
#include <pipeline/decoding/scaled_trials.h>

#include "terminal.h"

namespace heed::app {
namespace {

void tell(const pipeline::LabelFreeDecoder& result) {
  for (std::size_t k = 0; k < result.passes.size(); ++k) {
    const pipeline::LabelFreePass& pass = result.passes[k];
    fmt::print(stderr, "pass {}: certainty {:.1f} %{}\n", k + 1, 100 * pass.certainty,
               pass.changed ? fmt::format(", {:.1f} % of windows decided otherwise", 100 * *pass.changed) : "");
  }
  fmt::print(stderr, "certainty is no evidence of being right: it is as high where the EEG is noise alone\n");
}

void write(const std::string& file, const pipeline::LabelFreeDecoder& result, const pipeline::LabelFreeOptions& how,
           const std::vector<std::string>& runs) {
  const auto states = std::ssize(result.attention.speakers);
  io::write_posteriors(
      file, result.attention,
      {.method = "smooth",
       .switch_probability = hmm::linear_switch_probability(states, how.window, how.switches_per_second),
       .emission = io::describe(Emission{result.passes.back().emission}),
       .sources = runs});
}

}  // namespace

TrainedListener train_listener(const io::ParticipantRuns& participant, const LenderSources& sources,
                               const ListenerFlags& flags, const Lender* lender) {
  TrainedListener result;
  const auto prepared = sources.preparation->prepare(participant.id, participant.runs);
  const auto trials = pipeline::scaled_trials(prepared, *sources.choice);
  result.notes = prepared.notes;
  std::optional<pipeline::LentPrior> lent;
  try {
    if (lender != nullptr) lent = lender->lend(participant.id, trials.trials, result.notes);
  } catch (const Error& error) {
    throw error.within("sub-" + participant.id);
  }
  const Seconds window{flags.window};
  if (!flags.label_free) {
    result.trained = lent ? pipeline::train(trials, *sources.choice, window, *lent)
                          : pipeline::train(
                                1, [&](std::size_t) { return trials; }, *sources.choice, window);
  } else {
    const pipeline::LabelFreeOptions how{.window = window};
    // Scores of cca say nothing of those of ls, which is all there is without labels.
    if (lent && lender->population().decoder.kind != pipeline::name(sources.choice->kind)) lent->scores.clear();
    if (lent && !lent->scores.empty()) pipeline::check_scores(lender->population(), *sources.choice, window);
    auto learnt = pipeline::train_label_free(trials, *sources.choice, how, lent ? &*lent : nullptr);
    if (!flags.posteriors.empty()) {
      std::vector<std::string> files;
      for (const io::BidsRun& run : participant.runs) files.push_back(run.eeg.filename().string());
      write(flags.posteriors, learnt, how, files);
    }
    tell(learnt);
    for (std::string& note : learnt.notes) result.notes.push_back(std::move(note));
    result.trained = std::move(learnt.trained);
  }
  for (std::string& note : result.notes) note.insert(0, "sub-" + participant.id + ": ");
  return result;
}

}  // namespace heed::app
