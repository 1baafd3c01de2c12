# SPDX-License-Identifier: MIT
"""Seeds for what parsers refuse or tell: good seeds of make_corpus.py with one thing changed, named by it."""
import struct

# Of each format: the good seed, and (name, what stands there, what replaces it). Text is UTF-8.
CHANGES = {
    "brainvision": (("int_16-multiplexed", (
        ("no-codepage", "Codepage=UTF-8\n", ""), ("ansi", "Codepage=UTF-8", "Codepage=ANSI"),
        ("other-name", "DataFile=$b.eeg", "DataFile=b.eeg"),
        ("ascii", "DataFormat=BINARY", "DataFormat=ASCII"),
        ("spectra", "DataFormat=BINARY", "DataFormat=BINARY\nDataType=FREQUENCYDOMAIN"),
        ("neither-way", "MULTIPLEXED", "SIDEWAYS"), ("no-count", "NumberOfChannels=2", "NumberOfChannels=x"),
        ("count-missing", "NumberOfChannels=2\n", ""), ("more-channels", "NumberOfChannels=2", "NumberOfChannels=3"),
        ("no-interval", "SamplingInterval=5000", "SamplingInterval=x"), ("more-samples", "DataPoints=4", "DataPoints=9"),
        ("int_64", "INT_16", "INT_64"), ("no-channel", "Ch2=left", "X2=left"), ("far-channel", "Ch2=left", "Ch5000=left"),
        ("resolution", "Fz,,0.5", "Fz,,x"), ("twice", "Ch2=left", "Ch1=left"), ("unnamed", "Ch1=Fz,,0.5,µV", "Ch1=,,,"),
        ("same-name", "Ch2=left\\1 ear", "Ch2=Fz"), ("markers-elsewhere", "MarkerFile=a.vmrk", "MarkerFile=z.vmrk"),
        ("no-markers", "MarkerFile=a.vmrk\n", ""), ("no-place", "Mk2=Stimulus,S  1,2", "Mk2=Stimulus,S  1,x"),
        ("no-date", "20261115093000250000", "20269915093000250000"),
        ("mark", "Brain Vision Data Exchange H", "\ufeffBrain Vision Data Exchange H"),
        ("other-kind", "Brain Vision Data Exchange Header", "Some Other Header"),
        ("truncated", b"\x02\x00\xfe\xff\x03\x00\xfd\xff\x04\x00\xfc\xff", b""),
        ("half-a-sample", b"\x04\x00\xfc\xff", b"\x04\x00\xfc\xff\x05"),
        ("no-samples", b"\x00\x01\x00\xff\xff\x02\x00\xfe\xff\x03\x00\xfd\xff\x04\x00\xfc\xff", b"\0"))),
        ("int_16-vectorized", (("cut", b"\x04\x00\xfc\xff", b""),))),
    "tsv": (("scores", (
        ("no-rows", "0\t1\ta\t0.5", None), ("one-speaker", "left\tright\tattended", "duration2\tonset2\tattended"),
        ("capital", "attended\n", "Attended\n"),
        ("speaker-missing", "\tleft\tright", "\tn/a\tright"), ("no-onset", "\n3\t1\ta", "\nn/a\t1\ta"),
        ("nobody", "-0.25\tleft", "-0.25\tup"),
        ("no-trial", "\n0\t1\tb", "\n0\t1\tn/a"),
        ("trial-again", "\n0\t1\tb\t-inf\t0\tright\n", "\n0\t1\tb\t-inf\t0\tright\n4\t1\ta\t0\t0\tleft\n"),
        ("word", "0.5\t-0.25", "0,5\t-0.25"), ("bad-word", "0.5\t-0.25", "xyz\t-0.25"), ("no-length", "\n0\t1\ta", "\n0\t-1\ta"),
        ("other-length", "\n1\t1\ta", "\n1\t2\ta"),
        ("onsets-back", "\n3\t1\ta", "\n0.5\t1\ta"), ("overlap", "\n3\t1\ta", "\n1.5\t1\ta"), ("between", "\n3\t1\ta", "\n3.4\t1\ta"),
        ("far", "\n3\t1\ta", "\n3000000\t1\ta"), ("few-cells", "\t-1\tright", "\tright"), ("empty-row", "\n3\t1\ta", "\n\n3\t1\ta"),
        ("no-name", "\tduration", "\t"), ("same-name", "left\tright", "left\tleft"), ("plus-minus", "0.5\t-0.25", "+-5\t-0.25"),
        ("no-durations", "duration", "up"), ("long-word", "0.5\t-0.25", "x" * 39 + "µ" * 5 + "\t1"))),
        ("posteriors", (
        ("above-one", "0.25\t0.75", "0.25\t1.75"), ("not-one", "0.25\t0.75", "0.25\t0.5"), ("undecided", "right\tleft", "n/a\tleft"),
        ("no-decisions", "decision", "up"), ("gap", "\n1\ta", "\n1\ta\t1\t0\tleft\tn/a\n3\ta"))),
        ("chain", (("word", "0.25", "x"), ("short", "0.25\t0.5\t0.25", "0.25\t0.5"), ("long", "\n1e-3\t0\t0.999", ""),
        ("empty", "c0.5", None))),
        ("channels", (("status", "good", "fair"), ("type", "EEG", "EEEG"), ("twice", "EXG1", "Cz"), ("no-rows", "\nCz", None),
        ("no-column", "name", "nam"),
        ("commas", "name\ttype\tunits\tsampling_frequency\tstatus", "name,type,units,sampling_frequency,status"),
        ("control", "Cz", "C\x01z"), ("unnamed", "\nCz", "\n"))),
        ("participants", (("no-participant", "sub-02", "02"), ("twice", "sub-02", "sub-01"))),
        ("table", (("empty", "a\tb", None), ("blank", "ta\tb", "t\n"), ("numbers", "ta\tb", "t1.5\t2"), ("words", "+7", "x")))),
    "json_sidecar": (("scores", (
        ("no-object", '{"Win', '["Win'), ("damaged", '"Digits": 6,', '"Digits": 6,,'), ("no-number", ": 0.5", ': "x"'),
        ("negative", ": 0.5", ": -1"),
        ("digits", '"Digits": 6', '"Digits": 60'), ("no-digits", '"Digits": 6', '"Digits": 6.5'), ("type", "log-odds", "odds"),
        ("no-type", '"log-odds"', "1"),
        ("hop", '"Digits"', '"HopLength": 0.25, "Digits"'), ("long-hop", '"Digits"', '"HopLength": 2, "Digits"'))),
        ("posteriors", (("look-ahead", '"end of trial"', "5"), ("look-back", '"end of trial"', "-5"))),
        ("envelope", (("no-rate", '"SamplingFrequency": 64, ', ""), ("rate", ": 64", ": 1e10"),
        ("late", '"StartTime": 0', '"StartTime": 1e9'),
        ("columns", '["envelope"]', '["other"]'), ("no-columns", '["envelope"]', "[1]"))),
        ("model", (
        ("format", "heed-model", "x"), ("version", '"FormatVersion": 1', '"FormatVersion": 9'),
        ("writer", '"HeedVersion": "0.1.0", "W', '"W'),
        ("no-emission", '"Emission": {', '"Emission": 1, "x": {'), ("kind", '"gaussian"', '"triangle"'),
        ("fisher", '"gaussian"', '"fisher-gaussian"'),
        ("spread", '"separate"', '"wide"'), ("shared", '"separate"', '"shared"'),
        ("exchangeable", '"separate", "MuAttended": 0.5, "MuUnattended": -1e-3, "SigmaAttended": 1.5, "SigmaUnattended": 2, "Correlation": 0',
         '"exchangeable", "MuAttended": 0.5, "MuUnattended": 0, "SigmaAttended": 2, "SigmaUnattended": 2, "Correlation": 0.3'),
        ("correlated", '"Correlation": 0', '"Correlation": 0.5'),
        ("beyond", '"separate", "MuAttended": 0.5, "MuUnattended": -1e-3, "SigmaAttended": 1.5, "SigmaUnattended": 2, "Correlation": 0',
         '"exchangeable", "MuAttended": 0.5, "MuUnattended": 0, "SigmaAttended": 2, "SigmaUnattended": 2, "Correlation": 2'),
        ("sigma", '"SigmaAttended": 1.5', '"SigmaAttended": 0'), ("other-sigma", '"SigmaUnattended": 2', '"SigmaUnattended": 0'),
        ("hop", '"Participants"', '"HopLength": 2, "Participants"'),
        ("temperature", '"Participants"', '"Temperature": 0, "Participants"'),
        ("warm", '"Participants"', '"Temperature": 2, "Participants"'),
        ("window", '"WindowLength": 1', '"WindowLength": 0'), ("steps", '"Participants"', '"ScoreType": "step-cosine", "Participants"'),
        ("score-type", '"Participants"', '"ScoreType": "x", "Participants"'),
        ("softmax", None, '{"Kind": "softmax", "ClassPriors": [0.5, 0.5]}'),
        ("probability", None, '{"Kind": "probability", "ClassPriors": []}'),
        ("priors", None, '{"Kind": "softmax", "ClassPriors": [0.5, 1.5]}'),
        ("priors-sum", None, '{"Kind": "softmax", "ClassPriors": [0.5, 0.1]}'),
        ("one-prior", None, '{"Kind": "softmax", "ClassPriors": [1]}'), ("hard", None, '{"Kind": "hard-decision", "Accuracy": 0.8}'),
        ("harder", None, '{"Kind": "hard-decision", "Accuracy": 1}'),
        ("given", None, '{"Kind": "log-likelihood"}'), ("no-priors", None, '{"Kind": "softmax", "ClassPriors": ["x"]}'))),
        ("model", tuple((name, None, '{"Kind": "mixture", "Covariance": "%s", "States": %s, "Features": ["x", "y"], "Components": [%s]}' % (shape, states, components))
         for name, shape, states, components in (
            ("mixture-diagonal", "diagonal", '["a", "b"]', '{"State": "a", "Weight": 1, "Mean": [0, 1], "Covariance": [1, 2]}, {"State": "b", "Weight": 1, "Mean": [0, 1], "Covariance": [1, 2]}'),
            ("mixture-full", "full", '["a", "b"]', '{"State": "a", "Weight": 1, "Mean": [0, 1], "Covariance": [1, 0.5, 0.5, 2]}, {"State": "b", "Weight": 1, "Mean": [0, 1], "Covariance": [1, 0, 0, 2]}'),
            ("mixture-shape", "round", '["a", "b"]', ""), ("mixture-states", "full", '["a", "a"]', ""),
            ("mixture-state", "full", '["a", "b"]', '{"State": "c"}'),
            ("mixture-weights", "full", '["a", "b"]', '{"State": "a", "Weight": 0.5, "Mean": [0, 1], "Covariance": [1, 0, 0, 2]}'),
            ("mixture-weight", "full", '["a", "b"]', '{"State": "a", "Weight": 5, "Mean": [0, 1], "Covariance": [1, 0, 0, 2]}'),
            ("mixture-mean", "full", '["a", "b"]', '{"State": "a", "Weight": 1, "Mean": [0], "Covariance": [1, 0, 0, 2]}'),
            ("mixture-square", "full", '["a", "b"]', '{"State": "a", "Weight": 1, "Mean": [0, 1], "Covariance": [1, 0, 2]}'),
            ("mixture-negative", "full", '["a", "b"]', '{"State": "a", "Weight": 1, "Mean": [0, 1], "Covariance": [-1, 0, 0, 2]}'),
            ("mixture-objects", "full", '["a", "b"]', "1")))),
        ("model", tuple((name, '"separate", "MuAttended": 0.5, "MuUnattended": -1e-3, "SigmaAttended": 1.5, "SigmaUnattended": 2, "Correlation": 0}',
         '"%s", "MuAttended": 0.5, "MuUnattended": 0, "SigmaAttended": 2, "SigmaUnattended": 2, "Correlation": 0}, %s"Dependence": {"Autocorrelation": %s, "OffsetSigma": %s}'
         % (spread, temperature, correlation, sigma)) for name, spread, temperature, correlation, sigma in (
            ("dependence", "shared", "", 0.3, 0.1), ("dependence-spread", "separate", "", 0.3, 0.1),
            ("dependence-correlation", "shared", "", 1.5, 0.1),
            ("dependence-sigma", "shared", "", 0.5, -1), ("dependence-warm", "shared", '"Temperature": 2, ', 0.3, 0.1))))),
    "events": (("two-speakers", (
        ("no-rows", "\n0\t60\tstimulus\tanna", None), ("no-time", "0\t60\tstimulus\tbert", "n/a\t60\tstimulus\tbert"),
        ("far", "0\t60\tstimulus\tbert", "1e9\t60\tstimulus\tbert"),
        ("no-duration", "0\t60\tstimulus\tbert", "0\t0\tstimulus\tbert"), ("no-speaker", "stimulus\tbert", "stimulus\tn/a"),
        ("reserved", "stimulus\tbert", "stimulus\tattended"),
        ("no-file", "b.wav", "n/a"), ("elsewhere", "b.wav", "../b.wav"), ("capital", "attend\tbert", "Attend\tbert"),
        ("no-column", "trial_type", "kind"),
        ("unheard", "attend\tbert", "attend\tcarl"), ("overlap", "30\t30\tattend", "20\t30\tattend"),
        ("one-speaker", "stimulus\tbert", "stimulus\tanna"),
        ("apart", "0\t60\tstimulus\tbert", "70\t60\tstimulus\tbert"), ("outside", "0\t60\tstimulus", "7000\t60\tstimulus"),
        ("pause", "0\t60\tstimulus", "0\t600\tstimulus"),
        ("end", "0\t60\tstimulus", "590\t60\tstimulus"), ("short", "0\t60\tstimulus", "0\t0.5\tstimulus"),
        ("late", "30\t30\tattend", "90\t30\tattend"),
        ("nobody", "0\t30\tattend\tanna\tn/a\n30\t30\tattend\tbert\tn/a\n", ""), ("no-sound", "stimulus", "response"),
        ("control", "stimulus\tbert", "stimulus\tbe\x01rt"))),
        ("pieces", (
        ("no-channel", "b.wav\t10\t1", "b.wav\t10\t1.5"), ("before", "b.wav\t10\t1", "b.wav\t-10\t1"),
        ("no-trial", "n/a\tn/a\tn/a\t1", "n/a\tn/a\tn/a\tn/a"), ("other-trial", "n/a\tn/a\tn/a\t1", "n/a\tn/a\tn/a\t7"),
        ("silent", "400\t5\tstimulus\tright\tb.wav\t0\tn/a\t2\n", ""), ("same-time", "400\t5", "5\t5"),
        ("twice", "10\t10\tstimulus\tleft\tb.wav\t10\t1\t1\n", "10\t10\tstimulus\tleft\tb.wav\t10\t1\t1\n10\t10\tstimulus\tleft\tb.wav\t10\t1\t1\n")))),
    "decoders": (("least-squares", (
        ("kind", '"Kind": "least-squares"', '"Kind": "lasso"'), ("no-channels", '"Channels": ["Fz", "Cz"]', '"Channels": []'),
        ("no-targets", '"Targets": ["envelope"], "Eeg', '"Targets": [], "Eeg'),
        ("lags", '"EegLags": [0, 1]', '"EegLags": [1, 0]'), ("scales", '"Deviation": [1.0, 2.0]', '"Deviation": [1.0, 0.0]'),
        ("stimulus-scales", '"Deviation": [0.7]', '"Deviation": [0.0]'),
        ("weights", "[0.1, 0.25, 2.0, 3.0]", "[0.1]"), ("filters", '"causal"', '"sharp"'), ("edges", '"LowEdge": 0.5', '"LowEdge": 10'),
        ("rate", '"SamplingFrequency": 64.0', '"SamplingFrequency": 10'),
        ("clip", '"Clip": 0.0', '"Clip": -1'), ("reference", '["TP9", "TP10"]', "[]"),
        ("no-reference", '"Reference": "channels"', '"Reference": "none"'),
        ("average", '"Reference": "channels"', '"Reference": "average"'),
        ("interpolate", '"exclude"', '"interpolate"'), ("targets", '"Clip": 0.0', '"Targets": ["onset", "onset"], "Clip": 0.0'),
        ("target", '"Clip": 0.0', '"Targets": ["pitch"], "Clip": 0.0'), ("no-target", '"Clip": 0.0', '"Targets": [], "Clip": 0.0'),
        ("measure", '"cosine"', '"distance"'), ("pearson", '"cosine"', '"pearson"'),
        ("shrinkage", '"Shrinkage": 0.3', '"Shrinkage": -1'), ("memory", '"Memory": 60', '"Memory": 0'),
        ("negative-rate", '"SamplingFrequency": 64.0', '"SamplingFrequency": -1'),
        ("origin", '"Origin": "two listeners"', '"Origin": 2'), ("runs", '["sub-01_run-01"]', "[1]"),
        ("preprocessing", '"Preprocessing": {', '"Preprocessing": 1, "x": {'))),
        ("cca", (("pairs", "[{", "[1, {"), ("no-pairs", '[{"EegFilter": [1, 2, 3, 4], "StimulusFilter": [0.1, 0.2]}]', "[]"),
        ("weights", '"Weights": [3.5]', '"Weights": [3.5, 1]'), ("filter", "[1, 2, 3, 4]", "[1]"),
        ("stimulus-filter", "[0.1, 0.2]", "[0.1]"), ("window", '"WindowLength": 2.5', '"WindowLength": 0'))),
        ("population", (
        ("targets", '"Targets": ["envelope", "onset"], "Delays"', '"Targets": [], "Delays"'), ("kind", '"Kind": "ls"', '"Kind": "x"'),
        ("regularisation", '"Regularisation": "ridge"', '"Regularisation": "x"'), ("ridge", '"Ridge": 0.3', '"Ridge": -1'),
        ("lags", '"FirstLag": 0.0', '"FirstLag": 9'), ("no-pairs", '"Pairs": 10', '"Pairs": 0'),
        ("listener", '"Listener": "01"', '"Listener": ""'), ("run", '"Run": "sub-01_run-01"', '"Run": ""'),
        ("recording", '"Recording": "abc"', '"Recording": ""'),
        ("stimuli", '["s1", "s2"]', '["s2", "s1"]'), ("channels", '"Channels": ["Fz"]', '"Channels": ["Fz", "Fz"]'),
        ("samples", '"Samples": 16000.0', '"Samples": 0'), ("products", "[1, 2.5, 3, 4]", "[1]"),
        ("large", "[1, 2.5, 3, 4]", "[1, 2.5, 3, 1e300]"),
        ("no-scores", '"Scores": {', '"Scores": null, "x": {'), ("windows", '"Windows": 250.0', '"Windows": -1'),
        ("squares", '"AttendedSquares": 6.6', '"AttendedSquares": -1'), ("shrinkage", '"Shrinkage": 0.3', '"Shrinkage": -1'),
        ("entries", '"Entries": [{', '"Entries": [], "x": [{'),
        ("twice", '"Products": [1, 2.5, 3, 4]}', '"Products": [1, 2.5, 3, 4]}, {"Listener": "01", "Run": "sub-01_run-01", "Recording": "abc", "Stimuli": ["s1", "s2"], "Samples": 1, "Scores": null, "Channels": ["Fz"], "Products": [1, 2.5, 3, 4]}'),
        ("edges", '"LowEdge": 0.5', '"LowEdge": 10'))),
        ("adaptive-population", (
        ("covariance", "[10000, 5000]", "[10000]"), ("no-covariance", "[10000, 5000]", "[]"),
        ("beyond", "[10000, 5000]", "[10000, 50000]"), ("seconds", '"Seconds": [100, 200]', '"Seconds": [0, 200]'),
        ("no-seconds", '"Seconds": [100, 200]', '"Seconds": []'),
        ("separations", "[0.4, 0.5]", "[0.4]"), ("unnamed", '"Trials": [{"Listener": "01"', '"Trials": [{"Listener": ""'),
        ("trial-scores", '0.5], "Scores": {"Windows": 250.0', '0.5], "Scores": {"Windows": -1'))),
        ("learnt-listener", (
        ("channels", '["Fz", "Cz"]', '["Fz", "Fz"]'), ("edges", '"LowEdge": 0.5', '"LowEdge": 10'),
        ("learnt", '"Products": [0.1, 0.2, 0.3, 0.4], "Covariance": [1, 0.5, 0.5, 1, 0.7, 0.3, 0.3, 0.7]},', '"Products": [0.1], "Covariance": [1]},'),
        ("population", '"Seconds": 300.0, "Products": [0.1, 0.2, 0.3, 0.4]', '"Seconds": 300.0, "Products": [0.1]'),
        ("seconds", '"Seconds": 300.0', '"Seconds": -1'), ("means", '"Attended": 0.12', '"Attended": 0'),
        ("counts", '"EegWindows": 60.0', '"EegWindows": -1'), ("scores", "[6.0, 55.5, 1.0, 56.0, 9.0]", "[6.0]"),
        ("no-population", '"Population": {', '"Population": null, "x": {'))),
        ("float64", (
        ("magic", b"NUMPY", b"NUMPX"), ("version", b"NUMPY\x01", b"NUMPY\x03"), ("key", b"'descr'", b"'other'"),
        ("comma", b"False, ", b"False; "), ("quote", b"'<f8'", b"<f8"), ("open-quote", b"'<f8'", b"'<f8"), ("kind", b"<f8", b"<i8"),
        ("fortran", b"False", b"True"),
        ("truth", b"False", b"Maybe"), ("two-columns", b"(3,)", b"(3, 2)"), ("shape", b"(3,)", b"(x,)"), ("empty", b"(3,)", b"(0,)"),
        ("brackets", b"(3,)", b"[3,]"), ("more", b"(3,)", b"(4,)"), ("gap", struct.pack("<d", -1), struct.pack("<d", float("nan"))),
        ("bare", b"{'descr'", b"x'descr'"), ("behind", b", }\n", b", } x"), ("shape-comma", b"(3,)", b"(3;)")))),
    "studies": (("toml", (
        ("no-grid", "[[grid]]", None), ("empty-grid", 'tracker = ["causal", "smooth"]\nswitch_probability = [0.001, 0.01]\n', ""),
        ("bare", 'question = "Which?"', "question = Which"), ("date", 'question = "Which?"', "question = 2026-11-15"),
        ("number", 'question = "Which?"', "question = 1"), ("key", "question", "qestion"), ("far-key", "question", "xyzw"),
        ("truth", 'question = "Which?"', "only_when_named = 1"), ("named", 'question = "Which?"', "only_when_named = true"),
        ("measure", 'question = "Which?"', 'measure = "x"'), ("trace", 'question = "Which?"', 'measure = "trace"'),
        ("independence", 'question = "Which?"', 'measure = "independence"'), ("picture", '"sweep"', '"painting"'),
        ("comparison", '"sweep"', '"comparison"'),
        ("trade-off", '"sweep"', '"trade_off"'), ("frontier", '"sweep"', '"frontier"'),
        ("frontiers", 'picture = "sweep"\nalong = "switch_probability"\nseries = ["tracker"]', 'picture = "frontiers"\nseries = ["tracker"]'),
        ("reliability", 'picture = "sweep"\nalong = "switch_probability"', 'picture = "reliability"'),
        ("no-table", "[figure]\n", "figure = 1\n"), ("no-tables", "[[grid]]", "[grid]"), ("words", '["tracker"]', "[1]"),
        ("series", 'series = ["tracker"]', 'series = ["trackr"]'),
        ("not-apart", 'series = ["tracker"]', "series = []"), ("no-series", 'series = ["tracker"]\n', ""),
        ("along", 'along = "switch_probability"', 'along = "tracker"'),
        ("raw", 'along = "switch_probability"', 'along = "raw_accuracy"'),
        ("logarithmic", 'series = ["tracker"]', 'series = ["tracker"]\nlogarithmic = true'),
        ("measures", 'series = ["tracker"]', 'series = ["tracker"]\nmeasures = ["accuracy", "switch_time", "accuracy", "accuracy"]'),
        ("no-measure", 'series = ["tracker"]', 'series = ["tracker"]\nmeasures = ["acuracy"]'),
        ("twice", "[0.001, 0.01]", "[0.001, 0.001]"), ("no-values", "[0.001, 0.01]", "[]"),
        ("nested", "[0.001, 0.01]", "[[0.001], 0.01]"), ("one-value", "[0.001, 0.01]", "0.001"),
        ("large", "[0.001, 0.01]", "[0.001, 5]"),
        ("parameter", "switch_probability = [0.001, 0.01]", "swich_probability = [0.001, 0.01]"),
        ("far-parameter", "switch_probability = [0.001, 0.01]", "xyzw = [0.001, 0.01]"),
        ("published-key", "accuracy = 0.9", "acuracy = 0.9"), ("no-value", "accuracy = 0.9", ""),
        ("no-number", "accuracy = 0.9", 'accuracy = "x"'), ("spread", "accuracy = 0.9", "accuracy_sd = 0.9"),
        ("both", "accuracy = 0.9", "accuracy = 90\naccuracy_sd = 2\nany_decoder = true\nplace = \"Table I\""),
        ("decoder", "accuracy = 0.9", 'accuracy = 0.9\ndecoder = "x"'),
        ("several", 'at = { tracker = "causal", switch_probability = 0.001 }', 'at = { tracker = "causal" }'),
        ("other-setting", "switch_probability = 0.001 }", "switch_probability = 0.5 }"),
        ("setting-name", "switch_probability = 0.001 }", "swich_probability = 0.001 }"),
        ("kind", '"falls"', '"jumps"'), ("missing", 'kind = "falls"', 'kind = "greater"'),
        ("held-and-along", 'along = "switch_probability"\n', ""), ("levels", '"falls"', '"levels_off"'),
        ("held", 'measure = "switch_time"\nat = { tracker = "causal" }', 'measure = "switch_time"\nat = { tracker = "causal", switch_probability = 0.001 }'),
        *((name, 'kind = "falls"\ntext = "Faster."\nmeasure = "switch_time"\nat = { tracker = "causal" }\nalong = "switch_probability"\n', claim) for name, claim in (
            ("greater", 'kind = "greater"\ntext = "x"\nmeasure = "accuracy"\nat = { tracker = "causal", switch_probability = 0.001 }\nthan = { tracker = "smooth", switch_probability = 0.001 }\n'),
            ("same", 'kind = "greater"\ntext = "x"\nmeasure = "accuracy"\nat = { tracker = "causal", switch_probability = 0.001 }\nthan = { tracker = "causal", switch_probability = 0.001 }\n'),
            ("makes-up", 'kind = "makes_up"\ntext = "x"\nmeasure = "accuracy"\nat = { tracker = "causal", switch_probability = 0.001 }\nthan = { tracker = "smooth", switch_probability = 0.001 }\nwithout_loss = { tracker = "smooth", switch_probability = 0.01 }\n'),
            ("frontier-claim", 'kind = "better_frontier"\ntext = "x"\nmeasure = "accuracy"\nat = { tracker = "causal" }\nthan = { tracker = "smooth" }\nwith = "switch_time"\n'),
            ("frontier-of-one", 'kind = "better_frontier"\ntext = "x"\nmeasure = "accuracy"\nat = { tracker = "causal", switch_probability = 0.001 }\nthan = { tracker = "smooth" }\nwith = "switch_time"\n'),
            ("reason", 'kind = "falls"\ntext = "Faster."\nmeasure = "switch_time"\nat = { tracker = "causal" }\nalong = "switch_probability"\n[[reason]]\ntext = "y"\nholds = ["Faster."]\n'),
            ("no-reason", 'kind = "falls"\ntext = "Faster."\nmeasure = "switch_time"\nat = { tracker = "causal" }\nalong = "switch_probability"\n[[reason]]\ntext = "y"\n'),
            ("other-reason", 'kind = "falls"\ntext = "Faster."\nmeasure = "switch_time"\nat = { tracker = "causal" }\nalong = "switch_probability"\n[[reason]]\ntext = "y"\nfails = ["Slower."]\n'))),
        *((f"grid-{name}", 'tracker = ["causal", "smooth"]\nswitch_probability = [0.001, 0.01]\n[[published]]', grid + '\n[[grid]]\ntracker = ["causal", "smooth"]\nswitch_probability = [0.001, 0.01]\n[[published]]') for name, grid in (
            ("all", 'speakers = 2\ndecoder = "ls"\nwindow = 2\nlags = 0.25\nridge = 1\nstimulus_ridge = 1\ntracker = "fixed-lag"\nswitch_interval = 60\nlook_ahead = 5\naccuracy_shift = 1\nevidence = 0.5\nrepeats = 2'),
            ("words", 'speakers = "as-given"\ndecoder = "baseline"\nrecipe = "heed"\nlearning = "adaptive"\ndisturbance = "nobody"\nminute = 5\njoined = true\ntrials = "switching"'),
            ("gains", 'tracker = "gain"\ngain_states = 10\ngain_step = 0.5\ngain_map = "2dB/nat"'),
            ("gain-words", 'gain_states = "by-mesd"\ngain_map = "decibels"\nminute = "all"\nridge = "by-recipe"\nspread = "shared"\nemission = "baum-welch"\ndependence = "ar1"'),
            ("interval", 'switch_interval = "60-125"\nswitch_probability = "once-an-interval"'),
            ("lda", 'lda = "difference"\ncolumns = "difference"'),
            ("bad-speakers", "speakers = 1.5"), ("bad-window", "window = 0.3"), ("bad-lags", "lags = 0"),
            ("bad-interval", 'switch_interval = "60"'), ("bad-look", "look_ahead = -1"), ("bad-states", "gain_states = 1"),
            ("bad-step", "gain_step = 0"), ("bad-map", 'gain_map = "x"'),
            ("bad-word", 'trials = "x"'), ("bad-spread", 'spread = "x"'), ("bad-repeats", "repeats = 0"),
            ("bad-recipe", 'recipe = "x"'), ("bad-tracker", 'tracker = "x"'), ("bad-ridge", "stimulus_ridge = -1"),
            ("bad-minute", "minute = -1"), ("bad-learning", 'learning = "x"'), ("bad-shift", "accuracy_shift = 100"),
            ("short-interval", "window = 60\nswitch_interval = 30"), ("calibrated", 'calibrated = true\nemission = "baum-welch"'),
            ("dependent", 'calibrated = true\ndependence = "ar1"'), ("auto", 'calibrated = true\nswitch_probability = "auto"'),
            ("recipe", 'recipe = "heed"\ndecoder = "cca"'),
            ("learning", 'learning = "adaptive"'), ("disturbed", 'recipe = "heed"\ndisturbance = "nobody"'),
            ("lda-ls", 'lda = "difference"\ndecoder = "ls"'), ("three", 'columns = "difference"\nspeakers = 3'),
            ("probable", "speakers = 8\nswitch_probability = 0.4"),
            ("once", 'switch_probability = "once-an-interval"\nswitch_interval = "none"'),
            ("once-short", 'switch_probability = "once-an-interval"\nswitch_interval = 1\nspeakers = 3'),
            ("many", "ridge = [" + ", ".join(map(str, range(300))) + "]\nstimulus_ridge = [" + ", ".join(map(str, range(300))) + "]"))))),
        ("plan", (("no-json", "{", "["), ("program", "heed study plan", "x"), ("old", '"Format": 3', '"Format": 1'),
        ("new", '"Format": 3', '"Format": 9'), ("version", '"Version": "0.1.0"', '"Version": "9"'), ("damaged", '"Words"', '"Wrds"'),
        ("results", '"Results": 8', '"Results": 7'), ("limit", '"Limit": null', '"Limit": 2'))),
        ("gathered", (("program", "heed study gather", "x"), ("format", '"Format": 2', '"Format": 9'), ("damaged", '"Notes"', '"Nots"'),
        ("note", '"chosen"', '"x"'))),
        ("table", (("cells", "\t0.9", ""), ("empty", "participant", None)))),
    "osc": (("floats", (("double", b",ff\0" + struct.pack(">ff", -3, -12), b",d\0\0" + struct.pack(">d", -3)),
        ("no-numbers", struct.pack(">ff", -3, -12), b""),
        ("half", b",ff\0" + struct.pack(">ff", -3, -12), b",d\0\0" + struct.pack(">f", -3)),
        ("blob", b",ff\0", b",bb\0"), ("address", b"/heed", b"#heed"), ("no-types", b",ff\0", b"xff\0"))),
        ("string", (("open", b"go\0\0", b"goooo"), ("cut", b"go\0\0", b"go\0"))),
        ("bundle", (("short", b"#bundle\0" + bytes(8), b"#bundle\0"), ("size", struct.pack(">I", 24), struct.pack(">I", 25)),
        ("deep", b"#bundle\0" + bytes(8), (b"#bundle\0" + bytes(8) + struct.pack(">I", 200)) * 5)))),
    "page": (("parameters", (("foreign", "Origin: http://127.0.0.1:4333", "Origin: http://example.org"),
        ("host", "Host: 127.0.0.1:4333", "Host: example.org"),
        ("host-6", "Host: 127.0.0.1:4333\r\nOrigin: http://127.0.0.1:4333", "Host: [::1]:4333\r\nOrigin: http://[::1]:4333"),
        ("capital", "Host: 127.0.0.1:4333\r\nOrigin: http://127.0.0.1:4333", "Host: LOCALHOST\r\nOrigin: http://LOCALHOST"),
        ("network", "Host: 127.0.0.1:4333\r\nOrigin: http://127.0.0.1:4333", "Host: 10.0.0.1\r\nOrigin: http://10.0.0.1"),
        ("site", "Content-Type", "Sec-Fetch-Site: cross-site\r\nContent-Type"))),
        ("demo", (("talker", '"attend":1', '"attend":x'), ("far-talker", '"attend":1', '"attend":7'))),
        ("events", (("cookies", "Cookie: heed-token", "Cookie: other=1; heed-token"),))),
    "ndjson": (("scores", (
        ("key", '"trials":true', '"trails":true'), ("late-key", '"attended":"left"', '"attend":"left"'),
        ("twice", '["left","right"]', '["left","left"]'), ("one", '["left","right"]', '["left"]'), ("window", '"window":1', '"window":0'),
        ("hop", '"window":1', '"window":1,"hop":0.5'), ("long-hop", '"window":1', '"window":1,"hop":5'),
        ("bare", '"scores":[0.1,-2e-3],', ""), ("three", "[0.1,-2e-3]", "[0.1,-2e-3,1]"),
        ("no-trials", '"trials":true', '"trials":false'),
        ("who", '"attended":"left"', '"attended":"up"'), ("large", "0.1", "1e999"), ("point", "0.1", ".1"), ("nan", "0.1", "NaN"),
        ("truth", '"trials":true', '"trials":maybe'), ("open", '"trial":"a"}', '"trial":"a'),
        ("long-line", '"trial":"a"', '"trial":"' + "a" * 4100 + '"'),
        ("sound", '"window":1', '"window":1,"audio_rate":8000'), ("eeg", '"scores":[0.1,-2e-3]', '"eeg":[[1,2]]'),
        ("escape", '"trial":"a"', '"trial":"\\ud83d\\ude00\\n\\u20ac\\u00e9"'), ("half", '"trial":"a"', '"trial":"\\ud83d"'),
        ("half-pair", '"trial":"a"', '"trial":"\\ud83d\\u0041"'), ("no-escape", '"trial":"a"', '"trial":"\\x"'),
        ("digits", '"trial":"a"', '"trial":"\\u00xy"'), ("control", '"trial":"a"', '"trial":"\x01"'),
        ("trailing", '"trial":"a"}', '"trial":"a"} x'), ("minus", "-2e-3", "-"), ("no-array", "[0.1,-2e-3]", "0.1"))),
        ("audio", (
        ("bad", '"bad":["Cz"]', '"bad":["Pz"]'), ("rate", '"rate":64', '"rate":1e99'), ("row", "[1,2]", "[1,2,3]"),
        ("scores", '"eeg":[[5,6]]', '"scores":[1,2]'), ("feed", '"audio":{"left"', '"audio":{"up"'),
        ("audio-rate", '"audio_rate":{"left"', '"audio_rate":{"up"'),
        ("no-rate", '"rate":64,', ""), ("no-audio-rate", ',"audio_rate":{"left":8000,"ri\\u00e9":16000}', ""),
        ("too-large", "0.5,-1", "1e300,-1"), ("large-eeg", "[1,2]", "[1e300,2]"))),
        ("envelope", (("no-rate", ',"envelope_rate":64', ""),
        ("two-rates", '"envelope_rate":64', '"envelope_rate":64,"audio_rate":8000')))),
}

