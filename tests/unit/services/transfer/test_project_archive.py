"""Projects as files: exported and imported without loss, again without a second copy, and from Claude."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from fakes import stores
from fakes.app_harness import AppHarness, app_harness
from fireside.core.chat import Colour, Folder
from fireside.core.errors import FiresideError
from fireside.core.facts import EVERYWHERE, FactPlace
from fireside.core.ids import ConversationId, FolderId
from fireside.core.message import DocumentPart
from fireside.core.options import SettingValue
from fireside.core.project import (
    IMPORTED_KEY,
    ORIGIN_KEY,
    PROJECT_INSTRUCTIONS_KEY,
    SUGGESTED_FACTS_KEY,
    suggested_facts,
)
from fireside.core.transfer import ExportFormat
from fireside.library.starter import starter_folder
from fireside.services.transfer import project_archive
from fireside.services.transfer.transfer_service import TransferService
from fireside.storage.store import MEMORY, Store

TEMPERATURE = "sampling.temperature"
SETTINGS: dict[str, SettingValue] = {
    PROJECT_INSTRUCTIONS_KEY: "Cite “sources” 🦙.\nAlways.",
    TEMPERATURE: 0.25,
}


async def opened(path: str | Path = MEMORY) -> Store:
    return await Store.open(path, clock=time.time)


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await opened() as store:
        yield store


@pytest.fixture
async def other() -> AsyncIterator[Store]:
    """The database of another computer."""
    async with await opened() as store:
        yield store


async def send(store: Store, text: str, *, to: ConversationId | None = None) -> ConversationId:
    """Send a message; a new chat is called like it."""
    made = (await stores.send(store, text, to=to)).summary.id
    if to is None:
        await store.conversations.rename(made, title=text)
    return made


def app(folder: Path, *, database: str | Path = MEMORY) -> AbstractAsyncContextManager[AppHarness]:
    """The program with collections on the disk, in a folder that is made."""
    folder.mkdir(exist_ok=True)
    return app_harness(
        folder,
        starter=starter_folder(),
        database=database,
        collections_file=str(folder / "collections.db"),
    )


async def read_all(harness: AppHarness) -> None:
    """Wait until all collections are read: a process that reads would be left."""
    for each in await harness.app.collections.collections():
        await harness.app.collections.catch_up(each.id)


def files_in(folder: str | Path) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def transfer(store: Store) -> TransferService:
    return TransferService(store=store, emit=lambda _event: None, clock=time.time)


async def make(store: Store, name: str = "Thesis") -> tuple[FolderId, list[ConversationId]]:
    folder = await store.folders.create(name=name)
    await store.folders.set_settings(folder.id, SETTINGS)
    await store.folders.set_colour(folder.id, colour=Colour.GREEN)
    chats = [await send(store, text) for text in ("What is bread?", "And salt?")]
    await store.conversations.move_to_folder(chats, folder_id=folder.id)
    await send(store, "not in it")
    return folder.id, chats


async def exported(store: Store, folder_id: FolderId, path: Path) -> Path:
    await transfer(store).export_project(folder_id, target=str(path), with_documents=False)
    return path


def own(folder: Folder) -> dict[str, Any]:
    return {key: value for key, value in folder.settings.items() if key not in (ORIGIN_KEY, IMPORTED_KEY)}


async def titles(store: Store, folder_id: FolderId | None) -> list[str]:
    return sorted(each.title for each in await store.conversations.all() if each.folder_id == folder_id)


async def test_a_project_goes_to_another_computer_whole(store: Store, other: Store, tmp_path: Path) -> None:
    folder_id, chats = await make(store)
    path = await exported(store, folder_id, tmp_path / "Thesis.zip")
    report = await transfer(other).import_files([str(path)])
    assert (report.projects, len(report.imported), report.n_skipped) == (
        ("Project “Thesis” imported.",), 2, 0,
    )  # fmt: skip
    (folder,) = await other.folders.all()
    assert (folder.name, folder.colour, own(folder)) == ("Thesis", Colour.GREEN, SETTINGS)
    assert await titles(other, folder.id) == await titles(store, folder_id)
    for chat, imported in zip(reversed(chats), report.imported, strict=True):
        there = await store.transcripts.get(chat)
        assert (await other.transcripts.get(imported)).messages == there.messages


async def test_again_after_both_went_on_brings_what_is_new_and_keeps_what_is_mine(
    store: Store, other: Store, tmp_path: Path
) -> None:
    folder_id, chats = await make(store)
    await transfer(other).import_files([str(await exported(store, folder_id, tmp_path / "1.zip"))])
    (folder,) = await other.folders.all()
    await other.folders.rename(folder.id, name="My thesis")
    await other.folders.set_settings(folder.id, {**folder.settings, TEMPERATURE: 0.75})
    await send(store, "More?", to=chats[0])
    await store.conversations.move_to_folder([await send(store, "New")], folder_id=folder_id)
    changed: dict[str, SettingValue] = {PROJECT_INSTRUCTIONS_KEY: "Rhyme.", TEMPERATURE: 0.5}
    await store.folders.set_settings(folder_id, changed)
    path = await exported(store, folder_id, tmp_path / "2.zip")
    report = await transfer(other).import_files([str(path)])
    assert report.projects == ("Project “My thesis” was here; what you changed in it stays.",)
    assert (len(report.imported), len(report.updated), report.n_already_there) == (1, 1, 1)
    (folder,) = await other.folders.all()
    assert (folder.name, own(folder)) == (
        "My thesis", {PROJECT_INSTRUCTIONS_KEY: "Rhyme.", TEMPERATURE: 0.75},
    )  # fmt: skip
    assert await titles(other, folder.id) == await titles(store, folder_id)
    report = await transfer(other).import_files([str(path)])
    assert (len(report.imported), len(report.updated), report.n_already_there) == (0, 0, 3)


async def test_the_same_computer_gets_no_second_copy_and_no_name_twice(store: Store, tmp_path: Path) -> None:
    folder_id, _ = await make(store)
    path = await exported(store, folder_id, tmp_path / "a.zip")
    report = await transfer(store).import_files([str(path)])
    assert (report.projects, report.n_already_there) == (("Project “Thesis” was here already.",), 2)
    await store.folders.delete(folder_id)
    await store.folders.create(name="THESIS")
    await transfer(store).import_files([str(path)])
    names = [folder.name for folder in await store.folders.all()]
    assert names == ["THESIS", "Thesis (2)"]
    (back,) = [folder.id for folder in await store.folders.all() if folder.name == "Thesis (2)"]
    assert await titles(store, back) == ["And salt?", "What is bread?"]
    assert len(await store.conversations.all()) == 3


def rewritten(path: Path, target: Path, **changes: Any) -> Path:
    """Copy an archive with other values in its manifest."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == project_archive.MANIFEST:
                content = json.dumps({**json.loads(content), **changes}).encode()
            new.writestr(name, content)
    return target


