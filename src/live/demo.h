// SPDX-License-Identifier: MIT
// A demonstration that needs no data: a simulated listener between talkers, whose attention wanders until a visitor
// moves it. Nobody calibrates: the decoder starts from three other simulated listeners and learns while it listens
// (docs/adaptation.md). Where windows overlap or are steps, it is trained on other trials of the same listener instead.
// `heed live --demo` shows it on the page (docs/live.md, the demonstration).
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/model.h>
#include <heed/decode/window_sums.h>
#include <heed/live/session.h>
#include <live/page/changes.h>
#include <live/sources/simulated_listener.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heed::live {

struct DemoOptions {
  DemoSetup setup{};
  std::vector<Talker> talkers{};      // one for each of the setup's; empty: the simulator's voices
  std::optional<Seconds> duration{};  // nothing: until it is ended
  decode::WindowLayout window{Seconds{1}};
  std::uint64_t seed = 1;
};

struct DemoStage {
  std::unique_ptr<SimulatedListener> source;
  std::optional<AdaptiveSession> adaptive{};  // nothing: there is a decoder
  std::optional<Decoder> decoder{};
  std::optional<Model> model{};  // of the decoder's scores; nothing for steps: it is learnt as they come
};

// Talkers for the options, from a sound file for each. Throws as talkers_from_files.
[[nodiscard]] std::vector<Talker> demo_talkers(std::span<const std::filesystem::path> files);

// Takes a few seconds.
[[nodiscard]] DemoStage make_demo_stage(const DemoOptions& options);

}  // namespace heed::live
