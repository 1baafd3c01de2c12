// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <study/setting.h>

#include <string>

namespace heed::study {
namespace {

using data::shown;
using pipeline::DecoderKind;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

}  // namespace

void check_together(const Setting& setting) {
  const bool artificial = setting.switches == Switches::artificial;
  const SwitchInterval& interval = setting.switch_interval;
  if (artificial && interval.shortest < setting.window) {
    refuse("switches every " + shown(interval.shortest.value) + " s in windows of " + shown(setting.window.value) +
           " s; choose shorter windows or a longer switch_interval");
  }
  if (setting.calibrated && setting.emission != pipeline::EmissionFit::labels) {
    refuse(
        "calibrated with an emission fitted without labels; calibration needs labels: write calibrated in a grid of "
        "its own, with emission labels");
  }
  const bool dependent = setting.dependence != pipeline::DependenceChoice::none;
  if (dependent && (setting.calibrated || setting.evidence != 1)) {
    refuse(
        "a dependence together with calibrated or evidence; each makes up for repeated scores: write them in grids "
        "of their own");
  }
  if (is_p_unknown(setting) && setting.calibrated) {
    refuse("switch_probability auto together with calibrated; leave one out");
  }
  if (setting.recipe != pipeline::Recipe::paper && setting.decoder && setting.decoder != DecoderKind::least_squares) {
    refuse("recipe " + std::string(pipeline::name(setting.recipe)) + " is one of least squares; leave decoder out");
  }
  const ListeningSetting& listening = setting.listening;
  if (listening.learning != Learning::labels && setting.recipe != pipeline::Recipe::heed) {
    refuse("learning other than labels needs recipe heed");
  }
  if (needs_labels(listening.learning) && listening.disturbance != Disturbance::none) {
    refuse(
        "a disturbance would be in what the decoder is trained on, too; it needs learning population, adaptive or "
        "nothing");
  }
  const bool of_cca = setting.lda == decode::DiscriminantForm::difference;
  if (of_cca &&
      (setting.decoder.value_or(DecoderKind::cca) != DecoderKind::cca || setting.recipe != pipeline::Recipe::paper)) {
    refuse("lda difference is a form of CCA's discriminant; leave decoder and recipe out");
  }
  if ((of_cca || setting.columns == ScoreColumns::difference) && setting.speakers.value_or(2) != 2) {
    refuse("a difference with " + std::to_string(*setting.speakers) + " speakers; it is for two");
  }
  const double most = 1.0 / setting.speakers.value_or(2);
  if (setting.switch_probability > most) {
    refuse("switch_probability " + shown(*setting.switch_probability) + " with " +
           std::to_string(setting.speakers.value_or(2)) + " speakers; it is at most one divided by their number, " +
           shown(most));
  }
  if (setting.switch_probability || setting.switch_rule != SwitchRule::once_an_interval) return;
  if (!artificial) refuse("switch_probability once-an-interval needs a switch_interval in seconds, e.g. 60");
  const double p = setting.window / (0.5 * (interval.shortest + interval.longest));
  if (p > most) refuse("once an interval is a switch_probability of " + shown(p) + ", more than " + shown(most));
}

}  // namespace heed::study
