"""Show which passages of the collections would be sent with a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from fireside.core.i18n import tr
from fireside.core.message import PassagesPart
from fireside.ui.documents.documents_text import attached_cost_text
from fireside.ui.documents.passage_list import PassageCard
from fireside.ui.documents.reader import MarkedPassage
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class SentSheet(Sheet):
    """Lists the passages; each opens the reader in place of the sheet."""

    def __init__(
        self,
        part: PassagesPart,
        *,
        read: Callable[[Sequence[MarkedPassage], int], object],
        keep: Callable[[], object] | None,
        context: WindowContext,
    ) -> None:
        """``read`` shows a passage in its document; ``keep`` keeps a collection of this chat alone."""
        super().__init__(tr("Sent with this question"), parent=context.window, size=SheetSize.LARGE)
        passages = [MarkedPassage(each.passage, number=each.number) for each in part.citations]

        def open_at(index: int) -> None:
            self.accept()
            read(passages, index)

        self.cards = [
            PassageCard(each.passage, partial(open_at, index)) for index, each in enumerate(part.citations)
        ]
        empty_note = WrappedLabel(tr("No matching passages"), role="mute")
        self.set_content(
            WrappedLabel(part.problem, role="warning") if part.problem else None,
            *self.cards or (empty_note,),
            about=attached_cost_text(part),
            buttons=(self._make_keep(keep), stretch(), self.make_close(is_default=True))
            if keep is not None
            else (self.make_close(is_default=True),),
        )

    def _make_keep(self, keep: Callable[[], object]) -> Button:
        def on_click() -> None:
            keep()
            self.accept()

        return self.make_button(tr("Keep as a collection"), on_click, icon="folder-plus")