async def test_a_file_gives_its_project_no_access_and_nothing_invalid(
    store: Store, other: Store, tmp_path: Path
) -> None:
    folder_id, _ = await make(store)
    path = await exported(store, folder_id, tmp_path / "a.zip")
    hostile = {
        "tools.files": True,
        "tools.folders": ["/"],
        "tools.chat_permissions": ["x"],
        "documents.collections": ["1"],
        "hub.endpoint": "http://evil",
        "project.collection": "7",
        TEMPERATURE: -4,
        "sampling.top_k": 7,
        "no.such": 1,
    }
    changed = rewritten(path, tmp_path / "b.zip", settings=hostile, name="../../\u202eevil\n" + "x" * 900)
    await transfer(other).import_files([str(changed)])
    (folder,) = await other.folders.all()
    assert own(folder) == {"sampling.top_k": 7}
    assert len(folder.name) <= 100
    assert "\n" not in folder.name


@pytest.mark.parametrize(
    "changes",
    [{"version": 99}, {"version": "1"}, {"origin": ""}, {"origin": "x" * 5000}, {"format": "x"}, {"name": 3}],
)
async def test_a_manifest_that_cannot_be_read_imports_nothing(
    store: Store, other: Store, tmp_path: Path, changes: dict[str, Any]
) -> None:
    folder_id, _ = await make(store)
    path = await exported(store, folder_id, tmp_path / "a.zip")
    with pytest.raises(FiresideError):
        await transfer(other).import_files([str(rewritten(path, tmp_path / "b.zip", **changes))])
    assert await other.folders.all() == ()
    assert await other.conversations.all() == ()


