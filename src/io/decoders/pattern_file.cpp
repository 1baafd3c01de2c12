// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/decoders/pattern_file.h>
#include <io/score_tables/sidecar.h>
#include <io/tsv.h>

#include <nlohmann/json.hpp>

namespace heed::io {

void write_pattern(const std::filesystem::path& path, const PatternTable& pattern) {
  const Matrix& values = pattern.values;
  if (values.rows() != std::ssize(pattern.channels) || values.cols() != std::ssize(pattern.lags)) {
    throw Error(ErrorKind::invalid_argument, "a pattern needs a row a channel and a column a lag");
  }
  std::string table = "channel";
  for (const Seconds lag : pattern.lags) table += "\t" + number_text(lag.value);
  table += "\n";
  for (Index c = 0; c < values.rows(); ++c) {
    table += pattern.channels[static_cast<std::size_t>(c)];
    for (Index k = 0; k < values.cols(); ++k) table += "\t" + number_text(values(c, k));
    table += "\n";
  }
  const nlohmann::ordered_json sidecar{
      {"Description",
       "Forward pattern of a decoder: where, and how long after the sound, the decoded signal shows. "
       "Columns are lags of the EEG behind the sound, in seconds"},
      {"Units", "standard deviations of the EEG for one of the decoded signal"},
      {"HeedVersion", version()}};
  write_with_sidecar(path, table, sidecar.dump(2) + "\n");
}

}  // namespace heed::io
