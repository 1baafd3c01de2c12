// SPDX-License-Identifier: MIT
// What the windows of a filter say together. Included inside a kernel file's unnamed namespace.

// The logarithm of the product of normalisers is taken only now and then.
struct CausalEvidence {
  double shift = 0;
  double log = 0;
  double product = 1;
  long held = 0;

  // A missing window's normaliser is 1.
  void add(const WeighedWindow& window, double normaliser) {
    shift += window.whole ? window.shift : 0;
    held += window.whole ? 0 : 1;
    product *= normaliser;
    if (product < 1e-200) {
      log += __builtin_log(product);
      product = 1;
    }
  }
  void into(CausalRun& run) const {
    run.log_evidence = shift + (log + __builtin_log(product));
    run.held = held;
  }
};