# Of binary formats: the good seed, and (name, where, what is written there).
PATCHES = {
    "edf": (("plain.edf", (
        ("count", 252, b"x   "), ("no-signals", 252, b"0   "), ("header-bytes", 184, b"999     "), ("seconds", 244, b"x       "),
        ("no-seconds", 244, b"0       "), ("unfinished", 236, b"-1      "), ("more-records", 236, b"9       "),
        ("old-date", 88, b"nothing   "), ("1985", 88, b"nothing   " + b" " * 70 + b"15.11.85"),
        ("no-date", 88, b"nothing   " + b" " * 70 + b"99.99.99"), ("letters", 88, b"nothing   " + b" " * 70 + b"ab.cd.ef"),
        ("no-time", 176, b"x"),
        ("blank-date", 88, b" " * 88), ("startdate", 88, b"Startdate 15-NOV-2026 "), ("month", 88, b"Startdate 15-XXX-2026 "),
        ("unknown-start", 88, b"Startdate X "), ("no-range", 464, b"1000    "), ("samples", 688, b"-1      "),
        ("no-samples", 688, b"0       "),
        ("no-annotations", 192, b"EDF+D"))),
        ("discontinuous.edf", (("backwards", -48, b"-7.5\x14"), ("no-onset", -48, b"x7.5\x14"))),
        ("annotated.edf", (("stamp", -64, b"xxxx"),))),
    "gdf": (("int16_2.gdf", (
        ("volt", 460, struct.pack("<2H", 4256, 4274)), ("nanovolt", 460, struct.pack("<2H", 4276, 1)),
        ("type", 696, struct.pack("<2I", 99, 99)), ("types", 700, struct.pack("<I", 16)),
        ("no-range", 480, struct.pack("<2d", -100, -100)),
        ("no-samples", 688, struct.pack("<I", 0)), ("events-only", 688, bytes(8)), ("large", 688, struct.pack("<I", 1 << 30)),
        ("more-records", 236, struct.pack("<q", 9)), ("version", 4, b"9.99"), ("no-version", 4, b"x.yz"),
        ("no-channels", 252, bytes(4)), ("header", 184, bytes(2)), ("no-time", 244, bytes(4)),
        ("rate", 244, struct.pack("<II", 1, 4_000_000_000)), ("start", 168, bytes(8)), ("same-name", 272, b"Fz\0\0\0"))),
        ("int16_1.gdf", (("start", 168, b"x" * 16),))),
    "biosemi": (("status", (("size", 0, bytes([0, 1, 3])), ("range", 200, bytes(40)), ("jump", 9600, bytes(range(1, 10))))),),
}