async def test_documents_go_along_where_the_user_wants_them(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (("pump.md", "The pump needs oil."), ("con.txt", "Odd name.")):
        (tmp_path / "in" / name).write_text(text)
    archive = tmp_path / "house.zip"

    async with app(tmp_path / "first") as first:
        folder_id = (await first.app.folders.create_folder(name="House")).id
        collection = await first.app.projects.add_files(folder_id, [str(tmp_path / "in")])
        await first.app.collections.catch_up(collection)
        size = await first.app.transfer.project_size(folder_id)
        assert (size.n_documents, size.documents_bytes) == (2, 28)
        await first.app.transfer.export_project(folder_id, target=str(archive), with_documents=True)
    with zipfile.ZipFile(archive) as written:
        documents = [name for name in written.namelist() if name.startswith("documents/")]
        assert sorted(documents) == ["documents/con_.txt", "documents/pump.md"]
    with zipfile.ZipFile(archive, "a") as written:
        written.writestr("documents/../../../outside.md", "Outside.")
        written.writestr("documents/a.b\\..\\c", "Outside.")
    async with app(tmp_path / "second") as second:
        await second.app.transfer.import_files([str(archive)])
        await second.app.transfer.import_files([str(archive)])
        (made,) = await second.app.collections.collections()
        await second.app.collections.catch_up(made.id)
        names = [Path(each.path).name for each in await second.app.collections.sources(made.id)]
        assert {"con_.txt", "outside.md", "pump.md"} <= set(names)
        (folder,) = await second.app.folders.folders()
        assert folder.collections == (made.id,)
        (root,) = made.roots
        assert len(files_in(root)) == 3, "the same content is one file, also at the second import"
        assert Path(root).parent.name == "project-files"
        assert files_in(Path(root).parent) == [Path(root).name], "nothing is written elsewhere"


async def test_documents_of_an_imported_project_go_with_it_at_the_next_start(
    store: Store, tmp_path: Path
) -> None:
    archives = []
    for name in ("Thesis", "House", "Shared"):
        folder_id, _ = await make(store, name)
        archives.append(await exported(store, folder_id, tmp_path / f"{name}.zip"))
        with zipfile.ZipFile(archives[-1], "a") as written:
            written.writestr("documents/pump.md", f"The pump of {name}.")
    files = tmp_path / "app" / "project-files"
    database = tmp_path / "app.db"

    def kept() -> list[str]:
        return [name.split()[0] for name in files_in(files)]

    async with app(tmp_path / "app", database=database) as first:
        await first.app.transfer.import_files([str(path) for path in archives])
        await read_all(first)
        folders = {folder.name: folder for folder in await first.app.folders.folders()}
        other = await first.app.folders.create_folder(name="Uses it too")
        await first.app.folders.set_folder_collections(other.id, collections=folders["Shared"].collections)
        for name in ("Thesis", "Shared"):
            await first.app.folders.delete_folder(folders[name].id)
        assert kept() == ["House", "Shared", "Thesis"], "the deletion can be undone"
    async with app(tmp_path / "app", database=database) as second:
        assert kept() == ["House", "Shared"]
        await read_all(second)
        names = {each.name for each in await second.app.collections.collections()}
        assert names == {"House", "Shared"}


async def test_facts_of_a_project_come_as_suggestions_and_once(
    store: Store, other: Store, tmp_path: Path
) -> None:
    folder_id, _ = await make(store)
    place = FactPlace(folder_id=folder_id)
    for text, where in (("Likes llamas.", place), ("Has a garden.", place), ("Elsewhere.", EVERYWHERE)):
        await store.facts.add_by_hand(text, place=where, max_characters=2000)
    path = await exported(store, folder_id, tmp_path / "Thesis.zip")
    report = await transfer(other).import_files([str(path)])
    assert report.projects == ("Project “Thesis” imported. 2 facts of it wait for you on its page.",)
    assert await other.facts.all() == (), "models are told nothing that the user has not confirmed"
    (folder,) = await other.folders.all()
    assert suggested_facts(folder.settings) == ("Likes llamas.", "Has a garden.")
    await other.folders.set_settings(folder.id, {**folder.settings, SUGGESTED_FACTS_KEY: ()})
    report = await transfer(other).import_files([str(path)])
    assert report.projects == ("Project “Thesis” was here already.",)
    assert suggested_facts((await other.folders.get(folder.id)).settings) == ()


async def test_facts_of_a_file_are_bounded(store: Store, other: Store, tmp_path: Path) -> None:
    folder_id, _ = await make(store)
    path = await exported(store, folder_id, tmp_path / "a.zip")
    with zipfile.ZipFile(path) as written:
        contents = {name: written.read(name) for name in written.namelist()}
    facts = ["x" * 301, "a\nb\u202e", " ", *(f"{number}{'y' * 290}" for number in range(20))]
    manifest = {**json.loads(contents["project.json"]), "facts": facts}
    with zipfile.ZipFile(path, "w") as written:
        for name, content in {**contents, "project.json": json.dumps(manifest).encode()}.items():
            written.writestr(name, content)
    await transfer(other).import_files([str(path)])
    (folder,) = await other.folders.all()
    first, *others = suggested_facts(folder.settings)
    assert first == "a b"
    assert 0 < sum(map(len, others)) <= 2000


async def test_too_many_or_too_large_documents_are_said(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_id, _ = await make(store)
    path = await exported(store, folder_id, tmp_path / "a.zip")
    with zipfile.ZipFile(path, "a") as written:
        for number in range(3):
            written.writestr(f"documents/{number}.md", "x" * 40)
    monkeypatch.setattr(project_archive, "MAX_DOCUMENTS_BYTES", 100)
    async with app(tmp_path / "app") as harness:
        report = await harness.app.transfer.import_files([str(path)])
        (note,) = report.projects
        assert note.endswith("Not all of its documents are here: its documents are too large.")
        monkeypatch.setattr(project_archive, "MAX_DOCUMENTS", 2)
        with pytest.raises(FiresideError):
            await harness.app.transfer.import_files([str(path)])


CLAUDE_PROJECTS: list[dict[str, Any]] = [
    {
        "uuid": "0191-garden",
        "name": "Garden",
        "description": "All about the garden",
        "is_private": True,
        "is_starter_project": False,
        "prompt_template": "Answer as a gardener.",
        "created_at": "2025-01-05T10:00:00+00:00",
        "updated_at": "2025-02-05T10:00:00+00:00",
        "creator": {"uuid": "me", "full_name": "A"},
        "docs": [
            {
                "uuid": "d1",
                "filename": "beds.md",
                "content": "Bed 1: roses.",
                "created_at": "2025-01-05T10:00:00",
            },
            {"uuid": "d2", "filename": "empty.md", "content": "", "created_at": "2025-01-05T10:00:00"},
        ],
    },
    {
        "uuid": "s",
        "name": "How to use Claude",
        "is_starter_project": True,
        "prompt_template": "x",
        "docs": [],
    },
]


PLAN = [{"file_name": "plan.txt", "extracted_content": "North is up."}]


def claude_chat(uuid: str, *texts: str, project: bool = True) -> dict[str, Any]:
    messages = [
        {
            "uuid": f"{uuid}-{number}",
            "sender": "human" if number % 2 == 0 else "assistant",
            "text": text,
            "content": [{"type": "text", "text": text}],
            "created_at": f"2025-01-05T10:0{number}:00+00:00",
            "attachments": [{"file_name": "plan.txt", "extracted_content": "North is up."}]
            if not number
            else [],
        }
        for number, text in enumerate(texts)
    ]
    more = {"project": {"uuid": "0191-garden", "name": "Garden"}} if project else {}
    times = {"created_at": "2025-01-05T10:00:00+00:00", "updated_at": "2025-01-05T11:00:00+00:00"}
    return {"uuid": uuid, "name": f"Chat {uuid}", "chat_messages": messages, **times, **more}


def claude_file(path: Path, projects: Any, *chats: dict[str, Any], in_folder: bool = False) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chats))
        if in_folder:
            for project in projects:
                archive.writestr(f"projects/{project['uuid']}.json", json.dumps(project))
        else:
            archive.writestr("projects.json", json.dumps(projects))
        archive.writestr("users.json", "[]")
    return str(path)


