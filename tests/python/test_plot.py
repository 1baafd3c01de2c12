# SPDX-License-Identifier: MIT
"""heed.plot draws what it was given: artists are asked, not pictures; colours are those of the program's figures."""
import os
import subprocess
import sys

import heed
import matplotlib.pyplot as plt
import numpy as np
import pytest
from heed.plot import _head, _style, _tradeoff, _trials
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch

TRUTH = np.repeat([0, 1, 0], 40)
LAGS = np.arange(17) / 64
CHANNELS = ["Fz", "Cz", "Pz", "Oz", "C3", "C4", "EXG1"]


@pytest.fixture(autouse=True)
def no_figure_is_left_open():
    yield
    plt.close("all")


def scores(noise=1.0, seed=1):
    return np.where(TRUTH[:, None] == [0, 1], 0.6, -0.6) + noise * np.random.default_rng(seed).normal(size=(120, 2))


def steps(axes):
    return [patch for patch in axes.patches if isinstance(patch, StepPatch)]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def bands(ax):
    """The axes of the figure, top to bottom."""
    ax.figure.canvas.draw()
    return sorted(ax.figure.axes, key=lambda one: -one.get_position(original=False).y0)


def legend(ax):
    found = [one.get_legend() for one in ax.figure.axes if one.get_legend()]
    return [text.get_text() for text in found[0].get_texts()]


