"""Take pictures of the real window with the real model, in a home folder of its own.

Usage: PYTHONPATH=tests python tests/tools/screenshots/take.py [FOLDER]
(without it those in resources/screenshots are taken anew)
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from fireside.ui.theme import theme

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from fakes.fake_hub import FakeHub, fake_hub
from fakes.program import running_program
from fireside.bridge.client import EngineClient
from fireside.core.events import AppEvent, MessageReplaced
from fireside.core.ids import ConversationId
from fireside.library.starter import starter_folder
from fireside.settings.paths import resources_folder
from fireside.ui.page import Page
from fireside.ui.shell.application import make_application
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import ThemeChoice
from tools.screenshots.answers import take_answers
from tools.screenshots.models import take_models
from tools.screenshots.presets import take_presets
from tools.screenshots.shelves import stock

SIZE = (1180, 780)
_SMALLEST = 0
"""Quality of a PNG file, which costs time alone."""
ASIDE = ("Three ideas for a rainy Sunday", "A letter to the landlord", "What is a lighthouse?")
QUESTIONS = (
    "Explain in simple words why the sky is blue.",
    "Write a Python function that checks whether a number is even, with a docstring.",
)
SETTINGS = (
    "sampling.temperature=0",  # the same answers each time, and no seed beside the message field
    "sampling.repeat_penalty=1.1",
    "sampling.max_tokens=220",
)


def main() -> None:
    """Take every picture in both themes, and keep all or those that are kept already."""
    if len(sys.argv) > 1:
        take_all(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as everything:
        take_all(Path(everything))
        for picture in (resources_folder() / "screenshots").glob("*.png"):
            shutil.copyfile(Path(everything) / picture.name, picture)


def take_all(folder: Path) -> None:
    """Start the program and take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, fake_hub() as hub:
        stock(hub, starter=next(starter_folder().glob("*.gguf")))
        application = make_application(["fireside"], resources=resources_folder())
        settings = (*SETTINGS, f"hub.endpoint={hub.endpoint}")
        with running_program(application, home=Path(home), settings=settings) as program:
            pictures = take(program.window, program.client, folder=folder, hub=hub)
            program.loop.run_until_complete(pictures)


async def take(window: MainWindow, client: EngineClient, *, folder: Path, hub: FakeHub) -> None:
    """Drive the window through what it can show."""
    window.resize(*SIZE)
    snapshot = await client.snapshot()
    assert snapshot.default_model is not None
    await client.models.load(snapshot.default_model, conversation_id=None)
    await asyncio.sleep(0.5)
    await both(window, "first-run", folder=folder)
    for text in ASIDE:
        await ask(client, None, text=text)
    conversation: ConversationId | None = None
    for text in QUESTIONS:
        conversation = await ask(client, conversation, text=text)
    assert conversation is not None
    window.conversations.open(conversation)
    await asyncio.sleep(1)
    await both(window, "chat", folder=folder)
    await take_answers(window, folder=folder)
    window.conversations.open(conversation)
    await take_presets(window, picture=lambda name: both(window, name, folder=folder), folder=folder)
    window.conversations.open(conversation)
    await take_models(window, client, hub=hub, picture=lambda name: both(window, name, folder=folder))
    window.show_page(Page.HARDWARE)
    await asyncio.sleep(2)
    await both(window, "hardware", folder=folder)
    window.show_page(Page.SETTINGS)
    await asyncio.sleep(0.5)
    await both(window, "settings", folder=folder)


async def ask(client: EngineClient, conversation: ConversationId | None, *, text: str) -> ConversationId:
    """Send a message and return when its answer is complete."""
    done = asyncio.Event()

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        if any(isinstance(event, MessageReplaced) for event in events):
            done.set()

    client.frame.connect(on_frame)
    model = (await client.snapshot()).default_model
    assert model is not None
    sent_to = await client.generations.send(conversation, text=text, model_id=model)
    await done.wait()
    client.frame.disconnect(on_frame)
    return sent_to


async def both(window: MainWindow, name: str, *, folder: Path) -> None:
    """Save one page in both themes."""
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme().set_choice(choice)
        await asyncio.sleep(0.3)
        window.grab().save(str(folder / f"{name}-{choice.value}.png"), "PNG", _SMALLEST)
        sys.stdout.write(f"{name}-{choice.value}.png\n")


if __name__ == "__main__":
    main()
