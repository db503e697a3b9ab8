"""One look at a prompt, put together from what a runner sends of it."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from fireside.core.errors import FiresideError
from fireside.core.generation import Truncation
from fireside.core.inspection import PromptToken
from fireside.wire.messages import PromptShown

_MAX_TOKENS: Final = 16 * 1024 * 1024
"""No context is larger; a runner that sends more is not to be trusted."""


class PromptPreview(NamedTuple):
    """All tokens of a prompt, and what was left out to make it fit."""

    tokens: tuple[PromptToken, ...]
    truncation: Truncation | None


class PromptPreviewBuilder:
    """``whole`` is there once the last part has come."""

    def __init__(self) -> None:
        self.whole: asyncio.Future[PromptPreview] = asyncio.get_running_loop().create_future()
        self._tokens: list[PromptToken] = []

    def add(self, part: PromptShown) -> bool:
        """Take the next part. False for more than any prompt has."""
        self._tokens += part.tokens
        if len(self._tokens) > _MAX_TOKENS:
            return False
        if part.is_last and not self.whole.done():
            self.whole.set_result(PromptPreview(tuple(self._tokens), part.truncation))
        return True

    def fail(self, error: FiresideError) -> None:
        """End with ``error``, unless it is complete."""
        if not self.whole.done():
            self.whole.set_exception(error)
