// SPDX-License-Identifier: MIT
#include <report/page/page_style.h>

namespace heed::report {
namespace {

constexpr std::string_view style = R"css(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1c2024; --faint: #5a6470; --line: #d5dae0; --box: #f4f6f8; --link: #005a9c;
  --note: #005a9c; --good: #00694a; --warning: #a84300;
}
@media (prefers-color-scheme: dark) {
  :root:where(:not([data-theme="light"])) {
    --ground: #14171a; --text: #e6e9ec; --faint: #a3adb8; --line: #3a424b; --box: #1f2429; --link: #7fc1ff;
    --note: #7fc1ff; --good: #5fd0a5; --warning: #ffab6b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.8rem; line-height: 1.2; }
h2 { margin: 2.4rem 0 .6rem; padding-top: .8rem; border-top: 1px solid var(--line); font-size: 1.3rem; line-height: 1.3; }
p { margin: .6rem 0; max-width: 46rem; }
.subtitle, .unit, caption, figcaption, footer { color: var(--faint); }
.subtitle { margin-top: .3rem; }
.unit { font-weight: 400; white-space: nowrap; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.4rem; margin: .8rem 0; }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { padding: 0 0 .4rem; text-align: left; font-size: .9rem; }
th, td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: .2rem; }
thead th { border-bottom-width: 2px; vertical-align: bottom; }
tbody th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
.missing { color: var(--faint); }
figure { margin: 1.2rem 0; }
.card { overflow-x: auto; padding: .5rem; border: 1px solid var(--line); border-radius: .4rem; background: #ffffff; }
.card svg { display: block; width: 100%; height: auto; }
figcaption { max-width: 46rem; margin-top: .4rem; font-size: .9rem; }
.note {
  margin: .8rem 0; padding: .6rem .9rem; border-left: .3rem solid var(--note); border-radius: .2rem;
  background: var(--box); max-width: 46rem;
}
.note strong { color: var(--note); }
.good { border-color: var(--good); }
.good strong { color: var(--good); }
.warning { border-color: var(--warning); }
.warning strong { color: var(--warning); }
pre { overflow-x: auto; margin: .6rem 0; padding: .6rem .9rem; border-radius: .3rem; background: var(--box); }
code { font: .88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .9rem; }
footer h2 { margin: 0; padding-top: 1rem; border: 0; font-size: 1rem; }
footer summary { cursor: pointer; }
@media (max-width: 40rem) {
  body { padding: 1rem .8rem 2rem; }
  h1 { font-size: 1.45rem; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: .5rem; }
  .card svg { min-width: 40rem; }
}
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --text: #000000; --faint: #444444; --line: #bbbbbb; --box: #ffffff; --link: #000000;
    --note: #005a9c; --good: #00694a; --warning: #a84300;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  .scroll, .card, pre { overflow: visible; }
  .card { padding: 0; border: 0; }
  .card svg { min-width: 0; }
  pre { white-space: pre-wrap; }
  h2 { break-after: avoid; }
  figure, .note, tr { break-inside: avoid; }
  thead { display: table-header-group; }
}
)css";

}  // namespace

std::string_view page_style() noexcept { return style; }

}  // namespace heed::report
