#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seeds libFuzzer begins with: small good files of every kind a parser knows.

    make_corpus.py FOLDER      FOLDER/edf/..., FOLDER/brainvision/...; seeds of mat only where scipy is installed
"""
import json
import pathlib
import struct
import sys

from damaged_seeds import damaged
from mat73_seeds import mat73_seeds
from matlab_seeds import eeglab_seeds, mat_seeds


def field(text, width):
    return str(text).encode("latin-1").ljust(width)[:width]


def edf(bdf, reserved, signals, records, seconds="1"):
    """signals: (label, samples per record, [bytes or list of numbers for each record])."""
    out = b"\xffBIOSEMI" if bdf else field("0", 8)
    out += field("X X X X", 80) + field("Startdate 15-NOV-2026 X X X", 80) + b"15.11.2609.30.00"
    out += field(256 * (len(signals) + 1), 8) + field(reserved, 44) + field(records, 8) + field(seconds, 8)
    out += field(len(signals), 4)
    low, high = (-8388608, 8388607) if bdf else (-32768, 32767)
    columns = [(16, [name for name, *_ in signals]), (80, [""] * len(signals)), (8, ["uV"] * len(signals)),
               (8, [-1000] * len(signals)), (8, [1000] * len(signals)), (8, [low] * len(signals)),
               (8, [high] * len(signals)), (80, [""] * len(signals)), (8, [count for _, count, _ in signals]),
               (32, [""] * len(signals))]
    for width, texts in columns:
        out += b"".join(field(text, width) for text in texts)
    width = 3 if bdf else 2
    for record in range(records):
        for _, count, content in signals:
            values = content[record]
            if isinstance(values, bytes):
                out += values.ljust(count * width, b"\0")
            else:
                out += b"".join((value & 0xFFFFFF).to_bytes(3, "little")[:width] for value in values)
    return out


def annotations(stamp, *texts):
    return stamp.encode() + b"\x14" + b"".join(text.encode() + b"\x14" for text in texts) + b"\0"


def edf_seeds():
    numbers = [[1, -2, 3, -4], [5, 6, -7, 8]]
    plain = [("Fz", 4, numbers), ("slow", 1, [[9], [10]])]
    status = ("Status", 4, [[0, 1, 0, 255], [0, 0, 3, 0]])
    lists = [annotations("+0", "") + annotations("+0.5\x150.25", "left"), annotations("+1", "") + annotations("+1.5", "a", "b")]
    apart = [annotations("+0", ""), annotations("+7.5", "") + annotations("+8", "late")]
    yield "plain.edf", edf(False, "", plain, 2)
    yield "plain.bdf", edf(True, "24BIT", plain + [status], 2)
    yield "annotated.edf", edf(False, "EDF+C", plain + [("EDF Annotations", 24, lists)], 2)
    yield "annotated.bdf", edf(True, "BDF+C", plain + [status, ("BDF Annotations", 16, lists)], 2)
    yield "annotations-only.edf", edf(False, "EDF+C", [("EDF Annotations", 24, lists)], 2)
    yield "discontinuous.edf", edf(False, "EDF+D", plain + [("EDF Annotations", 24, apart)], 2)
    yield "discontinuous.bdf", edf(True, "BDF+D", plain + [status, ("BDF Annotations", 16, apart)], 2, "0.5")


HEADER = """Brain Vision Data Exchange Header File Version 1.0
; comment
[Common Infos]
Codepage=UTF-8
DataFile=$b.eeg
MarkerFile=a.vmrk
DataFormat=BINARY
DataOrientation={orientation}
NumberOfChannels=2
SamplingInterval=5000
DataPoints=4
[Binary Infos]
BinaryFormat={encoding}
[Channel Infos]
Ch1=Fz,,0.5,µV
Ch2=left\\1 ear,,,C
[Comment]
Impedance [kOhm]
"""
MARKERS = """Brain Vision Data Exchange Marker File, Version 1.0
[Common Infos]
DataFile=a.eeg
[Marker Infos]
Mk1=New Segment,,1,1,0,20261115093000250000
Mk2=Stimulus,S  1,2,1,0
Mk3=Comment,a\\1 b,3,0,0
Mk4=New Segment,,3,1,0
"""


def brainvision_seeds():
    values = [1, -1, 2, -2, 3, -3, 4, -4]
    for encoding, letter in (("INT_16", "h"), ("INT_32", "i"), ("IEEE_FLOAT_32", "f")):
        for orientation in ("MULTIPLEXED", "VECTORIZED"):
            header = HEADER.format(orientation=orientation, encoding=encoding)
            code = "latin-1" if encoding == "INT_32" else "utf-8"
            yield (f"{encoding.lower()}-{orientation.lower()}",
                   header.encode(code) + b"\0" + MARKERS.encode() + b"\0" + struct.pack(f"<8{letter}", *values))


def tsv_seeds():
    yield "scores", (b"sonset\tduration\ttrial\tleft\tright\tattended\n0\t1\ta\t0.5\t-0.25\tleft\n1\t1\ta\tn/a\t0.5\tn/a\n"
                     b"3\t1\ta\t1e-3\t-1\tright\n0\t1\tb\t-inf\t0\tright\n")
    yield "posteriors", b"ponset\ttrial\tleft\tright\tdecision\tattended\n0\ta\t0.25\t0.75\tright\tleft\n1\ta\t1\t0\tleft\tn/a\n"
    yield "features", b"fonset\talpha\tbeta\tattended\n0\t1\t2\tattend\n1\t3\t4\trest\n"
    yield "no-features", b"fonset\tattended\n0\tattend\n"
    yield "chain", b"c0.5\t0.5\t0\n0.25\t0.5\t0.25\n1e-3\t0\t0.999\n"
    yield "channels", (b"nname\ttype\tunits\tsampling_frequency\tstatus\nCz\tEEG\tuV\t64\tgood\nEXG1\tEOG\tuV\tn/a\tbad\n")
    yield "participants", b"wparticipant_id\tage\tsex\nsub-01\t23\tF\nsub-02\tn/a\tM\n"
    yield "table", b"ta\tb\r\n1\tn/a\r\n-2.5e3\t+7\r\n"


def json_seeds():
    yield "scores", b's{"WindowLength": 0.5, "ScoreType": "log-odds", "Digits": 6, "left": {"Units": "1"}}'
    yield "posteriors", b'p{"WindowLength": 1.0, "LookAhead": "end of trial"}'
    yield "envelope", b'e{"SamplingFrequency": 64, "StartTime": 0, "Columns": ["envelope"]}'
    yield "model", (b'm{"Format": "heed-model", "FormatVersion": 1, "HeedVersion": "0.1.0", "WindowLength": 1, '
                    b'"Participants": 8, "Origin": "x", "Emission": {"Kind": "gaussian", "Spread": "separate", '
                    b'"MuAttended": 0.5, "MuUnattended": -1e-3, "SigmaAttended": 1.5, "SigmaUnattended": 2, "Correlation": 0}}')


def event_seeds():
    head = b"onset\tduration\ttrial_type\tspeaker\tstim_file"
    yield "two-speakers", (head + b"\n0\t60\tstimulus\tanna\ta.wav\n0\t60\tstimulus\tbert\tb.wav\n0\t30\tattend\tanna\tn/a\n"
                           b"30\t30\tattend\tbert\tn/a\n")
    yield "pieces", (head + b"\tstim_onset\tstim_channel\ttrial\n0\t10\tstimulus\tleft\ta.wav\t0\t0\t1\n"
                     b"10\t10\tstimulus\tleft\tb.wav\t10\t1\t1\n0\t20\tstimulus\tright\tc.wav\t0\tn/a\t1\n"
                     b"0\t20\tattend\tright\tn/a\tn/a\tn/a\t1\n400\t5\tstimulus\tleft\ta.wav\t0\tn/a\t2\n"
                     b"400\t5\tstimulus\tright\tb.wav\t0\tn/a\t2\n399\t0\tresponse\tn/a\tn/a\t0\tn/a\tn/a\n")


def fif_seeds():
    def tag(kind, form, content, following=0):
        return struct.pack(">4i", kind, form, len(content), following) + content

    def block(kind, content):
        return tag(104, 3, struct.pack(">i", kind)) + content + tag(105, 3, struct.pack(">i", kind))

    def channel(name, kind):
        return tag(203, 30, struct.pack(">3i2fi", 1, 1, kind, 1, 1e-6, 1) + bytes(48) + struct.pack(">2i", 107, 0) + name.ljust(16, b"\0"))

    information = (tag(200, 3, struct.pack(">i", 2)) + tag(201, 4, struct.pack(">f", 100)) + tag(204, 3, struct.pack(">2i", 86400, 0))
                   + channel(b"Cz", 2) + channel(b"STI 014", 3))
    notes = block(3810, tag(3568, 5, struct.pack(">2d", 0, 1)) + tag(3569, 5, struct.pack(">2d", 0.5, 1)) + tag(206, 10, b"left:right"))
    def file(*parts):
        return tag(100, 31, bytes(20)) + block(100, b"".join(parts)) + tag(108, 0, b"", -1)

    buffer = tag(300, 4, struct.pack(">4f", *range(4)))
    raw = block(102, buffer)
    yield "epochs", file(block(101, information), block(373, b""))
    yield "no-samples", file(block(101, information))
    yield "no-channels", file(raw)
    yield "packed-alike", file(block(101, information), block(102, tag(300, 2, struct.pack(">4h", *range(4)))))
    yield "other-numbers", file(block(101, information), block(102, tag(300, 99, bytes(16))))
    yield "half-a-sample", file(block(101, information), block(102, tag(300, 4, bytes(6))))
    yield "no-calibration", file(block(101, information.replace(struct.pack(">f", 1e-6), struct.pack(">f", float("nan")))), raw)
    yield "no-rate", file(block(101, information.replace(struct.pack(">f", 100), struct.pack(">f", 0))), raw)
    yield "three-channels", file(block(101, information + channel(b"Pz", 2)), raw)
    yield "long-names", file(block(101, information + block(113, tag(258, 10, b"a long name of Cz")) + block(113, tag(258, 10, b"another"))), raw)
    yield "units", file(block(101, information.replace(struct.pack(">2i", 107, 0), struct.pack(">2i", 201, 0))), raw)
    yield "skipped", file(block(101, information), block(102, buffer + tag(303, 3, struct.pack(">i", 7)) + buffer))
    yield "continued", file(block(101, information), raw, block(118, tag(115, 3, struct.pack(">i", 2)) + tag(118, 10, b"next.fif")))
    yield "deep", file(block(101, information), tag(104, 3, struct.pack(">i", 1)) * 70)
    yield "dated", file(block(101, information), block(3810, tag(204, 3, bytes(8)) + tag(3568, 4, struct.pack(">f", 1)) + tag(206, 10, b"x")), raw)
    yield "back", tag(100, 31, bytes(20), 4)
    yield "short-tag", tag(100, 31, bytes(20)) + tag(104, 3, b"")
    for name, form, samples in (("float", 4, struct.pack(">8f", *range(8))), ("short", 16, struct.pack(">8h", *range(8))),
                                ("int", 3, struct.pack(">8i", *range(8))), ("double", 5, struct.pack(">8d", *range(8)))):
        data = tag(208, 3, struct.pack(">i", 10)) + tag(300, form, samples) + tag(301, 3, struct.pack(">i", 1)) + tag(300, form, samples)
        yield name, tag(100, 31, bytes(20)) + block(100, block(101, information) + notes + block(102, data)) + tag(108, 0, b"", -1)


def gdf(version, kind, numbers, events=b"", records=2, samples=(2, 2)):
    """Channels Fz (uV) and slow, `samples` of each in a record; numbers: struct's letter of one sample."""
    old, count = version < 1.9, len(samples)
    out = f"GDF {version:.2f}".encode() + bytes(160)
    out += b"2026111509300000" if old else struct.pack("<2Q", (740301 << 32) + (1 << 31), 0)
    out += struct.pack("<q", 256 * (count + 1)) if old else struct.pack("<H6x", count + 1)
    out = out.ljust(236, b"\0") + struct.pack("<qII", records, 1, 2) + struct.pack("<I", count)
    out += b"Fz".ljust(16) + b"slow".ljust(16, b"\0") + bytes(80 * count)
    out += b"uV".ljust(8) * count if old else bytes(6 * count) + struct.pack("<2H", 4275, 512)
    out += struct.pack("<4d", -100, -100, 100, 100)
    out += struct.pack("<4q", -1000, -1000, 1000, 1000) if old else struct.pack("<4d", -1000, -1000, 1000, 1000)
    out += bytes(80 * count) + struct.pack("<2I", *samples) + struct.pack("<2I", kind, kind) + bytes(32 * count)
    return out + b"".join(numbers(value) for value in range(records * sum(samples))) + events


