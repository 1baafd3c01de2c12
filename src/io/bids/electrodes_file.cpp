// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/matrix.h>
#include <io/bids/dataset_scan.h>
#include <io/bids/electrodes_file.h>
#include <io/bids/problems.h>
#include <io/discovery.h>
#include <io/json_object.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

bool counts_to_the_front(std::string_view system) {
  constexpr std::array<std::string_view, 4> systems{"CTF", "4DBti", "KitYokogawa", "EEGLAB"};
  return std::ranges::find(systems, system) != systems.end();
}

// |x - c|^2 = r^2 is linear in c and r^2 - |c|^2: least squares.
Eigen::Vector3d centre_of(const std::vector<Eigen::Vector3d>& places) {
  Eigen::MatrixXd rows(std::ssize(places), 4);
  Eigen::VectorXd squares(std::ssize(places));
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& place : places) mean += place / static_cast<double>(places.size());
  double spread = 0;
  for (const Eigen::Vector3d& place : places) spread = std::max(spread, (place - mean).norm());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Eigen::Vector3d place = (places[k] - mean) / spread;
    rows.row(static_cast<Index>(k)) << 2 * place.transpose(), 1;
    squares(static_cast<Index>(k)) = place.squaredNorm();
  }
  auto fit = rows.colPivHouseholderQr();
  fit.setThreshold(1e-6);
  if (!(spread > 0) || fit.rank() < 4) {
    throw Error(ErrorKind::bad_data,
                "the places of the electrodes lie in a plane, so they are not on a head; give x, y and z as measured");
  }
  return mean + (spread * fit.solve(squares).head<3>());
}

// The table whose entities are all the run's, space- and the like aside, which the run's name has not: the deepest,
// and of one folder the last with the most entities.
std::optional<fs::path> table_of(BidsTree& tree, const BidsDataset& dataset, const BidsRun& run) {
  const FileEntities wanted = parse_entities(run.eeg);
  std::optional<fs::path> found;
  fs::path folder = dataset.root;
  const fs::path below = run.eeg.lexically_relative(dataset.root).parent_path();
  for (auto step = below.begin();; ++step) {
    for (const fs::path& file : tree.files(folder)) {
      const FileEntities entities = parse_entities(file);
      if (entities.suffix != "electrodes" || file.extension() != ".tsv") continue;
      const bool applies = std::ranges::all_of(entities.pairs, [&](const auto& pair) {
        return pair.first == "space" || wanted.value(pair.first) == pair.second;
      });
      if (applies) found = file;
    }
    if (step == below.end()) return found;
    folder /= *step;
  }
}

// Beside the table, under the same name.
std::string system_beside(const fs::path& table) {
  std::string name = table.stem().string();
  name.replace(name.rfind("electrodes"), std::string_view("electrodes").size(), "coordsystem");
  fs::path file = table.parent_path() / (name + ".json");
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return "";
  try {
    const JsonObject json = JsonObject::parse(read_text_file(file));
    return json.has_text("EEGCoordinateSystem") ? json.text("EEGCoordinateSystem") : "";
  } catch (const Error& error) {
    throw error.within(file.string());
  }
}

}  // namespace

std::vector<PlacedElectrode> parse_electrodes(std::string_view text, std::string_view system) {
  TsvReader reader(text);
  const std::size_t name = needed_column(reader, "name");
  const std::array columns{needed_column(reader, "x"), needed_column(reader, "y"), needed_column(reader, "z")};
  std::vector<PlacedElectrode> electrodes;
  std::vector<Eigen::Vector3d> places;
  while (reader.next()) {
    const auto x = reader.number(columns[0]);
    const auto y = reader.number(columns[1]);
    const auto z = reader.number(columns[2]);
    if (!x || !y || !z) continue;
    electrodes.push_back({.name = name_cell(reader, name)});
    places.push_back(counts_to_the_front(system) ? Eigen::Vector3d(-*y, *x, *z) : Eigen::Vector3d(*x, *y, *z));
  }
  constexpr std::size_t fewest = 4;
  if (places.size() < fewest) {
    throw Error(ErrorKind::bad_data, "only " + std::to_string(places.size()) +
                                         " electrodes have a place; four are needed to find the middle of the head");
  }
  const Eigen::Vector3d centre = centre_of(places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Eigen::Vector3d direction = (places[k] - centre).normalized();
    electrodes[k].direction = {direction.x(), direction.y(), direction.z()};
  }
  return electrodes;
}

std::vector<PlacedElectrode> read_electrodes(const BidsDataset& dataset, const BidsRun& run) {
  BidsTree tree(dataset.root);
  const auto table = table_of(tree, dataset, run);
  if (!table) return {};
  const std::string system = system_beside(*table);
  try {
    return parse_electrodes(read_text_file(*table), system);
  } catch (const Error& error) {
    throw error.within(table->string());
  }
}

}  // namespace heed::io
