# SPDX-License-Identifier: MIT
# cmake -D OUTPUT=... -D WEB=... -D COLOURS=... -D UPLOT=... -P: the page of live sessions as C++, each file under the
# path at which the page's server shows it.
set(code "// Written by cmake/write_page_assets.cmake.\n#include <live/page/live_site.h>\n\n")
string(APPEND code "namespace heed::live {\n\nstd::span<const PageAsset> page_assets() noexcept {\n")
string(APPEND code "  static constexpr PageAsset assets[]{\n")

function(append_asset path type text)
  string(APPEND code "    {\"${path}\", \"${type}\", R\"heed_web(${text})heed_web\"},\n")
  set(code "${code}" PARENT_SCOPE)
endfunction()

file(READ ${WEB}/live/index.html text)
append_asset(/ "text/html; charset=utf-8" "${text}")
file(READ ${COLOURS}/palette.css colours)
file(READ ${WEB}/live/live.css text)
append_asset(/live.css "text/css; charset=utf-8" "${colours}${text}")
set(script "text/javascript; charset=utf-8")
file(READ ${WEB}/theme.js text)
append_asset(/theme.js "${script}" "${text}")
foreach(name IN ITEMS scene.js heads.js traces.js sound.js live.js)
  file(READ ${WEB}/live/${name} text)
  append_asset(/${name} "${script}" "${text}")
endforeach()
file(READ ${WEB}/live/icon.svg text)
append_asset(/icon.svg "image/svg+xml" "${text}")
# Without uPlot the page asks for it in vain, and says that its pictures are missing.
if(UPLOT)
  file(READ ${UPLOT}/dist/uPlot.iife.min.js text)
  file(READ ${UPLOT}/LICENSE licence)
  append_asset(/uplot.js "${script}" "/*\n${licence}\n*/\n${text}")
  file(READ ${UPLOT}/dist/uPlot.min.css text)
  append_asset(/uplot.css "text/css; charset=utf-8" "${text}")
endif()

string(APPEND code "  };\n  return assets;\n}\n\n}  // namespace heed::live\n")
file(WRITE ${OUTPUT} "${code}")