def gdf_seeds():
    short, real = (lambda value: struct.pack("<h", value)), (lambda value: struct.pack("<d", value))
    table = struct.pack("<2I2H2H2I", 1, 3, 769, 770, 0, 1, 0, 2)
    yield "int16_1.gdf", gdf(1.25, 3, short, b"\x03" + (4).to_bytes(3, "little") + struct.pack("<I", 2) + table)
    yield "int16_2.gdf", gdf(2.2, 3, short, b"\x03" + (2).to_bytes(3, "little") + struct.pack("<f", 4) + table)
    yield "float64.gdf", gdf(2.2, 17, real, b"\x01" + (1).to_bytes(3, "little") + struct.pack("<fIH", 0, 2, 5))
    yield "int24.gdf", gdf(2.1, 279, lambda value: struct.pack("<i", value)[:3], records=1)
    yield "int32.gdf", gdf(2.2, 5, lambda value: struct.pack("<i", value))
    yield "rates.gdf", gdf(2.2, 16, lambda value: struct.pack("<f", value), samples=(4, 1))


DECODER = """{{"Format": "heed-decoder", "FormatVersion": {version}, "HeedVersion": "0.1.0", "Kind": "{kind}", "Participants": 2,
"Origin": "two listeners", "Runs": ["sub-01_run-01"], "Preprocessing": {{"SamplingFrequency": 64.0, "LowEdge": 0.5,
"HighEdge": 9.0, "Filters": "causal", "Reference": "channels", "BadChannels": "exclude", "Clip": 0.0,
"ReferenceChannels": ["TP9", "TP10"]}}, "Channels": ["Fz", "Cz"], "Targets": ["envelope"], "EegLags": [0, 1],
"StimulusLags": {lags}, "EegScales": {{"Mean": [0.0, 0.001], "Deviation": [1.0, 2.0]}},
"StimulusScales": {{"Mean": [0.0], "Deviation": [0.7]}}, {rest}}}"""
POPULATION = b"""{"Format": "heed-population", "FormatVersion": 1, "HeedVersion": "0.1.0", "Origin": "one listener",
"Preprocessing": {"SamplingFrequency": 64.0, "LowEdge": 0.5, "HighEdge": 9.0, "Filters": "zero-phase", "Reference": "average",
"BadChannels": "exclude", "Clip": 0.0, "Targets": ["envelope", "onset"]}, "Targets": ["envelope", "onset"], "Delays": [0, 1],
"Decoder": {"Kind": "ls", "Regularisation": "ridge", "Ridge": 0.3, "FirstLag": 0.0, "LongestLag": 0.015625, "Pairs": 10,
"ScoreRule": {"Measure": "cosine", "Shrinkage": 0.3}, "WindowLength": 1.0}, "Entries": [{"Listener": "01", "Run": "sub-01_run-01",
"Recording": "abc", "Stimuli": ["s1", "s2"], "Samples": 16000.0, "Scores": {"Windows": 250.0, "Speakers": 2.0, "Attended": 25.1,
"AttendedSquares": 6.6, "Unattended": 0.0, "UnattendedSquares": 0.5, "WindowSum": 0.0, "WindowSumSquares": 9.0},
"Channels": ["Fz"], "Products": [1, 2.5, 3, 4]}]}"""


