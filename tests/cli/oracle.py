# SPDX-License-Identifier: MIT
"""The mathematics of heed once more, plainly and in logarithms, to hold the program against.

Nothing here is shared with the program: recursions are the un-normalised textbook ones, measures follow
their definitions word by word. Transition matrices are A[from][to]; a missing window is None.
"""
import itertools
import math
import statistics

INFINITY = math.inf


def log(x):
    return math.log(x) if x > 0 else -INFINITY


def log_sum(values):
    top = max(values)
    return top if top == -INFINITY else top + math.log(sum(math.exp(v - top) for v in values))


def softmax(values):
    total = log_sum(values)
    return [math.exp(v - total) for v in values]


# ---- emissions: the log-likelihood of each speaker being attended ----

def log_normal(x, mu, sigma):
    return -((x - mu) / sigma) ** 2 / 2 - math.log(sigma * math.sqrt(2 * math.pi))


def gaussian(rows, mu_attended, mu_unattended, sigma, fisher=True, sigma_unattended=None):
    other = sigma if sigma_unattended is None else sigma_unattended
    result = []
    for row in rows:
        z = row and [math.atanh(x) if fisher else x for x in row]
        result.append(row and [sum(log_normal(x, mu_attended, sigma) if k == j else log_normal(x, mu_unattended, other)
                                   for k, x in enumerate(z)) for j in range(len(z))])
    return result


def fit(participants, fisher=True):
    """Participants: lists of (row, attended). Means of the participants' means; see algorithms, emissions."""
    z = [[([math.atanh(x) if fisher else x for x in row], a) for row, a in windows if row and a is not None]
         for windows in participants]
    split = [([row[a] for row, a in windows], [x for row, a in windows for k, x in enumerate(row) if k != a])
             for windows in z]
    mu_a = statistics.fmean(statistics.fmean(attended) for attended, _ in split)
    mu_u = statistics.fmean(statistics.fmean(others) for _, others in split)
    var_a = statistics.fmean(statistics.fmean((x - mu_a) ** 2 for x in attended) for attended, _ in split)
    var_u = statistics.fmean(statistics.fmean((x - mu_u) ** 2 for x in others) for _, others in split)
    shared = statistics.fmean((sum((x - mu_a) ** 2 for x in attended) + sum((x - mu_u) ** 2 for x in others)) /
                              (len(attended) + len(others)) for attended, others in split)
    return {"mu_attended": mu_a, "mu_unattended": mu_u, "sigma": math.sqrt(shared),
            "sigma_attended": math.sqrt(var_a), "sigma_unattended": math.sqrt(var_u)}


# ---- the chain and the HMM ----

def sticky(states, p):
    return [[1 - (states - 1) * p if i == j else p for j in range(states)] for i in range(states)]


class Hmm:
    def __init__(self, transition, log_likelihoods, initial=None):
        self.states = range(len(transition))
        self.log_a = [[log(p) for p in row] for row in transition]
        self.log_pi = [log(p) for p in initial or [1 / len(transition)] * len(transition)]
        self.log_b = [b or [0.0] * len(transition) for b in log_likelihoods]
        self.alpha = self._forward()

    def _forward(self):
        alpha = [[pi + b for pi, b in zip(self.log_pi, self.log_b[0])]]
        for b in self.log_b[1:]:
            alpha.append([b[j] + log_sum([alpha[-1][i] + self.log_a[i][j] for i in self.states]) for j in self.states])
        return alpha

    def _backward(self, windows):
        beta = [[0.0] * len(self.states)]
        for t in range(windows - 1, 0, -1):
            beta.append([log_sum([self.log_a[j][k] + self.log_b[t][k] + beta[-1][k] for k in self.states])
                         for j in self.states])
        return beta[::-1]

    def log_evidence(self):
        return log_sum(self.alpha[-1])

    def causal(self):
        return [softmax(row) for row in self.alpha]

    def smooth(self, windows=None):
        beta = self._backward(windows or len(self.alpha))
        return [softmax([x + y for x, y in zip(a, b)]) for a, b in zip(self.alpha, beta)]

    def fixed_lag(self, windows):
        last = len(self.alpha)
        return [self.smooth(min(t + windows + 1, last))[t] for t in range(last)]

    def viterbi(self):
        value, back = [pi + b for pi, b in zip(self.log_pi, self.log_b[0])], []
        for b in self.log_b[1:]:
            # The best way to come; staying is taken where it is as good as moving.
            best = [max(self.states, key=lambda i, j=j: (value[i] + self.log_a[i][j], i == j)) for j in self.states]
            value = [b[j] + value[best[j]] + self.log_a[best[j]][j] for j in self.states]
            back.append(best)
        path = [max(self.states, key=lambda j: value[j])]
        for best in reversed(back):
            path.append(best[path[-1]])
        return path[::-1]


def one_hot(path, states):
    return [[1.0 if j == state else 0.0 for j in range(states)] for state in path]


def decide(posteriors):
    """The largest; a tie holds the decision before, at the start the lowest."""
    decisions = []
    for row in posteriors:
        top = max(row)
        held = decisions and row[decisions[-1]] == top
        decisions.append(decisions[-1] if held else row.index(top))
    return decisions


