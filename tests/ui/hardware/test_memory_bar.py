"""The memory bar: its figures as text, and colours that every user can tell apart."""

from __future__ import annotations

import math
from itertools import combinations

import msgspec
import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from fakes.contrast import contrast
from fakes.window import RESOURCES
from fireside.ui.theme import Scheme, Theme, ThemeChoice
from fireside.ui.theme.tokens import read_tokens
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemoryLegend, MemorySegment

GB = 10**9

# What eyes without one kind of cone see of linear light: Machado, Oliveira and Fernandes, 2009.
EYES = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TELLS_APART = 20
"""Distance in CIELAB; 2 is the least that a trained eye sees in a large field."""


def lab(colour: str, eye: str) -> tuple[float, float, float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (
        min(1.0, max(0.0, sum(m * part for m, part in zip(row, light, strict=True)))) for row in EYES[eye]
    )
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("eye", EYES)
def test_parts_are_told_apart_with_any_colour_vision(scheme: Scheme, eye: str) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme))
    series = [tokens[hue.value] for hue in Hue if hue is not Hue.REST]
    alike = {
        pair: round(math.dist(lab(pair[0], eye), lab(pair[1], eye)))
        for pair in combinations(series, 2)
        if math.dist(lab(pair[0], eye), lab(pair[1], eye)) < TELLS_APART
    }
    assert not alike


@pytest.mark.parametrize("scheme", Scheme)
def test_parts_stand_out_from_the_track(scheme: Scheme) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme))
    for hue in Hue:
        assert contrast(tokens[hue.value], tokens["line"]) >= 3, hue


def segment(label: str, n_gb: float, hue: Hue = Hue.FIRST, *, is_predicted: bool = False) -> MemorySegment:
    return MemorySegment(label=label, n_bytes=int(n_gb * GB), hue=hue, is_predicted=is_predicted)


@pytest.fixture
def bar(qtbot: QtBot) -> MemoryBar:
    bar_widget = MemoryBar()
    qtbot.addWidget(bar_widget)
    bar_widget.resize(200, bar_widget.height())
    return bar_widget


def colour_at(bar: MemoryBar, share: float) -> QColor:
    image = QImage(bar.size(), QImage.Format.Format_ARGB32)
    image.fill(0)
    bar.render(image)
    return image.pixelColor(int(share * bar.width()), bar.height() // 2)


def test_parts_take_their_share_of_the_track(bar: MemoryBar, theme: Theme) -> None:
    bar.show_memory("RAM", [segment("A", 2), segment("B", 2, Hue.SECOND)], total_bytes=8 * GB)
    assert colour_at(bar, 0.12) == theme.colour("series1")
    assert colour_at(bar, 0.38) == theme.colour("series2")
    assert colour_at(bar, 0.75) == theme.colour("line")


def test_a_bar_follows_the_theme(bar: MemoryBar, theme: Theme) -> None:
    bar.show_memory("RAM", [segment("A", 4)], total_bytes=8 * GB)
    light = colour_at(bar, 0.2)
    theme.set_choice(ThemeChoice.DARK)
    assert colour_at(bar, 0.2) == theme.colour("series1") != light


def test_a_bar_says_what_it_shows(bar: MemoryBar) -> None:
    bar.show_memory("GeForce", [segment("Qwen", 5), segment("Others", 1, Hue.REST)], total_bytes=8 * GB)
    assert bar.accessibleName() == "GeForce: 6.0 GB of 8.0 GB, 2.0 GB free"
    assert bar.accessibleDescription() == "Qwen: 5.0 GB\nOthers: 1.0 GB"
    assert "Qwen: 5.0 GB" in bar.toolTip()


def test_what_is_over_the_limit_is_marked_and_said(bar: MemoryBar) -> None:
    segments = [segment("Others", 2, Hue.REST), segment("Weights", 5, is_predicted=True)]
    bar.show_memory("GeForce", segments, total_bytes=8 * GB, limit_bytes=6 * GB)
    assert bar.excess_bytes == 1 * GB
    assert bar.accessibleName() == "GeForce: 7.0 GB of 8.0 GB, 1.0 GB too much"
    # Red stripes from the limit to what is wanted, and none before or beyond.
    image = QImage(bar.size(), QImage.Format.Format_ARGB32)
    bar.render(image)
    row = [image.pixelColor(x, bar.height() // 2) for x in range(bar.width())]
    red = [x for x, colour in enumerate(row) if colour.red() - colour.blue() > 60]
    assert 148 <= min(x for x in red if x > 2) <= 152
    assert 170 <= max(x for x in red if x < 196) <= 176


def test_a_limit_below_the_whole_is_a_tick(bar: MemoryBar, theme: Theme) -> None:
    bar.show_memory("RAM", [segment("A", 1)], total_bytes=8 * GB, limit_bytes=4 * GB)
    assert colour_at(bar, 0.505) == theme.colour("text")
    assert bar.accessibleName().endswith("3.0 GB free")


def test_a_prediction_is_drawn_in_stripes(bar: MemoryBar) -> None:
    bar.show_memory("RAM", [segment("A", 8, is_predicted=True)], total_bytes=8 * GB)
    image = QImage(bar.size(), QImage.Format.Format_ARGB32)
    bar.render(image)
    row = {image.pixelColor(x, bar.height() // 2).name() for x in range(20, 180)}
    assert len(row) > 1
    assert "(would be taken)" in bar.accessibleDescription()


def test_more_than_there_is_makes_the_track_longer(bar: MemoryBar) -> None:
    bar.show_memory("RAM", [segment("A", 12, is_predicted=True)], total_bytes=8 * GB)
    assert bar.excess_bytes == 4 * GB
    assert "4.0 GB too much" in bar.summary


@pytest.mark.parametrize("total_bytes", [0, -1])
def test_a_memory_of_nothing_is_drawn_all_the_same(bar: MemoryBar, total_bytes: int) -> None:
    bar.show_memory("RAM", [], total_bytes=total_bytes)
    assert not bar.grab().isNull()
    bar.show_memory("RAM", [segment("A", 1)], total_bytes=total_bytes)
    assert not bar.grab().isNull()
    assert bar.excess_bytes == GB


def test_a_legend_names_what_takes_something_and_nothing_else(qtbot: QtBot) -> None:
    legend = MemoryLegend()
    qtbot.addWidget(legend)
    legend.show_segments([segment("A", 1), segment("B", 0), segment("C", 2, Hue.REST)])
    assert list(legend.lines) == ["A: 1.0 GB", "C: 2.0 GB"]
    legend.show_segments([segment("C", 3)])
    assert list(legend.lines) == ["C: 3.0 GB"]
    legend.show_segments([segment("C", 3), segment("D", 1)])
    assert list(legend.lines) == ["C: 3.0 GB", "D: 1.0 GB"]