# Covariances: the second version.
ADAPTIVE_POPULATION = POPULATION.replace(b'"FormatVersion": 1', b'"FormatVersion": 2').replace(b'["envelope", "onset"]', b'["onset"]') \
    .replace(b'"Products": [1, 2.5, 3, 4]}]}', b'"Products": [1, 2.5], "Covariance": [10000, 5000]}], "Adaptation": {"Seconds": '
             b'[100, 200], "Trials": [{"Listener": "01", "Separations": [0.4, 0.5], "Scores": {"Windows": 250.0, "Speakers": 2.0, '
             b'"Attended": 25.1, "AttendedSquares": 6.6, "Unattended": 0.0, "UnattendedSquares": 0.5, "WindowSum": 0.0, '
             b'"WindowSumSquares": 9.0}}]}}')
LEARNT_LISTENER = b"""{"Format": "heed-listener", "FormatVersion": 1, "HeedVersion": "0.1.0", "Listener": "01", "Origin": "a session",
"Channels": ["Fz", "Cz"], "Preprocessing": {"SamplingFrequency": 64.0, "LowEdge": 0.5, "HighEdge": 9.0, "Filters": "causal",
"Reference": "average", "BadChannels": "exclude", "Clip": 0.0, "Targets": ["onset"]}, "Lags": [0, 1], "WindowLength": 1.0,
"Emission": {"Attended": 0.12, "Unattended": 0.03, "Sigma": 0.2}, "Learnt": {"EegWindows": 60.0, "LabelledWindows": 55.5,
"Scores": [6.0, 55.5, 1.0, 56.0, 9.0], "Products": [0.1, 0.2, 0.3, 0.4], "Covariance": [1, 0.5, 0.5, 1, 0.7, 0.3, 0.3, 0.7]},
"Population": {"Seconds": 300.0, "Products": [0.1, 0.2, 0.3, 0.4], "Covariance": [1, 0.5, 0.5, 1, 0.7, 0.3, 0.3, 0.7]}}"""


