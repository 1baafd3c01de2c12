# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/install_to.cmake)
set(prefix ${folder}/prefix)
install_to(${prefix})

file(GLOB_RECURSE pc ${prefix}/heed.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
must(${pkg_config} --modversion heed)
must_say("^${version}\n$")

must(${pkg_config} --cflags --libs heed)
string(STRIP "${said}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
must(${compiler} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/whole.cpp -o ${folder}/whole ${flags})
must(${folder}/whole)
must_say("heed ${version}: attending 1")