@pytest.mark.parametrize("in_folder", [False, True])
async def test_projects_of_claude_have_instructions_documents_and_their_chats(
    tmp_path: Path, in_folder: bool
) -> None:
    chats = (claude_chat("a", "Roses?", "Yes."), claude_chat("b", "Rain?", "No.", project=False))
    path = claude_file(tmp_path / "claude.zip", CLAUDE_PROJECTS, *chats, in_folder=in_folder)
    async with app(tmp_path / "app") as harness:
        report = await harness.app.transfer.import_files([path])
        assert report.projects == ("Project “Garden” imported. 1 document added.",)
        assert [each.reason for each in report.incomplete] == ["1 value could not be read: Garden: docs[1]"]
        (folder,) = await harness.app.folders.folders()
        assert folder.instructions == "All about the garden\n\nAnswer as a gardener."
        assert await titles(harness.store, folder.id) == ["Chat a"]
        assert await titles(harness.store, None) == ["Chat b"]
        (made,) = await harness.app.collections.collections()
        await harness.app.collections.catch_up(made.id)
        assert files_in(made.roots[0]) == ["beds.md"]
        conversation = await harness.store.conversations.open(report.imported[0])
        (document,) = [p for p in conversation.messages[0].message.parts if isinstance(p, DocumentPart)]
        assert (document.name, document.text) == ("plan.txt", "North is up.")


