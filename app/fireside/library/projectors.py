"""Find the projector and the draft heads of each model that has one among the files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Final

import msgspec

from fireside.core.model import ModelSpec
from fireside.gguf import quantization_in_name

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_GENERIC_TOKENS: Final = frozenset({"mmproj", "mtp", "model", "gguf", "projector", "vision", "audio", "clip"})
_PRECISION = re.compile(r"(?i)(?<![a-z0-9])(?:b?f16|f32|i?q\d\w*)(?![a-z0-9])")
_MIN_OVERLAP: Final = 2 / 3
"""Share of the tokens of a projector's name that its model's name must contain."""


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Which projectors belong to which models."""

    by_model: dict[str, str]
    """The projector of each model that has one, by the model's path."""
    paired: frozenset[str]
    """All projectors that belong to a model, including those of other precisions."""


def pair_projectors(specs: Iterable[ModelSpec], projectors: Iterable[str]) -> Pairs:
    """Match ``projectors``, or files with draft heads, to the models in their folder.

    A projector belongs to the models with the most similar names, or, where its name identifies no model, to
    those of a folder that has a single model, in whatever quants. In doubt it belongs to none, because a
    model does not load with another's projector. Of several the one in half precision is taken, with which
    the model was trained.
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
    before = pair_projectors(models, projectors).paired
    after = pair_projectors([spec for spec in models if spec.path != without], projectors).paired
    return tuple(sorted(before - after))


def _models_of(projector: str, siblings: Sequence[ModelSpec]) -> list[ModelSpec]:
    tokens = _name_tokens(projector)
    if not tokens:
        kinds = {(spec.architecture, spec.n_embd, spec.n_layers) for spec in siblings}
        return list(siblings) if len(kinds) == 1 else []
    n_common = {spec.path: len(tokens & _name_tokens(spec.path)) for spec in siblings}
    best = max(n_common.values(), default=0)
    if best < _MIN_OVERLAP * len(tokens):
        return []
    return [spec for spec in siblings if n_common[spec.path] == best]


def _name_tokens(path: str) -> frozenset[str]:
    """Return the words and numbers of a file name that tell models apart."""
    stem = _PRECISION.sub(" ", PurePath(path).stem)
    return frozenset(token.casefold() for token in _TOKEN.findall(stem)) - _GENERIC_TOKENS


def _preference(path: str) -> tuple[bool, str]:
    return (quantization_in_name(PurePath(path).name) or "").upper() != "F16", path
