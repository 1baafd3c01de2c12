// SPDX-License-Identifier: MIT
#include <heed/data/note.h>
#include <study/tracking/outcome_maker.h>
#include <study/tracking/prepared_group.h>
#include <study/tracking/tables.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

namespace heed::study {
namespace {

// Their number where it is not among them.
std::size_t place_of(const std::vector<std::string>& ids, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
}

void append(Notes& notes, const Notes& more) { notes.insert(notes.end(), more.begin(), more.end()); }

// A trial in which attention moves, else the first.
std::size_t trial_with_switch(const TrackedParticipant& tracked) {
  for (std::size_t k = 0; k < tracked.trials.size(); ++k) {
    std::set<Speaker> attended;
    for (const Speaker s : tracked.trials[k].attention.attended) {
      if (s != unknown_speaker) attended.insert(s);
    }
    if (attended.size() > 1) return k;
  }
  return 0;
}

ResultTable tracking_row(const ReadySetting& ready, const ScoreLibrary& scores, const std::string& id,
                         const pipeline::TrackerOutcome& measured) {
  ResultTable table = empty_tracking_table();
  const bool has_p = track::needs(ready.setting.tracker).chain;
  append_row(table,
             {ready.setting, has_p ? ready.tracker.chain.switch_probability : std::nullopt, id,
              scores.scored_by(ready.setting), scores.is_surrogate(ready.setting)},
             measured);
  return table;
}

}  // namespace

// The settings of one participant that are wanted in one group.
struct OutcomeMaker::Row {
  std::size_t participant = 0;
  std::size_t group = 0;
  std::vector<std::size_t> settings{};
};

struct OutcomeMaker::ReadyGroup {
  std::vector<std::size_t> members{};                        // all settings of the group
  std::vector<std::size_t> settings{};                       // those that are wanted of anybody
  std::map<std::size_t, std::vector<std::size_t>> wanted{};  // [participant]
  std::unique_ptr<PreparedGroup> prepared{};
};

OutcomeMaker::OutcomeMaker(const Study& study, const OutcomeGrid& grid, const ScoreLibrary& scores,
                           const RunOptions& options)
    : study_(study), grid_(grid), scores_(scores), options_(options) {}

void OutcomeMaker::make(std::span<const OutcomePlace> wanted, const Done& done) const {
  std::vector<OutcomePlace> possible;
  std::map<std::size_t, std::optional<std::string>> obstacles;  // each is asked for once
  for (const OutcomePlace place : wanted) {
    auto known = obstacles.find(place.setting);
    if (known == obstacles.end()) {
      known = obstacles.emplace(place.setting, scores_.obstacle(grid_.settings()[place.setting])).first;
    }
    if (const auto& why = known->second) {
      done(place, {.left_out = *why});
    } else {
      possible.push_back(place);
    }
  }
  if (study_.measure == StudyMeasure::independence) {
    make_lags(possible, done);
    return;
  }
  // All groups are made ready first, then one participant after the other is followed through all of them: so
  // participants are finished early, and one that is finished can be kept.
  std::ranges::sort(possible);
  const std::vector<ReadyGroup> groups = ready_groups(possible);
  std::map<std::size_t, std::vector<Row>> rows;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& [participant, settings] : groups[g].wanted)
      rows[participant].push_back({participant, g, settings});
  }
  std::vector<const std::vector<Row>*> participants;
  for (const auto& [participant, of_participant] : rows) participants.push_back(&of_participant);
  data::each_in_parallel(participants.size(), options_.threads, [&](std::size_t k) {
    for (const Row& row : *participants[k]) {
      const ReadyGroup& group = groups[row.group];
      if (study_.measure == StudyMeasure::trace && group.prepared->experiment() != nullptr) {
        trace(*group.prepared, group.members, row, done);
      } else {
        follow(*group.prepared, group.settings, row, done);
      }
    }
  });
}

std::vector<OutcomeMaker::ReadyGroup> OutcomeMaker::ready_groups(std::span<const OutcomePlace> wanted) const {
  std::vector<ReadyGroup> all;
  std::vector<std::size_t> group_of(grid_.settings().size());
  for (std::vector<std::size_t>& members : groups_of(grid_.settings(), scores_)) {
    for (const std::size_t i : members) group_of[i] = all.size();
    all.push_back({.members = std::move(members)});
  }
  for (const OutcomePlace place : wanted)
    all[group_of[place.setting]].wanted[place.participant].push_back(place.setting);
  std::erase_if(all, [](const ReadyGroup& group) { return group.wanted.empty(); });
  for (ReadyGroup& group : all) {
    std::set<std::size_t> numbers;
    std::vector<std::string> ids;
    for (const auto& [participant, of_participant] : group.wanted) {
      numbers.insert(of_participant.begin(), of_participant.end());
      ids.push_back(grid_.participants()[participant].id);
    }
    group.settings.assign(numbers.begin(), numbers.end());
    std::vector<Setting> settings;
    for (const std::size_t i : group.settings) settings.push_back(grid_.settings()[i]);
    group.prepared = std::make_unique<PreparedGroup>(settings, scores_, options_, ids);
  }
  return all;
}

