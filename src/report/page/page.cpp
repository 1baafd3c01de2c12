// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/report/drawing.h>
#include <report/page/page.h>
#include <report/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heed::report {
namespace {

constexpr std::size_t digest_bytes = 32;
using Digest = std::array<std::uint8_t, digest_bytes>;

Digest parse_digest(std::string_view hex) {
  Digest bytes{};
  bool good = hex.size() == 2 * digest_bytes;
  for (std::size_t k = 0; good && k < digest_bytes; ++k) {
    const std::string_view two = hex.substr(2 * k, 2);
    const auto [end, fault] = std::from_chars(two.data(), two.data() + two.size(), bytes.at(k), 16);
    good = fault == std::errc{} && end == two.data() + two.size();
  }
  if (!good) {
    throw Error(ErrorKind::invalid_argument,
                "'" + std::string(hex) + "' is not the SHA-256 digest of a script; give 64 hexadecimal digits");
  }
  return bytes;
}

// Three bytes are four letters of six bits; what is missing of the last three is said by '='.
std::string base64(const Digest& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = (bits << 8U) | (i < count ? bytes.at(k + i) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? letters[(bits >> (18 - (6 * i))) & 63U] : '=';
  }
  return text;
}

constexpr std::string_view missing = "n/a";

// "; script-src 'sha256-...'", by the digests of the scripts; empty without any.
std::string allowed_scripts(const std::vector<WebAsset>& scripts) {
  std::string policy;
  for (const WebAsset& script : scripts) policy += " 'sha256-" + base64(parse_digest(script.sha256)) + "'";
  return policy.empty() ? "" : "; script-src" + policy;
}

// <name attributes>text</name>, the text escaped.
std::string element(std::string_view name, std::string_view text, std::string_view attributes = "") {
  std::string result = "<";
  result.append(name).append(attributes.empty() ? "" : " ").append(attributes).append(">");
  return result.append(escaped(text)).append("</").append(name).append(">");
}

// A box that scrolls can be reached and scrolled by keys, and says what it is.
std::string scrolling(std::string_view kind, std::string_view name) {
  std::string result = "<div class=\"";
  result.append(kind).append(R"(" role="region" tabindex="0" aria-label=")");
  return result.append(escaped(name)).append("\">\n");
}

// Relative: a page and what it leads to are copied together.
std::string safe_target(const Link& link) {
  const std::string_view target = link.target;
  const bool leads_out =
      target.empty() || target.starts_with('/') || target.find_first_of(":\\") != std::string_view::npos;
  if (leads_out) {
    throw Error(ErrorKind::invalid_argument, "the link '" + link.text + "' leads to '" + link.target +
                                                 "'; give a file name relative to the page, with / between folders");
  }
  // Signs that mean something in an address are meant as they stand.
  std::string address;
  for (const char c : target) {
    if (c == '%' || c == '?' || c == '#' || c == ' ') {
      address += c == '%' ? "%25" : c == '?' ? "%3F" : c == '#' ? "%23" : "%20";
    } else {
      address += c;
    }
  }
  return escaped(address);
}

std::string anchor(const Link& link) { return "<a href=\"" + safe_target(link) + "\">" + escaped(link.text) + "</a>"; }

struct ShownCell {
  std::string html{};
  bool missing = false;
};

ShownCell shown(const TableCell& cell, const Column& column) {
  if (const auto* number = std::get_if<std::optional<double>>(&cell)) {
    if (!*number || !std::isfinite(**number)) return {std::string(missing), true};
    return {fixed_label(column.factor * **number, column.decimals), false};
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return {escaped(*text), false};
  if (const auto* link = std::get_if<Link>(&cell)) {
    return {anchor(*link), false};
  }
  return {std::string(missing), true};
}

// Columns without a group are headed in the second row only.
std::string group_row(const std::vector<Column>& columns) {
  if (std::ranges::all_of(columns, [](const Column& column) { return column.group.empty(); })) return "";
  std::string html = "<tr>";
  for (std::size_t k = 0; k < columns.size();) {
    std::size_t end = k + 1;
    while (end < columns.size() && columns[end].group == columns[k].group) ++end;
    const std::string span = "colspan=\"" + std::to_string(end - k) + "\"";
    html += columns[k].group.empty() ? element("td", "", span)
                                     : element("th", columns[k].group, R"(scope="colgroup" class="group" )" + span);
    k = end;
  }
  return html + "</tr>\n";
}

std::string table_head(const std::vector<Column>& columns) {
  std::string html = "<thead>" + group_row(columns) + "<tr>";
  for (const Column& column : columns) {
    html += std::string("<th scope=\"col\"") + (column.numbers ? " class=\"number\"" : "") + ">";
    html += escaped(column.heading);
    if (!column.unit.empty()) html += " " + element("span", "(" + column.unit + ")", "class=\"unit\"");
    html += "</th>";
  }
  return html + "</tr></thead>\n";
}

// A table that is laid out otherwise on narrow screens has no headings there: every cell carries its own.
std::string table_row(const std::vector<TableCell>& cells, const std::vector<Column>& columns, bool labelled) {
  std::string html = "<tr>";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const ShownCell cell = shown(cells[k], columns[k]);
    std::string classes = columns[k].numbers ? "number" : "";
    if (cell.missing) classes += classes.empty() ? "missing" : " missing";
    const std::string name = k == 0 ? "th" : "td";
    html += "<" + name + (k == 0 ? " scope=\"row\"" : "");
    if (!classes.empty()) html += " class=\"" + classes + "\"";
    if (labelled && k > 0) html += " data-label=\"" + escaped(columns[k].heading) + "\"";
    html += ">" + cell.html + "</" + name + ">";
  }
  return html + "</tr>\n";
}

std::string written(const Table& table) {
  const std::string& name = table.caption.empty() ? "Table" : table.caption;
  std::string html = table.folded ? "<details>" + element("summary", name) + "\n" : "";
  html += scrolling("scroll", name) + "<table" + (table.kind.empty() ? "" : " class=\"" + table.kind + "\"") + ">\n";
  if (!table.caption.empty()) html += element("caption", table.caption) + "\n";
  html += table_head(table.columns) + "<tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size()) {
      throw Error(ErrorKind::invalid_argument, "table '" + table.caption + "', row " + std::to_string(row + 1) + ": " +
                                                   std::to_string(table.rows[row].size()) + " cells for " +
                                                   std::to_string(table.columns.size()) + " columns; give one each");
    }
    html += table_row(table.rows[row], table.columns, !table.kind.empty());
  }
  return html + "</tbody>\n</table>\n</div>\n" + (table.folded ? "</details>\n" : "");
}

