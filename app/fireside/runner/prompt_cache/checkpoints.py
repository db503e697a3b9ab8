"""Points in a prompt to which a memory that forgets can go back."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from fireside.runner.kv_memory import State
from fireside.runner.tokens import Tokens

MAX_CHECKPOINTS: Final = 32
_DIGEST_BYTES: Final = 16


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The moving part of a memory that held ``n_tokens`` tokens."""

    n_tokens: int
    digest: bytes
    """Of those tokens, so that it is never used behind others."""
    state: State

    @property
    def n_bytes(self) -> int:
        """Memory that its state takes."""
        return int(self.state.nbytes)


Checkpoints = tuple[Checkpoint, ...]
"""In ascending order of tokens, no two at the same place."""


def checkpoint_at(tokens: Tokens, state: State) -> Checkpoint:
    """Return the checkpoint of a memory that holds just ``tokens``."""
    return Checkpoint(n_tokens=len(tokens), digest=_digest(tokens), state=state)


def fitting(checkpoints: Checkpoints, tokens: Tokens) -> Checkpoints:
    """Return those that were made behind the first of these very ``tokens``."""
    return tuple(
        checkpoint
        for checkpoint in checkpoints
        if checkpoint.n_tokens <= len(tokens) and checkpoint.digest == _digest(tokens[: checkpoint.n_tokens])
    )


def with_checkpoint(checkpoints: Checkpoints, added: Checkpoint, *, limit_bytes: int) -> Checkpoints:
    """Return ``checkpoints`` with ``added``, within the number and the bytes that a conversation may have."""
    kept = (*(each for each in checkpoints if each.n_tokens != added.n_tokens), added)
    return within(tuple(sorted(kept, key=lambda checkpoint: checkpoint.n_tokens)), limit_bytes=limit_bytes)


def within(checkpoints: Checkpoints, *, limit_bytes: int) -> Checkpoints:
    """Return what of ``checkpoints`` a conversation may have, by number and bytes.

    The one goes that is nearest to the one before it, so that what stays is spread over the whole
    conversation; the last stays longest.
    """
    kept = list(checkpoints)
    while kept and (len(kept) > MAX_CHECKPOINTS or bytes_of(tuple(kept)) > limit_bytes):
        kept.pop(_least_missed(kept))
    return tuple(kept)


def bytes_of(checkpoints: Checkpoints) -> int:
    """Return the memory that all of them take."""
    return sum(checkpoint.n_bytes for checkpoint in checkpoints)


def _least_missed(checkpoints: list[Checkpoint]) -> int:
    places = [0, *(checkpoint.n_tokens for checkpoint in checkpoints)]
    gaps = [after - before for before, after in zip(places[:-2], places[2:], strict=True)]
    return gaps.index(min(gaps)) if gaps else 0


def places_of(checkpoints: Checkpoints) -> tuple[int, ...]:
    """Return the numbers of tokens to which checkpoints lead back."""
    return tuple(checkpoint.n_tokens for checkpoint in checkpoints)


def _digest(tokens: Tokens) -> bytes:
    return hashlib.blake2b(tokens.tobytes(), digest_size=_DIGEST_BYTES).digest()
