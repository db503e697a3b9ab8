"""Set up the output of each request: its parser, constraints and stop strings."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fireside.core.ids import RequestId
from fireside.core.prompt_input import ChatInput, ReasoningEffort
from fireside.core.task import Constraint, GenerationTask
from fireside.runner.decoder import Vocabulary
from fireside.runner.output.model_formats import (
    ModelFormat,
    likely_constraints,
    make_parser,
    opening_constraint,
)
from fireside.runner.output.output_events import ConstraintStart
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Piece

_TAIL_TOKENS: Final = 128
"""Tokens at the end of a prompt that suffice to see whether it opens reasoning."""
_ID_BYTES: Final = 4
_MAX_FORMATS: Final = 16


class OutputSetup:
    """Makes the ``OutputStream`` of each request to one model.

    Args:
        fmt: output format with the model's own template.
        format_for_template: returns the format for another template's source; called once for each.
        model_stop: stop strings of every answer.
        emit: receives the pieces of all answers.
    """

    def __init__(
        self,
        *,
        fmt: ModelFormat,
        vocab: Vocabulary,
        model_stop: tuple[str, ...],
        emit: Callable[[Piece], None],
        format_for_template: Callable[[str], ModelFormat] | None = None,
    ) -> None:
        self._fmt = fmt
        self._format_for_template = (
            lru_cache(maxsize=_MAX_FORMATS)(format_for_template) if format_for_template is not None else None
        )
        self._vocab = vocab
        self._model_stop = model_stop
        self._emit = emit

    def create(self, request_id: RequestId, *, task: GenerationTask, prompt: Tokens) -> OutputStream:
        """Return the output stream of an answer to ``prompt``. Only chats have a parser.

        Nothing in it stops an answer of which only the probabilities are wanted.
        """
        is_scored = task.replay is not None and task.replay.ends
        chat = task.prompt if isinstance(task.prompt, ChatInput) else None
        parser, constraint = None, None
        if chat is not None:
            parser = make_parser(
                self._format_for(chat),
                rendered_prompt=self._vocab.detokenize(prompt[-_TAIL_TOKENS:]),
                tools=chat.tools,
                tool_choice=chat.tool_choice,
                constraint=task.constraint,
                may_reason=chat.reasoning is not ReasoningEffort.OFF and task.thinking_budget != 0,
                call_id_prefix=f"call_{secrets.token_hex(_ID_BYTES)}_",
            )
        elif task.constraint is not None:
            constraint = ConstraintStart(constraint=task.constraint, prefix="", ends_answer=True)
        return OutputStream(
            request_id,
            parser=parser,
            constraint=constraint,
            stop=() if is_scored else task.sampling.stop,
            model_stop=() if is_scored else self._model_stop,
            min_tokens=task.sampling.min_tokens,
            thinking_budget=self._thinking_budget(task),
            emit=self._emit,
        )

    def _format_for(self, chat: ChatInput) -> ModelFormat:
        if self._format_for_template is None or not chat.template.strip():
            return self._fmt
        return self._format_for_template(chat.template)

    def _thinking_budget(self, task: GenerationTask) -> int | None:
        """Return the reasoning budget in tokens: 0 if it is off and the template cannot turn it off."""
        if isinstance(task.prompt, ChatInput) and task.prompt.reasoning is ReasoningEffort.OFF:
            return task.thinking_budget if self._format_for(task.prompt).switches_reasoning else 0
        return task.thinking_budget

    def required_constraints(self, task: GenerationTask) -> tuple[Constraint, ...]:
        """Return the constraints that the answer needs from its beginning: that of a required call."""
        if not isinstance(task.prompt, ChatInput):
            return ()
        required = opening_constraint(
            self._format_for(task.prompt), tools=task.prompt.tools, tool_choice=task.prompt.tool_choice
        )
        return () if required is None else (required,)

    def likely_constraints(self, task: GenerationTask) -> tuple[Constraint, ...]:
        """Return the request's own constraint, and those of optional calls."""
        own = () if task.constraint is None else (task.constraint,)
        if not isinstance(task.prompt, ChatInput):
            return own
        return own + likely_constraints(
            self._format_for(task.prompt),
            tools=task.prompt.tools,
            tool_choice=task.prompt.tool_choice,
            constraint=task.constraint,
        )