// Every setting of one participant that is run on the same scores, at once.
void OutcomeMaker::follow(const PreparedGroup& prepared, const std::vector<std::size_t>& settings, const Row& row,
                          const Done& done) const {
  const std::string& id = grid_.participants()[row.participant].id;
  std::map<const pipeline::Experiment*, std::vector<std::size_t>> by_experiment;
  for (const std::size_t i : row.settings) {
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(settings, i) - settings.begin());
    by_experiment[prepared[place].experiment].push_back(place);
  }
  for (const auto& [experiment, places] : by_experiment) {
    const std::size_t k = experiment != nullptr ? place_of(experiment->ids(), id) : 0;
    const bool is_member = experiment != nullptr && k < experiment->ids().size();
    std::vector<pipeline::TrackerChoice> trackers;
    for (const std::size_t place : places) trackers.push_back(prepared[place].tracker);
    const auto measured = is_member ? experiment->run_one(k, trackers) : std::vector<pipeline::TrackerOutcome>{};
    for (std::size_t m = 0; m < places.size(); ++m) {
      const ReadySetting& ready = prepared[places[m]];
      Outcome outcome{.notes = prepared.notes(), .left_out = ready.obstacle};
      append(outcome.notes, is_member ? experiment->notes(k) : scores_.notes_of(id));
      if (is_member) {
        append(outcome.notes, scores_.choices_of(ready.setting, id));
        append(outcome.notes, measured[m].notes);
        outcome.tables.push_back({"tracking", tracking_row(ready, scores_, id, measured[m])});
      }
      if (is_member && study_.figure.picture == StudyPicture::reliability) {
        outcome.tables.push_back({"reliability", reliability_table(ready.setting, measured[m].calibration)});
      }
      done({row.participant, settings[places[m]]}, outcome);
    }
  }
}

// The belief of one participant; how well the causal HMM follows it tells, of all, whose is shown.
void OutcomeMaker::trace(const PreparedGroup& prepared, const std::vector<std::size_t>& members, const Row& row,
                         const Done& done) const {
  const std::string& id = grid_.participants()[row.participant].id;
  const pipeline::Experiment& experiment = *prepared.experiment();
  const std::size_t k = place_of(experiment.ids(), id);
  const bool is_member = k < experiment.ids().size();
  for (const std::size_t i : row.settings) {
    const Setting& setting = grid_.settings()[i];
    Outcome outcome{.notes = prepared.notes()};
    append(outcome.notes, is_member ? experiment.notes(k) : scores_.notes_of(id));
    if (is_member) {
      append(outcome.notes, scores_.choices_of(setting, id));
      const pipeline::TrackerChoice causal{.chain = tracker_of(grid_.settings()[members.front()], experiment).chain};
      const auto accuracy = experiment.run_one(k, {&causal, 1}).front().metrics.accuracy;
      outcome.tables.push_back({"followed", {{"accuracy"}, {{accuracy ? TableValue(*accuracy) : TableValue()}}}});
      const auto tracked = experiment.track_one(k, tracker_of(setting, experiment));
      ResultTable table = empty_trace_table(tracked.speakers);
      append_trace(table, std::string(track::name(setting.tracker)), tracked, trial_with_switch(tracked));
      outcome.tables.push_back({"trace", std::move(table)});
    }
    done({row.participant, i}, outcome);
  }
}

void OutcomeMaker::make_lags(std::span<const OutcomePlace> wanted, const Done& done) const {
  // The baseline is one of the decoders named: the first setting of the same scores has them.
  const auto& settings = grid_.settings();
  const auto is_first = [&](std::size_t setting) {
    return std::none_of(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(setting),
                        [&](const Setting& earlier) { return scores_.same_scores(earlier, settings[setting]); });
  };
  data::each_in_parallel(wanted.size(), options_.threads, [&](std::size_t n) {
    const OutcomePlace place = wanted[n];
    const std::string& id = grid_.participants()[place.participant].id;
    const auto& participants = scores_.scores(grid_.settings()[place.setting]);
    const auto who = std::ranges::find(participants, id, &ScoredParticipant::id);
    Outcome outcome{.notes = who == participants.end() ? scores_.notes_of(id)
                                                       : scores_.choices_of(grid_.settings()[place.setting], id)};
    if (who != participants.end() && is_first(place.setting)) {
      outcome.tables.push_back({"lags", lags_table(grid_.settings()[place.setting], *who,
                                                   scores_.scored_by(grid_.settings()[place.setting]))});
    }
    done(place, outcome);
  });
}

}  // namespace heed::study
