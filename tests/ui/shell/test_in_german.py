"""The whole window in German: nothing on it is English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QAbstractListModel, QLocale, Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fakes.client import settled
from fireside.core.i18n import English, set_language, tr
from fireside.main.window import QtLanguage
from fireside.settings.definitions import BY_KEY
from fireside.ui.commands import Command
from fireside.ui.kit.number_field import NumberField
from fireside.ui.page import Page
from fireside.ui.settings.setting_list import GroupBox
from fireside.ui.shell.main_window import MainWindow
from provision.layout import find_layout
from provision.translations import compile_translation

GERMAN: Final = Path(__file__).parents[3] / "resources" / "translations" / "fireside_de.ts"
LEAST_LETTERS: Final = 4
"""A pattern with fewer of its own would fit anything."""
VALUE = re.compile(r"\{\w+[^{}]*\}|%n")

ShowWindow = Callable[..., MainWindow]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_translation(find_layout(), GERMAN, to=tmp_path_factory.mktemp("german") / "de.qm")


@pytest.fixture
def german(compiled: Path) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load(str(compiled))
    set_language(QtLanguage(translator, code="de"))
    before = QLocale()
    QLocale.setDefault(QLocale("de"))
    yield
    QLocale.setDefault(before)
    set_language(English())


class EnglishTexts:
    """Knows the texts of the sources that read otherwise in German."""

    def __init__(self) -> None:
        self._whole: set[str] = set()
        self._patterns: list[re.Pattern[str]] = []
        german: set[str] = set()
        for message in ElementTree.parse(GERMAN).iter("message"):
            source = message.findtext("source") or ""
            translation = message.find("translation")
            assert translation is not None
            said = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            german.update(said)
            if source not in said:
                for form in source.split("|") if message.get("numerus") == "yes" else [source]:
                    if form not in said:
                        self._add(form)
        # The same word may be right: “Code”, “Name”.
        self._whole -= german

    def _add(self, text: str) -> None:
        parts = VALUE.split(text)
        if len(parts) == 1:
            self._whole.add(text)
        elif sum(char.isalpha() for part in parts for char in part) >= LEAST_LETTERS:
            self._patterns.append(re.compile(".+?".join(map(re.escape, parts)), re.DOTALL))

    def has(self, text: str) -> bool:
        return text in self._whole or any(pattern.fullmatch(text) for pattern in self._patterns)


def said_by(widget: QWidget) -> Iterator[str]:
    """Yield every text of one widget, shown or read aloud."""
    yield widget.windowTitle()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.toolTip()
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QLineEdit():
            yield widget.placeholderText()
        case QPlainTextEdit() | QTextEdit():
            yield widget.placeholderText()
        case QComboBox():
            yield from (widget.itemText(place) for place in range(widget.count()))
        case QAbstractItemView():
            yield from said_in_list(widget)
        case _:
            pass


def said_in_list(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    # A list does not tell how many columns it has.
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(model.rowCount()):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                yield str(model.index(row, column).data(role) or "")


def said_in(window: QWidget) -> set[str]:
    texts = {text for widget in (window, *window.findChildren(QWidget)) for text in said_by(widget)}
    texts.update(
        text for action in window.findChildren(QAction) for text in (action.text(), action.toolTip())
    )
    plain = (re.sub(r"<[^>]+>", "", text).replace("&", "") for text in texts)
    return {text.strip() for text in plain if any(map(str.isalpha, text))}


@pytest.fixture
def english() -> EnglishTexts:
    return EnglishTexts()


@pytest.mark.usefixtures("german")
def test_nothing_on_any_page_is_english(show_window: ShowWindow, english: EnglishTexts) -> None:
    window = show_window()
    seen: set[str] = set()
    for page in Page:
        window.navigation.show(page)
        settled()
        for box in window.findChildren(GroupBox):
            box.unfold()
        seen |= said_in(window)
    window.router.toggle_chat_settings()
    assert window.chat_area.panel is not None
    for group in window.chat_area.panel.groups.values():
        group.show_all()
    settled()
    seen |= said_in(window)
    assert "Chat-Einstellungen" in seen
    assert len(seen) > 300
    assert sorted(filter(english.has, seen)) == []


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    "command", [Command.PALETTE, Command.SHORTCUTS, Command.ABOUT, Command.PRESETS, Command.BACKUPS]
)
def test_nothing_that_opens_over_it_is_english(
    show_window: ShowWindow, english: EnglishTexts, command: Command, qtbot: QtBot
) -> None:
    window = show_window()
    before = said_in(window)
    window.commands.actions[command].trigger()
    settled()
    qtbot.waitUntil(lambda: said_in(window) != before)
    assert sorted(filter(english.has, said_in(window))) == []


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("typed", ["1,25", "1.25"])
def test_a_number_is_shown_with_a_comma_and_taken_either_way(typed: str, qtbot: QtBot) -> None:
    field = NumberField(BY_KEY["sampling.temperature"])
    qtbot.addWidget(field)
    reported: list[float] = []
    field.committed.connect(reported.append)
    field.show_number(0.8)
    assert field.text() == "0,8"
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert reported == [1.25]
    assert field.text() == "1,25"


def test_english_words_are_recognised(english: EnglishTexts, show_window: ShowWindow) -> None:
    window = show_window()
    found = set(filter(english.has, said_in(window)))
    assert {tr("New chat"), tr("Settings")} <= found
    assert len(found) > 100
