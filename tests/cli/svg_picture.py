# SPDX-License-Identifier: MIT
"""Reads the pictures heed draws: groups by what they mean, and the points of their shapes."""
import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"([Mhvlz])([^Mhvlz]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def pieces(path):
    """Lists of points of a path, absolute."""
    result, x, y = [], 0.0, 0.0
    for command, text in STEP.findall(path):
        numbers = [float(one) for one in NUMBER.findall(text)]
        if command == "z":
            continue
        if command == "M":
            x, y = numbers
            result.append([])
        elif command == "h":
            x += numbers[0]
        elif command == "v":
            y += numbers[0]
        else:
            x, y = x + numbers[0], y + numbers[1]
        result[-1].append((x, y))
    return result


def area(points):
    following = points[1:] + points[:1]
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, following))) / 2


class Shape:
    def __init__(self, element):
        self.kind = element.tag.removeprefix(SVG)
        self.values = element.attrib
        self.hint = element.findtext(f"{SVG}title", "")
        self.pieces = pieces(element.get("d", ""))

    @property
    def left(self):
        return min(x for piece in self.pieces for x, _ in piece)

    @property
    def right(self):
        return max(x for piece in self.pieces for x, _ in piece)


class Picture:
    """Raises where the text is no XML."""

    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.title = self.root.findtext(f"{SVG}title")
        self.description = self.root.findtext(f"{SVG}desc")
        self.texts = [element.text for element in self.root.iter(f"{SVG}text")]

    def groups(self, name):
        """Lists of shapes, without words."""
        return [[Shape(element) for element in group if element.tag != f"{SVG}text"]
                for group in self.root.iter(f"{SVG}g") if group.get("class") == name]

    def words(self, name):
        return [element.text for group in self.root.iter(f"{SVG}g") if group.get("class") == name
                for element in group.iter(f"{SVG}text")]
