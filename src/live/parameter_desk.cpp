// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/parameter_desk.h>

#include <string>
#include <utility>

namespace heed::live {
namespace {

void check_range(const char* name, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  throw Error(ErrorKind::invalid_argument, std::string(name) + " must be from " + data::shown(lowest) + " to " +
                                               data::shown(highest) + ", not " + data::shown(value));
}

}  // namespace

SessionParameters changed(SessionParameters parameters, const ParameterChange& change) {
  auto& gains = parameters.steering.gains;
  if (change.switch_probability) {
    auto& chain = parameters.tracking.chain;
    if (chain.transition) {
      throw Error(ErrorKind::invalid_argument, "the chain is given as a matrix, so its p cannot be changed");
    }
    check_range("the switch probability", *change.switch_probability, least_switch_probability,
                most_switch_probability);
    chain.switch_probability = change.switch_probability;
    chain.unknown_switch_probability = false;
  }
  gains.enhanced_decibel = change.enhanced_decibel.value_or(gains.enhanced_decibel);
  gains.suppressed_decibel = change.suppressed_decibel.value_or(gains.suppressed_decibel);
  check_range("the gain of the attended talker", gains.enhanced_decibel, gains.lowest_decibel, gains.highest_decibel);
  check_range("the gain of the other talkers", gains.suppressed_decibel, gains.lowest_decibel, gains.enhanced_decibel);
  parameters.steering.paused = change.paused.value_or(parameters.steering.paused);
  return parameters;
}

ParameterDesk::ParameterDesk(Session& session, SessionParameters parameters)
    : session_(session), parameters_(std::move(parameters)) {
  // A default that nobody chose is told, too; the session can be asked while it stands still.
  auto& chain = parameters_.tracking.chain;
  const bool chosen = chain.transition || chain.switch_probability || chain.unknown_switch_probability;
  if (!chosen) chain.switch_probability = session.switch_probability();
}

SessionParameters ParameterDesk::parameters() const {
  const std::lock_guard lock(mutex_);
  return parameters_;
}

SessionParameters ParameterDesk::change(const ParameterChange& change) {
  const std::lock_guard lock(mutex_);
  SessionParameters fresh = changed(parameters_, change);
  session_.offer(session_.make_parameters(fresh.tracking, fresh.steering));
  parameters_ = std::move(fresh);
  return parameters_;
}

void ParameterDesk::hand_over(const Decoder& decoder) {
  const std::lock_guard lock(mutex_);
  session_.offer(session_.make_parameters(parameters_.tracking, parameters_.steering, &decoder));
}

}  // namespace heed::live