def numpy_array(version, kind, values):
    header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}\n".encode()
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header + struct.pack(f"<{len(values)}{'d' if kind == 'f8' else 'f'}", *values)


def decoder_seeds():
    least_squares = '"ScoreRule": {"Measure": "cosine", "Shrinkage": 0.3, "Memory": 60}, "Weights": [0.1, 0.25, 2.0, 3.0]'
    pair = '{"EegFilter": [1, 2, 3, 4], "StimulusFilter": [0.1, 0.2]}'
    cca = f'"WindowLength": 2.5, "Discriminant": {{"Weights": [3.5], "Bias": -0.7}}, "Pairs": [{pair}]'
    yield "least-squares", b"d" + DECODER.format(version=2, kind="least-squares", lags=[0, 0], rest=least_squares).encode()
    yield "cca", b"d" + DECODER.format(version=1, kind="cca", lags=[-1, 0], rest=cca).encode()
    yield "population", b"p" + POPULATION
    yield "adaptive-population", b"p" + ADAPTIVE_POPULATION
    yield "learnt-listener", b"l" + LEARNT_LISTENER
    yield "float64", b"n" + numpy_array(1, "f8", [0.5, -1, 2])
    yield "float32", b"n" + numpy_array(2, "f4", [0.5, -1])


STUDY = """title = "p"
question = "Which?"
[figure]
picture = "sweep"
along = "switch_probability"
series = ["tracker"]
[[grid]]
tracker = ["causal", "smooth"]
switch_probability = [0.001, 0.01]
[[published]]
at = { tracker = "causal", switch_probability = 0.001 }
accuracy = 0.9
[[claim]]
kind = "falls"
text = "Faster."
measure = "switch_time"
at = { tracker = "causal" }
along = "switch_probability"
"""


