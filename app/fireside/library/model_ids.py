"""Assign stable ids to models."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.gguf import file_stem, quantization_in_name
from fireside.gguf.file_names import model_name_in

SUFFIX_MARK = "~"
SUFFIX_DIGITS = 6
MAX_CONTENTS: Final = 20_000
MAX_IDS: Final = 20
_SIZE_LIMIT: Final = 256_000_000
_LOSS: Final = tr_noop("Settings of models that were moved may no longer apply to them.")
_NO_IDS: Final[Mapping[str, Sequence[ModelId]]] = {}

log = logging.getLogger(__name__)


def preferred_id(path: str, *, hub_layout: str | None, quantization: str, is_from_hub: bool = False) -> str:
    """Return the id that a model should have if it is free.

    ``owner/repo:QUANT`` below ``hub_layout``, a folder with the hub's layout, if the file is from there or
    the repository has the model's name; otherwise the file's stem, since any two folders may be above a file.
    The quantization is that of the file's name where it has one: the header does not distinguish
    ``UD-Q4_K_XL`` from ``Q4_K_M``.
    """
    file = PurePath(path)
    if hub_layout is not None and file.is_relative_to(hub_layout):
        folders = file.relative_to(hub_layout).parts[:-1]
        if len(folders) >= 2 and (is_from_hub or _names_model(folders[1], file.name)):
            label = quantization_in_name(file.name) or quantization or file_stem(file.name)
            return f"{folders[0]}/{folders[1]}:{label}"
    return file_stem(file.name)


def _names_model(repo: str, file_name: str) -> bool:
    """Whether the words of one name are among those of the other: ``Foo-7B-GGUF`` names ``foo-7b.Q4_0.gguf``.

    A single word that two models may share, such as “chat”, must be the whole name of the model.
    """
    of_repo = [word for word in _words(repo) if word != "gguf"]
    of_file = _words(file_stem(file_name).removesuffix(quantization_in_name(file_name) or ""))
    of_model = _words(model_name_in(file_name) or "")  # none for “model.gguf”, which the repository names
    return set(of_model) <= set(of_repo) or (len(of_repo) > 1 and set(of_repo) <= set(of_file))


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


def assign_ids(
    preferred: Sequence[tuple[str, str]],
    *,
    previous: Mapping[str, ModelId],
    by_content: Mapping[str, Sequence[ModelId]] = _NO_IDS,
) -> dict[str, ModelId]:
    """Return the id of each path. ``preferred`` has paths with their preferred ids, in a fixed order.

    An id stays with the content that had it, wherever that is now (``by_content``: former ids of the content
    at a path); otherwise with the path that had it (``previous``), as long as it still fits. Among new models
    the first gets the preferred id and the others append a hash of their path, so that no id depends on which
    files are added later. Ids differ in more than case.
    """
    ids: dict[str, ModelId] = {}
    taken: set[str] = set()

    def assign(path: str, model_id: ModelId) -> None:
        if path not in ids and model_id.casefold() not in taken:
            ids[path] = model_id
            taken.add(model_id.casefold())

    bases = dict(preferred)
    # Of several copies each keeps its previous id, or gets the one that fits its name.
    for path, former in by_content.items():
        if previous.get(path) in former:
            assign(path, previous[path])
    for path, former in by_content.items():
        for model_id in former:
            if _fits(model_id, base=bases[path]):
                assign(path, model_id)
    for path, former in by_content.items():
        for model_id in former:
            assign(path, model_id)
    for path, base in preferred:
        previous_id = previous.get(path)
        if previous_id is not None and _fits(previous_id, base=base):
            assign(path, previous_id)
    for path, base in preferred:
        candidate = base
        n_digits = SUFFIX_DIGITS
        while path not in ids:
            assign(path, ModelId(candidate))
            candidate = f"{base}{SUFFIX_MARK}{_path_hash(path)[:n_digits]}"
            n_digits += 1
    return ids


class ContentIds:
    """The ids that each model content has had, in a small file that is replaced atomically.

    Contents are identified by the fingerprints of their files. Versions of a model can share an id, and
    copies can have several. A damaged file counts as empty. Not thread-safe; ``Library`` holds the lock.
    """

    def __init__(self, path: Path, *, on_damaged: OnDamaged = lambda _: None) -> None:
        self._file = JsonFile(
            path, dict[str, tuple[ModelId, ...]], limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged
        )
        self._ids = self._file.read() or {}

    def ids_of(self, fingerprints: Sequence[str]) -> tuple[ModelId, ...]:
        """Return the ids that this content has had, latest first; none for a new one."""
        return self._ids.get(_key(fingerprints), ())

    def update(
        self, ids: Iterable[tuple[Sequence[str], ModelId]], *, replaced: Collection[ModelId] = ()
    ) -> None:
        """Store the ids that contents have now, each with its fingerprints.

        ``replaced`` are ids of copies that are not listed; they are dropped.
        """
        ids_by_key = dict(self._ids)
        for fingerprints, model_id in ids:
            if fingerprints:  # Otherwise the file could not be read.
                former = tuple(
                    old for old in ids_by_key.get(_key(fingerprints), ()) if old not in (model_id, *replaced)
                )
                ids_by_key[_key(fingerprints)] = (model_id, *former)[:MAX_IDS]
        if ids_by_key == self._ids:
            return
        while len(ids_by_key) > MAX_CONTENTS:
            del ids_by_key[next(iter(ids_by_key))]
        self._ids = ids_by_key
        try:
            self._file.write(ids_by_key)
        except OSError as exc:
            log.info("The ids of contents were not written: %s", exc)


def ids_of_moved(spec: ModelSpec, missing: Iterable[ModelSpec]) -> tuple[ModelId, ...]:
    """Return the ids of models of ``missing`` that match ``spec`` by header, size and file name.

    For models that were moved before their contents were stored.
    """
    return tuple(old.id for old in missing if _facts(old) == _facts(spec))


def _facts(spec: ModelSpec) -> ModelSpec:
    return msgspec.structs.replace(
        spec, id=ModelId(""), path=file_stem(PurePath(spec.path).name), projector_path=None, heads_path=None
    )


def _key(fingerprints: Sequence[str]) -> str:
    return hashlib.blake2b("/".join(fingerprints).encode(), digest_size=16).hexdigest()


def _fits(model_id: str, *, base: str) -> bool:
    return model_id == base or model_id.startswith(base + SUFFIX_MARK)


def _path_hash(path: str) -> str:
    return hashlib.blake2s(path.encode(), digest_size=32).hexdigest()
