"""The tokens of a prompt for inspection, put together from the parts that a runner sends."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from fireside.core.errors import FiresideError
from fireside.core.generation import Truncation
from fireside.core.inspection import PromptToken
from fireside.wire.messages import PromptShown

_MAX_TOKENS: Final = 16 * 1024 * 1024
"""No context is larger; a runner that sends more is faulty."""


class PromptPreview(NamedTuple):
    """All tokens of a prompt, and what was truncated to make it fit."""

    tokens: tuple[PromptToken, ...]
    truncation: Truncation | None


class PromptPreviewBuilder:
    """Collects the parts; ``result`` is done once the last has come."""

    def __init__(self) -> None:
        self.result: asyncio.Future[PromptPreview] = asyncio.get_running_loop().create_future()
        self._tokens: list[PromptToken] = []

    def add(self, part: PromptShown) -> bool:
        """Add the next part. Return False if there are more tokens than any prompt has."""
        self._tokens += part.tokens
        if len(self._tokens) > _MAX_TOKENS:
            return False
        if part.is_last and not self.result.done():
            self.result.set_result(PromptPreview(tuple(self._tokens), part.truncation))
        return True

    def fail(self, error: FiresideError) -> None:
        """Fail with ``error``, unless all parts have come."""
        if not self.result.done():
            self.result.set_exception(error)
