// SPDX-License-Identifier: MIT
#include <evaluate/measured_participants.h>
#include <gtest/gtest.h>
#include <heed/data/error.h>

#include "support/expect_error.h"

namespace heed::evaluate {
namespace {

NamedValues at(const std::string& tracker) { return {{.name = "tracker", .value = tracker}}; }

TEST(Measured, AveragesTheRowsOfAParticipantInOrderOfAppearance) {
  const ResultTable table{.columns = {"participant", "tracker", "accuracy"},
                          .rows = {{"b", "raw", 0.5},
                                   {"a", "causal", 0.25},
                                   {"b", "causal", 0.5},
                                   {"a", "causal", 0.75},
                                   {"c", "causal", TableValue{}}}};
  const MeasuredParticipants found = measured(table, at("causal"), "accuracy");
  EXPECT_EQ(found.participants, (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(found.values, (std::vector<std::optional<double>>{0.5, 0.5, std::nullopt}));
}

TEST(Measured, TellsNumbersFromWords) {
  const ResultTable table{.columns = {"participant", "switch_interval", "accuracy"},
                          .rows = {{"1", "60-120", 0.5}, {"1", 300.0, 0.75}, {"2", 300.0, 1.0}}};
  const auto at_interval = [&](TableValue value) {
    return measured(table, {{.name = "switch_interval", .value = std::move(value)}}, "accuracy").values;
  };
  EXPECT_EQ(at_interval("60-120"), (std::vector<std::optional<double>>{0.5, std::nullopt}));
  EXPECT_EQ(at_interval(300.0), (std::vector<std::optional<double>>{0.75, 1.0}));
  EXPECT_EQ(at_interval("300"), (std::vector<std::optional<double>>{std::nullopt, std::nullopt}));
}

TEST(Measured, NamesAMissingColumn) {
  test::expect_error(ErrorKind::not_found, {"no column 'acuracy'"}, [] {
    const ResultTable table{.columns = {"participant", "tracker", "accuracy"}, .rows = {}};
    (void)measured(table, at("raw"), "acuracy");
  });
}

TEST(PlacesAlong, AreTheNumbersOfTheSetting) {
  const ResultTable table{.columns = {"participant", "tracker", "p"},
                          .rows = {{"1", "causal", 0.01},
                                   {"1", "causal", 0.001},
                                   {"2", "causal", 0.01},
                                   {"1", "causal", "scaled"},
                                   {"1", "raw", 0.5}}};
  EXPECT_EQ(places_along(table, at("causal"), "p"), (std::vector<double>{0.001, 0.01}));
}

}  // namespace
}  // namespace heed::evaluate
