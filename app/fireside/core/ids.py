"""Identifiers, each a type of its own so that one cannot stand in for another."""

from __future__ import annotations

from typing import NewType

ModelId = NewType("ModelId", str)
"""Stable name of a model file in the library, e.g. ``HuggingFaceTB/SmolLM2-135M-Instruct:Q4_1``."""

ConversationId = NewType("ConversationId", int)
"""Row id of a conversation in the database."""

MessageId = NewType("MessageId", int)
"""Row id of a message in the database."""

QueuedMessageId = NewType("QueuedMessageId", int)
"""Row id of a message that waits to be sent."""

DraftId = NewType("DraftId", str)
"""Name of what is written in a new chat; each window draws its own."""

DraftKey = ConversationId | DraftId
"""Where something is written and not sent yet."""

FolderId = NewType("FolderId", int)
"""Row id of a folder of conversations in the database."""

PresetId = NewType("PresetId", int)
"""Row id of a preset in the database."""

SummaryId = NewType("SummaryId", int)
"""Row id of a summary of earlier messages in the database."""

FactId = NewType("FactId", int)
"""Row id of something to be known in later chats in the database."""

CollectionId = NewType("CollectionId", str)
"""Name of a collection of documents; drawn once, and never another one's."""

SourceId = NewType("SourceId", int)
"""Row id of a file of a collection in its database."""

RequestId = NewType("RequestId", int)
"""Number of one generation or token count; unique within one run of the program."""
