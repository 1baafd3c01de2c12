// SPDX-License-Identifier: MIT
#include "live_flags.h"

#include <heed/data/error.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <initializer_list>

#include "gain_options.h"

namespace heed::app {
namespace {

void add_calibration_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Calibration";
  verb.add_option("--calibrate", flags.calibrate,
                  "Instead of --model: train the decoder in the session, on this many seconds at its start")
      ->check(CLI::Range(1.0, 7200.0))
      ->group(group);
  verb.add_option("--calibrate-by", flags.calibrate_by,
                  "What it is trained on: label-free (attention is not looked at), or labels (attention as the stream "
                  "or markers tell it)")
      ->check(CLI::IsMember({"label-free", "labels"}))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--attend", flags.attention_markers,
                  "MARKER=SPEAKER: a marker, or a trigger's number, that says who is attended from then on")
      ->group(group);
  verb.add_option("--save-decoder", flags.save_decoder,
                  "File to keep the decoder of --calibrate in, or what was learnt with --population, at the end and "
                  "every three minutes; a session continues from what an earlier one kept there")
      ->type_name("FILE")
      ->group(group);
  add_recipe_option(verb, flags.decoder)->group(group);
  add_population_options(verb, flags.population);
  verb.get_option("--population")
      ->description(
          "Learn from the listeners of a file from 'heed population', whose settings become the defaults for "
          "signals and decoder (default: from nobody)");
}

void add_window_flags(CLI::App& verb, LiveFlags& flags) {
  verb.add_option("--window", flags.window,
                  "Seconds per decision, a whole number of quarter seconds (default: 1, or what the stream says)");
  CLI::Option* hop = verb.add_option("--hop", flags.hop,
                                     "Seconds from one window to the next, where windows overlap: a multiple of 0.25 "
                                     "(default: the window's length)");
  verb.add_option("--step", flags.step,
                  "Instead of windows: steps of 0.25, 0.5 or 0.75 s, each measured by the power of the last second")
      ->excludes(hop)
      ->excludes("--window");
  verb.add_option("--lag", flags.lag, "Also decide with this many seconds of hindsight; with 0, only without")
      ->check(refuse_negative)
      ->capture_default_str();
  verb.add_option("--adapt", flags.adapt.word,
                  "on: a decoder that learns while it listens (default with --population; without one it starts from "
                  "nothing); off: the decoder it starts from, unchanged; a number: let the model of --tracking follow "
                  "the listener, half-life in seconds")
      ->type_name("on|off|SECONDS");
}

void add_source_flags(CLI::App& verb, LiveFlags& flags) {
  const auto* group = "Source";
  verb.add_option("--participant", flags.selection.participants, "replay: the participant, 01")->group(group);
  verb.add_option("--session", flags.selection.sessions, "replay: the session")->group(group);
  verb.add_option("--task", flags.selection.tasks, "replay: the task")->group(group);
  verb.add_option("--run", flags.selection.runs, "replay: the run, 01; several follow each other in the order given")
      ->group(group);
  verb.add_option("--speed", flags.speed, "replay, simulated: this many times real time, or max")
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--scores", flags.scores, "The stream holds scores or log-likelihoods, and no decoder is needed")
      ->group(group);
  verb.add_option("--audio", flags.sounds, "SPEAKER=FILE: sound of a speaker for a stream that brings EEG alone")
      ->group(group);
  verb.add_option("--audio-offset", flags.audio_offset,
                  "Seconds from the first EEG sample (or the marker) to the sound")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--rail", flags.rail,
                  "Microvolts beyond which EEG counts as not recorded; recordings are taken as they are")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--marker", flags.marker, "Marker that starts the sound files")->group(group);
}

struct Given {
  const char* option;
  bool given;
};

void refuse_any(std::initializer_list<Given> options, const std::string& why) {
  for (const Given& one : options) {
    if (one.given) throw Error(ErrorKind::invalid_argument, why + "; leave " + one.option + " out");
  }
}

