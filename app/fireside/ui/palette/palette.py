"""The palette's popup: a text field and the list of matching targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.palette.matching import QUERY_LIMIT
from fireside.ui.palette.results import TargetList, accessible_text
from fireside.ui.palette.targets import Index, Target, TargetHit
from fireside.ui.theme import SPACE_L, SPACE_M, theme
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label

_WIDTH: Final = 620
_ROWS: Final = 10
_NO_RESULTS: Final = tr_noop("No results")
_HINT: Final = tr_noop("↑ ↓ to select   ·   Enter to run   ·   Esc to close")


class Palette(Popup):
    """Closes on Escape, on a click elsewhere, or when a target is picked."""

    picked = Signal(object)
    """Carries the picked ``Target``, once the palette is closed."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Command palette"))
        self._index = Index((), recent=())
        self._n_rows = _ROWS
        placeholder = tr("Search commands, chats, models, settings")
        self.field = SearchField(placeholder, name=tr("Command palette"), can_clear=False)
        self.list = TargetList(name=tr("Results"))
        self.list.picked.connect(self._pick)
        self._empty_label = Label(tr(_NO_RESULTS), role="mute")
        self._build()
        self._prepare_field()

    def open_over(self, window: QWidget, *, targets: Sequence[Target], recent: Sequence[str]) -> None:
        """Open with all targets, in the upper middle of ``window``."""
        self._index = Index(targets, recent=recent)
        self.field.clear()
        self._search()
        self._update_geometry(window)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def hits(self) -> tuple[TargetHit, ...]:
        """The displayed hits, from the top."""
        return self.list.hits.items

    @property
    def current(self) -> TargetHit | None:
        """The hit that Return picks."""
        return self.list.current

    def _build(self) -> None:
        self.column.addWidget(self.field)
        self.column.addWidget(self.list)
        self._empty_label.setContentsMargins(SPACE_M, SPACE_L, SPACE_M, SPACE_L)
        self.column.addWidget(self._empty_label)
        hint = Label(tr(_HINT), role="small")
        hint.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        self.column.addWidget(hint)

    def _prepare_field(self) -> None:
        self.field.setAccessibleDescription(tr(_HINT))
        self.field.setMaxLength(QUERY_LIMIT)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)

    def _update_geometry(self, window: QWidget) -> None:
        width = min(theme().scaled(_WIDTH), window.width() - 2 * SPACE_L)
        self.setFixedWidth(width)
        self._n_rows = min(_ROWS, max(3, window.height() // 2 // self.list.row_height))
        self._update_height()
        left = (window.width() - width) // 2
        self.move(window.mapToGlobal(QPoint(left, max(SPACE_L, window.height() // 10))))

    def _update_height(self) -> None:
        """Fit the height to the number of hits; the rest scrolls."""
        n_rows = max(1, min(self._n_rows, len(self.hits)))
        self.list.setFixedHeight(n_rows * self.list.row_height + 2 * self.list.frameWidth())
        self.column.activate()  # else the old height would count
        self.adjustSize()

    @Slot()
    def _search(self) -> None:
        self.list.set_hits(self._index.hits(self.field.text()))
        has_hits = bool(self.hits)
        self.list.setVisible(has_hits)
        self._empty_label.setVisible(not has_hits)
        if self.isVisible():
            self._update_height()
        if has_hits:
            self._announce_current()
        else:
            self._announce(tr(_NO_RESULTS))

    def _announce_current(self) -> None:
        if (current := self.current) is not None:
            position = self.list.currentIndex().row() + 1
            self._announce(
                tr("{hit}, {place} of {count}").format(
                    hit=accessible_text(current), place=position, count=len(self.hits)
                )
            )

    def _announce(self, text: str) -> None:
        """Announce the current row, since the focus is in the text field."""
        if self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, text))

    def _step(self, by: int) -> None:
        self.list.step(by)
        self._announce_current()

    @Slot()
    def _pick(self) -> None:
        hit = self.current
        if hit is not None:
            self.hide()
            self.picked.emit(hit.target)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down:
                    self._step(1)
                case Qt.Key.Key_Up:
                    self._step(-1)
                case Qt.Key.Key_PageDown:
                    self._step(_ROWS)
                case Qt.Key.Key_PageUp:
                    self._step(-_ROWS)
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._pick()
                case _:
                    return super().eventFilter(watched, event)
            return True
        return super().eventFilter(watched, event)
