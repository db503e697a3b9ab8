"""Trim, roll back or restore the KV memory of a sequence to a given number of tokens, and verify it."""

from __future__ import annotations

from fireside.runner.kv_memory import KVMemory, StatePart
from fireside.runner.prompt_cache.checkpoints import Checkpoints, positions_of, valid_for
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot
from fireside.runner.tokens import Tokens


def trim(
    memory: KVMemory, sequence: int, n_tokens: int, *, held: Tokens, checkpoints: Checkpoints = ()
) -> int:
    """Keep at most the first ``n_tokens`` of the ``held`` tokens of ``sequence``; return how many are left.

    Where the memory cannot be cut there, it goes back to the nearest checkpoint before, or is cleared.
    """
    usable = valid_for(checkpoints, held)
    n_kept = memory.shape.reachable(
        n_tokens,
        n_held=len(held),
        first=memory.first_position(sequence),
        checkpoints=positions_of(usable),
    )
    remaining = held[:n_kept]
    is_trimmed = n_kept > 0 and (n_kept == len(held) or _rollback(memory, sequence, remaining, usable))
    if is_trimmed and holds(memory, sequence, remaining):
        return n_kept
    memory.clear(sequence)
    return 0


def restore(memory: KVMemory, sequence: int, snapshot: StateSnapshot, n_tokens: int) -> int:
    """Replace the memory of ``sequence`` by at most ``n_tokens`` of ``snapshot``; return how many."""
    loaded = memory.load_state(sequence, snapshot.state, StatePart.WHOLE)
    if loaded and holds(memory, sequence, snapshot.tokens):
        return trim(memory, sequence, n_tokens, held=snapshot.tokens, checkpoints=snapshot.checkpoints)
    memory.clear(sequence)
    return 0


def rollback(memory: KVMemory, sequence: int, *, held: Tokens, checkpoints: Checkpoints) -> int:
    """Restore the newest of ``checkpoints`` within ``held``; return how many tokens are left.

    For use after a decode that was aborted in the middle of updating a recurrent state.
    """
    usable = valid_for(checkpoints, held)
    remaining = held[: usable[-1].n_tokens if usable else 0]
    is_restored = (
        len(remaining) > 0
        and memory.load_state(sequence, usable[-1].state, StatePart.PARTIAL)
        and memory.remove_from(sequence, len(remaining))
    )
    if is_restored and holds(memory, sequence, remaining):
        return len(remaining)
    memory.clear(sequence)
    return 0


def holds(memory: KVMemory, sequence: int, tokens: Tokens) -> bool:
    """Whether the memory of ``sequence`` ends where ``tokens`` end, with all that the next one attends to."""
    n_held = len(tokens)
    if memory.last_position(sequence) != n_held - 1:
        return False
    if n_held == 0 or memory.shape.is_recurrent:
        return True
    return memory.first_position(sequence) <= memory.shape.first_needed(n_held)


def _rollback(memory: KVMemory, sequence: int, remaining: Tokens, checkpoints: Checkpoints) -> bool:
    shape = memory.shape
    if shape.is_recurrent or memory.first_position(sequence) > shape.first_needed(len(remaining)):
        # First the partial state, which replaces what cannot be cut, then the rest.
        checkpoint = next(checkpoint for checkpoint in checkpoints if checkpoint.n_tokens == len(remaining))
        if not memory.load_state(sequence, checkpoint.state, StatePart.PARTIAL):
            return False
    return memory.remove_from(sequence, len(remaining))


def keep_prefix(memory: KVMemory, sequence: int, *, n_keep: int, n_cached: int) -> int:
    """Trim a memory of ``n_cached`` text tokens to ``n_keep``; return how many are left."""
    n_kept = memory.shape.reachable(
        n_keep, n_held=n_cached, first=memory.first_position(sequence), checkpoints=()
    )
    if n_kept == n_cached or (n_kept > 0 and memory.remove_from(sequence, n_kept)):
        return n_kept
    memory.clear(sequence)
    return 0
