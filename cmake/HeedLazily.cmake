# SPDX-License-Identifier: MIT
# Loading 70 libraries took most of the time of short verbs. A program given here opens those of figures, sound, MAT
# files and large matrices when it first calls them (lazy_libraries.py): its start-up loads what every verb needs.
function(heed_open_lazily program)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(groups --group ${OPENBLAS_LINK_LIBRARIES})
  foreach(library IN ITEMS CAIRO SNDFILE MATIO)
    if(HEED_WITH_${library})
      set(files ${${library}_LINK_LIBRARIES})
      list(FILTER files EXCLUDE REGEX "/libz\\.so$")  # no other library comes with it
      list(APPEND groups --group ${files})
    endif()
  endforeach()
  set(users heed_decode heed_io heed_report)
  list(TRANSFORM users REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  set(stubs ${CMAKE_CURRENT_BINARY_DIR}/lazy_libraries.cpp)
  add_custom_command(OUTPUT ${stubs} VERBATIM
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/lazy_libraries.py ${stubs} --archive ${archives} ${groups}
    DEPENDS ${users} ${PROJECT_SOURCE_DIR}/cmake/lazy_libraries.py)
  target_sources(${program} PRIVATE ${stubs} ${CMAKE_CURRENT_SOURCE_DIR}/lazy/open_lazily.cpp)
  set_source_files_properties(${stubs} ${CMAKE_CURRENT_SOURCE_DIR}/lazy/open_lazily.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_options(${program} PRIVATE -Wl,--as-needed)
  target_link_libraries(${program} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
