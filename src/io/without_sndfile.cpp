// SPDX-License-Identifier: MIT
// In place of audio_file.cpp where HEED_WITH_SNDFILE is off.
#include <heed/data/error.h>
#include <heed/io/sound_file.h>

namespace heed::io {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw Error(ErrorKind::unsupported,
              path.string() +
                  ": this heed was built without libsndfile, so it reads and writes no sound; give "
                  "envelopes (.tsv), or build heed with HEED_WITH_SNDFILE=ON");
}

}  // namespace

AudioHeader read_audio_header(const std::filesystem::path& path) { refuse(path); }
Sound read_audio(const std::filesystem::path& path, const AudioPart& /*part*/) { refuse(path); }
void write_audio(const std::filesystem::path& path, const Sound& /*sound*/) { refuse(path); }

}  // namespace heed::io
