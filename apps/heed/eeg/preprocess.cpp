// SPDX-License-Identifier: MIT
// `heed preprocess`: the signals as decoders take them, as a BIDS folder that other programs read too.
#include <fmt/format.h>
#include <heed/io/model_file.h>
#include <heed/pipeline/prepare.h>

#include <memory>

#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* preprocess_examples = R"(Examples:
  heed preprocess BIDS_DIR -o prepared                     0.5-9 Hz, 64 Hz, average reference; envelopes and onsets
  heed preprocess BIDS_DIR --recipe paper -o prepared      as the paper: 1-9 Hz, envelopes
  heed preprocess BIDS_DIR --reference TP9,TP10 --bad-channels interpolate -o prepared
  heed preprocess BIDS_DIR --resume -o prepared            continue after an interruption

Each run in DIR holds the trials of the original run one after the other, EEG and envelopes band-passed and at one rate.)";

}  // namespace

void add_preprocess(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("preprocess", "Filter, resample and re-reference the signals of a BIDS folder");
  verb->footer(preprocess_examples);
  auto request = std::make_shared<pipeline::PrepareRequest>();
  add_folder_options(*verb, request->folder);
  verb->add_option("-o,--output", request->output, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  verb->add_flag("--resume", request->resume,
                 "Continue in a folder begun earlier: participants that are there stay as they are");
  const Options signals = add_signal_options(*verb, request->decoder);
  add_recipe_option(*verb, request->decoder)->group(signals.front()->get_group());
  verb->get_option("--target")->default_str("both");
  verb->callback([&chosen, request] {
    chosen = [request] {
      const auto result = pipeline::prepare(watched(*request));
      warn(result.notes);
      const int code = conclude(result.participants);
      if (code < exit_usage) {
        tell("{}: written to {}\n", io::describe(result.preprocessing), request->output.string());
      }
      return code;
    };
  });
}

}  // namespace heed::app
