#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where the tree leaves the plan of the house: an include that climbs, a file too long, a name
that says nothing, printing in the library, a source without its test, a path of one machine.

    check_structure.py [ROOT]      one line per violation: path:line: what is wrong and what to do
"""
import pathlib
import re
import shutil
import subprocess
import sys

HEADER_LINES = 200
SOURCE_LINES = 450
FOLDER_HEADERS = 20
FOLDER_SOURCES = 20
PUBLIC_HEADERS = 80

# Sources without a test file of their own name: where they are tested instead, and why there.
TESTED_ELSEWHERE = {
    "src/core/instances.cpp": ("tests/structure/check_symbols.py", "instantiates templates for their symbols"),
    "src/data/version.cpp": ("tests/install/find_package.cmake", "the installed program must say the same"),
    "src/dsp/streams/eeg_front.cpp": ("tests/unit/dsp/prepare_test.cpp", "private; what live and offline EEG share"),
    "src/dsp/streams/target_stream.cpp": ("tests/unit/dsp/prepare_test.cpp", "private; what live and offline sound share"),
    "src/decode/adaptive/decoder_update.cpp": ("tests/unit/decode/adaptive_decoder_test.cpp", "private; its one costly step"),
    "src/decode/adaptive/label_queue.cpp": ("tests/unit/decode/adaptive_decoder_test.cpp", "private; labels and emission of numpy"),
    "src/live/learner.cpp": ("tests/unit/live/adaptive_start_test.cpp", "beside a session that learns, which it is tested with"),
    "src/live/session/first_decoder.cpp": ("tests/unit/live/calibrator_test.cpp", "private; what sessions begin with"),
    "src/live/session/row_scorer.cpp": ("tests/unit/live/adaptive_start_test.cpp", "private; the decoder of a session"),
    "src/decode/dense/dense.cpp": ("tests/unit/decode/least_squares_test.cpp", "private; what fits are made of"),
    "src/decode/training/fitting.cpp": ("tests/unit/decode/least_squares_test.cpp", "private; what fits share"),
    "src/decode/sample_labels.cpp": ("tests/unit/decode/trial_statistics_test.cpp", "private; labels and bad trials"),
    "src/decode/statistics/lagged_sums.cpp": ("tests/unit/decode/trial_statistics_test.cpp", "private; against the lagged matrix"),
    "src/decode/statistics/row_fft.cpp": ("tests/unit/decode/lag_products_test.cpp", "private; against the definition"),
    "src/hmm/kernels/dispatch.cpp": ("tests/unit/hmm/kernels_test.cpp", "chooses among them"),
    "src/hmm/best_moves.cpp": ("tests/unit/hmm/viterbi_test.cpp", "private; a step of Viterbi's recursion"),
    "src/hmm/hop_chain.cpp": ("tests/unit/emission/dependence_test.cpp", "private; against all paths, with gaps"),
    "src/hmm/transition_stream.cpp": ("tests/unit/emission/dependence_test.cpp", "private; likewise"),
    "src/hmm/transition_viterbi.cpp": ("tests/unit/emission/dependence_test.cpp", "private; likewise"),
    "src/emission/dependent_tracking.cpp": ("tests/unit/emission/dependence_test.cpp", "declared in dependence.h"),
    "src/emission/dependent_windows.cpp": ("tests/unit/emission/dependence_test.cpp", "private; against the definition"),
    "src/hmm/passes.cpp": ("tests/unit/hmm/exactness_test.cpp", "private; what the public algorithms are made of"),
    "src/io/audio_file.cpp": ("tests/unit/io/sound_file_test.cpp", "sound; the other half of its header is envelopes"),
    "src/io/cnd/cnd_file.cpp": ("tests/cli/test_cnd.py", "converted, and compared with what scipy wrote"),
    "src/io/cnd/cnd_stimulus.cpp": ("tests/cli/test_cnd.py", "private; its features and conditions"),
    "src/io/mat/without_matio.cpp": ("tests/packages/test_switches.py", "stands in for a library that is missing"),
    "src/io/without_sndfile.cpp": ("tests/packages/test_switches.py", "likewise"),
    "src/report/without_cairo.cpp": ("tests/packages/test_switches.py", "likewise"),
    "src/report/painting.cpp": ("tests/unit/report/render_test.cpp", "private; PDF and PNG"),
    "src/pipeline/preparation/cnd_folder.cpp": ("tests/cli/test_cnd.py", "read by scipy, and back again by heed"),
    "src/io/brainvision/brainvision_header.cpp": ("tests/unit/io/brainvision_file_test.cpp", "private; half of its reader"),
    "src/io/brainvision/brainvision_writer.cpp": ("tests/unit/io/recording_writer_test.cpp", "every writer alike"),
    "src/io/edf/edf_header.cpp": ("tests/unit/io/edf_file_test.cpp", "private; half of its reader"),
    "src/io/gdf/gdf_header.cpp": ("tests/unit/io/gdf_file_test.cpp", "private; half of its reader"),
    "src/io/recording/record_samples.cpp": ("tests/unit/io/edf_file_test.cpp", "private; how EDF and GDF keep samples"),
    "src/io/edf/edf_writer.cpp": ("tests/unit/io/recording_writer_test.cpp", "every writer alike"),
    "src/io/open_file.cpp": ("tests/unit/io/recording_file_test.cpp", "private; what recordings are read from"),
    "src/io/bids/problems.cpp": ("tests/unit/io/events_file_test.cpp", "the text of a problem"),
    "src/io/json_object.cpp": ("tests/unit/io/model_file_test.cpp", "private; reads model files"),
    "src/io/decoders/decoder_json.cpp": ("tests/unit/io/decoder_file_test.cpp", "private; part of a decoder file"),
    "src/io/score_tables/sidecar.cpp": ("tests/unit/io/score_file_test.cpp", "private; half of a score file"),
    "src/live/connections/outlet.cpp": ("tests/unit/live/ndjson_sink_test.cpp", "private; where sinks write to"),
    "src/live/connections/waiting.cpp": ("tests/unit/live/line_reader_test.cpp", "private; what every wait is made of"),
    "src/live/sinks/open_sink.cpp": ("tests/unit/live/ndjson_sink_test.cpp", "opened by every test of a sink"),
    "src/live/sources/open_source.cpp": ("tests/unit/live/ndjson_source_test.cpp", "opened by every test of a source"),
    "src/live/sources/threaded_source.cpp": ("tests/unit/live/ndjson_source_test.cpp", "private; the thread of sources"),
    "src/live/demo.cpp": ("tests/cli/test_live_page.py", "a listener is learnt and followed, which takes optimised code"),
    "src/live/page/connection.cpp": ("tests/unit/live/live_page_test.cpp", "private; every request goes through it"),
    "src/live/page/live_site.cpp": ("tests/unit/live/live_page_test.cpp", "private; what the page answers"),
    "src/live/page/page_events.cpp": ("tests/unit/live/live_page_test.cpp", "private; what viewers are told"),
    "src/live/page/server.cpp": ("tests/unit/live/live_page_test.cpp", "private; what serves the page"),
    "src/io/xdf/chunks.cpp": ("tests/unit/io/xdf_file_test.cpp", "private; cut and damaged files"),
    "src/io/xdf/stream_header.cpp": ("tests/unit/io/xdf_file_test.cpp", "private; part of its reader"),
    "src/io/xdf/stream_index.cpp": ("tests/unit/io/xdf_file_test.cpp", "private; clocks and stamps"),
    "src/io/xdf/xdf_convert.cpp": ("tests/cli/test_xdf.py", "converted by rules, and compared with what was written"),
    "src/io/xdf/xdf_run.cpp": ("tests/cli/test_xdf.py", "likewise; a clock that drifts"),
    "src/live/lsl/lsl_library.cpp": ("tests/unit/live/lsl_source_test.cpp", "opened by every test of LSL"),
    "src/live/lsl/lsl_streams.cpp": ("tests/unit/live/lsl_source_test.cpp", "private; inlets and outlets"),
    "src/live/osc/osc_input.cpp": ("tests/cli/test_osc.py", "packets from a peer of another make"),
    "src/live/sinks/osc_sink.cpp": ("tests/cli/test_osc.py", "packets read by a peer of another make"),
    "src/live/sources/xdf_replay.cpp": ("tests/cli/test_xdf.py", "a recorded session replayed"),
    "src/live/session/calibration_rows.cpp": ("tests/unit/live/calibrator_test.cpp", "private; what training sees of a session"),
    "src/live/session/signal_path_sound.cpp": ("tests/unit/live/faults_test.cpp", "private; sound that drifts, jumps and is lost"),
    "src/live/sinks/threaded_recorder.cpp": ("tests/unit/live/recorder_test.cpp", "the recorder, on its thread"),
    "src/live/sources/attention_markers.cpp": ("tests/unit/live/attention_control_test.cpp", "attention told from outside"),
    "src/live/session/signal_path.cpp": ("tests/unit/live/session_test.cpp", "private; replays against the offline chain"),
    "src/live/session/speaker_sound.cpp": ("tests/unit/live/session_test.cpp", "private; likewise"),
    "src/live/sources/stored_run.cpp": ("tests/unit/live/session_test.cpp", "private; what replays are sent by"),
    "src/live/sources/replay.cpp": ("tests/unit/live/session_test.cpp", "replayed, and compared with the offline chain"),
    "src/live/sources/simulated.cpp": ("tests/unit/live/run_test.cpp", "run to its end"),
    "src/pipeline/label_free_fit.cpp": ("tests/unit/pipeline/model_fit_test.cpp", "private; half of its fits"),
    "src/pipeline/preparation/run_cache.cpp": ("tests/unit/pipeline/preparation_test.cpp", "private; what preparing keeps"),
    "src/pipeline/preparation/run_signals.cpp": ("tests/unit/pipeline/preparation_test.cpp", "private; one run"),
    "src/io/bids/run_check.cpp": ("tests/unit/io/dataset_check_test.cpp", "private; one run of a dataset"),
    "src/pipeline/preparation/prepared_folder.cpp": ("tests/cli/test_preprocess.py", "what the verb writes"),
    "src/pipeline/scoring/train_request.cpp": ("tests/cli/test_train.py", "what the verb trains"),
    "src/io/mat/apart.cpp": ("tests/unit/io/mat_file_test.cpp", "private; version 7.3 is read through it"),
    "src/io/mat/mat5_content.cpp": ("tests/unit/io/mat_file_test.cpp", "private; one of the versions"),
    "src/io/mat/mat5_stream.cpp": ("tests/unit/io/mat5_guard_test.cpp", "private; what the guard walks over"),
    "src/io/mat/mat73_content.cpp": ("tests/unit/io/mat_file_test.cpp", "private; one of the versions"),
    "src/io/public_sets/av_gc_aad.cpp": ("tests/cli/test_convert.py", "converted, and compared with what scipy reads"),
    "src/io/public_sets/convert.cpp": ("tests/cli/test_convert.py", "converted, and compared with what scipy reads"),
    "src/io/public_sets/dtu.cpp": ("tests/cli/test_convert.py", "converted, and compared with what scipy reads"),
    "src/io/public_sets/kuleuven.cpp": ("tests/cli/test_convert.py", "converted, and compared with what scipy reads"),
    "src/io/score_tables/table_text.cpp": ("tests/unit/io/score_write_test.cpp", "private; writes score and posterior files"),
    "src/io/score_tables/window_table.cpp": ("tests/unit/io/score_file_test.cpp", "private; rows of a score file"),
    "src/report/frame.cpp": ("tests/unit/report/attention_figure_test.cpp", "private; paper, legends and frames of figures"),
    "src/report/study/result_tables.cpp": ("tests/unit/report/study_report_test.cpp", "private; a part of the page"),
    "src/report/study/setting_words.cpp": ("tests/unit/report/study_report_test.cpp", "private; its words"),
    "src/report/study/study_drawings.cpp": ("tests/unit/report/study_report_test.cpp", "private; its figures"),
    "src/report/study/trace_picture.cpp": ("tests/unit/report/study_report_test.cpp", "private; one of them"),
    "src/study/cohorts/open_cohort.cpp": ("tests/cli/test_reproduce.py", "opened by every verb about studies"),
    "src/study/plan/report_folder.cpp": ("tests/cli/test_reproduce.py", "of others, of another cohort, of earlier versions"),
    "src/study/plan/reproduction.cpp": ("tests/cli/test_reproduce.py", "every study on a cohort"),
    "src/study/scheduling/slurm_jobs.cpp": ("tests/cli/test_study_slurm.py", "scripts as a shell sees them, and sbatch"),
    "src/study/setting_rules.cpp": ("tests/unit/study/setting_test.cpp", "private; what settings are checked by"),
    "src/study/setting_lookup.cpp": ("tests/unit/study/study_file_test.cpp", "private; what statements are about"),
    "src/study/toml_document.cpp": ("tests/unit/study/study_file_test.cpp", "private; what files are read through"),
}

CODE = {".h", ".cpp"}
WITH_LICENCE = CODE | {".py", ".cmake", ".sh"}
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "misc", "common", "stuff"}
SKIPPED_FOLDERS = {".git", "build", "__pycache__"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
FORBIDDEN_CALL = re.compile(
    r"\bstd::(?:cout|cerr|clog)\b|(?<![\w.>])(?:std::)?(?:printf|fprintf|puts|putchar|exit|_exit|quick_exit|abort|terminate)\s*\("
)
# As CSS has them, and as C++ does: Colour{...} or Colour name{...} with three numbers.
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b|\bColour(?:\s+\w+)?\s*\{\s*(?:0x)?\w+\s*,\s*(?:0x)?\d")
COLOURED = {".h", ".cpp", ".css", ".js", ".py", ".cmake"}
MACHINE_PATH = re.compile(r"(?:^|[^\w.-])/(?:work|home|root)/")
SYSTEM_HEADER = re.compile(r"[a-z_0-9]+|[a-z]+\.h|sys/[a-z]+\.h")  # std and POSIX


class Tree:
    """The files of the project, as paths relative to its root."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(self._tracked() or self._walked())

    def _tracked(self):
        """What git knows or would add; nothing outside a clone or without git."""
        if not (self.root / ".git").exists() or shutil.which("git") is None:
            return []
        command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        result = subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", check=False)
        names = result.stdout.split("\0") if result.returncode == 0 else []
        return [pathlib.PurePosixPath(name) for name in names if name and (self.root / name).is_file()]

    def _walked(self):
        for path in self.root.rglob("*"):
            relative = path.relative_to(self.root)
            if path.is_file() and not SKIPPED_FOLDERS.intersection(relative.parts):
                yield pathlib.PurePosixPath(relative)

    def lines(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace").splitlines()

    def code(self):
        return [path for path in self.files if path.suffix in CODE]


def read_layers(tree):
    """{layer: the layers it may use}, in the order of layers.txt."""
    layers = {}
    for line in tree.lines("layers.txt"):
        match = re.match(r"([a-z]+):(.*)$", line)
        if match:
            layers[match[1]] = match[2].split()
    return layers


def layer_of(path):
    """The layer a file of the library belongs to, or None."""
    if path.parts[:2] == ("include", "heed") and len(path.parts) > 3:
        return path.parts[2]
    if path.parts[0] == "src" and len(path.parts) > 2:
        return path.parts[1]
    return None


def without_comments(lines):
    """The lines with comments and the insides of string literals blanked."""
    literal_or_comment = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    blank = lambda match: '""' if match[0].startswith('"') else "\n" * match[0].count("\n")
    return literal_or_comment.sub(blank, "\n".join(lines)).split("\n")


def includes(tree, path):
    for number, line in enumerate(tree.lines(path), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1]


def layers_are_ordered(tree):
    """A layer uses only layers above it in layers.txt, so no cycle can close."""
    seen = []
    for layer, uses in read_layers(tree).items():
        for used in uses:
            if used not in seen:
                yield f"layers.txt: {layer} uses {used}, which is not listed above it"
        seen.append(layer)


def includes_keep_to_their_layer(tree):
    layers = read_layers(tree)
    for path in tree.code():
        layer = layer_of(path)
        if layer is None:
            continue
        if layer not in layers:
            yield f"{path}: layer {layer} is not in layers.txt"
            continue
        for number, target in includes(tree, path):
            parts = target.split("/")
            public = parts[0] == "heed"
            used = parts[1] if public and len(parts) > 2 else parts[0]
            if target == "heed/c.h":  # core's own face for C
                used = "core"
            if (public or used in layers) and used not in layers[layer] + [layer]:
                yield f"{path}:{number}: {layer} may not use {used} (layers.txt)"


def public_headers_stand_alone(tree):
    """What is installed includes nothing that is not, and the face stays small."""
    public = [path for path in tree.code() if path.parts[0] == "include"]
    layers = read_layers(tree)
    for path in public + [path for path in tree.code() if path.parts[0] == "examples"]:
        for number, target in includes(tree, path):
            if target.split("/")[0] in layers:
                yield f"{path}:{number}: {target} is not installed: move it to include/, or do without it"
    if len(public) > PUBLIC_HEADERS:
        yield f"include: {len(public)} public headers, {PUBLIC_HEADERS} are allowed: does a user need the newest?"


def one_header_includes_the_whole_face(tree):
    face = pathlib.PurePosixPath("include/heed/heed.h")
    public = {"/".join(path.parts[1:]) for path in tree.code() if path.parts[0] == "include" and path != face}
    if face not in tree.files:
        if public:
            yield f"{face}: missing; it includes every public header"
        return
    included = {target for _, target in includes(tree, face)}
    for target in sorted(public - included):
        yield f"{face}: wants #include <{target}>"
    for target in sorted(included - public):
        yield f"{face}: includes {target}, which does not exist"


def third_party_stays_in_sources(tree):
    """Eigen is public, where data is; every other library is our own affair."""
    layers = read_layers(tree)
    for path in tree.code():
        layer = layer_of(path)
        if layer not in layers:
            continue
        may_use_eigen = layer == "data" or "data" in layers[layer]
        for number, target in includes(tree, path):
            first = target.split("/")[0]
            if first == "Eigen" and not may_use_eigen:
                yield f"{path}:{number}: Eigen in {layer}, which does not use data"
            ours = first == "heed" or first == "Eigen" or first in layers
            if path.suffix == ".h" and not ours and not SYSTEM_HEADER.fullmatch(target):
                yield f"{path}:{number}: {target} in a header: include it in the .cpp"


def headers_include_no_circle(tree):
    graph = {}
    for path in tree.code():
        if path.parts[0] in ("include", "src") and path.suffix == ".h":
            graph["/".join(path.parts[1:])] = [target for _, target in includes(tree, path)]
    done = set()

    def visit(header, trail):
        if header in trail:
            yield f"{header}: includes itself by way of " + " -> ".join(trail[trail.index(header):])
        elif header in graph and header not in done:
            for target in graph[header]:
                yield from visit(target, trail + [header])
            done.add(header)

    for header in graph:
        yield from visit(header, [])


def namespace_is_the_layer(tree):
    """Fragments that others include inside the namespace have none of their own, and need none."""
    opened_in = {}  # path: the line that opens the layer's namespace
    fragments = set()
    for path in tree.code():
        layer = layer_of(path)
        opening = re.compile(rf"namespace heed::{layer}\b")
        opened_in[path] = next((n for n, line in enumerate(tree.lines(path), 1) if opening.match(line)), None)
        if layer and opened_in[path]:
            fragments |= {target for number, target in includes(tree, path) if number > opened_in[path]}
    for path in tree.code():
        is_fragment = "/".join(path.parts[1:]) in fragments
        only_includes = all(line.strip()[:1] in ("", "#") for line in without_comments(tree.lines(path)))
        if layer_of(path) and not (opened_in[path] or is_fragment or only_includes):
            yield f"{path}: declares nothing in namespace heed::{layer_of(path)}"


def licence_comes_first(tree):
    for path in tree.files:
        lines = tree.lines(path)[:2] if (tree.root / path).stat().st_size else []
        script = bool(lines) and lines[0].startswith("#!")
        if path.suffix in WITH_LICENCE or path.name == "CMakeLists.txt" or script:
            line = lines[1:2] if script else lines[:1]
            if not line or "SPDX-License-Identifier: MIT" not in line[0]:
                yield f"{path}: wants the SPDX line first (after #! in a script)"


def files_are_short(tree):
    for path in tree.files:
        limit = {".h": HEADER_LINES, ".cpp": SOURCE_LINES, ".py": SOURCE_LINES}.get(path.suffix)
        if limit is not None and len(tree.lines(path)) > limit:
            yield f"{path}: {len(tree.lines(path))} lines, {limit} are allowed: split it"


def folders_are_small(tree):
    counts = {}
    for path in tree.code():
        counts[path.parent, path.suffix] = counts.get((path.parent, path.suffix), 0) + 1
    for (folder, suffix), count in sorted(counts.items()):
        limit = FOLDER_HEADERS if suffix == ".h" else FOLDER_SOURCES
        if count > limit and folder.parts[0] in ("include", "src"):
            yield f"{folder}: {count} {suffix} files, {limit} are allowed: make a room inside"


def names_say_something(tree):
    for path in tree.files:
        words = {part.split(".")[0] for part in path.parts}
        words |= {word for part in path.parts for word in re.split(r"[._-]", part)}
        for word in sorted(words & EMPTY_NAMES):
            yield f"{path}: '{word}' does not say what is inside"


def library_is_silent(tree):
    for path in tree.code():
        if path.parts[0] not in ("include", "src"):
            continue
        for number, line in enumerate(without_comments(tree.lines(path)), 1):
            match = FORBIDDEN_CALL.search(line)
            if match:
                yield f"{path}:{number}: {match[0].strip('( ')} in the library: throw heed::Error, let the program speak"


def sources_are_tested(tree):
    known = set(tree.files)
    for path in tree.code():
        if path.parts[0] == "src" and path.suffix == ".cpp" and str(path) not in TESTED_ELSEWHERE:
            test = pathlib.PurePosixPath("tests/unit", layer_of(path) or "", f"{path.stem}_test.cpp")
            if test not in known:
                yield f"{path}: no {test}"
    for source, (test, _) in TESTED_ELSEWHERE.items():
        for name in (source, test):
            if pathlib.PurePosixPath(name) not in known:
                yield f"{name}: named in TESTED_ELSEWHERE, but it does not exist"


def no_path_of_one_machine(tree):
    for path in tree.files:
        for number, line in enumerate(tree.lines(path), 1):
            match = MACHINE_PATH.search(line)
            if match:
                yield f"{path}:{number}: {match[0].strip()} is a path of one machine"


def colours_are_in_the_palette(tree):
    """Figures, pages and heed.plot take theirs from palette.txt, so that they cannot differ."""
    for path in tree.files:
        if path.suffix not in COLOURED or path.parts[0] == "tests":
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = COLOUR.search(line)
            if match:
                yield f"{path}:{number}: the colour {match[0]}: give it a name in palette.txt and use that"


CHECKS = [
    layers_are_ordered,
    includes_keep_to_their_layer,
    public_headers_stand_alone,
    one_header_includes_the_whole_face,
    third_party_stays_in_sources,
    headers_include_no_circle,
    namespace_is_the_layer,
    licence_comes_first,
    files_are_short,
    folders_are_small,
    names_say_something,
    library_is_silent,
    sources_are_tested,
    colours_are_in_the_palette,
    no_path_of_one_machine,
]


def violations(root):
    tree = Tree(root)
    return [violation for check in CHECKS for violation in check(tree)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    found = violations(root)
    for violation in found:
        print(violation)
    print(f"{len(CHECKS)} rules, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
