"""Run the commands about collections of documents: build the program without its window, and end it."""

from __future__ import annotations

import queue
import sys

from fireside.cli.arguments import Arguments
from fireside.cli.documents import Documents
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.files import model_files
from fireside.cli.screen import Screen
from fireside.core.events import AppEvent
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.startup_context import StartupContext
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction


def run_documents(context: StartupContext, arguments: Arguments) -> int:
    """Do what was typed after ``fireside documents``. Returns the exit status; raises ``FiresideError``."""
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    redaction = Redaction()
    asks = arguments.documents.action == "ask"
    sharing = EngineSharing(
        name="fireside documents", stays=ProgramLifetime.FOR_A_COMMAND, say=sys.stderr.write
    )
    with LogFile(context.paths.logs_folder, redaction=redaction, name="commands"), EngineLoop() as loop:
        app = loop.wait(
            build_app(
                context, emit=events.put, keep=Persistence.NOTHING, redaction=redaction,
                added=model_files(arguments.model) if asks else (), sharing=sharing if asks else None,
            )
        )  # fmt: skip
        try:
            screen = Screen(output=sys.stdout, status=sys.stderr)
            return Documents(app, loop, events, screen=screen).run(arguments.documents, model=arguments.model)
        finally:
            loop.wait(app.close())
