// SPDX-License-Identifier: MIT
// Which files gathered tables lie in, and the JSON that goes with them.
#pragma once

#include <study/plan/plan_gather.h>
#include <study/tracking/assembly.h>

#include <string>

namespace heed::study {

// Of a study's tables, the one that is TABLE.tsv itself.
[[nodiscard]] std::string main_table(const Study& study);
// TABLE.tsv for the main one, TABLE_NAME.tsv beside it for others.
[[nodiscard]] std::filesystem::path file_of_table(const std::filesystem::path& table, const std::string& name,
                                                  const std::string& main);
[[nodiscard]] std::filesystem::path sidecar_of(const std::filesystem::path& table);

// What the JSON says; the tables are still to be read.
struct GatheredSidecar {
  GatheredStudy gathered{};
  std::vector<LeftOut> left_out{};
  std::vector<std::string> tables{};
};

[[nodiscard]] std::string gathered_json(const Plan& plan, const Assembled& assembled,
                                        const std::vector<std::string>& tables);
// Throws bad_data.
[[nodiscard]] GatheredSidecar parse_gathered(std::string_view json, const std::string& origin);

}  // namespace heed::study
