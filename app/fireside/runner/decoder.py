"""What the decode loop needs of llama.cpp, as types without it."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Protocol, TypeVar

from fireside.core.options import SamplingParams
from fireside.prompt.segments import Prompt
from fireside.runner.cache import Memory, Tokens


class DecodeResult(IntEnum):
    """What ``llama_decode`` returned; every negative number is ``FAILED``."""

    DONE = 0
    NO_ROOM = 1
    ABORTED = 2
    FAILED = -1


class Batch(Protocol):
    """The tokens of one step."""

    def clear(self) -> None: ...

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        """Append tokens of one sequence, the first at ``position``; return the index of the last."""
        ...


BatchT = TypeVar("BatchT", bound=Batch, contravariant=True)


class Decoder(Memory, Protocol[BatchT]):
    """Evaluates batches and holds the KV caches. Counts in tokens, ``n_ctx`` that of one sequence."""

    n_ctx: int
    n_batch: int
    n_ubatch: int
    n_seq_max: int

    def decode(self, batch: BatchT) -> DecodeResult: ...
    def last_position(self, sequence: int) -> int: ...


class Sampler(Protocol):
    """One request's way to choose tokens."""

    def sample(self, index: int) -> int:
        """Return the next token from the logits at ``index`` of the last batch."""
        ...

    def close(self) -> None: ...


MakeSampler = Callable[[SamplingParams, int, Tokens], Sampler]
"""Called with the parameters, the seed and the prompt of a request."""


class Vocabulary(Protocol):
    def tokenize(self, prompt: Prompt) -> Tokens: ...
    def piece(self, token: int) -> bytes: ...
    def ends_answer(self, token: int) -> bool: ...
    def remember_answer(self, text: str, tokens: Tokens) -> None: ...