std::string written(const Paragraph& paragraph) { return element("p", paragraph.text) + "\n"; }

std::string written(const Code& code) { return "<pre tabindex=\"0\">" + element("code", code.text) + "</pre>\n"; }

// Escaped. Browsers end a line after the hyphens of --switch-every, of which nobody could make an option again.
std::string with_whole_options(std::string_view text) {
  std::string html;
  for (std::size_t at = text.find(" --"); at != std::string_view::npos; at = text.find(" --")) {
    const std::size_t end = std::min(text.find_first_of(" ,;:)", at + 1), text.size());
    html += escaped(text.substr(0, at + 1)) + element("span", text.substr(at + 1, end - at - 1), "class=\"whole\"");
    text.remove_prefix(end);
  }
  return html + escaped(text);
}

std::string written(const Callout& note) {
  const std::string tone = note.tone == Tone::warning ? " warning" : note.tone == Tone::good ? " good" : "";
  const std::string word = note.tone == Tone::warning ? "Warning:" : note.tone == Tone::good ? "Good:" : "Note:";
  return "<p class=\"note" + tone + "\">" + element("strong", word) + " " + with_whole_options(sentence(note.text)) +
         "</p>\n";
}

std::string written(const Facts& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const Fact& fact : facts.facts) {
    html += element("dt", fact.name);
    html += fact.value.empty() ? element("dd", missing, "class=\"missing\"") : element("dd", fact.value);
    html += "\n";
  }
  return html + "</dl>\n";
}

std::string card(Drawing drawing, std::string_view kind) {
  const std::string name = drawing.title.empty() ? "Figure" : drawing.title;
  // Read aloud as one: browsers pass on the name of a picture, but often not its description.
  if (!drawing.description.empty()) drawing.title += (drawing.title.empty() ? "" : ". ") + drawing.description;
  return scrolling(kind, name) + svg_element(drawing) + "</div>\n";
}

std::string figure_caption(const Figure& figure) {
  if (figure.caption.empty() && figure.files.empty()) return "";
  std::string html = "<figcaption>" + escaped(figure.caption);
  if (!figure.files.empty()) {
    html += (figure.caption.empty() ? "" : " ") + std::string("<span class=\"files\">");
    for (std::size_t k = 0; k < figure.files.size(); ++k) html += (k == 0 ? "" : " \u00b7 ") + anchor(figure.files[k]);
    html += "</span>";
  }
  return html + "</figcaption>\n";
}

// Within JSON the sign can only be part of a text, where its number means the same.
std::string safe_json(std::string_view json) {
  std::string result;
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

std::string written(const Figure& figure) {
  std::string html = "<figure>\n" + card(figure.drawing, figure.narrow ? "card wide" : "card");
  if (figure.narrow) html += card(*figure.narrow, "card narrow");
  if (!figure.data.empty()) {
    html += R"(<script type="application/json" class="trace">)" + safe_json(figure.data) + "</script>\n";
  }
  return html + figure_caption(figure) + "</figure>\n";
}

// Neither "p = 0.04" nor "94.0 %" is torn apart at the end of a line.
std::string kept_together(std::string text) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [torn, whole] : {Pair{" = ", "\u00a0=\u00a0"}, Pair{" %", "\u00a0%"}}) {
    for (std::size_t at = text.find(torn); at != std::string::npos; at = text.find(torn, at + whole.size())) {
      text.replace(at, torn.size(), whole);
    }
  }
  return text;
}

