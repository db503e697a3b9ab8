"""A generation task: prompt, sampling, constraint and overflow."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.generation import Overflow, Priority, WhenFull
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import PromptInput


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A prescribed beginning of an answer."""

    tokens: tuple[int, ...] = ()
    text: str = ""
    """Used if the tokens are not known."""
    parse_special: bool = False
    """Whether texts like ``<think>`` become control tokens: only for text that a model generated."""
    ends: bool = False
    """Whether the answer ends with it, to get only its probabilities."""


class GenerationTask(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that defines an answer except the model."""

    prompt: PromptInput
    sampling: SamplingParams = SamplingParams()
    chosen: tuple[str, ...] = ()
    """Names of the parameters of ``sampling`` that a user or a program set. An engine elsewhere gets no
    others: it knows better what suits its models."""
    constraint: Constraint | None = None
    """Applies to the answer, not to the reasoning before it."""
    thinking_budget: int | None = None
    """Maximum tokens of reasoning, after which it is closed and the answer begins; 0 for no reasoning."""
    overflow: Overflow = Overflow.DROP_OLDEST
    when_full: WhenFull = WhenFull.STOP
    drop_to: float = 1.0
    """If turns are dropped, the rest takes at most this fraction of the available context; 1 drops the
    fewest."""
    n_reserve: int | None = None
    """Tokens reserved for the reply if ``sampling.max_tokens`` is not set, at most a quarter of the context;
    ``None`` for the runner's default."""
    priority: Priority = Priority.INTERACTIVE
    lora_scales: tuple[float, ...] | None = None
    """Strengths of the adapters of ``LoadOptions.lora`` for this answer; ``None`` for those of the load."""
    replay: Replay | None = None
    reuses_cache: bool = True
    """Whether the beginning of the prompt may come from a cache; else all of it is read."""
    is_repeatable: bool = False
    """Whether the same task gets the same answer whatever the caches hold, where it is computed alone: see
    ``runner/prompt_cache/state_snapshot.py``."""
    owner: str | None = None
    """The owner of the prompt cache entries, such as a conversation, by which they can be deleted."""
    stays_in_memory: bool = False
    """Whether no entry may be written to the disk, even if it has an owner."""


class JsonSchemaConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="json_schema"):
    """The answer is one JSON value that fits ``schema``, the text of a JSON Schema; ``{}`` is any JSON."""

    schema: str


ANY_OBJECT: Final = JsonSchemaConstraint(schema='{"type": "object"}')
"""JSON without a schema, which in all APIs is an object."""


class RegexConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="regex"):
    """The whole answer matches ``pattern``, in the syntax of Rust's ``regex`` crate."""

    pattern: str


class LarkConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="lark"):
    """The answer follows a grammar in llguidance's variant of Lark."""

    grammar: str


class GbnfConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="gbnf"):
    """The answer follows a grammar in llama.cpp's own notation."""

    grammar: str


Constraint = JsonSchemaConstraint | RegexConstraint | LarkConstraint | GbnfConstraint
