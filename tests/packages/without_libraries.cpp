// SPDX-License-Identifier: MIT
// What a heed without matio, libsndfile and cairo says where they would be needed, a line each; see test_switches.py.
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <heed/report/drawing.h>
#include <io/mat/mat_file.h>

#include <cstdio>

namespace {

template <typename Call>
void report(const char* name, const Call& call) {
  try {
    call();
    std::printf("%s: no error\n", name);
  } catch (const heed::Error& error) {
    std::printf("%s: %s: %s\n", name, error.kind() == heed::ErrorKind::unsupported ? "unsupported" : "another error",
                error.what());
  }
}

}  // namespace

// MAT_FILE WAV_FILE
int main(int count, char** arguments) {
  if (count != 3) return 2;
  const heed::report::Drawing drawing{.width = 10, .height = 10, .title = "nothing"};
  using heed::report::FigureFormat;
  report("mat", [&] { (void)heed::io::MatFile::open(arguments[1]); });
  report("sound", [&] { (void)heed::io::read_audio(arguments[2]); });
  report("write", [&] { heed::io::write_audio(arguments[2], {}); });
  report("pdf", [&] { (void)heed::report::render(drawing, FigureFormat::pdf); });
  report("png", [&] { (void)heed::report::render(drawing, FigureFormat::png); });
  report("svg", [&] { (void)heed::report::render(drawing, FigureFormat::svg); });
}
