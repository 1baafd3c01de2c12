// SPDX-License-Identifier: MIT
// Where electrodes of BioSemi's caps are, beside MNE's own tables.
#include <gtest/gtest.h>

#include "support/electrode_places.h"

namespace heed::dsp {
namespace {

using test::biosemi_names;
using test::degrees_apart;
using test::numbered_names;

class BiosemiCaps : public test::PlacesOfMne {};

TEST_F(BiosemiCaps, AreThoseOfMne) {
  for (const int electrodes : {16, 32, 64, 128, 160, 256}) {
    const auto cap = montage("biosemi" + std::to_string(electrodes));
    if (cap.empty()) GTEST_SKIP() << "MNE is wanted (Debian: python3-mne)";
    ASSERT_EQ(std::ssize(cap), electrodes);
    const auto places = electrode_positions(biosemi_names(electrodes));
    const auto numbered = electrode_positions(numbered_names(electrodes));
    // The small caps carry names of the 10-10 system, whose places heed computes; of the large ones MNE leaves out the
    // fractions of a degree, in two angles.
    const double most = electrodes <= 64 ? 5 : 1.3;
    for (std::size_t k = 0; k < cap.size(); ++k) {
      ASSERT_TRUE(places[k]) << electrodes << " " << k;
      EXPECT_LE(degrees_apart(*places[k], cap[k].second), most) << electrodes << " " << cap[k].first;
      EXPECT_EQ(places[k], numbered[k]) << electrodes << " " << k;
    }
  }
}

}  // namespace
}  // namespace heed::dsp
