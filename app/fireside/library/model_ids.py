"""Assign stable ids to models."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.files.atomic_replace import replace_file
from fireside.gguf import file_stem, quantization_in_name

SUFFIX_MARK = "~"
SUFFIX_DIGITS = 6
MAX_CONTENTS: Final = 20_000
MAX_IDS: Final = 20
_NOTHING: Final[Mapping[str, Sequence[ModelId]]] = {}

log = logging.getLogger(__name__)


def preferred_id(path: str, *, hub_layout: str | None, quantization: str) -> str:
    """Return the id that a model should have if it is free.

    ``owner/repo:QUANT`` below ``hub_layout``, a folder with the hub's layout, otherwise the file's stem. The
    quantization is that of the file's name where it has one: the header does not distinguish ``UD-Q4_K_XL``
    from ``Q4_K_M``.
    """
    file = PurePath(path)
    if hub_layout is not None and file.is_relative_to(hub_layout):
        folders = file.relative_to(hub_layout).parts[:-1]
        if len(folders) >= 2:
            label = quantization_in_name(file.name) or quantization or file_stem(file.name)
            return f"{folders[0]}/{folders[1]}:{label}"
    return file_stem(file.name)


def assign_ids(
    wanted: Sequence[tuple[str, str]],
    *,
    remembered: Mapping[str, ModelId],
    by_content: Mapping[str, Sequence[ModelId]] = _NOTHING,
) -> dict[str, ModelId]:
    """Return the id of each path. ``wanted`` has paths with their preferred ids, in a fixed order.

    An id stays with the content that had it, wherever that is now (``by_content``: former ids of the content
    at a path); otherwise with the path that had it (``remembered``), as long as it still fits. Among new
    models the first gets the preferred id and the others append a hash of their path, so that no id depends
    on which files are added later. Ids differ in more than case.
    """
    ids: dict[str, ModelId] = {}
    taken: set[str] = set()

    def take(path: str, model_id: ModelId) -> None:
        if path not in ids and model_id.casefold() not in taken:
            ids[path] = model_id
            taken.add(model_id.casefold())

    bases = dict(wanted)
    # Of several copies each keeps the id that it had, or that fits its name.
    for path, had in by_content.items():
        if remembered.get(path) in had:
            take(path, remembered[path])
    for path, had in by_content.items():
        for model_id in had:
            if _fits(model_id, base=bases[path]):
                take(path, model_id)
    for path, had in by_content.items():
        for model_id in had:
            take(path, model_id)
    for path, base in wanted:
        old = remembered.get(path)
        if old is not None and _fits(old, base=base):
            take(path, old)
    for path, base in wanted:
        candidate = base
        n_digits = SUFFIX_DIGITS
        while path not in ids:
            take(path, ModelId(candidate))
            candidate = f"{base}{SUFFIX_MARK}{_mark(path)[:n_digits]}"
            n_digits += 1
    return ids


class ContentIds:
    """The ids that each model content has had, in a small file that is replaced atomically.

    Contents are identified by the fingerprints of their files. Versions of a model can share an id, and
    copies can have several. An unreadable file counts as empty. Not thread-safe; ``Library`` holds the lock.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ids: dict[str, tuple[ModelId, ...]] = {}
        with contextlib.suppress(OSError, msgspec.MsgspecError, RecursionError):
            self._ids = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[ModelId, ...]])

    def ids_of(self, prints: Sequence[str]) -> tuple[ModelId, ...]:
        """Return the ids that this content has had, latest first; none for a new one."""
        return self._ids.get(_key(prints), ())

    def update(
        self, ids: Iterable[tuple[Sequence[str], ModelId]], *, instead_of: Collection[ModelId] = ()
    ) -> None:
        """Store the ids that contents have now, each with its fingerprints.

        ``instead_of`` are ids of copies that are not listed; they are dropped.
        """
        kept = dict(self._ids)
        for prints, model_id in ids:
            if prints:  # Otherwise the file could not be read.
                had = tuple(old for old in kept.get(_key(prints), ()) if old not in (model_id, *instead_of))
                kept[_key(prints)] = (model_id, *had)[:MAX_IDS]
        if kept == self._ids:
            return
        while len(kept) > MAX_CONTENTS:
            del kept[next(iter(kept))]
        self._ids = kept
        try:
            replace_file(self._path, msgspec.json.encode(kept))
        except OSError as exc:
            log.info("The ids of contents were not written: %s", exc)


def ids_of_moved(spec: ModelSpec, gone: Iterable[ModelSpec]) -> tuple[ModelId, ...]:
    """Return the ids of models of ``gone`` that match ``spec`` by header, size and file name.

    For models that were moved before their contents were stored.
    """
    return tuple(old.id for old in gone if _facts(old) == _facts(spec))


def _facts(spec: ModelSpec) -> ModelSpec:
    return msgspec.structs.replace(
        spec, id=ModelId(""), path=file_stem(PurePath(spec.path).name), projector_path=None
    )


def _key(prints: Sequence[str]) -> str:
    return hashlib.blake2b("/".join(prints).encode(), digest_size=16).hexdigest()


def _fits(model_id: str, *, base: str) -> bool:
    return model_id == base or model_id.startswith(base + SUFFIX_MARK)


def _mark(path: str) -> str:
    return hashlib.blake2s(path.encode(), digest_size=32).hexdigest()
