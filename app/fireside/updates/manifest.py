"""What a release says of itself: read only once its signature is known to be right, and then strictly."""

from __future__ import annotations

import platform
import re
import sys
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from fireside.core.errors import UpdateUnavailable, UpdateUntrusted
from fireside.core.i18n import tr_noop

MANIFEST_NAME: Final = "fireside.json"
SIGNATURE_NAME: Final = "fireside.json.minisig"
MAX_MANIFEST_BYTES: Final = 256 * 1024
MAX_SIGNATURE_BYTES: Final = 4096
MAX_FILE_BYTES: Final = 2 << 30
_VERSION: Final = re.compile(r"\d{1,5}(\.\d{1,5}){1,3}")
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}


_Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class PublishedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One archive that lies at the release address."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}$")]
    url: Annotated[str, Meta(max_length=2000)]
    """Of the archive, also as seen from the manifest."""
    n_bytes: Annotated[int, Meta(ge=1, le=MAX_FILE_BYTES)]
    sha256: _Digest


class Layer(PublishedFile, frozen=True, kw_only=True):
    """A part of the tree that is not fetched again while its contents stay as they are."""

    path: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*)?$", max_length=200)]
    """The folder of the tree that it is, with slashes; empty for all that no other layer is."""
    contents: _Digest
    """Of what it unpacks to, see ``tree_layers.contents_of``."""


class PublishedRuntime(PublishedFile, frozen=True, kw_only=True):
    """A build of llama.cpp, as ``installer/runtimes`` packs it."""

    llama_cpp: Annotated[str, Meta(max_length=40)]
    backends: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=16)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A release for every computer. Its file is signed as a whole."""

    format: Annotated[int, Meta(ge=1)]
    """1; a later one is refused."""
    version: Annotated[str, Meta(pattern=_VERSION.pattern)]
    released: Annotated[str, Meta(max_length=10)]
    expires: datetime
    """Not to be believed from then on: who holds updates back shall not do so for ever."""
    targets: dict[str, Annotated[tuple[Layer, ...], Meta(min_length=1, max_length=16)]]
    """By ``linux-x86_64`` and the like."""
    runtimes: dict[str, Annotated[tuple[PublishedRuntime, ...], Meta(max_length=16)]] = {}
    """Builds of llama.cpp beside the one in the tree, by the same names."""
    notes: Annotated[str, Meta(max_length=20_000)] = ""


FORMAT: Final = 1


def read_manifest(content: bytes) -> Manifest:
    """Return what ``content`` says, whose signature was checked. Raises ``UpdateUntrusted``."""
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        raise UpdateUntrusted(reason=tr_noop("what it says of itself cannot be read.")) from exc
    paths = {
        part for target in manifest.targets.values() for layer in target for part in layer.path.split("/")
    }
    if _VERSION.fullmatch(manifest.version) is None or paths & {".", ".."}:
        raise UpdateUntrusted(reason=tr_noop("what it says of itself cannot be read."))
    if manifest.format != FORMAT:
        raise UpdateUnavailable(
            version=manifest.version, reason=tr_noop("it needs a newer updater. Install it by hand.")
        )
    return manifest


def check_age(manifest: Manifest, *, now_s: float, seen: str) -> None:
    """Raise ``UpdateUntrusted`` for an old release that is offered again. ``seen`` is the newest so far."""
    expires = manifest.expires
    if (expires if expires.tzinfo is not None else expires.replace(tzinfo=UTC)).timestamp() <= now_s:
        raise UpdateUntrusted(reason=tr_noop("it has expired, so a newer one may be held back."))
    if numbers(manifest.version) < numbers(seen):
        raise UpdateUntrusted(reason=tr_noop("it is older than one that was offered before."))


def numbers(version: str) -> tuple[int, ...]:
    """Return a version as numbers that can be compared."""
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def is_version(text: str) -> bool:
    """Whether ``text`` is a version, and so a safe name of a folder."""
    return _VERSION.fullmatch(text) is not None


def this_target() -> str:
    """Return what releases call this computer."""
    machine = platform.machine().lower()
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    return f"{system}-{_MACHINES.get(machine, machine)}"
