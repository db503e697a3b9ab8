"""Row of the settings page with all remembered facts, each with its chat and a button to delete it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import FactId
from fireside.core.tools import RememberedFact
from fireside.ui.kit.layout import add, boxed, clear, column, row, stretch
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S
from fireside.ui.time_text import format_day
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

_SEPARATOR: Final = " · "


class MemoryRow(ExtraRow):
    """Lists the remembered facts."""

    label = tr_noop("Remembered facts")
    search_terms = tr_noop("memory remember facts personalization personalisation about me tools")

    def __init__(self, on_delete: Callable[[FactId], object]) -> None:
        super().__init__()
        self._on_delete = on_delete
        self._facts: tuple[RememberedFact, ...] | None = None
        self.deletes: list[Button] = []
        """The delete button of each fact."""
        self.state = WrappedLabel(role="small")
        self._lines = column(spacing=SPACE_S)
        column(self.titled(self.state), boxed(self._lines), spacing=SPACE_M, margins=INSIDE, on=self)
        self.show_facts(())

    def show_facts(self, facts: tuple[RememberedFact, ...]) -> None:
        """Show the remembered facts, oldest first."""
        if facts == self._facts:
            return
        had_focus = any(button.hasFocus() for button in self.deletes)
        self._facts, self.deletes = facts, []
        self.state.setText(
            tr("Known in chats with memory that begin after a fact was confirmed.")
            if facts
            else tr("None. A model with memory suggests facts in a chat, and you confirm them.")
        )
        clear(self._lines)
        add(self._lines, *map(self._line, facts))
        if had_focus and self.deletes:
            self.deletes[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _line(self, fact: RememberedFact) -> QWidget:
        delete = Button(tr("Delete"), on_click=partial(self._on_delete, fact.id))
        delete.setAccessibleDescription(fact.text)
        self.deletes.append(delete)
        origin = _SEPARATOR.join(
            text for text in (fact.title, format_day(datetime.fromtimestamp(fact.created_at))) if text
        )
        labels = column(WrappedLabel(fact.text), WrappedLabel(origin, role="small"), spacing=0)
        return boxed(row(stretch(boxed(labels)), delete, spacing=SPACE_L))


class MemoryController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client.tools
        self._tasks = context.tasks
        self._on_error = context.show_error
        self.row = MemoryRow(self.delete)
        self.row.shown.connect(self.refresh)

    @task
    async def refresh(self) -> None:
        """Request the remembered facts."""
        self.row.show_facts(await self._client.facts())

    @task
    async def delete(self, fact_id: FactId) -> None:
        await self._client.forget_fact(fact_id)
        self.refresh()
