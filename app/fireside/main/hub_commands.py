"""Run the commands that find, download and verify models."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from pathlib import Path

from fireside.cli.arguments import Arguments
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.exit_handling import INTERRUPTED, SingleInterrupt
from fireside.cli.model_tables import quant_table, search_table
from fireside.cli.progress import Progress
from fireside.cli.pull import Pull
from fireside.cli.screen import Screen, one_line
from fireside.cli.verify import verify_files
from fireside.core.hub import Download, DownloadEvent
from fireside.core.i18n import render_sentence
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, start_repair
from fireside.hub.model_search import search
from fireside.library.header_check import Unusable, inspect
from fireside.library.library import Library
from fireside.library.lookup import find_unusable
from fireside.library.model_candidates import candidate_at
from fireside.library.model_files import files_of, parts_of
from fireside.main.hardware_setup import build_computer, build_speeds
from fireside.main.hub_setup import build_access, build_secrets
from fireside.main.library_setup import build_library
from fireside.main.runtime_setup import build_spawner
from fireside.main.startup_context import StartupContext
from fireside.services.downloads.download_setup import Transfers, make_scheduler, transfer_context
from fireside.services.hub.quant_recommendation import QuantRecommender
from fireside.services.hub_access import HubAccess
from fireside.settings.redaction import Redaction


def run_hub_command(context: StartupContext, arguments: Arguments) -> int:
    """Find models, download one, or verify one. Returns the exit status; raises ``FiresideError``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    progress = Progress(screen=screen, status=sys.stderr)
    with SingleInterrupt() as interrupt:
        try:
            if arguments.command == "search":
                return _search(context, arguments, screen=screen)
            if arguments.command == "pull":
                return _pull(context, arguments, screen=screen, progress=progress, interrupt=interrupt)
            return _verify(context, arguments, screen=screen, progress=progress)
        finally:
            progress.end()


def _search(context: StartupContext, arguments: Arguments, *, screen: Screen) -> int:
    with EngineLoop() as loop:
        access = _access(context, arguments, loop=loop)
        loop.wait(access.token.load())
    try:
        page = search(access.session, arguments.hub_query)
    finally:
        access.close()
    if not page.models:
        screen.say("No results on Hugging Face. Try fewer words.\n")
        return 1
    screen.write(search_table(page))
    if page.next_page is not None:
        screen.say("There are more. Narrow the search with more words, --author or --licence.\n")
    screen.say(f"Download with: fireside pull {page.models[0].repo}\n")
    return 0


def _access(context: StartupContext, arguments: Arguments, *, loop: EngineLoop) -> HubAccess:
    access = build_access(context, build_secrets(context, redaction=Redaction()))
    if arguments.no_token:
        loop.wait(access.token.suspend())
    return access


def _pull(
    context: StartupContext,
    arguments: Arguments,
    *,
    screen: Screen,
    progress: Progress,
    interrupt: SingleInterrupt,
) -> int:
    name, library = arguments.name, _library(context)
    events: queue.SimpleQueue[DownloadEvent] = queue.SimpleQueue()
    computer = build_computer(
        context, spawner=build_spawner(context.paths), speeds=build_speeds(context.paths)
    )
    with EngineLoop() as loop:
        access = _access(context, arguments, loop=loop)
        downloads = make_scheduler(
            access,
            transfer_context(access),
            folder=library.writable_folder,
            emit=events.put,
            on_done=_ignore,
            queue_file=None,
        )
        try:
            pull = Pull(
                library=library,
                loop=loop,
                downloads=downloads,
                recommend=QuantRecommender(
                    session=access.session,
                    computer=lambda: loop.wait(computer.measure()),
                    show=lambda advice: screen.say(quant_table(advice)),
                ),
                events=events,
                screen=screen,
                progress=progress,
                interrupt=interrupt,
            )
            path = pull.fetch(name)
        except KeyboardInterrupt:
            screen.say(f"\nPaused. Resume with: fireside pull {one_line(name)}\n")
            return INTERRUPTED
        finally:
            loop.wait(downloads.close())
            access.close()
    return _print_next_step(context, path, screen=screen)


async def _ignore(_download: Download) -> None:
    """Skip the rescan of the library: the command ends."""


def _print_next_step(context: StartupContext, path: Path, *, screen: Screen) -> int:
    """Print how to run the model and return the exit status: 1 if the file is not a usable model."""
    facts = inspect(candidate_at(str(path)))
    if isinstance(facts, Unusable) and not facts.is_vision_projector:
        screen.say(f"It cannot be used: {render_sentence(facts.reason)}\n")
        return 1
    for entry in _library(context).scan():
        if entry.spec is not None and Path(entry.path) == path:
            screen.say(f"Chat with: fireside run {entry.spec.id}\n")
    return 0


def _verify(context: StartupContext, arguments: Arguments, *, screen: Screen, progress: Progress) -> int:
    paths = _files_of(context, arguments.name)
    if not arguments.repair:
        is_intact = verify_files(paths, disk=Disk(), repair=None, screen=screen, progress=progress)
        return 0 if is_intact else 1
    with EngineLoop() as loop:
        access = build_access(context, build_secrets(context, redaction=Redaction()))
        loop.wait(access.token.load())
    transfers = Transfers(transfer_context(access), folder=_library(context).writable_folder)

    def repair(path: Path, checked: CheckedFile, *, on_progress: Callable[[int], None]) -> None:
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


def _files_of(context: StartupContext, name: str) -> tuple[Path, ...]:
    """Return the files of a model, given by a path or its name in the library, with all its parts."""
    path = Path(name)
    if path.is_file():
        return parts_of(path.absolute())
    library = _library(context)
    # A damaged file may no longer be a usable model, but is to be verified.
    return files_of(find_unusable(library.scan(), name) or library.find(name))


def _library(context: StartupContext) -> Library:
    return build_library(context)
