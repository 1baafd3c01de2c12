// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/supervised.h>
#include <heed/io/model_file.h>
#include <io/digest.h>
#include <io/tsv.h>
#include <pipeline/scoring/listener_prior.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heed::pipeline {
namespace {

using Entries = std::vector<const PopulationEntry*>;
using ByListener = std::map<std::string, Entries>;

// Of one channel of an entry: delays x targets.
Matrix channel_products(const PopulationEntry& entry, Index channel) {
  const Index channels = std::ssize(entry.channels);
  Matrix result(entry.products.rows() / channels, entry.products.cols());
  for (Index d = 0; d < result.rows(); ++d) {
    result.row(d) = entry.products.row((d * channels) + channel).cast<double>();
  }
  return result;
}

// Of one listener, over those runs that have the channel; nothing: none has.
std::optional<Matrix> channel_mean(const Entries& entries, const std::string& channel) {
  Matrix sum;
  double samples = 0;
  for (const PopulationEntry* entry : entries) {
    const auto found = std::ranges::find(entry->channels, channel);
    if (found == entry->channels.end()) continue;
    const Matrix products = entry->samples * channel_products(*entry, found - entry->channels.begin());
    sum = samples > 0 ? Matrix(sum + products) : products;
    samples += entry->samples;
  }
  if (!(samples > 0)) return std::nullopt;
  return sum / samples;
}

// Listeners count alike, whatever they recorded; a channel that was bad in some is averaged over the others.
std::optional<Matrix> channel_mean(const ByListener& listeners, const std::string& channel) {
  Matrix sum;
  double count = 0;
  for (const auto& [name, entries] : listeners) {
    const std::optional<Matrix> mean = channel_mean(entries, channel);
    if (!mean) continue;
    sum = count > 0 ? Matrix(sum + *mean) : *mean;
    count += 1;
  }
  if (!(count > 0)) return std::nullopt;
  return sum / count;
}

template <typename Names>
std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

[[noreturn]] void reject_montage(const std::set<std::string>& absent, const ByListener& listeners,
                                 std::vector<std::string> wanted) {
  std::erase_if(wanted, [&](const std::string& channel) { return absent.contains(channel); });
  std::set<std::string> known;
  for (const auto& [name, entries] : listeners) {
    for (const PopulationEntry* entry : entries) known.insert(entry->channels.begin(), entry->channels.end());
  }
  throw Error(ErrorKind::bad_data, "nobody in the population has the channels " + listed(absent) + "; it has " +
                                       listed(known) + ". Take " +
                                       (wanted.empty() ? "" : "only those both have (" + listed(wanted) + "), or ") +
                                       "a population of this montage");
}

decode::DelayedProducts mean_products(const Population& population, const ByListener& listeners,
                                      const std::vector<std::string>& channels) {
  const Index n = std::ssize(channels);
  decode::DelayedProducts result{population.delays, n,
                                 Matrix(population.delays.count() * n, std::ssize(population.targets))};
  std::set<std::string> absent;
  for (Index c = 0; c < n; ++c) {
    const std::string& channel = channels[static_cast<std::size_t>(c)];
    const std::optional<Matrix> mean = channel_mean(listeners, channel);
    if (!mean) {
      absent.insert(channel);
      continue;
    }
    for (Index d = 0; d < mean->rows(); ++d) result.values.row((d * n) + c) = mean->row(d);
  }
  if (!absent.empty()) reject_montage(absent, listeners, channels);
  return result;
}

std::vector<ScoreMoments> score_moments(const ByListener& listeners) {
  std::vector<ScoreMoments> result;
  for (const auto& [name, entries] : listeners) {
    std::optional<ScoreMoments> sum;
    for (const PopulationEntry* entry : entries) {
      if (entry->scores) sum = sum ? emission::sum(*sum, *entry->scores) : *entry->scores;
    }
    if (sum) result.push_back(*sum);
  }
  return result;
}

// ---- of adaptive decoders ----

// Sums of covariances, and how many listeners have both channels of a pair.
struct PairSum {
  Matrix values{};   // (lags x channels) x channels
  Matrix weights{};  // channels x channels

  PairSum(Index lags, Index channels)
      : values(Matrix::Zero(lags * channels, channels)), weights(Matrix::Zero(channels, channels)) {}
  [[nodiscard]] Index channels() const { return weights.cols(); }

