// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>

#include <algorithm>
#include <functional>
#include <set>

namespace heed::io {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string without_zeros(const std::string& number) {
  const std::size_t first = number.find_first_not_of('0');
  return first == std::string::npos ? "0" : number.substr(first);
}

bool is_same(const std::string& a, const std::string& b) {
  return a == b || (is_number(a) && is_number(b) && without_zeros(a) == without_zeros(b));
}

// One entity of file names, and the labels asked for.
struct Wanted {
  std::string key;  // "sub"
  std::string noun;
  std::function<const std::string&(const BidsRun&)> label;
  std::vector<std::string> labels;

  [[nodiscard]] bool holds(const BidsRun& run) const {
    return std::ranges::any_of(labels, [&](const std::string& one) { return is_same(one, label(run)); });
  }
};

Wanted wanted(std::string key, std::string noun, std::string BidsEntities::*member, std::vector<std::string> labels) {
  for (std::string& label : labels) {
    if (label.starts_with(key + "-")) label.erase(0, key.size() + 1);
  }
  return {std::move(key), std::move(noun),
          [member](const BidsRun& run) -> const std::string& { return run.entities.*member; }, std::move(labels)};
}

void check_known(const BidsDataset& dataset, const Wanted& asked) {
  std::set<std::string> known;
  for (const BidsRun& run : dataset.runs) known.insert(asked.label(run));
  for (const std::string& label : asked.labels) {
    if (std::ranges::any_of(known, [&](const std::string& one) { return is_same(one, label); })) continue;
    std::string list;
    for (const std::string& one : known) list += one.empty() ? "" : " " + one;
    throw Error(ErrorKind::not_found, dataset.root.string() + ": has no " + asked.noun + " '" + label + "'; there " +
                                          (list.empty() ? "is none" : "are" + list));
  }
}

}  // namespace

std::vector<ParticipantRuns> select_runs(const BidsDataset& dataset, const RunSelection& selection) {
  const std::vector<Wanted> kept{wanted("sub", "participant", &BidsEntities::subject, selection.participants),
                                 wanted("ses", "session", &BidsEntities::session, selection.sessions),
                                 wanted("task", "task", &BidsEntities::task, selection.tasks),
                                 wanted("run", "run", &BidsEntities::run, selection.runs)};
  const Wanted dropped = wanted("run", "run", &BidsEntities::run, selection.without_runs);
  for (const Wanted& one : kept) check_known(dataset, one);
  check_known(dataset, dropped);

  std::vector<ParticipantRuns> result;
  for (const BidsRun& run : dataset.runs) {
    const bool fits =
        std::ranges::all_of(kept, [&](const Wanted& one) { return one.labels.empty() || one.holds(run); });
    if (!fits || dropped.holds(run)) continue;
    const std::string& id = run.entities.subject;
    if (result.empty() || result.back().id != id) result.push_back({id, {}});
    result.back().runs.push_back(run);
  }
  if (result.empty()) {
    throw Error(ErrorKind::not_found,
                dataset.root.string() + ": no run is all that was asked for; ask for less at once");
  }
  return result;
}

}  // namespace heed::io
