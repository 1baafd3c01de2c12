// SPDX-License-Identifier: MIT
// A web page of results in one file: sections of words, facts, tables and figures, and where they came from. It
// loads nothing, so it can be mailed and kept. The same page gives the same bytes: no date but the one given.
// All text is plain text; what HTML would take for markup is escaped here.
#pragma once

#include <heed/report/drawing.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::report {

struct Paragraph {
  std::string text{};
};

struct Fact {
  std::string name{};
  std::string value{};  // with its unit; empty: n/a
};

struct Facts {
  std::vector<Fact> facts{};
};

// To another file of the same study.
struct Link {
  std::string text{};
  std::string target{};  // relative, e.g. "sub-01/sub-01_report.html"
  friend bool operator==(const Link&, const Link&) = default;
};

// Nothing, a number that is nothing, and NaN are shown as n/a.
using TableCell = std::variant<std::monostate, std::optional<double>, std::string, Link>;

struct Column {
  std::string heading{};
  std::string unit{};   // in brackets after the heading; empty: none
  int decimals = 1;     // of its numbers
  double factor = 1;    // numbers are multiplied by it: 100 for shares shown as per cent
  bool numbers = true;  // aligned to the right, as is text among them; else to the left
  std::string group{};  // neighbours of the same group stand under one heading; empty: none
};

struct Table {
  std::string caption{};
  std::vector<Column> columns{};  // the first one names the rows
  std::vector<std::vector<TableCell>> rows{};
  bool folded = false;  // opened by its caption
  std::string kind{};   // a class of page.css that lays it out otherwise on narrow screens; empty: none
};

// The alternative text is the drawing's title and description.
struct Figure {
  Drawing drawing{};
  std::string caption{};
  std::optional<Drawing> narrow{};  // the same for narrow screens; nothing: the wide one scrolls there
  std::vector<Link> files{};        // named after the caption
  std::string data{};               // JSON for the page's scripts; empty: none
};

enum class Tone { note, good, warning };

// A line that must not be overlooked.
struct Callout {
  std::string text{};
  Tone tone = Tone::note;
};

// A claim, and whether it holds; nothing: it cannot be told.
struct Verdict {
  std::optional<bool> holds{};
  std::string text{};
  std::string evidence{};
  std::string place{};      // where it was made; empty: not shown
  std::string elsewhere{};  // what other cohorts say; empty: nothing is known
};

// "holds", "does not hold" or "cannot be told"
[[nodiscard]] std::string_view verdict_words(std::optional<bool> holds) noexcept;

struct Verdicts {
  std::vector<Verdict> verdicts{};
  std::string summary{};  // folded, and opened by these words; empty: open
};

// A file name or a command: set as it is, in letters of one width.
struct Code {
  std::string text{};
};

using Block = std::variant<Paragraph, Facts, Table, Figure, Callout, Code, Verdicts>;

struct Section {
  std::string heading{};
  std::vector<Block> blocks{};
  std::string place{};  // small print under the heading; empty: none
};

struct DataDigest {
  std::string name{};    // a participant, whose files are digested together
  std::string digest{};  // e.g. "sha256:..."
};

struct Provenance {
  std::string command{};  // that made the page
  std::string version{};  // of heed
  std::vector<DataDigest> data{};
  std::string date{};  // empty: not shown
};

// A file of web/ or of uPlot, if heed was built with it: trusted, and written as it is.
struct WebAsset {
  std::string_view name{};  // "report.css", "uplot.js"
  std::string_view text{};
  std::string_view sha256{};  // of the text, in hexadecimal digits: the page's policy lets no other script run
};

// Scripts in the order in which they must run; cmake/write_web_assets.cmake writes the definition.
[[nodiscard]] std::span<const WebAsset> web_assets() noexcept;

struct LeadParagraph {
  std::string text{};
  std::vector<std::string> points{};  // below it; without any, the text says it all
};

struct Page {
  std::string title{};
  std::string subtitle{};
  std::string banner{};               // a warning about all that follows; empty: none
  std::vector<LeadParagraph> lead{};  // what to know if no more is read, before the links to sections
  std::vector<Section> sections{};    // with two or more, the page begins with links to them
  Provenance provenance{};
  std::string style{};  // CSS after that of every page (page.css)
  std::vector<WebAsset> scripts{};
};

// HTML5, UTF-8. Throws invalid_argument for a row that does not have one cell per column, for a link that is not
// relative (absolute, or with a colon), and for a script whose digest is malformed.
[[nodiscard]] std::string html_text(const Page& page);

}  // namespace heed::report
