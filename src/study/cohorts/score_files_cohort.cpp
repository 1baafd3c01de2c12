// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <io/digest.h>
#include <io/discovery.h>
#include <study/cohorts/decode_wanted.h>
#include <study/cohorts/study_cohort.h>

#include <algorithm>
#include <map>

namespace heed::study {
namespace {

namespace fs = std::filesystem;
using DecoderName = std::optional<pipeline::DecoderKind>;

std::string decoder_entity(const fs::path& file) {
  const io::FileEntities entities = io::parse_entities(file);
  return std::string(entities.value(entities.value("decoder").empty() ? "desc" : "decoder"));
}

DecoderName kind_named(std::string_view wanted) {
  for (const auto kind :
       {pipeline::DecoderKind::least_squares, pipeline::DecoderKind::cca, pipeline::DecoderKind::csp}) {
    if (wanted == pipeline::name(kind)) return kind;
  }
  return std::nullopt;
}

// Files by the decoder they were made with. Of decoders heed does not know there may be one.
std::map<DecoderName, std::vector<fs::path>> by_decoder(const std::vector<fs::path>& files) {
  std::map<std::string, std::vector<fs::path>> named;
  for (const fs::path& file : files) named[decoder_entity(file)].push_back(file);
  std::map<DecoderName, std::vector<fs::path>> result;
  for (auto& [name, of_decoder] : named) {
    const DecoderName kind = kind_named(name);
    if (named.size() > 1 && !kind) {
      throw Error(ErrorKind::bad_data,
                  of_decoder.front().string() +
                      ": score files of several decoders are told apart by decoder-ls, decoder-cca "
                      "or decoder-csp in their names (or desc-); give the files of one decoder, or "
                      "rename them");
    }
    result[kind] = std::move(of_decoder);
  }
  return result;
}

void require_labels(const ScoredParticipant& participant) {
  const bool labelled = std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
    return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
  });
  if (labelled) return;
  throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                       ": no window says who was attended, so nothing can be measured; add the column "
                                       "'attended' to the score files");
}

class ScoreFiles final : public Cohort {
 public:
  ScoreFiles(std::span<const fs::path> paths, std::optional<std::size_t> limit) {
    const auto files = io::find_files(paths, io::scores_ending);
    for (const auto& [decoder, of_decoder] : by_decoder(files)) read(decoder, of_decoder);
    if (decoder_entity(files.front()).empty() && are_correlations()) take_for_least_squares();
    if (limit && *limit < ids_.size()) ids_.resize(*limit);
    std::map<std::string, io::Digest> digests;
    for (const fs::path& file : files) digests[io::participant_id(file)].add_file(file);
    for (const std::string& id : ids_) digests_.push_back(digests[id].hex());
  }

  [[nodiscard]] std::string describe() const override {
    return "score files of " + std::to_string(ids_.size()) + (ids_.size() == 1 ? " participant, " : " participants, ") +
           std::to_string(speakers_) + " speakers" +
           (taken_for_ls_
                ? "; the files name no decoder, and one correlation per speaker is taken to be that of least squares"
                : "");
  }
  [[nodiscard]] std::vector<int> speakers() const override { return {speakers_}; }
  [[nodiscard]] DecoderName baseline_decoder() const override {
    const bool has_cca = scores_.contains(pipeline::DecoderKind::cca);
    return has_cca ? DecoderName(pipeline::DecoderKind::cca) : scores_.begin()->first;
  }
  [[nodiscard]] std::vector<std::string> participants(int) const override { return ids_; }
  [[nodiscard]] bool decodes() const noexcept override { return false; }
  [[nodiscard]] std::string digest(int, std::size_t participant) const override { return digests_[participant]; }

  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds window) const override {
    if (choice_of({.recipe = decoding.recipe,
                   .ridge = decoding.ridge,
                   .stimulus_ridge = decoding.stimulus_ridge,
                   .discriminant = decoding.discriminant}) != choice_of({})) {
      return "what a score is made of can be chosen with EEG only";
    }
    const auto found = scores_.find(known(decoding.decoder));
    if (found == scores_.end()) {
      return "it needs EEG, or score files with decoder-" + std::string(pipeline::name(*decoding.decoder)) +
             " in their names";
    }
    if (decoding.speakers != speakers_) {
      return "the score files have " + std::to_string(speakers_) + " speakers, not " +
             std::to_string(decoding.speakers);
    }
    if (decoding.longest_lag != Decoding{}.longest_lag) return "the lags of a decoder can be chosen with EEG only";
    for (const std::string& id : ids_) {
      const auto whose = found->second.find(id);
      if (whose == found->second.end() || find_window(whose->second, window) == nullptr) {
        return "participant " + id + " has no scores in windows of " + data::shown(window.value) +
               " s; it needs EEG, or score files of that length";
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t participant,
                                                  std::span<const ScoresWanted> wanted) const override {
    std::vector<DecodedScores> results(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& lengths = scores_.at(known(wanted[i].decoding.decoder)).at(ids_[participant]);
      for (const Seconds window : wanted[i].windows) results[i].lengths.push_back(*find_window(lengths, window));
    }
    return results;
  }

 private:
  using Lengths = std::vector<ScoredParticipant>;

  void read(DecoderName decoder, const std::vector<fs::path>& files) {
    for (io::WindowedScores& one : io::read_scores_by_window(files).participants) {
      for (ScoredParticipant& length : one.lengths) {
        require_labels(length);
        length.id = one.id;
        const int count = static_cast<int>(length.speakers.size());
        if (speakers_ != 0 && count != speakers_) {
          throw Error(ErrorKind::bad_data, "participant " + one.id + " has " + std::to_string(count) +
                                               " speakers, others have " + std::to_string(speakers_) +
                                               "; run them apart");
        }
        speakers_ = count;
      }
      if (std::ranges::find(ids_, one.id) == ids_.end()) ids_.push_back(one.id);
      scores_[decoder][one.id] = std::move(one.lengths);
    }
  }

  // The baseline, where none is named.
  [[nodiscard]] DecoderName known(DecoderName decoder) const { return decoder ? decoder : baseline_decoder(); }

  // Of the one decoder that is not named.
  [[nodiscard]] bool are_correlations() const {
    const auto unnamed = scores_.find(std::nullopt);
    if (unnamed == scores_.end()) return false;
    return std::ranges::all_of(unnamed->second, [](const auto& whose) {
      return std::ranges::all_of(whose.second, [](const ScoredParticipant& length) {
        return length.type == ScoreType::correlation && length.features.empty();
      });
    });
  }
  void take_for_least_squares() {
    auto unnamed = scores_.extract(std::nullopt);
    unnamed.key() = pipeline::DecoderKind::least_squares;
    scores_.insert(std::move(unnamed));
    taken_for_ls_ = true;
  }

  static const ScoredParticipant* find_window(const Lengths& lengths, Seconds window) {
    constexpr double rounding = 1e-6;
    const auto found = std::ranges::find_if(lengths, [&](const ScoredParticipant& one) {
      return std::abs(one.trials.front().scores.window.value - window.value) <= rounding * window.value;
    });
    return found != lengths.end() ? &*found : nullptr;
  }

  std::map<DecoderName, std::map<std::string, Lengths>> scores_;
  std::vector<std::string> ids_;
  std::vector<std::string> digests_;
  int speakers_ = 0;
  bool taken_for_ls_ = false;
};

}  // namespace

std::unique_ptr<Cohort> score_files_cohort(std::span<const std::filesystem::path> paths,
                                           std::optional<std::size_t> participants) {
  return std::make_unique<ScoreFiles>(paths, participants);
}

}  // namespace heed::study