class TestAttention:
    def test_areas_are_the_posteriors(self):
        posteriors = heed.filter(scores(), switch_probability=0.01)
        ax = heed.plot.attention(posteriors, TRUTH, window=2.0, onset=10.0)
        both, first = steps(ax)  # the whole stack, then the first speaker on top of it
        np.testing.assert_allclose(first.get_data().values, posteriors[:, 0], rtol=1e-15)
        np.testing.assert_allclose(both.get_data().values, 1, rtol=1e-12)
        np.testing.assert_allclose(first.get_data().edges, 10 + 2.0 * np.arange(121), rtol=1e-15)
        assert to_hex(first.get_facecolor()) == _style.palette.SPEAKERS[0]
        assert ax.get_xlim() == (10, 250)

    def test_hours_are_put_together_in_columns_of_the_same_area(self):
        posteriors = heed.filter(np.random.default_rng(1).normal(size=(9001, 2)), switch_probability=0.01)
        first = steps(heed.plot.attention(posteriors))[1].get_data()
        assert len(first.values) == 2400 and first.edges[-1] == 9001
        assert np.sum(first.values * np.diff(first.edges)) == pytest.approx(posteriors[:, 0].sum(), rel=1e-12)

    def test_switches_are_marked_with_their_delays(self):
        posteriors = heed.filter(scores(), switch_probability=0.01)
        measures = heed.evaluate(posteriors, TRUTH)
        ax = heed.plot.attention(posteriors, TRUTH)
        words = [word for one in ax.figure.axes for word in texts(one) if word.startswith("+")]
        delays = [float(word[1:-2]) for word in words]
        assert len(delays) == 2
        assert np.mean(delays) == pytest.approx(measures["switch_time"], abs=0.05)
        assert "true switch" in legend(ax) and "detected, with delay" in legend(ax)

    def test_what_was_missed_is_said(self):
        ax = heed.plot.attention(np.zeros(120, int), TRUTH)
        assert "missed" in legend(ax)
        assert "missed" in [word for one in ax.figure.axes for word in texts(one)]

    def test_the_ribbon_names_who_was_attended(self):
        ax = heed.plot.attention(heed.smooth(scores(), 0.01), TRUTH, speakers=["left", "right"])
        assert texts(bands(ax)[1]) == ["left", "left", "right"]

    def test_without_truth_decisions_are_marked(self):
        ax = heed.plot.attention(heed.smooth(scores(), 0.01))
        assert legend(ax) == ["speaker 0", "speaker 1", "change of decision"]

    def test_missing_and_unknown_windows_are_told(self):
        values, truth = scores(), TRUTH.astype(float)
        values[30:35] = np.nan
        truth[50:60] = np.nan
        ax = heed.plot.attention(heed.smooth(values, 0.01), truth, scores=values, score_name="log-odds")
        assert {"missing window", "attention unknown"} <= set(legend(ax))
        raw, lines = bands(ax)[-2:]
        missing = steps(raw)[0].get_data().values - steps(raw)[1].get_data().values
        np.testing.assert_array_equal(np.flatnonzero(missing), np.arange(30, 35))
        assert np.isnan(lines.lines[0].get_ydata()[30:35]).all()
        assert lines.get_ylabel().startswith("log-odds")

    def test_the_axis_of_scores_is_as_high_as_they_are(self):
        values = 0.1 * scores()
        lines = bands(heed.plot.attention(heed.smooth(values, 0.01), TRUTH, scores=values))[-1]
        drawn = np.concatenate([line.get_ydata() for line in lines.lines])
        low, high = lines.get_ylim()
        assert drawn.max() < 0.3  # a line at a switch goes from 0 to 1 of the axes
        assert low == pytest.approx(drawn.min() - 0.06 * np.ptp(drawn)) and high == pytest.approx(drawn.max() + 0.06 * np.ptp(drawn))

    def test_trials_lie_end_to_end_and_start_anew(self):
        values = scores()
        posteriors = heed.filter(values, 0.01, lengths=[40, 80])
        ax = heed.plot.attention(posteriors, TRUTH, lengths=[40, 80])
        assert [patch.get_data().edges[[0, -1]].tolist() for patch in steps(ax)[1::2]] == [[0, 40], [40, 120]]
        picture = _trials.read_picture(posteriors, TRUTH, None, window=1.0, onset=0.0, lengths=[40, 80], speakers=None)
        assert [len(trial.switches) for trial in picture.trials] == [0, 1]  # one lies between the trials, so it is none

    def test_a_block_is_trials_end_to_end(self):
        values = scores().reshape(3, 40, -1)
        posteriors = heed.filter(values, 0.01)
        table = values.reshape(120, -1)
        options = dict(window=1.0, onset=0.0, speakers=None)
        block = _trials.read_picture(posteriors, TRUTH.reshape(3, 40), values, lengths=None, **options)
        below = _trials.read_picture(heed.filter(table, 0.01, lengths=[40] * 3), TRUTH, table, lengths=[40] * 3, **options)
        assert [trial.start for trial in block.trials] == [0, 40, 80]
        for ours, theirs in zip(block.trials, below.trials):
            assert ours.switches == theirs.switches
            np.testing.assert_array_equal(ours.truth, theirs.truth)
            np.testing.assert_array_equal(ours.scores, theirs.scores)
            np.testing.assert_allclose(ours.posteriors, theirs.posteriors, atol=1e-12)
        assert len(steps(heed.plot.attention(posteriors))) == len(steps(heed.plot.attention(table * 0 + 0.5, lengths=[40] * 3)))
        with pytest.raises(heed.InvalidArgumentError, match="in a block"):
            heed.plot.attention(posteriors, lengths=[40] * 3)
        with pytest.raises(heed.InvalidArgumentError, match="scores: shape"):
            heed.plot.attention(posteriors, scores=values[:2])

    def test_decisions_follow_the_engine(self):
        tied = [[0.2, 0.8], [0.5, 0.5], [0.6, 0.4]]
        picture = _trials.read_picture(tied, None, None, window=1.0, onset=0.0, lengths=None, speakers=None)
        assert picture.trials[0].decisions.tolist() == [1, 1, 0]  # a tie holds

    def test_time_is_in_seconds_whatever_the_labels_say(self):
        ax = heed.plot.attention(np.zeros(3600, int), window=1.0)
        ax.figure.canvas.draw()
        words = [one.get_xlabel() for one in ax.figure.axes if one.get_xlabel()]
        assert words == ["time (min)"] and ax.get_xlim() == (0, 3600)

    def test_frames_bring_names_and_truth_may_be_names(self):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(heed.smooth(scores(), 0.01), columns=["Ann", "Bo"])
        truth = np.where(TRUTH == 0, "Ann", "Bo").astype(object)
        truth[:3] = ["n/a", None, ""]
        ax = heed.plot.attention(frame, truth)
        assert legend(ax)[:2] == ["Ann", "Bo"] and "attention unknown" in legend(ax)

    def test_draws_within_the_axes_it_is_given(self):
        figure, (upper, lower) = plt.subplots(2, 1)
        place = upper.get_position()
        assert heed.plot.attention(heed.smooth(scores(), 0.01), TRUTH, scores=scores(), ax=upper) is upper
        figure.canvas.draw()
        drawn = [one.get_position(original=False) for one in figure.axes if one is not lower]
        assert min(box.y0 for box in drawn) >= place.y0 - 1e-9 and max(box.y1 for box in drawn) <= place.y1 + 1e-9

    @pytest.mark.parametrize(("values", "keywords", "word"), [
        (np.zeros((3, 2)), {}, "probabilities that add up to one"),
        (np.full((3, 2), np.nan), {}, "probabilities"),
        (np.ones((3, 1)), {}, "windows x speakers"),
        ([0.1, 0.9], {}, "windows x speakers"),
        ([-1, 0], {}, "numbered from 0"),
        ([[0.5, 0.5]], {"truth": [0, 1]}, "2 labels for 1 windows"),
        ([[0.5, 0.5]], {"truth": [2]}, "from 0 to 1"),
        ([[0.5, 0.5]], {"truth": ["lfet"]}, "'lfet' is not one of the speakers"),
        ([[0.5, 0.5]], {"scores": [[1.0]]}, "scores: shape (1, 1)"),
        ([[0.5, 0.5]], {"speakers": ["a"]}, "1 names for 2 speakers"),
        ([[0.5, 0.5]], {"lengths": [2]}, "add up to 1"),
        ([[0.5, 0.5]], {"window": 0}, "window: 0"),
    ])
    def test_bad_input_is_named(self, values, keywords, word):
        with pytest.raises(heed.InvalidArgumentError) as caught:
            heed.plot.attention(values, **keywords)
        assert word in str(caught.value)


