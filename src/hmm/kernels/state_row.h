// SPDX-License-Identifier: MIT
// A number per state, in registers that are filled up beyond the last state. Included inside a kernel file's unnamed
// namespace, after registers.h.

// Reads rows of numbers into registers; nothing at or beyond `end`, which is where the last row ends. Fixed: the number
// of states, or 0 if it is known only now.
template <long Fixed>
struct RowReader {
  long count;
  const double* end;
  LaneBits valid;  // of the last register: what is beyond the last state is filled up

  RowReader(long states, const double* last_end) : count(states), end(last_end), valid{} {
    for (long k = 0; k < lanes; ++k) valid[k] = k < states % lanes ? -1 : 0;
  }
  [[nodiscard]] long states() const { return Fixed > 0 ? Fixed : count; }
  [[nodiscard]] Lane read(const double* row, long v, double filling) const {
    const double* from = row + v * lanes;
    if ((v + 1) * lanes <= states()) return load(from);
    if (from + lanes <= end) return valid ? load(from) : splat(filling);
    double padding[lanes] = {};
    __builtin_memcpy(padding, from, static_cast<unsigned long>(states() % lanes) * sizeof(double));
    return valid ? load(padding) : splat(filling);
  }
};

// In registers where the number of states is fixed, else (0) in storage of whole registers.
template <long Fixed>
struct StateRow {
  Lane x[(Fixed + lanes - 1) / lanes];

  explicit StateRow(double* /*storage*/) {}
  [[nodiscard]] Lane get(long v) const { return x[v]; }
  void set(long v, Lane value) { x[v] = value; }
  [[nodiscard]] double at(long j) const { return x[j / lanes][j % lanes]; }
  void write(double* row, long /*states*/) const {
    for (long v = 0; v < Fixed / lanes; ++v) store(row + v * lanes, x[v]);
    for (long j = Fixed / lanes * lanes; j < Fixed; ++j) row[j] = at(j);
  }
};
template <>
struct StateRow<0> {
  double* x;

  explicit StateRow(double* storage) : x(storage) {}
  [[nodiscard]] Lane get(long v) const { return load(x + v * lanes); }
  void set(long v, Lane value) { store(x + v * lanes, value); }
  [[nodiscard]] double at(long j) const { return x[j]; }
  void write(double* row, long states) const {
    __builtin_memcpy(row, x, static_cast<unsigned long>(states) * sizeof(double));
  }
};

// Form<states, Dense>(run).go(), the number of states fixed where it is small.
template <template <long, bool> class Form, bool Dense, typename Run>
void go_in_rows(Run& run) {
  switch (run.states) {
    case 2:
      return Form<2, Dense>(run).go();
    case 3:
      return Form<3, Dense>(run).go();
    case 4:
      return Form<4, Dense>(run).go();
    case 5:
      return Form<5, Dense>(run).go();
    case 6:
      return Form<6, Dense>(run).go();
    case 7:
      return Form<7, Dense>(run).go();
    case 8:
      return Form<8, Dense>(run).go();
    default:
      return Form<0, Dense>(run).go();
  }
}