def study_seeds():
    people = [{"Id": name, "Speakers": 2, "Digest": name * 16} for name in ("01", "02")]
    cohort = {"On": ["/a"], "Limit": None, "Words": "two", "Simulated": False, "Seed": 1, "Quick": False, "Participants": people}
    common = {"Version": "0.1.0", "Study": {"File": "p.toml", "Text": STUDY}, "Results": 8, "Cohort": cohort}
    gathered = common | {"Program": "heed study gather", "Format": 2, "Tables": ["tracking"], "Missing": 0,
                         "Notes": [{"Subject": "01", "Kind": "chosen", "Text": "n"}], "LeftOut": [{"Setting": "s", "Why": "w"}]}
    yield "toml", b"s" + STUDY.encode()
    yield "random-intervals", b's[[grid]]\nswitch_interval = ["60-120", 30]\nlags = "0-250"\nrepeats = 5\n'
    yield "plan", b"p" + json.dumps(common | {"Program": "heed study plan", "Format": 3, "Settings": 4}).encode()
    yield "gathered", b"g" + json.dumps(gathered).encode()
    yield "table", b"tparticipant\ttracker\taccuracy\nsub-01\tcausal\t0.9\nsub-02\t01\tn/a\n"


def page_seeds():
    host = "Host: 127.0.0.1:4333\r\n"

    def post(path, body):
        return (f"POST {path} HTTP/1.1\r\n{host}Origin: http://127.0.0.1:4333\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}").encode()

    yield "page", f"GET / HTTP/1.1\r\n{host}\r\n".encode()
    yield "token", f"GET /?token={'a' * 32} HTTP/1.1\r\n{host}\r\n".encode()
    yield "events", (f"GET /events HTTP/1.1\r\n{host}Cookie: heed-token-4333={'a' * 32}\r\n"
                     "Last-Event-ID: 0123abcd-7\r\n\r\n").encode()
    yield "parameters", post("/parameters", '{"switch_probability":0.01,"enhanced":0,"suppressed":-12,"paused":true}')
    yield "demo", post("/demo", '{"attend":1,"lose_eeg":true,"listener":"hard","talkers":3}')


