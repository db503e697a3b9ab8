"""List remote models and pools as library entries. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from fireside.core.context_length import effective_n_ctx
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
    single = []
    for engine in engines:
        for model in engine.models:
            place = _place(engine, model, is_unreachable=engine.id in down)
            if model.is_pooled:
                pools.setdefault(model.name, []).append(place)
            if model.is_allowed:
                single.append(_entry(place, source=f"{engine.name} ({KIND_WORDS[engine.kind]})"))
    return (*(_pool_entry(members) for members in pools.values()), *single)


def place_for_options(place: RemoteLocation, options: LoadOptions) -> RemoteLocation:
    """Return ``place`` with the requested context length, where a server accepts one."""
    model, members = place.model, tuple(place_for_options(each, options) for each in place.members)
    if place.kind is ServerKind.OLLAMA and not members:
        n_ctx = effective_n_ctx(options, n_ctx_train=model.n_ctx or 0)
        model = msgspec.structs.replace(model, n_ctx=n_ctx)
    elif members:
        model = msgspec.structs.replace(model, n_ctx=_least(each.model.n_ctx for each in members))
    return msgspec.structs.replace(place, model=model, members=members)


def _place(engine: RemoteEngine, model: RemoteModel, *, is_unreachable: bool) -> RemoteLocation:
    return RemoteLocation(
        engine_id=engine.id,
        engine_name=engine.name,
        host=host_of(engine.address),
        model=model,
        kind=engine.kind,
        is_unreachable=is_unreachable,
    )


def _pool_entry(members: Sequence[RemoteLocation]) -> ModelEntry:
    models = [each.model for each in members]
    place = RemoteLocation(
        engine_id=POOL_ID,
        engine_name=_BETWEEN.join(each.engine_name for each in members),
        host=_BETWEEN.join(each.host for each in members),
        model=RemoteModel(
            name=models[0].name,
            n_ctx=_least(model.n_ctx for model in models),
            sees=_all_known(model.sees for model in models),
            calls_tools=_all_known(model.calls_tools for model in models),
            reasons=_all_known(model.reasons for model in models),
        ),
        kind=members[0].kind,
        members=tuple(members),
    )
    return _entry(place, source=place.engine_name)


def _entry(place: RemoteLocation, *, source: str) -> ModelEntry:
    """Return a library entry; its name contains the host."""
    model = place.model
    spec = ModelSpec(
        id=remote_id(place.engine_id, model.name),
        name=f"{model.name} @ {place.host}",
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
        remote=place,
    )
    return ModelEntry(path="", file_name=model.name, size_bytes=0, source=source, removable=False, spec=spec)


def _least(numbers: Iterable[int | None]) -> int | None:
    """Return the smallest known number."""
    return min((number for number in numbers if number is not None), default=None)


def _all_known(said: Iterable[bool | None]) -> bool | None:
    """Return whether all are true; ``None`` where one is unknown and none is false."""
    answers = list(said)
    if False in answers:
        return False
    return None if None in answers else True
