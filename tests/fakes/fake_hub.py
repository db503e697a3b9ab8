"""A hub on loopback with a second server for content, as the real one has, and with faults on demand."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

from fakes.fake_hub_api import COMMIT, TOKEN, Answer, HubApi, Repo, gated, missing, refused
from fakes.fake_hub_faults import Fault, Planned, Seen, Where

__all__ = [
    "COMMIT",
    "LOGIN_PAGE",
    "TOKEN",
    "FakeHub",
    "Fault",
    "Planned",
    "Repo",
    "Seen",
    "Where",
    "fake_hub",
    "gguf_bytes",
]

LOGIN_PAGE = b"<html><body>Sign in to the free network</body></html>"
_CHUNK = 16 * 1024


def gguf_bytes(n_bytes: int, *, seed: int = 1) -> bytes:
    """Return bytes that begin as a model file does."""
    return b"GGUF" + random.Random(seed).randbytes(n_bytes - 4)


class FakeHub:
    """Serves ``repos``. Faults are taken one by one, oldest first, by requests of their kind."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.seen: list[Seen] = []
        self.is_on_two_hosts = True
        self.page_size = 1000
        self._planned: deque[Planned] = deque()
        self._lock = threading.Lock()
        self._released = threading.Event()
        self.stalled = threading.Event()
        """Set when an answer has stalled."""
        self.was_released = False
        """No client gave up waiting for an answer that stalled."""
        self._hub = _Server("hub", self)
        self._content = _Server("content", self)

    @property
    def endpoint(self) -> str:
        return self._hub.address

    @property
    def content_endpoint(self) -> str:
        return self._content.address

    def plan(
        self,
        fault: Fault,
        *,
        where: Where = Where.CONTENT,
        after: int = 0,
        status: int = 500,
        headers: dict[str, str] | None = None,
        body: bytes = b"",
        times: int = 1,
        n_before: int = 0,
    ) -> None:
        planned = Planned(
            fault=fault,
            where=where,
            after=after,
            status=status,
            headers=headers or {},
            body=body,
            n_before=n_before,
        )
        self._planned.extend([planned] * times)

    def release(self) -> None:
        """Let what stalls end."""
        self._released.set()

    def take(self, where: Where) -> Planned | None:
        with self._lock:
            for planned in self._planned:
                if planned.where is where:
                    if planned.n_before > 0:
                        planned.n_before -= 1
                        return None
                    self._planned.remove(planned)
                    return planned
        return None

    def stop_repeating(self, fault: Fault) -> None:
        """Forget faults of a kind that are still to come."""
        with self._lock:
            self._planned = deque(planned for planned in self._planned if planned.fault is not fault)

    def note(self, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)

    @property
    def is_over(self) -> bool:
        return self._released.is_set()

    def wait_a_moment(self) -> None:
        self._released.wait(0.01)

    def wait_released(self) -> None:
        self.stalled.set()
        self.was_released = not self._released.wait(20)

    @property
    def n_content_bytes(self) -> int:
        """How much of files was sent."""
        return sum(seen.n_sent for seen in self.seen if seen.method == "GET" and _is_content(seen.path))

    def start(self) -> None:
        self._hub.start()
        self._content.start()

    def stop(self) -> None:
        self.release()
        self._hub.stop()
        self._content.stop()


@contextmanager
def fake_hub() -> Iterator[FakeHub]:
    """Start a hub and stop it at the end."""
    hub = FakeHub()
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()


