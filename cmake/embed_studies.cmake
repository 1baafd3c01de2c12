# SPDX-License-Identifier: MIT
# cmake -D files=A.toml;B.toml -D verdicts=FILE.tsv -D output=FILE.cpp -P embed_studies.cmake: their texts as C++.
set(entries "")
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(FIND "${text}" ")toml\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${file} holds )toml\", which ends a C++ text: write it otherwise")
  endif()
  string(APPEND entries "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
file(READ ${verdicts} table)
file(WRITE ${output} "// Made from studies/ by the build.
#include <study/known_verdicts.h>
#include <study/study_file.h>

#include <array>

namespace heed::study {

std::span<const BuiltInStudy> built_in_texts() noexcept {
  static constexpr auto all = std::to_array<BuiltInStudy>({
${entries}  });
  return all;
}

std::string_view verdict_table() noexcept { return R\"toml(${table})toml\"; }

}  // namespace heed::study
")
