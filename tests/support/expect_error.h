// SPDX-License-Identifier: MIT
// Bad input must say what is wrong: the kind of error and words its message must hold.
#pragma once

#include <heed/data/error.h>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace heed::test {

template <typename Call>
void expect_error(ErrorKind kind, std::initializer_list<std::string_view> words, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    const std::string message = error.what();
    for (const std::string_view word : words) {
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' is not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no heed::Error was thrown";
}

}  // namespace heed::test
