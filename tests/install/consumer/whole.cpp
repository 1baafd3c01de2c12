// SPDX-License-Identifier: MIT
// Matrices cross the border both ways: made here and read by heed, made by heed and freed here. A picture
// needs the library that draws, whose headers a consumer never sees.
#include <heed/data/version.h>
#include <heed/hmm/smooth.h>
#include <heed/report/render.h>

#include <Eigen/Core>
#include <cstdio>

static_assert(EIGEN_MAX_ALIGN_BYTES == 64, "alignment is heed's, whatever the flags of this project");

int main() {
  heed::LogLikelihoods windows{heed::Matrix::Zero(101, 2)};
  windows.values.col(1).setConstant(0.5);
  heed::Posteriors posteriors = heed::hmm::smooth(heed::hmm::Chain::sticky(2, 0.001), windows);
  posteriors.values.conservativeResize(50, 2);
  Eigen::Index attended = -1;
  posteriors.values.colwise().sum().maxCoeff(&attended);
  std::printf("heed %s: attending %td\n", heed::version().data(), attended);
  const bool sums_to_one = (posteriors.values.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12;
  const auto picture = heed::report::render({.width = 72, .height = 72}, heed::report::FigureFormat::pdf);
  return attended == 1 && sums_to_one && posteriors.values(25, 1) > 0.99 && picture.starts_with("%PDF") ? 0 : 1;
}
