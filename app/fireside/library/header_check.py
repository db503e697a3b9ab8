"""Read a candidate's headers: the spec of a usable model, or why it is unusable."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fireside.core.errors import ModelFileInvalid, ModelFileMissing
from fireside.core.i18n import Translatable, number, tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec, Senses
from fireside.gguf import FileKind, GgufHeader, file_kind, model_spec, n_parts, read_header
from fireside.gguf.format_constants import MAGIC
from fireside.gguf.projector_facts import projector_senses
from fireside.library.model_candidates import ModelCandidate

MAX_NAMED_PARTS = 5
UNASSIGNED_ID = ModelId("")
"""Placeholder in a spec until the library assigns an id."""


class UnusableFile(msgspec.Struct, frozen=True, kw_only=True):
    """Why a candidate is no usable model, as a sentence that may lack its capital letter."""

    reason: Translatable
    is_permanent: bool = True
    """Whether it holds until the file changes; a denied permission does not."""
    senses: Senses | None = None
    """Of a projector: what it lets a model take."""
    is_heads: bool = False
    """Whether it has the draft heads of a model in another file."""
    may_be_growing: bool = False
    """Whether a file that is still being copied would look the same."""


def inspect(candidate: ModelCandidate) -> ModelSpec | UnusableFile:
    """Read the headers of ``candidate``. Never raises; blocks on the disk."""
    missing = candidate.missing_parts
    if missing:
        return UnusableFile(reason=_missing_parts_sentence(candidate, missing), may_be_growing=True)
    headers: list[GgufHeader] = []
    try:
        headers += [read_header(file.path) for file in candidate.files]
        reason = _split_problem(candidate, headers)
        if reason is not None:
            return UnusableFile(reason=reason)
        return model_spec(headers[0], path=candidate.path, id=UNASSIGNED_ID, parts=tuple(headers[1:]))
    except ModelFileInvalid as exc:
        return UnusableFile(
            reason=exc.reason,
            is_permanent=not isinstance(exc.__cause__, OSError),
            senses=next(filter(None, map(projector_senses, headers)), None),
            is_heads=any(file_kind(header) is FileKind.HEADS for header in headers),
            may_be_growing=any(_may_be_growing(file.path) for file in candidate.files[len(headers) :]),
        )
    except ModelFileMissing as exc:
        return UnusableFile(reason=exc.sentence(), is_permanent=False)


def _may_be_growing(path: str) -> bool:
    """Return whether a file may still be copied: it starts as a valid file, or with zeros of reserved
    space."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError:
        return True
    return MAGIC.startswith(head) or not any(head)


def _split_problem(candidate: ModelCandidate, headers: list[GgufHeader]) -> str | None:
    """Return why the parts do not fit: the runner finds them by name, so names and headers must agree."""
    count = candidate.split.count if candidate.split is not None else 1
    for position, header in enumerate(headers, start=1):
        if n_parts(header) != count:
            if count == 1:
                return tr(
                    "One of {count} parts of a model, but renamed. Restore the original names of the parts."
                ).format(count=number(n_parts(header)))
            return tr("Part {number} does not belong to the other parts.").format(number=position)
        if count > 1 and header.integer("split.no") != position - 1:
            return tr("Part {number} contains another part. The parts were mixed up.").format(number=position)
    return None


def _missing_parts_sentence(candidate: ModelCandidate, missing: tuple[int, ...]) -> str:
    count = candidate.split.count if candidate.split is not None else 1
    if len(missing) > MAX_NAMED_PARTS:
        return tr("{missing} of its {count} parts are missing.").format(missing=len(missing), count=count)
    if len(missing) == 1:
        return tr("Part {missing} of {count} is missing.").format(missing=missing[0], count=count)
    *first, last = (str(position) for position in missing)
    return tr("Parts {most} and {last} of {count} are missing.").format(
        most=", ".join(first), last=last, count=count
    )
