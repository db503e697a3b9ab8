"""A release address on the loopback, signed as minisign signs, and version folders that ask it."""

from __future__ import annotations

import base64
import hashlib
import http.server
import io
import json
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fireside.core.about import UpdateStep
from fireside.core.errors import UpdateError
from fireside.core.runtime import this_platform
from fireside.hub.cancel_token import CancelToken
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route, Timeouts
from fireside.updates.manifest import MANIFEST_NAME, SIGNATURE_NAME
from fireside.updates.minisign import PublicKey, parse_key
from fireside.updates.release_client import ReleaseClient
from fireside.updates.release_repository import ReleaseRepository
from fireside.updates.trial import RunTrial, run_self_test
from fireside.updates.updater import Updater, layer_digest, unpack
from fireside.updates.version_folders import VersionFolders, find_version_folders
from provision.layout import find_layout

STUB: Final = find_layout().root / "installer" / "release" / "stub.sh"
EXPIRES: Final = "2100-01-01T00:00:00Z"
PROGRAM: Final = "lib/fireside"
"""The folder of the layer that changes with each version."""


class SigningKey:
    """A key of minisign."""

    def __init__(self, name: bytes = b"release!") -> None:
        self._id = name
        self._secret = Ed25519PrivateKey.generate()

    @property
    def text(self) -> str:
        """The public key as its file has it."""
        raw = self._secret.public_key().public_bytes_raw()
        return f"untrusted comment: a key\n{base64.b64encode(b'Ed' + self._id + raw).decode()}\n"

    @property
    def public(self) -> PublicKey:
        return parse_key(self.text)

    def sign(self, content: bytes, *, comment: str = "timestamp:1") -> bytes:
        """Return the file that ``minisign -S`` would write."""
        made = self._secret.sign(hashlib.blake2b(content).digest())
        of_all = self._secret.sign(made + comment.encode())
        first, second = (base64.b64encode(part).decode() for part in (b"ED" + self._id + made, of_all))
        return f"untrusted comment: x\n{first}\ntrusted comment: {comment}\n{second}\n".encode()