std::string written(const Verdicts& list) {
  std::string html = list.summary.empty() ? "" : "<details>" + element("summary", list.summary) + "\n";
  html += "<ul class=\"verdicts\">\n";
  for (const Verdict& one : list.verdicts) {
    const std::string kind = !one.holds ? "unknown" : *one.holds ? "holds" : "fails";
    const std::string_view sign = !one.holds ? "?" : *one.holds ? "\u2713" : "\u2717";
    const std::string word = std::string(verdict_words(one.holds)) + (one.holds ? "" : " here");
    html += "<li class=\"" + kind + R"("><span class="sign" aria-hidden="true">)" + std::string(sign) + "</span> ";
    html += "<div>" + escaped(one.text);
    if (!one.place.empty()) html += " " + element("span", one.place, "class=\"place\"");
    html += "<br>" + element("strong", word);
    if (!one.evidence.empty()) html += ": " + kept_together(escaped(one.evidence));
    if (!one.elsewhere.empty()) html += "<br>" + element("span", "Elsewhere: " + one.elsewhere, "class=\"place\"");
    html += "</div></li>\n";
  }
  return html + "</ul>\n" + (list.summary.empty() ? "" : "</details>\n");
}

std::string written(const Provenance& provenance) {
  constexpr std::size_t most_open = 10;
  std::string html = "<footer>\n<h2>Provenance</h2>\n<dl class=\"facts\">\n";
  const auto fact = [&](std::string_view name, const std::string& value, std::string_view kind) {
    if (!value.empty()) html += element("dt", name) + "<dd>" + element(kind, value) + "</dd>\n";
  };
  fact("Command", provenance.command, "code");
  fact("heed", provenance.version, "span");
  fact("Date", provenance.date, "span");
  html += "</dl>\n";
  if (!provenance.data.empty()) {
    const std::size_t count = provenance.data.size();
    html += std::string("<details") + (count <= most_open ? " open" : "") +
            "><summary>Data read: " + counted(count, "participant") + "</summary>\n";
    html += "<dl class=\"facts\">\n";
    for (const DataDigest& one : provenance.data) {
      html += element("dt", one.name) + "<dd>" + element("code", one.digest.empty() ? missing : one.digest) + "</dd>\n";
    }
    html += "</dl>\n</details>\n";
  }
  return html + "</footer>\n";
}

std::string section_id(std::size_t k) { return "section-" + std::to_string(k + 1); }

std::string contents(const std::vector<Section>& sections) {
  if (sections.size() < 2) return "";
  std::string html = "<nav aria-label=\"Sections\">\n<ul>\n";
  for (std::size_t k = 0; k < sections.size(); ++k) {
    html += "<li>" + element("a", sections[k].heading, "href=\"#" + section_id(k) + "\"") + "</li>\n";
  }
  return html + "</ul>\n</nav>\n";
}

std::string written(const LeadParagraph& paragraph) {
  std::string html = element("p", paragraph.text, "class=\"lead\"") + "\n";
  if (paragraph.points.empty()) return html;
  html += "<ul class=\"lead\">\n";
  for (const std::string& point : paragraph.points) html += element("li", point) + "\n";
  return html + "</ul>\n";
}

std::string_view page_style() {
  return std::ranges::find(web_assets(), std::string_view("page.css"), &WebAsset::name)->text;
}

std::string head(const Page& page) {
  // The policy makes the promise: whatever is written here, nothing is fetched, and nothing runs but the page's
  // scripts.
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'" +
         allowed_scripts(page.scripts) +
         "\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n" +
         element("title", page.title.empty() ? "heed" : page.title) + "\n<style>" + std::string(page_style()) +
         page.style + "</style>\n</head>\n";
}

}  // namespace

std::string_view verdict_words(std::optional<bool> holds) noexcept {
  return !holds ? "cannot be told" : *holds ? "holds" : "does not hold";
}

std::string html_text(const Page& page) {
  std::string html = head(page) + "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n";
  html += element("h1", page.title.empty() ? "heed" : page.title) + "\n";
  if (!page.subtitle.empty()) html += element("p", page.subtitle, "class=\"subtitle\"") + "\n";
  if (!page.banner.empty()) html += element("p", page.banner, "class=\"banner\"") + "\n";
  for (const LeadParagraph& paragraph : page.lead) html += written(paragraph);
  html += contents(page.sections) + "</header>\n<main id=\"main\">\n";
  for (std::size_t k = 0; k < page.sections.size(); ++k) {
    const std::string id = section_id(k);
    html += "<section aria-labelledby=\"" + id + "\">\n";
    html += element("h2", page.sections[k].heading, "id=\"" + id + "\"") + "\n";
    if (!page.sections[k].place.empty()) html += element("p", page.sections[k].place, "class=\"place\"") + "\n";
    for (const Block& block : page.sections[k].blocks) {
      html += std::visit([](const auto& one) { return written(one); }, block);
    }
    html += "</section>\n";
  }
  html += "</main>\n" + written(page.provenance);
  for (const WebAsset& script : page.scripts) html += "<script>" + std::string(script.text) + "</script>\n";
  return html + "</body>\n</html>\n";
}

}  // namespace heed::report
