# SPDX-License-Identifier: MIT
# What pages carry: web/*.js and *.css, the colours of palette.txt, and uPlot where npm has fetched it (./dev does).
set(HEED_UPLOT_DIR ${PROJECT_SOURCE_DIR}/build/web/node_modules/uplot CACHE PATH
    "Folder of npm's uplot 1.6.32, to zoom traces in reports; without it they stand still")

function(heed_embed_web target)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(output ${PROJECT_BINARY_DIR}/web_assets.cpp)
  set(writer ${PROJECT_SOURCE_DIR}/cmake/write_web_assets.cmake)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(GLOB sources CONFIGURE_DEPENDS ${web}/*.js ${web}/*.css)
  list(APPEND sources ${generated}/palette.css ${generated}/figure_theme.css)
  set(uplot "")
  if(EXISTS ${HEED_UPLOT_DIR}/dist/uPlot.iife.min.js AND EXISTS ${HEED_UPLOT_DIR}/dist/uPlot.min.css)
    set(uplot ${HEED_UPLOT_DIR})
    list(APPEND sources ${uplot}/dist/uPlot.iife.min.js ${uplot}/dist/uPlot.min.css)
  else()
    message(STATUS "uPlot is not in ${HEED_UPLOT_DIR}: reports will not zoom their traces")
  endif()
  add_custom_command(OUTPUT ${output} DEPENDS ${writer} ${sources} VERBATIM COMMENT "Embedding web/"
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D WEB=${web} -D COLOURS=${generated} -D UPLOT=${uplot} -P ${writer})
  # A target of its own waits for nothing; the library's would wait for all the libraries it is linked with.
  add_custom_target(heed_web_assets DEPENDS ${output})
  add_dependencies(${target} heed_web_assets)
  target_sources(${target} PRIVATE ${output})
endfunction()

# The page of live sessions: web/live, with the colours of palette.txt, the choice of a theme and uPlot.
function(heed_embed_page target)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(output ${PROJECT_BINARY_DIR}/page_assets.cpp)
  set(writer ${PROJECT_SOURCE_DIR}/cmake/write_page_assets.cmake)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(GLOB sources CONFIGURE_DEPENDS ${web}/live/*)
  list(APPEND sources ${generated}/palette.css ${web}/theme.js)
  set(uplot "")
  if(EXISTS ${HEED_UPLOT_DIR}/dist/uPlot.iife.min.js AND EXISTS ${HEED_UPLOT_DIR}/dist/uPlot.min.css)
    set(uplot ${HEED_UPLOT_DIR})
  endif()
  add_custom_command(OUTPUT ${output} DEPENDS ${writer} ${sources} VERBATIM COMMENT "Embedding web/live"
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D WEB=${web} -D COLOURS=${generated} -D UPLOT=${uplot} -P ${writer})
  add_custom_target(heed_page_assets DEPENDS ${output})
  add_dependencies(${target} heed_page_assets)
  target_sources(${target} PRIVATE ${output})
endfunction()
