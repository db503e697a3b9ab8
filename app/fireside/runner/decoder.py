"""Interfaces of the decode loop to llama.cpp, without importing it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from fireside.core.generation import TokenLogprobs
from fireside.core.options import SamplingParams
from fireside.core.task import Constraint
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.tokens import Tokens


class DecodeResult(IntEnum):
    """Return value of ``llama_decode``; all other codes are errors, and mean ``FAILED``."""

    DONE = 0
    NO_ROOM = 1
    ABORTED = 2
    FAILED = -1

    @classmethod
    def _missing_(cls, _value: object) -> DecodeResult:
        return cls.FAILED


class Batch(Protocol):
    """The tokens of one decode step."""

    def clear(self) -> None:
        """Remove all tokens."""
        ...

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        """Append tokens of one sequence, the first at ``position``; return the batch index of the last."""
        ...

    def add_all(self, tokens: Tokens, *, sequence: int, position: int) -> int:
        """Append tokens of one sequence, all with outputs; return the batch index of the first."""
        ...


BatchT = TypeVar("BatchT", bound=Batch, contravariant=True)


class Decoder(ShiftableMemory, Protocol[BatchT]):
    """Decodes batches and holds the KV cache. Sizes in tokens; ``n_ctx`` is that of one sequence."""

    n_ctx: int
    n_batch: int
    n_ubatch: int
    n_seq_max: int
    n_stages: int
    """Pipeline stages: devices that work on micro-batches of a step at the same time; 1 for none."""
    n_outputs_max: int
    """Most tokens of a batch that may have outputs (logits)."""

    def decode(self, batch: BatchT) -> DecodeResult:
        """Decode a batch; its logits are valid until the next call."""
        ...

    def n_passes(self, parts: Mapping[int, int]) -> int:
        """Return the number of forward passes of a batch with ``parts[sequence]`` tokens of each sequence."""
        ...


class SampledToken(NamedTuple):
    """A sampled token, with its probabilities if they were requested."""

    token: int
    logprobs: TokenLogprobs | None = None


class Sampler(Protocol):
    """Samples the tokens of one request.

    Each sampled token counts as accepted: penalties and constraints continue from it.
    """

    def sample(self, index: int) -> SampledToken:
        """Sample the next token from the logits at ``index`` of the last batch.

        Raises:
            FiresideError: the answer cannot continue: its logits are not finite, or its constraint became too
                complex.
        """
        ...

    def force(self, tokens: Tokens) -> None:
        """Make the next calls of ``sample`` return ``tokens``, whatever the logits are."""
        ...

    def constrain(
        self, constraint: Constraint, *, prefix: str, ends_answer: bool, alternatives: Sequence[Tokens] = ()
    ) -> bool:
        """Constrain the following tokens to ``constraint``, of which ``prefix`` is already written.

        Returns false if they are not, because it does not matter enough to end the answer.

        Once it is fulfilled, the answer ends if ``ends_answer``; else it continues unconstrained.
        The first token may start one of ``alternatives`` instead: the rest of it is forced, and nothing is
        constrained.

        Raises:
            NotReady: it is being compiled; nothing may be sampled until this is called again.
            ConstraintInvalid: it cannot be followed.
        """
        ...

    def close(self) -> None:
        """Free native resources. Idempotent."""
        ...


class SamplerRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a sampler. ``prompt`` counts for the penalties, as everywhere in llama.cpp."""

    params: SamplingParams
    seed: int
    prompt: Tokens
    constraints: tuple[Constraint, ...] = ()
    """Constraints that must be compiled before the sampler is ready; compiled in other threads."""
    likely: tuple[Constraint, ...] = ()
    """Constraints that may be needed later, the likeliest first; compiled in advance, not waited for."""


class NotReady(Exception):
    """A sampler or constraint is not ready yet: another thread is compiling what it needs.

    Try again once ``ready`` is set, which happens on success and on failure.
    """

    def __init__(self, ready: threading.Event) -> None:
        super().__init__("it is being prepared")
        self.ready = ready


MakeSampler = Callable[[SamplerRequest], Sampler]
"""Makes a sampler without blocking. Raises ``NotReady`` to be called again, or ``FiresideError``."""


class DraftRequest(NamedTuple):
    """Asks a drafter what may follow ``tokens``: all tokens of a slot, including the last sampled one."""

    slot: int
    tokens: Tokens
    n_max: int


class DecodedPart(NamedTuple):
    """The tokens of one slot in a batch that was computed, and all tokens of the slot before them."""

    slot: int
    before: Tokens
    tokens: Tokens


class Drafter(Protocol):
    """Drafts tokens for speculative decoding. A wrong draft costs time, and never changes an answer."""

    is_free: bool
    """Whether drafting takes negligible time."""

    def follow(self, parts: Sequence[DecodedPart]) -> None:
        """Take in what the model computed just now; called after each of its batches of text."""
        ...

    def draft(self, requests: Sequence[DraftRequest]) -> list[Tokens | None]:
        """Return a draft for each of ``requests``, at most ``n_max`` tokens long.

        Empty if it has none; ``None`` if it is still evaluating the text before.
        """
        ...


class AdapterScales(Protocol):
    """The scales of a model's LoRA adapters, set for a whole batch."""

    def resolve(self, requested: tuple[float, ...] | None) -> tuple[float, ...]:
        """Return the scales for a request that asks for ``requested``; ``None`` for those as loaded.

        Raises:
            InvalidParameter: wrong number of scales, or one out of range.
        """
        ...

    def set_scales(self, scales: tuple[float, ...]) -> None:
        """Use ``scales`` for the following batches."""
        ...


class Vocabulary(Protocol):
    """What the decode loop needs of a model's vocabulary."""

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token; empty for control tokens."""
        ...

    def is_eog(self, token: int) -> bool:
        """Whether a token is an end-of-generation token."""
        ...

    def detokenize(self, tokens: Tokens) -> str:
        """Return the text of tokens, including control tokens."""
        ...

    def tokenize_special(self, text: str) -> Tokens:
        """Tokenize markup of the model, in which control tokens are recognized."""
        ...

    def tokenize_text(self, text: str) -> Tokens:
        """Tokenize plain text, in which nothing is a control token."""
        ...

    def is_control(self, token: int) -> bool:
        """Whether a token is a control token."""
        ...

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of any token, including control tokens."""
        ...

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        """Tokenize ``text`` as ``tokens`` when it reappears in a prompt."""
        ...
