"""Collections, the reader and answers that cite, in both themes. See ``stage`` for the usage."""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec.structs import replace

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.passages import sent, with_passages
from fakes.pdf_files import pdf_file
from fakes.stored_messages import Messages
from fireside.core.collection import Activity, Collection, CollectionState, SkippedFiles
from fireside.core.events import AnswerProgressed, CollectionProgressed, ConversationChanged
from fireside.core.generation import ReadingDocuments
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.documents.chat_sheets import SentSheet, WholeReadingSheet
from fireside.ui.documents.documents_controller import CollectionRemovalSheet
from fireside.ui.documents.reader import Reader
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest

MANUAL = """# Heat pump

The pump heats the house and the water. It stands behind the garage.

## Care

The pump needs oil every spring. Use the thin one: 0.3 litres are enough for a year.

Clean the filter each autumn, before the first cold night.

## Noise

A rattle is the belt: it has to be tightened by hand, with the pump switched off.
A whistle is air in the pipe. Open the valve at its highest place until water comes.
"""
PRICES = "part,price\n" + "".join(f"belt type {n},{12 + n} euros\n" for n in range(1, 31))
PAGES = (
    ("Installation", "", "The pump stands on four feet of rubber.", "Leave half a metre of air around it."),
    (
        "First start",
        "",
        "Fill the system to 1.5 bar before the pump is switched on.",
        "The emergency heating rod works below -15 degrees.",
        "It takes 6 kW: use a fuse of its own.",
        "",
        "Write the pressure down each month.",
    ),
    ("Warranty", "", "Five years, if the filter was cleaned each autumn."),
)
BUSY = CollectionState(
    n_files=430,
    n_searchable=398,
    n_unreadable=18,
    n_waiting=14,
    n_offline=3,
    n_passages=9120,
    activity=Activity.READING,
    working_on="Minutes of the owners' meeting 2019.pdf",
    skipped=(SkippedFiles(reason="too large", n_files=2), SkippedFiles(reason="hidden", n_files=11)),
)
PARTIAL = "Only the best passages were sent: a summary, list or count of everything may be wrong."
ANSWER = (
    "The pump needs **oil every spring** [1]; the manual says “The pump needs oil every spring”.\n\n"
    "- A rattle is the belt, which is tightened by hand [2].\n- A new one costs 12 euros [3].\n\n"
    "It should last for ten years [8]."
)


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Show each state and take its pictures."""
    spec = client.entries[0].spec
    assert spec is not None
    client.set_state(STARTER_ID, loaded_state(spec))
    window.show_page(Page.DOCUMENTS)
    await rest()
    await camera.take("documents-empty")
    with tempfile.TemporaryDirectory() as folder:
        house = await _house(Path(folder), client)
        await _page(window, client, camera, house)
        await _chat(window, client, camera, house)


async def _house(folder: Path, client: AppClient) -> Collection:
    """Return a collection of three files, one of them broken, once they were read."""
    (folder / "Heat pump.md").write_text(MANUAL)
    (folder / "Prices.csv").write_text(PRICES)
    (folder / "Installation.pdf").write_bytes(pdf_file(PAGES))
    (folder / "Scan of the contract.pdf").write_bytes(b"%PDF-1.7\nnothing that could be read")
    house = await client.collections.create(name="House", roots=[str(folder)])
    while (await client.collections.state(house.id)).n_searchable < 3:
        await rest()
    return house


async def _page(window: MainWindow, client: AppClient, camera: Camera, house: Collection) -> None:
    page = window.pages.documents
    busy = await client.collections.create(name="Owners' association")
    await client.collections.create(name="Papers on retrieval")
    await rest()
    client.publish(CollectionProgressed(collection_id=busy.id, state=BUSY))
    await rest()
    await camera.take("documents-list")
    page.open_collection(house.id)
    page.collection_page.search.setText("rattle belt")
    await rest()
    await rest()
    await camera.take("documents-search")
    page.collection_page.search.setText("zeppelin")
    await rest()
    await rest()
    await camera.take("documents-nothing-found")
    page.open_collection(busy.id)
    client.publish(CollectionProgressed(collection_id=busy.id, state=BUSY))
    await rest()
    await camera.take("documents-reading")
    page.open_collection(house.id)
    await rest()
    page.collection_page.files.focus_first()
    await camera.take("documents-files")
    removal: CollectionRemovalSheet = page.controller.prompt_removal(busy)
    await rest()
    await camera.take("documents-remove", of=lambda: removal)
    removal.reject()
    results = await client.collections.search("oil every spring", collection_ids=[house.id])
    page.controller.read(results.passages, 0)
    await rest()
    await camera.take("documents-reader")
    await _pages(window, client, camera, house)


async def _pages(window: MainWindow, client: AppClient, camera: Camera, house: Collection) -> None:
    results = await client.collections.search("emergency heating rod", collection_ids=[house.id])
    window.pages.documents.controller.read(results.passages, 0)
    reader = window.pages.documents.area.shown
    assert isinstance(reader, Reader)
    while not reader.pages.isVisible():
        await rest()
    await rest()
    await camera.take("documents-reader-pages")
    reader.close_button.click()


async def _chat(window: MainWindow, client: AppClient, camera: Camera, house: Collection) -> None:
    messages = Messages()
    chat = client.add_conversation("The heat pump")
    question = with_passages(messages.user("What does the pump need, and why does it rattle?"), sent())
    answer = messages.answer(ANSWER)
    client.keep_messages(chat, [question, replace(answer, parent_id=question.id)])
    client.publish(ConversationChanged(summary=client.summaries[chat]))
    window.conversations.open(chat)
    await rest()
    window.collections.attach(house.id)
    await rest()
    window.chat.composer.editor.setPlainText("And how much oil?")
    await rest()
    await rest()
    await camera.take("chat-citations")
    window.chat.chips.chip_clicked.emit(window.chat.chips.displayed[-1].kind)
    await rest()
    sheet = window.findChild(SentSheet)
    assert isinstance(sheet, SentSheet)
    await camera.take("chat-sent", of=lambda: sheet)
    sheet.reject()
    await _reading(window, client, camera, house)


async def _reading(window: MainWindow, client: AppClient, camera: Camera, house: Collection) -> None:
    part = replace(sent(problem=PARTIAL), is_about_all=True)
    messages = Messages()
    chat = client.add_conversation("All parts")
    question = with_passages(messages.user("List all parts with their prices."), part)
    answer = replace(messages.answer("A belt costs 12 euros [3]."), parent_id=question.id)
    client.keep_messages(chat, [question, answer])
    client.publish(ConversationChanged(summary=client.summaries[chat]))
    window.conversations.open(chat)
    await rest()
    window.collections.attach(house.id)
    await rest()
    await camera.take("chat-reading-offered")
    message_id = window.chat.transcript.entries[-1].message.id
    window.chat.transcript.act(message_id, MessageAction.READ_ALL)
    await rest()
    sheet = window.findChild(WholeReadingSheet)
    assert isinstance(sheet, WholeReadingSheet)
    await camera.take("chat-reading-cost", of=lambda: sheet)
    sheet.confirm.click()
    await rest()
    await rest()
    running = window.chat.transcript.entries[-1].message
    client.publish(
        AnswerProgressed(
            conversation_id=chat,
            message_id=running.id,
            progress=ReadingDocuments(fraction=0.42, name="Installation.pdf", seconds_left=250),
        )
    )
    await rest()
    await camera.take("chat-reading")
    window.chat.composer.stop_requested.emit()
    await rest()
    await rest()
    await camera.take("chat-reading-stopped")


if __name__ == "__main__":
    play(take)
