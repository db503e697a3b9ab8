"""Find out what answers at an address, which models it has, and with which context and abilities."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from fireside.core.errors import (
    RemoteAnswerInvalid,
    RemoteInterrupted,
    RemoteUnreachable,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.remote import EngineTestResult, RemoteModel, ServerKind
from fireside.gguf.display_text import printable
from fireside.remote.refusal import Refused
from fireside.remote.remote_client import RemoteClient

_LIMIT_S: Final = 10.0
"""For the list of models; a vendor on another continent takes a second."""
_PROBE_S: Final = 5.0
_MOST_MODELS: Final = 1000
_MOST_ASKED: Final = 64
"""Of models that have to be asked for one by one."""
_LONGEST_NAME: Final = 200
_OWNERS: Final = {
    "vllm": ServerKind.VLLM,
    "sglang": ServerKind.SGLANG,
    "llamacpp": ServerKind.LLAMA_SERVER,
    "fireside": ServerKind.FIRESIDE,
}
"""What servers write into ``owned_by`` of each model."""


async def find_out(client: RemoteClient, *, clock: Callable[[], float] = time.monotonic) -> EngineTestResult:
    """Ask an engine what it is. Raises ``RemoteError`` where it cannot be used.

    First the list that all have; then, one after the other, what tells servers apart.
    """
    began = clock()
    listed = await _listed(client)
    seconds = clock() - began
    models = tuple(_from_list(each) for each in listed)
    owners = {_OWNERS.get(str(each.get("owned_by", ""))) for each in listed}
    kind = next((owner for owner in owners if owner is not None), ServerKind.OPENAI)
    if client.engine.kind is ServerKind.ANTHROPIC:  # chosen by the user
        kind = ServerKind.ANTHROPIC
    if kind is ServerKind.OPENAI:
        kind, models = await _told_apart(client, models)
    elif kind is ServerKind.LLAMA_SERVER:
        models = await _with_props(client, models)
    return EngineTestResult(kind=kind, models=models, seconds=seconds)


async def _listed(client: RemoteClient) -> list[dict[str, Any]]:
    try:
        said = await client.json("/v1/models", why=tr("list of models"), limit_s=_LIMIT_S)
    except Refused as exc:
        raise exc.error(host=client.host, has_key=client.has_key) from exc
    data = said.get("data") if isinstance(said, dict) else None
    if not isinstance(data, list):
        raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it lists no models. Check the address."))
    named = [each for each in data[:_MOST_MODELS] if isinstance(each, dict) and _is_name(each.get("id"))]
    if data and not named:
        raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it lists no models. Check the address."))
    return named


def _from_list(said: dict[str, Any]) -> RemoteModel:
    """Return what the list itself says: vLLM, llama-server, Fireside, and vendors that add to it."""
    meta = said.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    n_ctx = next(
        (
            number
            for number in (
                _count(said.get("max_model_len")),
                _count(meta.get("n_ctx")),
                _count(said.get("context_length")),
                _count(said.get("context_window")),
                _count(said.get("max_context_length")),
                _count(said.get("max_input_tokens")),
            )
            if number is not None
        ),
        None,
    )
    known = said.get("supported_parameters")
    return RemoteModel(
        name=said["id"],
        n_ctx=n_ctx,
        source="/v1/models" if n_ctx is not None else "",
        sees=_sees(said.get("architecture")),
        calls_tools="tools" in known if isinstance(known, list) else None,
        reasons="reasoning" in known if isinstance(known, list) else None,
    )


async def _told_apart(
    client: RemoteClient, models: tuple[RemoteModel, ...]
) -> tuple[ServerKind, tuple[RemoteModel, ...]]:
    version = await _probe(client, "/api/version")
    if isinstance(version, dict) and isinstance(version.get("version"), str):
        return ServerKind.OLLAMA, tuple([await _with_show(client, each) for each in models[:_MOST_ASKED]])
    studio = await _probe(client, "/api/v0/models")
    if isinstance(studio, dict) and isinstance(studio.get("data"), list):
        return ServerKind.LM_STUDIO, _with_studio(studio["data"], models)
    info = await _probe(client, "/get_model_info")
    if isinstance(info, dict) and "model_path" in info:
        return ServerKind.SGLANG, models
    props = await _probe(client, "/props")
    if isinstance(props, dict) and "default_generation_settings" in props:
        return ServerKind.LLAMA_SERVER, tuple(_with_prop(each, props) for each in models)
    return ServerKind.OPENAI, models


async def _with_show(client: RemoteClient, model: RemoteModel) -> RemoteModel:
    """Add what Ollama says of one model."""
    said = await _probe(client, "/api/show", body={"model": model.name})
    if not isinstance(said, dict):
        return model
    abilities = said.get("capabilities")
    abilities = abilities if isinstance(abilities, list) else None
    info = said.get("model_info")
    lengths = [
        _count(value)
        for key, value in (info.items() if isinstance(info, dict) else ())
        if isinstance(key, str) and key.endswith(".context_length")
    ]
    n_ctx = next((length for length in lengths if length is not None), None)
    return RemoteModel(
        name=model.name,
        n_ctx=n_ctx,
        source="/api/show" if n_ctx is not None else "",
        sees=None if abilities is None else "vision" in abilities,
        calls_tools=None if abilities is None else "tools" in abilities,
        reasons=None if abilities is None else "thinking" in abilities,
    )


def _with_studio(said: list[Any], models: tuple[RemoteModel, ...]) -> tuple[RemoteModel, ...]:
    """Add what LM Studio says; models for vectors are left out."""
    known = {each["id"]: each for each in said if isinstance(each, dict) and _is_name(each.get("id"))}
    added = []
    for model in models:
        facts = known.get(model.name, {})
        if facts.get("type") == "embeddings":
            continue
        n_ctx = _count(facts.get("loaded_context_length")) or _count(facts.get("max_context_length"))
        abilities = facts.get("capabilities")
        added.append(
            RemoteModel(
                name=model.name,
                n_ctx=n_ctx,
                source="/api/v0/models" if n_ctx is not None else "",
                sees=facts["type"] == "vlm" if isinstance(facts.get("type"), str) else None,
                calls_tools="tool_use" in abilities if isinstance(abilities, list) else None,
            )
        )
    return tuple(added)


async def _with_props(client: RemoteClient, models: tuple[RemoteModel, ...]) -> tuple[RemoteModel, ...]:
    props = await _probe(client, "/props")
    return tuple(_with_prop(each, props) for each in models) if isinstance(props, dict) else models


def _with_prop(model: RemoteModel, props: dict[str, Any]) -> RemoteModel:
    """Add what llama-server says of the one model that it has: the context of a slot, not of all."""
    settings = props.get("default_generation_settings")
    n_ctx = _count(settings.get("n_ctx")) if isinstance(settings, dict) else None
    modalities = props.get("modalities")
    sees = modalities.get("vision") if isinstance(modalities, dict) else None
    return RemoteModel(
        name=model.name,
        n_ctx=n_ctx or model.n_ctx,
        source="/props" if n_ctx is not None else model.source,
        sees=sees if isinstance(sees, bool) else model.sees,
        calls_tools=model.calls_tools,
        reasons=model.reasons,
    )


async def _probe(client: RemoteClient, path: str, *, body: object = None) -> Any:
    """Return what a server answers to a question that it need not know; ``None`` where it does not."""
    try:
        return await client.json(path, why=tr("which server it is"), body=body, limit_s=_PROBE_S)
    except (Refused, RemoteAnswerInvalid, RemoteInterrupted, RemoteUnreachable):
        return None


def _sees(architecture: object) -> bool | None:
    inputs = architecture.get("input_modalities") if isinstance(architecture, dict) else None
    return "image" in inputs if isinstance(inputs, list) else None


def _is_name(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= _LONGEST_NAME
        and printable(value, limit=_LONGEST_NAME) == value
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
