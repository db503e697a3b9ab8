"""``fireside pull``: download a model, showing the progress."""

from __future__ import annotations

import os
import queue
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fireside.cli.command_parser import CommandParser
from fireside.cli.exit_handling import INTERRUPTED, SingleInterrupt
from fireside.cli.progress import Progress
from fireside.cli.screen import Screen, columns, one_line
from fireside.core.errors import error_from_info, format_bytes
from fireside.core.hub import Download, DownloadEvent, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.core.i18n import render_sentence

if TYPE_CHECKING:
    from fireside.cli.engine_loop import EngineLoop
    from fireside.core.discovery import HubQuant
    from fireside.hub.download_plan import DownloadPlan, Recommend
    from fireside.library.library import Library
    from fireside.main.startup_context import StartupContext
    from fireside.services.downloads.download_scheduler import DownloadScheduler
    from fireside.services.hub.quant_recommendation import Advice, AdvisedQuant

_DESCRIPTION: Final = """\
Download a model from Hugging Face into the library. Checksums are verified.
Without a quantization, the recommended one for this computer is chosen.
"""
_EXAMPLES: Final = """\
examples:
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF          the recommended quantization
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF:Q8_0     a given quantization
  fireside pull owner/model/file.gguf                         one file
  fireside pull "URL of the model's page"
Ctrl+C pauses; the same command resumes, also after a power cut.
Private and gated models need an access token: saved in the settings, or in HF_TOKEN.
"""
_POLL_S: Final = 0.5
_SELECTED: Final = "→ "
_OTHER: Final = "  "
_QUANT_NUMBERS: Final = (1,)