  // Of two channels that nobody has both, nothing is known: they are taken as independent.
  [[nodiscard]] Matrix mean() const {
    Matrix result = values;
    for (Index row = 0; row < values.rows(); ++row) {
      for (Index c = 0; c < channels(); ++c) result(row, c) /= std::max(weights(row % channels(), c), 1e-300);
    }
    return result;
  }
};

void add_entry(PairSum& sum, const PopulationEntry& entry, const std::vector<std::string>& channels) {
  std::vector<Index> places;  // of the wanted channels in the entry; -1: not there
  for (const std::string& channel : channels) {
    const auto found = std::ranges::find(entry.channels, channel);
    places.push_back(found == entry.channels.end() ? -1 : found - entry.channels.begin());
  }
  const Index wanted = std::ssize(channels);
  const Index held = std::ssize(entry.channels);
  for (Index row = 0; row < sum.values.rows(); ++row) {
    const Index from = places[static_cast<std::size_t>(row % wanted)];
    if (from < 0) continue;
    for (Index c = 0; c < wanted; ++c) {
      const Index to = places[static_cast<std::size_t>(c)];
      if (to < 0) continue;
      const double value = entry.covariance((row / wanted) * held + from, to);
      sum.values(row, c) += entry.samples * value;
      if (row < wanted) sum.weights(row, c) += entry.samples;
    }
  }
}

// Listeners count alike, as in products.
Matrix mean_covariance(Index lags, const ByListener& listeners, const std::vector<std::string>& channels) {
  PairSum all(lags, std::ssize(channels));
  for (const auto& [name, entries] : listeners) {
    PairSum one(lags, std::ssize(channels));
    for (const PopulationEntry* entry : entries) add_entry(one, *entry, channels);
    all.values += one.mean();
    all.weights += (one.weights.array() > 0).cast<double>().matrix();
  }
  return all.mean();
}

// Of the decoder that an adaptive one starts from, else of the listeners' own; where neither tells attended and
// unattended speech apart, heed's usual one.
GaussianEmission start_emission(const std::vector<AdaptationTrial>& trials, const ByListener& listeners) {
  std::vector<ScoreMoments> moments;
  for (const AdaptationTrial& trial : trials) moments.push_back(trial.scores);
  if (moments.empty()) moments = score_moments(listeners);
  std::erase_if(moments, [](const ScoreMoments& one) { return !(one.windows > 0); });
  const GaussianEmission usual = decode::AdaptiveStart{}.emission;
  if (moments.empty()) return usual;
  const GaussianEmission fitted = emission::fit_gaussian(moments);
  return fitted.mu_attended > fitted.mu_unattended ? fitted : usual;
}

// How bad channels are mended may differ.
bool same_signals(Preprocessing a, const Preprocessing& b) {
  a.bad_channels = b.bad_channels;
  return a == b;
}

}  // namespace

double chosen_seconds(const PopulationAdaptation& adaptation) {
  if (adaptation.trials.size() < fewest_others) return decode::AdaptationOptions{}.population_windows;
  std::vector<double> sums(adaptation.seconds.size());
  for (const AdaptationTrial& trial : adaptation.trials) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += trial.separations[k];
  }
  return adaptation.seconds[static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin())];
}

ListenerPrior::ListenerPrior(const Population& population, std::string listener, std::vector<TrialSource> sources,
                             std::optional<double> weight)
    : population_(&population), listener_(std::move(listener)), sources_(std::move(sources)), weight_(weight) {
  if (weight && !(*weight >= 0 && *weight <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                "the weight of a population is " + data::shown(*weight) + "; it must lie between 0 and 1");
  }
  listener_names_.insert(listener_);
  // Somebody of another name with the same recording is the same listener, and so are all his runs.
  for (const PopulationEntry& entry : population.entries) {
    if (std::ranges::find(sources_, entry.recording, &TrialSource::recording) != sources_.end())
      listener_names_.insert(entry.listener);
  }
}

bool ListenerPrior::is_own(const PopulationEntry& entry) const { return listener_names_.contains(entry.listener); }

std::set<std::string> ListenerPrior::sounds_of(std::span<const std::string> tested) const {
  std::set<std::string> sounds;
  for (const std::string& name : tested) {
    const auto found = std::ranges::find(sources_, name, &TrialSource::trial);
    if (found == sources_.end()) {
      throw Error(ErrorKind::invalid_argument,
                  name + ": not a trial of sub-" + listener_ + ", so what it played is " + "not known");
    }
    sounds.insert(found->stimuli.begin(), found->stimuli.end());
  }
  return sounds;
}

