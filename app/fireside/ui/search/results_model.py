"""The Qt model of search results: a row for each chat, followed by its matching messages."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QObject, Qt

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.search import ConversationMatch, Hit, SearchResult
from fireside.ui.kit.list_model import Index, ListModel
from fireside.ui.widgets.text import one_line


class ChatRow(msgspec.Struct, frozen=True):
    """A chat with results."""

    match: ConversationMatch


class HitRow(msgspec.Struct, frozen=True):
    """A message that matches."""

    conversation_id: ConversationId
    hit: Hit


class MoreRow(msgspec.Struct, frozen=True):
    """The number of further matching messages of a chat."""

    n: int


ResultRow = ChatRow | HitRow | MoreRow


class SearchResultModel(ListModel[ResultRow]):
    """The rows of the last result, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(row_text, parent=parent)
        self.active: MessageId | None = None
        """The message that was opened last."""

    def show_result(self, result: SearchResult) -> None:
        """Show another result; an equal one changes nothing."""
        self.replace(tuple(row for match in result.matches for row in _rows_of(match)))

    def set_active(self, message_id: MessageId | None) -> None:
        """Mark the message that was opened last."""
        self.active = message_id
        self.refresh()

    def is_active(self, row: ResultRow) -> bool:
        """Whether a row is the message that was opened last."""
        return isinstance(row, HitRow) and row.hit.message_id == self.active

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.item(index), ChatRow | HitRow):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags


def row_text(row: ResultRow) -> str:
    """Return the text of a row in one line."""
    match row:
        case ChatRow(match=match):
            title = one_line(match.summary.title)
            if not match.n_hits:
                return title
            template = tr("{title}, found in %n message|{title}, found in %n messages", "", match.n_hits)
            return template.format(title=title)
        case HitRow(hit=hit):
            author = tr("You") if hit.role is Role.USER else tr("Answer")
            return f"{author}: {hit.snippet.text}"
        case MoreRow(n=n):
            return tr("and %n more message|and %n more messages", "", n)


def _rows_of(match: ConversationMatch) -> tuple[ResultRow, ...]:
    hits = tuple(HitRow(match.summary.id, hit) for hit in match.hits)
    n_more = match.n_hits - len(hits)
    return (ChatRow(match), *hits, *((MoreRow(n_more),) if n_more > 0 else ()))