def define(command: CommandParser) -> None:
    """Add what may be typed after ``pull``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES
    command.does(pull)
    command.add_argument("--no-token", action="store_true", help="do not send the access token")
    command.add_argument("name", help="OWNER/MODEL, OWNER/MODEL:QUANTIZATION, OWNER/MODEL/FILE or a URL")


def pull(context: StartupContext, *, name: str, no_token: bool) -> int:
    """Download a model into the library. Returns the exit status; raises ``FiresideError``."""
    from fireside.cli.engine_loop import EngineLoop
    from fireside.engine.devices.card_sources import DeviceMemory, card_sources
    from fireside.main.library import build_library
    from fireside.main.machine import build_computer, build_spawner, build_speeds
    from fireside.main.network import build_access, build_secrets
    from fireside.services.downloads.download_setup import make_scheduler, transfer_context
    from fireside.services.hub.quant_recommendation import QuantRecommender
    from fireside.settings.redaction import Redaction

    screen, library = Screen(output=sys.stdout, status=sys.stderr), build_library(context)
    progress = Progress(screen=screen, status=sys.stderr)
    events: queue.SimpleQueue[DownloadEvent] = queue.SimpleQueue()
    computer = build_computer(
        context,
        spawner=build_spawner(context.paths),
        speeds=build_speeds(context.paths),
        memory=DeviceMemory(card_sources(os.environ)),
    )
    with SingleInterrupt() as interrupt, EngineLoop() as loop:
        access = build_access(context, build_secrets(context, redaction=Redaction()))
        if no_token:
            loop.wait(access.token.suspend())
        downloads = make_scheduler(
            access,
            transfer_context(access),
            folder=library.writable_folder,
            emit=events.put,
            on_done=_ignore,
            queue_file=None,
        )
        recommend = QuantRecommender(
            session=access.session,
            computer=lambda: loop.wait(computer.measure()),
            show=lambda advice: screen.say(quant_table(advice)),
        )
        following = Pull(
            loop=loop,
            library=library,
            downloads=downloads,
            recommend=recommend,
            events=events,
            screen=screen,
            progress=progress,
            interrupt=interrupt,
        )
        try:
            path = following.fetch(name)
        except KeyboardInterrupt:
            screen.say(f"\nPaused. Resume with: fireside pull {one_line(name)}\n")
            return INTERRUPTED
        finally:
            progress.end()
            loop.wait(downloads.close())
            access.close()
    return _print_next_step(build_library(context), path, screen=screen)


async def _ignore(_download: Download) -> None:
    """Skip the rescan of the library: the command ends."""


def _print_next_step(library: Library, path: Path, *, screen: Screen) -> int:
    """Print how to run the model and return the exit status: 1 if the file is not a usable model."""
    from fireside.library.header_check import UnusableFile, inspect
    from fireside.library.model_candidates import candidate_at

    facts = inspect(candidate_at(str(path)))
    if isinstance(facts, UnusableFile) and facts.senses is None:
        screen.say(f"It cannot be used: {render_sentence(facts.reason)}\n")
        return 1
    for entry in library.scan():
        if entry.spec is not None and Path(entry.path) == path:
            screen.say(f"Chat with: fireside run {entry.spec.id}\n")
    return 0


class Pull:
    """Queues the download of one model and waits for it. ``events`` is filled from the engine's thread."""

    def __init__(
        self,
        *,
        loop: EngineLoop,
        library: Library,
        downloads: DownloadScheduler,
        recommend: Recommend,
        events: queue.SimpleQueue[DownloadEvent],
        screen: Screen,
        progress: Progress,
        interrupt: SingleInterrupt,
    ) -> None:
        self._loop = loop
        self._library = library
        self._downloads = downloads
        self._recommend = recommend
        self._events = events
        self._screen = screen
        self._progress = progress
        self._interrupt = interrupt

    def fetch(self, name: str) -> Path:
        """Download a model, unless the library has it, and return the path of its first file.

        Raises ``FiresideError``, also the error that the download failed with.
        """
        from fireside.hub.download_disk import Disk
        from fireside.hub.partial_file import arrived_bytes

        plan = self._loop.wait(self._downloads.plan(name, recommend=self._recommend))
        others = f" in {len(plan.files)} files" if len(plan.files) > 1 else ""
        self._screen.say(f"{one_line(plan.title)}, {format_bytes(plan.size_bytes)}{others}\n")
        if plan.why:
            self._screen.say(f"{plan.why}\n")
        if existing := self._existing_file(plan):
            self._screen.say(f"Already on this computer: {one_line(str(existing))}\n")
            return existing
        n_bytes = arrived_bytes(plan.files, folder=self._library.folder, disk=Disk())
        if n_bytes:
            self._progress.show_resumed(n_bytes, plan.size_bytes)
        self._loop.wait(self._downloads.add(plan))
        try:
            self._follow()
        finally:
            self._progress.end()
        target = self._library.folder.joinpath(*plan.files[0].name.split("/"))
        self._screen.say(f"Downloaded and verified: {one_line(str(target))}\n")
        return target

    def _existing_file(self, plan: DownloadPlan) -> Path | None:
        """Return the file of a plan with one file if the library has it under any name, by its hash."""
        for entry in self._library.scan():
            if entry.sha256 and [entry.sha256] == [planned.file.digest for planned in plan.files]:
                return Path(entry.path)
        return None

    def _follow(self) -> None:
        while True:
            self._interrupt.check()
            download = self._next()
            if download is None:
                continue
            if download.state is DownloadState.DONE:
                return
            if download.error is not None:
                raise error_from_info(download.error)
            self._progress.show_download(download)

    def _next(self) -> Download | None:
        try:
            # Without a timeout, Windows would not notice an interrupt.
            return _latest(self._events.get(timeout=_POLL_S))
        except queue.Empty:
            return None


def _latest(event: DownloadEvent) -> Download | None:
    match event:
        case DownloadProgressed():
            return event.download
        case DownloadsChanged():
            return event.downloads[0] if event.downloads else None


def quant_table(advice: Advice) -> str:
    """Return a table of quantizations, with an arrow before the selected one."""
    return columns(
        [_quant_row(quant, selected=advice.choice) for quant in advice.quants], numbers=_QUANT_NUMBERS
    )


def _quant_row(quant: AdvisedQuant, *, selected: HubQuant) -> tuple[str, ...]:
    from fireside.services.hub.quant_recommendation import fit_text

    mark = _SELECTED if quant.choice == selected else _OTHER
    size = format_bytes(quant.choice.size_bytes)
    return f"{mark}{one_line(quant.choice.title)}", size, quant.choice.description, fit_text(quant)