def ndjson_seeds():
    scores = b'{"speakers":["left","right"],"window":1,"attended":true,"trials":true}\n'
    signals = b'{"speakers":["left","ri\\u00e9"],"rate":64,"channels":["Fz","Cz"],"bad":["Cz"],"unit":"uV",%s}\n'
    yield "scores", scores + b'{"t":1,"scores":[0.1,-2e-3],"attended":"left","trial":"a"}\n\n{"scores":[null,1],"attended":null}\r\n'
    yield "log-likelihoods", scores + b'{"t":1,"log_likelihoods":[-1.5,-1e300]}'
    yield "audio", (signals % b'"audio_rate":{"left":8000,"ri\\u00e9":16000}' +
                    b'{"t":0,"eeg":[[1,2],[3,null]],"audio":{"left":[0.5,-1],"ri\\u00e9":[0]},"marker":"go"}\n{"eeg":[[5,6]]}\n')
    yield "envelope", signals % b'"envelope_rate":64' + b'{"envelope":{"left":[0.5,1e-9]}}\n{"eeg":[[1,2]]}\n{"eeg":[[1,'


def biosemi_seeds():
    def rows(channels, status, count):
        words = []
        for row in range(count):
            words += [(row * 7919 + k * 104729) % 65536 - 32768 + 100000 * k for k in range(channels)]
            words += [0x980000 | (254 if row % 64 == 40 else 0)] if status else []
        return b"".join((word & 0xFFFFFF).to_bytes(3, "little") for word in words)

    yield "status", bytes([2, 1, 3]) + rows(3, True, 1500)
    yield "found-out", bytes([7, 0, 255]) + rows(8, True, 600)
    yield "none", bytes([7, 2, 1]) + rows(8, False, 300)
    yield "wrong", bytes([8, 0, 9]) + rows(8, True, 600)
    yield "not-there", bytes([7, 1, 1]) + rows(8, False, 300)
    yield "jumped", bytes([2, 1, 3]) + rows(3, True, 1500) + bytes(240)


