"""Which steps are done, and with what. Makes the second start fast and an interrupted set-up go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path


def fingerprint(parts: Iterable[str | bytes]) -> str:
    """Return a short digest that differs when any part does, also when text moves from one to the next."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode() if isinstance(part, str) else part
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:24]


class Stamps:
    """The fingerprints of finished steps, in one file that is replaced whole.

    A file that cannot be read means that nothing is done: every step can be repeated.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._finished = _read(path)

    def holds(self, step: str, *, value: str) -> bool:
        """Tell whether ``step`` was finished with this very fingerprint."""
        return self._finished.get(step) == value

    def set(self, step: str, *, value: str) -> None:
        self._finished[step] = value
        self._write()

    def drop(self, step: str) -> None:
        """Forget ``step`` before it is done anew, so that an interruption leaves it undone."""
        if self._finished.pop(step, None) is not None:
            self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".partial")
        partial.write_text(json.dumps(self._finished, indent=1), encoding="utf-8")
        partial.replace(self._path)


def _read(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {step: value for step, value in found.items() if isinstance(step, str) and isinstance(value, str)}
