// SPDX-License-Identifier: MIT
// Participants over a few threads.
#pragma once

#include <data/in_parallel.h>

namespace heed::pipeline {

using data::each_in_parallel;
using data::errors_of;
using data::in_parallel;
using data::Threads;

}  // namespace heed::pipeline
