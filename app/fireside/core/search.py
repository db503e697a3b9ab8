"""Queries and results of the full-text search over conversations."""

from __future__ import annotations

import msgspec

from fireside.core.chat import ConversationSummary
from fireside.core.ids import FolderId, MessageId, ModelId
from fireside.core.message import Role

Mark = tuple[int, int]
"""Start and end of a matching word, in characters."""


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A search. All words of ``text`` must be found, each as the beginning of a word; words in quotation
    marks must be found together. Any text is valid."""

    text: str
    role: Role | None = None
    model_id: ModelId | None = None
    """Answers of this model, and questions and titles of chats that use it."""
    folder_id: FolderId | None = None
    since: float | None = None
    """Created at this time or later; seconds since the epoch, UTC."""
    before: float | None = None
    archived: bool | None = None
    """Only archived chats, only others, or both."""
    limit: int = 40
    """The maximum number of messages."""


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """An excerpt of a text, in one line, with the positions of the words."""

    text: str
    marks: tuple[Mark, ...] = ()


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A matching message."""

    message_id: MessageId
    role: Role
    created_at: float
    snippet: Snippet


class ConversationMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation with a matching title, matching messages, or both."""

    summary: ConversationSummary
    title_marks: tuple[Mark, ...] = ()
    hits: tuple[Hit, ...] = ()
    """The best first."""
    n_hits: int = 0
    """The number of its matching messages; ``hits`` may contain fewer."""


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The matching conversations, the best first."""

    matches: tuple[ConversationMatch, ...] = ()
    n_hits: int = 0
    is_truncated: bool = False
    """Whether there are more matches than ``n_hits`` and ``matches`` contain."""
    n_not_indexed: int = 0
    """Messages that are not indexed yet, and can be found later."""
