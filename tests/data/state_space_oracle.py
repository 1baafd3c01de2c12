#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An independent state-space model of attention (docs/mathematics.md, "State-space model"), in numpy and
written as plainly as the equations: the oracle of tests/unit/track/state_space_test.cpp.

    state_space_oracle.py            prints scores and golden numbers as the tables of
                                     tests/unit/track/state_space_golden.h; redirect it there to regenerate

Python 3 with numpy. Numbers come from a linear congruential generator of its own, so that they do not
depend on a version of numpy.
"""
import math

import numpy as np

FORWARD, BACKWARD = 1.5, 13.5  # seconds
OUTER, NEWTON = 20, 10
A0, B0 = 2.008, 0.2016
ALPHA = (641.13, 4043.4)  # attended, unattended
BETA = (375.81, 6279.1)
MU0 = (-0.3994, -1.5103)
RHO = (1.7060, 0.64395)
SMALLEST_MARKER = 1e-4


def logistic(z):
    return 1 / (1 + np.exp(-z))


def density(log_marker, mu, rho):
    """Of a log-normal marker, without the factor 1/m that both hypotheses share."""
    return math.sqrt(rho / (2 * math.pi)) * math.exp(-rho / 2 * (log_marker - mu) ** 2)


class Model:
    def __init__(self, window, compatible=False):
        self.ahead = math.floor(FORWARD / window + 1e-9)
        self.size = self.ahead + math.floor(BACKWARD / window + 1e-9) + 1
        self.compatible = compatible
        self.mu, self.rho = list(MU0), list(RHO)
        self.z, self.eta = np.zeros(self.size), np.full(self.size, 0.3)
        self.start = (0.0, 0.0)

    def responsibilities(self, y, seen):
        e = np.full(self.size, np.nan)
        for k in np.flatnonzero(seen):
            s = logistic(self.z[k])
            first = density(y[k, 0], self.mu[0], self.rho[0]) * density(y[k, 1], self.mu[1], self.rho[1])
            second = density(y[k, 0], self.mu[1], self.rho[1]) * density(y[k, 1], self.mu[0], self.rho[0])
            e[k] = s * first / (s * first + (1 - s) * second)
        return e

    def refit(self, y, e, seen):
        """With every window seen these are the published updates; unseen ones only leave their terms out."""
        y, e, prior = y[seen], e[seen], self.size
        for who, weights in enumerate((np.column_stack([e, 1 - e]), np.column_stack([1 - e, e]))):
            mu = (np.sum(weights * y) + prior * MU0[who]) / (len(e) + prior)
            squares = np.sum(weights * (y - mu) ** 2)
            above = prior * (2 * ALPHA[who] - 1) + len(e)
            self.mu[who] = mu
            self.rho[who] = above / (squares + prior * (2 * BETA[who] + (mu - MU0[who]) ** 2))

    def pass_over(self, e, seen, start):
        """One filter and smoother; index 0 is the start state. Gives its smoothed mean and variance."""
        n = self.size
        zf, sf, zp, sp = (np.zeros(n + 1) for _ in range(4))
        zf[0], sf[0] = start
        for k in range(1, n + 1):
            zp[k], sp[k] = zf[k - 1], sf[k - 1] + self.eta[k - 1]
            zf[k], sf[k] = zp[k], sp[k]
            if not seen[k - 1]:
                continue
            z = zp[k]
            for _ in range(NEWTON):
                s = logistic(z)
                z -= (z - zp[k] - sp[k] * (e[k - 1] - s)) / (1 + sp[k] * s * (1 - s))
            s = logistic(z)
            zf[k], sf[k] = z, 1 / (1 / sp[k] + s * (1 - s))
        zs, ss, gain = zf.copy(), sf.copy(), np.zeros(n + 1)
        if self.compatible:
            ss[n] = 0
        for k in range(n - 1, -1, -1):
            gain[k] = sf[k] / sp[k + 1]
            zs[k] = zf[k] + gain[k] * (zs[k + 1] - zp[k + 1])
            ss[k] = sf[k] + gain[k] ** 2 * (ss[k + 1] - sp[k + 1])
        for k in range(1, n + 1):
            moved = (zs[k] - zs[k - 1]) ** 2 + ss[k] + ss[k - 1] - 2 * ss[k] * gain[k - 1]
            self.eta[k - 1] = (moved + 2 * B0) / (1 + 2 * (A0 + 1))
        self.z = zs[1:]
        self.first = (zs[1], ss[1])
        return zs[0], ss[0]

    def estimate(self, scores):
        """P(first speaker attended), one number per window."""
        result = np.full(len(scores), 0.5)
        seen = np.all(np.isfinite(scores), axis=1)
        y = np.log(np.maximum(np.abs(np.where(seen[:, None], scores, 1)), SMALLEST_MARKER))
        for k in range(self.size - 1, len(scores)):
            rows = slice(k - self.size + 1, k + 1)
            start = self.start
            for _ in range(OUTER):
                e = self.responsibilities(y[rows], seen[rows])
                self.refit(y[rows], e, seen[rows])
                start = self.pass_over(e, seen[rows], start)
            result[k] = logistic(self.z[self.size - 1 - self.ahead])
            self.start = self.first
            self.z = np.append(self.z[1:], self.z[-1])
            self.eta = np.append(self.eta[1:], self.eta[-1])
        return result


def uniform(seed):
    state = seed
    while True:
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        yield (state >> 11) / 2**53


def random_scores(windows, missing=()):
    """Correlations of a listener who turns from the first to the second speaker half-way."""
    draw = uniform(2018)
    normal = lambda: sum(next(draw) for _ in range(12)) - 6
    scores = np.array([[round(math.tanh(0.25 * normal() + 0.1), 6) for _ in range(2)] for _ in range(windows)])
    half = windows // 2
    scores[:half, 0] = np.round(np.minimum(scores[:half, 0] + 0.2, 0.99), 6)
    scores[half:, 1] = np.round(np.minimum(scores[half:, 1] + 0.2, 0.99), 6)
    for k in missing:
        scores[k, 0] = np.nan
    return scores


def table(name, values, digits):
    text = ", ".join(f"{value:.{digits}g}" for value in values)
    lines, line = [], "   "
    for word in text.split(" "):
        if len(line) + 1 + len(word) > 116:
            lines.append(line)
            line = "   "
        line += " " + word
    return f"inline constexpr std::array<double, {len(values)}> {name}{{\n" + "\n".join([*lines, line]) + "};\n"


WINDOWS, MISSING = 60, (4, 5, 21, 22, 23, 40)


def main():
    scores, gaps = random_scores(WINDOWS), random_scores(WINDOWS, MISSING)
    print("// SPDX-License-Identifier: MIT")
    print("// Written by tests/data/state_space_oracle.py; regenerate it there, do not edit it here.")
    print("#pragma once\n\n#include <array>\n\nnamespace heed::track::golden {\n")
    print("// clang-format off")
    print("// Two scores a window, row by row.")
    print(table("scores", scores.ravel(), 17))
    print("// Windows that are missing where a table says so.")
    print(f"inline constexpr std::array<int, {len(MISSING)}> missing{{{', '.join(map(str, MISSING))}}};\n")
    print("// P(first speaker attended): windows of 1 s, the published demo's variance, windows of .5 s, missing windows.")
    print(table("one_second", Model(1.0).estimate(scores), 17))
    print(table("compatible", Model(1.0, compatible=True).estimate(scores), 17))
    print(table("half_second", Model(0.5).estimate(scores), 17))
    print(table("with_missing", Model(1.0).estimate(gaps), 17))
    print("// clang-format on\n\n}  // namespace heed::track::golden")


if __name__ == "__main__":
    main()