# ---- artificial switches ----

def rotated(rows, attended, interval, start=0):
    """Columns attended-first, then turned by start + k in block k; windows of 1 s, an interval of whole seconds."""
    result, labels = [], []
    for t, (row, a) in enumerate(zip(rows, attended)):
        turn = (start + t // interval) % len(row)
        ordered = [row[a]] + [x for k, x in enumerate(row) if k != a]
        result.append([ordered[(j - turn) % len(row)] for j in range(len(row))])
        labels.append(turn)
    return result, labels


# ---- the metric ----

class Metric:
    """Pooled over trials: (decisions, attended) pairs; attended holds None where it is unknown."""

    def __init__(self, trials, window=1, look_ahead=0):
        self.window, self.look_ahead = window, look_ahead
        self.times, self.signed, self.first_hits, self.missed = [], [], [], 0
        self.steady = self.steady_right = self.labelled = self.labelled_right = self.false_switches = 0
        for decisions, attended in trials:
            self._add(decisions, attended)

    def _add(self, decisions, attended):
        known = [(t, a) for t, a in enumerate(attended) if a is not None]
        switches = [t for (_, before), (t, a) in zip(known, known[1:]) if a != before]
        starts = [0, *switches]
        ends = [*switches, len(attended)]
        detections = set()
        for k, (a, b) in enumerate(zip(starts, ends)):
            new = next((x for x in attended[a:b] if x is not None), None)
            steady_from = a
            if k > 0:
                d = self._detect(decisions, new, (starts[k - 1], a, b))
                detections.add(d)
                self.missed += d is None
                self.signed.append(self.window * ((b if d is None else d) - a))
                self.times.append(abs(self.signed[-1]))
                self.first_hits.append(self.window * (next((t for t in range(a, b) if decisions[t] == new), b) - a))
                steady_from = a if d is None else max(a, d)
            for t in range(a, b):
                if attended[t] is not None:
                    self.labelled += 1
                    self.labelled_right += decisions[t] == new
                    self.steady += t >= steady_from
                    self.steady_right += t >= steady_from and decisions[t] == new
        self.false_switches += sum(1 for t in range(1, len(decisions)) if decisions[t] != decisions[t - 1] and
                                   attended[t] is not None and t not in detections)

    @staticmethod
    def _detect(decisions, new, around):
        before, a, b = around
        if decisions[a] != new:
            return next((t for t in range(a, b) if decisions[t] == new), None)
        d = a
        while d > before and decisions[d - 1] == new:
            d -= 1
        return d

    def measures(self):
        mean = lambda values: statistics.fmean(values) if values else None
        time = mean(self.times)
        finite = time is not None and math.isfinite(self.look_ahead)
        return {"accuracy": self.steady_right / self.steady if self.steady else None,
                "switch_time": time,
                "median_switch_time": statistics.median(self.times) if self.times else None,
                "signed_switch_time": mean(self.signed),
                "first_hit_time": mean(self.first_hits),
                "latency_inclusive_time": time + self.window + self.look_ahead if finite else None,
                "missed": self.missed,
                "switches": len(self.times),
                "miss_rate": self.missed / len(self.times) if self.times else None,
                "false_switch_rate": self.false_switches / (self.labelled * self.window / 60),
                "whole_accuracy": self.labelled_right / self.labelled,
                "windows": self.labelled,
                "steady_windows": self.steady}


def chance_bound(speakers, windows):
    """The smallest k/n a guesser reaches with P(X >= k) <= .05; exact, in integers."""
    tail = 0
    for k in range(windows, -1, -1):
        tail += math.comb(windows, k) * (speakers - 1) ** (windows - k)
        if 20 * tail > speakers ** windows:
            return (k + 1) / windows if k < windows else None
    return None


def calibration(posteriors, attended):
    """Brier, log-loss, ECE and the ten bins, of labelled windows."""
    windows = [(row, a) for row, a in zip(posteriors, attended) if a is not None]
    brier = statistics.fmean(sum((p - (j == a)) ** 2 for j, p in enumerate(row)) / 2 for row, a in windows)
    loss = statistics.fmean(-math.log(max(row[a], 1e-15)) for row, a in windows)
    bins = [[] for _ in range(10)]
    for row, a in windows:
        bins[min(int(max(row) * 10), 9)].append((max(row), row.index(max(row)) == a))
    error = sum(abs(sum(c for c, _ in one) - sum(right for _, right in one)) for one in bins) / len(windows)
    return brier, loss, error, bins


def wilcoxon_p(differences):
    """Two-sided and exact, by trying all signs; for few differences, none zero, no two as large."""
    ranks = {d: k + 1 for k, d in enumerate(sorted(differences, key=abs))}
    low = min(sum(r for d, r in ranks.items() if d > 0), sum(r for d, r in ranks.items() if d < 0))
    n = len(ranks)
    sums = [sum(k + 1 for k in range(n) if signs[k]) for signs in itertools.product((0, 1), repeat=n)]
    return min(1, 2 * sum(s <= low for s in sums) / 2 ** n)
