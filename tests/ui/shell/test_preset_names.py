"""Names of built-in presets in a language other than that of the library's creation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from fireside.core.i18n import English, set_language
from fireside.core.ids import PresetId
from fireside.core.preset import Preset
from fireside.ui.presets.library_sheet import LibraryList
from fireside.ui.presets.preset_controller import preset_targets

THEIRS = Preset(id=PresetId(1), name="Translator", about="Translates whatever you write", source="translator")
RENAMED = Preset(id=PresetId(2), name="My reviewer", source="reviewer")
OWN = Preset(id=PresetId(3), name="Translator")


class Other(English):
    code = "xx"

    def translate(self, text: str, comment: str, n: int | None) -> str:
        known = {"Translator": "Übersetzer", "Translates whatever you write": "Übersetzt alles"}
        return known.get(text) or super().translate(text, comment, n)


@pytest.fixture(autouse=True)
def other() -> Iterator[None]:
    set_language(Other())
    yield
    set_language(English())


def test_the_library_names_presets_of_the_program_in_the_language_in_force(qtbot: QtBot) -> None:
    shown = LibraryList()
    qtbot.addWidget(shown)
    shown.set_presets([THEIRS, RENAMED, OWN], selected=THEIRS.id)
    items = [shown.item(row) for row in range(shown.count())]
    assert [item.text() for item in items] == ["Übersetzer", "My reviewer", "Translator"]
    assert "Übersetzt alles" in items[0].data(Qt.ItemDataRole.AccessibleTextRole)
    assert shown.selected == THEIRS  # what is stored keeps its name


def test_the_menu_of_the_message_names_them_so_too() -> None:
    targets = preset_targets([THEIRS, OWN], use=lambda _preset: None)
    assert [(target.label, target.keywords) for target in targets] == [
        ("Übersetzer", "Übersetzt alles"),
        ("Translator", ""),
    ]
