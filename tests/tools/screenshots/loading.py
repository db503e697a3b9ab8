"""How a model loads, in every state, over a client in memory: what fits, what does not, what is offered.

See ``stage`` for the usage.
"""

from __future__ import annotations

from fakes.client import AppClient
from fakes.fake_machine import GIB, MIB
from fakes.library_models import QWEN_ID, QWEN_PATH, one_of_each
from fakes.load_plans import made_record
from fakes.model_entries import loaded_state
from fireside.core.errors import LoadError, RunnerCrashed
from fireside.core.status import LoadingModel, Unloaded
from fireside.ui.kit.sheet import open_sheets
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Show each state and take its pictures."""
    await take_loading(window, client, camera)
    await take_crash(window, client, camera)


async def take_loading(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Go through the states of a model's page."""
    window.show_page(Page.MODELS)
    window.pages.library.show_model(QWEN_PATH)
    window.pages.library.detail.show_tab(Tab.LOADING)
    await camera.take("loads-fits")
    client.machine.card_free_bytes = 3 * GIB
    await look_again(window)
    await camera.take("loads-partly")
    client.machine.card_free_bytes, client.machine.memory_free_bytes = GIB, 3 * GIB
    await look_again(window)
    await camera.take("loads-not")
    client.machine.card_free_bytes, client.machine.memory_free_bytes = 7 * GIB, 12 * GIB
    client.hold("load_plans.plan")
    await look_again(window)
    await camera.take("loads-working")
    client.release("load_plans.plan")
    client.fail(
        "load_plans.plan", LoadError.of("load_failed", model="Qwen3 8B", reason="its file cannot be read.")
    )
    await look_again(window)
    await camera.take("loads-error")
    client.set_state(QWEN_ID, LoadingModel(fraction=0.42))
    await camera.take("loads-loading")
    entry = next(entry for entry in client.entries if entry.path == QWEN_PATH)
    assert entry.spec is not None
    await client.store.load_records.add(made_record(QWEN_ID, excess_bytes=900 * MIB))
    client.set_state(QWEN_ID, loaded_state(entry.spec, n_gpu_layers=33))
    panel = window.pages.library.detail.loading
    panel.measured.fold.click()
    await rest()
    scroll = window.pages.library.detail._loading_scroll
    scroll.verticalScrollBar().setValue(10_000)
    await camera.take("loads-measured")
    panel.loading.edit({"load.n_ctx": 16384})
    await rest()
    await camera.take("loads-reload")


async def look_again(window: MainWindow) -> None:
    """Have the panel ask anew, with something changed."""
    panel = window.pages.library.detail.loading
    panel.loading.edit({"load.n_ctx": 8192})
    await rest()


async def take_crash(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """A crash in the chat with a smaller load on offer; the model's sheet over it; the settings."""
    (conversation,) = client.messages
    window.conversations.open(conversation)
    await rest()
    await client.generations.send(conversation, text="And in winter?", model_id=QWEN_ID)
    await rest()
    error = RunnerCrashed(model="Qwen3 8B", cause="the graphics card ran out of memory.")
    client.finish(conversation, error=error.info(), waits=False)
    await camera.take("crash-offer")
    client.set_state(QWEN_ID, Unloaded())
    client.set_state(QWEN_ID, LoadingModel(fraction=0.3))
    await camera.take("header-loading")
    client.set_state(QWEN_ID, Unloaded())
    window.router.show_load_details(QWEN_ID)
    await rest()
    (sheet,) = open_sheets(window)
    await camera.take("loads-sheet", of=lambda: sheet)
    sheet.reject()
    window.show_page(Page.SETTINGS)
    window.pages.settings.show_scope(Scope.MODEL)
    await rest()
    window.pages.settings.list.ensureWidgetVisible(window.pages.settings.plan_line)
    await camera.take("settings-plan")


def with_models() -> AppClient:
    """Return a client with models of every kind and a conversation with one of them."""
    client = AppClient(models=one_of_each())
    client.choose_default(QWEN_ID)
    conversation = client.add_conversation("Bread", turns=("Why does bread rise?", "Because of yeast."))
    client.choose_model(conversation, QWEN_ID)
    return client


if __name__ == "__main__":
    play(take, make_client=with_models)
