# SPDX-License-Identifier: MIT
"""The figures of heed's reports, drawn by matplotlib: attention over time, accuracy against switch time, patterns.

Each call draws a new figure, or into the axes given as ``ax`` (except for patterns), and returns the axes:

    heed.plot.attention(posteriors, truth=attended).figure.savefig("attention.png")

matplotlib is imported when the first figure is drawn.
"""
from ._attention import attention
from ._patterns import patterns
from ._tradeoff import tradeoff

__all__ = ["attention", "patterns", "tradeoff"]
