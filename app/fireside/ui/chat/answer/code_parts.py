"""Parts of a code block: line numbers, and saving its text to a file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from fireside.core.artifacts import code_file_name
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.kit.file_dialogs import choose_save_path

NUMBERED_FROM = 10
"""Lines are numbered where there are at least so many."""
CONTINUED = 1
"""``userState`` of a block that the next one continues: the source line was too long for Qt."""

_GAP = 14
_ALIGNED = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_POLL_MS = 30


def suggested_name(language: str) -> str:
    """Return a file name for code of ``language``; nothing that a model wrote gets into it."""
    return code_file_name("code", language)


class LineNumbers(QWidget):
    """Line numbers beside a text; paints only those that are visible."""

    def __init__(self, text: TextView, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = text
        self._colour = QColor()
        self._n_lines = 0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_colour(self, colour: QColor) -> None:
        self._colour = colour
        self.update()

    @property
    def _font(self) -> QFont:
        return self._text.document().defaultFont()

    def width_for(self, *, n_lines: int) -> int:
        """Return the width in pixels for ``n_lines``; 0 below ``NUMBERED_FROM``."""
        self._n_lines = n_lines
        if n_lines < NUMBERED_FROM:
            return 0
        return QFontMetrics(self._font).horizontalAdvance("0" * len(str(n_lines))) + _GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the numbers of the visible lines."""
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._colour)
        layout = self._text.document().documentLayout()
        line = QFontMetrics(self._font).height()
        block = self._text.cursorForPosition(QPoint(0, event.rect().top())).block()
        number = self._number_of(block.blockNumber())
        while block.isValid():
            box = layout.blockBoundingRect(block)
            if box.top() > event.rect().bottom():
                return
            if block.blockNumber() == 0 or block.previous().userState() != CONTINUED:
                row = QRect(0, round(box.top()), self.width() - _GAP, line)
                painter.drawText(row, _ALIGNED, str(number))
                number += 1
            block = block.next()

    def _number_of(self, block_number: int) -> int:
        """Return the number of the source line that a block begins; where it continues one, of the next."""
        document = self._text.document()
        if document.blockCount() == self._n_lines:
            return block_number + 1
        n_continued = 0
        block = document.begin()
        while block.isValid() and block.blockNumber() < block_number:
            n_continued += block.userState() == CONTINUED
            block = block.next()
        return block_number - n_continued + 1


class TextFileSaver(QObject):
    """Asks where to save a text, and writes it there in a thread."""

    def __init__(self, parent: QWidget, *, on_done: Callable[[str], None]) -> None:
        """Call ``on_done`` with the error message, or an empty text on success."""
        super().__init__(parent)
        self._on_done = on_done
        self._n_writing = 0
        self._results: list[str] = []
        self._poll_timer = QTimer(self, interval=_POLL_MS)
        self._poll_timer.timeout.connect(self._on_poll)

    def open_dialog(self, text: str, *, name: str, window: QWidget) -> QFileDialog:
        """Open the system's save dialog, which does not block the event loop."""
        return choose_save_path(
            window, tr("Save code as"), lambda path: self.save(text, Path(path)), name=name
        )

    def save(self, text: str, path: Path) -> None:
        """Write ``text`` to ``path`` in a thread, as UTF-8 with a final line end."""
        self._n_writing += 1
        threading.Thread(target=self._write, args=(text, path), name="save code", daemon=True).start()
        self._poll_timer.start()

    def _write(self, text: str, path: Path) -> None:
        try:
            path.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8", newline="\n")
        except (OSError, ValueError) as exc:
            self._results.append(render_os_error(exc) if isinstance(exc, OSError) else str(exc))
        else:
            self._results.append("")

    def _on_poll(self) -> None:
        while self._results:
            self._n_writing -= 1
            self._on_done(self._results.pop(0))
        if not self._n_writing:
            self._poll_timer.stop()
