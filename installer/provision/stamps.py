"""Which steps are done, with which inputs: makes the second start fast, and resumes an interrupted set-up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path


def fingerprint(parts: Iterable[str | bytes]) -> str:
    """Return a short digest of ``parts``; text that moves from one part to the next changes it, too."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode() if isinstance(part, str) else part
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:24]


class Stamps:
    """The fingerprints of finished steps, in a file that is replaced atomically.

    An unreadable file counts as empty, since every step can be repeated.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._finished = _read(path)

    def has(self, step: str, *, value: str) -> bool:
        """Return whether ``step`` was finished with this fingerprint."""
        return self._finished.get(step) == value

    def set(self, step: str, *, value: str) -> None:
        self._finished[step] = value
        self._write()

    def remove(self, step: str) -> None:
        """Remove the stamp of ``step``, if there is one."""
        if self._finished.pop(step, None) is not None:
            self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".partial")
        partial.write_text(json.dumps(self._finished, indent=1), encoding="utf-8")
        partial.replace(self._path)


def _read(path: Path) -> dict[str, str]:
    try:
        stamps = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(stamps, dict):
        return {}
    return {step: value for step, value in stamps.items() if isinstance(step, str) and isinstance(value, str)}