def _is_content(path: str) -> bool:
    return "/resolve/" in path or path.startswith("/content/")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, name: str, hub: FakeHub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.name = name
        self.hub = hub
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is killed or interrupted is no news."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    @property
    def hub(self) -> FakeHub:
        return self.server.hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        path, query = unquote(address.path), parse_qs(address.query)
        if path.startswith("/api/"):
            self._api(path, query)
        elif self.server.name == "content":
            self._content(path)
        else:
            self._resolve(path)

    def _api(self, path: str, query: dict[str, list[str]]) -> None:
        planned = self.hub.take(Where.API)
        if planned is not None and self._fail(planned):
            return
        api = HubApi(self.hub.repos, endpoint=self.hub.endpoint, page_size=self.hub.page_size)
        self._say(api.answer(path, query, token=self._token), planned)

    def _resolve(self, path: str) -> None:
        found = re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path)
        repo = self.hub.repos.get(found[1]) if found else None
        is_head = self.command == "HEAD"
        planned = self.hub.take(Where.HEAD) if is_head else None
        if planned is not None and planned.fault is not Fault.NO_COMMIT and self._fail(planned):
            return
        if self._token not in (None, TOKEN):
            self._say(refused(401, message="Invalid credentials in Authorization header"))
        elif found is None or repo is None or (repo.is_private and self._token is None):
            self._say(missing(self._token))
        elif repo.is_gated and self._token is None:
            self._say(gated(None))
        elif found[2] not in ("main", repo.commit):
            self._say(refused(404, code="RevisionNotFound"))
        elif found[3] not in repo.files:
            code = {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": repo.commit}
            self._answer(404, headers=code)
        else:
            self._file(found[1], repo, found[3], without_commit=planned is not None)

    def _file(self, name: str, repo: Repo, path: str, *, without_commit: bool) -> None:
        headers = {
            "X-Repo-Commit": repo.commit,
            "X-Linked-Etag": f'"{repo.digest(path)}"',
            "X-Linked-Size": str(len(repo.files[path])),
            "ETag": f'"{repo.digest(path)}"',
            "Accept-Ranges": "bytes",
        }
        if without_commit:
            headers = {}
        if self.hub.is_on_two_hosts:
            location = (
                f"{self.hub.content_endpoint}/content/{name}/{quote(path)}?signature={len(self.hub.seen)}"
            )
            self._answer(302, headers={**headers, "Location": location, "ETag": '"of-the-content-server"'})
        else:
            self._send_file(repo.files[path], headers)

    def _content(self, path: str) -> None:
        found = re.fullmatch(r"/content/([^/]+/[^/]+)/(.+)", path)
        repo = self.hub.repos.get(found[1]) if found else None
        if found is None or repo is None:
            self._answer(404)
        else:
            self._send_file(repo.files[found[2]], {})

    def _send_file(self, content: bytes, headers: dict[str, str]) -> None:
        planned = self.hub.take(Where.CONTENT) if self.command == "GET" else None
        if planned is not None and self._fail(planned):
            return
        fault = None if planned is None else planned.fault
        begin, end, status = 0, len(content), 200
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if asked and fault is not Fault.FULL:
            begin = int(asked[1])
            end = min(len(content), int(asked[2]) + 1) if asked[2] else len(content)
            if begin >= len(content) or fault is Fault.RANGE_REFUSED:
                self._answer(416, headers={"Content-Range": f"bytes */{len(content)}"})
                return
            status = 206
            shift = 1 if fault is Fault.WRONG_RANGE else 0
            if fault is not Fault.NO_RANGE_SAID:
                headers = {
                    **headers, "Content-Range": f"bytes {begin + shift}-{end - 1 + shift}/{len(content)}"
                }  # fmt: skip
        body = content[begin:end]
        if fault is Fault.WRONG_RANGE:
            body = content[begin + 1 : end + 1].ljust(end - begin)
        if fault is Fault.WRONG_BYTES:
            body = content[:4][begin:] + bytes(len(body) - len(content[:4][begin:]))
        if fault is Fault.SHORT_BY_ONE:
            body = body[:-1]
        if fault is Fault.PACKED:
            body = gzip.compress(body)
            headers = {**headers, "Content-Encoding": "gzip"}
        self._answer(status, body, headers=headers, planned=planned)

    def _fail(self, planned: Planned) -> bool:
        """Answer with a fault that is an answer of its own; ``False`` if it only spoils the right one."""
        match planned.fault:
            case Fault.STATUS:
                self._answer(planned.status, headers=planned.headers)
            case Fault.LOGIN_PAGE:
                self._answer(200, LOGIN_PAGE, headers={"Content-Type": "text/html"})
            case Fault.NONSENSE:
                self._answer(200, b"[{]", headers={"Content-Type": "application/json"})
            case Fault.ANOTHER_ANSWER:
                headers = {"Content-Type": "application/json", **planned.headers}
                self._answer(200, planned.body, headers=headers)
            case Fault.ENDLESS | Fault.DRIP:
                self._go_on(b" " * (1 if planned.fault is Fault.DRIP else _CHUNK))
            case Fault.SLOW_HEADERS:
                self._go_on_with_headers()
            case Fault.AWAY:
                self._answer(302, headers={"Location": self.hub.content_endpoint + self.path})
            case Fault.ENDLESS_REDIRECT:
                self.hub.plan(Fault.ENDLESS_REDIRECT, where=planned.where)
                self._answer(302, headers={"Location": self.path})
            case _:
                return False
        return True

    @property
    def _token(self) -> str | None:
        found = self.headers.get("Authorization")
        return None if found is None else found.removeprefix("Bearer ")

    def _say(self, answer: Answer, planned: Planned | None = None) -> None:
        content = json.dumps(answer.content).encode()
        headers = {"Content-Type": "application/json; charset=utf-8", **answer.headers}
        self._answer(answer.status, content, headers=headers, planned=planned)

    def _answer(
        self,
        status: int,
        body: bytes = b"",
        *,
        headers: dict[str, str] | None = None,
        planned: Planned | None = None,
    ) -> None:
        seen = self._note(status)
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Set-Cookie", "follow=me")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self._send(body, planned, seen)

    def _send(self, body: bytes, planned: Planned | None, seen: Seen) -> None:
        cut = planned is not None and planned.fault in (Fault.DROP, Fault.RESET, Fault.STALL)
        end = min(len(body), planned.after) if planned is not None and cut else len(body)
        with contextlib.suppress(OSError):
            while seen.n_sent < end:
                piece = body[seen.n_sent : min(end, seen.n_sent + _CHUNK)]
                seen.n_sent += len(piece)
                self.wfile.write(piece)
            if planned is not None and cut:
                self._cut(planned.fault)

    def _go_on(self, piece: bytes) -> None:
        """Send ``piece`` until the client no longer reads."""
        seen = self._note(200)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while not self.hub.is_over:
                self.wfile.write(piece)
                seen.n_sent += len(piece)
                if len(piece) == 1:
                    self.hub.wait_a_moment()

    def _go_on_with_headers(self) -> None:
        """Send another header until the client no longer reads."""
        self._note(200)
        self.hub.stalled.set()
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not self.hub.is_over:
                self.wfile.write(b"X-More: x\r\n")
                self.hub.wait_a_moment()

    def _cut(self, fault: Fault) -> None:
        self.close_connection = True
        if fault is Fault.STALL:
            self.hub.wait_released()
        if fault is Fault.RESET:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()

    def _note(self, status: int) -> Seen:
        seen = Seen(
            server=self.server.name,
            method=self.command,
            path=self.path,
            range=self.headers.get("Range"),
            authorization=self.headers.get("Authorization"),
            encoding=self.headers.get("Accept-Encoding"),
            cookie=self.headers.get("Cookie"),
            agent=self.headers.get("User-Agent") or "",
            status=status,
        )
        self.hub.note(seen)
        return seen
