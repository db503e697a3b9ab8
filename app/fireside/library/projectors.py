"""Find for each model the projector that lies beside it and lets it see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Final

import msgspec

from fireside.core.model import ModelSpec
from fireside.gguf import quantization_in_name

_WORD = re.compile(r"[^\W\d_]+|\d+")
_SAYS_NOTHING: Final = frozenset({"mmproj", "model", "gguf", "projector", "vision", "clip"})
_PRECISION = re.compile(r"(?i)(?<![a-z0-9])(?:b?f16|f32|i?q\d\w*)(?![a-z0-9])")
_ENOUGH: Final = 2 / 3
"""Of the words of a projector's name that must be in its model's."""


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Which projectors belong to models."""

    by_model: dict[str, str]
    """The projector of each model that has one, by the model's path."""
    paired: frozenset[str]
    """All that belong to a model, those of other precisions included that were not chosen."""


def pair_projectors(specs: Iterable[ModelSpec], projectors: Iterable[str]) -> Pairs:
    """Find the models that ``projectors`` belong to.

    They are in its own folder: those whose names are most like its own, or, where its name names no model,
    those of a folder that holds one model only, in whatever sizes. In doubt it belongs to none, because a
    model does not load with the projector of another. Of several the one in half precision is chosen, which
    the model was made with.
    """
    by_folder: dict[PurePath, list[ModelSpec]] = {}
    for spec in specs:
        by_folder.setdefault(PurePath(spec.path).parent, []).append(spec)
    chosen: dict[str, str] = {}
    belonging: set[str] = set()
    for projector in sorted(projectors, key=_preference):
        for spec in _models_of(projector, by_folder.get(PurePath(projector).parent, [])):
            chosen.setdefault(spec.path, projector)
            belonging.add(projector)
    return Pairs(by_model=chosen, paired=frozenset(belonging))


def unshared_projectors(
    specs: Iterable[ModelSpec], projectors: Sequence[str], *, without: str
) -> tuple[str, ...]:
    """Return those of ``projectors`` that belong to the model at the path ``without`` and to no other."""
    models = list(specs)
    now = pair_projectors(models, projectors).paired
    then = pair_projectors([spec for spec in models if spec.path != without], projectors).paired
    return tuple(sorted(now - then))


def _models_of(projector: str, beside: Sequence[ModelSpec]) -> list[ModelSpec]:
    words = _words(projector)
    if not words:
        kinds = {(spec.architecture, spec.n_embd, spec.n_layers) for spec in beside}
        return list(beside) if len(kinds) == 1 else []
    n_common = {spec.path: len(words & _words(spec.path)) for spec in beside}
    best = max(n_common.values(), default=0)
    if best < _ENOUGH * len(words):
        return []
    return [spec for spec in beside if n_common[spec.path] == best]


def _words(path: str) -> frozenset[str]:
    """The words and numbers of a file's name that tell which model it is of."""
    stem = _PRECISION.sub(" ", PurePath(path).stem)
    return frozenset(word.casefold() for word in _WORD.findall(stem)) - _SAYS_NOTHING


def _preference(path: str) -> tuple[bool, str]:
    return (quantization_in_name(PurePath(path).name) or "").upper() != "F16", path
