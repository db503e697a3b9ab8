"""List the files of one model."""

from __future__ import annotations

from pathlib import Path

from fireside.core.model import ModelEntry
from fireside.gguf import parse_split_name


def parts_of(path: Path) -> tuple[Path, ...]:
    """Return all files of the model that ``path`` is, or is a part of, by their names."""
    split = parse_split_name(path.name)
    if split is None:
        return (path,)
    return tuple(path.with_name(split.sibling(number)) for number in range(1, split.count + 1))


def files_of(entry: ModelEntry) -> tuple[Path, ...]:
    """Return all parts of a model, and its projector last if there is one."""
    projector = None if entry.spec is None else entry.spec.projector_path
    return (*parts_of(Path(entry.path)), *((Path(projector),) if projector is not None else ()))
