"""List remote models as library entries. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from fireside.core.load_sizes import effective_n_ctx
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.remote import (
    KIND_WORDS,
    RemoteEngine,
    RemoteLocation,
    RemoteModel,
    ServerKind,
    remote_id,
)
from fireside.remote.address import host_of


def remote_entries(engines: Sequence[RemoteEngine], *, down: Collection[str]) -> tuple[ModelEntry, ...]:
    """Return an entry for each model that the user allows.

    ``down`` has the ids of engines that could not be reached last time.
    """
    return tuple(
        _entry(
            _location(engine, model, is_unreachable=engine.id in down),
            source=f"{engine.name} ({KIND_WORDS[engine.kind]})",
        )
        for engine in engines
        for model in engine.models
        if model.is_allowed
    )


def pooled_models(engines: Sequence[RemoteEngine]) -> tuple[str, ...]:
    """Return the names of the models that a version with pools joined, sorted."""
    return tuple(sorted({model.name for engine in engines for model in engine.models if model.is_pooled}))


def without_pools(engines: Sequence[RemoteEngine]) -> tuple[RemoteEngine, ...]:
    """Return the engines with the models of pools by themselves in the list, also where only the pool was."""

    def unjoined(model: RemoteModel) -> RemoteModel:
        if not model.is_pooled:
            return model
        return msgspec.structs.replace(model, is_pooled=False, is_allowed=True)

    return tuple(
        msgspec.structs.replace(engine, models=tuple(map(unjoined, engine.models))) for engine in engines
    )


def location_for_options(location: RemoteLocation, options: LoadOptions) -> RemoteLocation:
    """Return ``location`` with the requested context length, where a server accepts one."""
    if location.kind is not ServerKind.OLLAMA:
        return location
    n_ctx = effective_n_ctx(options, n_ctx_train=location.model.n_ctx or 0)
    return msgspec.structs.replace(location, model=msgspec.structs.replace(location.model, n_ctx=n_ctx))


def _location(engine: RemoteEngine, model: RemoteModel, *, is_unreachable: bool) -> RemoteLocation:
    return RemoteLocation(
        engine_id=engine.id,
        engine_name=engine.name,
        host=host_of(engine.address),
        model=model,
        kind=engine.kind,
        is_unreachable=is_unreachable,
    )


def _entry(location: RemoteLocation, *, source: str) -> ModelEntry:
    """Return a library entry; its name contains the host."""
    model = location.model
    spec = ModelSpec(
        id=remote_id(location.engine_id, model.name),
        name=f"{model.name} @ {location.host}",
        path="",
        size_bytes=0,
        architecture="",
        quantization="",
        n_params=0,
        n_ctx_train=model.n_ctx or 0,
        n_layers=0,
        n_embd=0,
        n_vocab=0,
        has_chat_template=True,
        reasons=model.reasons is not False,
        remote=location,
    )
    return ModelEntry(path="", file_name=model.name, size_bytes=0, source=source, removable=False, spec=spec)
