"""Begin answers: know for each request how its output is read, and by what rule it is written."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fireside.core.constraint import Constraint
from fireside.core.ids import RequestId
from fireside.core.prompt_input import ChatInput, Reasoning
from fireside.core.task import GenerationTask
from fireside.runner.decoder import Vocabulary
from fireside.runner.output.model_formats import (
    OutputFormat,
    likely_constraints,
    make_parser,
    opening_constraint,
)
from fireside.runner.output.output_events import ConstraintStart
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Piece

_TAIL_TOKENS: Final = 128
"""Enough of a prompt's end to see whether it opens the reasoning."""
_ID_BYTES: Final = 4
_N_REMEMBERED: Final = 16


class OutputSetup:
    """Makes the ``OutputStream`` of each request to one model.

    Args:
        fmt: how the model writes by its own template.
        fmt_of: how it writes by another, from its source; asked once for each.
        model_stop: texts that end every answer.
        emit: takes the pieces of all answers.
    """

    def __init__(
        self,
        *,
        fmt: OutputFormat,
        vocab: Vocabulary,
        model_stop: tuple[str, ...],
        emit: Callable[[Piece], None],
        fmt_of: Callable[[str], OutputFormat] | None = None,
    ) -> None:
        self._fmt = fmt
        self._fmt_of = lru_cache(maxsize=_N_REMEMBERED)(fmt_of) if fmt_of is not None else None
        self._vocab = vocab
        self._model_stop = model_stop
        self._emit = emit

    def begin(self, request_id: RequestId, *, task: GenerationTask, prompt: Tokens) -> OutputStream:
        """Return the answer to ``prompt``, before its first token. Only what a chat writes has parts."""
        chat = task.prompt if isinstance(task.prompt, ChatInput) else None
        parser, rule = None, None
        if chat is not None:
            parser = make_parser(
                self._format_for(chat),
                rendered_prompt=self._vocab.detokenize(prompt[-_TAIL_TOKENS:]),
                tools=chat.tools,
                tool_choice=chat.tool_choice,
                constraint=task.constraint,
                may_think=chat.reasoning is not Reasoning.OFF and task.thinking_budget != 0,
                call_id_prefix=f"call_{secrets.token_hex(_ID_BYTES)}_",
            )
        elif task.constraint is not None:
            rule = ConstraintStart(constraint=task.constraint, prefix="", ends_answer=True)
        return OutputStream(
            request_id,
            parser=parser,
            rule=rule,
            stop=task.sampling.stop,
            model_stop=self._model_stop,
            thinking_budget=self._thinking_budget(task),
            emit=self._emit,
        )

    def _format_for(self, chat: ChatInput) -> OutputFormat:
        if self._fmt_of is None or not chat.template.strip():
            return self._fmt
        return self._fmt_of(chat.template)

    def _thinking_budget(self, task: GenerationTask) -> int | None:
        """Return the most tokens of reasoning: none if it is off and the template has no words for that."""
        if isinstance(task.prompt, ChatInput) and task.prompt.reasoning is Reasoning.OFF:
            return task.thinking_budget if self._format_for(task.prompt).switches_reasoning else 0
        return task.thinking_budget

    def constraints(self, task: GenerationTask) -> tuple[Constraint, ...]:
        """Return the rules without which the answer is not to begin: those of a call that it must make."""
        if not isinstance(task.prompt, ChatInput):
            return ()
        required = opening_constraint(
            self._format_for(task.prompt), tools=task.prompt.tools, tool_choice=task.prompt.tool_choice
        )
        return () if required is None else (required,)

    def likely_constraints(self, task: GenerationTask) -> tuple[Constraint, ...]:
        """Return the request's own rule, and those of the calls that the answer may make as it sees fit."""
        own = () if task.constraint is None else (task.constraint,)
        if not isinstance(task.prompt, ChatInput):
            return own
        return own + likely_constraints(
            self._format_for(task.prompt),
            tools=task.prompt.tools,
            tool_choice=task.prompt.tool_choice,
            constraint=task.constraint,
        )
