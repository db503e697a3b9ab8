"""Which template words a conversation: the model's own, or one that the request brings."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fireside.core.prompt_input import ChatInput
from fireside.runner.prompt.segments import Prompt
from fireside.runner.prompt.template import ChatTemplate

_N_REMEMBERED: Final = 16


class TemplateChoice:
    """Keeps the templates that requests brought. Used by one thread at a time.

    Args:
        make: compiles a template of the same model. Raises ``TemplateFailed``.
    """

    def __init__(self, own: ChatTemplate, *, make: Callable[[str], ChatTemplate]) -> None:
        self._own = own
        self.compiled = lru_cache(maxsize=_N_REMEMBERED)(make)
        """Returns the template of a source."""

    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt of a conversation. Raises as ``ChatTemplate.render`` and ``make`` do."""
        return (self.compiled(chat.template) if chat.template.strip() else self._own).render(chat)
