"""Cache hashes, fingerprints and download origins of files."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.hub import origin_name
from fireside.core.library import ModelOrigin
from fireside.files.json_file import JsonFile, Unusable, read_regular_file
from fireside.library.model_candidates import ModelCandidate
from fireside.library.walk import WalkedFile

QUICK_BYTES: Final = 1 << 20
"""Read at each end of a file for its quick fingerprint: the header and the last weights."""
MAX_ORIGIN_BYTES: Final = 16 << 20
"""A model of 1 TB has 131,072 blocks of 67 bytes each."""
_CACHE_LIMIT: Final = 256_000_000
CLOCK_GRAIN_NS: Final = 2_000_000_000
"""Modification times on a FAT drive have a resolution of two seconds."""

_SHA256: Final = re.compile(r"[0-9a-f]{64}")

log = logging.getLogger(__name__)


class _Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of ``FileOrigin`` that are needed; its list of blocks may be long."""

    repo: str
    commit: str
    path: str
    size_bytes: int
    digest: str
    downloaded_at: str


class _FileFacts(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Facts of one file, valid while its size and modification time stay the same."""

    path: str
    size_bytes: int
    mtime_ns: int
    sha256: str = ""
    quick: str = ""
    origin_mtime_ns: int = 0
    """Modification time of the origin file beside it; 0 if there was none."""
    origin: ModelOrigin | None = None


class FileFingerprints:
    """Facts by path, in a cache file that may be lost.

    Not thread-safe; ``Library`` holds the lock, except for ``hash_file``, which reads for minutes and changes
    nothing.
    """

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path, list[_FileFacts], limit=_CACHE_LIMIT)
        self._facts = {facts.path: facts for facts in self._file.read() or ()}
        self._changed = False

    def origin(self, file: WalkedFile) -> ModelOrigin | None:
        """Return where ``file`` was downloaded from, if it was verified then; it may have changed since."""
        origin_path = origin_name(file.path)
        try:
            mtime_ns = os.stat(origin_path).st_mtime_ns  # noqa: PTH116, thousands of times in one scan
        except (OSError, ValueError):
            return None
        facts = self._facts_of(file)
        if facts.origin_mtime_ns != mtime_ns:
            facts.origin = _read_origin(origin_path, file=file, mtime_ns=mtime_ns)
            facts.origin_mtime_ns = mtime_ns
            self._changed = True
        return facts.origin

    def hashes(self, candidate: ModelCandidate) -> tuple[str, ...]:
        """Return the SHA-256 of each file, or an empty tuple unless all are known. Reads no model file."""
        if candidate.hashes:
            return candidate.hashes
        hashes = tuple(self._hash(file) for file in candidate.files)
        return hashes if all(hashes) else ()

    def quick(self, candidate: ModelCandidate) -> tuple[str, ...]:
        """Return a fingerprint of both ends of each file, or an empty tuple if one cannot be read.

        Equal fingerprints make equal contents likely, no more.
        """
        fingerprints: list[str] = []
        for file in candidate.files:
            facts = self._facts_of(file)
            if not facts.quick:
                facts.quick = _quick_fingerprint(file)
                self._changed = True
            fingerprints.append(facts.quick)
        return tuple(fingerprints) if all(fingerprints) else ()

    def store_hash(self, file: WalkedFile, sha256: str) -> None:
        """Store a result of ``hash_file``."""
        self._facts_of(file).sha256 = sha256
        self._changed = True

    def save(self, present: Collection[str]) -> None:
        """Write the facts of ``present`` files, if anything changed."""
        if not self._changed:
            return
        self._facts = {path: facts for path, facts in self._facts.items() if path in present}
        try:
            self._file.write(list(self._facts.values()))
            self._changed = False
        except OSError as exc:
            log.info("The cache of file hashes was not written: %s", exc)

    def _hash(self, file: WalkedFile) -> str:
        origin = self.origin(file)
        return self._facts_of(file).sha256 if origin is None or origin.is_changed else origin.digest

    def _facts_of(self, file: WalkedFile) -> _FileFacts:
        facts = self._facts.get(file.path)
        if facts is None or (facts.size_bytes, facts.mtime_ns) != (file.size_bytes, file.mtime_ns):
            facts = _FileFacts(path=file.path, size_bytes=file.size_bytes, mtime_ns=file.mtime_ns)
            self._facts[file.path] = facts
        return facts


def _quick_fingerprint(file: WalkedFile) -> str:
    digest = hashlib.blake2b(str(file.size_bytes).encode(), digest_size=16)
    try:
        with open(file.path, "rb", buffering=0) as content:  # noqa: PTH123, a path from outside
            digest.update(content.read(QUICK_BYTES))
            if file.size_bytes > QUICK_BYTES:
                content.seek(max(QUICK_BYTES, file.size_bytes - QUICK_BYTES))
                digest.update(content.read(QUICK_BYTES))
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()


def _read_origin(path: str, *, file: WalkedFile, mtime_ns: int) -> ModelOrigin | None:
    try:
        content = read_regular_file(Path(path), limit=MAX_ORIGIN_BYTES)
        stored = decode_json(content or b"", kind=_Origin)
    except (OSError, ValueError, Unusable):
        return None
    if not _SHA256.fullmatch(stored.digest):
        return None
    is_unchanged = stored.size_bytes == file.size_bytes and file.mtime_ns <= mtime_ns + CLOCK_GRAIN_NS
    return ModelOrigin(
        is_changed=not is_unchanged,
        repo=stored.repo,
        commit=stored.commit,
        path=stored.path,
        digest=stored.digest,
        downloaded_at=stored.downloaded_at,
    )