def method(name, accuracy, time, participants=()):
    return {"name": name, "accuracy": {"mean": accuracy}, "switch_time": {"mean": time},
            "participants": [{"accuracy": a, "switch_time": t} for a, t in participants]}


def comparison(*methods):
    return {"methods": list(methods), "chance": 0.5}


class TestTradeOff:
    def marks(self, ax):
        return {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines
                if len(line.get_xdata()) and not line.get_label().startswith("_")}

    def test_marks_are_the_means(self):
        ax = heed.plot.tradeoff(comparison(method("causal", 0.8, 20.0, [(0.75, 18.0), (0.85, 22.0)]), method("raw", 0.6, 15.0)))
        assert self.marks(ax) == {"causal": (20, 80), "raw": (15, 60)}
        assert ax.get_xscale() == "linear" and ax.get_ylabel() == "accuracy (%)"
        small = [line for line in ax.lines if line.get_alpha() == 0.5 and len(line.get_xdata())]
        np.testing.assert_allclose(small[0].get_xydata(), [[18, 75], [22, 85]])

    def test_only_methods_that_follow_p_have_a_curve(self):
        cohort = heed.simulate_scores(participants=3, trials=1, seed=7)
        compared = heed.compare(cohort, methods=["causal", "raw"], sweep=[0.0003, 0.01, 0.1])
        ax = heed.plot.tradeoff(compared)
        curves = [line.get_xdata().tolist() for line in ax.lines if line.get_markersize() == 2.4 and len(line.get_xdata())]
        assert curves == [[point["switch_time"]["mean"] for point in compared.curves["causal"]]]
        assert len(curves[0]) == 4  # the p in use is among them
        assert legend(ax) == ["causal", "raw", "mean", "other p", "participant"]

    def test_wide_ranges_are_logarithmic_and_the_best_stay_in_sight(self):
        ax = heed.plot.tradeoff(comparison(method("smooth", 0.98, 3.0, [(1.0, 30.0)]), method("raw", 0.6, 0.5)))
        assert ax.get_xscale() == "log" and ax.get_ylabel() == "accuracy (%)"
        best = next(line for line in ax.lines if line.get_alpha() == 0.5 and len(line.get_xdata()))
        highest = best.get_ydata()[0]  # 100 % lies infinitely high
        assert 99 < highest < ax.get_ylim()[1]
        ticks = dict(zip(ax.get_yticks(), (label.get_text() for label in ax.get_yticklabels())))
        assert ticks[highest] == "≥ 99.3" and ticks[99] == "99"
        heights = ax.transData.transform([(1, 80), (1, 90), (1, 95)])[:, 1]
        assert np.diff(heights)[0] == pytest.approx(np.diff(heights)[1])  # half the error is the same step

    def test_a_method_looks_the_same_whichever_others_are_there(self):
        def looks(*names):
            lines = heed.plot.tradeoff(comparison(*(method(name, 0.8, 20.0) for name in names))).lines
            return {line.get_label(): (line.get_color(), line.get_marker()) for line in lines if line.get_label() in names}

        every = [one["name"] for one in heed.compare(heed.simulate_scores(participants=2, trials=1))["methods"]]
        assert every == list(_tradeoff.METHODS)  # so that the colours are those of the program's figure
        known, some = looks(*every), looks("raw", "mine", "smooth", "yours")
        assert some["raw"] == known["raw"] and some["smooth"] == known["smooth"]
        for each in (*zip(*known.values()), *zip(*some.values())):  # colours and shapes: each tells methods apart
            assert len(set(each)) == len(each)

    @pytest.mark.parametrize("inches", [8, 22])
    def test_neighbours_are_left_alone(self, inches):
        figure, (left, _) = plt.subplots(1, 2, figsize=(inches, 4))
        place = left.get_position()
        methods = [method(name, 0.8, 20.0) for name in _tradeoff.METHODS]
        assert heed.plot.tradeoff(comparison(*methods), ax=left) is left
        figure.canvas.draw()
        box = next(one for one in figure.axes if one.get_legend()).get_legend().get_window_extent()
        box = box.transformed(figure.transFigure.inverted())
        plot = left.get_position(original=False)
        assert place.x0 - 1e-9 <= box.x0 and box.x1 <= place.x1 and box.y1 <= place.y1 + 1e-9
        assert box.x0 >= plot.x1 if inches == 22 else box.y1 < plot.y0  # beside the plot, or below it

    def test_what_does_not_exist_is_not_drawn(self):
        ax = heed.plot.tradeoff(comparison(method("a", 0.8, 20.0, [(0.7, None)]), method("b", 0.9, None)))
        assert list(self.marks(ax)) == ["a"]
        with pytest.raises(heed.InvalidArgumentError, match="switch_every"):
            heed.plot.tradeoff(comparison(method("b", 0.9, None)))


