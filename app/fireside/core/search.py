"""Queries and results of the full-text search over conversations."""

from __future__ import annotations

import msgspec

from fireside.core.chat import ConversationSummary
from fireside.core.ids import FolderId, MessageId, ModelId
from fireside.core.message import Role

Mark = tuple[int, int]
"""First character of a found word, and the first after it."""


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for. Any text may be ``words``: all of them have to be there, each as the beginning of a
    word; what stands in quotation marks has to stand together."""

    text: str
    role: Role | None = None
    model_id: ModelId | None = None
    """Answers of this model, and questions and titles of chats that use it."""
    folder_id: FolderId | None = None
    since: float | None = None
    """Written then or later; seconds since the epoch, UTC."""
    before: float | None = None
    archived: bool | None = None
    """Only archived chats, only others, or both."""
    limit: int = 40
    """How many messages to return at most."""


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a text, in one line, and where the words are in it."""

    text: str
    marks: tuple[Mark, ...] = ()


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A message that has the words."""

    message_id: MessageId
    role: Role
    created_at: float
    snippet: Snippet


class ConversationMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation with the words in its title, in its messages or in both."""

    summary: ConversationSummary
    title_marks: tuple[Mark, ...] = ()
    hits: tuple[Hit, ...] = ()
    """The best first."""
    n_hits: int = 0
    """How many of its messages have the words; ``hits`` may be fewer."""


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, the best first."""

    matches: tuple[ConversationMatch, ...] = ()
    n_hits: int = 0
    is_truncated: bool = False
    """Whether there is more than ``n_hits`` counts or ``found`` holds."""
    n_not_indexed: int = 0
    """Messages that the index has not come to yet; to search again later finds those too."""