def program(version: str, *, status: int = 0) -> bytes:
    """Return a program that says its version, and ends with ``status`` when it is tried."""
    return f'#!/bin/sh\n[ "$1" = --self-test ] && exit {status}\necho {version}\n'.encode()


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """Return a tar.xz with ``files``, which can be executed where they are in ``bin``."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755 if name.startswith("bin/") else 0o644
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


class ReleaseHarness:
    """Serves ``files``. ``cut`` ends a body after so many bytes; ``asked`` has paths and ranges."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: dict[str, int] = {}
        self.asked: list[tuple[str, str]] = []
        self.key = SigningKey()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/releases/"

    def asked_by(
        self,
        seen: Path,
        *,
        why: str = "Update of Fireside",
        route: Callable[[], Route] = Route,
        log: ConnectionLog | None = None,
        keys: tuple[PublicKey, ...] | None = None,
        now_s: float = 1.8e9,
    ) -> ReleaseRepository:
        """Return what a copy of the program asks this address with; ``seen`` is its memory of versions."""
        client = ReleaseClient(
            route=route, log=log or ConnectionLog(), why=why, timeouts=Timeouts(read_s=5.0)
        )
        keys = (self.key.public,) if keys is None else keys
        return ReleaseRepository(self.address, keys=keys, client=client, seen=seen, now_s=lambda: now_s)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def publish(
        self,
        version: str,
        *,
        base: Mapping[str, bytes] | None = None,
        layers: Mapping[str, tuple[str, bytes]] | None = None,
        key: SigningKey | None = None,
        **changes: Any,
    ) -> None:
        """Offer ``version``, in place of what was offered before. ``changes`` are of the manifest."""
        base = {"bin/fireside": program(version)} if base is None else base
        said = []
        made = layers or {
            "base": ("", archive_of(base)),
            "program": (PROGRAM, archive_of({"version.txt": version.encode()})),
        }
        for name, (path, content) in made.items():
            others = [other for other, _ in made.values() if other != path]
            file = self.offer(f"{name}-{version}.tar.xz", content)
            said.append(file | {"name": name, "path": path, "contents": _contents(content, path, others)})
        manifest = {
            "format": 1,
            "version": version,
            "released": "2026-11-23",
            "expires": EXPIRES,
            "targets": {this_platform(): said},
            "notes": "Better.",
        } | changes
        self.sign(json.dumps(manifest).encode(), key=key)

    def offer(self, file: str, content: bytes) -> dict[str, object]:
        """Serve a file; return what a manifest says of it."""
        self.files[file] = content
        return {"url": file, "n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    def sign(self, content: bytes, *, key: SigningKey | None = None) -> None:
        """Offer ``content`` as the manifest."""
        self.files[MANIFEST_NAME] = content
        self.files[SIGNATURE_NAME] = (key or self.key).sign(content)


def _contents(archive: bytes, path: str, others: Sequence[str]) -> str:
    """Return the digest of what an archive unpacks to; of one that cannot be unpacked, any."""
    with tempfile.TemporaryDirectory() as tree:
        try:
            packed = Path(tree) / "packed"
            packed.write_bytes(archive)
            unpack(packed, target=Path(tree) / "tree" / path, cancel=CancelToken())
        except UpdateError:
            return "0" * 64
        return layer_digest(Path(tree) / "tree", path, others=others)


def _handler(harness: ReleaseHarness) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.removeprefix("/releases/")
            harness.asked.append((name, self.headers.get("Range", "")))
            if (content := harness.files.get(name)) is None:
                self.send_error(404)
                return
            first = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
            self.send_response(206 if first else 200)
            if first:
                self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - first))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(content[first : first + harness.cut.get(name, len(content))])
            self.close_connection = True

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    return Handler


class Installed:
    """The program as it was installed into version folders, at version 0.1.0."""

    def __init__(self, folder: Path, harness: ReleaseHarness) -> None:
        self.root = folder / "höme" / "fireside"
        self.harness = harness
        self.log = ConnectionLog()
        self.steps: list[tuple[UpdateStep, float | None]] = []
        self.route = Route()
        tree = self.root / "versions" / "0.1.0"
        (tree / "bin").mkdir(parents=True)
        (tree / "bin" / "fireside").write_bytes(program("0.1.0"))
        (tree / "bin" / "fireside").chmod(0o755)
        (self.root / "current").write_text("0.1.0\n\n")
        (self.root / "fireside").write_bytes(STUB.read_bytes())

    @property
    def folders(self) -> VersionFolders:
        found = find_version_folders(self.root / "versions" / "0.1.0")
        assert found is not None
        return found

    def updater(
        self,
        *,
        running: str = "0.1.0",
        keys: tuple[PublicKey, ...] | None = None,
        now_s: float = 1.8e9,
        trial: RunTrial = run_self_test,
    ) -> Updater:
        """Return what version ``running`` updates itself with."""
        releases = self.harness.asked_by(
            self.folders.seen, route=lambda: self.route, log=self.log, keys=keys, now_s=now_s
        )
        return Updater(self.folders, releases=releases, running=running, trial=trial)

    def install(self, updater: Updater | None = None, cancel: CancelToken | None = None) -> str:
        """Install what is offered, and return its version."""
        return (updater or self.updater()).install(
            cancel or CancelToken(), lambda step, fraction: self.steps.append((step, fraction))
        )

    def said(self, *words: str) -> str:
        """Start the program as its user does, and return what it says."""
        command = ("sh", str(self.root / "fireside"), *words)
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def files(self, version: str) -> dict[str, bytes]:
        """Return all files of a version's tree."""
        tree = self.root / "versions" / version
        return {
            path.relative_to(tree).as_posix(): path.read_bytes()
            for path in sorted(tree.rglob("*"))
            if path.is_file()
        }
