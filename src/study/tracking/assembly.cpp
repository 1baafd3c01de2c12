// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <heed/evaluate/summary.h>
#include <study/tracking/assembly.h>
#include <study/tracking/tables.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace heed::study {
namespace {

// Whether a grid of the study sets values of this axis side by side. One that tells grids apart, each with a single
// value of it, does not: without one of them the others are a study still.
bool is_compared(const Study& study, const std::string& axis) {
  return std::ranges::any_of(study.grids, [&](const StudyGrid& grid) {
    const auto found = std::ranges::find(grid, axis, &GridAxis::name);
    return found != grid.end() && found->values.size() > 1;
  });
}

// Whether several values of an axis that is compared are among the settings that were run.
bool still_compares(const StudyResult& result, const std::string& axis) {
  if (!is_compared(result.study, axis)) return true;
  for (const NamedTable& table : result.tables) {
    const auto column = std::ranges::find(table.table.columns, axis);
    if (column == table.table.columns.end()) continue;
    const auto place = static_cast<std::size_t>(column - table.table.columns.begin());
    std::set<std::string> found;
    for (const auto& row : table.table.rows) found.insert(data::text_of(row[place]));
    return found.size() > 1;
  }
  return true;
}

// Whether there are results to judge at least one of its claims by.
bool tells_anything(const StudyResult& result) {
  const auto told = [&](const Claim& claim) { return evaluate::judge(claim, result.judged()).has_results; };
  return result.study.measure != StudyMeasure::tracking || result.study.claims.empty() ||
         std::ranges::any_of(result.study.claims, told);
}

// Of the settings left out; the first of those that are equally common.
std::string commonest_reason(std::span<const LeftOut> left_out) {
  const auto count = [&](const LeftOut& one) { return std::ranges::count(left_out, one.reason, &LeftOut::reason); };
  return std::ranges::max_element(left_out, {}, count)->reason;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : between).append(part);
  return text;
}

// "tracker = smooth, window = 2" as its two parts.
std::vector<std::string> parts_of(const std::string& words) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(", ", begin), words.size());
    parts.push_back(words.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

// "window = 2" where all settings with it are left out, else the first few of them.
std::string words_of_all(const std::vector<std::string>& left_out, const Study& study) {
  std::vector<std::string> common = parts_of(left_out.front());
  const auto has = [](const std::string& words, const std::string& part) {
    const auto parts = parts_of(words);
    return std::ranges::find(parts, part) != parts.end();
  };
  for (const std::string& one : left_out) {
    std::erase_if(common, [&](const std::string& part) { return !has(one, part); });
  }
  std::set<std::string> at_common;  // settings of grids that stand alone may have the same words
  for (const Setting& setting : settings_of(study)) {
    std::string words = words_of(setting, study);
    if (std::ranges::all_of(common, [&](const std::string& part) { return has(words, part); })) {
      at_common.insert(std::move(words));
    }
  }
  if (!common.empty() && at_common.size() == left_out.size()) return joined(common, ", ");
  constexpr std::size_t most = 6;
  if (left_out.size() <= most) return joined(left_out, "; ");
  return joined({left_out.begin(), left_out.begin() + most}, "; ") + " and " + std::to_string(left_out.size() - most) +
         " more settings";
}

class Assembly {
 public:
  Assembly(const Study& study, const OutcomeGrid& grid, const OutcomeSource& source, const TableSink& sink)
      : study_(study), grid_(grid), source_(source), sink_(sink) {}

  Assembled assemble() && {
    const bool lags = study_.measure == StudyMeasure::independence;
    if (study_.measure != StudyMeasure::trace) {
      sink_(lags ? "lags" : "tracking", lags ? empty_lags_table() : empty_tracking_table());
    }
    const bool reliability = study_.figure.picture == StudyPicture::reliability;
    if (reliability) sink_("reliability", empty_reliability_table());
    for (std::size_t i = 0; i < grid_.settings().size(); ++i) {
      if (study_.measure == StudyMeasure::trace) {
        trace(i);
      } else {
        ResultTable pooled;
        each_outcome(i, [&](std::size_t, const Outcome& outcome) {
          if (const ResultTable* rows = outcome.find(lags ? "lags" : "tracking"))
            sink_(lags ? "lags" : "tracking", *rows);
          if (const ResultTable* bins = outcome.find("reliability")) pool_reliability(pooled, *bins);
        });
        if (reliability && !pooled.rows.empty()) sink_("reliability", pooled);
      }
    }
    return std::move(result_);
  }

 private:
  void each_outcome(std::size_t setting, const std::function<void(std::size_t participant, const Outcome&)>& use) {
    std::string left_out;
    for (const std::size_t participant : grid_.participants_of(setting)) {
      const auto outcome = source_({participant, setting});
      if (!outcome) {
        ++result_.missing;
        continue;
      }
      for (const Note& note : outcome->notes) add_note(note);
      if (!outcome->left_out.empty()) left_out = outcome->left_out;
      use(participant, *outcome);
    }
    if (!left_out.empty()) result_.left_out.push_back({words_of(grid_.settings()[setting], study_), left_out});
  }

  void add_note(const Note& note) {
    if (known_.emplace(note.subject, note.text).second) result_.notes.push_back(note);
  }

  // Of the participant whom the causal HMM follows about as well as the average.
  void trace(std::size_t setting) {
    std::vector<std::size_t> who;
    std::vector<std::optional<double>> accuracies;
    each_outcome(setting, [&](std::size_t participant, const Outcome& outcome) {
      const ResultTable* followed = outcome.find("followed");
      if (followed == nullptr) return;
      const TableValue& value = followed->rows.at(0).at(followed->column("accuracy"));
      const auto* number = std::get_if<double>(&value);
      who.push_back(participant);
      accuracies.push_back(number != nullptr ? std::optional(*number) : std::nullopt);
    });
    if (who.empty()) return;
    const std::size_t shown = who[nearest_to_mean(accuracies)];
    const auto outcome = source_({shown, setting});
    if (!outcome || outcome->find("trace") == nullptr) return;  // gone in between
    sink_("trace", *outcome->find("trace"));
    add_note({"", NoteKind::chosen,
              "Shown is sub-" + grid_.participants()[shown].id +
                  ", whose accuracy by the causal HMM lies nearest to the mean of all participants, in the first trial "
                  "with a switch."});
  }

  static std::size_t nearest_to_mean(const std::vector<std::optional<double>>& accuracies) {
    const double mean = evaluate::summarise(accuracies).mean.value_or(0);
    std::size_t best = 0;
    for (std::size_t k = 1; k < accuracies.size(); ++k) {
      if (accuracies[k] &&
          (!accuracies[best] || std::abs(*accuracies[k] - mean) < std::abs(*accuracies[best] - mean))) {
        best = k;
      }
    }
    return best;
  }

  const Study& study_;
  const OutcomeGrid& grid_;
  const OutcomeSource& source_;
  const TableSink& sink_;
  Assembled result_;
  std::set<std::pair<std::string, std::string>> known_;  // subject and text of notes
};

}  // namespace

