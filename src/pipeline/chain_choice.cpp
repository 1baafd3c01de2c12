// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/pipeline/chain_choice.h>

#include <string>

namespace heed::pipeline {
namespace {

double switch_probability(const ChainChoice& choice, Index speakers, Seconds window) {
  if (choice.switch_probability) return *choice.switch_probability;
  return choice.scaling == SwitchScaling::linear ? hmm::linear_switch_probability(speakers, window)
                                                 : hmm::exact_switch_probability(speakers, window);
}

hmm::Chain chain_without_initial(const ChainChoice& choice, Index speakers, Seconds window) {
  if (!choice.transition) return hmm::Chain::sticky(speakers, switch_probability(choice, speakers, window));
  if (choice.transition->rows() != speakers) {
    const std::string place = choice.transition_file.empty() ? "" : choice.transition_file + ": ";
    throw Error(ErrorKind::bad_data, place + "the transition matrix is for " +
                                         std::to_string(choice.transition->rows()) + " speakers, the scores have " +
                                         std::to_string(speakers) + "; give a row and a column for each speaker");
  }
  return hmm::Chain::make(*choice.transition);
}

}  // namespace

hmm::Chain make_chain(const ChainChoice& choice, Index speakers, Seconds window) {
  const hmm::Chain chain = chain_without_initial(choice, speakers, window);
  return choice.initial.empty() ? chain : chain.with_initial(choice.initial);
}

}  // namespace heed::pipeline
