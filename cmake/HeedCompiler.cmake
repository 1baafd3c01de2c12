# SPDX-License-Identifier: MIT
# Flags every target of heed shares.

add_library(heed_flags INTERFACE)
target_compile_options(heed_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<BOOL:${HEED_WERROR}>:-Werror>
  # GCC 12 finds overlap and overflow inside std::string's own operator+ (its bug 105651), all the more in precompiled
  # headers; what is real of that kind the sanitizers find.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>
  # What GCC means by -Wconversion; functions that are declared to be asked for their type only (data/fields.h).
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion;-Wno-undefined-internal>
  # One causal recursion, the same bits in every build: the compiler may not fuse a*b+c where
  # one machine has the instruction and another has not.
  -ffp-contract=off)

# Headers that are not installed lie beside their sources; everything built here may read them, examples may not
# (tests/structure).
target_include_directories(heed_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(HEED_SANITIZE)
  target_compile_options(heed_flags INTERFACE -fsanitize=${HEED_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(heed_flags INTERFACE -fsanitize=${HEED_SANITIZE})
  # Nobody ships these programs: a faster linker than the usual one, where it is there. gold does not know clang's names.
  find_program(HEED_LLD ld.lld)
  find_program(HEED_GOLD ld.gold)
  if(HEED_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(heed_flags INTERFACE -fuse-ld=lld)
  elseif(HEED_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(heed_flags INTERFACE -fuse-ld=gold)
  endif()
  if(HEED_SANITIZE_QUICKLY)
    target_compile_options(heed_flags INTERFACE -fno-sanitize=null,alignment,vptr
      $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/quick_sanitizers.txt>)
  endif()
endif()
if(HEED_BUILD_FUZZ)
  target_compile_options(heed_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(HEED_COVERAGE)
  set(coverage --coverage)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(coverage -fprofile-instr-generate -fcoverage-mapping)
  endif()
  target_compile_options(heed_flags INTERFACE ${coverage})
  target_link_options(heed_flags INTERFACE ${coverage})
endif()
