"""Requests for vectors that wait, and which of their inputs are computed together next."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.runner.prompt_cache.common_prefix import Tokens


class Input(NamedTuple):
    """One text of one request, its ``number``-th."""

    request_id: RequestId
    number: int
    tokens: Tokens


class Job(msgspec.Struct, kw_only=True):
    """One request. ``waiting`` are the inputs that are not computed yet, the next one last."""

    request_id: RequestId
    priority: Priority
    normalise: bool
    dimensions: int | None
    accepted_at: float
    n_inputs: int
    n_tokens: int
    """Of all its inputs."""
    waiting: list[Input]
    n_done: int = 0
    started_at: float | None = None


def next_inputs(jobs: list[Job], *, n_tokens_max: int, n_inputs_max: int) -> list[Input]:
    """Take the inputs of the next batch out of ``jobs``: interactive requests first, in turn among equals.

    Args:
        jobs: in the order of their arrival. Those that give an input move behind their equals.
    """
    taken: list[Input] = []
    n_left = n_tokens_max
    for priority in Priority:
        turn = [job for job in jobs if job.priority is priority]
        while turn and len(taken) < n_inputs_max:
            fits = [job for job in turn if job.waiting and len(job.waiting[-1].tokens) <= n_left]
            if not fits:
                break
            for job in fits:
                if len(taken) < n_inputs_max and len(job.waiting[-1].tokens) <= n_left:
                    taken.append(job.waiting.pop())
                    n_left -= len(taken[-1].tokens)
                    jobs.remove(job)
                    jobs.append(job)
            turn = fits
    return taken