class TestPatterns:
    pattern = np.outer([1.0, 0.8, -0.2, -0.5, 0.3, 0.4, 2.0], np.sin(2 * np.pi * 4 * LAGS) + 0.1)

    def test_lines_are_the_pattern_and_its_field_power(self):
        ax = heed.plot.patterns(self.pattern, CHANNELS, LAGS)
        lines = {line.get_label(): line for line in ax.lines}
        np.testing.assert_allclose(lines["Oz"].get_ydata(), self.pattern[3])
        np.testing.assert_allclose(lines["Oz"].get_xdata(), 1000 * LAGS)
        np.testing.assert_allclose(ax.lines[-1].get_ydata(), self.pattern.std(axis=0))
        assert "EXG1" in texts(ax)[0]

    def test_heads_stand_at_the_nearest_lags_or_at_peaks(self):
        def titles(**keywords):
            figure = heed.plot.patterns(self.pattern, CHANNELS, LAGS, **keywords).figure
            return [one.get_title() for one in figure.axes if one.get_title()]

        assert titles() == ["0 ms", "47 ms", "94 ms", "156 ms", "203 ms", "250 ms"]
        assert titles(maps=[0.1, 0.9]) == ["94 ms"]
        peak = int(np.argmax(self.pattern.std(axis=0)))
        assert f"{1000 * LAGS[peak]:.0f} ms" in titles(maps="peaks")

    def test_fields_go_through_the_electrodes_and_nowhere_beyond(self):
        places = heed._native.electrode_positions(CHANNELS[:6])
        field = _head.HeadField(places, 1.0)
        values = np.array([1.0, 0.5, -0.2, -1.0, 0.3, 0.4])
        shown = field.values(values)
        assert shown.min() >= -1 and shown.max() <= 1
        vertex = np.argmin(np.hypot(field.x, field.y))
        assert shown[vertex] == pytest.approx(0.5, abs=0.03)  # the place of the mesh that is nearest to Cz
        on_plane = _head.on_plane(places)
        assert on_plane[1] == pytest.approx([0, 0], abs=1e-12)
        for mesh, electrodes in ((field.x, on_plane[:, 0]), (field.y, on_plane[:, 1])):
            assert mesh.max() == pytest.approx(min(electrodes.max() + 0.12, 1), abs=0.01)
            assert mesh.min() == pytest.approx(max(electrodes.min() - 0.12, -1), abs=0.01)

    @pytest.mark.parametrize("sign", [1, -1])
    @pytest.mark.parametrize("count", [3, 6])
    def test_all_of_a_head_is_painted(self, count, sign):
        """The peak, too: the paper is whiter than the middle of the colours."""
        places = heed._native.electrode_positions(CHANNELS[:count])
        field = _head.HeadField(places, 1.0)
        figure = plt.figure(figsize=(3, 3), dpi=100)
        ax = figure.add_axes((0, 0, 1, 1))
        _head.draw_map(ax, field, places, sign * np.array([1.0, 0.8, -0.2, -0.5, 0.3, 0.4])[:count], 1.0)
        figure.canvas.draw()
        picture = np.asarray(figure.canvas.buffer_rgba())[::-1, :, :3]
        columns, rows = ax.transData.transform(0.97 * np.c_[field.x, field.y]).astype(int).T
        assert (picture[rows, columns] < 255).any(axis=1).all()

    def test_a_decoder_brings_its_own_names_and_lags(self):
        class Decoder:
            patterns_, lags_, feature_names_in_ = self.pattern, LAGS, np.array(CHANNELS)

        ax = heed.plot.patterns(Decoder())
        assert {"Fz", "EXG1"} <= {line.get_label() for line in ax.lines}

    def test_a_decoder_without_patterns_says_why(self, tmp_path):
        pytest.importorskip("sklearn")
        speech = np.random.default_rng(1).standard_normal((640, 1))
        decoder = heed.LSDecoder().fit(speech + np.random.default_rng(2).standard_normal((640, 4)), speech[:, 0])
        decoder.save(tmp_path / "decoder.json")
        for one, word in ((heed.LSDecoder.load(tmp_path / "decoder.json"), "files hold no patterns"),
                          (heed.LSDecoder(), "call fit"), (heed.CCADecoder(), "this CCADecoder is not fitted")):
            with pytest.raises(heed.InvalidArgumentError, match=f"patterns: .*{word}"):
                heed.plot.patterns(one)
        with pytest.raises(heed.InvalidArgumentError, match="channels: their names"):  # arrays have none; lags are known
            heed.plot.patterns(decoder)
        assert "T7" in {line.get_label() for line in heed.plot.patterns(decoder, ["Fz", "Cz", "Pz", "T7"]).lines}

    def test_small_numbers_get_a_power_of_ten(self):
        ax = heed.plot.patterns(1e-7 * self.pattern, CHANNELS, LAGS, unit="V")
        assert ax.get_ylabel() == "pattern ($10^{-9}$ V)"
        np.testing.assert_allclose(ax.lines[1].get_ydata(), 100 * self.pattern[0])

    def test_without_known_places_there_are_lines_alone(self):
        ax = heed.plot.patterns(self.pattern[:2], ["a", "b"], LAGS)
        assert ax.figure.axes == [ax]
        assert texts(ax) == ["No maps: they need at least 3 channels with a known position, and there are 0."]

    @pytest.mark.parametrize(("arguments", "word"), [
        ((np.zeros(3), ["Cz"], [0.0]), "channels x lags"),
        ((np.zeros((1, 1)),), "channels: their names"),
        ((np.zeros((1, 1)), ["Cz"]), "lags: the seconds"),
        ((np.zeros((1, 1)), ["Cz", "Fz"], [0.0]), "2 names"),
        ((np.zeros((1, 2)), ["Cz"], [0.1, 0.0]), "increasing"),
    ])
    def test_bad_input_is_named(self, arguments, word):
        with pytest.raises(heed.InvalidArgumentError) as caught:
            heed.plot.patterns(*arguments)
        assert word in str(caught.value)


