# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/../tests/support/steps.cmake)
if(NOT promised)
  message(FATAL_ERROR "${program}: its source wants a line '// Prints: <regular expression>'")
endif()
must(${program})
must_say("${promised}")
