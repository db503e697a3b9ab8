"""Plan and carry out the removal of a model from the library."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from fireside.core.errors import ModelError, format_bytes
from fireside.core.hub import origin_name
from fireside.core.i18n import tr
from fireside.core.library import Removal, RemovalKind
from fireside.core.os_errors import render_os_error
from fireside.library.model_sources import SourceKind
from fireside.library.scan import FoundCandidate


def removal_of(item: FoundCandidate, *, name: str, projectors: Sequence[str], n_models: int) -> Removal:
    """Return what removing ``item`` would do.

    Args:
        name: display name of the model.
        projectors: files that no other model needs, removed with it.
        n_models: models in the same source, this one included.
    """
    match item.source.kind:
        case SourceKind.STARTER:
            return Removal(kind=RemovalKind.NOT_POSSIBLE, text=tr("Included with Fireside."))
        case SourceKind.APPLICATION:
            owner = item.source.label
            return Removal(
                kind=RemovalKind.NOT_POSSIBLE,
                text=tr("Managed by {owner}. Delete it there.").format(owner=owner),
            )
        case SourceKind.ADDED_FILE:
            text = tr("“{name}” is removed from the list. Its file stays in place.").format(name=name)
            return Removal(kind=RemovalKind.FORGET_FILE, text=text)
        case SourceKind.ADDED_FOLDER:
            text = tr(
                "The folder {folder} and its model are removed from the list. The files "
                "stay.|The folder {folder} and its %n models are removed from the list. The "
                "files stay.",
                "",
                n_models,
            ).format(folder=item.source.label)
            return Removal(kind=RemovalKind.FORGET_FOLDER, text=text)
        case SourceKind.LIBRARY:
            return _trash_removal(item, name=name, projectors=projectors)


def trash_files(removal: Removal, *, trash: Callable[[str], None], library_folder: Path) -> None:
    """Move the files of ``removal`` to the trash, and remove library folders that become empty.

    Raises ``model_file_not_removed``; what was moved before that stays in the trash.
    """
    for path in removal.files:
        try:
            trash(path)
        except FileNotFoundError:
            continue
        except OSError as exc:
            reason = tr("it cannot be moved to the trash ({reason}).").format(reason=render_os_error(exc))
            raise ModelError.of("model_file_not_removed", reason=reason) from exc
    for folder in {Path(path).parent for path in removal.files}:
        _remove_empty(folder, library_folder=library_folder)


def _trash_removal(item: FoundCandidate, *, name: str, projectors: Sequence[str]) -> Removal:
    model_files = (*(file.path for file in item.candidate.files), *projectors)
    freed_bytes = sum(_freed_bytes(path) for path in model_files)
    origins = [str(Path(path).with_name(origin_name(Path(path).name))) for path in model_files]
    text = (
        tr("“{name}” moves to the trash. Emptying it frees {size}.")
        if freed_bytes
        else tr("“{name}” moves to the trash. That frees no space: the file is also linked elsewhere.")
    ).format(name=name, size=format_bytes(freed_bytes))
    return Removal(
        kind=RemovalKind.TRASH,
        text=text,
        files=(*model_files, *(path for path in origins if os.path.lexists(path))),
        freed_bytes=freed_bytes,
    )


def _freed_bytes(path: str) -> int:
    """Return the disk space freed: none for a link, or a file with another hard link."""
    try:
        status = os.lstat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) and status.st_nlink <= 1 else 0


def _remove_empty(folder: Path, *, library_folder: Path) -> None:
    with contextlib.suppress(OSError):
        while folder != library_folder and folder.is_relative_to(library_folder):
            folder.rmdir()
            folder = folder.parent
