// SPDX-License-Identifier: MIT
// --plot of `heed track` and `heed compare`: results in, a picture in a file out.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/pipeline/compare.h>
#include <heed/report/drawing.h>
#include <io/atomic_file.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

namespace heed::app {

struct PlotFlags {
  std::string file;  // empty: none is wanted
  std::string title;
  double width = 180;  // millimetres

  [[nodiscard]] bool wanted() const { return !file.empty(); }
};

// An ending that names no kind of picture is refused when the line is read.
void add_plot_flags(CLI::App& verb, PlotFlags& flags, const std::string& picture);

// A picture written under a temporary name: where it cannot be, nothing else has been written yet either.
class PendingPlot {
 public:
  PendingPlot(const PlotFlags& flags, const report::Drawing& drawing);
  void commit();

 private:
  std::string path_;
  std::string bytes_;
  std::unique_ptr<io::StagedFile> staged_;  // none for a pipe or device, which is written at once
};

// What was tracked, and how, as the titles tell it.
struct AttentionPlot {
  const ScoredParticipant& participant;
  const TrackedParticipant& tracked;
  const Model& model;
  std::string scores{};  // the file
  std::string method{};  // "smooth, p = 0.001"
};
report::Drawing attention_drawing(const PlotFlags& flags, const AttentionPlot& plot);

// `switches`: "as recorded", or how they were made.
report::Drawing trade_off_drawing(const PlotFlags& flags, const pipeline::Comparison& comparison,
                                  const std::string& switches);

}  // namespace heed::app
