# SPDX-License-Identifier: MIT
# cmake -D OUTPUT=... -D WEB=... -D COLOURS=... -D UPLOT=... -P: the scripts and styles of web/ as C++, uPlot among them
# where the folder UPLOT holds it. Digests are of the very bytes that pages carry.
set(code "// Written by cmake/write_web_assets.cmake.\n#include <report/page/page.h>\n\n")
string(APPEND code "namespace heed::report {\n\nstd::span<const WebAsset> web_assets() noexcept {\n")
string(APPEND code "  static constexpr WebAsset assets[]{\n")

function(append_asset name text)
  string(SHA256 digest "${text}")
  string(APPEND code "    {\"${name}\", R\"heed_web(${text})heed_web\", \"${digest}\"},\n")
  set(code "${code}" PARENT_SCOPE)
endfunction()

if(UPLOT)
  file(READ ${UPLOT}/dist/uPlot.iife.min.js script)
  file(READ ${UPLOT}/dist/uPlot.min.css style)
  file(READ ${UPLOT}/LICENSE licence)
  # Its licence asks to go where the code goes.
  append_asset(uplot.js "/*\n${licence}\n*/\n${script}")
  append_asset(uplot.css "${style}")
endif()
# Each style after the colours it uses (cmake/HeedPalette.cmake).
set(before_page.css palette.css)
set(before_report.css figure_theme.css)
foreach(name IN ITEMS page.css report.css theme.js hints.js trace.js)
  set(text "")
  if(before_${name})
    file(READ ${COLOURS}/${before_${name}} text)
  endif()
  file(READ ${WEB}/${name} asset_text)
  append_asset(${name} "${text}${asset_text}")
endforeach()

string(APPEND code "  };\n  return assets;\n}\n\n}  // namespace heed::report\n")
file(WRITE ${OUTPUT} "${code}")
