"""Identifiers, each of its own type, so that they cannot be confused."""

from __future__ import annotations

from typing import Final, NewType

ModelId = NewType("ModelId", str)
"""Stable name of a model file in the library, e.g. ``HuggingFaceTB/SmolLM2-135M-Instruct:Q4_1``."""

ConversationId = NewType("ConversationId", int)
"""Row id of a conversation in the database."""

MessageId = NewType("MessageId", int)
"""Row id of a message in the database."""

QueuedMessageId = NewType("QueuedMessageId", int)
"""Row id of a queued message."""

DraftId = NewType("DraftId", str)
"""Name of the draft of a new chat; each window generates its own."""

DraftKey = ConversationId | DraftId
"""The conversation or new chat of a draft."""

FolderId = NewType("FolderId", int)
"""Row id of a folder of conversations in the database."""

PresetId = NewType("PresetId", int)
"""Row id of a preset in the database."""

SummaryId = NewType("SummaryId", int)
"""Row id of a summary of earlier messages in the database."""

FactId = NewType("FactId", int)
"""Row id of a remembered fact in the database."""

CollectionId = NewType("CollectionId", str)
"""Random name of a collection of documents, never reused."""

SourceId = NewType("SourceId", int)
"""Row id of a file of a collection in its database."""

FIRST_TEMPORARY: Final = 1 << 48
"""The ids of what belongs to temporary chats are higher than this; no database on a disk gets that far."""


def is_temporary(id_: object) -> bool:
    """Whether an id is that of a temporary chat, or of something in one."""
    return isinstance(id_, int) and id_ > FIRST_TEMPORARY


RequestId = NewType("RequestId", int)
"""Number of one generation or token count; unique within one run of the program."""
