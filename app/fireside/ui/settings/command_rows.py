"""Rows of the settings page that lead to what stands elsewhere, by the window's commands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import Command, CommandId
from fireside.ui.kit.layout import boxed, column, in_middle, row, stretch
from fireside.ui.page import Page
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class ToolsLinkRow(ExtraRow):
    """Says what is on the tools page, and opens it."""

    label = tr_noop("Tools and permissions")
    search_terms = tr_noop(
        "tools permissions allow ask always never consent function calling mcp servers calculator date time "
        "search chats read change files folders documents web pages remember facts"
    )

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        about = WrappedLabel(
            tr("Which tools models may use, in which folders, and which calls ask you first."), role="small"
        )
        self.open = Button(tr("Open tools"), on_click=lambda: context.router.show_page(Page.TOOLS))
        texts = boxed(self.titled(about))
        line = ResponsiveRow(texts, self.open, min_first_width=220, spacing=SPACE_M)
        column(line, margins=INSIDE, on=self)


_TEXT_MIN_PX: Final = 160


class CommandRow(ExtraRow):
    """A label, what it is about, and a button for each command."""

    def __init__(
        self,
        label: str,
        about: str,
        *,
        search_terms: str,
        commands: tuple[CommandId, ...],
        context: WindowContext,
    ) -> None:
        super().__init__()
        self.label, self.search_terms = label, search_terms
        actions = [context.commands.actions[command] for command in commands]
        self.buttons = tuple(Button(action.text(), on_click=action.trigger) for action in actions)
        left, right = (
            boxed(self.titled(WrappedLabel(tr(about), role="small"))),
            flow_row(*self.buttons, spacing=SPACE_S)[0],
        )
        content = ResponsiveRow(left, right, min_first_width=_TEXT_MIN_PX, spacing=SPACE_L)
        row(content, margins=INSIDE, on=self)


def transfer_row(context: WindowContext) -> CommandRow:
    """Return the row that imports and exports chats."""
    return CommandRow(
        tr_noop("Import and export"),
        tr_noop("Chats from ChatGPT, Claude, LM Studio, Jan or Open WebUI, and all of yours as files."),
        search_terms=tr_noop("import export chats chatgpt lm studio jan open webui transfer json"),
        commands=(Command.IMPORT_CHATS, Command.EXPORT_ALL),
        context=context,
    )


def hardware_row(context: WindowContext) -> CommandRow:
    """Return the row that leads to the page of hardware."""
    return CommandRow(
        tr_noop("Hardware"),
        tr_noop("Devices of this computer, who uses their memory, and builds of llama.cpp."),
        search_terms=tr_noop("hardware devices gpu cuda vulkan metal vram runtime"),
        commands=(Page.HARDWARE,),
        context=context,
    )


# Row of the settings page that leads to the remembered facts


class MemoryRow(ExtraRow):
    """Says how many facts there are."""

    label = tr_noop("Remembered facts")
    search_terms = tr_noop("memory remember facts personalization personalisation about me tools")

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self.state = WrappedLabel(role="small")
        self.open = Button(tr("Show all"), on_click=lambda: context.router.show_page(Page.MEMORY))
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
            else tr("None. Where “Remember facts” is on, a model suggests some, and you confirm them.")
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


# Row of the settings page to make and restore backups


class BackupsRow(ExtraRow):
    """Shows the last backup, with buttons to make one and to restore one."""

    backup_requested = Signal()
    label = tr_noop("Backups")
    search_terms = tr_noop("backups copy save restore undo safety")

    def __init__(self) -> None:
        super().__init__()
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.back_up = Button(tr("Back up now"), on_click=self._on_make)
        self.restore = Button(tr("Restore…"))
        self.restore.setAccessibleName(tr("Restore backup"))
        left, right = boxed(self.titled(self.state, self.error)), boxed(row(self.back_up, self.restore))
        content = ResponsiveRow(left, right, min_first_width=_TEXT_MIN_PX, spacing=SPACE_L)
        row(content, margins=INSIDE, on=self)

    def show_state(self, text: str, *, problem: str = "") -> None:
        """Show when the last backup was made, and why the last attempt failed, if it did."""
        self.state.setText(text)
        self.back_up.setEnabled(True)
        self.show_error(problem)

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it."""
        self.error.show_text(sentence)
        self.back_up.setEnabled(True)

    def _on_make(self) -> None:
        self.back_up.setEnabled(False)
        self.error.hide()
        self.state.setText(tr("Backing up…"))
        self.backup_requested.emit()
