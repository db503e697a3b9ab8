"""Presets, the menu behind a slash, rules and chips: the real window, with the real library of presets."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fireside.ui.kit.sheet import Sheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import ThemeChoice, theme

Picture = Callable[[str], Awaitable[None]]
"""Takes both pictures of what the window shows now, under a name."""

_SOON_S = 0.6


async def take_presets(window: MainWindow, *, picture: Picture, folder: Path) -> None:
    """Go through what a new chat can begin with, and leave it as it was."""
    window.conversations.new_chat()
    await asyncio.sleep(_SOON_S)
    library = {preset.name: preset for preset in window.presets.presets}
    window.presets.use(library["Code reviewer"])
    window.presets.set_seed(42)
    await asyncio.sleep(_SOON_S)
    await picture("presets-new-chat")
    editor = window.chat.composer.editor
    window.activateWindow()
    editor.setFocus()
    QTest.keyClicks(editor, "/")
    await asyncio.sleep(_SOON_S)
    await picture("presets-slash")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    editor.clear()
    window.presets.show_library()
    sheet = window.presets.sheet
    assert sheet is not None
    sheet.select(library["Translator"].id)
    await _sheet(window, sheet, "presets-library", folder=folder)
    window.presets.show_rule()
    rule = window.presets.rule_sheet
    assert rule is not None
    rule.format.setCurrentIndex(2)
    rule.example_buttons[0].click()
    await _sheet(window, rule, "presets-rule", folder=folder)
    window.presets.use(library["Answer an e-mail"])
    values = window.presets.values_sheet
    assert values is not None
    await _sheet(window, values, "presets-values", folder=folder)
    window.presets.settings.new_chat_values = {}
    window.presets.settings.refresh()
    await asyncio.sleep(_SOON_S)


async def _sheet(window: MainWindow, sheet: Sheet, name: str, *, folder: Path) -> None:
    """Save a sheet in both themes and close it."""
    await asyncio.sleep(3 * _SOON_S)  # what is written in it has been checked
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme().set_choice(choice)
        await asyncio.sleep(_SOON_S)
        sheet.window().grab().save(str(folder / f"{name}-{choice.value}.png"))
        sys.stdout.write(f"{name}-{choice.value}.png\n")
    sheet.reject()
    await asyncio.sleep(_SOON_S)
