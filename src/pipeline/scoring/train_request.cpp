// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <pipeline/scoring/training.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heed::pipeline {
namespace {

// Without labels only least squares can be learnt: whatever the recipe or the population has, unless the user insists.
DecoderRequest decoder_request(const TrainRequest& request) {
  DecoderRequest decoder = request.decoder;
  if (!request.label_free) return decoder;
  if (decoder.kind.value_or(DecoderKind::least_squares) != DecoderKind::least_squares) {
    throw Error(ErrorKind::invalid_argument, "training without labels needs least squares; omit the decoder " +
                                                 std::string(name(*decoder.kind)) + ", or train with labels");
  }
  decoder.kind = DecoderKind::least_squares;
  return decoder;
}

void check_one_listener(const TrainRequest& request, std::size_t participants) {
  const auto& [none, given, file, weight] = request.population;
  if (participants == 1 || !(request.label_free || (given && !none && weight != 0.0))) return;
  throw Error(ErrorKind::invalid_argument,
              "a population, and training without labels, are for one listener at a time; " +
                  std::to_string(participants) + " were chosen, so say which one is meant");
}

TrainedDecoder train_together(const OpenFolder& folder, const DecoderChoice& choice, Seconds window,
                              heed::Notes& notes) {
  const auto& participants = folder.participants();
  const std::size_t passes = choice.kind == DecoderKind::cca ? 2 : 1;
  std::size_t loaded = 0;
  const auto load = [&](std::size_t k) {
    const PreparedParticipant prepared = folder.prepare(participants[k]);
    if (loaded < participants.size()) notes.insert(notes.end(), prepared.notes.begin(), prepared.notes.end());
    ParticipantTrials trials = scaled_trials(prepared, choice);
    ++loaded;
    if (folder.request().progress) folder.request().progress("training", loaded, (passes * participants.size()) + 1);
    return trials;
  };
  return train(participants.size(), load, choice, window);
}

// One listener, with others to learn from where there are any.
void train_alone(const OpenFolder& folder, const TrainRequest& request, TrainResult& result) {
  const DecoderChoice& choice = result.choice;
  const io::ParticipantRuns& listener = folder.participants().front();
  LenderRequest lending{request.population, result.recipe, choice, {}};
  if (request.label_free) lending.scores = request.window;
  const auto lender = find_lender(folder, lending, result.notes);
  const ParticipantTrials trials = scaled_trials(folder.prepare(listener), choice);
  result.notes.insert(result.notes.end(), trials.notes.begin(), trials.notes.end());
  train_listener({trials, folder.sources_of(listener.id), lender.get(), request.window, request.label_free}, result);
}

}  // namespace

void train_listener(const ListenerTraining& training, TrainResult& result) {
  const auto& [trials, sources, lender, window, label_free] = training;
  const DecoderChoice& choice = result.choice;
  std::optional<LentPrior> lent;
  try {
    if (lender != nullptr) lent = lender->lend(trials.id, sources, trials.trials, result.notes);
  } catch (const Error& error) {
    throw error.within("sub-" + trials.id);
  }
  if (!label_free) {
    result.trained = train(trials, choice, window, lent ? &*lent : nullptr);
    return;
  }
  // Scores of CCA say nothing of those of least squares, which is all there is without labels.
  if (lent && lender->population().decoder.kind != name(choice.kind)) lent->scores.clear();
  if (lent && !lent->scores.empty()) check_scores(lender->population(), choice, window);
  result.label_free = train_label_free(trials, choice, {.window = window}, lent ? &*lent : nullptr);
  result.trained = std::exchange(result.label_free->trained, {});
  result.notes.insert(result.notes.end(), result.label_free->notes.begin(), result.label_free->notes.end());
}

TrainResult train(const TrainRequest& request) {
  const DecoderRequest decoder = decoder_request(request);
  const Population* population = request.population.given.get();
  TrainResult result{.recipe = recipe_of(decoder, population), .choice = resolve(decoder, population)};
  const OpenFolder folder(request.folder, result.choice.preprocessing);
  const auto& participants = folder.participants();
  check_one_listener(request, participants.size());
  result.notes = folder.notes();
  std::ranges::move(recipe_notes(decoder, population), std::back_inserter(result.notes));
  if (participants.size() > 1) {
    result.trained = train_together(folder, result.choice, request.window, result.notes);
  } else {
    train_alone(folder, request, result);
  }
  for (const io::ParticipantRuns& one : participants) {
    for (const io::BidsRun& run : one.runs) result.sources.push_back(run.eeg.filename().string());
  }
  result.native_rate = io::RecordingFile::open(participants.front().runs.front().eeg).header().sampling_frequency;
  return result;
}

}  // namespace heed::pipeline
