"""The same question to several models or settings, side by side."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue

MIN_COLUMNS: Final = 2
MAX_COLUMNS: Final = 4


class ComparedColumn(msgspec.Struct, frozen=True, kw_only=True):
    """Model of one column, with settings for that answer only."""

    model_id: ModelId
    settings: dict[str, SettingValue] = {}


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Answers to one question, oldest first: branches of its conversation like any others."""

    conversation_id: ConversationId
    question: StoredMessage
    answers: tuple[StoredMessage, ...]
