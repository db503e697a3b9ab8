"""Detect the kind of server at an address, its models, and their context lengths and capabilities."""

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
from fireside.gguf.header import printable
from fireside.remote.error_response import ErrorResponse
from fireside.remote.remote_client import RemoteClient

_LIMIT_S: Final = 10.0
"""Time limit for the list of models; a vendor on another continent takes a second."""
_PROBE_S: Final = 5.0
_MAX_MODELS: Final = 1000
_MAX_PROBED: Final = 64
"""Limit of models that are queried one by one."""
_MAX_NAME: Final = 200
_OWNERS: Final = {
    "vllm": ServerKind.VLLM,
    "sglang": ServerKind.SGLANG,
    "llamacpp": ServerKind.LLAMA_SERVER,
    "fireside": ServerKind.FIRESIDE,
}
"""Values of ``owned_by`` by which servers can be recognized."""


async def detect_engine(
    client: RemoteClient, *, clock: Callable[[], float] = time.monotonic
) -> EngineTestResult:
    """Detect what an engine is. Raises ``RemoteError`` if it cannot be used.

    First the list of models, which all servers have; then endpoints that only some servers have.
    """
    started_at = clock()
    entries = await _list_models(client)
    seconds = clock() - started_at
    models = tuple(_from_list(each) for each in entries)
    owners = {_OWNERS.get(str(each.get("owned_by", ""))) for each in entries}
    kind = next((owner for owner in owners if owner is not None), ServerKind.OPENAI)
    if client.engine.kind is ServerKind.ANTHROPIC:  # chosen by the user
        kind = ServerKind.ANTHROPIC
    if kind is ServerKind.OPENAI:
        kind, models = await _detect_kind(client, models)
    elif kind is ServerKind.LLAMA_SERVER:
        models = await _with_props(client, models)
    return EngineTestResult(kind=kind, models=models, seconds=seconds)


async def _list_models(client: RemoteClient) -> list[dict[str, Any]]:
    try:
        response = await client.json("/v1/models", why=tr("list of models"), limit_s=_LIMIT_S)
    except ErrorResponse as exc:
        raise exc.error(host=client.host, has_key=client.has_key) from exc
    data = response.get("data") if isinstance(response, dict) else None
    if not isinstance(data, list):
        raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it lists no models. Check the address."))
    named = [each for each in data[:_MAX_MODELS] if isinstance(each, dict) and _is_name(each.get("id"))]
    if data and not named:
        raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it lists no models. Check the address."))
    return named


def _from_list(entry: dict[str, Any]) -> RemoteModel:
    """Return a model with what its list entry contains: vLLM, llama-server, Fireside and others extend it."""
    meta = entry.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    n_ctx = next(
        (
            number
            for number in (
                _count(entry.get("max_model_len")),
                _count(meta.get("n_ctx")),
                _count(entry.get("context_length")),
                _count(entry.get("context_window")),
                _count(entry.get("max_context_length")),
                _count(entry.get("max_input_tokens")),
            )
            if number is not None
        ),
        None,
    )
    parameters = entry.get("supported_parameters")
    return RemoteModel(
        name=entry["id"],
        n_ctx=n_ctx,
        source="/v1/models" if n_ctx is not None else "",
        sees=_takes(entry.get("architecture"), "image"),
        hears=_takes(entry.get("architecture"), "audio"),
        calls_tools="tools" in parameters if isinstance(parameters, list) else None,
        reasons="reasoning" in parameters if isinstance(parameters, list) else None,
    )


async def _detect_kind(
    client: RemoteClient, models: tuple[RemoteModel, ...]
) -> tuple[ServerKind, tuple[RemoteModel, ...]]:
    version = await _probe(client, "/api/version")
    if isinstance(version, dict) and isinstance(version.get("version"), str):
        return ServerKind.OLLAMA, tuple([await _with_show(client, each) for each in models[:_MAX_PROBED]])
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
    """Add Ollama's details of one model."""
    details = await _probe(client, "/api/show", body={"model": model.name})
    if not isinstance(details, dict):
        return model
    capabilities = details.get("capabilities")
    capabilities = capabilities if isinstance(capabilities, list) else None
    info = details.get("model_info")
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
        sees=None if capabilities is None else "vision" in capabilities,
        hears=None if capabilities is None else "audio" in capabilities,
        calls_tools=None if capabilities is None else "tools" in capabilities,
        reasons=None if capabilities is None else "thinking" in capabilities,
    )


def _with_studio(entries: list[Any], models: tuple[RemoteModel, ...]) -> tuple[RemoteModel, ...]:
    """Add LM Studio's details; embedding models are left out."""
    by_name = {each["id"]: each for each in entries if isinstance(each, dict) and _is_name(each.get("id"))}
    detailed = []
    for model in models:
        entry = by_name.get(model.name, {})
        if entry.get("type") == "embeddings":
            continue
        n_ctx = _count(entry.get("loaded_context_length")) or _count(entry.get("max_context_length"))
        capabilities = entry.get("capabilities")
        detailed.append(
            RemoteModel(
                name=model.name,
                n_ctx=n_ctx,
                source="/api/v0/models" if n_ctx is not None else "",
                sees=entry["type"] == "vlm" if isinstance(entry.get("type"), str) else None,
                calls_tools="tool_use" in capabilities if isinstance(capabilities, list) else None,
            )
        )
    return tuple(detailed)


async def _with_props(client: RemoteClient, models: tuple[RemoteModel, ...]) -> tuple[RemoteModel, ...]:
    props = await _probe(client, "/props")
    return tuple(_with_prop(each, props) for each in models) if isinstance(props, dict) else models


def _with_prop(model: RemoteModel, props: dict[str, Any]) -> RemoteModel:
    """Add llama-server's details of its one model; the context is that of a slot, not of all together."""
    settings = props.get("default_generation_settings")
    n_ctx = _count(settings.get("n_ctx")) if isinstance(settings, dict) else None
    modalities = props.get("modalities")
    modalities = modalities if isinstance(modalities, dict) else {}
    sees, hears = modalities.get("vision"), modalities.get("audio")
    return RemoteModel(
        name=model.name,
        n_ctx=n_ctx or model.n_ctx,
        source="/props" if n_ctx is not None else model.source,
        sees=sees if isinstance(sees, bool) else model.sees,
        hears=hears if isinstance(hears, bool) else model.hears,
        calls_tools=model.calls_tools,
        reasons=model.reasons,
    )


async def _probe(client: RemoteClient, path: str, *, body: object = None) -> Any:
    """Return the response of an endpoint that the server may not have; ``None`` if it fails."""
    try:
        return await client.json(path, why=tr("which server it is"), body=body, limit_s=_PROBE_S)
    except (ErrorResponse, RemoteAnswerInvalid, RemoteInterrupted, RemoteUnreachable):
        return None


def _takes(architecture: object, medium: str) -> bool | None:
    inputs = architecture.get("input_modalities") if isinstance(architecture, dict) else None
    return medium in inputs if isinstance(inputs, list) else None


def _is_name(value: object) -> bool:
    return (
        isinstance(value, str) and 0 < len(value) <= _MAX_NAME and printable(value, limit=_MAX_NAME) == value
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
