"""Row of the settings page that leads to the tools page, where each tool has its one place."""

from __future__ import annotations

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import boxed, column
from fireside.ui.page import Page
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_M
from fireside.ui.widgets.buttons import Button
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
