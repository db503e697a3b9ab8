"""What the two kinds of message have in common, and the person's own."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QTextEdit, QWidget

from fireside.ui.chat.blocks import RichText
from fireside.ui.chat.entry import Entry
from fireside.ui.chat.look import Look
from fireside.ui.chat.markdown_html import clean, plain_html
from fireside.ui.chat.words import spoken_name

PADDING = 12
"""Between a message's frame, which shows the keyboard focus, and the column."""
_BUBBLE_SIDE = 15
_BUBBLE_TOP = 10
_BUBBLE_BOTTOM = 7
_BUBBLE_SHARE = 0.72
"""Widest bubble, as a part of the column."""


class MessageView(QFrame):
    """A message on the screen. Made when it scrolls into view and deleted when it leaves."""

    height_changed = Signal()
    """It needs to be laid out again."""

    def __init__(self, look: Look, entry: Entry, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._entry = entry
        self.setMouseTracking(True)

    @property
    def edits(self) -> Sequence[QTextEdit]:
        """Texts that can be selected, top down; a ``Point``'s block is an index into these."""
        raise NotImplementedError

    def refresh(self) -> None:
        """The entry has changed."""
        raise NotImplementedError

    def height_for(self, width: int) -> int:
        """Lay out for a frame of ``width`` pixels and return the height."""
        raise NotImplementedError

    def restyle(self, look: Look) -> None:
        """The theme changed."""
        self._look = look

    def source_of(self, index: int) -> str | None:
        """Markdown that ``edits[index]`` was made from; ``None`` where it is not a part of its own."""
        raise NotImplementedError

    def complete(self) -> None:
        """Lay out everything that is to be shown at once."""

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """What Tab goes through, top down."""
        raise NotImplementedError

    def name_for_reader(self) -> None:
        entry = self._entry
        self.setAccessibleName(spoken_name(entry.message, text=entry.text, is_user=entry.is_user))


class QuestionView(MessageView):
    """What the person wrote: plain text in a bubble at the right; a long one can be unfolded."""

    def __init__(self, look: Look, entry: Entry, parent: QWidget) -> None:
        super().__init__(look, entry, parent)
        self.setObjectName("question")
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self._bubble.setMouseTracking(True)
        self._text = RichText(look, self._bubble)
        self._more = self._button("Show more", "Show more of your message")
        self._less = self._button("Show less", "Show less of your message")
        self._more.clicked.connect(self._on_more)
        self._less.clicked.connect(self._on_less)
        self.refresh()

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, self._bubble)
        button.setObjectName("showMore")
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    @property
    def edits(self) -> Sequence[QTextEdit]:
        return (self._text,)

    def source_of(self, index: int) -> str | None:  # noqa: ARG002 - one text
        return self._entry.text

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        return (self._more, self._less)

    def refresh(self) -> None:
        entry = self._entry
        shown = clean(entry.shown_text)
        self._text.set_html(plain_html(shown + ("…" if entry.n_hidden else "")))
        self._more.setVisible(entry.n_hidden > 0)
        if entry.n_hidden:
            self._more.setText(f"Show more ({entry.n_hidden:,} characters)")
        folded = Entry(message=entry.message, text=entry.text, phase=None, n_shown=entry.n_shown)
        folded.show_less()
        self._less.setVisible(entry.n_shown > folded.n_shown)
        self.name_for_reader()

    def height_for(self, width: int) -> int:
        inner = width - 2 * PADDING
        widest = int(inner * _BUBBLE_SHARE) - 2 * _BUBBLE_SIDE
        self._text.height_for(widest)
        buttons = [button for button in (self._more, self._less) if not button.isHidden()]
        least = sum(button.sizeHint().width() + 8 for button in buttons)
        text_width = min(widest, max(ceil(self._text.document().idealWidth()) + 1, least))
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
        self._bubble.setGeometry(PADDING + inner - bubble_width, 8, bubble_width, height)
        return height + 8 + 10

    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._text.set_look(look)

    def _on_more(self) -> None:
        self._entry.show_more()
        self.refresh()
        self.height_changed.emit()

    def _on_less(self) -> None:
        self._entry.show_less()
        self.refresh()
        self.height_changed.emit()
