"""``fireside verify``: check the files of a model, and repair them with ``--repair``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fireside.cli.command_parser import CommandParser
from fireside.cli.exit_handling import INTERRUPTED, SingleInterrupt
from fireside.cli.progress import Progress
from fireside.cli.screen import Screen, one_line
from fireside.core.errors import FileUnverifiable, format_bytes
from fireside.core.hub import BLOCK_BYTES, VerifyOutcome
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, start_repair, verify

if TYPE_CHECKING:
    from fireside.library.library import Library
    from fireside.main.startup_context import StartupContext

_DESCRIPTION: Final = """\
Verify the checksums of a model's files. Connects to the network only to repair.
Exits with status 0 if all files are intact, with 1 if not.
"""

RepairFile = Callable[[Path, CheckedFile, Callable[[int], None]], None]
"""Downloads the damaged blocks of a file; its last argument gets the bytes so far."""


def define(command: CommandParser) -> None:
    """Add what may be typed after ``verify``."""
    command.description = _DESCRIPTION
    command.does(verify_model)
    command.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")
    command.add_argument("--repair", action="store_true", help="download only the damaged parts again")


def verify_model(context: StartupContext, *, name: str, repair: bool) -> int:
    """Check a model's files. Returns 0 if all are intact, or repaired; raises ``FiresideError``."""
    from fireside.main.library import build_library

    screen = Screen(output=sys.stdout, status=sys.stderr)
    progress = Progress(screen=screen, status=sys.stderr)
    library = build_library(context)
    paths = _files_of(library, name)
    with SingleInterrupt():
        try:
            if repair:
                return _repair(context, paths, library=library, screen=screen, progress=progress)
            is_intact = verify_files(paths, disk=Disk(), repair=None, screen=screen, progress=progress)
            return 0 if is_intact else 1
        finally:
            progress.end()


def _files_of(library: Library, name: str) -> tuple[Path, ...]:
    """Return the files of a model, given by a path or its name in the library, with all its parts."""
    from fireside.library.lookup import files_of, find_unusable, parts_of

    path = Path(name)
    if path.is_file():
        return parts_of(path.absolute())
    # A damaged file may no longer be a usable model, but is to be verified.
    return files_of(find_unusable(library.scan(), name) or library.find(name))


def _repair(
    context: StartupContext, paths: Sequence[Path], *, library: Library, screen: Screen, progress: Progress
) -> int:
    from fireside.cli.engine_loop import EngineLoop
    from fireside.main.network import build_access, build_secrets
    from fireside.services.downloads.download_setup import Transfers, transfer_context
    from fireside.settings.redaction import Redaction

    with EngineLoop() as loop:
        access = build_access(context, build_secrets(context, redaction=Redaction()))
        loop.wait(access.token.load())
    transfers = Transfers(transfer_context(access), folder=library.writable_folder)

    def repair(path: Path, checked: CheckedFile, on_progress: Callable[[int], None]) -> None:
        download = start_repair(path, checked, session=access.session, disk=Disk(), name=path.name)
        transfers(
            download,
            cancel=CancelToken(),
            report=lambda report: on_progress(report.n_bytes),
            folder=path.parent,
        )

    try:
        return 0 if verify_files(paths, disk=Disk(), repair=repair, screen=screen, progress=progress) else 1
    except KeyboardInterrupt:
        screen.say("\nStopped. Download the model again with “fireside pull” to finish the repair.\n")
        return INTERRUPTED
    finally:
        access.close()


def verify_files(
    paths: Sequence[Path], *, disk: Disk, repair: RepairFile | None, screen: Screen, progress: Progress
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
    path: Path, *, disk: Disk, repair: RepairFile | None, screen: Screen, progress: Progress
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
    repair(path, checked, lambda n_bytes: progress.show_fraction(n_bytes, checked.origin.size_bytes))
    progress.end()
    screen.say(f"{one_line(path.name)}: repaired\n")
    return True
