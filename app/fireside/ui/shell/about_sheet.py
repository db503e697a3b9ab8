"""The “About” sheet: version, changelog, licences."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import at_left, boxed, column, row, stacked, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XS, theme
from fireside.ui.widgets.app_mark import AppMark
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import Label, WrappedLabel

_CREDITS: Final = tr_noop(
    "Fireside is free software under the Apache License 2.0.\n"
    "\n"
    "It stands on the work of others, among them:\n"
    "\n"
    "llama.cpp and ggml (MIT), llama-cpp-python (MIT)\n"
    "Qt and PySide6 (LGPL 3.0), qasync (BSD)\n"
    "SQLite (public domain), apsw (any OSI licence)\n"
    "markdown-it-py (MIT), Pygments (BSD), Jinja2 (BSD), msgspec (BSD), NumPy (BSD), psutil (BSD)\n"
    "ziamath, ziafont and latex2mathml (MIT), which draw formulas with STIX Two Math (SIL "
    "Open Font License 1.1)\n"
    "Inter and JetBrains Mono (SIL Open Font License 1.1), Lucide icons (ISC)\n"
    "SmolLM2 by Hugging Face (Apache License 2.0)\n"
)
_LICENCES: Final = (
    ("Inter", "fonts/LICENSE-Inter.txt"),
    ("JetBrains Mono", "fonts/LICENSE-JetBrainsMono.txt"),
    ("Lucide", "icons/LICENSE-lucide.txt"),
)


_SEPARATOR: Final = "\n\n" + "─" * 40 + "\n\n"


class AboutText(msgspec.Struct, frozen=True, kw_only=True):
    version: str
    changes: str
    licences: str


def read_about(resources: Path, *, version: str) -> AboutText:
    """Read the changelog and the licences from ``resources``; missing files are left out."""
    parts = [tr(_CREDITS)]
    for name, path in _LICENCES:
        if text := _read(resources / path):
            parts.append(f"{name}\n\n{text}")
    return AboutText(
        version=version,
        changes=_read(resources / "CHANGELOG.md") or tr("No changes listed"),
        licences=_SEPARATOR.join(parts),
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


class AboutSheet(Sheet):
    """Shows the version, the changelog and the licences."""

    def __init__(self, about: AboutText, *, parent: QWidget) -> None:
        super().__init__(tr("About Fireside"), parent=parent, fills=True)
        names = column(
            stretch(),
            Label("Fireside", role="title"),
            Label(tr("Version {version}").format(version=about.version), role="mute"),
            stretch(),
            spacing=2,
        )
        self.changes = _text_box(name=tr("What’s new"))
        _show_changes(self.changes, about.changes)
        self.licences = _text_box(name=tr("Licences"))
        self.licences.setPlainText(about.licences)
        stack = stacked(self.changes, self.licences)
        tabs = SegmentedControl((("0", tr("What’s new")), ("1", tr("Licences"))), name=tr("Show"))
        tabs.key_selected.connect(lambda key: stack.setCurrentIndex(int(key)))
        self._own_licences = about.licences
        self.set_content(
            WrappedLabel(tr("Chat with language models on your own computer."), role="body"),
            at_left(tabs),
            stretch(stack),
            heading=boxed(row(AppMark(size=52), names, stretch(), spacing=SPACE_L)),
            buttons=(self.make_close(is_default=True),),
        )

    def show_licences(self, texts: str) -> None:
        """Show the licence texts of all bundled packages below the program's own."""
        self.licences.setPlainText(f"{self._own_licences}{_SEPARATOR}{texts}")


def _show_changes(reader: QTextEdit, changes: str) -> None:
    """Show a changelog from its first version heading on, with spacing that Qt's Markdown lacks."""
    reader.setMarkdown(changes[max(0, changes.find("\n## ")) :])
    document = reader.document()
    document.setIndentWidth(SPACE_L)
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        block_format = block.blockFormat()
        block_format.setTopMargin(SPACE_M if block_format.headingLevel() else 0)
        block_format.setBottomMargin(SPACE_XS)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(block_format)
        block = block.next()


def _text_box(*, name: str) -> QTextEdit:
    text_box = QTextEdit()
    text_box.setProperty("role", "field")
    text_box.setReadOnly(True)
    text_box.setAccessibleName(name)
    text_box.setFont(theme().ui_font(13))
    text_box.setTabChangesFocus(True)
    return text_box
