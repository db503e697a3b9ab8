"""Every page and sheet of the window over a client in memory, in both themes. See ``stage`` for the usage."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QApplication

from fakes.client import AppClient
from fakes.downloads import download_of
from fakes.hub_models import REPO, catalogue_model, found_model, hub_advice, hub_model, hub_quant
from fakes.library_models import QWEN_ID, QWEN_PATH, detail_of, library_entry, one_of_each
from fakes.model_entries import loaded_state
from fakes.tuning import tuning_of
from fireside.core.about import About, PackageKind, Release, UpdateProgressed, UpdateStep
from fireside.core.discovery import HubQuant, HubSearchPage
from fireside.core.errors import DownloadError, HubUnreachable, UpdateError
from fireside.core.hub import DownloadsChanged, DownloadState
from fireside.core.i18n import tr
from fireside.core.library import DiskUse, FolderUse, ModelUse
from fireside.core.local_api import ApiCall, ApiFailure, ApiToken, LocalApiStatus
from fireside.core.model import ModelEntry
from fireside.core.tuning import Trial, TuningProgressed, TuningStep
from fireside.settings.values import AppLayer
from fireside.ui.commands import Command
from fireside.ui.kit.sheet import open_sheets
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tuning.panel import TuningPanel
from fireside.ui.window_context import UPDATE_ROW
from tools.screenshots.stage import Camera, play, rest
from tools.screenshots.tool_servers import servers, tools

GB = 10**9
_DRIVE = "/media/ada/models"
_EQUAL = ("Qwen3-8B-Q4_0.gguf", "Qwen3-8B-imatrix-Q4_0.gguf", "Qwen3-8B-pure-Q4_0.gguf")
_SHEETS = (
    (Command.ABOUT, "sheet-about"),
    (Command.SHORTCUTS, "sheet-shortcuts"),
    (Command.BACKUPS, "sheet-backups"),
    (Command.EXPORT_CHAT, "sheet-export"),
    (Command.ANSWER_FORMAT, "sheet-answer-format"),
    (Command.PRESETS, "sheet-presets"),
    (Command.COMPARE, "sheet-compare"),
)
_ANSWERS = (
    "Leaves fall because a tree saves water in **winter**: it closes them off, and they drop.",
    "In autumn the days get shorter.\n\n- The tree takes back what is green.\n- Yellow and red stay.\n\n"
    "Then a thin layer of cork grows, and the wind does the rest.",
)


async def _tools(window: MainWindow, camera: Camera) -> None:
    """MCP servers with calls and log unfolded, and the sheet that adds one."""
    window.show_page(Page.TOOLS)
    await rest()
    window.pages.tools.show_servers(servers(), tools(), used=["notes"])
    for card in window.pages.tools.cards.values():
        card.fold_calls.setChecked(True)
        card.fold_log.setChecked(True)
    await rest()
    await camera.take("page-tools")
    window.pages.tools.show_servers(servers()[2:], (), used=[])
    await rest()
    await camera.take("page-tools-sign-in")
    window.pages.tools.add.click()
    await rest()
    await camera.take("sheet-add-server", of=lambda: window.pages.tools.controller.sheet or window)
    assert window.pages.tools.controller.sheet is not None
    window.pages.tools.controller.sheet.reject()
    await rest()


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Go through the pages and sheets."""
    entry = next(entry for entry in client.entries if entry.path == QWEN_PATH)
    assert entry.spec is not None
    client.set_state(QWEN_ID, loaded_state(entry.spec, n_gpu_layers=33))
    await _discover(window, client, camera)
    await _downloads(window, client, camera)
    await _library(window, client, camera)
    await _tuning(window, client, camera)
    await _tools(window, camera)
    for page in (Page.HARDWARE, Page.SETTINGS):
        window.show_page(page)
        await rest()
        await camera.take(f"page-{page.value}")
    await _local_api(window, client, camera)
    await _about(window, client, camera)
    window.conversations.open(next(iter(client.messages)))
    await rest()  # over the chat, the panel would go when the chat takes the keyboard
    window.router.toggle_chat_settings()
    await rest()
    await camera.take("chat-settings")
    window.router.toggle_chat_settings()
    await _chat(window, client, camera)


async def _local_api(window: MainWindow, client: AppClient, camera: Camera) -> None:
    page = window.pages.settings
    page.filter.setText("local api")
    await rest()
    await camera.take("page-settings-local-api-off")
    standing = LocalApiStatus(
        address="http://127.0.0.1:3473",
        tokens=(
            ApiToken(id="1", name="editor", scopes=("answer", "load")),
            ApiToken(id="2", name="notes", scopes=("documents",)),
        ),
        running=(
            ApiCall(client="editor", path="/v1/chat/completions", tokens_per_s=48.2),
            ApiCall(client="127.0.0.1", path="/api/chat"),
        ),
        failed=(ApiFailure(client="127.0.0.1", path="/v1/models", sentence="A token is needed."),),
    )

    async def stands() -> LocalApiStatus:
        return standing

    client.app.local_api.status = stands  # type: ignore[method-assign]
    await client.settings.change(AppLayer(), key="api.enabled", value=True)
    page.local_api.show_state(standing)
    await rest()
    await camera.take("page-settings-local-api")
    page.filter.clear()


