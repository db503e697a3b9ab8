"""Cache model headers, so that unchanged files are not read again."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import msgspec

import fireside
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.files.json_file import JsonFile
from fireside.library.header_check import UnusableFile, inspect
from fireside.library.model_candidates import Fingerprint, ModelCandidate

FORMAT = 2
_SIZE_LIMIT: Final = 256_000_000
MAX_REMEMBERED = 5_000
"""Models that are missing now (a drive that is not connected) are kept up to this number in all."""

log = logging.getLogger(__name__)


class _CachedModel(msgspec.Struct, frozen=True, kw_only=True):
    fingerprint: Fingerprint
    spec: ModelSpec


class _CacheFile(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    reader: str
    """Version of the program that read the headers; another one reads them again but keeps the ids."""
    models: tuple[_CachedModel, ...]


class HeaderCache:
    """Specs by path, valid while size and modification time stay the same.

    If its file is missing, damaged or not writable, headers are read again, no more. Reasons why a file is
    unusable are kept in memory only, since the next version of the program may understand the file. Not
    thread-safe; ``Library`` holds the lock.
    """

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path, _CacheFile, limit=_SIZE_LIMIT)
        self._facts: dict[str, tuple[Fingerprint, ModelSpec | UnusableFile]] = {}
        self.ids: dict[str, ModelId] = {}
        """Ids of earlier scans, by path."""
        self._saved: _CacheFile | None = None
        self._restore()

    @property
    def specs(self) -> tuple[ModelSpec, ...]:
        """Models of this and earlier scans, including those that are missing now."""
        cached = ((path, facts) for path, (_, facts) in self._facts.items() if path in self.ids)
        return tuple(facts for _, facts in cached if isinstance(facts, ModelSpec))

    def forget(self, paths: Iterable[str]) -> None:
        """Drop files that were deleted."""
        for path in tuple(paths):
            self._facts.pop(path, None)
            self.ids.pop(path, None)

    def inspect(self, candidate: ModelCandidate) -> ModelSpec | UnusableFile:
        """Return the candidate's facts, cached if its files have not changed."""
        cached = self._facts.get(candidate.path)
        if cached is not None and cached[0] == candidate.fingerprint:
            return cached[1]
        facts = inspect(candidate)
        if isinstance(facts, ModelSpec) or facts.is_permanent:
            self._facts[candidate.path] = (candidate.fingerprint, facts)
        return facts

    def save(self, specs: Iterable[ModelSpec], *, hidden: Collection[str] = ()) -> None:
        """Store the ids of ``specs``, the models found now, and write the file if anything changed.

        Copies at ``hidden`` have the id of the model that is listed for them, so theirs are not stored.
        """
        present = {spec.path: spec for spec in specs if spec.path not in hidden}
        self.ids.update((path, spec.id) for path, spec in present.items())
        paths = [*present, *(path for path in self._facts if path not in present)][:MAX_REMEMBERED]
        models: list[_CachedModel] = []
        for path in paths:
            fingerprint, facts = self._facts[path]
            # Files that were only read as neighbours have no id, and must not get one here.
            if isinstance(facts, ModelSpec) and path in self.ids:
                spec = msgspec.structs.replace(facts, id=self.ids[path])
                models.append(_CachedModel(fingerprint=fingerprint, spec=spec))
        content = _CacheFile(format=FORMAT, reader=fireside.__version__, models=tuple(models))
        if content == self._saved:
            return
        try:
            self._file.write(content)
            self._saved = content
        except OSError as exc:
            log.info("The library's cache was not written: %s", exc)

    def _restore(self) -> None:
        stored = self._file.read()
        if stored is None or stored.format != FORMAT:
            return
        for model in stored.models:
            self.ids[model.spec.path] = model.spec.id
            if stored.reader == fireside.__version__:
                self._facts[model.spec.path] = (model.fingerprint, model.spec)
        self._saved = stored
