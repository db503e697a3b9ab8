"""Row of the settings page that leads to the remembered facts."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import boxed, in_middle, row, stretch
from fireside.ui.page import Page
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class MemoryRow(ExtraRow):
    """Says how many facts there are."""

    label = tr_noop("Remembered facts")
    search_terms = tr_noop("memory remember facts personalization personalisation about me tools")

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self.state = WrappedLabel(role="small")
        self.open = Button(tr("Open memory"), on_click=lambda: context.router.show_page(Page.MEMORY))
        row(
            stretch(boxed(self.titled(self.state))),
            in_middle(self.open),
            spacing=SPACE_L,
            margins=INSIDE,
            on=self,
        )

    def show_count(self, n: int) -> None:
        """Show the number of facts."""
        self.state.setText(
            tr("%n fact|%n facts", "", n)
            if n
            else tr("None. A model with memory suggests facts in a chat, and you confirm them.")
        )


class MemoryRowController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client.facts
        self._tasks = context.tasks
        self._on_error = context.show_error
        self.row = MemoryRow(context)
        self.row.shown.connect(self.refresh)

    @task
    async def refresh(self) -> None:
        """Request the number of facts."""
        self.row.show_count(len(await self._client.facts()))
