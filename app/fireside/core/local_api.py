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
