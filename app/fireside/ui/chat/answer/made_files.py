"""The files that code made, under its call: each can be opened and saved."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.errors import format_bytes
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr
from fireside.core.message import MadeFile
from fireside.core.os_errors import render_os_error
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel, Label

_OPENED: Final = (
    *(".bmp", ".csv", ".docx", ".gif", ".jpeg", ".jpg", ".json", ".md"),
    *(".ods", ".odt", ".pdf", ".png", ".pptx", ".tsv", ".txt", ".xlsx"),
)
"""Endings of files in which no program runs when they are opened."""


class MadeFiles(QWidget):
    """A row for each file: name, size, and buttons."""

    def __init__(self, files: Sequence[MadeFile], *, parent: QWidget) -> None:
        super().__init__(parent)
        self.files = tuple(files)
        self.buttons: list[QPushButton] = []
        self.status = Label(role="small")
        self.status.hide()
        self._writer = _Writer(self)
        self._writer.failed.connect(self._on_failed)
        rows = [self._row(file) for file in self.files]
        column(*rows, self.status, spacing=SPACE_XS, on=self)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        self.resize(width, self.height())
        return self.sizeHint().height()

    def restyle(self, style: TranscriptStyle) -> None:
        """Do nothing: the style sheet has all that changes."""

    def _row(self, file: MadeFile) -> QWidget:
        shown = with_invisible_named(file.name)
        name = ElidedLabel(f"{shown} · {format_bytes(len(file.data))}", parent=self)
        buttons = [self._button(tr("Save as…"), tr("Save {name} as…"), shown, lambda: self._save(file))]
        if PurePosixPath(file.name).suffix.lower() in _OPENED:
            opens = self._button(tr("Open"), tr("Open {name}"), shown, lambda: self._open(file))
            buttons.insert(0, opens)
        self.buttons += buttons
        line = QWidget(self)
        row(stretch(name), *buttons, spacing=SPACE_S, on=line)
        return line

    def _button(self, label: str, about: str, name: str, on_click: Callable[[], object]) -> QPushButton:
        button = text_button(label, name=about.format(name=name), style="copyCode", parent=self)
        button.clicked.connect(on_click)
        return button

    def _save(self, file: MadeFile) -> None:
        def save(path: str) -> None:
            self.status.hide()
            self._writer.write(file.data, lambda: Path(path), opens=False)

        choose_save_path(self.window(), tr("Save file as"), save, name=_safe(file.name))

    def _open(self, file: MadeFile) -> None:
        def path() -> Path:
            return Path(tempfile.mkdtemp(dir=_opened_folder().name)) / _safe(file.name)

        self.status.hide()
        self._writer.write(file.data, path, opens=True)

    def _on_failed(self, problem: str) -> None:
        self.status.setText(tr("Not saved: {problem}").format(problem=problem))
        self.status.show()


@cache
def _opened_folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of files that were opened, which goes when the program ends."""
    return tempfile.TemporaryDirectory(prefix="fireside-")


class _Writer(QObject):
    """Writes files in threads."""

    failed = Signal(str)
    _written = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._written.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))

    def write(self, data: bytes, path: Callable[[], Path], *, opens: bool) -> None:
        """Write ``data``, and open it in its program afterwards with ``opens``."""

        def work() -> None:
            try:
                target = path()
                target.write_bytes(data)
            except (OSError, ValueError) as exc:
                self.failed.emit(render_os_error(exc) if isinstance(exc, OSError) else str(exc))
            else:
                if opens:
                    self._written.emit(str(target))

        threading.Thread(target=work, name="made file", daemon=True).start()


def _safe(name: str) -> str:
    """Return a name that is one of a file on every system."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(char if char.isprintable() and char not in '<>:"|?*' else "_" for char in last) or "file"
