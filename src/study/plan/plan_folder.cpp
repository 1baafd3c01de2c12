// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/text_file.h>
#include <study/plan/plan.h>

#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "plan.json";

Plan read_plan(const fs::path& folder) {
  std::error_code failure;
  if (!fs::exists(folder, failure)) {
    throw Error(
        ErrorKind::not_found,
        folder.string() + ": not there; make it with 'heed study plan STUDY --on COHORT -o " + folder.string() + "'");
  }
  const fs::path file = folder / file_name;
  if (!fs::is_directory(folder, failure) || !fs::exists(file, failure)) {
    throw Error(
        ErrorKind::bad_data,
        folder.string() + ": no plan of a study, which is a folder with a plan.json; make one with 'heed study plan'");
  }
  return Plan::parse(io::read_text_file(file), file.string());
}

}  // namespace

PlanFolder::PlanFolder(fs::path folder, Plan plan) : folder_(std::move(folder)), plan_(std::move(plan)) {
  std::error_code failure;
  const bool there = fs::exists(folder_, failure);
  if (there && !(fs::is_directory(folder_, failure) && fs::is_empty(folder_, failure))) {
    throw Error(
        ErrorKind::cannot_create,
        folder_.string() +
            ": there is something already; choose another folder with -o, or go on with a plan by 'heed study run " +
            folder_.string() + "'");
  }
  fs::create_directories(folder_, failure);
  if (failure) {
    throw Error(ErrorKind::cannot_create,
                folder_.string() + ": cannot be made (" + failure.message() + "); choose another folder with -o");
  }
  try {
    io::write_text_file(folder_ / file_name, plan_.json());
  } catch (const Error&) {
    if (!there) fs::remove(folder_, failure);
    throw;
  }
}

PlanFolder::PlanFolder(fs::path folder) : folder_(std::move(folder)), plan_(read_plan(folder_)) {}

}  // namespace heed::study
