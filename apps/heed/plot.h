// SPDX-License-Identifier: MIT
// The pictures of the verbs: attention (track), the trade-off (compare), patterns and alignment of a decoder (train,
// bids); and --plot, which writes one to a file.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/decode/alignment.h>
#include <heed/pipeline/compare.h>
#include <heed/report/drawing.h>
#include <io/atomic_file.h>
#include <io/bids/electrodes_file.h>
#include <pipeline/scoring/training.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace heed::app {

struct PlotFlags {
  std::string file;  // empty: no picture is wanted
  std::string title;
  double width = 180;  // millimetres

  [[nodiscard]] bool wanted() const { return !file.empty(); }
};

// A file name of another ending is refused when the command line is read.
void add_plot_flags(CLI::App& verb, PlotFlags& flags, const std::string& picture);

// A file for one more picture; title and width are those of --plot.
void add_plot_file_flag(CLI::App& verb, const std::string& name, std::string& file, const std::string& picture);

// A picture written under a temporary name: if that fails, nothing else has been written yet.
class PendingPlot {
 public:
  PendingPlot(const PlotFlags& flags, const report::Drawing& drawing);
  void commit();

 private:
  std::string path_;
  std::string bytes_;
  std::unique_ptr<io::StagedFile> staged_;  // none for a pipe or device, which is written at once
};

// What was tracked and by which method, for the titles.
struct AttentionPlot {
  const ScoredParticipant& participant;
  const TrackedParticipant& tracked;
  const Model& model;
  std::string scores{};  // the file
  std::string method{};  // "smooth, p = 0.001"
};
report::Drawing attention_drawing(const PlotFlags& flags, const AttentionPlot& plot);

// Of what was tracked while p was unknown. Throws invalid_argument for anything else.
report::Drawing switching_drawing(const PlotFlags& flags, const AttentionPlot& plot);

// `switches`: "as recorded", or how they were made.
report::Drawing trade_off_drawing(const PlotFlags& flags, const pipeline::Comparison& comparison,
                                  const std::string& switches);

// What a decoder responds to, and whether EEG and sound are aligned.
[[nodiscard]] report::Drawing pattern_drawing(const pipeline::ForwardPattern& pattern, const std::string& title,
                                              std::span<const io::PlacedElectrode> electrodes = {});
[[nodiscard]] report::Drawing alignment_drawing(const decode::Alignment& alignment, const std::string& title);

}  // namespace heed::app
