"""Charts and SmartArt of Office documents: a chart as the table of its data, SmartArt as a list."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.documents.archive import Archive, XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.extracted_text import strip_marks
from fireside.documents.number_formats import GENERAL, format_number

_MAX_POINTS: Final = 10_000
"""Of one series."""
_MAX_SERIES: Final = 255
_AXES: Final = ("catAx", "valAx", "dateAx", "serAx", "axis")
_NAMES: Final = ("tx", "txData")
_CATEGORIES: Final = ("cat", "xVal")
_VALUES: Final = ("val", "yVal", "bubbleSize")


def drawing_text(archive: Archive, part: str, *, has_data: bool = True) -> str:
    """Return the text of a chart or of the data of SmartArt, in lines, empty for other parts.

    Without ``has_data`` a chart is named with its series alone: in a workbook, its data are in the cells.
    """
    if "diagram" in part:
        diagram = _Diagram()
        archive.parse(part, diagram)
        return "".join(f"- {text}\n" for text in diagram.texts)
    chart = _Chart()
    archive.parse(part, chart)
    return chart.text if has_data else chart.caption


class _Series(msgspec.Struct):
    name: str = ""
    categories: dict[int, list[str]] = {}
    """By the index of the point; several where categories are grouped, the innermost first."""
    values: dict[int, list[str]] = {}


class _Chart(XmlReader):
    """Both kinds of charts: those of ECMA-376 and the newer ones (``chartex``)."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._titles: dict[str, str] = {"chart": "", "category": "", "value": ""}
        self._series: list[_Series] = []
        self._index = 0
        self._n_named = 0
        """Of newer charts, how many series were named; their data come first."""
        self._format = self._point_format = GENERAL
        self._text: list[str] = []
        self._n_axes = 0

    @property
    def caption(self) -> str:
        """A line with the titles of the chart and its axes, and the names of its series."""
        title = " – ".join(title for title in self._titles.values() if title)
        names = ", ".join(series.name for series in self._series if series.name)
        return f"[Chart: {strip_marks(': '.join(filter(None, (title, names))))}]\n" if title or names else ""

    @property
    def text(self) -> str:
        """Title and table; one table for all series with the same categories."""
        lines: list[str] = []
        title = " – ".join(filter(None, (self._titles["chart"], self._titles["value"])))
        if title:
            lines.append(f"[Chart: {strip_marks(title)}]\n\n")
        shown = [series for series in self._series if series.values or series.categories]
        while shown:
            together = [each for each in shown if each.categories == shown[0].categories]
            lines += self._table(together)
            shown = [each for each in shown if each not in together]
        return "".join(lines)

    def _table(self, series: list[_Series]) -> list[str]:
        names = [each.name or f"Series {self._series.index(each) + 1}" for each in series]
        rows = [[self._titles["category"], *names]]
        indices = sorted({index for each in series for index in (*each.values, *each.categories)})
        levels: list[str] = []
        for index in indices:
            own = series[0].categories.get(index, [])
            levels = own + levels[len(own) :] if own else []  # a group is named at its first point alone
            category = ", ".join(reversed(levels))
            rows.append([category, *(", ".join(each.values.get(index, [])) for each in series)])
        return [" | ".join(" ".join(strip_marks(cell).split()) for cell in row) + "\n" for row in rows] + [
            "\n"
        ]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        match tag:
            case "ser" | "data" if len(self._series) < _MAX_SERIES:
                self._series.append(_Series())
            case "series":
                self._n_named += 1
            case "pt":
                self._index = number(attributes.get("idx", ""), 0)
                self._point_format = attributes.get("formatCode", self._format)
                self._text = []
            case "v" | "t" | "f" | "formatCode":
                self._text = []
            case "strCache" | "numCache" | "lvl":
                self._format = attributes.get("formatCode", GENERAL)
            case "title":
                self._text = []
            case "catAx" | "valAx" | "dateAx" | "axis":
                self._n_axes += 1
            case _:
                pass

    def end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        if tag == "formatCode" and "numCache" in self._path:
            self._format = text
        elif tag in ("v", "pt") and self._text and "title" not in self._path:
            self._add(text)
            self._text = []
        elif tag in ("t", "v") and "title" in self._path:
            name = "chart"
            if axis := next((each for each in self._path if each in _AXES), ""):
                is_value = axis in ("valAx", "axis") and self._n_axes > 1
                name = "value" if is_value else "category"
            if len(self._titles[name]) < 1_000:
                self._titles[name] += text if tag == "v" else "".join(self._text)
            self._text = []
        elif tag == "p" and "title" in self._path:
            self._titles = {key: title.rstrip() + " " if title else "" for key, title in self._titles.items()}
        elif tag == "title":
            self._titles = {key: " ".join(title.split()) for key, title in self._titles.items()}
        self._path.pop()

    def characters(self, text: str) -> None:
        self._text.append(text)

    def _add(self, text: str) -> None:
        """Add a point or a name to the current series."""
        if not self._series or len(self._series[-1].values) > _MAX_POINTS:
            return
        series = self._series[-1]
        if any(tag in self._path for tag in _NAMES):
            if "series" in self._path:
                series = self._series[min(self._n_named, len(self._series)) - 1]
            series.name = series.name or text
        elif any(tag in self._path for tag in _CATEGORIES) or "strDim" in self._path:
            series.categories.setdefault(self._index, []).append(self._displayed(text))
        elif any(tag in self._path for tag in _VALUES) or "numDim" in self._path:
            series.values.setdefault(self._index, []).append(self._displayed(text))

    def _displayed(self, text: str) -> str:
        if "numCache" not in self._path and "numDim" not in self._path:
            return text
        try:
            return format_number(float(text), self._point_format)
        except ValueError:
            return text


class _Diagram(XmlReader):
    """The texts of the points of SmartArt, in order."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] | None = None
        self._is_text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        if tag == "pt":
            self._pieces = []
        self._is_text = tag == "t"

    def end(self, tag: str) -> None:
        self._is_text = False
        if self._pieces is None:
            return
        if tag == "p":
            self._pieces.append(" ")
        elif tag == "pt":
            if text := " ".join(strip_marks("".join(self._pieces)).split()):
                self.texts.append(text)
            self._pieces = None

    def characters(self, text: str) -> None:
        if self._is_text and self._pieces is not None:
            self._pieces.append(text)
