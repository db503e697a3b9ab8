"""Checkpoints: saved partial states to which sliding-window and recurrent memory can roll back."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from fireside.runner.kv_memory import State
from fireside.runner.tokens import Tokens

MAX_CHECKPOINTS: Final = 32
_DIGEST_BYTES: Final = 16


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The partial state (``StatePart.PARTIAL``) of a memory that held ``n_tokens`` tokens."""

    n_tokens: int
    digest: bytes
    """Hash of those tokens, so that it is never used after different ones."""
    state: State

    @property
    def n_bytes(self) -> int:
        """Size of its state."""
        return int(self.state.nbytes)


Checkpoints = tuple[Checkpoint, ...]
"""In ascending order of ``n_tokens``, which is unique."""


def checkpoint_at(tokens: Tokens, state: State) -> Checkpoint:
    """Return the checkpoint of a memory that holds exactly ``tokens``."""
    return Checkpoint(n_tokens=len(tokens), digest=_digest(tokens), state=state)


def valid_for(checkpoints: Checkpoints, tokens: Tokens) -> Checkpoints:
    """Return the checkpoints that were made after a prefix of ``tokens``."""
    return tuple(
        checkpoint
        for checkpoint in checkpoints
        if checkpoint.n_tokens <= len(tokens) and checkpoint.digest == _digest(tokens[: checkpoint.n_tokens])
    )


def with_checkpoint(checkpoints: Checkpoints, added: Checkpoint, *, limit_bytes: int) -> Checkpoints:
    """Return ``checkpoints`` with ``added``, pruned to the allowed number and bytes."""
    merged = (*(checkpoint for checkpoint in checkpoints if checkpoint.n_tokens != added.n_tokens), added)
    return prune(tuple(sorted(merged, key=lambda checkpoint: checkpoint.n_tokens)), limit_bytes=limit_bytes)


def prune(checkpoints: Checkpoints, *, limit_bytes: int) -> Checkpoints:
    """Return ``checkpoints`` without those beyond ``MAX_CHECKPOINTS`` or ``limit_bytes``.

    The one whose neighbours are closest together is removed first, so that the rest stays spread over the
    whole conversation; the last one is kept longest.
    """
    remaining = list(checkpoints)
    while remaining and (len(remaining) > MAX_CHECKPOINTS or total_bytes(tuple(remaining)) > limit_bytes):
        remaining.pop(_most_redundant(remaining))
    return tuple(remaining)


def total_bytes(checkpoints: Checkpoints) -> int:
    """Return the size of all states together."""
    return sum(checkpoint.n_bytes for checkpoint in checkpoints)


def _most_redundant(checkpoints: list[Checkpoint]) -> int:
    positions = [0, *(checkpoint.n_tokens for checkpoint in checkpoints)]
    gaps = [end - start for start, end in zip(positions[:-2], positions[2:], strict=True)]
    return gaps.index(min(gaps)) if gaps else 0


def positions_of(checkpoints: Checkpoints) -> tuple[int, ...]:
    """Return the token counts that the checkpoints can restore."""
    return tuple(checkpoint.n_tokens for checkpoint in checkpoints)


def _digest(tokens: Tokens) -> bytes:
    return hashlib.blake2b(tokens.tobytes(), digest_size=_DIGEST_BYTES).digest()
