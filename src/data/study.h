// SPDX-License-Identifier: MIT
// A study as a plain value: the settings it runs through, how its results are shown, and what was published about it.
// The files in studies/ hold one each (docs/formats.md); the layer `study` reads and runs them, `report` shows them.
#pragma once

#include <data/result_table.h>
#include <heed/data/note.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::data {

// A setting of parameters by name, e.g. tracker = causal. What is not named has its default, the paper's baseline.
struct NamedValue {
  std::string name{};
  TableValue value{};
  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};
using NamedValues = std::vector<NamedValue>;

// Every combination of the values of its axes, the last axis running fastest.
struct GridAxis {
  std::string name{};
  std::vector<TableValue> values{};
};
using StudyGrid = std::vector<GridAxis>;

// A number of the paper: a measure (a column of the results) at a setting.
struct PublishedValue {
  NamedValues setting{};
  std::string measure{};  // accuracy and other shares within [0, 1], times in seconds
  double value = 0;
  std::optional<double> sd{};
  std::string place{};          // "Table II"
  bool headline = false;        // among the first things a reader wants to know
  std::string decoder = "cca";  // the scores it was obtained with
  bool any_decoder = false;     // it is set beside scores of other decoders, too, and marked there
};

// What the paper says the results show; whether they do is computed (evaluate/claims.h).
enum class ClaimKind {
  greater,          // `measure` is greater at `setting` than at `other`
  less,             // likewise; which of the two is written follows the words of the claim
  alike,            // the two differ by less than a margin
  rises,            // `measure` rises along `along`, everything else at `setting`
  falls,            // likewise
  makes_up,         // `measure` at `setting` regains more than half of what `other` loses against `reference`
  levels_off,       // it rises more over the first half of the values of `along` than over the second
  rises_with,       // `measure` and `with` rise together along `along`
  changes_less,     // from `from` to `to` along `along`, `measure` changes less at `setting` than at `other`
  below,            // the mean of `measure` at `setting` is below `bound`
  above,            // likewise
  never_above,      // it is below `bound` at every value of `along` from `from` on
  better_frontier,  // the best `measure` within any `with` is greater among all at `setting` than among all at `other`
  same_frontier,    // the two differ by less than a margin
};

// What a cohort that everybody can look up says of a claim: studies/verdicts.tsv.
struct KnownVerdict {
  std::string cohort{};         // "simulated", "real scores", "real EEG"
  std::optional<bool> holds{};  // nothing: it cannot be told
  std::string evidence{};
};

struct Claim {
  ClaimKind kind = ClaimKind::greater;
  std::string text{};  // for people, in our words
  std::string measure{};
  NamedValues setting{};
  NamedValues other{};
  NamedValues reference{};  // makes_up: where nothing was lost
  std::string along{};
  std::string with{};  // another measure
  double from = 0;     // on the axis
  double to = 0;
  double bound = 0;
  std::string place{};  // "Section V-B"; empty: beyond the paper
  // Among the first things said: "the causal HMM is more accurate than" where it holds, "the causal HMM finds switches
  // later than" where it does not, and of whom, so that claims which say the same of several are said at once.
  std::string says{};
  std::string says_if_not{};
  std::string of{};
  std::string headline{};  // the heading of its column in the table of cohorts; empty: it has none
  std::vector<KnownVerdict> known{};
};

// Why results differ from the paper, or what they tell about it: said of cohorts where every claim that it rests on
// came out so. Claims are named by their texts.
struct Reason {
  std::string text{};
  std::vector<std::string> holds{};
  std::vector<std::string> fails{};
};

enum class StudyMeasure {
  tracking,      // accuracy, switch time and calibration of every participant at every setting
  trace,         // posteriors window by window of one participant
  independence,  // correlations of the attended score with itself some windows later
};

enum class StudyPicture {
  comparison,   // a strip of participants a setting
  sweep,        // accuracy and switch time along one parameter
  trade_off,    // a sweep, and accuracy against switch time
  frontier,     // a comparison where `along` is a word, and accuracy against switch time where it is a number
  frontiers,    // the best accuracy of each series within any time, over all its settings, with intervals
  reliability,  // a comparison, and how often what is believed comes true
  trace,        // belief over time
  lags,         // correlation along lags
};

struct StudyFigure {
  StudyPicture picture = StudyPicture::comparison;
  std::string along{};       // sweeps: the column across. "raw_accuracy": the accuracy of tracker raw, all else equal
  bool logarithmic = false;  // sweeps: the axis across
  std::vector<std::string> series{};    // columns that tell rows of the comparison, or lines of the sweep, apart
  std::vector<std::string> measures{};  // that are shown; empty: as usual for the picture
};

struct Study {
  std::string name{};  // of its file: "switch_probability"
  std::string title{};
  std::string paper{};           // "Section V-E, Fig. 4 and 5"; empty: beyond the paper
  std::string question{};        // one or two sentences
  bool only_when_named = false;  // it takes so long that it is not among "all studies"
  StudyMeasure measure = StudyMeasure::tracking;
  StudyFigure figure{};
  std::vector<StudyGrid> grids{};
  std::vector<PublishedValue> published{};
  std::vector<Claim> claims{};
  std::vector<Reason> reasons{};
};

// A part of a study's results: "tracking", "reliability", "trace" or "lags"; docs/formats.md lists their columns.
struct NamedTable {
  std::string name{};
  ResultTable table{};
};

struct StudyResult {
  Study study{};
  std::vector<NamedTable> tables{};
  Notes notes{};           // what was chosen or left out, and why
  std::string obstacle{};  // why it cannot be run on this cohort, and the remedy; empty: it was

  // Null where it has no such table.
  [[nodiscard]] const ResultTable* find(std::string_view table) const noexcept;
  // The one its claims are about; empty where there is none.
  [[nodiscard]] const ResultTable& judged() const noexcept;
};

}  // namespace heed::data

namespace heed {
using data::Claim;
using data::ClaimKind;
using data::GridAxis;
using data::KnownVerdict;
using data::NamedTable;
using data::NamedValue;
using data::NamedValues;
using data::PublishedValue;
using data::Reason;
using data::Study;
using data::StudyFigure;
using data::StudyGrid;
using data::StudyMeasure;
using data::StudyPicture;
using data::StudyResult;
}  // namespace heed