bool has_population(const LiveFlags& flags) {
  return !flags.population.file.empty() && flags.population.file != "none";
}

}  // namespace

// Nothing is passed over in silence: what would mean nothing is refused.
void check_live_flags(const LiveFlags& flags) {
  const io::RunSelection& runs = flags.selection;
  if (flags.page.demo) {
    refuse_any({{"--model", !flags.decoder_file.empty()},
                {"--population", has_population(flags)},
                {"--calibrate", flags.calibrate.has_value()},
                {"--scores", flags.scores},
                {"--save-decoder", !flags.save_decoder.empty()},
                {"--participant", !runs.participants.empty()},
                {"--session", !runs.sessions.empty()},
                {"--task", !runs.tasks.empty()},
                {"--run", !runs.runs.empty()},
                {"--audio", !flags.sounds.empty()},
                {"--attend", !flags.attention_markers.empty()}},
               "--demo brings its own listener, sound and decoder");
  }
  if (flags.scores) {
    refuse_any({{"--population", has_population(flags)}},
               "--scores takes the scores of another decoder, and no signals");
  }
  if (!flags.decoder_file.empty()) {
    refuse_any({{"--population", has_population(flags)}}, "--model is a trained decoder, which stays as it is");
  }
  if (!flags.source.starts_with("replay:")) {
    refuse_any({{"--session", !runs.sessions.empty()}, {"--task", !runs.tasks.empty()}, {"--run", !runs.runs.empty()}},
               "only a folder that is replayed has runs to choose from");
  }
  if (flags.sounds.empty()) {
    refuse_any({{"--marker", !flags.marker.empty()}, {"--audio-offset", flags.audio_offset != 0}},
               "there are no sound files (--audio) that could be started");
  }
  constexpr double day = 86400;
  if (!(std::abs(flags.audio_offset) <= day)) {
    throw Error(ErrorKind::invalid_argument, "--audio-offset: give the seconds from the EEG to the sound, up to a day");
  }
}

void add_live_flags(CLI::App& verb, LiveFlags& flags) {
  verb.add_option("source", flags.source,
                  "replay:DIR, replay:FILE, simulated:, - (NDJSON on standard input), tcp://HOST:PORT, unix:PATH, "
                  "biosemi://HOST:PORT, lsl:NAME")
      ->type_name("URL");
  verb.add_option("-o,--out", flags.outputs,
                  "Sink, may be repeated: tsv:FILE, ndjson:FILE, ndjson:-, tcp://HOST:PORT, unix:PATH, "
                  "mha://HOST:PORT/VARIABLE, osc://HOST:PORT/PATH, lsl")
      ->type_name("URL");
  verb.add_option("--model", flags.decoder_file, "Decoder from 'heed train --filters causal'")->type_name("FILE");
  verb.add_option(
          "--tracking", flags.tracking_file,
          "Model from 'heed track --save-model', or reference: what correlations mean for simulated listeners, a "
          "last resort; without it the emission is adapted to the listener")
      ->type_name("FILE");
  add_window_flags(verb, flags);
  verb.add_option("--record", flags.record,
                  "Folder to keep EEG, sound and decisions in as a BIDS run that 'heed score' decodes again, created "
                  "if it does not exist; or a file that ends in .xdf, as LabRecorder writes them")
      ->type_name("DIR|FILE.xdf");
  verb.add_option("--digits", flags.digits, "Significant digits of tables; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb.add_flag("--json", flags.json, "Counts and latencies as JSON on standard output at the end");
  verb.add_flag("--dry-run", flags.dry_run,
                "Open the source only, and say whether the decoder fits it and how late each stage is");
  add_page_flags(verb, flags.page);
  add_source_flags(verb, flags);
  add_calibration_flags(verb, flags);
  add_cable_flags(verb, flags.cables);
  add_steering_flags(verb, flags.map, flags.steering);
  add_chain_flags(verb, flags.chain);
}

}  // namespace heed::app
