# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/../support/steps.cmake)

# Moved after installing: nothing installed may know where it was built or first put.
function(install_to prefix)
  file(REMOVE_RECURSE ${folder})
  must(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
  file(RENAME ${folder}/first ${prefix})
endfunction()
