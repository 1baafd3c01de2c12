# SPDX-License-Identifier: MIT
# Tests written as a script for `cmake -P`: steps that must succeed, and what they must say.

# Runs a command, shows what it said if it fails, and leaves its output in `said`.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nfailed with ${result}")
  endif()
  set(said "${output}" PARENT_SCOPE)
endfunction()

# What the last step said must match.
function(must_say text)
  if(NOT said MATCHES "${text}")
    message(FATAL_ERROR "expected '${text}', got:\n${said}")
  endif()
endfunction()
