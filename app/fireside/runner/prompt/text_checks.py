"""Check that texts can be tokenized."""

from __future__ import annotations

from collections.abc import Iterable

from fireside.core.errors import InvalidText
from fireside.core.i18n import tr_noop
from fireside.core.message import ChatMessage, texts_of


def check_text(text: str) -> None:
    """Raise ``InvalidText`` for characters that no tokenizer accepts: NUL and lone surrogates."""
    if "\x00" in text:
        raise InvalidText(reason=tr_noop("it contains a NUL character, which ends a text for the model."))
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise InvalidText(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc


def check_messages(messages: Iterable[ChatMessage]) -> None:
    """Raise ``InvalidText`` if any text of ``messages`` cannot be tokenized."""
    for message in messages:
        for part in message.parts:
            for text in texts_of(part):
                check_text(text)