std::vector<const PopulationEntry*> ListenerPrior::usable(std::span<const std::string> tested) const {
  const std::set<std::string> sounds = sounds_of(tested);
  Entries result;
  for (const PopulationEntry& entry : population_->entries) {
    const bool heard = std::ranges::any_of(entry.stimuli, [&](const auto& sound) { return sounds.contains(sound); });
    if (!is_own(entry) && !heard) result.push_back(&entry);
  }
  return result;
}

std::size_t ListenerPrior::others(std::span<const std::string> tested) const {
  std::set<std::string> listeners;
  for (const PopulationEntry* entry : usable(tested)) listeners.insert(entry->listener);
  return listeners.size();
}

LentPrior ListenerPrior::lend(std::span<const std::string> tested, const DecoderShape& shape) const {
  ByListener listeners;
  LentPrior lent;
  for (const PopulationEntry* entry : usable(tested)) {
    listeners[entry->listener].push_back(entry);
    lent.runs.push_back(entry->run);
  }
  if (listeners.empty()) {
    throw Error(ErrorKind::bad_data,
                "nobody in the population is left to learn from: every entry is of this listener or has sounds on "
                "which the decoder will be tested; use a population of more listeners or other sounds, or none");
  }
  lent.others = listeners.size();
  lent.cross.xy = decode::cross_products(mean_products(*population_, listeners, shape.channels), shape.lags);
  lent.cross.weight = weight_.value_or(decode::automatic_prior_weight(lent.others));
  lent.scores = score_moments(listeners);
  return lent;
}

PopulationAdaptation ListenerPrior::adaptation_of_others() const {
  PopulationAdaptation result = population_->adaptation.value_or(PopulationAdaptation{});
  std::erase_if(result.trials, [&](const AdaptationTrial& trial) { return listener_names_.contains(trial.listener); });
  return result;
}

LentStart ListenerPrior::lend_start(std::span<const std::string> tested, const DecoderShape& shape) const {
  const LentPrior lent = lend(tested, shape);
  ByListener listeners;
  for (const PopulationEntry* entry : usable(tested)) {
    if (entry->covariance.size() > 0) listeners[entry->listener].push_back(entry);
  }
  if (listeners.empty()) {
    throw Error(ErrorKind::bad_data,
                "the population has no covariances, which a decoder that learns while it listens starts from: it was "
                "made by an older heed, or not for least squares of one target; make it again");
  }
  const PopulationAdaptation adaptation = adaptation_of_others();
  LentStart result{.seconds = chosen_seconds(adaptation), .others = lent.others};
  result.start.covariance = mean_covariance(shape.lags.eeg.count(), listeners, shape.channels);
  result.start.cross = lent.cross.xy.col(0);
  result.start.emission = start_emission(adaptation.trials, listeners);
  return result;
}

std::string ListenerPrior::digest_of_others() const {
  io::Digest digest;
  io::add_value(digest, population_->preprocessing);
  io::add_value(digest, population_->delays);
  for (const PopulationEntry& entry : population_->entries) {
    if (is_own(entry)) continue;
    // Without the covariance: it is not lent to decoders that are trained on labels, and not kept by every door.
    PopulationEntry lent = entry;
    lent.covariance.resize(0, 0);
    io::add_value(digest, lent);
  }
  return digest.hex();
}

std::vector<std::string> ListenerPrior::all_but(std::span<const std::string> trials) const {
  std::vector<std::string> result;
  for (const TrialSource& source : sources_) {
    if (std::ranges::find(trials, source.trial) == trials.end()) result.push_back(source.trial);
  }
  return result;
}

void check_signals(const Population& population, const Preprocessing& signals) {
  if (same_signals(population.preprocessing, signals)) return;
  throw Error(ErrorKind::invalid_argument,
              "the population was made from other signals (" + io::describe(population.preprocessing) +
                  ") than these (" + io::describe(signals) +
                  "); preprocess both in the same way, or leave the signals at their defaults");
}

void check_scores(const Population& population, const DecoderChoice& choice, Seconds window) {
  const PopulationDecoder& made = population.decoder;
  if (made.kind == name(choice.kind) && made.rule == choice.rule && made.window == window) return;
  throw Error(ErrorKind::invalid_argument,
              "the scores of the population are not those of this decoder (another kind, measure or window), so they "
              "do not say what its scores mean; leave these at their defaults, or make the population with the same");
}

std::string describe(const LentPrior& lent) {
  return "prior " + io::number_text(lent.cross.weight, 2) + " of " + std::to_string(lent.others) +
         (lent.others == 1 ? " other" : " others");
}

}  // namespace heed::pipeline