def test_colours_are_those_of_the_program(tmp_path):
    program = os.environ.get("HEED")
    if not program:
        pytest.skip("HEED names no program: this build is without it")
    run = lambda *words: subprocess.run([program, *words], check=True, capture_output=True, cwd=tmp_path)
    run("simulate", "scores", "--participants", "3", "--trials", "1", "--seed", "1", "-o", "cohort")
    run("compare", "cohort", "--plot", "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text()
    for colour in (*_style.palette.SPEAKERS, _style.INK, _style.FAINT, _style.GRID):
        assert colour in drawn, colour


def test_colours_beyond_the_eighth_are_paler():
    assert [_style.colour(k) for k in range(8)] == list(_style.palette.SPEAKERS)
    assert _style.colour(8) == "#66aad1"  # 0.6 of the way from white to the first, as the reports have it


@pytest.mark.parametrize("call", ["attention([[0.5, 0.5]])", "tradeoff(dict(methods=[dict(name='a', accuracy=dict(mean=1), "
                                  "switch_time=dict(mean=1), participants=[])], chance=0.5))", "patterns([[1.0]], ['Cz'], [0])"])
def test_without_matplotlib_it_says_what_to_install(call):
    code = f"import sys; sys.modules['matplotlib'] = None; import heed; heed.plot.{call}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    assert "ImportError: heed.plot needs matplotlib" in said and "python3-matplotlib" in said