async def _about(window: MainWindow, client: AppClient, camera: Camera) -> None:
    copy = About(
        version="0.1.0",
        kind=PackageKind.FOLDERS,
        data_folder="/home/ada/.local/share/fireside",
        is_published=True,
    )
    notes = "Faster prompts on the CPU, and a new page for your computer."
    release = Release(version="0.2.0", released="2026-11-23", notes=notes, n_bytes=4_200_000)
    row = window.pages.settings.about.update
    states = {
        "source": msgspec.structs.replace(copy, kind=PackageKind.SOURCE, is_published=False),
        "looks": copy,
        "found": msgspec.structs.replace(copy, release=release, checked_at=1.0),
        "ready": msgspec.structs.replace(copy, pending_version="0.2.0"),
        "back": msgspec.structs.replace(copy, version="0.2.0", previous_version="0.1.0", checked_at=1.0),
    }
    for name, about in states.items():
        client.reply("about.about", about)
        window.router.show_setting(UPDATE_ROW)
        window.pages.settings.about.refresh()
        await rest()
        await camera.take(f"page-settings-about-{name}")
    row.show_about(states["found"])
    row.show_busy("")
    row.show_progress(UpdateProgressed(step=UpdateStep.DOWNLOADING, fraction=0.4))
    await camera.take("page-settings-about-downloads")
    row.show_about(copy)
    row.show_error(UpdateError.of("update_untrusted", reason="its signature is wrong.").sentence())
    await camera.take("page-settings-about-refused")


async def _discover(window: MainWindow, client: AppClient, camera: Camera) -> None:
    window.show_page(Page.DISCOVER)
    await rest()
    await camera.take("page-discover")
    page = window.pages.discover
    page.search.field.setText("instruct")
    await rest()
    await rest()
    await camera.take("page-discover-found")
    window.pages.discover_controller.open_model(REPO)
    await rest()
    await camera.take("page-discover-model")
    equal = hub_model(quants=tuple(_named(path) for path in _EQUAL))
    client.reply("hub.model", equal)
    client.reply("hub.advise", hub_advice(equal))
    window.pages.discover_controller.open_model(REPO)
    await rest()
    await camera.take("page-discover-equal-quants")
    client.fail("hub.search", HubUnreachable(host="huggingface.co", reason="There is no network."))
    window.show_page(Page.CHAT)
    window.show_page(Page.DISCOVER)
    page.search.field.setText("offline")
    await rest()
    await rest()
    await camera.take("page-discover-offline")


async def _downloads(window: MainWindow, client: AppClient, camera: Camera) -> None:
    window.show_page(Page.DOWNLOADS)
    await rest()
    await camera.take("page-downloads-empty")
    broken = HubUnreachable(host="huggingface.co", reason="The connection was closed.").info()
    downloads = (
        download_of("Running", bytes_per_s=12e6, seconds_left=250.0),
        download_of("Paused", state=DownloadState.PAUSED),
        download_of("Waiting", state=DownloadState.WAITING_FOR_NETWORK),
        download_of("Failed", state=DownloadState.FAILED, error=broken),
        download_of("Done", state=DownloadState.DONE),
    )
    client.publish(DownloadsChanged(downloads=downloads))
    await rest()
    await camera.take("page-downloads")


async def _library(window: MainWindow, client: AppClient, camera: Camera) -> None:
    window.show_page(Page.MODELS)
    await rest()
    await camera.take("page-models")
    entries = client.entries
    client.set_models((*entries, *_away()))
    await rest()
    await camera.take("page-models-unplugged")
    window.pages.library.show_model(f"{_DRIVE}/{_EQUAL[0]}")
    await rest()
    await camera.take("page-model-unplugged")
    client.set_models(entries)
    client.reply("models.detail", detail_of(QWEN_PATH))
    window.pages.library.show_model(QWEN_PATH)
    for tab in (Tab.OVERVIEW, Tab.METADATA, Tab.TEMPLATE):
        window.pages.library.detail.show_tab(tab)
        await rest()
        await camera.take(f"page-model-{tab.value}")
    window.pages.library.show_list()
    use = DiskUse(
        folders=(
            FolderUse(
                source="Library",
                path="/lib",
                n_models=2,
                used_bytes=6 * GB,
                free_bytes=100 * GB,
                total_bytes=500 * GB,
            ),
        ),
        models=(ModelUse(id=QWEN_ID, name="Qwen3 8B", path=QWEN_PATH, used_bytes=6 * GB),),
    )
    client.reply("models.disk_use", use)
    window.pages.library.list.disk_use.click()
    await rest()
    await camera.take("page-disk")
    window.pages.library.show_list()


