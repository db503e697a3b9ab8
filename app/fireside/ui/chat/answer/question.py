"""The widget of a question: the user's text in a bubble, and the attachments that were sent with it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.message import AttachedPart, AudioPart
from fireside.markup.rich_text import clean, plain_html
from fireside.ui.chat.answer.actions import ActionRow
from fireside.ui.chat.answer.message import PADDING, MessageView
from fireside.ui.chat.answer.message_item import ELLIPSIS, Entry, initial_n_shown
from fireside.ui.chat.answer.text_view import RichText, TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.composer.attachment_chip import AttachmentChip, facts_of_part
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.composer.attachment_text import sent_facts_of
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import text_button

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript

_BUBBLE_SIDE = 15
_BUBBLE_TOP = 10
_BUBBLE_BOTTOM = 7
_ACTIONS = 26
_ACTIONS_GAP = 6
_FILES_GAP = 8
_BUBBLE_SHARE = 0.72
"""Widest bubble, as a part of the column."""


class QuestionView(MessageView):
    """A message of the user: plain text in a bubble at the right, folded where it is long."""

    def __init__(self, style: TranscriptStyle, entry: Entry, parent: QWidget, *, handler: Transcript) -> None:
        super().__init__(style, entry, parent, handler=handler)
        self.setObjectName("question")
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self._bubble.setMouseTracking(True)
        self._text = RichText(style, self._bubble)
        self._more = text_button(
            tr("Show more"), name=tr("Show more of your message"), style="showMore", parent=self._bubble
        )
        self._less = text_button(
            tr("Show less"), name=tr("Show less of your message"), style="showMore", parent=self._bubble
        )
        self._more.clicked.connect(self._on_more)
        self._less.clicked.connect(self._on_less)
        attached = entry.message.message.attached
        self._files = SentFiles(attached, parent=self) if attached else None
        if self._files is not None:
            self._files.removed.connect(lambda n_file: handler.editor.remove_file(entry.message.id, n_file))
            self._files.saved.connect(handler.save_requested)
        self.refresh()

    @property
    def text_views(self) -> Sequence[TextWidget]:
        return (self._text,)

    def source_of(self, index: int) -> str | None:  # noqa: ARG002 - one text
        return self._entry.text

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        chips = self._files.chips if self._files is not None else ()
        files = (stop for chip in chips for stop in chip.tab_stops)
        return (*files, self._more, self._less, *self.control_tab_stops)

    def update_accessible_name(self) -> None:
        super().update_accessible_name()
        self.update_accessible_description()

    def update_accessible_description(self) -> None:
        files = tr("Attached: {names}").format(names=self._files.names) if self._files is not None else ""
        self.setAccessibleDescription(" ".join(filter(None, (self._position, files))))

    def refresh(self) -> None:
        entry = self._entry
        self._show_controls()
        if self._files is not None:
            self._files.show_edit(entry.removed_files if entry.is_being_edited else None)
            if self._editor is not None:
                self._editor.allow_empty(bool(self._files.chips))
        self._bubble.setVisible(not entry.is_being_edited and (bool(entry.text) or self._files is None))
        text = clean(entry.displayed_text)
        self._text.set_html(plain_html(text + (ELLIPSIS if entry.n_hidden else "")))
        self._more.setVisible(entry.n_hidden > 0)
        if entry.n_hidden:
            self._more.setText(tr("Show more (%n character)|Show more (%n characters)", "", entry.n_hidden))
        self._less.setVisible(entry.n_shown > initial_n_shown(entry.text, is_user=True))
        self.update_accessible_name()

    def height_for(self, width: int) -> int:
        inner = width - 2 * PADDING
        top = self._place_files(inner, y=8)
        if self._editor is not None:
            editor_width = min(inner, max(int(inner * _BUBBLE_SHARE), self._editor.minimumSizeHint().width()))
            height = self._editor.height_for(editor_width)
            self._editor.setGeometry(PADDING + inner - editor_width, top - 2, editor_width, height)
            return self._place_below(inner, y=top - 2 + height)
        max_width = int(inner * _BUBBLE_SHARE) - 2 * _BUBBLE_SIDE
        self._text.height_for(max_width)
        buttons = [button for button in (self._more, self._less) if not button.isHidden()]
        buttons_width = sum(button.sizeHint().width() + 8 for button in buttons)
        text_width = min(max_width, max(ceil(self._text.document().idealWidth()) + 1, buttons_width))
        text_height = self._text.height_for(text_width)
        self._text.setGeometry(_BUBBLE_SIDE, _BUBBLE_TOP, text_width, text_height)
        y = _BUBBLE_TOP + text_height
        x = _BUBBLE_SIDE - 4
        for button in buttons:
            size = button.sizeHint()
            button.setGeometry(x, y + 4, size.width(), size.height())
            x += size.width() + 8
        if buttons:
            y += 4 + buttons[0].sizeHint().height()
        bubble_width = text_width + 2 * _BUBBLE_SIDE
        height = y + (_BUBBLE_TOP if buttons else _BUBBLE_BOTTOM)
        left = PADDING + inner - bubble_width
        if self._bubble.isHidden():  # files alone
            left, top, bubble_width, height = PADDING + inner, 8, 0, top - 8
        self._bubble.setGeometry(left, top, bubble_width, height)
        if self._pin is not None:
            self._pin.move(left - self._pin.width() - 8, top + _BUBBLE_TOP)
        if self._actions is not None and not self._actions.isHidden():
            self._place_actions(self._actions)
        return self._place_below(inner, y=top + height)

    def _place_files(self, inner: int, *, y: int) -> int:
        """Set the geometry of the attachments; return where the text begins."""
        if self._files is None:
            return y
        height = self._files.height_for(inner)
        self._files.setGeometry(PADDING, y, inner, height)
        return y + height + _FILES_GAP if height else y

    def _place_below(self, inner: int, *, y: int) -> int:
        """Set the geometry of the branch switcher; return the height of the whole message."""
        if self._switcher is None:
            return y + 10
        size = self._switcher.sizeHint()
        self._switcher.setGeometry(PADDING + inner - size.width(), y + 3, size.width(), size.height())
        return y + 3 + size.height() + 4

    def _place_actions(self, row: ActionRow) -> None:
        bubble = self._bubble.geometry()
        pin = 0 if self._pin is None else self._pin.width() + 8
        max_width = bubble.left() - PADDING - pin - _ACTIONS_GAP
        width = row.show_actions(self._handler.message_actions.possible(self._entry), max_width=max_width)
        height = theme().scaled_up(_ACTIONS)
        middle = bubble.top() + self._last_line.center().y()
        row.setGeometry(bubble.left() - pin - _ACTIONS_GAP - width, middle - height // 2, width, height)

    @property
    def _last_line(self) -> QRect:
        """Where the last line of the bubble is in that: its buttons, else of the text."""
        for button in (self._more, self._less):
            if not button.isHidden():
                return button.geometry()
        if self._bubble.isHidden():
            return self._bubble.rect()
        cursor = QTextCursor(self._text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return self._text.cursorRect(cursor).translated(self._text.pos())

    def restyle(self, style: TranscriptStyle) -> None:
        super().restyle(style)
        self._text.restyle(style)
        if self._files is not None:
            self._files.restyle()

    def show_more(self) -> bool:
        if not self._entry.n_hidden:
            return False
        self._entry.n_shown = len(self._entry.text)
        self.refresh()
        self.height_changed.emit()
        return True

    def _on_more(self) -> None:
        self._entry.show_more()
        self.refresh()
        self.height_changed.emit()

    def _on_less(self) -> None:
        self._entry.show_less()
        self.refresh()
        self.height_changed.emit()


class SentFiles(QWidget):
    """Right-aligned rows of attachment chips; a click shows what the model was sent."""

    removed = Signal(int)
    """The user removed an attachment while editing; carries its index."""
    saved = Signal(object)
    """The user wants to save an ``AttachedPart``."""

    def __init__(self, parts: Sequence[AttachedPart], *, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = tuple(parts)
        self._left_out: frozenset[int] | None = None
        self.chips: list[AttachmentChip] = []
        self._make_chips()

    def show_edit(self, left_out: frozenset[int] | None) -> None:
        """Offer to remove attachments, without those at these indexes; ``None`` while nothing is edited."""
        if left_out != self._left_out:
            self._left_out = left_out
            self.restyle()

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        if not self.chips:
            return 0
        lines: list[list[AttachmentChip]] = [[]]
        for chip in self.chips:
            chip.resize(min(chip.sizeHint().width(), width), chip.height())
            if lines[-1] and _width_of(lines[-1]) + SPACE_S + chip.width() > width:
                lines.append([])
            lines[-1].append(chip)
        y = 0
        for line in lines:
            x = max(0, width - _width_of(line))
            height = max(chip.height() for chip in line)
            for chip in line:
                chip.move(x, y + (height - chip.height()) // 2)
                x += chip.width() + SPACE_S
            y += height + SPACE_S
        return y - SPACE_S

    def restyle(self) -> None:
        """Rebuild the chips for another style."""
        destroy(*self.chips)
        self._make_chips()

    @property
    def names(self) -> str:
        return ", ".join(chip.facts.name for chip in self.chips)

    def _make_chips(self) -> None:
        left_out = self._left_out or frozenset()
        self.chips = [self._chip(n, part) for n, part in enumerate(self._parts) if n not in left_out]

    def _chip(self, index: int, part: AttachedPart) -> AttachmentChip:
        facts = facts_of_part(part, sent_facts_of(part))
        can_remove = self._left_out is not None
        can_save = isinstance(part, AudioPart) and not can_remove
        chip = AttachmentChip(facts, can_remove=can_remove, can_save=can_save, parent=self)
        if chip.save_button is not None:
            chip.save_button.clicked.connect(lambda: self.saved.emit(part))
        if chip.remove_button is not None:
            chip.remove_button.clicked.connect(lambda: self.removed.emit(index))
        chip.opened.connect(lambda: AttachmentSheet(part, parent=self.window(), save=self.saved.emit).open())
        chip.show()
        return chip


def _width_of(line: Sequence[AttachmentChip]) -> int:
    return sum(chip.width() for chip in line) + SPACE_S * (len(line) - 1)