std::string words_of(const Setting& setting, const Study& study) {
  std::vector<std::string> words;
  const auto holds = [&](const GridAxis& axis) {
    return std::ranges::find(axis.values, value_of(setting, axis.name)) != axis.values.end();
  };
  for (const StudyGrid& grid : study.grids) {
    if (!std::ranges::all_of(grid, holds)) continue;
    for (const GridAxis& axis : grid) {
      if (axis.values.size() < 2) continue;
      std::string text = axis.name + " = " + data::text_of(value_of(setting, axis.name));
      if (std::ranges::find(words, text) == words.end()) words.push_back(std::move(text));
    }
  }
  return words.empty() ? "its setting" : joined(words, ", ");
}

void judge_applicability(StudyResult& result, std::span<const LeftOut> left_out) {
  if (left_out.empty()) return;
  const bool empty = std::ranges::all_of(result.tables, [](const NamedTable& t) { return t.table.rows.empty(); });
  std::vector<std::string> axes = result.study.figure.series;
  axes.push_back(result.study.figure.along);
  // One decoder's correlations tell something by themselves.
  const bool compares =
      result.study.measure == StudyMeasure::independence ||
      std::ranges::all_of(axes, [&](const std::string& axis) { return still_compares(result, axis); });
  if (empty || !compares || !tells_anything(result)) {
    result.obstacle = commonest_reason(left_out);
    result.tables.clear();
    result.notes.clear();
    return;
  }
  // What is left out for one reason is said once.
  using Reason = std::pair<std::string, std::vector<std::string>>;  // and the settings it holds for
  std::vector<Reason> reasons;
  for (const LeftOut& one : left_out) {
    auto known = std::ranges::find(reasons, one.reason, &Reason::first);
    if (known == reasons.end()) known = reasons.insert(known, {one.reason, {}});
    if (std::ranges::find(known->second, one.setting) == known->second.end()) known->second.push_back(one.setting);
  }
  for (const auto& [reason, settings] : reasons) {
    result.notes.push_back(
        {"", NoteKind::left_out, "Without " + words_of_all(settings, result.study) + ": " + reason + "."});
  }
}

Assembled assemble(const Study& study, const OutcomeGrid& grid, const OutcomeSource& source, const TableSink& sink) {
  return Assembly(study, grid, source, sink).assemble();
}

StudyResult assemble_result(const Study& study, const OutcomeGrid& grid, const OutcomeSource& source) {
  StudyResult result{.study = study};
  Assembled assembled = assemble(study, grid, source, [&](const std::string& name, const ResultTable& rows) {
    const auto known = std::ranges::find(result.tables, name, &NamedTable::name);
    if (known == result.tables.end()) {
      result.tables.push_back({name, rows});
    } else {
      known->table.rows.insert(known->table.rows.end(), rows.rows.begin(), rows.rows.end());
    }
  });
  result.notes = std::move(assembled.notes);
  judge_applicability(result, assembled.left_out);
  return result;
}

}  // namespace heed::study
