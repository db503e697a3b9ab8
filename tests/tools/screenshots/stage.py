"""What the scripts over a client in memory share: how the window is to look, and a camera.

Each takes ``FOLDER [--size=WIDTHxHEIGHT] [--language=CODE] [--right-to-left] [--high-contrast]
[--text-size=PIXELS]``; QT_SCALE_FACTOR=2 gives the pictures of a screen with twice as many pixels.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from fireside.ui.theme import theme

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from fakes.client import AppClient
from fakes.clipped_text import cut_off
from fakes.window import RESOURCES, build_window, dress
from fireside.main.window import install_language
from fireside.settings.languages import ENGLISH
from fireside.settings.values import AppLayer
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Contrast, ThemeChoice

SIZE = (1180, 780)
REST_S = 0.5


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How the window is to look in every picture of one run."""

    folder: Path
    size: tuple[int, int] = SIZE
    language: str = ENGLISH
    right_to_left: bool = False
    high_contrast: bool = False
    text_px: int = 14


def read_look(arguments: Sequence[str]) -> Look:
    """Read the words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="x".join(map(str, SIZE)))
    parser.add_argument("--language", default=ENGLISH)
    parser.add_argument("--right-to-left", action="store_true")
    parser.add_argument("--high-contrast", action="store_true")
    parser.add_argument("--text-size", type=int, default=14)
    options = parser.parse_args(arguments)
    width, height = (int(side) for side in options.size.split("x"))
    return Look(
        folder=options.folder,
        size=(width, height),
        language=options.language,
        right_to_left=options.right_to_left,
        high_contrast=options.high_contrast,
        text_px=options.text_size,
    )


class Camera:
    """Takes each picture in both themes."""

    def __init__(self, window: MainWindow, *, folder: Path) -> None:
        self._window = window
        self._folder = folder

    async def take(self, name: str, *, of: Callable[[], QWidget] | None = None) -> None:
        """Save what the window shows, or the popup that ``of`` returns; a sheet is saved with its window."""
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            theme().set_choice(choice)
            await asyncio.sleep(REST_S)
            widget = of() if of is not None else self._window
            widget.window().grab().save(str(self._folder / f"{name}-{choice.value}.png"))
            sys.stdout.write(f"{name}-{choice.value}.png\n")
        for line in cut_off(widget):
            sys.stdout.write(f"  cut off: {line}\n")


async def rest() -> None:
    """Let what was asked for come, and be laid out."""
    await asyncio.sleep(REST_S)


def play(
    take: Callable[[MainWindow, AppClient, Camera], Awaitable[None]],
    *,
    make_client: Callable[[], AppClient] = AppClient,
) -> None:
    """Show a window as the command line says, and let ``take`` take its pictures."""
    look = read_look(sys.argv[1:])
    look.folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["fireside"])
    application.setQuitOnLastWindowClosed(False)
    install_language(look.language, resources=RESOURCES, application=application)
    dress(application)
    if look.right_to_left:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    with QEventLoop(application) as loop:
        loop.run_until_complete(_play(take, make_client, look=look))


async def _play(
    take: Callable[[MainWindow, AppClient, Camera], Awaitable[None]],
    make_client: Callable[[], AppClient],
    *,
    look: Look,
) -> None:
    client = make_client()
    client.layers[AppLayer()] = {
        "appearance.contrast": Contrast.HIGH if look.high_contrast else Contrast.NORMAL,
        "appearance.text_size": look.text_px,
    }
    loop = asyncio.get_running_loop()
    tasks = TaskRunner(loop, on_error=lambda error: print(error, file=sys.stderr))
    window = build_window(client, tasks=tasks)
    window.resize(*look.size)
    window.show()
    await rest()
    await take(window, client, Camera(window, folder=look.folder))
    window.close()
    tasks.cancel_all()
    await client.end()
