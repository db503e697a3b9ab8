"""Run the commands that fetch models and check them: build what they need, and end it."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from pathlib import Path

from fireside.chat.advice import Adviser
from fireside.cli.arguments import Arguments
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.progress import Progress
from fireside.cli.pull import Pull
from fireside.cli.quant_table import quant_table
from fireside.cli.screen import Screen
from fireside.cli.terminal import hint
from fireside.cli.verify import verify_files
from fireside.core.errors import FiresideError
from fireside.core.hub import Download, DownloadEvent
from fireside.gguf import parse_split_name
from fireside.hub.control import Control
from fireside.hub.disk import Disk
from fireside.hub.verify import Checked, begin_repair
from fireside.library.library import Library
from fireside.main.build import Ground
from fireside.main.computer import measure_computer
from fireside.main.hub import Transfers, build_downloads, build_session, build_token
from fireside.main.library import build_library
from fireside.settings.redaction import Redaction


def run_hub_command(ground: Ground, arguments: Arguments) -> int:
    """Fetch a model, or check one. Returns the exit status."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    progress = Progress(screen=screen, status=sys.stderr)
    try:
        if arguments.command == "pull":
            return _pull(ground, arguments.name, screen=screen, progress=progress)
        return _verify(ground, arguments, screen=screen, progress=progress)
    except FiresideError as exc:
        progress.end()
        screen.say(f"fireside: {exc} {hint(exc)}".rstrip() + "\n")
        return 1


def _pull(ground: Ground, name: str, *, screen: Screen, progress: Progress) -> int:
    events: queue.SimpleQueue[DownloadEvent] = queue.SimpleQueue()
    token = build_token(ground, redaction=Redaction())
    session = build_session(ground, token=token)
    with EngineLoop() as loop:
        downloads = build_downloads(
            ground, session=session, token=token, emit=events.put, on_done=_nothing_more, queue_file=None
        )
        try:
            pull = Pull(
                loop=loop,
                downloads=downloads,
                recommend=Adviser(
                    session=session,
                    computer=lambda: loop.wait(measure_computer(ground)),
                    show=lambda advice: screen.say(quant_table(advice)),
                ),
                events=events,
                screen=screen,
                progress=progress,
            )
            done = pull.fetch(name)
        except KeyboardInterrupt:
            screen.say(f"\nPaused; what has arrived is kept. Go on with: fireside pull {name}\n")
            return 130
        finally:
            loop.wait(downloads.close())
    _say_how_to_run(ground, done, screen=screen)
    return 0


async def _nothing_more(download: Download) -> None:
    """The command ends, and the library is read when it is next needed."""
    del download


def _say_how_to_run(ground: Ground, done: Download, *, screen: Screen) -> None:
    target = ground.paths.models_folder.joinpath(*done.files[0].name.split("/"))
    screen.say(f"Checked and in your library: {target}\n")
    for entry in _library(ground).scan():
        if entry.spec is not None and Path(entry.path) == target:
            screen.say(f"Chat with it: fireside run {entry.spec.id}\n")


def _verify(ground: Ground, arguments: Arguments, *, screen: Screen, progress: Progress) -> int:
    paths = _files_of(ground, arguments.name)
    if not arguments.repair:
        sound = verify_files(paths, disk=Disk(), mend=None, screen=screen, progress=progress)
        return 0 if sound else 1
    with EngineLoop() as loop:
        token = build_token(ground, redaction=Redaction())
        loop.wait(token.look())
    session = build_session(ground, token=token)
    transfers = Transfers(ground, session=session)

    def mend(path: Path, checked: Checked, *, on_progress: Callable[[int], None]) -> None:
        wanted = begin_repair(path, checked, session=session, disk=Disk(), name=path.name)
        transfers(
            wanted,
            control=Control(),
            report=lambda report: on_progress(report.n_bytes),
            folder=path.parent,
        )

    try:
        return 0 if verify_files(paths, disk=Disk(), mend=mend, screen=screen, progress=progress) else 1
    except KeyboardInterrupt:
        screen.say("\nStopped. What is left is mended by fetching the model again with “fireside pull”.\n")
        return 130
    finally:
        session.close()


def _files_of(ground: Ground, name: str) -> tuple[Path, ...]:
    """Return the files of the model that is meant: a file, or a name from the library with all its parts."""
    path = Path(name)
    if not path.is_file():
        entry = _library(ground).find(name)
        path = Path(entry.path)
        projector = None if entry.spec is None else entry.spec.projector_path
        beside = (Path(projector),) if projector is not None else ()
    else:
        path, beside = path.absolute(), ()
    split = parse_split_name(path.name)
    if split is None:
        return (path, *beside)
    return (*(path.with_name(split.sibling(number)) for number in range(1, split.count + 1)), *beside)


def _library(ground: Ground) -> Library:
    return build_library(ground.paths, ground.settings)
