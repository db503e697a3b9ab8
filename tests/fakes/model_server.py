"""Servers of models on loopback, as their documentation describes them; what they answer is scripted."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

CHAT: Final = "/v1/chat/completions"
OLLAMA_CHAT: Final = "/api/chat"
"""What comes from there is JSON a line; all else are server-sent events."""
MODEL: Final = "qwen3"


@dataclass(frozen=True)
class Asked:
    """One request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """What is answered: a status with a body, and for a stream the events and how it ends."""

    status: int = 200
    body: Any = None
    """What is sent as JSON, or as it is where it is bytes; with status 200 in place of a stream."""
    headers: dict[str, str] = field(default_factory=dict)
    events: Sequence[Any] = ()
    waits: bool = False
    """After its events a stream waits until the client closes the connection."""
    breaks: bool = False
    """After its events the connection is closed within the stream."""


def text(*pieces: str, finish: str = "stop", usage: dict[str, Any] | None = None) -> Reply:
    """Return a streamed answer of these pieces."""
    events: list[Any] = [chunk({"content": piece}) for piece in pieces]
    events += [chunk({}, finish=finish), {"choices": [], "usage": usage or used(7, len(pieces))}, "[DONE]"]
    return Reply(events=events)


def chunk(delta: dict[str, Any], *, finish: str | None = None) -> dict[str, Any]:
    return {"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def used(n_prompt: int, n_completion: int, n_cached: int = 0) -> dict[str, Any]:
    return {
        "prompt_tokens": n_prompt,
        "completion_tokens": n_completion,
        "prompt_tokens_details": {"cached_tokens": n_cached},
    }


def listed(**facts: Any) -> dict[str, Any]:
    return {"object": "list", "data": [{"id": MODEL, "object": "model", **facts}]}


KINDS: Final[dict[str, dict[str, Any]]] = {
    "openai": {"/v1/models": listed(owned_by="example")},
    "vllm": {"/v1/models": listed(owned_by="vllm", root="Qwen/Qwen3-8B", max_model_len=40960)},
    "sglang": {
        "/v1/models": listed(owned_by="sglang", max_model_len=32768),
        "/get_model_info": {"model_path": "Qwen/Qwen3-8B"},
    },
    "lm_studio": {
        "/v1/models": listed(owned_by="organization_owner"),
        "/api/v0/models": {
            "data": [
                {
                    "id": MODEL,
                    "type": "vlm",
                    "state": "loaded",
                    "max_context_length": 131072,
                    "loaded_context_length": 4096,
                    "capabilities": ["tool_use"],
                }
            ]
        },
    },
    "llama_server": {
        "/v1/models": listed(owned_by="llamacpp", meta={"n_ctx_train": 131072}),
        "/props": {
            "default_generation_settings": {"n_ctx": 8192},
            "total_slots": 4,
            "modalities": {"vision": True, "audio": False},
        },
    },
    "anthropic": {"/v1/models": {"data": [{"type": "model", "id": MODEL}], "has_more": False}},
    "ollama": {
        "/v1/models": listed(owned_by="library"),
        "/api/version": {"version": "0.12.0"},
        "/api/show": {
            "capabilities": ["completion", "tools", "thinking"],
            "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960},
        },
    },
}
"""Paths and bodies of each type of server."""


class ModelServer:
    """A server in threads of its own. ``replies`` are given to requests for answers, the last again and
    again; ``asked`` is what came in."""

    def __init__(
        self,
        kind: str = "vllm",
        *,
        chat: str = CHAT,
        header: str = "authorization",
        key: str = "",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Take ``chat`` as the path of answers, and ``header`` as where the ``key`` is looked for."""
        self.pages = dict(KINDS[kind])
        self.replies: list[Reply] = [text("Hello", " there")]
        self.asked: list[Asked] = []
        self.key = key
        self.closes_at_second = False
        """A connection is kept open, and closed without a word when it is used again."""
        self._chat, self._header = chat, header
        self.left = threading.Event()
        """A client has closed the connection within a stream."""
        self.streaming = threading.Event()
        """The events of a stream that waits are all sent."""
        place = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            is_used = False

            def do_GET(self) -> None:
                place.answer(self, None)

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                place.answer(self, json.loads(self.rfile.read(length)))

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False
        if tls is not None:
            self.server.socket = tls.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._scheme = "http" if tls is None else "https"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"

    @property
    def address(self) -> str:
        return f"{self._scheme}://{self.host}"

    @property
    def chats(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path == self._chat]

    def answer(self, handler: Any, body: Any) -> None:
        handler.close_connection = not self.closes_at_second or handler.is_used
        if self.closes_at_second and handler.is_used:
            return
        handler.is_used = True
        headers = {name.casefold(): value for name, value in handler.headers.items()}
        self.asked.append(Asked(handler.command, handler.path, headers, body))
        given = headers.get(self._header, "")
        if self.key and given.removeprefix("Bearer ") != self.key:
            said = {"error": {"message": f"Incorrect API key: {given}"}}
            self._say(handler, Reply(status=401, body=said))
        elif handler.path == self._chat:
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            is_stream = reply.status == 200 and reply.body is None
            (self._stream if is_stream else self._say)(handler, reply)
        elif (page := self.pages.get(handler.path)) is None:
            self._say(handler, Reply(status=404, body={"error": "not found"}))
        else:
            self._say(handler, page if isinstance(page, Reply) else Reply(body=page))

    def _say(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def _stream(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for event in reply.events:
            said = event if isinstance(event, str) else json.dumps(event)
            piece = (f"{said}\n" if self._chat == OLLAMA_CHAT else f"data: {said}\n\n").encode()
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.flush()
        if reply.waits:
            self.streaming.set()
            handler.connection.recv(1)  # nothing more comes but its end
            self.left.set()
        elif not reply.breaks:
            handler.wfile.write(b"0\r\n\r\n")


@contextmanager
def model_server(
    kind: str = "vllm",
    *,
    chat: str = CHAT,
    header: str = "authorization",
    key: str = "",
    tls: ssl.SSLContext | None = None,
) -> Iterator[ModelServer]:
    """Run a server while the block does; see ``ModelServer``."""
    server = ModelServer(kind, chat=chat, header=header, key=key, tls=tls)
    thread = threading.Thread(target=server.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.server.shutdown()
        thread.join()
        server.server.server_close()
