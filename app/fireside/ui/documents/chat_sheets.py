"""Sheets about the collections of a chat: what was sent with a question, what reading everything costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.collection import TextExtent
from fireside.core.i18n import tr
from fireside.core.message import PassagesPart
from fireside.core.token_estimate import ReadingCost
from fireside.ui.documents.documents_text import attached_cost_text
from fireside.ui.documents.passage_list import PassageCard
from fireside.ui.documents.reader import MarkedPassage
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.time_text import format_remaining
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


class WholeReadingSheet(Sheet):
    """Enter starts the reading; Escape changes nothing."""

    def __init__(
        self,
        extent: TextExtent,
        cost: ReadingCost,
        on_confirmed: Callable[[], object],
        *,
        host: str = "",
        parent: QWidget,
    ) -> None:
        """``host`` is the address of the remote engine whose model reads; empty for a model of this
        computer."""
        super().__init__(tr("Read everything"), parent=parent)
        self.cost = WrappedLabel(reading_cost_text(extent, cost), role="body")
        self.warning = WrappedLabel(role="warning")
        sent_text = tr("All of this text is sent to {host}").format(host=host) if host else ""
        self.warning.show_text("\n".join(text for text in (sent_text, left_out_text(extent)) if text))
        about = tr(
            "The model reads all documents part by part, takes notes and answers from them. Other chats go "
            "first. You can stop at any time; what was read is kept."
        )
        self.confirm = self.make_button(tr("Read everything"), self.accept, kind="primary", is_default=True)
        self.confirm.setEnabled(extent.n_chars > 0)
        self.set_content(self.cost, self.warning, about=about, buttons=(self.make_cancel(), self.confirm))
        self.accepted.connect(on_confirmed)
        self.confirm.setFocus(Qt.FocusReason.OtherFocusReason)


def reading_cost_text(extent: TextExtent, cost: ReadingCost) -> str:
    """Return what is read and its cost: ``14 files · about 130,000 tokens · about 6 minutes``."""
    if not extent.n_files:
        return tr("No documents are attached to this chat")
    files = tr("%n file|%n files", "", extent.n_files)
    tokens = tr("about %n token|about %n tokens", "", _rounded(cost.n_tokens))
    parts = tr("in %n part|in %n parts", "", cost.n_parts)
    time = (
        tr("time not known before the first part") if cost.seconds is None else format_remaining(cost.seconds)
    )
    return f"{files} · {tokens} {parts} · {time}"


def left_out_text(extent: TextExtent) -> str:
    """Return how many files are not read; empty for none."""
    if not extent.n_left_out:
        return ""
    return tr(
        "%n file is unreadable or not indexed yet and is left out|"
        "%n files are unreadable or not indexed yet and are left out",
        "",
        extent.n_left_out,
    )


def _rounded(n_tokens: int) -> int:
    """Return a number rounded to the precision of an estimate."""
    return round(n_tokens, 2 - len(str(n_tokens)))
