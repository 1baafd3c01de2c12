// SPDX-License-Identifier: MIT
// One task, so many times over: what callgrind counts. check_instructions.py takes the difference of two
// counts, so that setting up does not matter.
#include <heed/hmm/batch.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workload.h"

namespace {

using namespace heed;

constexpr Index windows = 600;

struct Case {
  explicit Case(Index states)
      : chain(hmm::Chain::sticky(states, bench::switch_probability)),
        input(bench::evidence(windows, states)),
        posterior(windows, states) {}
  hmm::Chain chain;
  Matrix input;
  Matrix posterior;
};

template <typename Workspace, typename Into>
void repeat(Index states, int times, Workspace& workspace, Into into) {
  Case one(states);
  for (int k = 0; k < times; ++k) {
    into(one.chain, data::view(std::as_const(one.input)), workspace, data::view(one.posterior));
  }
}

void viterbi(int times) {
  Case one(2);
  hmm::ViterbiWorkspace workspace(windows, 2);
  std::vector<Speaker> path(static_cast<std::size_t>(windows));
  for (int k = 0; k < times; ++k) {
    hmm::viterbi_into(one.chain, data::view(std::as_const(one.input)), workspace, path);
  }
}

void batch(int times) {
  constexpr Index sequences = 16;
  const auto chain = hmm::Chain::sticky(2, bench::switch_probability);
  const Matrix input = bench::evidence(sequences * windows, 2);
  Matrix posterior(sequences * windows, 2);
  const std::vector<Index> lengths(static_cast<std::size_t>(sequences), windows);
  std::vector<hmm::SequenceSummary> summaries(lengths.size());
  hmm::SmoothWorkspace workspace;
  workspace.prepare_batch(windows, 2);
  for (int k = 0; k < times; ++k) {
    hmm::smooth_batch_into(chain, {data::view(input), lengths}, workspace, {data::view(posterior), summaries});
  }
}

const std::map<std::string, std::function<void(int)>> tasks{{"filter",
                                                             [](int times) {
                                                               hmm::FilterWorkspace w(2);
                                                               repeat(2, times, w, hmm::filter_into);
                                                             }},
                                                            {"smooth",
                                                             [](int times) {
                                                               hmm::SmoothWorkspace w(windows, 2);
                                                               repeat(2, times, w, hmm::smooth_into);
                                                             }},
                                                            {"smooth-8",
                                                             [](int times) {
                                                               hmm::SmoothWorkspace w(windows, 8);
                                                               repeat(8, times, w, hmm::smooth_into);
                                                             }},
                                                            {"expectation",
                                                             [](int times) {
                                                               hmm::ExpectationWorkspace w(windows, 2);
                                                               repeat(2, times, w, hmm::expectation_into);
                                                             }},
                                                            {"viterbi", viterbi},
                                                            {"batch", batch}};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const auto& [name, run] : tasks) std::printf("%s\n", name.c_str());
    return 0;
  }
  const auto task = tasks.find(argv[1]);
  if (argc != 3 || task == tasks.end()) return 2;
  task->second(std::atoi(argv[2]));
  return 0;
}
