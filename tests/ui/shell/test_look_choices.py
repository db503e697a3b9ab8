"""Accent colours are readable in both themes; accent and density change on the live window."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.contrast import contrast
from fakes.window import RESOURCES
from fireside.settings.definitions import BY_KEY
from fireside.settings.values import AppLayer
from fireside.ui.chat.answer.message import PADDING
from fireside.ui.chat.style import COLUMN_MARGIN
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import Accent, ColumnWidth, Density, Scheme, Theme, ThemeChoice
from fireside.ui.theme.stylesheet import stylesheet
from fireside.ui.theme.tokens import ThemeTokens, read_accents, read_tokens, with_accent

SURFACES = "bg side card card2 hover"
PAIRS = {
    "accent": f"{SURFACES} accent_soft",
    "on_accent": "accent accent_hover",
    "text": "user accent_soft",
    "mute": "accent_soft",
}
"""Every text colour whose ground or ink an accent changes, with its surfaces."""


def tokens_of(accent: Accent, scheme: Scheme) -> ThemeTokens:
    return with_accent(read_tokens(RESOURCES, scheme=scheme), read_accents(RESOURCES)[accent][scheme])


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("accent", Accent)
def test_every_accent_can_be_read(accent: Accent, scheme: Scheme) -> None:
    tokens = msgspec.structs.asdict(tokens_of(accent, scheme))
    too_faint = {
        (ink, surface): round(contrast(tokens[ink], tokens[surface]), 2)
        for ink, surfaces in PAIRS.items()
        for surface in surfaces.split()
        if contrast(tokens[ink], tokens[surface]) < 4.5
    }
    assert not too_faint


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("accent", Accent)
def test_the_focus_ring_stands_out_with_every_accent(accent: Accent, scheme: Scheme) -> None:
    tokens = msgspec.structs.asdict(tokens_of(accent, scheme))
    for surface in (*SURFACES.split(), "selected"):
        assert contrast(tokens["accent"], tokens[surface]) >= 3


@pytest.mark.parametrize("scheme", Scheme)
def test_the_usual_accent_is_the_one_of_the_scheme(scheme: Scheme) -> None:
    assert tokens_of(Accent.EMBER, scheme) == read_tokens(RESOURCES, scheme=scheme)


def test_the_settings_offer_what_the_theme_has() -> None:
    offered = {key: [value for value, _ in BY_KEY[key].choices] for key in BY_KEY if key.startswith("app")}
    assert offered["appearance.accent"] == list(Accent)
    assert offered["appearance.density"] == list(Density)


def test_an_accent_is_put_on_the_live_window(
    qtbot: QtBot, qapp: QApplication, client: AppClient, window: MainWindow, theme: Theme
) -> None:
    before = window.header.grab().toImage()
    with qtbot.waitSignal(theme.changed):
        client.layers[AppLayer()] = {"appearance.accent": "rose"}
        window.context.settings.read()
    settled()
    rose = tokens_of(Accent.ROSE, Scheme.LIGHT)
    assert theme.tokens == rose
    assert qapp.palette().color(QPalette.ColorRole.Highlight).name() == rose.accent
    assert rose.accent in qapp.styleSheet()
    assert not before.isNull()


def test_an_accent_stays_when_the_scheme_changes(theme: Theme) -> None:
    theme.set_accent(Accent.TEAL)
    theme.set_choice(ThemeChoice.DARK)
    assert theme.tokens == tokens_of(Accent.TEAL, Scheme.DARK)


def test_compact_density_takes_less_space_and_is_applied_live(
    client: AppClient, show_window: Callable[..., MainWindow], theme: Theme
) -> None:
    client.add_conversation("Bread", turns=("Why?", "So."))
    client.add_conversation("Ropes", turns=("Why?", "So."))
    window = show_window()
    window.show_page(Page.SETTINGS)
    settled()

    def heights() -> tuple[int, int, int]:
        rows = window.sidebar.model.rowCount()
        line = window.sidebar.list.visualRect(window.sidebar.model.index(rows - 1, 0)).height()
        row = window.pages.settings.list.row("appearance.theme").sizeHint().height()
        return line, row, window.sidebar.filter.sizeHint().height()

    usual = heights()
    theme.set_density(Density.COMPACT)
    assert all(now < before for now, before in zip(heights(), usual, strict=True))
    theme.set_density(Density.COMFORTABLE)
    assert heights() == usual


def test_no_spacing_placeholder_is_left_in_the_style_sheet(theme: Theme) -> None:
    assert "air" not in stylesheet(theme.tokens, scaled=theme.scaled, density_scaled=theme.density_scaled)


@pytest.mark.parametrize(
    ("wanted", "expected"), [(ColumnWidth.NARROW, 760), (ColumnWidth.WIDE, 1080), (ColumnWidth.FULL, None)]
)
def test_messages_and_the_message_field_are_as_wide_as_the_setting_says(
    window: MainWindow, client: AppClient, wanted: ColumnWidth, expected: int | None
) -> None:
    window.conversations.open(client.add_conversation("Tides", turns=("Why?", "The moon. " * 200)))
    window.resize(1900, 900)
    settled()
    value = wanted.value
    window.context.tasks.run(client.settings.change(AppLayer(), key="appearance.column_width", value=value))
    settled()
    pane = window.chat
    width = expected or pane.transcript.viewport().width() - 2 * COLUMN_MARGIN
    (answer,) = (pane.transcript.column.view_of(1),)
    assert answer.width() - 2 * PADDING == pytest.approx(width, abs=12)
    assert answer.text_views[0].width() == pytest.approx(width, abs=60)
    assert pane.composer.width() == pytest.approx(width, abs=12)
    middle = answer.mapTo(pane, answer.rect().center()).x()
    assert middle == pytest.approx(pane.width() / 2, abs=12)
