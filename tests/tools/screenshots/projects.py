"""Pictures of projects, facts, skills, temporary chats, the passphrase and other devices.

Usage: as ``stage`` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QWidget

from fakes.client import AppClient
from fakes.skills import write_skill
from fireside.core.errors import StorageError
from fireside.core.facts import EVERYWHERE, FactPlace, FactScope
from fireside.core.local_api import DeviceAddress, DevicesStatus
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.ui.commands import Command
from fireside.ui.kit.sheet import Sheet
from fireside.ui.page import Page
from fireside.ui.privacy.gate import GateWindow
from fireside.ui.privacy.passphrase_sheets import (
    ChangePassphraseSheet,
    LockWhileAnsweringSheet,
    RemovePassphraseSheet,
    SetPassphraseSheet,
)
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.pages import with_everything
from tools.screenshots.stage import Camera, play, rest

_LONG = "Everything about the house in the country, its garden, its well and its roof " * 3
_DEVICES = DevicesStatus(
    is_on=True,
    port=3474,
    addresses=(
        DeviceAddress(interface="wlan0", address="192.168.1.5"),
        DeviceAddress(interface="enx00e04c6801f4", address="2001:db8:85a3:8d3:1319:8a2e:370:7348"),
    ),
    names=("a-desk-with-quite-a-long-name.local",),
    fingerprint="0123abcd" * 8,
    is_announced=True,
)


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Go through them, empty first."""
    for page in (Page.PROJECTS, Page.MEMORY, Page.SKILLS):
        window.show_page(page)
        await rest()
        await camera.take(f"page-{page.value}-empty")
    await _projects(window, client, camera)
    await _facts(window, client, camera)
    await _skills(window, client, camera)
    await _temporary(window, client, camera)
    await _devices(window, camera)
    for name, sheet in _of_the_passphrase(window):
        sheet.open()
        await rest()
        await camera.take(f"sheet-{name}", of=lambda: sheet)  # noqa: B023 - called at once
        sheet.reject()
        await rest()
    await _gate(window, camera)


async def _projects(window: MainWindow, client: AppClient, camera: Camera) -> None:
    folders = client.app.folders
    long = (await folders.create_folder(name=_LONG)).id
    thesis = (await folders.create_folder(name="Thesis")).id
    for made in (long, thesis):
        await client.store.folders.set_settings(
            made, {PROJECT_INSTRUCTIONS_KEY: "Cite sources, and say which page."}
        )
    chats = [
        client.add_conversation(f"Chapter {n}: why needles stay green in winter and leaves do not")
        for n in range(1, 9)
    ]
    await folders.move_conversations(chats, folder_id=thesis)
    await folders.open_folder(thesis, is_open=True)  # which tells the window of the settings
    for text in ("Writes in English.", _LONG):
        await client.app.facts.add(text, place=FactPlace(folder_id=thesis))
    window.show_page(Page.PROJECTS)
    for name, folder_id in (("long", long), ("thesis", thesis)):
        window.pages.projects.open_project(folder_id)
        await rest()
        await camera.take(f"page-project-{name}")
    window.show_page(Page.PROJECTS)
    await rest()


async def _facts(window: MainWindow, client: AppClient, camera: Camera) -> None:
    await client.app.facts.add(_LONG, place=EVERYWHERE)
    for n in range(40):
        await client.app.facts.add(f"{n}: prefers short answers.", place=EVERYWHERE)
    chat = client.add_conversation("Moving", turns=("Where?", "There."))
    await client.store.facts.add(
        "Lives in Leipzig.",
        conversation_id=chat,
        message_id=client.opened(chat).messages[-1].id,
        scope=FactScope.CHAT,
        max_characters=2000,
    )
    window.show_page(Page.CHAT)
    window.show_page(Page.MEMORY)
    await rest()
    await camera.take("page-memory")
    window.pages.memory.search.setText("nothing like it")
    await rest()
    await camera.take("page-memory-none-found")
    window.pages.memory.search.clear()


async def _skills(window: MainWindow, client: AppClient, camera: Camera) -> None:
    place = Path(client._folder.name) / "home" / ".claude" / "skills"
    write_skill(place / "tables", files={"scripts/sum.py": "print(1)", "all.sh": "ls"})
    write_skill(place / "long", name="a-skill-with-a-long-name", description=_LONG, body=_LONG * 20)
    (place / "broken").mkdir()
    (place / "broken" / "SKILL.md").write_text("no header", encoding="utf-8")
    window.show_page(Page.CHAT)
    window.show_page(Page.SKILLS)
    await rest()
    await camera.take("page-skills")
    page = window.pages.skills
    next(card for card in page.cards.values() if card.skill.name == "tables").used.click()
    await rest()
    sheet = page.controller.sheet
    assert sheet is not None
    await camera.take("sheet-skill", of=lambda: sheet)
    sheet.reject()
    await rest()


async def _temporary(window: MainWindow, client: AppClient, camera: Camera) -> None:
    window.command_controller.run(Command.TEMPORARY_CHAT)
    await rest()
    await camera.take("state-temporary-empty")
    window.chat.send_controller.send("Why?")
    await rest()
    open_id = window.chat.conversation_id
    assert open_id is not None
    client.stream(open_id, text="Because.", waits=False)
    client.finish(open_id, waits=False)
    await rest()
    await camera.take("state-temporary")
    window.command_controller.run(Command.NEW_CHAT)
    await rest()
    await camera.take("sheet-temporary")
    for sheet in window.findChildren(Sheet):
        sheet.reject()


async def _devices(window: MainWindow, camera: Camera) -> None:
    window.show_page(Page.SETTINGS)
    await rest()
    for text in ("other devices", "passphrase"):
        window.pages.settings.filter.setText(text)
        await rest()
        await camera.take(f"page-settings-{text.replace(' ', '-')}")


def _of_the_passphrase(parent: QWidget) -> Iterator[tuple[str, Sheet]]:
    yield "set-passphrase", SetPassphraseSheet(parent=parent, n_damaged=2, on_done=print)
    filled = SetPassphraseSheet(parent=parent, n_damaged=0, on_done=print)
    for field, text in zip(filled.fields, ("correct horse", "correct house"), strict=True):
        field.setText(text)
    yield "set-passphrase-different", filled
    yield "change-passphrase", ChangePassphraseSheet(parent=parent, on_done=print)
    removal = RemovePassphraseSheet(parent=parent, on_done=print)
    removal.fields[0].setText("wrong horse")
    removal.show_failure(StorageError.of("passphrase_wrong"))
    yield "remove-passphrase-wrong", removal
    yield "lock-while-answering", LockWhileAnsweringSheet(parent=parent, on_now=print, on_later=print)


async def _gate(window: MainWindow, camera: Camera) -> None:
    gate = GateWindow(geometry=cast("bytes", window.saveGeometry().data()))
    gate.show()
    gate.resize(window.size())
    await rest()
    await camera.take("gate", of=lambda: gate)
    gate.show_conversion(is_removal=False)
    gate.show_progress(0.4)
    await rest()
    await camera.take("gate-converting", of=lambda: gate)
    gate.show_failure(
        StorageError.of("passphrase_no_space", needed_bytes=2_100_000_000, free_bytes=1_000_000_000),
        can_undo=True,
    )
    await rest()
    await camera.take("gate-failed", of=lambda: gate)
    gate.finish()


if __name__ == "__main__":
    play(take, make_client=with_everything)
