"""A model that searches the collections of its chat: with consent, and with citations that open."""

from __future__ import annotations

from pathlib import Path

from fakes.app_harness import AppHarness
from fakes.engine import conversation_of
from fakes.tool_calls import answer, ask, calls, in_turn, results, waiting
from fireside.core.chat import StoredMessage
from fireside.core.citations import citation_marks
from fireside.core.collection import COLLECTIONS_KEY, Collection
from fireside.core.ids import ConversationId
from fireside.core.message import PassagesPart
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.tools import CallState, ConsentAnswer, Permission, Taint
from fireside.settings.values import ConversationLayer

ON = "tools.documents"
SEARCH = ("search_documents", '{"words": "impeller"}')


def write_manuals(folder: Path) -> None:
    folder.mkdir()
    (folder / "pump.md").write_text("# Pump\n\nThe impeller is changed every year.\n")
    (folder / "filter.md").write_text("# Filter\n\nFilters are washed each month.\n")


async def manuals(harness: AppHarness, folder: Path) -> Collection:
    write_manuals(folder)
    collection = await harness.app.collections.create(name="Manuals", roots=[str(folder)])
    await harness.app.collections.catch_up(collection.id)
    for name in ("search_documents", "read_document", "list_documents"):
        await harness.app.tools.permit(name, Permission.ALWAYS)
    return collection


def settings_of(made: Collection) -> dict[str, SettingValue]:
    return {COLLECTIONS_KEY: (made.id,), ON: True}


async def sent(harness: AppHarness, conversation: ConversationId) -> PassagesPart | None:
    return (await harness.store.conversations.open(conversation)).messages[0].message.passages


def offered(harness: AppHarness) -> list[str]:
    prompt = harness.engine.requests[0].task.prompt
    assert isinstance(prompt, ChatInput)
    return [tool.name for tool in prompt.tools]


async def settled(harness: AppHarness, made: Collection) -> StoredMessage:
    return await harness.settled(await ask(harness, settings_of(made)))


async def test_nothing_is_sent_along_and_what_is_found_can_be_cited(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = in_turn(calls(SEARCH), answer("Every year [1]."))
    stored = await settled(harness, await manuals(harness, tmp_path / "docs"))
    assert offered(harness)[:3] == ["search_documents", "read_document", "list_documents"]
    assert conversation_of(harness.engine.requests[0])[-1].passages is None
    (result,) = results(stored)
    assert result.text.startswith("[1] pump.md, line")
    assert set(result.taints) == {Taint.PRIVATE, Taint.UNTRUSTED}
    part = await sent(harness, stored.conversation_id)
    assert part is not None
    (mark,) = citation_marks(stored.message.text, part.citations)
    assert mark.citation is not None
    assert "impeller" in mark.citation.passage.text
    # The model saw it as a result, so its question is told as it was.
    request = conversation_of(harness.engine.requests[-1])[0]
    assert all(not each.prompt_text for each in request.parts if isinstance(each, PassagesPart))


async def test_numbers_go_on_and_a_passage_keeps_its_own(harness: AppHarness, tmp_path: Path) -> None:
    steps = (calls(SEARCH), calls(("search_documents", '{"words": "washed"}')))
    harness.engine.script = in_turn(
        *steps, calls(("search_documents", '{"words": "impeller year"}')), answer()
    )
    stored = await settled(harness, await manuals(harness, tmp_path / "docs"))
    first, second, again = (result.text for result in results(stored))
    assert first.startswith("[1] pump.md")
    assert second.startswith("[2] filter.md")
    assert again.startswith("[1] pump.md")


async def test_documents_are_listed_and_read_to_their_end(harness: AppHarness, tmp_path: Path) -> None:
    steps = (
        calls(("list_documents", "{}")),
        calls(("read_document", '{"file": "filter.md"}')),
        calls(("read_document", '{"file": "filter.md", "offset": 9999}')),
        calls(("read_document", '{"file": "secret.md"}')),
    )
    harness.engine.script = in_turn(*steps, answer())
    stored = await settled(harness, await manuals(harness, tmp_path / "docs"))
    listed, read, behind, unknown = results(stored)
    assert sorted(listed.text.splitlines()) == ["filter.md", "pump.md"]
    assert read.text.startswith("[1] filter.md, line")
    assert "pump" not in read.text
    assert (behind.state, unknown.state) == (CallState.FAILED, CallState.FAILED)
    assert "list_documents" in unknown.text


async def test_a_call_needs_consent(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = in_turn(calls(SEARCH), answer())
    made = await manuals(harness, tmp_path / "docs")
    await harness.app.tools.permit("search_documents", Permission.ASK)
    conversation = await ask(harness, settings_of(made))
    asked = await waiting(harness)
    (result,) = results(asked)
    await harness.app.tools.answer_call(asked.id, result.call_id, ConsentAnswer.DENY)
    await harness.settled(conversation)
    assert await sent(harness, conversation) is None


async def test_without_a_collection_there_are_no_such_tools_and_they_can_be_turned_off(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = in_turn(answer(), calls(SEARCH), answer("Yes [1]."))
    await harness.settled(await ask(harness, {ON: True}))
    assert offered(harness) == []
    made = await manuals(harness, tmp_path / "docs")
    stored = await settled(harness, made)
    before = await sent(harness, stored.conversation_id)
    assert before is not None
    layer = ConversationLayer(conversation_id=stored.conversation_id)
    await harness.app.preferences.change(layer, key=ON, value=False)
    await harness.app.generations.regenerate(stored.id, model_id=harness.model_id)
    await harness.settled(stored.conversation_id)
    part = await sent(harness, stored.conversation_id)
    assert part is not None
    assert part.citations[: len(before.citations)] == before.citations
    assert len(part.citations) > len(before.citations)
    assert part.prompt_text


async def test_document_tools_count_towards_the_prompt_of_a_new_chat(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = in_turn(answer())
    made = await manuals(harness, tmp_path / "docs")

    async def n_prompt(opening: dict[str, SettingValue]) -> int:
        plan = await harness.app.contexts.plan(
            None, draft="x", attached=(), model_id=harness.model_id, opening=opening
        )
        return plan.n_prompt

    nothing = await n_prompt({})
    assert await n_prompt({ON: True}) == nothing
    assert await n_prompt({COLLECTIONS_KEY: (made.id,)}) == nothing
    assert await n_prompt(settings_of(made)) > nothing
