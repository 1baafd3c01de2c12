#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What MNE reads in a recording, as JSON, and how far heed's samples are from it.

    recording_oracle.py FILE [SAMPLES UNITS]     SAMPLES: float32, rows of samples, as recording_tool gives them;
                                                 UNITS: of the channels, with commas between them

Samples are compared in MNE's units (volts); the error is relative to the channel's largest sample.
"""
import json
import pathlib
import sys
import warnings

import mne
import numpy as np

TRIGGERS = ("status", "trigger")
VOLTS = {"uV": 1e-6, "µV": 1e-6, "μV": 1e-6, "mV": 1e-3, "nV": 1e-9}
SIEMENS = {"µS": 1e-6, "uS": 1e-6}  # scaled in BrainVision files only


def read(path):
    readers = {".bdf": mne.io.read_raw_bdf, ".edf": mne.io.read_raw_edf, ".vhdr": mne.io.read_raw_brainvision}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return readers[path.suffix](path, preload=True, verbose="error")


def triggers_of(raw):
    """Onsets (samples) and values of the low 16 bits' rises."""
    found = [name for name in raw.ch_names if name.lower() in TRIGGERS]
    if not found:
        return []
    values = raw.get_data(found[:1])[0].astype(int) & 0xFFFF
    only = mne.io.RawArray(values[np.newaxis].astype(float), mne.create_info(["STI"], raw.info["sfreq"], "stim"),
                           verbose="error")
    events = mne.find_events(only, shortest_event=1, verbose="error")
    return [[int(sample), int(value)] for sample, _, value in events]


def main():
    path = pathlib.Path(sys.argv[1])
    raw = read(path)
    names = [name for name in raw.ch_names if name.lower() not in TRIGGERS]
    start = raw.info["meas_date"]
    result = {
        "names": names,
        "units": [raw._orig_units.get(name, "") for name in names],
        "sampling_frequency": raw.info["sfreq"],
        "samples": int(raw.n_times),
        "start": start.strftime("%Y-%m-%dT%H:%M:%S") + (f".{start.microsecond:06}" if start.microsecond else "")
        if start else None,
        "annotations": [[float(a["onset"]), float(a["duration"]), str(a["description"])] for a in raw.annotations],
        "triggers": triggers_of(raw),
    }
    if len(sys.argv) > 2:
        ours = np.fromfile(sys.argv[2], "<f4").reshape(-1, len(names)).astype(float)
        theirs = raw.get_data(names).T
        factors = {**VOLTS, **SIEMENS} if path.suffix == ".vhdr" else VOLTS
        scale = np.array([factors.get(unit, 1.0) for unit in sys.argv[3].split(",")])
        largest = np.maximum(np.abs(theirs).max(axis=0), 1e-300)
        result["shape"] = list(ours.shape)
        if ours.shape == theirs.shape:
            result["largest_error"] = float((np.abs(ours * scale - theirs) / largest).max())
    print(json.dumps(result))


if __name__ == "__main__":
    main()
