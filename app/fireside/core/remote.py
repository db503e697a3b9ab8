"""Remote engines and their models: values, ids and where each fact comes from."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.secret_location import SecretLocation

_SCHEME: Final = "remote:"
POOL_ID: Final = "pool"
"""Stands for the engine in the id of a model that a pool has; no engine has it."""


class ServerKind(StrEnum):
    """What answers at an address, as it was found out."""

    OPENAI = "openai"
    """Some server that speaks OpenAI's API, and says no more about itself."""
    VLLM = "vllm"
    SGLANG = "sglang"
    LM_STUDIO = "lm_studio"
    LLAMA_SERVER = "llama_server"
    OLLAMA = "ollama"
    FIRESIDE = "fireside"
    ANTHROPIC = "anthropic"
    """Chosen by the user; the others are found out."""


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
"""What a server is called; names, which are the same in every language."""


def remote_id(engine_id: str, model: str) -> ModelId:
    """Return the id of a model of another engine; no model of this computer has one like it."""
    return ModelId(f"{_SCHEME}{engine_id}/{model}")


def is_remote(model_id: ModelId) -> bool:
    """Whether an id names a model of another engine, also of one that was removed."""
    return model_id.startswith(_SCHEME)


class RemoteModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that an engine says it has. ``None`` is what it does not say."""

    name: str
    """As the server wants it in a request."""
    n_ctx: int | None = None
    source: str = ""
    """Where ``n_ctx`` was found: the path that was asked, such as ``/props``."""
    sees: bool | None = None
    calls_tools: bool | None = None
    reasons: bool | None = None
    is_allowed: bool = True
    """Whether the user wants it in the list of models."""
    is_pooled: bool = False
    """Whether the user joined it with the models of the same name of other engines."""


class RemoteEngine(msgspec.Struct, frozen=True, kw_only=True):
    """An engine that the user added. Its key is kept elsewhere, under ``id``."""

    id: str
    """Drawn by chance; an address that is entered anew gets another one, and never an earlier one's key."""
    name: str
    address: str
    """URL up to where ``/v1`` would follow, without a slash at its end."""
    kind: ServerKind = ServerKind.OPENAI
    fingerprint: str = ""
    """SHA-256 of the only certificate that is accepted, in hexadecimal digits; empty is any trusted one."""
    ca_file: str = ""
    """Certificates that are trusted besides the system's."""
    has_key: bool = False
    models: tuple[RemoteModel, ...] = ()
    """As they were found the last time."""
    refused: tuple[str, ...] = ()
    """Parameters that it does not take, as it said itself; they are left out since."""


class RemoteLocation(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model of another engine is, or a pool's, as part of its ``ModelSpec``."""

    engine_id: str
    engine_name: str
    host: str
    """With its port; shown wherever the model is. Of a pool all hosts, with commas between."""
    model: RemoteModel
    """Of a pool what all its engines have: the smallest context, and no ability that one lacks."""
    kind: ServerKind
    is_unreachable: bool = msgspec.field(name="is_down", default=False)
    """It could not be reached the last time that it was asked."""
    members: tuple[RemoteLocation, ...] = ()
    """Of a pool: the places that the user joined. What is sent to the pool goes to one of them."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Where a message may go."""
        return tuple(each.host for each in self.members) or (self.host,)

    @property
    def unreachable_hosts(self) -> tuple[str, ...]:
        """The hosts that could not be reached the last time."""
        return tuple(each.host for each in self.members or (self,) if each.is_unreachable)


class EngineTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a test of an engine found."""

    kind: ServerKind
    models: tuple[RemoteModel, ...]
    seconds: float
    """Until the first answer."""
    key_location: SecretLocation = SecretLocation.NONE
    """Where a key went that was entered now."""


class NewEngine(msgspec.Struct, frozen=True, kw_only=True):
    """What the user enters to add an engine."""

    address: str
    name: str = ""
    """Empty is the host."""
    key: str = ""
    allows_plain: bool = False
    """The user confirmed that nothing is encrypted on the way to an address of the own network."""
    fingerprint: str = ""
    ca_file: str = ""
    is_anthropic: bool = False
    """It speaks Anthropic's API; else it is found out what it is."""

    def __repr__(self) -> str:
        return f"NewEngine({self.address!r})"


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """One request that left this computer, or tried to."""

    at_s: float
    """Seconds since 1970."""
    host: str
    why: str
    """For the user, as a noun."""
    n_sent: int
    """Bytes of the request's body."""
    n_received: int
    """Bytes of the response's body so far."""
