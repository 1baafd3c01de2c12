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
# One text per line: compilers need not take texts of more than 65536 letters.
file(READ ${verdicts} lines)
string(REGEX REPLACE "\n$" "" lines "${lines}")
string(REPLACE "\n" ")toml\",\n    R\"toml(" lines "${lines}")
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

std::span<const std::string_view> verdict_lines() noexcept {
  static constexpr auto all = std::to_array<std::string_view>({
    R\"toml(${lines})toml\",
  });
  return all;
}

}  // namespace heed::study
")
