"""Chats with collections: passages are stored and sent with their question."""

from __future__ import annotations

from pathlib import Path

from fakes.app_harness import AppHarness
from fakes.engine import says
from fireside.core.collection import COLLECTIONS_KEY, Collection
from fireside.core.events import MessageReplaced
from fireside.core.ids import ConversationId, DraftId
from fireside.core.message import ChatMessage, PassagesPart, Role
from fireside.core.preset import Preset
from fireside.core.prompt_input import ChatInput


def write_manuals(folder: Path) -> None:
    folder.mkdir()
    (folder / "pump.md").write_text("# Pump\n\nThe impeller is changed every year.\n")
    (folder / "filter.md").write_text("# Filter\n\nFilters are washed each month.\n")


async def collection(harness: AppHarness, folder: Path) -> Collection:
    write_manuals(folder)
    made = await harness.app.collections.create(name="Manuals", roots=[str(folder)])
    await harness.app.collections.catch_up(made.id)
    return made


async def asked(
    harness: AppHarness, made: Collection, text: str = "When is the impeller changed?"
) -> ConversationId:
    conversation = await harness.app.generations.send(
        None, text=text, model_id=harness.model_id, settings={COLLECTIONS_KEY: (made.id,)}
    )
    await harness.settled(conversation)
    return conversation


def prompt_of(harness: AppHarness) -> tuple[ChatMessage, ...]:
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return prompt.messages


def passages_of(message: ChatMessage) -> PassagesPart:
    assert message.passages is not None
    return message.passages


async def test_passages_go_with_the_question_and_are_stored_with_it(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = says("Every year [2].")
    conversation = await asked(harness, await collection(harness, tmp_path / "docs"))
    question, answer = (await harness.store.conversations.open(conversation)).messages
    part = passages_of(question.message)
    assert part.citations[0].passage.text.startswith("# Filter")  # the whole of it, by file
    assert part.is_whole
    assert question.message.text == "When is the impeller changed?"
    sent = prompt_of(harness)[-1]
    assert sent == question.message
    assert all(message.role is not Role.SYSTEM for message in prompt_of(harness))
    assert answer.message.text == "Every year [2]."
    replaced = [e.message.message.role for e in harness.events if isinstance(e, MessageReplaced)]
    assert replaced == [Role.USER, Role.ASSISTANT]


async def test_the_next_question_has_its_own_and_the_first_ones_stay(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = says("Every year [2].")
    conversation = await asked(harness, await collection(harness, tmp_path / "docs"))
    first = prompt_of(harness)
    await harness.app.generations.send(conversation, text="And the filter?", model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness)[:1] == first
    assert prompt_of(harness)[-1].passages is not None


async def test_answering_again_sends_the_same_passages(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = says("Yes.")
    conversation = await asked(harness, await collection(harness, tmp_path / "docs"))
    before = prompt_of(harness)
    (tmp_path / "docs" / "pump.md").write_text("Nothing of the kind.")
    answer = (await harness.store.conversations.open(conversation)).messages[-1]
    await harness.app.generations.regenerate(answer.id, model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness) == before


async def test_an_edited_question_is_searched_again(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = says("Yes.")
    conversation = await asked(harness, await collection(harness, tmp_path / "docs"))
    question = (await harness.store.conversations.open(conversation)).messages[0]
    await harness.app.branches.edit_question(
        question.id, text="Are filters washed?", model_id=harness.model_id
    )
    await harness.settled(conversation)
    assert passages_of(prompt_of(harness)[-1]).question == "Are filters washed?"


async def test_citations_survive_the_collection(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = says("Yes.")
    made = await collection(harness, tmp_path / "docs")
    conversation = await asked(harness, made)
    await harness.app.collections.remove(made.id)
    question = (await harness.store.conversations.open(conversation)).messages[0]
    citation = passages_of(question.message).citations[1]
    assert citation.passage.text == "# Pump\n\nThe impeller is changed every year.\n"
    assert (await harness.app.collections.text_around(citation.passage)).has_changed
    # A chat whose collections are gone is a chat like any other.
    await harness.app.generations.send(conversation, text="And now?", model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness)[-1].passages is None


async def test_a_chat_without_collections_has_no_passages(harness: AppHarness) -> None:
    harness.engine.script = says("Hi")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness)[-1].passages is None


async def test_the_collections_of_a_folder_are_searched_in_all_its_chats(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = says("Yes.")
    made = await collection(harness, tmp_path / "docs")
    folder = await harness.app.folders.create_folder(name="House")
    await harness.app.folders.set_folder_collections(folder.id, (made.id,))
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness)[-1].passages is None
    await harness.app.folders.move_conversations([conversation], folder_id=folder.id)
    await harness.app.generations.send(
        conversation, text="When is the impeller changed?", model_id=harness.model_id
    )
    await harness.settled(conversation)
    assert passages_of(prompt_of(harness)[-1]).citations
    now = await harness.app.folders.folder_of(conversation)
    assert now is not None
    assert now.collections == (made.id,)
    await harness.app.folders.set_folder_collections(folder.id, ())
    await harness.app.generations.send(conversation, text="And the filter?", model_id=harness.model_id)
    await harness.settled(conversation)
    assert prompt_of(harness)[-1].passages is None


async def test_a_start_keeps_the_files_of_chats_drafts_and_presets_that_are_there(
    harness: AppHarness, tmp_path: Path
) -> None:
    write_manuals(tmp_path / "docs")
    collections = harness.app.collections
    gone, of_chat, of_draft, of_preset = [
        await collections.create(name=name, roots=[str(tmp_path / "docs")], is_of_chat=True)
        for name in ("gone", "of chat", "of draft", "of preset")
    ]
    await asked(harness, of_chat)
    unsent = {COLLECTIONS_KEY: (of_draft.id,)}
    await harness.app.conversations.save_draft_settings(DraftId("one"), settings=unsent)
    preset = Preset(name="Manuals", settings={COLLECTIONS_KEY: (of_preset.id,)})
    await harness.app.presets.save(preset)
    await harness.app._start_collections()
    assert {each.id for each in await collections.collections()} == {
        of_chat.id,
        of_draft.id,
        of_preset.id,
    }
    assert gone.is_of_chat
