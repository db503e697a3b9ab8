"""Colours are readable, icons and fonts exist, and themes switch on a live window."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QIcon, QPalette, QRawFont, QTextLayout
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.contrast import contrast
from fakes.window import RESOURCES
from fireside.bridge.pdf.pieces import CSS as PRINT_CSS
from fireside.core.decoding import JsonInvalid
from fireside.markup.code_colours import code_style
from fireside.ui.chat.style import document_css
from fireside.ui.commands import COMMANDS
from fireside.ui.theme import Accent, Contrast, Scheme, Theme, ThemeChoice, ThemeTokens, load_fonts
from fireside.ui.theme.look import SystemScheme
from fireside.ui.theme.stylesheet import fill, stylesheet
from fireside.ui.theme.tokens import read_tokens

SURFACES = "bg side card card2 hover"
PAIRS = {
    "text": f"{SURFACES} user code code_head selected accent_soft warn_soft danger_soft found",
    "text2": f"{SURFACES} selected",
    "mute": f"{SURFACES} selected code_head accent_soft warn_soft danger_soft",
    "dim": f"{SURFACES} code code_head",
    "accent": f"{SURFACES} accent_soft",
    "on_accent": "accent accent_hover",
    "on_found_here": "found_here",
    "ok": "bg card card2",
    "warn": "bg card card2 warn_soft",
    "danger": f"{SURFACES} danger_soft",
}
"""Every text colour with the surfaces that it is used on."""
UI = Path(__file__).resolve().parents[3] / "app" / "fireside" / "ui"
SHIPPED = {path.stem for path in (RESOURCES / "icons").glob("*.svg")} - {"fireside"}


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize(("ink", "surfaces"), PAIRS.items())
def test_every_text_colour_can_be_read_on_its_surfaces(scheme: Scheme, ink: str, surfaces: str) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme))
    too_faint = {
        surface: round(contrast(tokens[ink], tokens[surface]), 2)
        for surface in surfaces.split()
        if contrast(tokens[ink], tokens[surface]) < 4.5
    }
    assert not too_faint


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize(("ink", "surfaces"), PAIRS.items())
def test_in_high_contrast_every_text_is_seven_to_one(scheme: Scheme, ink: str, surfaces: str) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme, high_contrast=True))
    ratios = {surface: contrast(tokens[ink], tokens[surface]) for surface in surfaces.split()}
    assert min(ratios.values()) >= 7, ratios


@pytest.mark.parametrize("scheme", Scheme)
def test_in_high_contrast_every_edge_is_visible(scheme: Scheme) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme, high_contrast=True))
    for ink in ("line", "edge", "accent"):
        assert min(contrast(tokens[ink], tokens[surface]) for surface in SURFACES.split()) >= 3, ink


def test_every_colour_of_code_can_be_read() -> None:
    tokens = read_tokens(RESOURCES, scheme=Scheme.LIGHT)
    inks = {f"#{each['color']}" for _, each in code_style(tokens.pygments_style) if each["color"]}
    assert len(inks) > 4
    assert min(contrast(ink, tokens.code) for ink in inks) >= 4.5


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("scheme", Scheme)
def test_danger_is_a_colour_of_its_own_beside_the_accent(scheme: Scheme, high_contrast: bool) -> None:
    tokens = read_tokens(RESOURCES, scheme=scheme, high_contrast=high_contrast)
    apart = abs(QColor(tokens.accent).hslHue() - QColor(tokens.danger).hslHue())
    assert min(apart, 360 - apart) > 25


def test_a_button_that_destroys_is_never_filled(theme: Theme) -> None:
    """Filled is what is suggested: also with an accent that is red, and for eyes that see no red."""
    sheet = stylesheet(theme.tokens, scaled=theme.scaled)
    rules = re.findall(r'QPushButton\[kind="danger"\][^{]*\{([^}]*)\}', sheet)
    assert rules
    assert not any("background" in rule for rule in rules)


def test_high_contrast_is_toggled_on_a_live_window(qapp: QApplication, theme: Theme) -> None:
    usual = theme.tokens
    changes: list[bool] = []
    theme.changed.connect(lambda: changes.append(theme.is_high_contrast))
    theme.set_contrast(Contrast.HIGH)
    assert theme.tokens == read_tokens(RESOURCES, scheme=theme.scheme, high_contrast=True)
    assert "border-width: 2px" in qapp.styleSheet()
    theme.set_accent(Accent.ROSE)
    assert theme.tokens.accent == read_tokens(RESOURCES, scheme=theme.scheme, high_contrast=True).accent
    theme.set_accent(Accent.EMBER)
    theme.set_contrast(Contrast.NORMAL)
    assert theme.tokens == usual
    assert "border-width: 2px" not in qapp.styleSheet()
    assert changes[0] is True
    assert changes[-1] is False


@pytest.mark.parametrize("scheme", Scheme)
def test_the_focus_ring_stands_out_from_every_surface(scheme: Scheme) -> None:
    tokens = msgspec.structs.asdict(read_tokens(RESOURCES, scheme=scheme))
    assert all(
        contrast(tokens["accent"], tokens[surface]) >= 3 for surface in (*SURFACES.split(), "selected")
    )


def test_an_invalid_colour_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theme"
    folder.mkdir()
    text = (RESOURCES / "theme" / "dark.json").read_text(encoding="utf-8")
    ground = read_tokens(RESOURCES, scheme=Scheme.DARK).bg
    (folder / "dark.json").write_text(text.replace(ground, "tomato"), encoding="utf-8")
    with pytest.raises(JsonInvalid):
        read_tokens(tmp_path, scheme=Scheme.DARK)


def test_a_token_that_does_not_exist_is_an_error_in_the_sheet(theme: Theme) -> None:
    with pytest.raises(KeyError):
        fill("#x { color: $no_such_colour; }", theme.tokens, scaled=theme.scaled)


def test_the_style_sheet_has_no_unresolved_placeholder(theme: Theme) -> None:
    sheet = stylesheet(theme.tokens, scaled=theme.scaled)
    assert "$" not in sheet
    assert not re.search(r"\dtx\b", sheet)


def test_every_icon_that_is_drawn_is_shipped() -> None:
    drawn = re.compile(r'(?:icon\(|pixmap\(|Picture\(|IconButton\(|EmptyState\(|icon=)\s*"([a-z0-9-]+)"')
    named = {name for path in UI.rglob("*.py") for name in drawn.findall(path.read_text(encoding="utf-8"))}
    named |= {spec.icon for spec in COMMANDS if spec.icon}
    assert len(named) > 20
    assert named <= SHIPPED


def test_no_unused_icon_is_shipped() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in UI.rglob("*.py"))
    assert not {name for name in SHIPPED if f'"{name}"' not in source}


def test_an_icon_is_drawn_in_the_requested_colour(theme: Theme) -> None:
    image = theme.pixmap("panel-left", "danger", 24, ratio=2.0).toImage()
    assert (image.width(), image.devicePixelRatio()) == (48, 2.0)
    inked = [image.pixelColor(x, 24) for x in range(48) if image.pixelColor(x, 24).alpha() == 255]
    assert {colour.name() for colour in inked} == {theme.tokens.danger}


def test_the_bundled_fonts_are_used(qapp: QApplication, theme: Theme) -> None:
    assert load_fonts(RESOURCES) == ()
    for font, family in ((theme.ui_font(), "Inter"), (theme.mono_font(), "JetBrains Mono")):
        assert QFontInfo(font).family() == family
    assert qapp.font().pixelSize() == 14


@pytest.mark.parametrize("is_italic", [False, True])
@pytest.mark.parametrize("weight", [QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.Bold])
@pytest.mark.parametrize("family", ["ui_font", "mono_font"])
def test_fonts_draw_the_characters_that_were_written(
    theme: Theme, family: str, weight: QFont.Weight, is_italic: bool
) -> None:
    """Not an arrow for ``->``, nor a multiplication sign for the x of ``0x10``."""
    font = getattr(theme, family)()
    font.setWeight(weight)
    font.setItalic(is_italic)
    printable = set(map(chr, range(0x20, 0x7F))) - {"`"}  # JetBrains Mono has a higher one after capitals
    signs = "!#&*+-./:<=>?@^_|~x09"
    written = (
        "".join(a + b for a, b in product(sorted(printable), repeat=2)),
        "".join(a + b + c for a, b, c in product(signs, repeat=3)),
        "0x10 1920x1080 p->x --> <-- <--> ==> 1:2 (A) [B] {C} A-B A+B ... === !== www </> /* */ ##",
    )
    for text in written:
        layout = QTextLayout(text, font)
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        drawn = [index for run in layout.glyphRuns() for index in run.glyphIndexes()]
        assert drawn == QRawFont.fromFont(font).glyphIndexesForString(text)


@pytest.mark.parametrize("name", ["Inter", "JetBrainsMono"])
def test_every_font_comes_with_its_licence(name: str) -> None:
    assert "SIL OPEN FONT LICENSE" in (RESOURCES / "fonts" / f"LICENSE-{name}.txt").read_text(
        encoding="utf-8"
    )


def test_only_weights_are_asked_for_that_a_font_has(qapp: QApplication, theme: Theme) -> None:
    """Between two of them, fonts of other scripts have their regular one alone."""
    sheets = f"{qapp.styleSheet()}{document_css()}{PRINT_CSS}"
    assert set(re.findall(r"font-weight: (\w+)", sheets)) == {"400", "500", "600", "700"}


def test_switching_the_scheme_changes_palette_and_sheet_at_once(qapp: QApplication, theme: Theme) -> None:
    changes: list[Scheme] = []
    theme.changed.connect(lambda: changes.append(theme.scheme))
    theme.set_choice(ThemeChoice.DARK)
    assert changes == [Scheme.DARK]
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == theme.tokens.bg
    assert qapp.palette().color(QPalette.ColorRole.Accent).name() == theme.tokens.accent
    assert theme.tokens.bg in qapp.styleSheet()


def test_choosing_what_is_chosen_already_changes_nothing(theme: Theme) -> None:
    changes: list[None] = []
    theme.changed.connect(lambda: changes.append(None))
    theme.set_choice(ThemeChoice.LIGHT)
    assert not changes


def test_a_larger_text_size_scales_every_font(theme: Theme) -> None:
    theme.set_text_size(20)
    assert theme.ui_font(14).pixelSize() == 20
    assert theme.ui_font(7).pixelSize() == 10
    assert theme.mono_font(14).pixelSize() == 20
    assert theme.ui_font(14, QFont.Weight.Bold).weight() == QFont.Weight.Bold


class Hints(QObject):
    colorSchemeChanged = Signal(object)  # noqa: N815 - Qt's name

    def __init__(self) -> None:
        super().__init__()
        self.answer = Qt.ColorScheme.Unknown

    def colorScheme(self) -> Qt.ColorScheme:
        return self.answer


class Application:
    def __init__(self, hints: Hints) -> None:
        self._hints = hints

    def styleHints(self) -> Hints:
        return self._hints


def test_the_systems_answer_is_followed_and_light_is_the_last_resort() -> None:
    hints = Hints()
    system = SystemScheme(Application(hints))  # type: ignore[arg-type]
    changes: list[Scheme] = []
    system.changed.connect(lambda: changes.append(system.scheme))
    assert system.scheme is Scheme.LIGHT
    hints.answer = Qt.ColorScheme.Dark
    hints.colorSchemeChanged.emit(hints.answer)
    assert changes == [Scheme.DARK]


@pytest.mark.parametrize(("value", "scheme"), [(0, Scheme.LIGHT), (1, Scheme.DARK), (2, Scheme.LIGHT)])
def test_the_portals_answer_counts_where_qt_does_not_know(value: int, scheme: Scheme) -> None:
    system = SystemScheme(Application(Hints()))  # type: ignore[arg-type]
    system._apply_portal_value(value)
    assert system.scheme is scheme


def test_a_portal_that_talks_nonsense_is_ignored() -> None:
    system = SystemScheme(Application(Hints()))  # type: ignore[arg-type]
    system._apply_portal_value("dark, I think")
    assert system.scheme is Scheme.LIGHT


def test_both_schemes_name_the_same_tokens() -> None:
    for scheme in Scheme:
        assert isinstance(read_tokens(RESOURCES, scheme=scheme), ThemeTokens)


def test_icons_follow_a_screen_whose_scale_changes(theme: Theme, qtbot: QtBot) -> None:
    screen = QApplication.primaryScreen()
    with qtbot.waitSignal(theme.changed):
        screen.geometryChanged.emit(screen.geometry())


def test_the_icon_of_what_cannot_be_clicked_is_the_same_and_paler(theme: Theme) -> None:
    ratio = QApplication.primaryScreen().devicePixelRatio()
    icon = theme.icon("trash-2", size=16)
    whole, faded = (
        icon.pixmap(QSize(16, 16), ratio, mode) for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    )
    assert (faded.size(), faded.devicePixelRatio()) == (whole.size(), ratio)
    side = whole.width()
    alphas = [
        [pixmap.toImage().pixelColor(x, y).alpha() for x in range(side) for y in range(side)]
        for pixmap in (whole, faded)
    ]
    assert max(alphas[0]) > 200
    assert all(abs(pale - 0.4 * full) <= 2 for full, pale in zip(*alphas, strict=True))
