// SPDX-License-Identifier: MIT
// BrainVision: header, markers and samples in one input, with NUL bytes between them. Text first as the parsers see it,
// then as three files.
#include <heed/io/recording_file.h>
#include <io/brainvision/brainvision_header.h>

#include <algorithm>
#include <fstream>

#include "target.h"

namespace heed::fuzz {
namespace {

// In memory where the machine has such a folder.
std::filesystem::path scratch_folder() {
  const std::filesystem::path memory = "/dev/shm";
  std::string name =
      ((std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) / "heed-fuzz-XXXXXX")
          .string();
  require(::mkdtemp(name.data()) != nullptr);
  return name;
}

class Folder {
 public:
  Folder() : path_(scratch_folder()) {}
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // NOLINTNEXTLINE(modernize-use-nodiscard): only one of the three is opened by name
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

std::string_view take(std::string_view& rest) {
  const std::string_view taken = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
  return taken;
}

void read(const std::filesystem::path& file) {
  const RecordingHeader header = io::read_recording_header(file);
  const Recording recording = io::read_recording(file);
  require(recording.samples.rows() == header.samples);
  require(recording.samples.cols() == static_cast<Index>(header.channels.size()));
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  std::string_view rest = text_of(data, size);
  const std::string_view header = take(rest);
  const std::string_view markers = take(rest);
  allow_errors(
      [&] { (void)heed::io::parse_brainvision_header(heed::io::decode_brainvision_text(std::string(header))); });
  const auto found = heed::io::parse_brainvision_markers(heed::io::decode_brainvision_text(std::string(markers)),
                                                         {heed::Hertz{100}, 1000});
  require(found.events.size() <= 1000);
  static const Folder folder;  // one for all inputs: making and removing folders takes longer than reading
  const auto file = folder.write("a.vhdr", header);
  folder.write("a.vmrk", markers);
  folder.write("a.eeg", rest);
  allow_errors([&] { read(file); });
  return 0;
}
