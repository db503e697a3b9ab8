"""How a model loads, in every state, over a client in memory: what fits, what does not, what is offered.

Usage: python tests/screenshots/loading.py FOLDER
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from fakes.client import FakeClient
from fakes.library_models import QWEN_ID, QWEN_PATH, one_of_each
from fakes.machine_client import GIB, MIB, made_plan, made_record, rooms
from fakes.model_entries import loaded_state
from fakes.window import build_window, dress
from fireside.core.errors import LoadFailed, RunnerCrashed
from fireside.core.hardware import MemoryBar, MemoryHolder
from fireside.core.ids import ConversationId
from fireside.core.options import LoadOptions
from fireside.core.status import LoadingModel, Unloaded
from fireside.ui.library.detail.page import Tab
from fireside.ui.main_window import MainWindow
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice

WIDTHS = (1180, 900)
_REST_S = 0.7


class Camera:
    """Takes each picture in both themes and both widths."""

    def __init__(self, window: MainWindow, theme: Theme, *, folder: Path) -> None:
        self._window = window
        self._theme = theme
        self._folder = folder

    async def take(self, name: str, *, of: Callable[[], QWidget] | None = None) -> None:
        """Save what the window shows, or the widget that ``of`` returns."""
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            self._theme.set_choice(choice)
            for width in WIDTHS:
                self._window.resize(width, 860)
                await asyncio.sleep(_REST_S)
                widget = of() if of is not None else self._window
                widget.grab().save(str(self._folder / f"{name}-{choice.value}-{width}.png"))
                sys.stdout.write(f"{name}-{choice.value}-{width}.png\n")


async def take_loading(window: MainWindow, client: FakeClient, camera: Camera) -> None:
    """Go through the states of a model's page."""
    window.show_page(Page.MODELS)
    window.library.show_model(QWEN_PATH)
    window.library.detail.show_tab(Tab.LOADING)
    await camera.take("loads-fits")
    client.machine.places = rooms(gpu_free_bytes=3 * GIB)
    await look_again(window)
    await camera.take("loads-partly")
    client.machine.places = rooms(gpu_free_bytes=GIB, ram_free_bytes=3 * GIB)
    await look_again(window)
    await camera.take("loads-not")
    client.machine.places = rooms()
    client.machine.hold("plan")
    await look_again(window)
    await camera.take("loads-working")
    client.machine.release("plan")
    client.machine.fail("plan", LoadFailed(model="Qwen3 8B", reason="its file cannot be read."))
    await look_again(window)
    await camera.take("loads-error")
    client.set_state(QWEN_ID, LoadingModel(fraction=0.42))
    await camera.take("loads-loading")
    entry = next(entry for entry in client.models if entry.path == QWEN_PATH)
    assert entry.spec is not None
    client.machine.records[QWEN_ID] = (made_record(QWEN_ID, excess_bytes=900 * MIB),)
    client.machine.smaller = made_plan(QWEN_ID, options=LoadOptions(n_ctx=4096, n_gpu_layers=16))
    client.set_state(QWEN_ID, loaded_state(entry.spec, n_gpu_layers=33))
    panel = window.library.detail.loading
    panel.measured.fold.click()
    await asyncio.sleep(_REST_S)
    scroll = window.library.detail._loading_scroll
    scroll.verticalScrollBar().setValue(10_000)
    await camera.take("loads-measured")
    panel.edited.emit({"load.n_ctx": 16384})
    await asyncio.sleep(_REST_S)
    await camera.take("loads-reload")


async def look_again(window: MainWindow) -> None:
    """Have the panel ask anew, with something changed."""
    panel = window.library.detail.loading
    panel.edited.emit({"load.n_ctx": 8192})
    await asyncio.sleep(_REST_S)


async def take_crash(
    window: MainWindow, client: FakeClient, camera: Camera, *, conversation: ConversationId
) -> None:
    """A crash in the chat with a smaller load on offer; the model's sheet over it; the settings."""
    window.desk.open(conversation)
    await asyncio.sleep(_REST_S)
    await client.send(conversation, text="And in winter?", model_id=QWEN_ID)
    client.machine.smaller = made_plan(QWEN_ID, options=LoadOptions(n_ctx=4096, n_gpu_layers=16))
    error = RunnerCrashed(model="Qwen3 8B", cause="the graphics card ran out of memory.")
    client.finish(conversation, error=error.info())
    await camera.take("crash-offer")
    client.set_state(QWEN_ID, Unloaded())
    client.set_state(QWEN_ID, LoadingModel(fraction=0.3))
    await camera.take("header-loading")
    client.set_state(QWEN_ID, Unloaded())
    window.header.details_wanted.emit(QWEN_ID)
    await asyncio.sleep(_REST_S)
    await camera.take("loads-sheet", of=lambda: QApplication.activeModalWidget() or window)
    sheet = QApplication.activeModalWidget()
    if sheet is not None:
        sheet.close()
    window.show_page(Page.SETTINGS)
    window.settings.show_scope(Scope.MODEL)
    await asyncio.sleep(_REST_S)
    window.settings._scroll.ensureWidgetVisible(window.settings.plan_line)
    await camera.take("settings-plan")


def main() -> None:
    """Take every picture."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["fireside"])
    theme = dress(application)
    with QEventLoop(application) as loop:
        client = FakeClient(models=one_of_each())
        client.default_model = QWEN_ID
        client.machine.bars = tuple(with_neighbour(bar) for bar in client.machine.bars)
        conversation = client.add_conversation("Bread", turns=("Why does bread rise?", "Because of yeast."))
        client.summaries[conversation] = msgspec.structs.replace(
            client.summaries[conversation], model_id=QWEN_ID
        )
        tasks = TaskRunner(loop, on_error=lambda error: sys.stderr.write(f"{error}\n"))
        window = build_window(client, tasks=tasks, theme=theme)
        window.show()
        camera = Camera(window, theme, folder=folder)

        async def run() -> None:
            await asyncio.sleep(_REST_S)
            await take_loading(window, client, camera)
            await take_crash(window, client, camera, conversation=conversation)

        loop.run_until_complete(run())
        window.close()


def with_neighbour(bar: MemoryBar) -> MemoryBar:
    """Return a bar where another model takes something too."""
    neighbour = MemoryHolder(name="SmolLM2 135M Instruct", n_bytes=300 * MIB, is_model=True)
    return msgspec.structs.replace(bar, holders=(neighbour, *bar.holders))


if __name__ == "__main__":
    main()