# And how many bytes are left of the good one.
CUTS = {"edf": (("plain.edf", (100, 300, 700, 770, -1)),), "gdf": (("int16_2.gdf", (100, 700, 770, -4)),), "xdf": (("regular", (2, 30)),), "fif": (("float", (10, -20)),),
        "mat": (("plain", (100, 130, -40)),
        ("compressed", (-40,))), "ndjson": (("scores", (10,)),), "decoders": (("float64", (5, 9, 40, -3)),)}


def patched(content, at, new):
    at = at % len(content)
    return content[:at] + new + content[at + len(new):]


EVENTS = b"onset\tduration\ttrial_type\tspeaker\tstim_file\ttrial\n"


def two_speakers(*trials):
    """Events of trials (onset, duration), each with two speakers."""
    return EVENTS + b"".join(b"%d\t%d\tstimulus\t%s\ta.wav\t%d\n" % (onset, duration, speaker, k)
                             for k, (onset, duration) in enumerate(trials) for speaker in (b"anna", b"bert"))


# Whole ones.
OTHERS = {
    "events": (("pause", two_speakers((0, 600))), ("outside", two_speakers((7000, 60))), ("beyond-the-end", two_speakers((590, 60))),
               ("together", two_speakers((0, 60), (30, 60)))),
    "tsv": (("scores_posteriors", b"sonset\tleft\tright\tdecision\n0\t0.25\t0.75\tright\n"),
            ("scores_decided", b"sonset\tleft\tright\tdecision\n0\t0.25\t0.25\tright\n"),
            ("scores_missing", b"sleft\tright\nn/a\tn/a\n"),
            ("scores_overlapping", b"sonset\tduration\tleft\tright\n0\t1\t1\t2\n0.5\t1\t3\t4\n1\t1\t3\t4\n1.6\t1\t3\t4\n"),
            ("scores_speaker-alone", b"sonset\tleft\n0\t1\n"),
            ("scores_nobody", b"sonset\tattended\n0\tn/a\n"),
            ("posteriors_without-decisions", b"ponset\tleft\tright\n0\t0.5\t0.5\n"),
            ("scores_one-window", b"sonset\tduration\tleft\tright\n0\tn/a\t1\t2\n")),
}


