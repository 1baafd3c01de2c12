# SPDX-License-Identifier: MIT
# Compiles files together where that loses nothing: headers are read, and templates made, once per group.
option(HEED_UNITY "Compile files in groups: faster from nothing, slower after a small change" OFF)

if(HEED_UNITY)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()

# TARGET: its files in groups of about 2,000 lines, which suit two cores. Which files may meet is worked out anew whenever
# CMake runs; files with flags of their own stay alone.
function(heed_unite target)
  if(NOT HEED_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(files "")
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(generated ${source} GENERATED)
    if(source MATCHES "\\.cpp$" AND NOT options AND NOT generated)
      get_filename_component(source ${source} ABSOLUTE)
      list(APPEND files ${source})
    endif()
  endforeach()
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py 2000
                          ${PROJECT_SOURCE_DIR}/include:${PROJECT_SOURCE_DIR}/src:${PROJECT_SOURCE_DIR}/tests:${CMAKE_CURRENT_SOURCE_DIR}
                          ${files}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "|" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  set(number 0)
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" members "${group}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${members} PROPERTIES UNITY_GROUP group_${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes a file that is included for a header, where private types would have no place.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # Nor does it look for memory to free before a gigabyte: a tenth less processor time, a sixth more memory.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=300;--param=ggc-min-heapsize=1000000>)
endfunction()

# FILE...: tests, in files of about 3,000 lines that are made of them when they are built; their paths in `result`. A file
# that defines macros stays alone.
function(heed_unite_tests target result)
  set(groups "")
  set(alone "")
  set(bytes 0)
  set(number 0)
  foreach(file IN LISTS ARGN)
    get_filename_component(file ${file} ABSOLUTE)
    file(STRINGS ${file} macros REGEX "^#define" LIMIT_COUNT 1)
    if(macros)
      list(APPEND alone ${file})
      continue()
    endif()
    file(SIZE ${file} size)
    math(EXPR bytes "${bytes} + ${size}")
    math(EXPR number "${bytes} / 150000")
    list(APPEND group_${number} ${file})
  endforeach()
  foreach(index RANGE ${number})
    if(NOT group_${index})
      continue()
    endif()
    set(united ${CMAKE_CURRENT_BINARY_DIR}/united/${target}_${index}.cpp)
    add_custom_command(OUTPUT ${united} VERBATIM DEPENDS ${group_${index}} ${PROJECT_SOURCE_DIR}/cmake/unite_tests.py
      COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/unite_tests.py ${united} ${group_${index}})
    list(APPEND groups ${united})
  endforeach()
  set(${result} ${groups} ${alone} PARENT_SCOPE)
endfunction()
