# SPDX-License-Identifier: MIT
# Puts the files of studies/ into the library, so that the program needs no folder beside it. studies/order.txt names
# them in the order people see them in, studies/verdicts.tsv says what reference cohorts show of their claims.

function(heed_embed_studies target)
  set(folder ${PROJECT_SOURCE_DIR}/studies)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/order.txt)
  file(STRINGS ${folder}/order.txt names REGEX "^[a-z_]+$")
  set(files ${names})
  list(TRANSFORM files PREPEND ${folder}/)
  list(TRANSFORM files APPEND .toml)
  file(GLOB found CONFIGURE_DEPENDS ${folder}/*.toml)
  foreach(file IN LISTS found)
    if(NOT file IN_LIST files)
      message(FATAL_ERROR "${file} is not named in studies/order.txt: add a line with its name")
    endif()
  endforeach()

  set(output ${PROJECT_BINARY_DIR}/generated/built_in_studies.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_studies.cmake)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -D "files=${files}" -D verdicts=${folder}/verdicts.tsv
                             -D output=${output} -P ${script}
                     DEPENDS ${files} ${script} ${folder}/order.txt ${folder}/verdicts.tsv VERBATIM)
  # As in HeedWeb.cmake.
  add_custom_target(heed_built_in_studies DEPENDS ${output})
  add_dependencies(${target} heed_built_in_studies)
  target_sources(${target} PRIVATE ${output})
endfunction()