async def test_claude_again_after_both_went_on(store: Store, tmp_path: Path) -> None:
    first = claude_file(tmp_path / "1.zip", CLAUDE_PROJECTS, claude_chat("a", "Roses?", "Yes."))
    report = await transfer(store).import_files([first])
    assert report.projects == (
        "Project “Garden” imported. Its document stays in the file; importing it in the window adds it.",
    )
    (chat,) = report.imported
    (folder,) = await store.folders.all()
    await send(store, "Mine?", to=chat)
    await store.folders.rename(folder.id, name="My garden")
    await store.folders.set_settings(folder.id, {**folder.settings, PROJECT_INSTRUCTIONS_KEY: "Mine."})
    changed = [{**CLAUDE_PROJECTS[0], "prompt_template": "Answer as a botanist."}]
    second = claude_file(
        tmp_path / "2.zip",
        changed,
        claude_chat("a", "Roses?", "Yes.", "When?", "May."),
        claude_chat("c", "Hi"),
    )
    report = await transfer(store).import_files([second])
    assert report.projects[0].startswith("Project “My garden” was here; what you changed in it stays.")
    assert (len(report.imported), report.updated, report.n_new_messages) == (1, (chat,), 2)
    (folder,) = await store.folders.all()
    assert folder.instructions == "Mine."
    assert await titles(store, folder.id) == ["Chat a", "Chat c"], "also those that name the old name"
    texts = [each.message.text for each in (await store.transcripts.get(chat)).messages]
    assert [texts.count(text) for text in ("Roses?", "Yes.", "Mine?", "When?", "May.")] == [1] * 5


async def test_json_of_chats_is_no_project(store: Store, tmp_path: Path) -> None:
    await make(store)
    path = tmp_path / "chats.json"
    await transfer(store).export(None, form=ExportFormat.JSON, target=str(path))
    report = await transfer(store).import_files([str(path)])
    assert (report.projects, report.n_already_there) == ((), 3)
