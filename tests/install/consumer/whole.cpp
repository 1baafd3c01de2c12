// SPDX-License-Identifier: MIT
// Matrices cross the border both ways: made here and read by heed, made by heed and freed here. A picture
// needs the library that draws and sound the one that decodes, whose headers a consumer never sees.
#include <heed/heed.h>

#include <Eigen/Core>
#include <cstdio>

static_assert(EIGEN_MAX_ALIGN_BYTES == 64, "alignment is heed's, whatever the flags of this project");

// This program is no audio, and heed says so.
static bool is_refused_as_audio(const char* program) {
  try {
    return heed::io::read_audio_header(program).frames < 0;
  } catch (const heed::Error& error) {
    return error.kind() == heed::ErrorKind::bad_data;
  }
}

int main(int, char** argv) {
  heed::LogLikelihoods windows{heed::Matrix::Zero(101, 2)};
  windows.values.col(1).setConstant(0.5);
  heed::Posteriors posteriors = heed::hmm::smooth(heed::hmm::Chain::sticky(2, 0.001), windows);
  posteriors.values.conservativeResize(50, 2);
  Eigen::Index attended = -1;
  posteriors.values.colwise().sum().maxCoeff(&attended);
  std::printf("heed %s: attending %td\n", heed::version().data(), attended);
  const bool sums_to_one = (posteriors.values.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12;
  const auto picture = heed::report::render({.width = 72, .height = 72}, heed::report::FigureFormat::pdf);
  const bool right = attended == 1 && sums_to_one && posteriors.values(25, 1) > 0.99;
  return right && picture.starts_with("%PDF") && is_refused_as_audio(argv[0]) ? 0 : 1;
}
