"""Other engines in the window over a client in memory: settings, sheets, picker, an answer. See ``stage``."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QWidget

from fakes.client import AppClient
from fakes.engines_harness import EnginesHarness
from fakes.model_server import Reply, chunk, listed, model_server, used
from fireside.core.remote import NewEngine
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest

_LIST = listed(owned_by="vllm", max_model_len=40960)
_LIST["data"].append({"id": "meta-llama/Llama-3.3-70B-Instruct", "owned_by": "vllm", "max_model_len": 131072})
_WORDS = "Air scatters **blue** light more than red, so the sky is blue wherever the sun is not."


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Add two engines, look at every place that shows them, and have one answer."""
    with tempfile.TemporaryDirectory() as folder, model_server() as server, model_server("ollama") as other:
        server.pages["/v1/models"] = _LIST
        events = [chunk({"reasoning": "Rayleigh."}), chunk({"content": _WORDS}), chunk({}, finish="stop")]
        usage = {"choices": [], "usage": used(812, 31, n_cached=768)}
        server.replies = [Reply(events=[*events, usage, "[DONE]"])]
        client.app.engines._parts = EnginesHarness(Path(folder)).service._parts
        window.show_page(Page.SETTINGS)
        await rest()
        await _see(window, window.pages.settings.engines.row)
        await camera.take("engines-none")
        window.pages.settings.engines.add()
        await camera.take("engines-add", of=lambda: _sheet(window))
        _sheet(window).close()
        await client.engines.add(NewEngine(address=server.address, name="Big machine in the cellar"))
        await client.engines.add(NewEngine(address=other.address))
        window.pages.settings.engines.refresh()
        await rest()
        window.pages.settings.engines.test((await client.engines.engines())[0])
        await asyncio.sleep(0.5)
        await _see(window, window.pages.settings.engines.row)
        await camera.take("engines-two")
        window.pages.settings.engines.show_models((await client.engines.engines())[0])
        await camera.take("engines-models", of=lambda: _sheet(window))
        _sheet(window).close()
        await _see(window, window.pages.settings.engines.connections)
        window.pages.settings.engines.connections.shown.emit()
        await rest()
        await camera.take("privacy-connections")
        window.pages.settings.engines.connections.hidden.emit()
        (entry, *_) = client.app.engines.entries
        assert entry.spec is not None
        window.router.use_model(entry.spec.id)
        await rest()
        await camera.take("engines-new-chat")
        window.header.open_picker()
        await rest()
        await camera.take("engines-picker", of=lambda: window.header.popup)
        window.header.popup.hide()
        window.chat.composer.editor.setPlainText("Why is the sky blue?")
        window.chat.composer.send_button.click()
        await asyncio.sleep(1)
        window.router.toggle_chat_settings()
        await rest()
        await camera.take("engines-answer")
        window.router.toggle_chat_settings()
        await client.app.engines.close()


async def _see(window: MainWindow, widget: QWidget) -> None:
    window.pages.settings.list.ensureWidgetVisible(widget)
    await rest()


def _sheet(window: MainWindow) -> QWidget:
    sheet = window.pages.settings.engines.sheet
    assert sheet is not None
    return sheet


if __name__ == "__main__":
    play(take)
