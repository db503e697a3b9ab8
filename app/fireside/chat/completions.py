"""Answers outside of conversations: one or several to one prompt."""

from __future__ import annotations

import msgspec

from fireside.core.errors import RemoteError
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.engine.request import GenerationRequest
from fireside.services.answer_router import AnswerStream
from fireside.services.request_builder import chat_input, load_options_for, make_task, with_seed
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s, stays_local

MAX_PARALLEL = 16
"""Answers that one model generates in parallel; others wait."""


class Completions:
    """Requests answers with the settings in force. Nothing is stored."""

    def __init__(self, context: ServiceContext) -> None:
        self._router = context.answer_router
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def start(
        self, spec: ModelSpec, prompt: PromptInput, *, n_answers: int = 1
    ) -> tuple[AnswerStream, ...]:
        """Request ``n_answers`` to one prompt, which is processed once, and return the events of each.

        System prompt and reasoning of a ``ChatInput`` follow the settings. Raises ``SettingInvalid`` where
        settings disagree, and ``chat_stays_local`` for a model of another engine where everything must stay
        on this computer.
        """
        resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=None)
        if spec.remote is not None and stays_local(resolved):
            raise RemoteError.of("chat_stays_local", host=spec.remote.host)
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
        return tuple(self._router.generate(request) for request in requests)

    def cancel(self, stream: AnswerStream) -> None:
        """Cancel an answer, which then finishes with its text so far."""
        self._router.cancel(stream.request_id)