def xdf_seeds():
    def length(value, width=0):
        width = width or (1 if value < 256 else 4)
        return bytes([width]) + value.to_bytes(width, "little")

    def chunk(tag, content, width=0):
        return length(len(content) + 2, width) + struct.pack("<H", tag) + content

    def header(number, name, kind, channels, rate, form):
        xml = (f"<?xml version=\"1.0\"?><info><name>{name}</name><type>{kind}</type><channel_count>{channels}</channel_count>"
               f"<nominal_srate>{rate}</nominal_srate><channel_format>{form}</channel_format><desc><channels><channel>"
               "<label>Fz</label><unit>uV</unit></channel></channels></desc></info>")
        return chunk(2, struct.pack("<I", number) + xml.encode())

    def samples(number, rows):
        return chunk(3, struct.pack("<I", number) + length(len(rows), 4) + b"".join(rows))

    def stamped(time, values):
        return b"\x08" + struct.pack("<d", time) + values

    boundary = chunk(5, bytes.fromhex("43a546dccbf5410fb30ed5467383cbe4"))
    footer = chunk(6, struct.pack("<I", 1) + b"<info><sample_count>4</sample_count></info>")
    start = b"XDF:" + chunk(1, b"<?xml version=\"1.0\"?><info><version>1.0</version></info>")
    eeg = header(1, "amp", "EEG", 2, 100, "int16")
    some = samples(1, [stamped(5, b"\x01\x02\x03\x04"), b"\0\x05\x06\x07\x08"])
    later = samples(1, [stamped(90, b"\x01\x02\x03\x04"), b"\0\x05\x06\x07\x08"])
    offsets = [chunk(4, struct.pack("<Idd", 1, time, offset)) for time, offset in ((5, 0.1), (10, 0.1001), (2, 8.1), (7, 8.1))]
    yield "regular", start + eeg + some + boundary + offsets[0] + offsets[1] + later + footer
    yield "reset", start + eeg + some + offsets[0] + offsets[1] + samples(1, [stamped(2, b"abcd")]) + offsets[2] + offsets[3]
    yield "strings", start + header(3, "events", "Markers", 1, 0, "string") + samples(3, [stamped(5, length(5) + b"hello")])
    yield "formats", start + b"".join(
        header(k, form, "x", 1, 10, form) + samples(k, [stamped(1, bytes(size))])
        for k, (form, size) in enumerate((("float32", 4), ("double64", 8), ("int8", 1), ("int32", 4), ("int64", 8))))
    odd = ("<info><!-- of --><!DOCTYPE x><name><![CDATA[a<b]]>&lt;&#xe9;&#x20ac;&#x1f600;&#65;&none;&#xzz;&#x110000;</name><channel_count>1</channel_count>"
           "<nominal_srate>0</nominal_srate><channel_format>string</channel_format><desc/></info>").encode()
    yield "signs", start + chunk(2, struct.pack("<I", 1) + odd)
    for number, broken in enumerate((b"<info><![CDATA[a", b"<info", b"</info>", b"<info></x>", b"< >", b"<info><channel_count>0</channel_count></info>")):
        yield f"xml-{number}", start + chunk(2, struct.pack("<I", 1) + broken)
    yield "many-channels", start + header(1, "amp", "EEG", 2, 100, "int16").replace(b"</channel></channels>", b"</channel>" + b"<channel><label>a</label></channel>" * 3 + b"</channels>")
    yield "missing", start + eeg + some + chunk(6, struct.pack("<I", 1) + b"<info><sample_count>9</sample_count></info>")
    yield "other-rate", start + eeg + samples(1, [stamped(5 + k / 50, b"abcd") for k in range(200)])
    yield "no-offset", start + eeg + chunk(4, struct.pack("<Idd", 1, 5, float("nan")))
    yield "no-stream", start + some
    yield "compressed", b"\x1f\x8b" + bytes(20)
    yield "numbers-as-markers", start + header(3, "events", "Markers", 1, 0, "int32") + samples(3, [stamped(5, bytes(4))])
    yield "cut", (start + eeg + some + boundary + later)[:-3]
    yield "wide", b"XDF:" + chunk(1, b"<info></info>", 8) + eeg + b"\x04\xff\xff\xff\x7f\x03\0" + boundary + some


def osc_seeds():
    def text(value):
        return value + b"\0" * (4 - len(value) % 4)

    gains = text(b"/heed/gain") + text(b",ff") + struct.pack(">ff", -3, -12)
    marker = text(b"/heed/marker") + text(b",s") + text(b"go")
    yield "floats", gains
    yield "string", marker
    yield "flags", text(b"/heed/pause") + text(b",TFi") + struct.pack(">i", 1)
    yield "bundle", b"#bundle\0" + bytes(8) + struct.pack(">I", len(gains)) + gains + struct.pack(">I", len(marker)) + marker


def main():
    folder = pathlib.Path(sys.argv[1])
    kinds = {"edf": edf_seeds, "gdf": gdf_seeds, "brainvision": brainvision_seeds, "fif": fif_seeds, "eeglab": eeglab_seeds, "tsv": tsv_seeds, "json_sidecar": json_seeds,
             "events": event_seeds, "mat": mat_seeds, "mat73": mat73_seeds, "decoders": decoder_seeds, "studies": study_seeds, "ndjson": ndjson_seeds, "biosemi": biosemi_seeds,
             "xdf": xdf_seeds, "osc": osc_seeds, "page": page_seeds}
    for kind, seeds in kinds.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        try:
            good = dict(seeds())
            for name, content in (*good.items(), *damaged(kind, good)):
                (folder / kind / name).write_bytes(content)
        except ImportError as missing:
            print(f"no seeds of {kind}: {missing}")


if __name__ == "__main__":
    main()
