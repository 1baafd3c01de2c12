# SPDX-License-Identifier: MIT
# What both installation tests do: steps that must succeed, and the installation itself.

# Runs a command, shows what it said if it fails, and leaves its output in `said`.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nfailed with ${result}")
  endif()
  set(said "${output}" PARENT_SCOPE)
endfunction()

# The consumer's last line is proof that it ran with the version installed.
function(must_say text)
  if(NOT said MATCHES "${text}")
    message(FATAL_ERROR "expected '${text}', got:\n${said}")
  endif()
endfunction()

# Moved after installing: nothing installed may know where it was built or first put.
function(install_to prefix)
  file(REMOVE_RECURSE ${folder})
  must(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
  file(RENAME ${folder}/first ${prefix})
endfunction()
