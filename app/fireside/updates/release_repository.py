"""The release repository at a URL: its signed manifest, protected against rollback, and its archives."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from fireside.core.errors import UpdateError
from fireside.core.os_errors import render_os_error
from fireside.files.json_file import JsonFile
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import (
    MANIFEST_NAME,
    MAX_MANIFEST_BYTES,
    MAX_SIGNATURE_BYTES,
    SIGNATURE_NAME,
    Manifest,
    PublishedFile,
    check_freshness,
    is_version,
    numbers,
    read_manifest,
)
from fireside.updates.minisign import PublicKey, check_signature
from fireside.updates.release_client import ReleaseClient

OnProgress = Callable[[float], None]
"""Called with the part of the download that is complete, 0 to 1."""

_PROGRESS_STEP: Final = 0.01
_SEEN_LIMIT: Final = 1_000_000


class ReleaseRepository:
    """Blocks; one call at a time, from any thread. Raises ``UpdateError`` or ``Stopped``."""

    def __init__(
        self,
        address: str,
        *,
        keys: Sequence[PublicKey],
        client: ReleaseClient,
        seen: Path,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """``address`` ends in a slash. The file ``seen`` stores the newest version that each key has signed;
        older versions are rejected from then on."""
        self._address = address
        self._keys = tuple(keys)
        self._client = client
        self._seen = JsonFile(seen, dict[str, str], limit=_SEEN_LIMIT)
        self._now_s = now_s

    def manifest(self, cancel: CancelToken) -> Manifest:
        """Fetch and verify the current manifest."""
        signature = self._read(SIGNATURE_NAME, limit=MAX_SIGNATURE_BYTES, cancel=cancel)
        content = self._read(MANIFEST_NAME, limit=MAX_MANIFEST_BYTES, cancel=cancel)
        key = check_signature(content, signature, keys=self._keys)
        manifest = read_manifest(content)
        # Each key has its own newest version, so that a stolen key cannot block its successor.
        known = self._newest_by_key()
        newest = known.get(key.id, "0")
        check_freshness(manifest, now_s=self._now_s(), seen=newest)
        if numbers(manifest.version) > numbers(newest):
            try:
                self._seen.write(known | {key.id: manifest.version})
            except OSError as exc:
                reason = f"{render_os_error(exc)}."
                raise UpdateError.of("update_unwritable", path=str(self._seen.path), reason=reason) from exc
        return manifest

    def fetch(
        self, files: Sequence[tuple[PublishedFile, Path]], cancel: CancelToken, on_progress: OnProgress
    ) -> None:
        """Download and verify each file to its path, resuming partial downloads. Raises ``OSError``, too."""
        n_all = sum(file.n_bytes for file, _ in files)
        n_received, reported = 0, -1.0

        def on_bytes(n: int) -> None:
            nonlocal n_received, reported
            n_received += n
            if abs(n_received / n_all - reported) >= _PROGRESS_STEP:
                reported = n_received / n_all
                on_progress(reported)

        for file, path in files:
            url = urljoin(self._address, file.url)
            self._client.fetch(file, url, to=path, cancel=cancel, on_bytes=on_bytes)

    def _read(self, name: str, *, limit: int, cancel: CancelToken) -> bytes:
        return self._client.read(urljoin(self._address, name), limit=limit, cancel=cancel)

    def _newest_by_key(self) -> dict[str, str]:
        known = self._seen.read() or {}
        return {key: version for key, version in known.items() if is_version(version)}
