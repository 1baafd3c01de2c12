// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/page/page.h>
#include <support/expect_error.h>
#include <support/html_check.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace heed::report {
namespace {

using test::count_of;
using test::expect_error;
using test::expect_good_html;
using test::has;

std::string page_style() {
  const auto found = std::ranges::find(web_assets(), std::string_view("page.css"), &WebAsset::name);
  return std::string(found->text);
}

Page page_of(std::vector<Block> blocks) {
  return {.title = "Results", .subtitle = "", .sections = {{"First", std::move(blocks)}}, .provenance = {}};
}

Drawing small_drawing() {
  return {.width = 100,
          .height = 50,
          .title = "A title",
          .description = "Two lines cross.",
          .groups = {{"title", {Text{.at = {1, 2}, .text = "x < y"}}}}};
}

TEST(Page, HoldsEveryKindOfBlock) {
  const std::string html =
      html_text(page_of({Paragraph{"Words."}, Facts{{{"Window", "1 s"}, {"Decoder", ""}}},
                         Figure{small_drawing(), "Seen here."}, Callout{"Mind this.", Tone::warning},
                         Callout{"All well.", Tone::good}, Callout{"By the way."}, Code{"heed track"}}));
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<h1>Results</h1>"));
  EXPECT_TRUE(has(html, "<p>Words.</p>"));
  EXPECT_TRUE(has(html, "<dt>Window</dt><dd>1 s</dd>"));
  EXPECT_TRUE(has(html, "<dt>Decoder</dt><dd class=\"missing\">n/a</dd>"));
  EXPECT_TRUE(has(html, "<figcaption>Seen here.</figcaption>"));
  EXPECT_TRUE(has(html, "aria-label=\"A title. Two lines cross.\"")) << "what a screen reader says of the picture";
  EXPECT_FALSE(has(html, "<?xml"));
  EXPECT_TRUE(has(html, "<p class=\"note warning\"><strong>Warning:</strong> Mind this.</p>"));
  EXPECT_TRUE(has(html, "<p class=\"note good\"><strong>Good:</strong> All well.</p>"));
  EXPECT_TRUE(has(html, "<p class=\"note\"><strong>Note:</strong> By the way.</p>"));
  EXPECT_TRUE(has(html, "<code>heed track</code>"));
}

TEST(Page, OptionsInNotesAreNotTornApart) {
  const auto html = html_text(page_of({Callout{"no <switch>; --switch-every 60 makes some (or --join)"}}));
  expect_good_html(html);
  EXPECT_TRUE(has(html,
                  "No &lt;switch&gt;; <span class=\"whole\">--switch-every</span> 60 makes some (or "
                  "<span class=\"whole\">--join</span>).</p>"));
}

TEST(Page, TablesShowUnitsAndWhatIsMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Table table{.caption = "All",
                    .columns = {{.heading = "who", .numbers = false},
                                {.heading = "accuracy", .unit = "%", .decimals = 1, .factor = 100},
                                {.heading = "time", .unit = "s", .decimals = 2}},
                    .rows = {{std::string("a"), std::optional(0.5), std::optional(-1.0)},
                             {std::string("b"), std::optional<double>{}, std::optional(nan)},
                             {Link{"c", "sub 1/c#2.html"}, std::monostate{}, std::string("late")}}};
  const std::string html = html_text(page_of({table}));
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<caption>All</caption>"));
  EXPECT_TRUE(has(html, "<th scope=\"col\" class=\"number\">accuracy <span class=\"unit\">(%)</span></th>"));
  EXPECT_TRUE(has(html, "<th scope=\"row\">a</th><td class=\"number\">50.0</td><td class=\"number\">\u22121.00</td>"));
  EXPECT_EQ(count_of(html, "<td class=\"number missing\">n/a</td>"), 3U);
  EXPECT_TRUE(has(html, "<a href=\"sub%201/c%232.html\">c</a>"));
  EXPECT_TRUE(has(html, "<td class=\"number\">late</td>"));
  EXPECT_TRUE(has(html, "role=\"region\" tabindex=\"0\" aria-label=\"All\"")) << "keys can scroll it";
}

// In every place that takes text.
TEST(Page, TextIsNeverMarkup) {
  const std::string bad = "<script>alert(\"1\")</script> & 'x' \xff";
  Drawing drawing = small_drawing();
  drawing.title = drawing.description = bad;
  drawing.groups[0].name = bad;
  Page page{.title = bad,
            .subtitle = bad,
            .sections = {{bad,
                          {Paragraph{bad}, Facts{{{bad, bad}}}, Figure{drawing, bad}, Callout{bad}, Code{bad},
                           Table{.caption = bad,
                                 .columns = {{.heading = bad, .unit = bad}, {.heading = bad}},
                                 .rows = {{bad, Link{bad, "a\"><script>"}}}}}},
                         {bad, {}}},
            .provenance = {.command = bad, .version = bad, .data = {{bad, bad}}, .date = bad}};
  const std::string html = html_text(page);
  expect_good_html(html);
  EXPECT_GE(count_of(html, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'x' ?"), 20U);
  EXPECT_TRUE(has(html, "href=\"a&quot;&gt;&lt;script&gt;\""));
}

TEST(Page, LinksAreRelative) {
  for (const char* target :
       {"", "/etc/passwd", "javascript:alert(1)", "https://example.org", "//example.org", "a\\b"}) {
    const Table table{.caption = "t", .columns = {{.heading = "who"}}, .rows = {{Link{"there", target}}}};
    expect_error(ErrorKind::invalid_argument, {"'there'", "relative"}, [&] { (void)html_text(page_of({table})); });
  }
  const Table table{.caption = "t", .columns = {{.heading = "who"}}, .rows = {{Link{"there", "../sub-01/page.html"}}}};
  EXPECT_TRUE(has(html_text(page_of({table})), "href=\"../sub-01/page.html\""));
}

TEST(Page, RowsMustFillTheirColumns) {
  const Table table{.caption = "All", .columns = {{.heading = "a"}, {.heading = "b"}}, .rows = {{}, {}}};
  expect_error(ErrorKind::invalid_argument, {"'All'", "row 1", "0 cells", "2 columns"},
               [&] { (void)html_text(page_of({table})); });
}

TEST(Page, BeginsWithLinksToItsSections) {
  Page page = page_of({});
  EXPECT_FALSE(has(html_text(page), "<nav"));
  page.sections.push_back({"Second", {}});
  const std::string html = html_text(page);
  EXPECT_TRUE(has(html, "<a href=\"#section-2\">Second</a>"));
  EXPECT_TRUE(has(html, "<h2 id=\"section-2\">Second</h2>"));
  EXPECT_LT(html.find("class=\"skip\" href=\"#main\""), html.find("<nav")) << "keys reach the results at once";
}

TEST(Page, EvidenceIsNotTornApart) {
  const Verdicts list{.verdicts = {{.holds = true, .text = "A.", .evidence = "94.0 % and 85.0 %, p = 0.008, n = 8"}}};
  EXPECT_TRUE(has(html_text(page_of({list})), ": 94.0\u00a0% and 85.0\u00a0%, p\u00a0=\u00a00.008, n\u00a0=\u00a08"));
}

TEST(Page, SaysWhereItCameFrom) {
  Page page = page_of({});
  page.provenance = {
      .command = "heed bids in out", .version = "0.1.0", .data = {{"sub-01", "sha256:1"}, {"sub-02", ""}}};
  std::string html = html_text(page);
  EXPECT_TRUE(has(html, "<code>heed bids in out</code>"));
  EXPECT_TRUE(has(html, "<dt>sub-01</dt><dd><code>sha256:1</code></dd>"));
  EXPECT_TRUE(has(html, "<dt>sub-02</dt><dd><code>n/a</code></dd>"));
  EXPECT_TRUE(has(html, "<details open><summary>Data read: 2 participants</summary>"));
  EXPECT_FALSE(has(html, "Date")) << "none was given";
  page.provenance.date = "2026-11-15";
  page.provenance.data.resize(11);
  html = html_text(page);
  EXPECT_TRUE(has(html, "<dt>Date</dt><dd><span>2026-11-15</span></dd>"));
  EXPECT_TRUE(has(html, "<details><summary>Data read: 11 participants</summary>")) << "a long list is folded";
}

TEST(Page, FetchesAndRunsNothing) {
  EXPECT_TRUE(has(html_text(page_of({})), "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  EXPECT_FALSE(has(page_style(), "url("));
  EXPECT_FALSE(has(page_style(), "@import"));
  EXPECT_FALSE(has(page_style(), "</"));
}

// 'sha256-' and the digest of the empty text in base64, as any tool says it.
TEST(Page, LetsItsOwnScriptsRun) {
  Page page = page_of({});
  page.scripts = {{"", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}};
  EXPECT_TRUE(has(html_text(page), "; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='\">"));
  for (const char* digest : {"", "e3b0", "x3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}) {
    page.scripts[0].sha256 = digest;
    expect_error(ErrorKind::invalid_argument, {"SHA-256", "64"}, [&] { (void)html_text(page); });
  }
}

TEST(Page, FiguresMayHaveANarrowFormFilesAndData) {
  Figure figure{.drawing = small_drawing(), .caption = "Seen.", .narrow = small_drawing(), .files = {{"SVG", "a.svg"}}};
  figure.data = R"(["</script>"])";
  const std::string html = html_text(page_of({figure}));
  expect_good_html(test::without_scripts(html));
  EXPECT_EQ(count_of(html, "class=\"card wide\""), 1U);
  EXPECT_EQ(count_of(html, "class=\"card narrow\""), 1U);
  EXPECT_TRUE(has(html, "<figcaption>Seen. <span class=\"files\"><a href=\"a.svg\">SVG</a></span></figcaption>"));
  EXPECT_TRUE(has(html, R"(class="trace">["\u003c/script>"]</script>)"));
}

TEST(Page, ColumnsOfAGroupStandUnderOneHeading) {
  const Table table{
      .caption = "All",
      .columns = {{.heading = "who"}, {.heading = "mean", .group = "time"}, {.heading = "SD", .group = "time"}},
      .rows = {{std::string("a"), std::optional(1.0), std::optional(2.0)}},
      .folded = true};
  const std::string html = html_text(page_of({table}));
  expect_good_html(html);
  EXPECT_TRUE(
      has(html, "<tr><td colspan=\"1\"></td><th scope=\"colgroup\" class=\"group\" colspan=\"2\">time</th></tr>"));
  EXPECT_TRUE(has(html, "<details><summary>All</summary>"));
}

TEST(Page, LooksRightInLightDarkAndPrint) {
  EXPECT_TRUE(has(page_style(), "@media screen and (prefers-color-scheme: dark)"));
  EXPECT_TRUE(has(page_style(), "@media print"));
  EXPECT_TRUE(has(page_style(), ":focus-visible"));
  EXPECT_EQ(count_of(page_style(), "{"), count_of(page_style(), "}"));
}

TEST(Page, AnEmptyPageIsAPage) {
  const std::string html = html_text({});
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<title>heed</title>"));
}

TEST(Page, SamePageSameBytes) {
  const Page page = page_of({Figure{small_drawing(), "x"}});
  EXPECT_EQ(html_text(page), html_text(page));
}

}  // namespace
}  // namespace heed::report
