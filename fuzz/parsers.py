# SPDX-License-Identifier: MIT
"""Which sources each fuzz target's parser is made of, and what in them does not read."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
WINDOWS = ("src/io/score_tables/window_table.cpp", "src/io/score_tables/score_file.cpp", "src/io/score_tables/posterior_file.cpp")
SOURCES = {
    "biosemi": ("src/live/sources/biosemi_decoder.cpp",),
    "brainvision": ("src/io/brainvision/brainvision_file.cpp", "src/io/brainvision/brainvision_header.cpp"),
    "decoders": ("src/io/decoders/*.cpp", "src/io/npy_file.cpp"),
    "edf": ("src/io/edf/edf_file.cpp", "src/io/edf/edf_header.cpp"),
    "eeglab": ("src/io/eeglab/*.cpp",),
    "events": ("src/io/bids/events_file.cpp", "src/io/bids/trial_plan.cpp"),
    "fif": ("src/io/fif/*.cpp",),
    "gdf": ("src/io/gdf/*.cpp",),
    "json_sidecar": ("src/io/json_object.cpp", "src/io/model_file.cpp", "src/io/score_tables/sidecar.cpp", "src/io/sound_file.cpp"),
    "mat": ("src/io/mat/mat5_[!w]*.cpp", "src/io/mat/mat_file.cpp"),
    "mat73": ("src/io/mat/mat73_content.cpp",),
    "ndjson": ("src/live/sources/ndjson_[!s]*.cpp", "src/live/sources/json_line.cpp", "src/live/connections/line_reader.cpp"),
    "osc": ("src/live/osc/osc_message.cpp",),
    "page": ("src/live/page/changes.cpp", "src/live/page/gate.cpp", "src/live/page/http_request.cpp"),
    "studies": ("src/study/study_file.cpp", "src/study/toml_document.cpp", "src/study/setting*.cpp", "src/study/plan/plan_json.cpp",
                "src/io/result_table_file.cpp"),
    "tsv": ("src/io/tsv.cpp", "src/io/bids/channels_file.cpp", *WINDOWS),
    "xdf": ("src/io/xdf/chunks.cpp", "src/io/xdf/clock_line.cpp", "src/io/xdf/stream_*.cpp", "src/io/xdf/xdf_file.cpp",
            "src/io/xdf/xml_walk.cpp"),
}
# Functions that write, open by name, describe, or ask what was read, beside those that read.
NOT_READING = re.compile(
    r"\b(write_\w+|append_\w*number|(events|events_sidecar|decoder|preprocessing|score_rule|listener|population|model|table|channels|number)_text|"
    r"gathered_json|json_of|to_json|dumped|add_lengths|score_description|(score|posterior)_sidecar|"
    r"(?<=Json )column|Plan::json|details|(?<!::)describe\w*|check_writable|check_envelope|listeners_in|"  # write and describe
    r"\w*sidecar_path|read_sidecar_of|read_array|(?<!::)read_\w+(?=\(const (std::filesystem|fs)::path&)|find_study\w*|built_in_studies|"  # open by name
    r"select_eeg|check_same_channels|may_be_missing|is_other_channel|(?<=string )element|channel_name|is_xdf_file|xml_escaped|"
    r"stream_header_xml|random_token|is_loopback_number|BiosemiDecoder|restart|check_biosemi_rate|biosemi_channels|OscFloats(::\w+)?)\(")


def files_of(target):
    found = [path for pattern in SOURCES[target] for path in sorted(ROOT.glob(pattern))]
    if not found:
        raise SystemExit(f"{target}: no source of its parser is where SOURCES says")
    return found


def lines_that_read(path):
    """Numbers of the lines outside functions that do not read, which begin and end at the left margin."""
    reading, outside = set(), True
    for number, line in enumerate(path.read_text().splitlines(), 1):
        begins = outside and NOT_READING.search(line) and not line.startswith((" ", "//")) and not line.endswith(";")
        if begins:
            outside = line.endswith("}")
        elif outside:
            reading.add(number)
        elif line == "}":
            outside = True
    return reading
