// SPDX-License-Identifier: MIT
// Gives other programs what heed's readers and writers make of a recording, a table or a model, for tests that compare
// them.
//   recording_tool samples FILE CHANNEL...     float32 to standard output, rows of samples; no channels: all of one
//   rate recording_tool copy FILE OUT               OUT by its ending: .bdf .edf .vhdr
//   recording_tool table FILE                  float64 to standard output, rows of cells, NaN for n/a
//   recording_tool model FILE                  the model as heed writes it
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <heed/io/recording_file.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

void print_samples(const std::filesystem::path& file, std::span<char*> channels) {
  const heed::Recording recording = heed::io::read_recording(file, {{channels.begin(), channels.end()}, {}, {}});
  const auto count = static_cast<std::size_t>(recording.samples.size());
  (void)std::fwrite(recording.samples.data(), sizeof(float), count, stdout);
}

void copy(const std::filesystem::path& file, const std::filesystem::path& out) {
  const heed::RecordingHeader header = heed::io::read_recording_header(file);
  const heed::Recording recording = heed::io::read_recording(file);
  const heed::io::RecordingWriteOptions options{header.start};
  if (out.extension() == ".bdf") heed::io::write_bdf(out, recording, header.events, options);
  if (out.extension() == ".edf") heed::io::write_edf(out, recording, header.events, options);
  if (out.extension() == ".vhdr") heed::io::write_brainvision(out, recording, header.events, options);
}

void print_table(const std::filesystem::path& file) {
  const std::string text = heed::io::read_text_file(file);
  heed::io::TsvReader table(text);
  std::vector<double> cells;
  while (table.next()) {
    for (std::size_t column = 0; column < table.names().size(); ++column) {
      cells.push_back(table.number(column).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  (void)std::fwrite(cells.data(), sizeof(double), cells.size(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  if (words.size() < 3) return 2;
  try {
    if (std::string(words[1]) == "samples") print_samples(words[2], words.subspan(3));
    if (std::string(words[1]) == "copy") copy(words[2], words[3]);
    if (std::string(words[1]) == "table") print_table(words[2]);
    if (std::string(words[1]) == "model") {
      (void)std::fputs(heed::io::model_text(heed::io::read_model(words[2])).c_str(), stdout);
    }
    return 0;
  } catch (const heed::Error& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
