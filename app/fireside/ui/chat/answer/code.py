"""The widget of a code block: language, wrap, save and copy buttons, line numbers, syntax colours."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QPushButton, QScrollBar, QWidget

from fireside.bridge.rich_document import set_direction
from fireside.core.artifacts import artifact_kind
from fireside.core.i18n import tr
from fireside.markup.block_stream import Block
from fireside.markup.direction import runs_from_left
from fireside.markup.rich_text import MAX_RUN
from fireside.ui.chat.answer.blocks import OverflowArea
from fireside.ui.chat.answer.code_colouring import CodeColouring
from fireside.ui.chat.answer.code_parts import CONTINUED, LineNumbers, TextFileSaver, suggested_name
from fireside.ui.chat.answer.text_view import TextView, TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button, tool_button
from fireside.ui.widgets.text import ElidedLabel, plain_tooltip

_HEAD = 32
_SIDE = 15
_TOP = 10
_BOTTOM = 11
_LINE_HEIGHT = 120
_COPIED_MS = 1600
_PYTHON = ("python", "py", "python3")
_KEY_CHARS = 300
"""Number of leading characters that identify a code block whose lines the user has wrapped."""


class CodeView(QFrame):
    """One fenced or indented block."""

    copied = Signal(str)
    run_requested = Signal()
    """The user wants the code to run."""
    open_requested = Signal()
    """The user wants the code beside the chat."""
    height_changed = Signal()

    def __init__(self, style: TranscriptStyle, parent: QWidget, *, title: str = "") -> None:
        """Show ``title`` above the code, or where that is empty what its fence says of it."""
        super().__init__(parent)
        self._title = title
        self.setObjectName("codeBlock")
        self.setMouseTracking(True)
        self._style = style
        self._source = ""
        self._language = ""
        self._heading = ("", "")
        """Language and info string of the block."""
        self._has_content = False
        self._build_head()
        self._text = TextView(self, name=tr("Code"))
        self._text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._overflow = OverflowArea(self._text, self)
        self._numbers = LineNumbers(self._text, self)
        self._n_lines = 0
        self._height = 0
        self._stuck = 0
        """How far below its top the upper edge of the view is; the heading stays there."""
        self._open: QPushButton | None = None
        """Made for artifacts alone, since most code is none."""
        self._saver = TextFileSaver(self, on_done=self._on_saved)
        self._colouring = CodeColouring(self._text.document(), style, parent=self)
        self._copied_timer = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._copied_timer.timeout.connect(self._show_copy)
        self.restyle(style)

    def _build_head(self) -> None:
        self._head = QFrame(self)
        self._head.setObjectName("codeHead")
        self._name = ElidedLabel(parent=self._head)
        self._name.setObjectName("codeLanguage")
        self._copy = text_button("", name=tr("Copy code"), style="copyCode", parent=self._head)
        self._copy.clicked.connect(self._on_copy_clicked)
        self.run_button = text_button(tr("Run"), name=tr("Run code"), style="copyCode", parent=self._head)
        self.run_button.clicked.connect(self.run_requested)
        self.run_button.hide()
        self._wrap = tool_button(tr("Wrap long lines"), style="codeButton", parent=self._head)
        self._wrap.setCheckable(True)
        self._wrap.toggled.connect(self._on_wrap_toggled)
        self._save = tool_button(tr("Save as…"), style="codeButton", parent=self._head)
        self._save.clicked.connect(self._on_save_clicked)
        buttons = (self.run_button, self._wrap, self._save, self._copy)
        self._bar = row(self._name, stretch(), *buttons, spacing=6, margins=(_SIDE, 0, 6, 0), on=self._head)

    @property
    def text_view(self) -> TextWidget | None:
        return self._text

    @property
    def copy_button(self) -> QPushButton:
        return self._copy

    @property
    def buttons(self) -> Sequence[QAbstractButton]:
        """The buttons that are shown, from left to right."""
        return tuple(button for button in self._all_buttons if not button.isHidden())

    @property
    def card_buttons(self) -> Sequence[QAbstractButton]:
        """Those that Tab visits in the card of a call, where all are too many."""
        return tuple(button for button in (self.run_button, self._copy) if not button.isHidden())

    @property
    def _all_buttons(self) -> Sequence[QAbstractButton]:
        buttons = (self.run_button, self._wrap, self._save, self._copy)
        return buttons if self._open is None else (self._open, *buttons)

    def offer_open(self) -> None:
        """Show the button that opens the code beside the chat, if it is a thing of its own. The text is
        complete."""
        is_artifact = artifact_kind(self._heading[1], self._source) is not None
        if is_artifact and self._open is None:
            self._open = text_button(tr("Open"), style="copyCode", parent=self._head)
            self._open.clicked.connect(self.open_requested)
            self._bar.insertWidget(self._bar.indexOf(self.run_button), self._open)
        if self._open is not None:
            name = self._name.text() or tr("text")
            self._open.setAccessibleName(tr("Open beside the chat, {name}").format(name=name))
            self._open.setVisible(is_artifact)

    def offer_run(self, label: str, *, whatever: bool = False) -> None:
        """Show the button that runs the code, as ``label``, if this is Python; ``whatever`` it is, where it
        is what other code has printed."""
        self.run_button.setVisible(whatever or self._language.lower() in _PYTHON)
        self.run_button.setText(f" {label}")

    @property
    def source(self) -> str:
        """The code as the model wrote it."""
        return self._source

    def show_block(self, block: Block) -> None:
        heading = (block.language, block.info)
        if self._has_content and block.body == self._source and heading == self._heading:
            return
        if heading != self._heading or not self._has_content:
            self._heading, self._language = heading, block.language
            set_direction(self._text.document(), from_left=runs_from_left(block.language))
            name = self._title or block.language or tr("text")
            self._name.set_full_text(self._title or block.info or name)
            self.run_button.setAccessibleName(tr("Run code, {name}").format(name=name))
            self._copy.setAccessibleName(tr("Copy code, {name}").format(name=name))
            self._wrap.setAccessibleName(tr("Wrap long lines, {name}").format(name=name))
            self._save.setAccessibleName(tr("Save code as, {name}").format(name=name))
        if self._has_content and block.body.startswith(self._source):
            self._append(block.body[len(self._source) :])
            self._source = block.body
            self._colouring.colour_tail(self._source, language=self._language)
        else:
            self._source = block.body
            self._replace()
            self._colouring.colour_all(self._source, language=self._language, style=self._style)
        self._has_content = True
        self._n_lines = self._source.count("\n") + 1
        self._restore_wrapping()

    def finish(self) -> None:
        """Colour the whole text: it is complete."""
        self._colouring.finish()

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        self._text.set_text_font(style.code_font)
        self._numbers.set_colour(theme().colour("dim"))
        theme().set_icon(self._wrap, "wrap-text", size=14)
        theme().set_icon(self.run_button, "play", size=13)
        self._show_save("")
        self._show_copy()
        self._colouring.restyle(style)

    def height_for(self, width: int) -> int:
        gutter = self._numbers.width_for(n_lines=self._n_lines)
        head = theme().scaled_up(_HEAD)
        left, top = _SIDE + gutter, 1 + head + _TOP
        inner = max(40, width - left - _SIDE)
        is_wrapped = self._wrap.isChecked()
        height = self._text.height_for(inner if is_wrapped else -1)
        needed = 0 if is_wrapped else ceil(self._text.document().idealWidth())
        height = self._overflow.set_geometry(QRect(left, top, inner, height), content_width=needed)
        self._height = top + height + _BOTTOM
        self._head.resize(width - 2, head)
        self._place_head()
        self._numbers.setVisible(gutter > 0)
        self._numbers.setGeometry(_SIDE, top, gutter, height)
        return self._height

    def stick(self, y: int) -> None:
        """Keep the heading in sight, where the upper edge of the view is ``y`` pixels below the top."""
        self._stuck = y
        self._place_head()

    def _place_head(self) -> None:
        self._head.move(1, max(1, min(self._stuck, self._height - 2 * self._head.height())))
        self._head.raise_()

    @property
    def scroll_bar(self) -> QScrollBar | None:
        """The horizontal scroll bar of code that is wider than the column."""
        return self._overflow.scroll_bar

    # Wrapping

    def _restore_wrapping(self) -> None:
        """Wrap if the user did so for this code, whose widget may have been deleted in between."""
        if self._wrap.isChecked():
            self._style.wrapped.add(self._source[:_KEY_CHARS])
        elif self._source[:_KEY_CHARS] in self._style.wrapped:
            self._wrap.blockSignals(True)  # the caller measures the height next
            self._wrap.setChecked(True)
            self._wrap.blockSignals(False)

    def _on_wrap_toggled(self, is_on: bool) -> None:
        key = self._source[:_KEY_CHARS]
        if is_on:
            self._style.wrapped.add(key)
        else:
            self._style.wrapped.discard(key)
        self.height_changed.emit()

    # Text

    def _replace(self) -> None:
        self._text.document().clear()
        cursor = QTextCursor(self._text.document())
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spacing)
        self._append(self._source)

    def _append(self, text: str) -> None:
        cursor = QTextCursor(self._text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        lines = text.split("\n")
        if cursor.block().length() + max(map(len, lines)) <= MAX_RUN:
            cursor.insertText(text)
            return
        cursor.beginEditBlock()
        for index, line in enumerate(lines):
            if index:
                cursor.insertBlock()
            insert_wrapped(cursor, line)
        cursor.endEditBlock()

    # Copy and save

    def _show_save(self, problem: str) -> None:
        theme().set_icon(self._save, "download", "danger" if problem else "mute", 14)
        self._save.setToolTip(
            plain_tooltip(tr("Not saved: {problem}").format(problem=problem)) if problem else tr("Save as…")
        )

    def _on_save_clicked(self) -> None:
        self._saver.open_dialog(self._source, name=suggested_name(self._language), window=self.window())

    def _on_saved(self, problem: str) -> None:
        self._show_save(problem)
        if not problem:
            theme().set_icon(self._save, "check", "ok", 14)
            self._save.setToolTip(tr("Saved"))

    def _show_copy(self) -> None:
        theme().set_icon(self._copy, "copy", size=13)
        self._copy.setText(" " + tr("Copy"))

    def _on_copy_clicked(self) -> None:
        QApplication.clipboard().setText(self._source)
        theme().set_icon(self._copy, "check", "ok", 13)
        self._copy.setText(" " + tr("Copied"))
        self._copied_timer.start()
        self.copied.emit(self._source)


def insert_wrapped(cursor: QTextCursor, line: str) -> None:
    """Insert one source line, as several blocks where it is longer than Qt can lay out."""
    while line:
        n_free = MAX_RUN - cursor.block().length()
        if n_free <= 0:
            cursor.block().setUserState(CONTINUED)
            cursor.insertBlock()
            continue
        cursor.insertText(line[:n_free])
        line = line[n_free:]
