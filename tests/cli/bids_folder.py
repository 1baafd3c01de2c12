# SPDX-License-Identifier: MIT
"""A small BIDS folder without a fault, for tests to break."""

EVENTS = """onset\tduration\ttrial_type\tspeaker\tstim_file
0\t20\tstimulus\tleft\tleft.tsv
0\t20\tstimulus\tright\tright.tsv
0\t12\tattend\tleft\tn/a
12\t8\tattend\tright\tn/a
"""
HEADER = """Brain Vision Data Exchange Header File Version 1.0

[Common Infos]
DataFile={name}_eeg.eeg
DataFormat=BINARY
DataOrientation=MULTIPLEXED
NumberOfChannels=3
SamplingInterval=15625

[Binary Infos]
BinaryFormat=INT_16

[Channel Infos]
Ch1=Fp1,,1,uV
Ch2=Cz,,1,uV
Ch3=EXG1,,1,uV
"""


def write_bids_folder(root, participants=("01", "02"), seconds=20):
    """Runs of `seconds` at 64 Hz: two EEG channels, an eye channel, two speakers with envelopes of 20 s."""
    def write(name, text):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    write("dataset_description.json", '{"Name": "Small", "BIDSVersion": "1.9.0"}')
    write("task-attend_eeg.json", '{"TaskName": "attend", "SamplingFrequency": 64, "EEGReference": "Cz"}')
    for side in ("left", "right"):
        write(f"stimuli/{side}.tsv", "envelope\n" + "".join(f"{i % 7}\n" for i in range(64 * 20)))
        write(f"stimuli/{side}.json", '{"SamplingFrequency": 64}')
    for participant in participants:
        name = f"sub-{participant}_task-attend_run-1"
        stem = f"sub-{participant}/eeg/{name}"
        write(stem + "_eeg.vhdr", HEADER.format(name=name))
        write(stem + "_eeg.eeg", b"\1" * (seconds * 64 * 3 * 2))
        write(stem + "_channels.tsv", "name\ttype\tunits\nFp1\tEEG\tuV\nCz\tEEG\tuV\nEXG1\tEOG\tuV\n")
        write(stem + "_events.tsv", EVENTS)
    return root
