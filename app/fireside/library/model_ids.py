"""Give every model an id that stays the same from scan to scan."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from fireside.core.ids import ModelId
from fireside.gguf import file_stem, quantization_in_name

SUFFIX_MARK = "~"
SUFFIX_DIGITS = 6


def wanted_id(path: str, *, hub_layout: str | None, quantization: str) -> str:
    """Return the id that a model would like to have.

    ``owner/repo:QUANT`` below ``hub_layout``, a folder with the hub's own layout, else the file's stem. The
    quantization is the one in the file's name where there is one: ``UD-Q4_K_XL`` and ``Q4_K_M`` are the same
    to the header.
    """
    file = PurePath(path)
    if hub_layout is not None and file.is_relative_to(hub_layout):
        folders = file.relative_to(hub_layout).parts[:-1]
        if len(folders) >= 2:
            label = quantization_in_name(file.name) or quantization or file_stem(file.name)
            return f"{folders[0]}/{folders[1]}:{label}"
    return file_stem(file.name)


def assign_ids(wanted: Sequence[tuple[str, str]], *, remembered: Mapping[str, ModelId]) -> dict[str, ModelId]:
    """Return the id of each path. ``wanted`` holds paths with the ids they would like, in a fixed order.

    Who had an id keeps it as long as it still fits. Among new ones the first takes the plain id and the
    others add a mark made of their path, so that no id depends on which files are beside it later. Ids
    differ in more than upper and lower case.
    """
    ids: dict[str, ModelId] = {}
    taken: set[str] = set()
    for path, base in wanted:
        old = remembered.get(path)
        if old is not None and _fits(old, base=base) and old.casefold() not in taken:
            ids[path] = old
            taken.add(old.casefold())
    for path, base in wanted:
        if path in ids:
            continue
        candidate = base
        n_digits = SUFFIX_DIGITS
        while candidate.casefold() in taken:
            candidate = f"{base}{SUFFIX_MARK}{_mark(path)[:n_digits]}"
            n_digits += 1
        ids[path] = ModelId(candidate)
        taken.add(candidate.casefold())
    return ids


def _fits(model_id: str, *, base: str) -> bool:
    return model_id == base or model_id.startswith(base + SUFFIX_MARK)


def _mark(path: str) -> str:
    return hashlib.blake2s(path.encode(), digest_size=32).hexdigest()
