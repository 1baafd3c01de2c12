# SPDX-License-Identifier: MIT
"""The commands that faults are tried on, on inputs that take a fraction of a second: every verb that writes, but for recordings of
live sessions. These are never replaced, so that the same command does not go on; tests/cli/test_live.py kills them."""
from random import Random

from faulty_runs import Command

STUDY = """title = "Switch probability"
question = "What does p trade?"
[figure]
picture = "sweep"
along = "switch_probability"
series = ["tracker"]
[[grid]]
tracker = ["causal", "smooth"]
switch_probability = [0.01, 0.1]
"""
RECORDING = ("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "0.5", "--channels", "Fz,Cz,T7,T8",
             "--rate", "64", "--sound-rate", "8000")
COHORT = ("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1", "--switch-every", "20")
LIVE_HERE = ("live", "replay:bids", "--participant", "01", "--run", "01", "--model", "causal.json", "--tracking", "tracking.json", "--speed",
             "max")
LIVE = ("live", "replay:../base/bids", "--participant", "01", "--run", "01", "--model", "../base/causal.json", "--tracking",
        "../base/tracking.json", "--speed", "max")


def write_reconstructions(folder):
    """Two listeners, whose reconstructions are the attended envelope and noise."""
    folder.mkdir()
    random = Random(1)
    for listener in ("01", "02"):
        envelopes = [(random.random(), random.random()) for _ in range(64 * 30)]
        (folder / f"sub-{listener}_reconstruction.tsv").write_text(
            "reconstruction\n" + "".join(f"{left + random.random():.5f}\n" for left, _ in envelopes))
        (folder / f"sub-{listener}_envelopes.tsv").write_text(
            "left\tright\n" + "".join(f"{left:.5f}\t{right:.5f}\n" for left, right in envelopes))
        (folder / f"sub-{listener}_reconstruction.json").write_text('{"SamplingFrequency": 64, "Attended": "left"}')
        (folder / f"sub-{listener}_envelopes.json").write_text('{"SamplingFrequency": 64}')


def make_base(heed, folder):
    """heed(*call) runs the program in the folder."""
    (folder / "study.toml").write_text(STUDY)
    heed(*COHORT, "-o", "cohort")
    heed(*RECORDING, "-o", "bids")
    heed("train", "bids", "--participant", "01", "-o", "decoder.json")
    heed("train", "bids", "--participant", "01", "--filters", "causal", "-o", "causal.json")
    heed("track", "cohort/sub-01_scores.tsv", "--fit-from", "cohort", "--save-model", "tracking.json", "-o", "posterior.tsv")
    heed("convert", "cnd", "bids", "cnd")
    heed("bids", "bids", "derivatives", "participant")
    heed("study", "plan", "study.toml", "--on", "cohort", "-o", "plan")
    heed("study", "plan", "study.toml", "--on", "cohort", "-o", "done")
    heed("study", "run", "done")
    heed("study", "gather", "done", "-o", "table.tsv")
    heed(*LIVE_HERE, "--record", "session.xdf")
    write_reconstructions(folder / "reconstructions")


COMMANDS = (
    Command("simulate-scores", (*COHORT, "-o", "out"), (*COHORT, "--force", "-o", "out")),
    Command("simulate-recording", (*RECORDING, "-o", "out"), (*RECORDING, "--force", "-o", "out")),
    Command("track", ("track", "../base/cohort/sub-01_scores.tsv", "--fit-from", "../base/cohort", "--save-model", "model.json",
                      "-o", "posterior.tsv")),
    Command("track-plot", ("track", "../base/cohort/sub-01_scores.tsv", "--model", "../base/tracking.json", "--plot", "a.svg",
                           "-o", "posterior.tsv")),
    Command("compare", ("compare", "../base/cohort", "--plot", "a.svg")),
    Command("convert-cnd", ("convert", "cnd", "../base/cnd", "out"), ("convert", "cnd", "../base/cnd", "out", "--resume")),
    Command("write-cnd", ("convert", "cnd", "../base/bids", "out"), ("convert", "cnd", "../base/bids", "out", "--resume")),
    Command("preprocess", ("preprocess", "../base/bids", "-o", "out"), ("preprocess", "../base/bids", "--resume", "-o", "out")),
    Command("train", ("train", "../base/bids", "--participant", "01", "-o", "decoder.json")),
    Command("population", ("population", "../base/bids", "-o", "population.json")),
    Command("rescore", ("rescore", "../base/reconstructions", "--threads", "1", "-o", "out")),
    Command("convert-xdf", ("convert", "xdf", "../base/session.xdf", "out"), ("convert", "xdf", "../base/session.xdf", "out", "--resume")),
    Command("score", ("score", "../base/bids", "--threads", "1", "-o", "out")),
    Command("bids-participant", ("bids", "../base/bids", "out", "participant", "--n_cpus", "1")),
    Command("bids-group", ("bids", "../base/bids", "derivatives", "group"), copies=("derivatives",)),
    Command("study-plan", ("study", "plan", "../base/study.toml", "--on", "../base/cohort", "-o", "plan")),
    Command("study-run", ("study", "run", "plan", "--threads", "1"), copies=("plan", "cohort")),
    Command("study-gather", ("study", "gather", "done", "-o", "table.tsv"), copies=("done", "cohort")),
    Command("report", ("report", "../base/table.tsv", "-o", "out")),
    Command("reproduce", ("reproduce", "--on", "../base/cohort", "--studies", "../base/study.toml", "--threads", "1", "-o", "out")),
    Command("live", (*LIVE, "--out", "tsv:live.tsv")),
    Command("info", ("info", "../base/bids")),
    Command("evaluate", ("evaluate", "../base/posterior.tsv")),
    Command("export", ("export", "../base/tracking.json", "--switch-probability", "0.001", "--c")),
    Command("export-file", ("export", "../base/tracking.json", "--switch-probability", "0.001", "--c", "-o", "attention.h")),
    Command("doctor", ("doctor",), finding="FAIL  files can be written"),
)
BY_NAME = {command.name: command for command in COMMANDS}
