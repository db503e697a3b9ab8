"""The card of a tool call within an answer: arguments, result, and the question whether it may run."""

from __future__ import annotations

import contextlib
import math
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QWidget

from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply
from fireside.core.errors import format_bytes
from fireside.core.facts import FactScope, scope_choices
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr
from fireside.core.message import ImagePart, MadeFile, ToolResultPart
from fireside.core.os_errors import render_os_error
from fireside.core.tool_calls import (
    ANSWER_LABELS,
    CallAnswer,
    ShownCall,
    consent_answers,
    consent_question,
    elicitation_question,
)
from fireside.core.tools import AllowEdited, ConsentAnswer
from fireside.markup.block_stream import Block, BlockKind
from fireside.markup.markdown import destination
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.fold_head import FoldHead
from fireside.ui.chat.answer.inline_notices import NoteCard, NoteTone
from fireside.ui.chat.answer.json_text import reads_as_json
from fireside.ui.chat.answer.links import OpenUrl, confirm_open
from fireside.ui.chat.answer.result_pictures import ResultPictures, drawn_image
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import column, destroy, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel, Label, escape_mnemonic

_ACTIONS = tuple(ElicitationAction)
_HEAD_HEIGHT = 28
_LINE_HEIGHT = 20
_PADDING = 8
_GAP = 8
_INDENT = 26


