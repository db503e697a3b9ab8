"""States differ by more than colour, in both themes and in high contrast."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QRadioButton, QStyle, QStyleOptionButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.contrast import contrast
from fireside.ui.theme import Contrast, Theme, ThemeChoice
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.progress import ProgressBar

GRAPHICS = 3.0
"""Least contrast of a part of a picture against what is beside it: WCAG 2.2, 1.4.11."""
BARELY = 1.9
"""A filled bar's length can be seen from less, since its groove is a shape of its own."""
LOOKS = tuple(product((ThemeChoice.LIGHT, ThemeChoice.DARK), (Contrast.NORMAL, Contrast.HIGH)))


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0].value}-{look[1].value}")
def look(request: pytest.FixtureRequest, theme: Theme) -> Theme:
    choice, strength = request.param
    theme.set_choice(choice)
    theme.set_contrast(strength)
    return theme


@pytest.fixture
def card(qtbot: QtBot) -> Callable[..., QImage]:
    """Show widgets on a card and take a picture of them."""
    shown: list[QWidget] = []

    def show(*widgets: QWidget) -> QImage:
        place = QWidget()
        shown.append(place)
        place.setObjectName("card")
        qtbot.addWidget(place)
        column = QVBoxLayout(place)
        for widget in widgets:
            column.addWidget(widget)
        place.resize(240, 40 * len(widgets) + 20)
        place.show()
        return place.grab().toImage()

    return show


@pytest.mark.parametrize("tint", ["accent", "warn", "danger", "mute"])
def test_the_progress_of_a_bar_is_visible(look: Theme, card: Callable[..., QImage], tint: str) -> None:
    bar = ProgressBar(name="So far", tint=tint)
    bar.set_fraction(0.5)
    picture = card(bar)
    middle = bar.geometry().center()
    done = picture.pixelColor(QPoint(bar.x() + bar.width() // 4, middle.y()))
    left = picture.pixelColor(QPoint(bar.x() + bar.width() * 3 // 4, middle.y()))
    assert contrast(done, left) >= BARELY


@pytest.mark.parametrize("kind", [QRadioButton, QCheckBox])
@pytest.mark.parametrize("is_checked", [True, False])
def test_controls_stand_out_from_their_card(
    look: Theme, card: Callable[..., QImage], kind: type[QRadioButton | QCheckBox], is_checked: bool
) -> None:
    button = CheckBox("Choose me") if kind is QCheckBox else QRadioButton("Choose me")
    button.setAutoExclusive(False)
    button.setChecked(is_checked)
    picture = card(button)
    option = QStyleOptionButton()
    button.initStyleOption(option)
    parts = QStyle.SubElement
    part = parts.SE_CheckBoxIndicator if kind is QCheckBox else parts.SE_RadioButtonIndicator
    box = button.style().subElementRect(part, option, button).translated(button.pos())
    across = [picture.pixelColor(x, box.center().y()) for x in range(box.left() - 1, box.center().x())]
    assert max(contrast(colour, look.colour("card")) for colour in across) >= GRAPHICS


def test_a_tick_is_visible_in_its_box(look: Theme, card: Callable[..., QImage]) -> None:
    box = CheckBox("Chosen")
    box.setChecked(True)
    picture = card(box)
    option = QStyleOptionButton()
    box.initStyleOption(option)
    inside = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    inside = inside.translated(box.pos()).adjusted(3, 3, -3, -3)
    colours = [
        picture.pixelColor(x, y)
        for x in range(inside.left(), inside.right())
        for y in range(inside.top(), inside.bottom())
    ]
    assert max(contrast(colour, look.colour("accent")) for colour in colours) >= GRAPHICS