async def _tuning(window: MainWindow, client: AppClient, camera: Camera) -> None:
    window.pages.library.show_model(QWEN_PATH)
    window.pages.library.detail.show_tab(Tab.TUNING)
    await rest()
    await camera.take("tune-before")
    panel = window.pages.library.findChild(TuningPanel)
    assert isinstance(panel, TuningPanel)
    client.hold("tuning.tune")
    panel.tune.click()
    await rest()
    client.publish(
        TuningProgressed(
            model_id=QWEN_ID,
            now=Trial(number=2, step=TuningStep.THREADS, varied={"load.n_threads": 4}),
            trials=tuning_of(QWEN_ID).trials[:2],
            best=1,
            elapsed_s=30.0,
            limit_s=110.0,
        )
    )
    await rest()
    await camera.take("tune-running")
    client.release("tuning.tune")
    await rest()
    await camera.take("tune-results")
    window.pages.library.show_list()


async def _chat(window: MainWindow, client: AppClient, camera: Camera) -> None:
    conversation = next(iter(client.messages))
    window.conversations.open(conversation)
    await client.backups.back_up()
    await rest()
    for command, name in _SHEETS:
        window.command_controller.run(command)
        if command is Command.COMPARE:
            window.comparison.compare()
        await rest()
        await camera.take(name, of=lambda: [window, *open_sheets(window)][-1])
        for sheet in open_sheets(window):
            sheet.reject()
        await rest()
    await _side_by_side(window, client, camera)
    window.header.open_picker()
    await rest()
    await camera.take("popup-models", of=lambda: QApplication.activePopupWidget() or window)
    _close_popups()
    window.command_controller.run(Command.PALETTE)
    await rest()
    await camera.take("palette", of=lambda: QApplication.activePopupWidget() or window)
    _close_popups()


async def _side_by_side(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Two answers to a question: while they come, and when they are here."""
    comparison = window.comparison
    window.chat.composer.editor.setPlainText("Why do leaves fall in autumn?")
    comparison.compare()
    await rest()
    assert comparison.setup is not None
    comparison.setup.compare.click()
    await rest()
    conversation = window.chat.conversation_id
    assert conversation is not None
    shown = client.compared(conversation)
    for answer, text in zip(shown.answers, _ANSWERS, strict=True):
        client.stream(conversation, text=text, n_completion=24, answer=answer.id, waits=False)
    await rest()
    view = comparison.view
    assert view is not None
    await camera.take("side-by-side-running", of=lambda: view)
    for answer in shown.answers:
        client.finish(conversation, answer=answer.id, waits=False)
    await rest()
    await camera.take("side-by-side", of=lambda: view)


def _close_popups() -> None:
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.hide()


def _named(path: str) -> HubQuant:
    """Return a file of a repository that has several of one quantization."""
    quant = hub_quant("Q4_0", size_bytes=5 * GB)
    return msgspec.structs.replace(
        quant, files=(msgspec.structs.replace(quant.files[0], path=path),), name=path
    )


def _away() -> tuple[ModelEntry, ...]:
    """Return the lines of a library folder whose drive is not connected."""
    folder = library_entry("models", path=_DRIVE, size_bytes=0)
    model = library_entry("Qwen3 8B", path=f"{_DRIVE}/{_EQUAL[0]}", size_bytes=5 * GB)
    problems = (
        DownloadError.of("library_folder_away", folder=_DRIVE).sentence(),
        tr("Its drive is not connected."),
    )
    return tuple(
        msgspec.structs.replace(line, spec=None, problem=problem, is_disconnected=True, removable=False)
        for line, problem in zip((folder, model), problems, strict=True)
    )


def with_everything() -> AppClient:
    """Return a client with something on each page."""
    client = AppClient(models=one_of_each())
    client.choose_default(QWEN_ID)
    model = hub_model()
    client.reply("hub.model", model)
    client.reply("hub.advise", hub_advice(model))
    catalogue = (
        catalogue_model(),
        catalogue_model("google/gemma-3-4b-it-GGUF", name="Gemma 3 4B", purpose="Small", sees_images=True),
        catalogue_model("ada/coder-GGUF", name="Coder 7B", purpose="Programming"),
    )
    client.reply("hub.catalogue", catalogue)
    others = ("someone/other-GGUF", "ada/a-name-that-is-much-longer-than-the-others-instruct-GGUF")
    results = HubSearchPage(models=(found_model(), *(found_model(repo) for repo in others)))
    client.reply("hub.search", results)
    client.add_runtime("vulkan", "vulkan")
    turns = ("Why do leaves fall in autumn?", _ANSWERS[0], "And in spring?", _ANSWERS[1])
    for title in ("Leaves in autumn", "Sourdough timing", "Explain RoPE scaling"):
        conversation_id = client.add_conversation(title, turns=turns, pinned=title.startswith("Sour"))
        client.choose_model(conversation_id, QWEN_ID)
    return client


if __name__ == "__main__":
    play(take, make_client=with_everything)
