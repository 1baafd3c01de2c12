# SPDX-License-Identifier: MIT
# The Python module as ./dev python installs it, in a Python that can use it and in such that cannot.
include(${CMAKE_CURRENT_LIST_DIR}/../support/steps.cmake)
set(first ${folder}/first)
set(prefix ${folder}/prefix)
file(REMOVE_RECURSE ${folder})
must(${CMAKE_COMMAND} --install ${build} --component python --prefix ${first})
file(RENAME ${first} ${prefix})  # nothing installed may know where it was put first

# The component brings the module alone, and the whole installation leaves it out.
file(GLOB beside RELATIVE ${prefix} ${prefix}/* ${prefix}/lib/*)
if(NOT beside MATCHES "^lib;lib/python3\\.[0-9]+$")
  message(FATAL_ERROR "more than the module was installed: ${beside}")
endif()
must(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/whole)
if(EXISTS ${folder}/whole/${site}/heed)
  message(FATAL_ERROR "the module came with the library, where nobody asked for it")
endif()

set(ENV{PYTHONPATH} ${prefix}/${site})
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
file(WRITE ${folder}/use.py [[
import heed, numpy as np
print(heed.__version__, heed.smooth(np.random.randn(600, 2), switch_probability=1e-3).shape)
]])
must(${python} ${folder}/use.py)
must_say("^${version} \\(600, 2\\)\n$")
foreach(file IN ITEMS py.typed _native.pyi __init__.py plot/__init__.py)
  if(NOT EXISTS ${prefix}/${site}/heed/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()

# A Python that cannot use it is told why: without numpy (-S leaves out Debian's packages), and of another version.
function(must_refuse reason)
  execute_process(COMMAND ${python} ${ARGN} -c "import heed" RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
  if(code EQUAL 0 OR NOT said MATCHES "ImportError: [^\n]*${reason}")
    message(FATAL_ERROR "wanted: ${reason}\nimport heed said:\n${said}")
  endif()
endfunction()
must_refuse("heed needs numpy.*python3-numpy" -S)
file(GLOB engine ${prefix}/${site}/heed/_native*.so)
file(RENAME ${engine} ${prefix}/${site}/heed/_native.cpython-399-x86_64-linux-gnu.so)
must_refuse("was built for Python 3\\.99.*/usr/bin/python3")
file(REMOVE ${prefix}/${site}/heed/_native.cpython-399-x86_64-linux-gnu.so)
must_refuse("has no engine.*\\./dev python")
