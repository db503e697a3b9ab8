"""Show which passages of the collections would be sent with a question."""

from __future__ import annotations

from fireside.core.i18n import tr
from fireside.core.message import PassagesPart
from fireside.ui.documents.documents_text import attached_cost_text
from fireside.ui.documents.passage_list import PassageCard
from fireside.ui.documents.reader_sheet import open_reader
from fireside.ui.kit.layout import column, scrolled, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class SentSheet(Sheet):
    """Lists the passages; each opens the reader."""

    def __init__(self, part: PassagesPart, *, context: WindowContext) -> None:
        super().__init__(
            tr("Sent with this question"), theme=context.theme, parent=context.window, size=(760, 620)
        )
        self.cards = [
            PassageCard(
                citation.passage, lambda passage: open_reader(passage, context=context), theme=context.theme
            )
            for citation in part.citations
        ]
        empty_note = WrappedLabel(tr("No matching passages"), role="mute")
        self.set_content(
            WrappedLabel(part.problem, role="warning") if part.problem else None,
            stretch(scrolled(column(*self.cards or (empty_note,), stretch()))),
            about=attached_cost_text(part),
            buttons=(self.make_close(is_default=True),),
        )
