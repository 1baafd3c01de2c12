# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/../support/steps.cmake)

# Moved after installing: nothing installed may know where it was built or first put.
function(install_to prefix)
  file(REMOVE_RECURSE ${folder})
  must(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
  file(RENAME ${folder}/first ${prefix})
endfunction()

# Libraries that who builds or links core alone must not even look for.
set(without -D CMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -D CMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
            -D CMAKE_DISABLE_FIND_PACKAGE_fmt=ON -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)

# Builds a stranger's firmware on the core that is installed below PREFIX.
function(use_core_of prefix consumer_build)
  must(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/device -B ${consumer_build} -G ${generator} ${without}
       -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_ROOT_PATH=${prefix} -D CMAKE_BUILD_TYPE=Release
       -D HEED_EXPECTED_VERSION=${version} ${ARGN})
  must(${CMAKE_COMMAND} --build ${consumer_build})
endfunction()
