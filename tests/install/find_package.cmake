# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/install_to.cmake)
set(prefix ${folder}/prefix)
install_to(${prefix})

must(${prefix}/bin/heed --version)
must_say("${version}")

# With wider vectors Eigen would align its matrices otherwise: library and consumer must still agree.
function(consume name flags)
  set(consumer_build ${folder}/${name})
  must(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${consumer_build} -G ${generator}
       -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=Release
       -D CMAKE_CXX_FLAGS=${flags} -D HEED_EXPECTED_VERSION=${version})
  must(${CMAKE_COMMAND} --build ${consumer_build})
  if(ARGN)
    must(${consumer_build}/core_alone)
    must_say("core alone: attending 1")
    must(${consumer_build}/whole)
    must_say("heed ${version}: attending 1")
  endif()
endfunction()

consume(plain "" RUN)
use_core_of(${prefix} ${folder}/device -D CMAKE_CXX_COMPILER=${compiler})
execute_process(COMMAND grep -qw avx512vl /proc/cpuinfo RESULT_VARIABLE no_avx512 OUTPUT_QUIET ERROR_QUIET)
if(no_avx512 EQUAL 0)
  consume(avx512 "-march=x86-64-v4" RUN)
elseif(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
  message(STATUS "this processor has no AVX-512: built for it, not run")
  consume(avx512 "-march=x86-64-v4")
endif()
