"""List remote models and pools as library entries. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from fireside.core.load_sizes import effective_n_ctx
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.remote import (
    KIND_WORDS,
    POOL_ID,
    RemoteEngine,
    RemoteLocation,
    RemoteModel,
    ServerKind,
    remote_id,
)
from fireside.remote.address import host_of

_BETWEEN = ", "


def remote_entries(engines: Sequence[RemoteEngine], *, down: Collection[str]) -> tuple[ModelEntry, ...]:
    """Return an entry for each of the user's pools and for each model that the user allows.

    ``down`` has the ids of engines that could not be reached last time.
    """
    pools: dict[str, list[RemoteLocation]] = {}
    model_entries: list[ModelEntry] = []
    for engine in engines:
        for model in engine.models:
            location = _location(engine, model, is_unreachable=engine.id in down)
            if model.is_pooled:
                pools.setdefault(model.name, []).append(location)
            if model.is_allowed:
                model_entries.append(_entry(location, source=f"{engine.name} ({KIND_WORDS[engine.kind]})"))
    return (*(_pool_entry(members) for members in pools.values()), *model_entries)


def location_for_options(location: RemoteLocation, options: LoadOptions) -> RemoteLocation:
    """Return ``location`` with the requested context length, where a server accepts one."""
    model, members = (
        location.model,
        tuple(location_for_options(member, options) for member in location.members),
    )
    if location.kind is ServerKind.OLLAMA and not members:
        n_ctx = effective_n_ctx(options, n_ctx_train=model.n_ctx or 0)
        model = msgspec.structs.replace(model, n_ctx=n_ctx)
    elif members:
        model = msgspec.structs.replace(model, n_ctx=_min_known(member.model.n_ctx for member in members))
    return msgspec.structs.replace(location, model=model, members=members)


def _location(engine: RemoteEngine, model: RemoteModel, *, is_unreachable: bool) -> RemoteLocation:
    return RemoteLocation(
        engine_id=engine.id,
        engine_name=engine.name,
        host=host_of(engine.address),
        model=model,
        kind=engine.kind,
        is_unreachable=is_unreachable,
    )


def _pool_entry(members: Sequence[RemoteLocation]) -> ModelEntry:
    models = [member.model for member in members]
    pool = RemoteLocation(
        engine_id=POOL_ID,
        engine_name=_BETWEEN.join(member.engine_name for member in members),
        host=_BETWEEN.join(member.host for member in members),
        model=RemoteModel(
            name=models[0].name,
            n_ctx=_min_known(model.n_ctx for model in models),
            sees=_all_or_unknown(model.sees for model in models),
            calls_tools=_all_or_unknown(model.calls_tools for model in models),
            reasons=_all_or_unknown(model.reasons for model in models),
        ),
        kind=members[0].kind,
        members=tuple(members),
    )
    return _entry(pool, source=pool.engine_name)


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


def _min_known(numbers: Iterable[int | None]) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _all_or_unknown(values: Iterable[bool | None]) -> bool | None:
    """Return whether all are true; ``None`` where one is unknown and none is false."""
    answers = list(values)
    if False in answers:
        return False
    return None if None in answers else True
