// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/bids/derivative.h>
#include <io/text_file.h>

#include <nlohmann/json.hpp>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure || !std::filesystem::is_directory(folder)) {
    throw Error(ErrorKind::cannot_create, folder.string() + ": cannot be made a folder (" +
                                              (failure ? failure.message() : "a file is in its place") + ")");
  }
}

bool is_of_heed(const std::filesystem::path& description) {
  const Json json = Json::parse(read_text_file(description), nullptr, false);
  if (!json.is_object() || !json.contains("GeneratedBy") || !json["GeneratedBy"].is_array()) return false;
  for (const Json& program : json["GeneratedBy"]) {
    if (program.is_object() && program.contains("Name") && program["Name"] == "heed") return true;
  }
  return false;
}

}  // namespace

void refuse_output_inside(const std::filesystem::path& dataset, const std::filesystem::path& folder) {
  const auto inside =
      std::filesystem::weakly_canonical(folder).lexically_relative(std::filesystem::weakly_canonical(dataset));
  if (inside.empty() || *inside.begin() == ".." || *inside.begin() == "derivatives") return;
  throw Error(ErrorKind::cannot_create, folder.string() + ": lies inside the dataset; write to " +
                                            (dataset / "derivatives" / "heed").string() + " or to a folder elsewhere");
}

void make_derivative_folder(const std::filesystem::path& folder, const BidsDataset& source) {
  refuse_output_inside(source.root, folder);
  make_folder(folder);
  const auto path = folder / "dataset_description.json";
  if (std::filesystem::exists(path)) {
    if (is_of_heed(path)) return;
    throw Error(ErrorKind::cannot_create, folder.string() + ": is a dataset that heed did not make, by its " +
                                              "dataset_description.json; choose another folder");
  }
  const Json json{{"Name", source.name + ": attention decoded by heed"},
                  {"BIDSVersion", "1.8.0"},
                  {"DatasetType", "derivative"},
                  {"GeneratedBy", Json::array({{{"Name", "heed"}, {"Version", version()}}})}};
  write_text_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::filesystem::path derivative_path(const std::filesystem::path& folder, const BidsRun& run,
                                      std::string_view suffix) {
  auto parent = folder / ("sub-" + run.entities.subject);
  if (!run.entities.session.empty()) parent /= "ses-" + run.entities.session;
  parent /= "eeg";
  make_folder(parent);
  return parent / (run.name + "_" + std::string(suffix));
}

}  // namespace heed::io
