// SPDX-License-Identifier: MIT
// `heed study status`: how far a plan is, told from its files.
#include <fmt/format.h>
#include <study/plan/plan_status.h>

#include <cmath>
#include <memory>

#include "exit_code.h"
#include "json_value.h"
#include "studies/study_verbs.h"
#include "terminal.h"

namespace heed::app {
namespace {

struct StatusFlags {
  std::string plan;
  bool json = false;
};

std::optional<double> seconds_left(const study::PlanStatus& status) {
  return status.left ? std::optional(status.left->count()) : std::nullopt;
}

std::string left_text(const study::PlanStatus& status) {
  if (status.done == status.results) return "finished";
  const auto left = seconds_left(status);
  if (!left) return "time left: unknown";
  const auto seconds = std::llround(*left);
  constexpr long long minute = 60;
  constexpr long long hour = 60 * minute;
  const std::string time = seconds < 2 * minute ? fmt::format("{} s", seconds)
                           : seconds < 2 * hour ? fmt::format("{} min", seconds / minute)
                                                : fmt::format("{} h {} min", seconds / hour, seconds % hour / minute);
  return fmt::format("time left: {}, at {:.3g} results per second", time, *status.rate);
}

void print_json(const study::Plan& plan, const study::PlanStatus& status) {
  auto participants = nlohmann::ordered_json::array();
  for (const study::ParticipantStatus& one : status.participants) {
    participants.push_back({{"id", one.id},
                            {"speakers", one.speakers},
                            {"results", one.results},
                            {"done", one.done},
                            {"damaged", one.damaged}});
  }
  fmt::print("{}", json_text({{"study", plan.study().name},
                              {"cohort", plan.cohort_in_words()},
                              {"settings", plan.grid().settings().size()},
                              {"results", status.results},
                              {"done", status.done},
                              {"finished", status.finished},
                              {"damaged", status.damaged},
                              {"rate", json_value(status.rate)},
                              {"seconds_left", json_value(seconds_left(status))},
                              {"participants", participants}}));
}

void print_table(const study::Plan& plan, const study::PlanStatus& status) {
  say("{} on {}\n\n", plan.study().name, plan.cohort_in_words());
  TextTable table({"participant", "done", "of"});
  for (const study::ParticipantStatus& one : status.participants) {
    table.add({"sub-" + one.id, std::to_string(one.done), std::to_string(one.results)});
  }
  say("{}\n{} of {} and {} of {} done, {}\n", table.text(), status.finished,
      count_text(status.participants.size(), "participant"), status.done, count_text(status.results, "result"),
      left_text(status));
  if (status.damaged > 0) {
    say("the results of {} are damaged; 'heed study run' makes them again\n",
        count_text(status.damaged, "participant"));
  }
}

int run_status(const StatusFlags& flags) {
  const study::PlanFolder folder(flags.plan);
  const study::PlanStatus status = study::plan_status(folder);
  (flags.json ? print_json : print_table)(folder.plan(), status);
  return exit_success;
}

}  // namespace

void add_study_status(CLI::App& study, Chosen& chosen) {
  CLI::App* verb = study.add_subcommand("status", "Show the progress of a plan");
  verb->footer("Examples:\n  heed study status plan\n  heed study status plan --json");
  auto flags = std::make_shared<StatusFlags>();
  verb->add_option("PLAN", flags->plan, "Folder from 'heed study plan'")->required();
  verb->add_flag("--json", flags->json, "Print the progress as JSON");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_status(*flags); }; });
}

}  // namespace heed::app
