"""What the decode loop needs of llama.cpp, as types without it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import TokenLogprobs
from fireside.core.options import SamplingParams
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt.segments import Prompt
from fireside.runner.tokens import Tokens


class DecodeResult(IntEnum):
    """What ``llama_decode`` returned; every negative number is ``FAILED``."""

    DONE = 0
    NO_ROOM = 1
    ABORTED = 2
    FAILED = -1


class Batch(Protocol):
    """The tokens of one step."""

    def clear(self) -> None:
        """Take all tokens out."""
        ...

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        """Append tokens of one sequence, the first at ``position``; return the index of the last."""
        ...

    def add_all(self, tokens: Tokens, *, sequence: int, position: int) -> int:
        """Append tokens of one sequence and want the output of each; return the index of the first."""
        ...


BatchT = TypeVar("BatchT", bound=Batch, contravariant=True)


class Decoder(ShiftableMemory, Protocol[BatchT]):
    """Evaluates batches and holds the KV caches. Counts in tokens, ``n_ctx`` the most of one sequence."""

    n_ctx: int
    n_batch: int
    n_ubatch: int
    n_seq_max: int
    n_stages: int
    """Devices that work on micro-batches of a step at the same time, one behind the other; 1 is none."""
    n_outputs_max: int
    """Most tokens of a batch whose logits may be wanted."""

    def decode(self, batch: BatchT) -> DecodeResult:
        """Evaluate a batch: its logits can be read until the next call."""
        ...

    def n_passes(self, parts: Mapping[int, int]) -> int:
        """Return in how many forward passes a batch is computed that has so many tokens of each sequence."""
        ...

    def last_position(self, sequence: int) -> int:
        """Return the position of a sequence's last token; -1 for none."""
        ...


class Choice(NamedTuple):
    """A token that was taken, with its probabilities if they were asked for."""

    token: int
    logprobs: TokenLogprobs | None = None


class Sampler(Protocol):
    """One request's way to choose tokens.

    What is sampled counts as taken: penalties and rules go on from it.
    """

    def sample(self, index: int) -> Choice:
        """Return the next token from the logits at ``index`` of the last batch.

        Raises:
            FiresideError: this answer cannot go on: its logits are no numbers, its rule became too complex.
        """
        ...

    def force(self, tokens: Tokens) -> None:
        """Let the next calls of ``sample`` return these, whatever the logits say."""
        ...

    def constrain(
        self, constraint: Constraint, *, already: str, ends_answer: bool, unless: Sequence[Tokens] = ()
    ) -> None:
        """Hold what follows to ``constraint``, of which ``already`` is written.

        Where the constraint is fulfilled, the answer ends if ``ends_answer``; else it goes on unbound.
        The first token may begin one of ``unless`` instead: the rest of it follows, and nothing is bound.

        Raises:
            NotReady: it is being compiled; nothing may be sampled before this was called again.
            ConstraintInvalid: it cannot be followed.
        """
        ...

    def close(self) -> None:
        """Free what llama.cpp holds for it. Idempotent."""
        ...


class SamplerRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a sampler is made for. ``prompt`` counts for the penalties, as everywhere in llama.cpp."""

    params: SamplingParams
    seed: int
    prompt: Tokens
    constraints: tuple[Constraint, ...] = ()
    """What ``constrain`` may be called with and is waited for: compiled beside the decoding."""
    likely: tuple[Constraint, ...] = ()
    """What ``constrain`` may come to be called with as well, the likeliest first: begun, not waited for."""


class NotReady(Exception):
    """A sampler, or a rule, is not there yet: what it needs is being prepared in another thread.

    Ask again once ``ready`` is set; it is set whether the preparation succeeds or fails.
    """

    def __init__(self, ready: threading.Event) -> None:
        super().__init__("it is being prepared")
        self.ready = ready


MakeSampler = Callable[[SamplerRequest], Sampler]
"""Makes a sampler, at once. Raises ``NotReady`` to be asked again, ``FiresideError`` for what cannot be."""


class DraftRequest(NamedTuple):
    """A request for what might follow ``tokens``: all of a slot's, the last sampled one included."""

    slot: int
    tokens: Tokens
    n_max: int


class Computed(NamedTuple):
    """A slot's part of a step that was computed.

    Its first token has ``position`` in the sequence and is number ``first`` of the batch; the last ones may
    be guesses.
    """

    slot: int
    tokens: Tokens
    position: int
    first: int


class Drafter(Protocol):
    """Guesses what follows. It decides nothing: a wrong guess costs time, and changes no answer."""

    is_free: bool
    """Whether looking for a guess takes no time worth counting."""

    def draft(self, asks: Sequence[DraftRequest]) -> list[Tokens | None]:
        """Return a guess for each of ``asks``, at most ``n_max`` tokens long.

        Empty where it has none, ``None`` where it could not look yet: it is still reading the text before.
        """
        ...

    def computed(self, parts: Sequence[Computed]) -> None:
        """Look at what the model has just computed; called after each step, before anything is sampled."""
        ...

    def close(self) -> None:
        """Free what it holds. Idempotent."""
        ...


class Weights(Protocol):
    """What can be changed of a model while it computes: how strong its adapters are."""

    def scales(self, wanted: tuple[float, ...] | None) -> tuple[float, ...]:
        """Return the strengths for a request that asks for ``wanted``; ``None`` is as loaded.

        Raises:
            InvalidParameter: they do not fit.
        """
        ...

    def use(self, scales: tuple[float, ...]) -> None:
        """Compute with ``scales`` from now on."""
        ...


class Vocabulary(Protocol):
    def tokenize(self, prompt: Prompt) -> Tokens:
        """Return the tokens of a prompt."""
        ...

    def piece(self, token: int) -> bytes:
        """Return the bytes that a token stands for; none for control tokens."""
        ...

    def ends_answer(self, token: int) -> bool:
        """Tell whether a token ends an answer."""
        ...

    def written(self, tokens: Tokens) -> str:
        """Return the text of tokens, control tokens too."""
        ...

    def markup(self, text: str) -> Tokens:
        """Return the tokens of the model's own markup: control tokens are read as such."""
        ...

    def words(self, text: str) -> Tokens:
        """Return the tokens of plain text, in which nothing is a control token."""
        ...

    def is_control(self, token: int) -> bool:
        """Tell whether a token stands for nothing that is written."""
        ...

    def spelled(self, token: int) -> bytes:
        """Return the bytes of any token, control tokens too."""
        ...

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        """Have ``text`` tokenized as ``tokens`` when it comes back in a prompt."""
        ...
