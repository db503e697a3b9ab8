"""A pane that shows its content, or a note in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.ui.kit.layout import boxed, column
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.text import one_line, truncate_text

Action = tuple[str, Callable[[], None]]
"""Label of a button and its handler."""

OFFLINE_CODES: Final = frozenset({"hub_offline", "hub_unreachable"})
"""Of errors without a network, where only files of this computer help."""
_LONGEST_SUBJECT: Final = 80


class StateNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note with icon, title and text."""

    icon: str
    title: str
    text: str = ""


class StatePane(QStackedWidget):
    """The content, or a note with buttons."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.addWidget(content)
        self._column = column()
        holder = boxed(self._column)
        self.addWidget(holder)
        self._state: EmptyState | None = None
        self.note: StateNote | None = None
        """The note shown; ``None`` while the content is shown."""
        self.buttons: tuple[Button, ...] = ()

    def show_content(self) -> None:
        self.note, self.buttons = None, ()
        self.setCurrentIndex(0)

    def show_note(self, note: StateNote, *, actions: Sequence[Action] = ()) -> None:
        """Show ``note``; the first of ``actions`` is the default."""
        if self._state is not None:
            had_focus = any(button.hasFocus() for button in self.buttons)
            self._column.removeWidget(self._state)
            self._state.hide()
            self._state.deleteLater()
        else:
            had_focus = False
        self._state = EmptyState(note.icon, title=note.title, text=note.text)
        self._state.setAccessibleName(f"{note.title}. {note.text}".strip())
        self._column.addWidget(self._state)
        self.note = note
        self.buttons = tuple(
            self._make_button(*action, is_first=not index) for index, action in enumerate(actions)
        )
        self.setCurrentIndex(1)
        if had_focus and self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_button(self, text: str, act: Callable[[], None], *, is_first: bool) -> Button:
        button = Button(text, kind="primary" if is_first else "")
        button.clicked.connect(lambda _checked=False: act())
        assert self._state is not None
        self._state.add_button(button)
        return button


def searching_note() -> StateNote:
    return StateNote(icon="search", title=tr("Searching…"))


def empty_note(text: str) -> StateNote:
    """Return the note of a search without results; ``text`` is the search text."""
    subject = truncate_text(one_line(text), length=_LONGEST_SUBJECT)
    return StateNote(
        icon="search",
        title=tr("No results for “{subject}”").format(subject=subject) if subject else tr("No results"),
        text=tr("Try fewer words or other filters. Only GGUF models are listed."),
    )


def error_note(error: ErrorInfo, *, title: str) -> StateNote:
    """Return the note of a request that failed."""
    if error.code == "hub_offline":
        return StateNote(
            icon="wifi-off",
            title=tr("Offline mode is on"),
            text=tr("Search is disabled. Your models work as usual."),
        )
    icons = {"hub_unreachable": "wifi-off", "hub_gated": "lock", "hub_not_found": "search"}
    return StateNote(icon=icons.get(error.code, "circle-alert"), title=title, text=error.sentence)
