// SPDX-License-Identifier: MIT
// Files of studies: TOML, plans, the JSON beside gathered tables, tables of results. The first byte says which.
#include <io/result_table_file.h>
#include <study/plan/plan.h>
#include <study/plan/plan_gather.h>

#include "target.h"

namespace heed::fuzz {
namespace {

void toml(std::string_view text) {
  const Study study = study::parse_study(text, "a.toml");
  require(study.name == "a" && !study::settings_of(study).empty());
}

void plan(std::string_view text) {
  const std::string written = study::Plan::parse(text, "plan.json").json();
  require(study::Plan::parse(written, "plan.json").json() == written);
}

void table(std::string_view text) {
  const std::string written = io::table_text(io::parse_table(text));
  require(io::table_text(io::parse_table(written)) == written);
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  if (size == 0) return 0;
  const std::string_view text = text_of(data + 1, size - 1);
  allow_errors([&] {
    switch (*data) {
      case 'p':
        return plan(text);
      case 'g':
        return (void)heed::study::parse_gathered(text, "table.json");
      case 't':
        return table(text);
      default:
        return toml(text);
    }
  });
  return 0;
}
