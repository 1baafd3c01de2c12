// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <io/atomic_file.h>
#include <io/json_object.h>
#include <io/npy_file.h>
#include <io/score_tables/sidecar.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace heed::io {
namespace {

constexpr double highest_rate = 1e9;   // Hz; beyond it a mistake, and products with times stay finite
constexpr double longest_onset = 1e7;  // s

void read_sidecar(std::string_view text, Envelope& envelope) {
  const JsonObject json = JsonObject::parse(text);
  envelope.sampling_frequency = Hertz{json.positive("SamplingFrequency")};
  if (envelope.sampling_frequency.value > highest_rate) {
    throw Error(ErrorKind::bad_data, "key SamplingFrequency is more than 1000000000; write samples per second");
  }
  if (json.has("StartTime")) envelope.onset = Seconds{json.number("StartTime")};
  if (std::abs(envelope.onset.value) > longest_onset) {
    throw Error(ErrorKind::bad_data, "key StartTime is beyond 10000000; write seconds");
  }
  if (json.has("Columns") && json.texts("Columns") != envelope.columns) {
    throw Error(ErrorKind::bad_data, "key Columns is not the header row of the table (" +
                                         in_quotes(listed(envelope.columns)) + "); make them the same");
  }
}

std::vector<double> read_values(TsvReader& reader) {
  std::vector<double> values;
  while (reader.next()) {
    for (std::size_t column = 0; column < reader.names().size(); ++column) {
      const auto value = reader.number(column);
      if (!value) throw reader.error(column, "an envelope has no gaps; write a number");
      values.push_back(*value);
    }
  }
  if (values.empty())
    throw Error(ErrorKind::bad_data, "the file has a header but no samples; write one row per sample");
  return values;
}

Error without_sidecar() {
  return {ErrorKind::not_found, "has no JSON beside it; write one, same name, with SamplingFrequency"};
}

// An array has no header row: its one column is called as tables call theirs.
Envelope read_array(const std::filesystem::path& path) {
  Envelope envelope{.columns = {"envelope"}, .values = read_npy(path)};
  try {
    const auto beside = sidecar_path(path);
    std::error_code failure;
    if (!std::filesystem::exists(*beside, failure)) throw without_sidecar();
    read_sidecar(read_text_file(*beside), envelope);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
  return envelope;
}

void check_envelope(const Envelope& envelope, int digits) {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::invalid_argument, std::string("cannot write the envelope: ") + why);
  };
  if (digits < 1 || digits > 17) refuse("digits must be from 1 to 17");
  const double rate = envelope.sampling_frequency.value;
  if (!(rate > 0) || rate > highest_rate) refuse("its sampling frequency must be greater than 0");
  if (!(std::abs(envelope.onset.value) <= longest_onset)) refuse("its onset is not a time");
  if (envelope.values.size() == 0 || !envelope.values.allFinite())
    refuse("its values must be finite, and there must be some");
  if (envelope.values.cols() != static_cast<Index>(envelope.columns.size())) refuse("every column needs a name");
  std::set<std::string_view> names;
  for (const std::string& name : envelope.columns) {
    const bool breaks = name.empty() || name.find_first_of("\t\r\n") != std::string::npos || parse_number(name);
    if (breaks || !names.insert(name).second) refuse("columns need different names without tabs that are not numbers");
  }
}

Envelope envelope_of(TsvReader reader, std::string_view sidecar) {
  Envelope envelope;
  envelope.columns.assign(reader.names().begin(), reader.names().end());
  try {
    read_sidecar(sidecar, envelope);
  } catch (const Error& error) {
    throw error.within("sidecar");
  }
  const std::vector<double> values = read_values(reader);
  const auto columns = static_cast<Index>(envelope.columns.size());
  envelope.values = Eigen::Map<const Matrix>(values.data(), static_cast<Index>(values.size()) / columns, columns);
  return envelope;
}

}  // namespace

Envelope parse_envelope(std::string_view table, std::string_view sidecar) {
  return envelope_of(TsvReader(table), sidecar);
}

Envelope read_envelope(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return read_array(path);
  return read_with_sidecar(path, [](TsvReader table, const std::optional<std::string>& sidecar) {
    if (!sidecar) throw without_sidecar();
    return envelope_of(std::move(table), *sidecar);
  });
}

void write_envelope(const std::filesystem::path& path, const Envelope& envelope, int digits) {
  check_envelope(envelope, digits);
  std::string table;
  for (const std::string& name : envelope.columns) table += (table.empty() ? "" : "\t") + name;
  table += '\n';
  for (const auto row : envelope.values.rowwise()) {
    for (Index column = 0; column < row.size(); ++column) {
      if (column > 0) table += '\t';
      append_number(table, row(column), digits);
    }
    table += '\n';
  }
  const nlohmann::ordered_json json{{"SamplingFrequency", envelope.sampling_frequency.value},
                                    {"StartTime", envelope.onset.value},
                                    {"Columns", envelope.columns}};
  write_with_sidecar(path, table, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace heed::io
