// SPDX-License-Identifier: MIT
// The figures of studies: a measure along a parameter (the paper's Figs 3, 4, 6 and 7), settings compared (Tables II to
// IV), a switch of attention in close-up (Fig. 2). What each shows, as plain data, and the function that draws it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/evaluate/summary.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

struct ParticipantValue {
  std::string participant{};
  double value = 0;
};

struct PlottedValues {
  std::vector<ParticipantValue> participants{};  // faint dots; may be empty
  std::optional<double> mean{};
  std::optional<evaluate::Quartiles> quartiles{};  // the error bar
};

struct PublishedMark {
  double value = 0;
  std::string place{};  // "Table II", shown under the mouse
};

// What a panel measures. Values are multiplied by the factor before they are shown: 100 for per cent.
struct MeasureAxis {
  std::string title{};  // "accuracy"
  std::string unit{};   // "%"
  double factor = 1;
  int decimals = 1;                 // in hints
  std::optional<double> chance{};   // a dashed line named so
  std::optional<double> lowest{};   // the axis begins there at the latest; nothing: by the values
  std::optional<double> highest{};  // likewise
};

// Sweeps: one line per series through means, the interquartile range of the participants as error bars, every
// participant a faint dot, published numbers as open stars. Panels share the axis.
struct SweepPoint {
  double across = 0;
  PlottedValues values{};
  std::optional<PublishedMark> published{};
};

struct SweepPanel {
  MeasureAxis measure{};
  std::vector<std::vector<SweepPoint>> series{};  // [series] in order of `across`
};

struct SweepPicture {
  std::vector<std::string> series{};  // names, told apart by colour and sign
  std::vector<SweepPanel> panels{};   // one to three, side by side where there is room, else below each other
  std::string across{};               // title of the axis, with its unit
  bool logarithmic = false;           // that axis
  bool diagonal = false;              // draw y = x: reliability
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // "simulated": over every figure of simulated data; empty: none
};

// Throws invalid_argument where series and panels do not match or a logarithmic axis meets a value that is not
// positive; bad_data where there is no mean at all.
[[nodiscard]] Drawing draw_sweep(const SweepPicture& picture, const FigureOptions& options = {});

// Strips: one per setting, with every participant as a dot, the mean, the interquartile range as a bar and the
// published number as an open star. One panel per measure, side by side.
struct Strip {
  PlottedValues values{};
  std::optional<PublishedMark> published{};
};

struct StripPanel {
  MeasureAxis measure{};
  std::vector<Strip> strips{};  // one per row
};

struct StripPicture {
  std::vector<std::string> rows{};  // names of the settings, from top to bottom
  std::vector<StripPanel> panels{};
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // as in SweepPicture
};

// Dots of a strip that would hide each other are moved apart up and down. Throws invalid_argument where rows and
// strips do not match, bad_data where there is no value at all.
[[nodiscard]] Drawing draw_strips(const StripPicture& picture, const FigureOptions& options = {});

// Close-ups: the posteriors of each method around a switch, one panel per method on one time axis, the truth as a
// ribbon on top.
struct MethodTrace {
  std::string name{};   // the method
  Matrix posteriors{};  // windows x speakers; a row with NaN is missing
};

// All traces are of the same windows.
struct SwitchPicture {
  std::vector<std::string> speakers{};
  AttentionTrack attention{};
  Seconds onset{};  // of the first window
  Seconds window{1};
  std::vector<MethodTrace> traces{};
  std::string title{};
  std::string subtitle{};
  std::string stamp{};  // as in SweepPicture
};

// Throws invalid_argument where lengths do not match, bad_data without a window.
[[nodiscard]] Drawing draw_switch(const SwitchPicture& picture, const FigureOptions& options = {});

}  // namespace heed::report