class ToolCard(QFrame):
    """Folded, it shows the call on a line; unfolded, arguments and result; images always. GUI thread only."""

    height_changed = Signal()
    toggled = Signal(bool)
    _drawn = Signal(object, object)
    """The files in SVG that were drawn, and the images of them."""

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        on_answer: Callable[[CallAnswer], None],
        on_run_again: Callable[[str], None] | None = None,
        open_url: OpenUrl,
        typed: dict[str, str],
    ) -> None:
        """Call ``on_answer`` with the user's answer to a waiting call, ``on_run_again`` with code to change
        and run again. ``typed`` stores the user's edits of a waiting call's text, by call id."""
        super().__init__(parent)
        self.setObjectName("toolCard")
        self._style = style
        self._on_answer = on_answer
        self._on_run_again = on_run_again
        self._open_url = open_url
        self._typed = typed
        self._call: ShownCall | None = None
        self._is_open = False
        self.head = FoldHead(self)
        self.head.setAccessibleDescription(tr("Shows or hides arguments and result"))
        self.head.clicked.connect(self.toggled)
        self._line = ElidedLabel("", role="small", parent=self)
        self._line.setObjectName("toolLine")
        self._request: CodeView | None = None
        self._result: CodeView | None = None
        self._pictures: ResultPictures | None = None
        self._files: MadeFiles | None = None
        self._drawings: tuple[tuple[MadeFile, ...], tuple[ImagePart, ...]] = ((), ())
        self._drawn.connect(self._on_drawn)
        self._field: EditableText | None = None
        self._question: NoteCard | None = None
        self._elicitation: Elicitation | None = None
        """What the server asks, where the question is the server's."""

    @property
    def codes(self) -> list[CodeView]:
        """The code widgets of arguments and result, top down."""
        return [code for code in (self._request, self._result) if code is not None]

    @property
    def _parts(self) -> list[CodeView | ResultPictures | MadeFiles | EditableText | NoteCard]:
        others = (self._pictures, self._files, self._field, self._question)
        return [*self.codes, *(part for part in others if part is not None)]

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets that Tab visits, top down."""
        buttons = [] if self._question is None else self._question.findChildren(QPushButton)
        fields = [] if self._field is None else [self._field]
        pictures = [] if self._pictures is None else self._pictures.buttons
        files = [] if self._files is None else self._files.buttons
        codes = [button for code in self.codes for button in code.card_buttons]
        return [self.head, *codes, *pictures, *files, *fields, *buttons]

    def show_call(self, call: ShownCall, *, is_open: bool) -> None:
        """Show a call in its current state."""
        if call == self._call and is_open == self._is_open:
            return
        self._call, self._is_open = call, is_open
        self.head.setText(escape_mnemonic(call.title))
        self.head.setAccessibleName(call.title)
        self.head.show_open(is_open=is_open)
        line = call.summary
        self._line.set_full_text(line)
        self._line.setVisible(bool(line) and not is_open)
        text, result = call.unfolded if is_open else ("", "")
        request = call.request
        self._request = self._code(self._request, text, title=request.heading, language=request.language)
        if self._request is not None and call.code and not call.is_live and self._on_run_again is not None:
            self._request.offer_run(tr("Edit and run…"))
        self._result = self._code(self._result, result, title=tr("Result"))
        can_run = self._on_run_again is not None and not call.is_live
        if self._result is not None and call.is_code_above and can_run:
            self._result.offer_run(tr("Edit and run…"), whatever=True)
        self._draw(tuple(file for file in call.files if file.is_drawing))
        self._show_pictures((*call.images, *self._drawings[1]))
        self._show_files(call.files)
        self._show_question(call)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        inner = width - 2 * _PADDING
        head, line = theme().scaled(_HEAD_HEIGHT), theme().scaled(_LINE_HEIGHT)
        y = _PADDING // 2
        self.head.setGeometry(_PADDING, y, min(inner, self.head.sizeHint().width()), head)
        y += head
        if not self._line.isHidden():
            self._line.setGeometry(_INDENT, y, width - _INDENT - _PADDING, line)
            y += line
        for part in self._parts:
            height = part.height_for(inner)
            part.setGeometry(_PADDING, y + _GAP // 2, inner, height)
            y += height + _GAP
        return y + _PADDING // 2

    def restyle(self, style: TranscriptStyle) -> None:
        """Apply another style."""
        self._style = style
        self.head.show_open(is_open=self._is_open)
        for part in self._parts:
            part.restyle(style)

    def _code(self, view: CodeView | None, text: str, *, title: str, language: str = "") -> CodeView | None:
        if not text:
            if view is not None:
                destroy(view)
            return None
        if view is None:
            view = CodeView(self._style, self, title=title)
            view.run_requested.connect(self._on_run_requested)
            view.height_changed.connect(self.height_changed)
            view.show()
        language = language or ("json" if reads_as_json(text, is_whole=True) else "text")
        view.show_block(Block(kind=BlockKind.CODE, body=text, language=language))
        view.finish()
        return view

    def _on_run_requested(self) -> None:
        if self._call is not None and self._on_run_again is not None:
            self._on_run_again(self._call.code)

    def _draw(self, files: tuple[MadeFile, ...]) -> None:
        """Draw files in SVG in a thread; until then, and where that fails, they are files like others."""
        if files == self._drawings[0]:
            return
        self._drawings = (files, ())

        def work() -> None:
            images = tuple(image for file in files if (image := drawn_image(file)) is not None)
            with contextlib.suppress(RuntimeError):  # the card is gone
                self._drawn.emit(files, images)

        threading.Thread(target=work, name="draw files", daemon=True).start()

    def _on_drawn(self, files: tuple[MadeFile, ...], images: tuple[ImagePart, ...]) -> None:
        if self._call is not None and files == self._drawings[0] and images:
            self._drawings = (files, images)
            self._show_pictures((*self._call.images, *images))
            self.height_changed.emit()

    def _show_files(self, files: tuple[MadeFile, ...]) -> None:
        """Show the files of a result, whether it is unfolded or not."""
        if self._files is not None and self._files.files != files:
            destroy(self._files)
            self._files = None
        if files and self._files is None:
            self._files = MadeFiles(files, parent=self)
            self._files.show()

    def _show_pictures(self, images: tuple[ImagePart, ...]) -> None:
        """Show the images of a result, whether it is unfolded or not."""
        if self._pictures is not None and self._pictures.images != images:
            destroy(self._pictures)
            self._pictures = None
        if images and self._pictures is None:
            self._pictures = ResultPictures(images, parent=self)
            self._pictures.show()

    def _show_question(self, call: ShownCall) -> None:
        if self._question is not None and (not call.is_waiting or call.elicitation != self._elicitation):
            destroy(*(part for part in (self._field, self._question) if part is not None))
            self._field = self._question = None
        if self._question is not None or not call.is_waiting or call.result is None:
            return
        self._elicitation = call.elicitation
        if call.elicitation is not None:
            self._show_elicitation(call.elicitation)
            return
        answers = card_answers(call.result)
        is_doubtful = call.result.is_risky or (call.result.is_editable and call.result.after_untrusted)
        tone = NoteTone.WARN if is_doubtful else NoteTone.PLAIN
        self._question = NoteCard(
            self._style,
            self,
            tone=tone,
            text=consent_question(call.result),
            buttons=[label for label, _ in answers],
            is_inner=True,
        )
        self._question.clicked.connect(lambda index: self._on_consent(answers[index][1]))
        if call.result.is_editable:
            self._field = self._make_field(call.part.id, call.result.preview)
        self._question.show()

    def _on_consent(self, answer: ConsentAnswer | FactScope) -> None:
        scope = answer if isinstance(answer, FactScope) else None
        if self._field is not None and answer is not ConsentAnswer.DENY:
            self._on_answer(AllowEdited(text=self._field.toPlainText(), scope=scope))
        elif isinstance(answer, ConsentAnswer):
            self._on_answer(answer)

    def _make_field(self, call_id: str, text: str) -> EditableText:
        field = EditableText(
            self, text=self._typed.get(call_id, text), name=tr("Words, which you can change")
        )
        field.textChanged.connect(lambda: self._typed.update({call_id: field.toPlainText()}))
        field.height_changed.connect(self.height_changed)
        field.show()
        return field

    def _show_elicitation(self, elicitation: Elicitation) -> None:
        accept_label = (
            tr("Open…") if elicitation.url else tr("Answer…") if elicitation.fields else tr("Accept")
        )
        self._question = NoteCard(
            self._style,
            self,
            tone=NoteTone.PLAIN,
            text=elicitation_question(elicitation, host=destination(elicitation.url)),
            buttons=[accept_label, tr("Decline"), tr("Cancel")],
            is_inner=True,
        )
        self._question.clicked.connect(lambda index: self._on_elicitation(elicitation, _ACTIONS[index]))
        self._question.show()

    def _on_elicitation(self, elicitation: Elicitation, action: ElicitationAction) -> None:
        reply = ElicitationReply(number=elicitation.number, action=action)

        def open_url(url: str) -> None:
            self._open_url(url)
            self._on_answer(reply)

        if action is not ElicitationAction.ACCEPT or not (elicitation.url or elicitation.fields):
            self._on_answer(reply)
        elif elicitation.url:
            confirm_open(elicitation.url, open_url=open_url, parent=self.window())
        else:
            from fireside.ui.chat.answer.elicitation_sheet import ElicitationSheet

            sheet = ElicitationSheet(elicitation, self._on_answer, parent=self.window())
            sheet.open()


def card_answers(result: ToolResultPart) -> list[tuple[str, ConsentAnswer | FactScope]]:
    """Return the buttons of a call that waits: label and answer of each; of a fact, where it is to hold."""
    if result.scope is None:
        return [(tr(ANSWER_LABELS[answer]), answer) for answer in consent_answers(result)]
    choices = scope_choices(proposed=result.scope, project=result.project)
    deny = (tr(ANSWER_LABELS[ConsentAnswer.DENY]), ConsentAnswer.DENY)
    return [*((label, scope) for scope, label in choices), deny]


class EditableText(QPlainTextEdit):
    """A text that a tool would send or store, for the user to change first; as high as the text."""

    height_changed = Signal()

    def __init__(self, parent: QWidget, *, text: str, name: str) -> None:
        """Set ``name`` as the accessible name."""
        super().__init__(text, parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self._n_lines = 0
        self.textChanged.connect(self._on_changed)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        self.resize(width, self.height())
        self._n_lines = max(1, math.ceil(self.document().size().height()))
        return self._n_lines * self.fontMetrics().lineSpacing() + 2 * _PADDING + 2 * self.frameWidth()

    def restyle(self, style: TranscriptStyle) -> None:
        """Do nothing: the style sheet has all that changes."""

    def _on_changed(self) -> None:
        if math.ceil(self.document().size().height()) != self._n_lines:
            self.height_changed.emit()


# The files that code made, under its call: each can be opened and saved


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
