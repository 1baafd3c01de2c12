// SPDX-License-Identifier: MIT
// The parameters of a model in the program's JSON.
#pragma once

#include <heed/data/model.h>

#include <nlohmann/json.hpp>

namespace heed::app {

// The emission's fields of the model file, all the way down, in the spelling of the program's JSON; temperature and
// dependence beside them.
[[nodiscard]] nlohmann::ordered_json parameters_json(const Model& model);

}  // namespace heed::app
