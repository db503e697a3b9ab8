"""The loaded models, as clients are told of them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final, NamedTuple

from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.core.options import Purpose
from fireside.core.status import Ready, RunningModel
from fireside.engine.planning.buffer_usage import HOST

_NEVER_S: Final = 10 * 365 * 86_400.0
"""Stands for a model that is never unloaded, since clients expect a date."""


class RunningEntry(NamedTuple):
    """A loaded model. Sizes in bytes."""

    entry: ModelEntry
    n_ctx: int
    n_bytes: int
    n_gpu_bytes: int
    expires_at: float
    """When it is unloaded if it is not used; seconds since 1970."""


def running_entries(
    entries: Iterable[ModelEntry], models: Iterable[RunningModel]
) -> tuple[RunningEntry, ...]:
    """Return those of ``models`` that are loaded and among ``entries``."""
    by_id = {entry.spec.id: entry for entry in entries if entry.spec is not None}
    by_model: dict[ModelId, RunningEntry] = {}
    # A model with instances for answers and vectors is one entry, with the context of the former.
    for model in sorted(models, key=lambda model: model.purpose is Purpose.GENERATE):
        if model.model_id not in by_id or not isinstance(model.state, Ready):
            continue
        loaded, other = model.state.loaded, by_model.get(model.model_id)
        expires_in_s = _NEVER_S if model.expires_in_s is None else model.expires_in_s
        n_bytes, n_gpu_bytes = loaded.n_bytes, loaded.n_bytes - loaded.n_bytes_on(HOST)
        by_model[model.model_id] = RunningEntry(
            entry=by_id[model.model_id],
            n_ctx=loaded.n_ctx,
            n_bytes=n_bytes + (other.n_bytes if other else 0),
            n_gpu_bytes=n_gpu_bytes + (other.n_gpu_bytes if other else 0),
            expires_at=max(time.time() + expires_in_s, other.expires_at if other else 0.0),
        )
    return tuple(by_model.values())
