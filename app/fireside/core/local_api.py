"""The local API as shown in the window: address, tokens, requests, and example programs for copying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo


class ApiToken(msgspec.Struct, frozen=True, kw_only=True):
    """An access token of the local API, without its text."""

    id: str
    name: str
    scopes: tuple[str, ...]
    seen_at: float | None = None
    """When a device used it last, in seconds since 1970."""
    seen_from: str = ""
    """The address of that device."""


class DeviceAddress(msgspec.Struct, frozen=True, kw_only=True):
    """An address of this computer on a local network."""

    interface: str
    address: str


class DevicesStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What other devices of the local network find of this computer."""

    is_on: bool = False
    port: int = 0
    addresses: tuple[DeviceAddress, ...] = ()
    """Where it listens; the first is told to new devices."""
    names: tuple[str, ...] = ()
    fingerprint: str = ""
    """SHA-256 of the authority's certificate, in hexadecimal."""
    is_announced: bool = False
    """Whether other Firesides find it by mDNS."""
    problem: ErrorInfo | None = None

    @property
    def address(self) -> str:
        """The URL that new devices are told; empty without one."""
        if not self.addresses:
            return ""
        host = self.addresses[0].address
        return f"https://{f'[{host}]' if ':' in host else host}:{self.port}"


class ApiCall(msgspec.Struct, frozen=True, kw_only=True):
    """A running request."""

    client: str
    """The name of its token, or its address."""
    path: str
    tokens_per_s: float = 0.0
    """The speed of all its answers together; 0 before the second token."""


class ApiFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A request that ended with an error."""

    client: str
    path: str
    sentence: str


class LocalApiStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Status of the local API."""

    address: str = ""
    """The URL; empty if it is not running."""
    problem: ErrorInfo | None = None
    """Why it is not running although it is turned on."""
    tokens: tuple[ApiToken, ...] = ()
    devices: DevicesStatus = DevicesStatus()
    paired: tuple[ApiToken, ...] = ()
    """The tokens of other devices."""
    running: tuple[ApiCall, ...] = ()
    failed: tuple[ApiFailure, ...] = ()
    """The latest failures, the newest last."""


BASE_URLS: Final[Mapping[str, str]] = {"OpenAI": "/v1", "Ollama": "", "Anthropic": "", "llama.cpp": ""}
"""Path that each API dialect appends to the server address to form its base URL."""


def _curl(address: str) -> str:
    return (
        f"curl {address}/v1/chat/completions \\\n"
        '  -H "Authorization: Bearer YOUR_TOKEN" -H "Content-Type: application/json" \\\n'
        """  -d '{"messages": [{"role": "user", "content": "Hello"}]}'\n"""
    )


def _python(address: str) -> str:
    return (
        "from openai import OpenAI\n\n"
        f'client = OpenAI(base_url="{address}/v1", api_key="YOUR_TOKEN")\n'
        "model = client.models.list().data[0].id\n"
        "answer = client.chat.completions.create(\n"
        '    model=model, messages=[{"role": "user", "content": "Hello"}]\n'
        ")\n"
        "print(answer.choices[0].message.content)\n"
    )


def _javascript(address: str) -> str:
    return (
        f'const reply = await fetch("{address}/v1/chat/completions", {{\n'
        '  method: "POST",\n'
        '  headers: {Authorization: "Bearer YOUR_TOKEN", "Content-Type": "application/json"},\n'
        '  body: JSON.stringify({messages: [{role: "user", content: "Hello"}]}),\n'
        "});\n"
        "console.log((await reply.json()).choices[0].message.content);\n"
    )


EXAMPLES: Final[Mapping[str, Callable[[str], str]]] = {
    "curl": _curl,
    "Python": _python,
    "JavaScript": _javascript,
}
"""By language: a function from the server address to the program's source."""
