# SPDX-License-Identifier: MIT
# exponential_lanes.cpp once for each width of SIMD lanes, all into heed_core_test.
set(lanes_baseline "")
set(lanes_v3 -march=x86-64-v3)
set(lanes_v4 -march=x86-64-v4)
set(lanes_sets baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND lanes_sets v3 v4)
  target_compile_definitions(heed_core_test PRIVATE HEED_X86_LANES)
endif()

foreach(set IN LISTS lanes_sets)
  add_library(heed_lanes_${set} OBJECT unit/core/exponential_lanes.cpp)
  # Without -fno-trapping-math gcc leaves the loop scalar; the flag changes no result.
  target_compile_options(heed_lanes_${set} PRIVATE -O3 -fno-trapping-math ${lanes_${set}})
  target_compile_definitions(heed_lanes_${set} PRIVATE HEED_LANES=exponential_${set})
  target_include_directories(heed_lanes_${set} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(heed_lanes_${set} PRIVATE heed_flags heed_core)
  target_sources(heed_core_test PRIVATE $<TARGET_OBJECTS:heed_lanes_${set}>)
  # The comparison means something only if there are lanes. Instrumented code has none.
  if(NOT HEED_SANITIZE AND NOT HEED_COVERAGE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_test(NAME core.exponential_has_lanes_${set} COMMAND ${CMAKE_OBJDUMP} -d $<TARGET_OBJECTS:heed_lanes_${set}>)
    set_tests_properties(core.exponential_has_lanes_${set} PROPERTIES PASS_REGULAR_EXPRESSION "mulpd" LABELS unit)
  endif()
endforeach()
