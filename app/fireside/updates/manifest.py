"""The signed manifest of a release, decoded strictly after its signature was verified."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import UpdateError
from fireside.core.i18n import tr_noop

MANIFEST_NAME: Final = "fireside.json"
SIGNATURE_NAME: Final = "fireside.json.minisig"
MAX_MANIFEST_BYTES: Final = 256 * 1024
MAX_SIGNATURE_BYTES: Final = 4096
MAX_FILE_BYTES: Final = 2 << 30
_VERSION: Final = re.compile(r"\d{1,5}(\.\d{1,5}){1,3}")


_Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class PublishedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One archive of the release repository."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}$")]
    url: Annotated[str, Meta(max_length=2000)]
    """URL of the archive, which may be relative to the manifest."""
    n_bytes: Annotated[int, Meta(ge=1, le=MAX_FILE_BYTES)]
    sha256: _Digest


class Layer(PublishedFile, frozen=True, kw_only=True):
    """A part of the tree that is downloaded only if its contents changed."""

    path: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*)?$", max_length=200)]
    """Its folder in the tree, with slashes; empty for all that no other layer has."""
    contents: _Digest
    """Digest of the unpacked contents, see ``tree_layers.layer_digest``."""


class PublishedRuntime(PublishedFile, frozen=True, kw_only=True):
    """A build of llama.cpp, packed by ``installer/runtimes``."""

    llama_cpp: Annotated[str, Meta(max_length=40)]
    backends: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=16)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A release for every computer. Its file is signed as a whole."""

    format: Annotated[int, Meta(ge=1)]
    """1; a newer format is rejected."""
    version: Annotated[str, Meta(pattern=_VERSION.pattern)]
    released: Annotated[str, Meta(max_length=10)]
    expires: datetime
    """The manifest is rejected from then on, so that an attacker cannot hold updates back for ever."""
    targets: dict[str, Annotated[tuple[Layer, ...], Meta(min_length=1, max_length=16)]]
    """By target, see ``core.runtime.this_platform``."""
    runtimes: dict[str, Annotated[tuple[PublishedRuntime, ...], Meta(max_length=16)]] = {}
    """Builds of llama.cpp besides the built-in one, by target."""
    notes: Annotated[str, Meta(max_length=20_000)] = ""


FORMAT: Final = 1


def read_manifest(content: bytes) -> Manifest:
    """Decode a manifest whose signature was verified.

    Raises ``update_untrusted`` or ``update_unavailable``.
    """
    try:
        manifest = decode_json(content, kind=Manifest)
    except JsonInvalid as exc:
        raise UpdateError.of(
            "update_untrusted", reason=tr_noop("what it says of itself cannot be read.")
        ) from exc
    paths = {
        part for target in manifest.targets.values() for layer in target for part in layer.path.split("/")
    }
    if _VERSION.fullmatch(manifest.version) is None or paths & {".", ".."}:
        raise UpdateError.of("update_untrusted", reason=tr_noop("what it says of itself cannot be read."))
    if manifest.format != FORMAT:
        raise UpdateError.of(
            "update_unavailable",
            version=manifest.version,
            reason=tr_noop("it needs a newer updater. Install it by hand."),
        )
    return manifest


def check_freshness(manifest: Manifest, *, now_s: float, seen: str) -> None:
    """Raise ``update_untrusted`` for an expired release or one older than ``seen``, the newest so far."""
    expires = manifest.expires
    if (expires if expires.tzinfo is not None else expires.replace(tzinfo=UTC)).timestamp() <= now_s:
        raise UpdateError.of(
            "update_untrusted", reason=tr_noop("it has expired, so a newer one may be held back.")
        )
    if numbers(manifest.version) < numbers(seen):
        raise UpdateError.of(
            "update_untrusted", reason=tr_noop("it is older than one that was offered before.")
        )


def numbers(version: str) -> tuple[int, ...]:
    """Return a version as a tuple that can be compared."""
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def is_version(text: str) -> bool:
    """Whether ``text`` is a version, and so safe as the name of a folder."""
    return _VERSION.fullmatch(text) is not None
