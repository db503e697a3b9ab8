"""A switch that is off looks off: an outline with its knob at the start, in every look."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from fakes.contrast import contrast
from fireside.ui.theme import Contrast, Theme, ThemeChoice
from fireside.ui.widgets.switch import Switch

_LTR, _RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


def drawn(qtbot: QtBot, *, is_on: bool, direction: Qt.LayoutDirection = _LTR) -> list[QColor]:
    """Return the colours along the middle of a switch, which lies on the page's ground."""
    switch = Switch(name="Sound")
    qtbot.addWidget(switch)
    switch.setLayoutDirection(direction)
    switch.setChecked(is_on)
    image = switch.grab().toImage()
    return [image.pixelColor(x, image.height() // 2) for x in range(image.width())]


@pytest.mark.parametrize(
    ("choice", "level"),
    list(product((ThemeChoice.LIGHT, ThemeChoice.DARK), (Contrast.NORMAL, Contrast.HIGH))),
)
def test_off_is_an_outline_and_on_is_filled(
    qtbot: QtBot, theme: Theme, choice: ThemeChoice, level: Contrast
) -> None:
    theme.set_choice(choice)
    theme.set_contrast(level)
    ground, accent = theme.colour("bg"), theme.colour("accent")
    off, on = drawn(qtbot, is_on=False), drawn(qtbot, is_on=True)
    assert off.count(ground) > len(off) / 3
    assert on.count(accent) > len(on) / 3
    assert accent not in off
    assert max(contrast(colour, ground) for colour in off) >= 3


@pytest.mark.parametrize(("direction", "is_left"), [(_LTR, True), (_RTL, False)])
def test_the_knob_is_at_the_start_when_off(
    qtbot: QtBot, theme: Theme, direction: Qt.LayoutDirection, is_left: bool
) -> None:
    knob = theme.colour("dim")
    off = drawn(qtbot, is_on=False, direction=direction)
    places = [x for x, colour in enumerate(off) if colour == knob]
    assert (max(places) < len(off) / 2) is is_left
    on = drawn(qtbot, is_on=True, direction=direction)
    places = [x for x, colour in enumerate(on) if colour == theme.colour("on_accent")]
    assert (min(places) > len(on) / 2) is is_left
