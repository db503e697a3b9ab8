"""``fireside verify``: check the files of a model, and repair them with ``--repair``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from fireside.cli.progress import Progress
from fireside.cli.screen import Screen, one_line
from fireside.core.errors import FileUnverifiable, format_bytes
from fireside.core.hub import BLOCK_BYTES, VerifyOutcome
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, verify


class FileRepairer(Protocol):
    """Downloads the damaged blocks of a file; ``on_progress`` gets the bytes so far."""

    def __call__(self, path: Path, checked: CheckedFile, *, on_progress: Callable[[int], None]) -> None: ...


def verify_files(
    paths: Sequence[Path], *, disk: Disk, repair: FileRepairer | None, screen: Screen, progress: Progress
) -> bool:
    """Check each file and print the result; ``repair`` repairs damaged ones. Return whether all are intact
    now.

    A file that cannot be checked counts as damaged. Raises ``FiresideError`` of the hub during a repair.
    """
    n_intact = sum(
        _verify_file(path, disk=disk, repair=repair, screen=screen, progress=progress) for path in paths
    )
    return n_intact == len(paths)


def _verify_file(
    path: Path, *, disk: Disk, repair: FileRepairer | None, screen: Screen, progress: Progress
) -> bool:
    n_total = disk.size_of(path) or 0
    try:
        checked = verify(
            path,
            disk=disk,
            cancel=CancelToken(),
            on_progress=lambda n_bytes: progress.show_fraction(min(n_bytes, n_total), n_total),
        )
    except FileUnverifiable as exc:
        progress.end()
        screen.say(f"{one_line(path.name)}: {exc.reason}\n")
        return False
    progress.end()
    if checked.result.outcome is VerifyOutcome.SOUND:
        screen.say(f"{one_line(path.name)}: intact\n")
        return True
    n_bad = len(checked.result.bad_blocks)
    size = format_bytes(min(checked.origin.size_bytes, n_bad * BLOCK_BYTES))
    screen.say(f"{one_line(path.name)}: damaged, {n_bad} of {checked.result.n_blocks} parts (up to {size})\n")
    if repair is None:
        return False
    repair(
        path, checked, on_progress=lambda n_bytes: progress.show_fraction(n_bytes, checked.origin.size_bytes)
    )
    progress.end()
    screen.say(f"{one_line(path.name)}: repaired\n")
    return True
