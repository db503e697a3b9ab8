"""Remote engines and their models, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.secret_location import SecretLocation

_SCHEME: Final = "remote:"


class ServerKind(StrEnum):
    """The kind of a server."""

    OPENAI = "openai"
    """An unknown server with OpenAI's API."""
    VLLM = "vllm"
    SGLANG = "sglang"
    LM_STUDIO = "lm_studio"
    LLAMA_SERVER = "llama_server"
    OLLAMA = "ollama"
    FIRESIDE = "fireside"
    ANTHROPIC = "anthropic"
    """Chosen by the user; the others are detected."""


KIND_WORDS = {
    ServerKind.OPENAI: "OpenAI-compatible",
    ServerKind.VLLM: "vLLM",
    ServerKind.SGLANG: "SGLang",
    ServerKind.LM_STUDIO: "LM Studio",
    ServerKind.LLAMA_SERVER: "llama-server",
    ServerKind.OLLAMA: "Ollama",
    ServerKind.FIRESIDE: "Fireside",
    ServerKind.ANTHROPIC: "Anthropic",
}
"""Names of the kinds, which are not translated."""


def remote_id(engine_id: str, model: str) -> ModelId:
    """Return the id of a remote model, which no local model can have."""
    return ModelId(f"{_SCHEME}{engine_id}/{model}")


def is_remote(model_id: ModelId) -> bool:
    """Return whether an id is that of a remote model, even if its engine was removed."""
    return model_id.startswith(_SCHEME)


class RemoteModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model of a remote engine, as it reports it; ``None`` for what it does not report."""

    name: str
    """The name in requests."""
    n_ctx: int | None = None
    source: str = ""
    """The path from which ``n_ctx`` was read, such as ``/props``."""
    sees: bool | None = None
    hears: bool | None = None
    calls_tools: bool | None = None
    reasons: bool | None = None
    is_allowed: bool = True
    """Whether the user includes it in the list of models."""
    is_pooled: bool = False
    """Whether a version with pools joined it with those of other engines; see ``without_pools``."""


class RemoteEngine(msgspec.Struct, frozen=True, kw_only=True):
    """An engine that the user added. Its key is stored with the secrets, under ``id``."""

    id: str
    """Random; an address that is added again gets a new id, so that it does not get an earlier key."""
    name: str
    address: str
    """The URL before ``/v1``, without a slash at its end."""
    kind: ServerKind = ServerKind.OPENAI
    fingerprint: str = ""
    """SHA-256 of the pinned certificate, in hexadecimal; empty to accept any trusted one."""
    ca_file: str = ""
    """Additional trusted certificates."""
    has_key: bool = False
    models: tuple[RemoteModel, ...] = ()
    """As of the last test."""
    refused: tuple[str, ...] = ()
    """Parameters that it rejected, which are no longer sent."""


class RemoteLocation(msgspec.Struct, frozen=True, kw_only=True):
    """The engine of a remote model, as part of its ``ModelSpec``."""

    engine_id: str
    engine_name: str
    host: str
    """With its port; shown together with the model."""
    model: RemoteModel
    kind: ServerKind
    is_unreachable: bool = msgspec.field(name="is_down", default=False)
    """Whether the last request could not reach it."""


class EngineTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of testing an engine."""

    kind: ServerKind
    models: tuple[RemoteModel, ...]
    seconds: float
    """The time until the first response."""
    key_location: SecretLocation = SecretLocation.NONE
    """The location in which a new key was stored."""


class NewEngine(msgspec.Struct, frozen=True, kw_only=True):
    """The user's entries for a new engine."""

    address: str
    name: str = ""
    """Empty for the host."""
    key: str = ""
    allows_plain: bool = False
    """Whether the user confirmed an unencrypted connection within the local network."""
    fingerprint: str = ""
    ca_file: str = ""
    is_anthropic: bool = False
    """Whether it has Anthropic's API; otherwise its kind is detected."""

    def __repr__(self) -> str:
        return f"NewEngine({self.address!r})"


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """A request to the network, successful or not."""

    at_s: float
    """Seconds since 1970."""
    host: str
    why: str
    """The purpose for the user, as a noun."""
    n_sent: int
    """Bytes of the request body."""
    n_received: int
    """Bytes of the response body so far."""
