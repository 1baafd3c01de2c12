# SPDX-License-Identifier: MIT
# palette.txt -> report/palette.h, palette.css and figure_theme.css in <build>/generated, _palette.py for heed.plot,
# heed_colours.m for MATLAB.
# They are written when CMake runs, which a change of the table makes it do.

# In `palette` the names, in order; of each colour `light_NAME`, `dark_NAME` and `print_NAME`, digits without #.
function(heed_read_palette)
  set(file ${PROJECT_SOURCE_DIR}/palette.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^[^#]")
  set(palette "")
  foreach(line IN LISTS lines)
    string(REPLACE "#" "" line "${line}")
    if(NOT line MATCHES "^((speakers|figures|maps|pages)\\.[a-z_]+)(( +[0-9a-f]+)( +[0-9a-f]+)?( +[0-9a-f]+)?)$")
      message(FATAL_ERROR "palette.txt: '${line}' is not 'group.name #light #dark #print'")
    endif()
    set(name ${CMAKE_MATCH_1})
    string(STRIP "${CMAKE_MATCH_3}" values)
    string(REGEX REPLACE " +" ";" values "${values}")
    list(GET values 0 light)
    set(dark ${light})
    set(print ${light})
    list(LENGTH values count)
    if(count GREATER 1)
      list(GET values 1 dark)
    endif()
    if(count GREATER 2)
      list(GET values 2 print)
    endif()
    foreach(theme IN ITEMS light dark print)
      if(NOT ${theme} MATCHES "^([0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f])([0-9a-f][0-9a-f])?$")
        message(FATAL_ERROR "palette.txt: #${${theme}} of ${name} is not a colour of six or eight digits")
      endif()
      set(${theme}_${name} ${${theme}} PARENT_SCOPE)
    endforeach()
    list(APPEND palette ${name})
  endforeach()
  set(palette ${palette} PARENT_SCOPE)
endfunction()

# --ink of figures.ink; speakers and the colours of maps are counted, so that scripts find however many there are.
function(heed_css_variables theme output)
  set(speaker 0)
  set(map 0)
  set(css "")
  foreach(name IN LISTS palette)
    string(REGEX REPLACE "^[a-z]+\\." "" variable ${name})
    string(REPLACE "_" "-" variable ${variable})
    if(name MATCHES "^speakers")
      math(EXPR speaker "${speaker} + 1")
      set(variable speaker-${speaker})
    elseif(name MATCHES "^maps")
      math(EXPR map "${map} + 1")
      set(variable map-${map})
    endif()
    set(variable_${name} ${variable} PARENT_SCOPE)
    if(theme STREQUAL light OR NOT ${theme}_${name} STREQUAL light_${name})
      string(APPEND css " --${variable}: #${${theme}_${name}};")
    endif()
  endforeach()
  set(${output} "${css}" PARENT_SCOPE)
endfunction()

function(heed_write_palette)
  heed_read_palette()
  foreach(theme IN ITEMS light dark print)
    heed_css_variables(${theme} css_${theme})
  endforeach()

  set(header "")
  set(python "")
  set(theme_css "")
  set(count_speakers 0)
  set(count_maps 0)
  foreach(name IN LISTS palette)
    string(SUBSTRING ${light_${name}} 0 2 red)
    string(SUBSTRING ${light_${name}} 2 2 green)
    string(SUBSTRING ${light_${name}} 4 2 blue)
    set(channels "{0x${red}, 0x${green}, 0x${blue}}")
    string(REGEX MATCH "^[a-z]+" group ${name})
    string(REGEX REPLACE "^[a-z]+\\." "" constant ${name})
    if(group STREQUAL figures)
      string(APPEND header "inline constexpr Colour ${constant}${channels};\n")
      string(TOUPPER ${constant} python_name)
      string(APPEND python "${python_name} = \"#${light_${name}}\"\n")
    elseif(NOT group STREQUAL pages)
      string(APPEND values_${group} "${channels}, ")
      string(APPEND python_${group} "\"#${light_${name}}\", ")
      math(EXPR count_${group} "${count_${group}} + 1")
    endif()
    if(group MATCHES "speakers|figures" AND NOT light_${name} STREQUAL dark_${name})
      # Drawings name their colours; in the dark each stands for its variable.
      if(DEFINED seen_${light_${name}} AND NOT seen_${light_${name}} STREQUAL dark_${name})
        message(FATAL_ERROR "palette.txt: #${light_${name}} has two colours in the dark; make the light ones differ")
      endif()
      if(NOT DEFINED seen_${light_${name}})
        foreach(paint IN ITEMS fill stroke)
          string(APPEND theme_css ".card [${paint}=\"#${light_${name}}\"] { ${paint}: var(--${variable_${name}}); }\n")
        endforeach()
      endif()
      set(seen_${light_${name}} ${dark_${name}})
    endif()
  endforeach()

  set(generated ${PROJECT_BINARY_DIR}/generated)
  target_include_directories(heed_flags INTERFACE ${generated})
  file(CONFIGURE OUTPUT ${generated}/report/palette.h @ONLY CONTENT "// SPDX-License-Identifier: MIT
// The colours of palette.txt, written by cmake/HeedPalette.cmake.
#pragma once

#include <heed/report/drawing.h>

#include <array>

namespace heed::report {

inline constexpr std::array<Colour, ${count_speakers}> speaker_colours{{${values_speakers}}};
inline constexpr std::array<Colour, ${count_maps}> map_colours{{${values_maps}}};
${header}
}  // namespace heed::report
")
  file(CONFIGURE OUTPUT ${generated}/palette.css @ONLY CONTENT ":root { color-scheme: light dark;${css_light} }
@media screen and (prefers-color-scheme: dark) { :root:where(:not([data-theme=\"light\"])) {${css_dark} } }
@media screen {
  :root[data-theme=\"dark\"] { color-scheme: dark;${css_dark} }
  :root[data-theme=\"light\"] { color-scheme: light; }
}
@media print { :root { color-scheme: light;${css_print} } }
")
  file(CONFIGURE OUTPUT ${generated}/figure_theme.css @ONLY CONTENT "${theme_css}")
  if(NOT HEED_BUILD_PYTHON)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/python/heed/plot/_palette.py @ONLY CONTENT "# SPDX-License-Identifier: MIT
\"\"\"The colours of palette.txt, written by cmake/HeedPalette.cmake.\"\"\"
SPEAKERS = (${python_speakers})
MAPS = (${python_maps})
${python}")
endfunction()

# The colours of speakers as rows of a matrix, 0 to 255.
function(heed_write_matlab_palette template output)
  heed_read_palette()
  set(matlab_speakers "")
  foreach(name IN LISTS palette)
    if(name MATCHES "^speakers")
      set(row "")
      foreach(place IN ITEMS 0 2 4)
        string(SUBSTRING ${light_${name}} ${place} 2 digits)
        math(EXPR value "0x${digits}")
        string(APPEND row " ${value}")
      endforeach()
      string(APPEND matlab_speakers "${row};")
    endif()
  endforeach()
  configure_file(${template} ${output} @ONLY)
endfunction()
