"""Answers outside of conversations: one or several to one prompt."""

from __future__ import annotations

import msgspec

from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.engine.engine import GenerationStream
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import chat_input, load_options_for, make_task, with_seed
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s

MAX_PARALLEL = 16
"""Answers that one model generates in parallel; others wait."""


class Completions:
    """Requests answers with the settings in force. Nothing is stored."""

    def __init__(self, context: ServiceContext) -> None:
        self._engine = context.engine
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def start(
        self, spec: ModelSpec, prompt: PromptInput, *, n_answers: int = 1
    ) -> tuple[GenerationStream, ...]:
        """Request ``n_answers`` to one prompt, which is processed once, and return the events of each.

        System prompt and reasoning of a ``ChatInput`` follow the settings. Raises ``SettingInvalid`` where
        settings disagree.
        """
        resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=None)
        if isinstance(prompt, ChatInput):
            prompt = chat_input(resolved, prompt.messages)
        task = make_task(resolved, prompt, owner=None)
        options = load_options_for(spec, resolved)
        n_seq_max = max(options.n_seq_max, min(n_answers, MAX_PARALLEL))
        requests = [
            GenerationRequest(
                request_id=self._next_id(),
                spec=spec,
                options=msgspec.structs.replace(options, n_seq_max=n_seq_max),
                task=with_seed(task, number=number),
                keep_alive_s=keep_alive_s(resolved),
            )
            for number in range(n_answers)
        ]
        return tuple(self._engine.generate(request) for request in requests)

    def cancel(self, stream: GenerationStream) -> None:
        """Cancel an answer, which then finishes with its text so far."""
        self._engine.cancel(stream.request_id)
