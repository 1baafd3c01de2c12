// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/text.h>
#include <heed/emission/independence.h>
#include <heed/evaluate/claims.h>
#include <heed/study/run_study.h>
#include <study/tracking/tables.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace heed::study {
namespace {

void add_once(std::vector<std::string>& notes, const std::string& note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

// What a setting has of its own, for people: "tracker = viterbi, speakers = 3".
std::string words_of(const Setting& setting, const Study& study) {
  std::string words;
  for (const StudyGrid& grid : study.grids) {
    for (const GridAxis& axis : grid) {
      if (axis.values.size() < 2) continue;
      const auto own = std::ranges::find(setting.named, axis.name, &NamedValue::name);
      const std::string text = axis.name + " = " + data::text_of(own->value);
      if (words.find(text) == std::string::npos) words += (words.empty() ? "" : ", ") + text;
    }
  }
  return words.empty() ? "its setting" : words;
}

class Run {
 public:
  Run(const Study& study, const ScoreLibrary& scores, const RunOptions& options)
      : study_(study), scores_(scores), options_(options), settings_(settings_of(study)) {
    result_.study = study;
  }

  StudyResult result() && {
    switch (study_.measure) {
      case StudyMeasure::tracking:
        track();
        break;
      case StudyMeasure::trace:
        trace();
        break;
      case StudyMeasure::independence:
        correlate();
        break;
    }
    judge_applicability();
    return std::move(result_);
  }

 private:
  struct Chosen {
    Setting setting;
    double p = 0;
    std::vector<Measured> measured{};
    std::vector<std::string> ids{};
  };

  void leave_out(const Setting& setting, const std::string& why) {
    left_out_.push_back({words_of(setting, study_), why});
  }

  // Those that can be, by group; the others are left out.
  std::vector<std::vector<std::size_t>> groups() {
    std::vector<std::vector<std::size_t>> result;
    for (std::size_t i = 0; i < settings_.size(); ++i) {
      if (const auto why = scores_.obstacle(settings_[i])) {
        leave_out(settings_[i], *why);
        continue;
      }
      if (scores_.is_surrogate(settings_[i])) note_surrogate();
      const auto group = std::ranges::find_if(
          result, [&](const auto& members) { return same_group(settings_[members.front()], settings_[i]); });
      if (group != result.end()) {
        group->push_back(i);
      } else {
        result.push_back({i});
      }
    }
    return result;
  }

  void note_surrogate() {
    add_once(result_.notes,
             "The cohort has one speaker less. The competitor that is missing is a surrogate: the scores of the "
             "unattended speaker half a trial later.");
  }

  std::unique_ptr<Group> group_of(const std::vector<std::size_t>& members) {
    const Setting& first = settings_[members.front()];
    try {
      auto group = std::make_unique<Group>(first, scores_.scores(first), options_);
      for (const std::string& note : group->notes()) add_once(result_.notes, note);
      return group;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::invalid_argument) throw;
      for (const std::size_t i : members) leave_out(settings_[i], error.what());
      return nullptr;
    }
  }

  // The state-space model where the scores are no correlations: on those of least squares.
  std::unique_ptr<Group> group_with_correlations(const Setting& setting) {
    const auto correlations = with_correlations(setting);
    if (!correlations || scores_.obstacle(*correlations)) return nullptr;
    auto group = std::make_unique<Group>(*correlations, scores_.scores(*correlations), options_);
    if (group->obstacle(track::Method::state_space)) return nullptr;
    add_once(
        result_.notes,
        "The state-space model takes correlations, and CCA gives log-odds: it was run on the correlations of least "
        "squares.");
    return group;
  }

  [[nodiscard]] static bool is_matched(const Setting& setting) {
    return setting.switch_rule == SwitchRule::as_state_space && !setting.switch_probability;
  }

  // A setting that needs the state-space model, alone.
  Chosen run_alone(const Setting& setting, const Group& group) {
    const auto correlations = group.obstacle(track::Method::state_space) ? group_with_correlations(setting) : nullptr;
    const Group& with_markers = correlations ? *correlations : group;
    if (const auto why = with_markers.obstacle(track::Method::state_space)) {
      leave_out(setting, *why);
      return {};
    }
    Chosen chosen{correlations && !is_matched(setting) ? *with_correlations(setting) : setting};
    const Group& tracked = is_matched(setting) ? group : with_markers;
    chosen.p = is_matched(setting) ? group.p_of_switch_time(with_markers.mean_switch_time({track::Method::state_space}))
                                   : group.p_of(setting);
    const GroupTracker tracker{setting.tracker, chosen.p, setting.look_ahead};
    chosen.measured = tracked.run({&tracker, 1}).front();
    chosen.ids = tracked.ids();
    return chosen;
  }

  void run_group(const std::vector<std::size_t>& members, std::vector<Chosen>& chosen) {
    const auto group = group_of(members);
    if (!group) return;
    std::vector<std::size_t> places;
    std::vector<GroupTracker> trackers;
    for (const std::size_t i : members) {
      const Setting& setting = settings_[i];
      if (setting.tracker == track::Method::state_space || is_matched(setting)) {
        chosen[i] = run_alone(setting, *group);
      } else if (const auto why = group->obstacle(setting.tracker)) {
        leave_out(setting, *why);
      } else {
        places.push_back(i);
        trackers.push_back({setting.tracker, group->p_of(setting), setting.look_ahead});
      }
    }
    const auto measured = group->run(trackers);
    for (std::size_t m = 0; m < places.size(); ++m) {
      chosen[places[m]] = {settings_[places[m]], trackers[m].p, measured[m], group->ids()};
    }
  }

  void track() {
    std::vector<Chosen> chosen(settings_.size());
    for (const auto& members : groups()) run_group(members, chosen);
    ResultTable table = empty_tracking_table();
    ResultTable reliability = empty_reliability_table();
    for (const Chosen& one : chosen) {
      if (one.ids.empty()) continue;
      const bool has_p = track::needs(one.setting.tracker).chain;
      append_rows(table, one.setting, has_p ? std::optional(one.p) : std::nullopt, one.ids, one.measured);
      append_reliability(reliability, one.setting, one.measured);
    }
    result_.tables.push_back({"tracking", std::move(table)});
    if (study_.figure.picture == StudyPicture::reliability) {
      result_.tables.push_back({"reliability", std::move(reliability)});
    }
  }

  // The participant whom the causal HMM follows about as well as the average, in a trial with a switch.
  static std::size_t average_participant(const Group& group, double p) {
    const GroupTracker causal{.method = track::Method::causal, .p = p};
    std::vector<std::optional<double>> accuracies;
    const auto measured = group.run({&causal, 1});
    for (const Measured& one : measured.front()) accuracies.push_back(one.metrics.accuracy);
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

  static std::size_t trial_with_switch(const TrackedParticipant& tracked) {
    for (std::size_t k = 0; k < tracked.trials.size(); ++k) {
      std::set<Speaker> attended;
      for (const Speaker s : tracked.trials[k].attention.attended) {
        if (s != unknown_speaker) attended.insert(s);
      }
      if (attended.size() > 1) return k;
    }
    return 0;
  }

  void trace() {
    for (const auto& members : groups()) {
      const auto group = group_of(members);
      if (!group) continue;
      const std::size_t who = average_participant(*group, group->p_of(settings_[members.front()]));
      for (const std::size_t i : members) {
        const Setting& setting = settings_[i];
        const TrackedParticipant tracked =
            group->track_one(who, {setting.tracker, group->p_of(setting), setting.look_ahead});
        if (result_.tables.empty()) result_.tables.push_back({"trace", empty_trace_table(tracked.speakers)});
        append_trace(result_.tables.front().table, std::string(track::name(setting.tracker)), tracked,
                     trial_with_switch(tracked));
      }
      result_.notes.push_back("Shown is sub-" + group->ids()[who] +
                              ", whose accuracy by the causal HMM lies nearest to the mean of all participants.");
    }
  }

  void correlate() {
    constexpr Index lags = 30;
    ResultTable table{.columns = {"decoder", "participant", "lag", "correlation"}, .rows = {}};
    std::set<const void*> seen;
    for (const Setting& setting : settings_) {
      if (const auto why = scores_.obstacle(setting)) {
        leave_out(setting, *why);
        continue;
      }
      const auto decoder = std::ranges::find(setting.named, "decoder", &NamedValue::name)->value;
      if (!seen.insert(&scores_.scores(setting)).second) continue;  // the baseline is one of the decoders named
      for (const ScoredParticipant& participant : scores_.scores(setting)) {
        const bool fisher = participant.type == ScoreType::correlation;
        const auto correlations = emission::lag_correlations(participant, {.fisher = fisher, .lags = lags});
        for (std::size_t k = 0; k < correlations.size(); ++k) {
          table.rows.push_back({decoder, "sub-" + participant.id, static_cast<double>(k + 1),
                                correlations[k] ? TableValue(*correlations[k]) : TableValue()});
        }
      }
    }
    result_.tables.push_back({"lags", std::move(table)});
  }

  // Values of an axis that is compared, among the settings that were run.
  [[nodiscard]] bool still_compares(const std::string& axis) const {
    std::set<std::string> planned;
    for (const Setting& setting : settings_) {
      const auto own = std::ranges::find(setting.named, axis, &NamedValue::name);
      if (own != setting.named.end()) planned.insert(data::text_of(own->value));
    }
    if (planned.size() < 2) return true;
    for (const NamedTable& table : result_.tables) {
      const auto column = std::ranges::find(table.table.columns, axis);
      if (column == table.table.columns.end()) continue;
      const auto place = static_cast<std::size_t>(column - table.table.columns.begin());
      std::set<std::string> found;
      for (const auto& row : table.table.rows) found.insert(data::text_of(row[place]));
      return found.size() > 1;
    }
    return true;
  }

  // Whether at least one of its claims can be judged by what was run.
  [[nodiscard]] bool tells_anything() const {
    const auto told = [&](const Claim& claim) { return evaluate::judge(claim, result_.judged()).holds.has_value(); };
    return study_.measure != StudyMeasure::tracking || study_.claims.empty() ||
           std::ranges::any_of(study_.claims, told);
  }

  void judge_applicability() {
    const bool empty = std::ranges::all_of(result_.tables, [](const NamedTable& t) { return t.table.rows.empty(); });
    std::vector<std::string> axes = study_.figure.series;
    axes.push_back(study_.figure.along);
    // One decoder's correlations tell something by themselves.
    const bool compares = study_.measure == StudyMeasure::independence ||
                          std::ranges::all_of(axes, [&](const std::string& axis) { return still_compares(axis); });
    if (left_out_.empty()) return;
    if (empty || !compares || !tells_anything()) {
      result_.obstacle = left_out_.front().why;
      result_.tables.clear();
      result_.notes.clear();
      return;
    }
    for (const LeftOut& one : left_out_) add_once(result_.notes, "Without " + one.what + ": " + one.why + ".");
  }

  struct LeftOut {
    std::string what;
    std::string why;
  };

  const Study& study_;
  const ScoreLibrary& scores_;
  const RunOptions& options_;
  std::vector<Setting> settings_;
  std::vector<LeftOut> left_out_;
  StudyResult result_;
};

}  // namespace

StudyResult run_study(const Study& study, const ScoreLibrary& scores, const RunOptions& options) {
  return Run(study, scores, options).result();
}

}  // namespace heed::study
