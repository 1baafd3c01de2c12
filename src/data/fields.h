// SPDX-License-Identifier: MIT
// The fields of a plain struct, one after the other, without a list of their names that could miss the newest: what
// keys of caches and results are made from (io/digest.h).
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heed::data {

// Stands for a field of any type in unevaluated code, but not for the struct itself, which would be copied.
template <typename Struct>
struct AnyField {
  template <typename Field>
  requires(!std::is_same_v<std::remove_cvref_t<Field>, Struct>) operator Field() const noexcept;
};

inline constexpr std::size_t most_fields = 24;

template <typename Struct, std::size_t Count = most_fields + 1>
consteval std::size_t count_fields() {
  constexpr bool can_be_made = []<std::size_t... I>(std::index_sequence<I...>) {
    return requires { Struct{(void(I), AnyField<Struct>{})...}; };
  }
  (std::make_index_sequence<Count>{});
  if constexpr (Count == 0 || can_be_made) {
    return Count;
  } else {
    return count_fields<Struct, Count - 1>();
  }
}

// References to all fields, in the order of their declaration. Only for aggregates without bases, arrays and bit
// fields.
template <typename Struct>
constexpr auto fields_of(Struct& s) {
  using Plain = std::remove_const_t<Struct>;
  static_assert(std::is_aggregate_v<Plain>);
  constexpr std::size_t count = count_fields<Plain>();
  static_assert(count <= most_fields, "this struct has too many fields: make several of it, or raise most_fields");
  // clang-format off
  if constexpr (count == 0) { return std::tie(); }
  else if constexpr (count == 1) { auto& [a] = s; return std::tie(a); }
  else if constexpr (count == 2) { auto& [a, b] = s; return std::tie(a, b); }
  else if constexpr (count == 3) { auto& [a, b, c] = s; return std::tie(a, b, c); }
  else if constexpr (count == 4) { auto& [a, b, c, d] = s; return std::tie(a, b, c, d); }
  else if constexpr (count == 5) { auto& [a, b, c, d, e] = s; return std::tie(a, b, c, d, e); }
  else if constexpr (count == 6) { auto& [a, b, c, d, e, f] = s; return std::tie(a, b, c, d, e, f); }
  else if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = s; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = s; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = s; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (count == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = s; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (count == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (count == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (count == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (count == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
  else if constexpr (count == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
  else if constexpr (count == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
  else if constexpr (count == 17) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q); }
  else if constexpr (count == 18) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r); }
  else if constexpr (count == 19) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t); }
  else if constexpr (count == 20) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u); }
  else if constexpr (count == 21) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v); }
  else if constexpr (count == 22) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w); }
  else if constexpr (count == 23) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w, x] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w, x); }
  else { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w, x, y] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, t, u, v, w, x, y); }
  // clang-format on
}

}  // namespace heed::data