def changed(content, old, new):
    """None as `new`: what stands there, and all behind it, is left out."""
    old = old.encode() if isinstance(old, str) else old
    at = content.find(old)
    if at < 0:
        raise ValueError(f"{old} is not in the seed")
    if new is None:
        return content[:at]
    return content[:at] + (new.encode() if isinstance(new, str) else new) + content[at + len(old):]


def with_emission(model, emission):
    head, tail = model.split(b'"Emission": ')
    return head + b'"Emission": ' + emission.encode() + b"}"


def damaged(kind, good):
    """(name, content) of every change of this format; good: its seeds by name."""
    for seed, changes in CHANGES.get(kind, ()):
        for name, old, new in changes:
            content = with_emission(good[seed], new) if old is None else changed(good[seed], old, new)
            if kind == "page" and b"Content-Length" in content:
                head, body = content.split(b"\r\n\r\n", 1)
                head = head[:head.index(b"Content-Length: ")] + b"Content-Length: %d" % len(body)
                content = head + b"\r\n\r\n" + body
            yield f"{seed}_{name}", content
    for seed, patches in PATCHES.get(kind, ()):
        for name, at, new in patches:
            yield f"{seed}_{name}", patched(good[seed], at, new)
    for seed, lengths in CUTS.get(kind, ()):
        for length in lengths:
            yield f"{seed}_cut{length}", good[seed][:length]
    yield from OTHERS.get(kind, ())
