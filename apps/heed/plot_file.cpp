// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/report/render.h>

#include "plot.h"

namespace heed::app {
namespace {

std::string refuse_other_endings(const std::string& file) {
  try {
    (void)report::figure_format(file);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

void add_plot_flags(CLI::App& verb, PlotFlags& flags, const std::string& picture) {
  const auto* group = "Picture";
  verb.add_option("--plot", flags.file, "Draw " + picture + " to a file that ends in .svg, .pdf or .png")
      ->type_name("FILE")
      ->check(refuse_other_endings)
      ->group(group);
  verb.add_option("--plot-title", flags.title, "Title of the picture, instead of what was drawn")
      ->type_name("TEXT")
      ->group(group);
  verb.add_option("--plot-width", flags.width,
                  "Width of the picture in millimetres; letters keep their size, so give the width it is printed at")
      ->check(CLI::Range(70, 2000))
      ->capture_default_str()
      ->group(group);
}

PendingPlot::PendingPlot(const PlotFlags& flags, const report::Drawing& drawing)
    : path_(flags.file), bytes_(report::render(drawing, report::figure_format(flags.file))) {
  if (!io::is_output_stream(path_)) staged_ = std::make_unique<io::StagedFile>(path_, bytes_);
}

void PendingPlot::commit() { staged_ ? staged_->commit() : io::write_text_file(path_, bytes_); }

}  // namespace heed::app
