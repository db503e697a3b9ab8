"""Projects: what a folder sets reaches its chats, weaker than what they set; moves say what they change."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import says
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.errors import RecordNotFound, SettingInvalid
from fireside.core.events import FoldersChanged
from fireside.core.facts import FactPlace
from fireside.core.ids import ConversationId, DraftId, FolderId, ModelId
from fireside.core.message import Role
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.preset import SYSTEM_PROMPT_KEY, AppliedPreset
from fireside.core.project import DEFAULT_MODEL_KEY, OWN_COLLECTION_KEY, PROJECT_INSTRUCTIONS_KEY, MoveEffect
from fireside.core.prompt_input import ChatInput
from fireside.settings.definitions_tools import CALCULATOR
from fireside.settings.values import AppLayer, ConversationLayer, Origin, ProjectLayer
from fireside.storage.store import Store

TEMPERATURE = "sampling.temperature"


async def project(
    harness: AppHarness, settings: Mapping[str, SettingValue] = NO_SETTINGS, *, name: str = "Thesis"
) -> FolderId:
    folder = await harness.app.folders.create_folder(name=name)
    await harness.store.folders.set_settings(folder.id, dict(settings))
    return folder.id


async def chat(harness: AppHarness, text: str = "What is bread?", **options: object) -> ConversationId:
    harness.engine.script = says("Of flour")
    made = await harness.app.generations.send(None, text=text, model_id=harness.model_id, **options)  # type: ignore[arg-type]
    await harness.settled(made)
    return made


def system_message(harness: AppHarness) -> str:
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return "\n---\n".join(message.text for message in prompt.messages if message.role is Role.SYSTEM)


async def setting(harness: AppHarness, chat: ConversationId, key: str) -> tuple[SettingValue, Origin]:
    resolved = await harness.app.preferences.resolved(model_id=None, conversation_id=chat)
    (found,) = (each for each in resolved if each.definition.key == key)
    return found.value, found.origin


async def test_a_chat_gets_what_its_project_sets_and_keeps_what_it_sets_itself(harness: AppHarness) -> None:
    folder_id = await project(harness)
    for key, value in ((TEMPERATURE, 0.25), (CALCULATOR, True)):
        await harness.app.preferences.change(ProjectLayer(folder_id=folder_id), key=key, value=value)
    made = await chat(harness, folder_id=folder_id)
    assert harness.engine.requests[-1].task.sampling.temperature == 0.25
    assert await setting(harness, made, CALCULATOR) == (True, Origin.PROJECT)
    own = ConversationLayer(conversation_id=made)
    await harness.app.preferences.change(own, key=TEMPERATURE, value=0.75)
    assert await setting(harness, made, TEMPERATURE) == (0.75, Origin.CONVERSATION)
    await harness.app.preferences.clear(ProjectLayer(folder_id=folder_id), key=CALCULATOR)
    assert (await setting(harness, made, CALCULATOR))[1] is Origin.DEFAULT


@pytest.mark.parametrize(
    ("prompt", "instructions", "sent"),
    [
        ("", "Cite sources.\n", "Cite sources."),
        ("Be brief. ", " Cite sources.", "Be brief.\n\nCite sources."),
        ("Be brief.", " \n", "Be brief."),
    ],
)
async def test_instructions_follow_the_system_prompt_in_one_message(
    harness: AppHarness, prompt: str, instructions: str, sent: str
) -> None:
    folder_id = await project(harness, {PROJECT_INSTRUCTIONS_KEY: instructions})
    made = await chat(harness, folder_id=folder_id, settings={SYSTEM_PROMPT_KEY: prompt})
    assert system_message(harness) == sent
    await harness.app.folders.move_conversations([made], folder_id=None)
    await harness.app.generations.send(made, text="And salt?", model_id=harness.model_id)
    await harness.settled(made)
    assert system_message(harness) == prompt


async def test_the_prompt_of_an_old_answer_has_its_instructions_once(harness: AppHarness) -> None:
    folder_id = await project(harness, {PROJECT_INSTRUCTIONS_KEY: "Cite sources."})
    made = await chat(harness, folder_id=folder_id)
    answer = (await harness.store.conversations.open(made)).messages[-1]
    await harness.app.inspection.continue_from(answer.id, tokens=(79,))
    await harness.settled(made)
    assert system_message(harness) == "Cite sources."


async def test_a_preset_of_a_project_is_not_that_of_its_chats(harness: AppHarness) -> None:
    folder_id = await project(harness)
    preset = AppliedPreset(name="Strict", settings={TEMPERATURE: 0.1, SYSTEM_PROMPT_KEY: "Be strict."})
    await harness.app.projects.apply_preset(folder_id, preset)
    made = await chat(harness, folder_id=folder_id)
    assert system_message(harness) == "Be strict."
    assert await setting(harness, made, "chat.preset") == ("", Origin.DEFAULT)
    await harness.app.projects.remove_preset(folder_id)
    assert (await harness.store.folders.get(folder_id)).settings == {}
    with pytest.raises(SettingInvalid):
        await harness.app.projects.apply_preset(
            folder_id, AppliedPreset(name="x", settings={TEMPERATURE: -1})
        )


async def test_a_new_chat_begins_in_the_folder_of_its_draft(harness: AppHarness) -> None:
    folder_id, draft = await project(harness), DraftId("new")
    await harness.app.conversations.save_draft_folder(draft, folder_id=folder_id)
    await harness.app.conversations.save_draft(draft, text="What is")
    await harness.app.conversations.save_draft(draft, text="")
    (kept,) = (await harness.app.snapshot()).new_drafts
    assert kept.folder_id == folder_id
    made = await chat(harness, draft_id=draft)
    summary = (await harness.store.conversations.open(made)).summary
    assert summary.folder_id == folder_id
    assert (await harness.app.snapshot()).new_drafts == ()


async def test_a_new_chat_begins_in_no_folder_that_is_gone(harness: AppHarness) -> None:
    folder_id, draft = await project(harness), DraftId("new")
    await harness.app.conversations.save_draft_folder(draft, folder_id=folder_id)
    await harness.app.folders.delete_folder(folder_id)
    for options in ({"draft_id": draft}, {"folder_id": folder_id}):
        made = await chat(harness, **options)
        assert (await harness.store.conversations.open(made)).summary.folder_id is None


async def test_a_move_says_what_is_different(harness: AppHarness, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    collection = await harness.app.collections.create(name="Sources", roots=[str(tmp_path / "empty")])
    folder_id = await project(
        harness,
        {PROJECT_INSTRUCTIONS_KEY: "Cite.", CALCULATOR: True, TEMPERATURE: 0.1, DEFAULT_MODEL_KEY: "other"},
    )
    await harness.app.folders.set_folder_collections(folder_id, [collection.id])
    made = await chat(harness, settings={TEMPERATURE: 0.9})
    effect = await harness.app.projects.effect_of_move([made], folder_id=folder_id)
    assert effect == MoveEffect(
        gains_instructions=True, gained_collections=("Sources",), tools_on=(CALCULATOR,), keeps_model=True
    )
    await harness.app.folders.move_conversations([made], folder_id=folder_id)
    other = await project(harness, {PROJECT_INSTRUCTIONS_KEY: "Rhyme."}, name="House")
    effect = await harness.app.projects.effect_of_move([made], folder_id=other)
    assert effect == MoveEffect(
        loses_instructions=True,
        gains_instructions=True,
        lost_collections=("Sources",),
        tools_off=(CALCULATOR,),
    )
    plain = await harness.app.folders.create_folder(name="Work")
    fresh = await chat(harness)
    await harness.app.facts.add("Has a garden.", place=FactPlace(folder_id=plain.id))
    assert await harness.app.projects.effect_of_move([fresh], folder_id=plain.id) == MoveEffect()
    await harness.app.preferences.change(AppLayer(), key="tools.memory", value=True)
    effect = await harness.app.projects.effect_of_move([fresh], folder_id=plain.id)
    assert effect == MoveEffect(n_gained_facts=1)


async def test_files_go_into_the_projects_own_collection(harness: AppHarness, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.md", "b.md")]
    for file in files:
        file.write_text("Bread is made of flour.")
    folder_id = await project(harness)
    first = await harness.app.projects.add_files(folder_id, [str(files[0])])
    assert await harness.app.projects.add_files(folder_id, [str(files[1])]) == first
    (collection,) = await harness.app.collections.collections()
    assert (collection.name, collection.roots) == ("Thesis", tuple(map(str, files)))
    folder = await harness.store.folders.get(folder_id)
    assert (folder.collections, folder.settings) == ((first,), {OWN_COLLECTION_KEY: first})
    await harness.app.collections.remove(first)
    second = await harness.app.projects.add_files(folder_id, [str(files[0])])
    assert second != first
    assert second in (await harness.store.folders.get(folder_id)).collections


async def test_a_deleted_project_comes_back_whole_until_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        ids = [(await store.folders.create(name=name)).id for name in "abc"]
        await store.folders.set_settings(ids[1], {TEMPERATURE: 0.5, PROJECT_INSTRUCTIONS_KEY: "Cite."})
        before = await store.folders.all()
        await store.folders.delete(ids[1])
        assert [folder.name for folder in await store.folders.all()] == ["a", "c"]
        with pytest.raises(RecordNotFound):
            await store.folders.rename(ids[1], name="x")
        await store.folders.restore(ids[1])
        assert await store.folders.all() == before
        await store.folders.delete(ids[1])
    async with await Store.open(path, clock=time.time) as store:
        with pytest.raises(RecordNotFound):
            await store.folders.restore(ids[1])


async def test_no_project_sets_what_belongs_to_the_program(harness: AppHarness) -> None:
    folder_id = await project(harness)
    layer = ProjectLayer(folder_id=folder_id)
    await harness.app.preferences.change(layer, key=DEFAULT_MODEL_KEY, value="some-model")
    last = harness.seen(FoldersChanged)[-1]
    assert isinstance(last, FoldersChanged)
    assert last.folders[-1].model_id == ModelId("some-model")
    for key in ("hub.endpoint", "engine.max_models"):
        with pytest.raises(SettingInvalid):
            await harness.app.preferences.change(layer, key=key, value="x")


async def test_collections_that_a_project_uses_by_its_preset_are_searched(harness: AppHarness) -> None:
    collection = await harness.app.collections.create(name="Sources", is_of_chat=True)
    await project(harness, {COLLECTIONS_KEY: (collection.id,)})
    await harness.app._start_collections()
    assert await harness.app.collections.collections() == (collection,)
