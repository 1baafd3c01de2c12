// SPDX-License-Identifier: MIT
// The parameters of studies one by one: name, default, the values it takes.
#pragma once

#include <study/setting.h>

#include <string_view>

namespace heed::study {

// The number in a value, if it is a finite one.
[[nodiscard]] std::optional<double> number_in(const TableValue& value) noexcept;

// Puts one value into a setting. Throws invalid_argument: an unknown name, a value it does not take.
void read_parameter(const NamedValue& given, Setting& setting);

// All parameters at the paper's baseline, in the order of parameter_names().
[[nodiscard]] NamedValues default_values();

}  // namespace heed::study
