# SPDX-License-Identifier: MIT
"""Reads XDF as its description has it, knowing nothing of heed: chunks, streams, samples, stamps."""
import dataclasses
import struct
import xml.etree.ElementTree

BOUNDARY = bytes.fromhex("43a546dccbf5410fb30ed5467383cbe4")
NUMBERS = {"float32": "f", "double64": "d", "int8": "b", "int16": "h", "int32": "i", "int64": "q"}


@dataclasses.dataclass
class Stream:
    name: str
    type: str
    rate: float
    format: str
    labels: list
    stamps: list = dataclasses.field(default_factory=list)
    rows: list = dataclasses.field(default_factory=list)
    offsets: list = dataclasses.field(default_factory=list)
    footer: dict = None


def length(data, at):
    width = data[at]
    assert width in (1, 4, 8), width
    return int.from_bytes(data[at + 1:at + 1 + width], "little"), at + 1 + width


def read_samples(stream, content):
    count, at = length(content, 0)
    channels = len(stream.labels)
    for _ in range(count):
        stamped = content[at]
        at += 1
        assert stamped in (0, 8), stamped
        if stamped:
            stamp, = struct.unpack_from("<d", content, at)
            at += 8
        else:
            stamp = stream.stamps[-1] + 1 / stream.rate
        if stream.format == "string":
            row = []
            for _ in range(channels):
                size, at = length(content, at)
                row.append(content[at:at + size].decode())
                at += size
        else:
            form = f"<{channels}{NUMBERS[stream.format]}"
            row = struct.unpack_from(form, content, at)
            at += struct.calcsize(form)
        stream.stamps.append(stamp)
        stream.rows.append(row)
    assert at == len(content)


def read(path):
    """Streams by name, and the tags of all chunks."""
    data = path.read_bytes()
    assert data[:4] == b"XDF:"
    streams, tags, at = {}, [], 4
    while at < len(data):
        size, at = length(data, at)
        tag, = struct.unpack_from("<H", data, at)
        content = data[at + 2:at + size]
        at += size
        tags.append(tag)
        if tag == 1:
            assert xml.etree.ElementTree.fromstring(content).findtext("version") == "1.0"
            continue
        if tag == 5:
            assert content == BOUNDARY
            continue
        number, = struct.unpack_from("<I", content)
        content = content[4:]
        if tag == 2:
            info = xml.etree.ElementTree.fromstring(content)
            labels = [channel.findtext("label") for channel in info.findall("desc/channels/channel")]
            count = int(info.findtext("channel_count"))
            assert not labels or len(labels) == count
            streams[number] = Stream(info.findtext("name"), info.findtext("type"), float(info.findtext("nominal_srate")),
                                     info.findtext("channel_format"), labels or [None] * count)
        elif tag == 3:
            read_samples(streams[number], content)
        elif tag == 4:
            streams[number].offsets.append(struct.unpack("<dd", content))
        elif tag == 6:
            info = xml.etree.ElementTree.fromstring(content)
            streams[number].footer = {child.tag: child.text for child in info}
    return {stream.name: stream for stream in streams.values()}, tags
