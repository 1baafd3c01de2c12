// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

using test::expect_error;

TEST(PlanFolder, IsReadAgain) {
  const test::PlannedStudy planned;
  EXPECT_EQ(PlanFolder(planned.folder.folder()).plan().json(), planned.folder.plan().json());
}

TEST(PlanFolder, IsNotMadeWhereSomethingIs) {
  const test::PlannedStudy planned;
  expect_error(ErrorKind::cannot_create, {"something already", "heed study run"},
               [&] { PlanFolder(planned.folder.folder(), planned.folder.plan()); });
  const auto file = planned.temporary.write("file", "");
  expect_error(ErrorKind::cannot_create, {"file"}, [&] { PlanFolder(file, planned.folder.plan()); });
  expect_error(ErrorKind::cannot_create, {"below", "cannot be made"},
               [&] { PlanFolder(file / "below", planned.folder.plan()); });
  std::filesystem::create_directory(planned.temporary.path() / "empty");
  EXPECT_NO_THROW(PlanFolder(planned.temporary.path() / "empty", planned.folder.plan()));
}

TEST(PlanFolder, ThatIsNoneIsRefused) {
  const test::TemporaryFolder folder;
  expect_error(ErrorKind::not_found, {"nowhere", "heed study plan"}, [&] { PlanFolder(folder.path() / "nowhere"); });
  expect_error(ErrorKind::bad_data, {"no plan"}, [&] { PlanFolder{folder.path()}; });
  expect_error(ErrorKind::bad_data, {"no plan"}, [&] { PlanFolder{folder.write("file", "")}; });
}

}  // namespace
}  // namespace heed::study
