"""The real program through an ordinary day, in a process of its own that ``no_network.c`` watches.

Arguments: the program's folder, and what happens: ``ordinary``, or ``asks_the_hub`` once.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program
from fireside.engine.processes import environment
from fireside.ui.page import Page

QUESTION = "Look at http://192.0.2.7/picture.png and ![](http://192.0.2.7/a.png) please."
SETTINGS = ("sampling.max_tokens=24", "sampling.temperature=0", "chat.titles_by_model=true")
REST_MS = 4000
"""Longer than all that is done when no request waits: titles, states, the index, a look at the disk."""


async def rest() -> None:
    over = asyncio.Event()
    QTimer.singleShot(REST_MS, over.set)
    await over.wait()


async def ordinary(program: Program) -> None:
    window = program.window
    await program.ready()
    answer = await program.ask(QUESTION)
    assert answer.message.text
    for page in Page:
        window.show_page(page)
        await rest()
    await program.client.models.rescan()
    window.show_page(Page.CHAT)
    await program.ask("And again.")
    await rest()


async def asks_the_hub(program: Program) -> None:
    """The user asks the hub once: proof that the watch sees a connection."""
    window = program.window
    window.show_page(Page.DISCOVER)
    search = window.discover.search
    search.field.setText("tiny")
    search.field.returnPressed.emit()
    await rest()


def main() -> None:
    # Runners get few variables. Those that watch must be among them, or what they do would not be seen.
    environment._NAMES |= {"LD_PRELOAD"}
    application = QApplication([])
    with running_program(application, home=Path(sys.argv[1]), settings=SETTINGS) as program:
        program.run(lambda: {"ordinary": ordinary, "asks_the_hub": asks_the_hub}[sys.argv[2]](program))


if __name__ == "__main__":
    main()
