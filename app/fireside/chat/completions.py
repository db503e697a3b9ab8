"""Answers that belong to no conversation: one prompt, one answer or several."""

from __future__ import annotations

import msgspec

from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.engine.engine import GenerationStream
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import chat_input, load_options_for, make_task, with_seed
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s

MOST_AT_ONCE = 16
"""Answers that one model writes side by side; more take turns."""


class Completions:
    """Ask for answers with the settings in force. Nothing is stored."""

    def __init__(self, context: ServiceContext) -> None:
        self._engine = context.engine
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def start(
        self, spec: ModelSpec, prompt: PromptInput, *, n_answers: int = 1
    ) -> tuple[GenerationStream, ...]:
        """Ask for ``n_answers`` to one prompt, which is read once, and return the events of each.

        A conversation gets the system prompt and the thinking that the settings ask for.

        Raises ``SettingInvalid`` where settings disagree.
        """
        resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=None)
        if isinstance(prompt, ChatInput):
            prompt = chat_input(resolved, prompt.messages)
        task = make_task(resolved, prompt, owner=None)
        options = load_options_for(spec, resolved)
        n_seq_max = max(options.n_seq_max, min(n_answers, MOST_AT_ONCE))
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
        """Ask for the end of an answer, which then comes with what was written so far."""
        self._engine.cancel(stream.request_id)
