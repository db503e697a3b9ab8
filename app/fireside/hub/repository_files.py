"""Group a repository's files into models and quants, and choose one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

import msgspec

from fireside.core.discovery import HubQuant
from fireside.core.errors import HubChoiceUnknown, format_bytes
from fireside.core.hub import HubFile
from fireside.core.i18n import tr
from fireside.core.quants import quant_description
from fireside.gguf import file_stem, parse_split_name, quantization_in_name
from fireside.gguf.header import printable
from fireside.hub.safe_filenames import is_safe

_PREFERRED_QUANTS: Final = (
    "Q4_K_M",
    "UD-Q4_K_XL",
    "Q4_K_S",
    "IQ4_XS",
    "Q4_0",
    "MXFP4",
    "Q5_K_M",
    "Q6_K",
    "Q8_0",
)
_PROJECTOR_PRECISIONS: Final = ("F16", "BF16", "Q8_0", "F32")
_IMATRIX = re.compile(r"(?i)(?:^|[-._])imatrix(?:[-._]|$)")
_HEADS = re.compile(r"(?i)^mtp-|-mtp$")
"""As llama.cpp's converter names them. A name with MTP elsewhere is a whole model that has heads."""
_STEM_PREFIX: Final = "x-"
_MAX_LISTED: Final = 20
_SHOWN_CHARACTERS: Final = 200


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The models of a repository. ``choices`` are sorted by size."""

    choices: tuple[HubQuant, ...]
    projectors: tuple[HubFile, ...]
    """Projectors of vision models, the preferred one first."""
    heads: tuple[HubFile, ...] = ()
    """Files with the draft heads (MTP) of a model alone, the preferred one first."""

    @property
    def beside(self) -> tuple[HubFile, ...]:
        """What a download of any quant brings along."""
        return (*self.projectors[:1], *self.heads[:1])


def list_models(files: Iterable[HubFile]) -> Listing:
    """Group the model files among ``files``; split models with missing parts are left out."""
    groups: dict[tuple[str, str, int], list[HubFile]] = {}
    projectors: list[HubFile] = []
    heads: list[HubFile] = []
    for file in files:
        path = PurePosixPath(file.path)
        if path.suffix.casefold() != ".gguf" or _IMATRIX.search(path.stem):
            continue
        if "mmproj" in path.name.casefold():
            # A file without a safe local name would block the download of every quant.
            if is_safe(file.path):
                projectors.append(file)
            continue
        if _HEADS.search(path.stem):
            if is_safe(file.path):
                heads.append(file)
            continue
        split = parse_split_name(path.name)
        key = (str(path.parent), file_stem(path.name), 1 if split is None else split.count)
        groups.setdefault(key, []).append(file)
    complete = [
        sorted(group, key=lambda file: file.path)
        for (_, _, n_parts), group in groups.items()
        if len(group) == n_parts
    ]
    labels = Counter(_label(group[0].path) for group in complete)
    choices = [_choice(group, is_alone=labels[_label(group[0].path)] == 1) for group in complete]
    return Listing(
        choices=tuple(sorted(choices, key=lambda choice: (choice.size_bytes, choice.files[0].path))),
        projectors=tuple(sorted(projectors, key=_projector_order)),
        heads=tuple(sorted(heads, key=_projector_order)),
    )


def choose(
    listing: Listing, *, repo: str, quantization: str | None, file: str | None
) -> tuple[HubQuant, str]:
    """Return the quant that is meant, and the reason where the user did not choose it.

    Raises ``HubChoiceUnknown`` if there is none, or if several match equally.
    """
    if file is not None:
        matches = [choice for choice in listing.choices if any(part.path == file for part in choice.files)]
        matches = matches or [
            _choice((part,), is_alone=True)
            for part in (*listing.projectors, *listing.heads)
            if part.path == file
        ]
        return _only_match(matches, listing=listing, repo=repo, requested=file), ""
    if quantization is not None:
        label = quantization.casefold()
        matches = [choice for choice in listing.choices if choice.label.casefold() == label]
        matches = [choice for choice in listing.choices if choice.name.casefold() == label] or matches
        matches = matches or [
            choice for choice in listing.choices if choice.label.casefold().removeprefix("ud-") == label
        ]
        return _only_match(matches, listing=listing, repo=repo, requested=quantization), ""
    return _choose_default(listing, repo=repo)


def _choose_default(listing: Listing, *, repo: str) -> tuple[HubQuant, str]:
    if len(listing.choices) == 1:
        return listing.choices[0], ""
    for label in _PREFERRED_QUANTS:
        matches = [choice for choice in listing.choices if choice.label == label]
        if len(matches) == 1:
            others = tr("%n size|%n sizes", "", len(listing.choices))
            if label == _PREFERRED_QUANTS[0]:
                return matches[0], tr(
                    "{label}, of {others}: near full quality at about a quarter of the size."
                ).format(label=label, others=others)
            return matches[0], tr("{label}, of {others}: closest to the usual quantization.").format(
                label=label, others=others
            )
    if not listing.choices:
        raise HubChoiceUnknown(repo=repo, wanted="model", available="")
    labels = {choice.label for choice in listing.choices}
    if len(labels) == len(listing.choices):
        return listing.choices[0], tr("{label}: smallest of {count}.").format(
            label=listing.choices[0].label, count=len(labels)
        )
    raise HubChoiceUnknown(repo=repo, wanted=tr("choice of one model"), available=_list_choices(listing))


def _only_match(matches: Sequence[HubQuant], *, listing: Listing, repo: str, requested: str) -> HubQuant:
    if len(matches) != 1:
        raise HubChoiceUnknown(
            repo=repo, wanted=requested, available=_list_choices(listing, by_file=len(matches) > 1)
        )
    return matches[0]


def _list_choices(listing: Listing, *, by_file: bool = False) -> str:
    labels = [choice.label for choice in listing.choices]
    if by_file or len(set(labels)) < len(labels):
        labels = [printable(choice.files[0].path, limit=_SHOWN_CHARACTERS) for choice in listing.choices]
    entries = [
        f"{label} ({format_bytes(choice.size_bytes)})"
        for label, choice in zip(labels, listing.choices, strict=True)
    ]
    first = ", ".join(entries[:_MAX_LISTED])
    return (
        tr("{first} and {count} more").format(first=first, count=len(entries) - _MAX_LISTED)
        if entries[_MAX_LISTED:]
        else first
    )


def _label(path: str) -> str:
    pure = PurePosixPath(path)
    in_name = quantization_in_name(pure.name)
    if in_name is not None:
        return in_name
    # Large repositories have a folder for each quant, named after it.
    in_folder = quantization_in_name(f"{_STEM_PREFIX}{pure.parent.name}.gguf") if pure.parent.name else None
    return in_folder or printable(file_stem(pure.name))


def _choice(files: Sequence[HubFile], *, is_alone: bool) -> HubQuant:
    label = _label(files[0].path)
    stem = printable(file_stem(PurePosixPath(files[0].path).name), limit=_SHOWN_CHARACTERS)
    return HubQuant(
        label=label,
        description=quant_description(label),
        files=tuple(files),
        name="" if is_alone else stem,
    )


def _projector_order(file: HubFile) -> tuple[int, int, str]:
    label = (quantization_in_name(PurePosixPath(file.path).name) or "").upper()
    rank = (
        _PROJECTOR_PRECISIONS.index(label) if label in _PROJECTOR_PRECISIONS else len(_PROJECTOR_PRECISIONS)
    )
    return rank, file.size_bytes, file.path
