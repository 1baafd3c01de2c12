// SPDX-License-Identifier: MIT
// A block of windows of the filters of a bank, which go side by side in the lanes: there and back. The recursions go
// unscaled within a block, whose length sees to it that nothing vanishes. Included inside a kernel file's unnamed
// namespace, after registers.h.

constexpr long bank_registers = bank_width / lanes;

// A number for each filter.
struct Wide {
  Lane part[bank_registers];

  static Wide from(const double* numbers) {
    Wide wide;
    for (long k = 0; k < bank_registers; ++k) wide.part[k] = load(numbers + k * lanes);
    return wide;
  }
  void into(double* numbers) const {
    for (long k = 0; k < bank_registers; ++k) store(numbers + k * lanes, part[k]);
  }
  Wide operator+(const Wide& other) const {
    Wide wide;
    for (long k = 0; k < bank_registers; ++k) wide.part[k] = part[k] + other.part[k];
    return wide;
  }
  Wide operator*(const Wide& other) const {
    Wide wide;
    for (long k = 0; k < bank_registers; ++k) wide.part[k] = part[k] * other.part[k];
    return wide;
  }
  Wide operator/(const Wide& other) const {
    Wide wide;
    for (long k = 0; k < bank_registers; ++k) wide.part[k] = part[k] / other.part[k];
    return wide;
  }
  Wide operator*(double factor) const {
    Wide wide;
    for (long k = 0; k < bank_registers; ++k) wide.part[k] = part[k] * factor;
    return wide;
  }
  [[nodiscard]] double total() const {
    Lane all = part[0];
    for (long k = 1; k < bank_registers; ++k) all += part[k];
    return sum(all);
  }
};

// Fixed: the number of states, or 0 if it is known only now.
template <long Fixed>
struct BankBlock {
  explicit BankBlock(const BankRun& one)
      : run(one), kept(Wide::from(one.kept)), move(Wide::from(one.move)), known(Wide::from(one.known)) {
    state[0] = Wide::from(run.state);
    for (long j = 1; j < states(); ++j) state[j] = Wide::from(run.state + j * bank_width);
  }

  [[nodiscard]] long states() const { return Fixed > 0 ? Fixed : run.states; }
  [[nodiscard]] double* beliefs(long t) const { return run.beliefs + t * states() * bank_width; }
  [[nodiscard]] Wide sum_of_states() const {
    Wide sum = state[0];
    for (long j = 1; j < states(); ++j) sum = sum + state[j];
    return sum;
  }

  void forward() {
    Wide total = sum_of_states();
    for (long t = 0; t < run.windows; ++t) {
      const double* b = run.likelihoods + t * states();
      double* row = beliefs(t);
      const Wide moved = total * move;
      for (long j = 0; j < states(); ++j) {
        state[j] = (state[j] * kept + moved) * b[j];
        state[j].into(row + j * bank_width);
      }
      total = sum_of_states();
      write_probabilities(t, known * total);
    }
    total.into(run.totals);
    keep_state(total);
  }

  // Rows of beliefs may have any scale for each filter, and so may the future.
  void backward() {
    for (long t = run.windows - 1; t >= 0; --t) {
      const double* b = run.likelihoods + t * states();
      const double* row = beliefs(t);
      Wide together[Fixed > 0 ? Fixed : largest_bank_states];
      together[0] = Wide::from(row) * state[0];
      Wide all = together[0];
      for (long j = 1; j < states(); ++j) {
        together[j] = Wide::from(row + j * bank_width) * state[j];
        all = all + together[j];
      }
      const Wide share = known / all;
      for (long j = 0; j < states(); ++j) run.rows[t * run.row_stride + j] = (together[j] * share).total();
      for (long j = 0; j < states(); ++j) state[j] = state[j] * b[j];
      const Wide moved = sum_of_states() * move;
      for (long j = 0; j < states(); ++j) state[j] = state[j] * kept + moved;
    }
    keep_state(sum_of_states());
  }

  void keep_state(const Wide& total) {
    for (long j = 0; j < states(); ++j) (state[j] / total).into(run.state + j * bank_width);
  }
  // A row is shorter than a register is wide; what is written past its end is overwritten by the next row.
  void write_probabilities(long t, const Wide& joint) {
    const Wide probabilities = joint * (1 / joint.total());
    double* to = run.rows + t * run.row_stride;
    if (to + bank_width <= run.rows_end) return probabilities.into(to);
    double numbers[bank_width];
    probabilities.into(numbers);
    for (long g = 0; g < run.row_stride; ++g) to[g] = numbers[g];
  }

  const BankRun& run;
  Wide kept;
  Wide move;
  Wide known;
  Wide state[Fixed > 0 ? Fixed : largest_bank_states];
};

template <long Fixed>
void bank_block_of(const BankRun& run) {
  if (run.back) {
    BankBlock<Fixed>(run).backward();
  } else {
    BankBlock<Fixed>(run).forward();
  }
}

void bank_block(const BankRun& run) noexcept {
  switch (run.states) {
    case 2:
      return bank_block_of<2>(run);
    case 3:
      return bank_block_of<3>(run);
    default:
      return bank_block_of<0>(run);
  }
}
