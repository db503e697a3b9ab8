"""The real program through an ordinary day, in a process of its own that ``no_network.c`` watches.

Arguments: the program's folder, and what happens: ``ordinary``, or ``asks_the_hub`` once.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.engine.processes import environment
from fireside.ui.page import Page

QUESTION = "Look at http://192.0.2.7/picture.png and ![](http://192.0.2.7/a.png) please."
SETTINGS = ("sampling.max_tokens=24", "sampling.temperature=0", "chat.titles_by_model=true")
HAS_ENGINE = "HAS_ENGINE" in os.environ
"""Whether the user added another engine before."""
LOOK_MS = 1200
"""Longer than the time between two looks of a page that follows something."""
REST_MS = 4000
"""Longer than all that is done when no request waits: titles, states, the index, a look at the disk."""


async def rest(rest_ms: int = REST_MS) -> None:
    over = asyncio.Event()
    QTimer.singleShot(rest_ms, over.set)
    await over.wait()


async def ordinary(program: Program) -> None:
    window = program.window
    await program.ready()
    assert any(entry.spec and entry.spec.remote for entry in window.models.usable) is HAS_ENGINE
    answer = await program.ask(QUESTION)
    assert answer.message.text
    for page in Page:
        window.show_page(page)
        await until(lambda: window.context.tasks.n_running == 0)
        await rest(LOOK_MS)
    await program.client.models.rescan()
    window.show_page(Page.CHAT)
    await program.ask("And again.")
    await rest()


async def asks_the_hub(program: Program) -> None:
    """The user asks the hub once: proof that the watch sees a connection."""
    window = program.window
    window.show_page(Page.DISCOVER)
    search = window.pages.discover.search
    search.field.setText("tiny")
    search.field.returnPressed.emit()
    await until(Path(os.environ["LC_WATCH_NETWORK"]).exists)
    await rest(LOOK_MS)


def main() -> None:
    # Runners get few variables. Those that watch must be among them, or what they do would not be seen.
    environment._NAMES |= {"LD_PRELOAD"}
    application = QApplication([])
    with running_program(application, home=Path(sys.argv[1]), settings=SETTINGS) as program:
        program.run(lambda: {"ordinary": ordinary, "asks_the_hub": asks_the_hub}[sys.argv[2]](program))


if __name__ == "__main__":
    main()
