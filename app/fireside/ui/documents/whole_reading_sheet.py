"""Show what reading everything costs, before it starts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.collection import TextExtent
from fireside.core.i18n import tr
from fireside.core.reading_cost import ReadingCost
from fireside.ui.duration_text import format_remaining
from fireside.ui.kit.sheet import Sheet
from fireside.ui.widgets.text import WrappedLabel


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
