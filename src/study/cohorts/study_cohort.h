// SPDX-License-Identifier: MIT
// The cohorts that studies are run on: simulated listeners, a BIDS folder, or score files. All give the same: scores of
// every participant by a decoder, in windows of any length, or the reason why not.
#pragma once

#include <heed/data/scored.h>
#include <heed/pipeline/recipe.h>
#include <sim/recording_options.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

// How the decoder of scores comes to know the listener.
enum class Learning {
  labels,        // trained on the labels of the listener's other trials, as the recipe has it
  labels_alone,  // the same without anybody else's help
  population,    // the other listeners' decoder, as it is
  adaptive,      // the same for a start; then without labels, while it listens
  nothing,       // without labels, from nothing
};

// What befalls a recording before it is decoded (docs/adaptation.md). The middle is the second third of the listening,
// but at most ten minutes.
enum class Disturbance {
  none,
  slipped_cap,     // from the middle on the cap sits turned by 30 degrees about the vertex
  swapped_sounds,  // in the middle the speakers' sounds are exchanged
  nobody,          // in the middle nothing that is played is heard: the EEG runs backwards
  inverted_cap,    // the EEG is upside down
};

[[nodiscard]] constexpr bool needs_labels(Learning learning) noexcept {
  return learning == Learning::labels || learning == Learning::labels_alone;
}

// Where scores come from. A part of a cohort is told by its number of speakers.
struct Decoding {
  int speakers = 2;
  std::optional<pipeline::DecoderKind> decoder{};  // nothing: score files that do not say
  Seconds longest_lag{0.25};
  pipeline::Recipe recipe = pipeline::Recipe::paper;
  std::optional<double> ridge{};  // on the EEG's covariance; nothing: the recipe's
  double stimulus_ridge = pipeline::DecoderChoice{}.stimulus_ridge;
  decode::DiscriminantForm discriminant = decode::DiscriminantForm::per_speaker;  // of CCA
  Learning learning = Learning::labels;
  Disturbance disturbance = Disturbance::none;
  friend auto operator<=>(const Decoding&,
                          const Decoding&) = default;  // NOLINT(modernize-use-nullptr): compared with 0
};

// Several windows of one decoding are made in one pass over the EEG.
struct ScoresWanted {
  Decoding decoding{};
  std::vector<Seconds> windows{};
};

// A participant's scores by one decoding, the shortest windows first.
struct DecodedScores {
  std::vector<ScoredParticipant> lengths{};
  std::string failure{};  // why the longest windows, or all, are missing, in the words of the decoder; empty: none is
  std::string note{};     // what was chosen for the participant: "decoded without a population: ..."; or empty
};

// May be used by several threads at once.
class Cohort {
 public:
  Cohort() = default;
  virtual ~Cohort() = default;
  Cohort(const Cohort&) = delete;
  Cohort& operator=(const Cohort&) = delete;

  [[nodiscard]] virtual std::string describe() const = 0;  // for people, one line
  [[nodiscard]] virtual bool is_simulated() const noexcept { return false; }
  [[nodiscard]] virtual std::vector<int> speakers() const = 0;  // of its parts, the baseline first
  [[nodiscard]] virtual std::optional<pipeline::DecoderKind> baseline_decoder() const = 0;
  // Ids without sub-.
  [[nodiscard]] virtual std::vector<std::string> participants(int speakers) const = 0;
  // Why such scores cannot be had, with the remedy; nothing: they can.
  [[nodiscard]] virtual std::optional<std::string> obstacle(const Decoding& decoding, Seconds window) const = 0;
  // A fingerprint of all that a participant's scores are made from.
  [[nodiscard]] virtual std::string digest(int speakers, std::size_t participant) const = 0;
  // [i] of wanted[i], whose windows rise; all of one part of the cohort. Throws what the participant's files throw.
  [[nodiscard]] virtual std::vector<DecodedScores> scores(std::size_t participant,
                                                          std::span<const ScoresWanted> wanted) const = 0;
  // Whether scores() takes so long that its results are worth keeping in files.
  [[nodiscard]] virtual bool decodes() const noexcept { return true; }
};

// Nothing is written or read: recordings live in memory, one per thread. Parts must differ in speakers.
[[nodiscard]] std::unique_ptr<Cohort> simulated_cohort(const std::vector<sim::RecordingCohortOptions>& parts);

struct PaperCohortOptions {
  std::optional<int> participants{};  // of each data set; nothing: the paper's 13 and 20, where quick 6 and 5
  bool quick = false;
  std::uint64_t seed = 1;
};
// The paper's two data sets: two speakers, three conversations.
[[nodiscard]] std::vector<sim::RecordingCohortOptions> paper_cohorts(const PaperCohortOptions& options);

// Which of a folder's runs are used; labels without their keys, empty: all. The condition of a run is its entity acq.
struct RunChoice {
  std::vector<std::string> runs{};
  std::vector<std::string> conditions{};
  bool first_of_each = false;  // of each participant and condition, trailing digits aside: Video1 and Video2 are one
  friend bool operator==(const RunChoice&, const RunChoice&) = default;
};

struct BidsCohortOptions {
  std::optional<std::filesystem::path> cache{};  // of prepared signals
  std::optional<std::size_t> participants{};     // the first so many; nothing: all
  RunChoice runs{};
};
// Throws not_found where a condition is not there, or nothing is left.
[[nodiscard]] std::unique_ptr<Cohort> bids_cohort(const std::filesystem::path& folder,
                                                  const BidsCohortOptions& options);

// Files of several windows (window- entities) and decoders (decoder-, desc-) may be mixed. Throws bad_data for files
// without labels, and where participants differ in speakers.
[[nodiscard]] std::unique_ptr<Cohort> score_files_cohort(std::span<const std::filesystem::path> paths,
                                                         std::optional<std::size_t> participants = {});

// A cohort as a user names it.
struct CohortName {
  std::vector<std::string> on{};  // "simulated", a BIDS folder, or score files and folders of them
  std::optional<int> participants{};
  bool quick = false;
  std::uint64_t seed = 1;
  RunChoice runs{};  // of a BIDS folder only
};

// Throws cannot_create where `output` lies inside the BIDS folder, and what the cohorts above throw.
[[nodiscard]] std::unique_ptr<Cohort> open_cohort(const CohortName& name,
                                                  const std::optional<std::filesystem::path>& cache,
                                                  const std::filesystem::path& output);
// The same for any working folder: its paths are absolute.
[[nodiscard]] CohortName absolute(CohortName name);

}  // namespace heed::study
