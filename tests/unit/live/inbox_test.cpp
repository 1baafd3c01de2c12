// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/page/inbox.h>

#include <vector>

namespace heed::live {
namespace {

TEST(PageInbox, APlaceThatIsUsedAgainKeepsNothingOfTheDecisionInIt) {
  PageInbox inbox;
  const StreamDescription stream{.speakers = {"left", "right"}};
  inbox.begin(stream);
  const std::vector<double> numbers{0.25, 0.75};
  inbox.put(
      Decision{
          .scores = numbers, .posterior = numbers, .decision = 1, .gains = numbers, .own_share = 0.5, .gave_up = true},
      {}, {});
  PageInbox::Mail mail;
  inbox.take(mail);
  ASSERT_EQ(mail.count, 1U);
  EXPECT_TRUE(mail.reports[0].gave_up);

  inbox.begin(stream);  // another session
  const Relaxation relaxation{.posterior = numbers, .gains = numbers};
  for (int time = 0; time < 3; ++time) {
    inbox.put(relaxation, {});
    inbox.take(mail);
    ASSERT_EQ(mail.count, 1U);
    EXPECT_TRUE(mail.reports[0].relaxation);
    EXPECT_FALSE(mail.reports[0].gave_up);
    EXPECT_FALSE(mail.reports[0].own_share);
    EXPECT_TRUE(mail.reports[0].scores.empty());
    EXPECT_EQ(mail.reports[0].posterior, numbers);
  }
}

}  // namespace
}  // namespace heed::live
