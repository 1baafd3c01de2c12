# SPDX-License-Identifier: MIT
# core alone, as makers of devices build it: from the source tree by any compiler, with no library beside it.
include(${CMAKE_CURRENT_LIST_DIR}/install_to.cmake)

# Builds core with ARGN, installs it, moves it, and uses it in a stranger's project.
function(use_core name)
  set(device ${folder}/${name})
  must(${CMAKE_COMMAND} -S ${source} -B ${device}/heed -G ${generator} -D HEED_ONLY_CORE=ON -D HEED_WERROR=ON
       -D CMAKE_BUILD_TYPE=Release ${without} ${ARGN})
  must(${CMAKE_COMMAND} --build ${device}/heed)
  must(${CMAKE_COMMAND} --install ${device}/heed --prefix ${device}/first)
  file(RENAME ${device}/first ${device}/prefix)
  use_core_of(${device}/prefix ${device}/program ${ARGN})
endfunction()

file(REMOVE_RECURSE ${folder})
use_core(here -D CMAKE_CXX_COMPILER=${compiler})
must(${folder}/here/program/core_alone)
must_say("core alone: attending 1")

# Where the rest is not installed, asking for it says so.
file(WRITE ${folder}/greedy/CMakeLists.txt
     "cmake_minimum_required(VERSION 3.25)\nproject(greedy LANGUAGES CXX)\nfind_package(heed REQUIRED COMPONENTS core hmm)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${folder}/greedy -B ${folder}/greedy/build -G ${generator} -D CMAKE_PREFIX_PATH=${folder}/here/prefix
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
if(result EQUAL 0)
  message(FATAL_ERROR "a layer that is not installed was found")
endif()
must_say("no component hmm")

file(GLOB_RECURSE pc ${folder}/here/prefix/heed-core.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_LIBDIR} ${pc_folder})  # this folder alone: nothing else may be needed
must(${pkg_config} --modversion heed-core)
must_say("^${version}\n$")
must(${pkg_config} --cflags --libs heed-core)
string(STRIP "${said}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
must(${compiler} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/core_alone.cpp -o ${folder}/by_pkg_config ${flags})
must(${folder}/by_pkg_config)

string(REPLACE "," ";" processors ${processors})
find_program(arm NAMES arm-none-eabi-g++)
if(NOT arm)
  message(STATUS "no arm-none-eabi-g++ here: nothing was cross-compiled")
  set(processors "")
endif()
foreach(processor IN LISTS processors)
  use_core(${processor} -D CMAKE_TOOLCHAIN_FILE=${source}/embedded/arm-none-eabi.cmake -D HEED_PROCESSOR=${processor})
  must(arm-none-eabi-readelf -A ${folder}/${processor}/program/core_alone)
  must_say("Tag_ABI_VFP_args: VFP registers")
endforeach()
