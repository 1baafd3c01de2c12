// SPDX-License-Identifier: MIT
#include <io/bids/checked_rows.h>
#include <io/validation/problem_list.h>

namespace heed::io {

void ProblemList::error(const std::filesystem::path& file, const Error& error) {
  std::string message = error.what();
  const std::string whole = file.string() + ": ";
  if (message.starts_with(whole)) message.erase(0, whole.size());
  const std::string folder = (root_ / "").string();
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder, at)) {
    message.erase(at, folder.size());
  }
  add(file, {problem_of(Error(error.kind(), message))});
}

void ProblemList::add(const std::filesystem::path& file, Problems problems) {
  for (Problem& problem : problems) {
    if (problem.file.empty()) problem.file = shown(file);
    problems_.push_back(std::move(problem));
  }
}

}  // namespace heed::io
