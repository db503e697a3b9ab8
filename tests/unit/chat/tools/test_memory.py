"""Facts for later chats: only those that the user confirmed, exactly as confirmed."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

import msgspec
import pytest

from fakes.app_harness import AppHarness
from fakes.engine import conversation_of
from fakes.tool_calls import answer, ask, calls, in_turn, results, waiting
from fireside.core.errors import RequestError
from fireside.core.facts import EVERYWHERE, FACT_CHARACTERS, FactFormat, FactPlace, FactScope
from fireside.core.ids import ConversationId
from fireside.core.message import Role
from fireside.core.options import SettingValue
from fireside.core.tools import AllowEdited, CallState, ConsentAnswer
from fireside.settings.values import AppLayer

MEMORY: Final[dict[str, SettingValue]] = {"tools.memory": True}
FACT: Final = ("remember", '{"fact": "Lives in\\n Leipzig\\u200b."}')


async def facts(harness: AppHarness) -> list[str]:
    return [fact.text for fact in await harness.app.facts.facts()]


def system_of(harness: AppHarness) -> str:
    first = conversation_of(harness.engine.requests[-1])[0]
    return first.text if first.role is Role.SYSTEM else ""


async def test_a_fact_is_kept_as_the_user_confirmed_it_and_known_in_the_next_chat(
    harness: AppHarness,
) -> None:
    harness.engine.script = in_turn(calls(FACT), answer())
    conversation = await ask(harness, MEMORY)
    asked = await waiting(harness)
    (result,) = results(asked)
    assert result.preview == "Lives in\n Leipzig."
    assert not result.after_untrusted
    assert await facts(harness) == []
    await harness.app.tools.answer_call(asked.id, result.call_id, AllowEdited(text="Lives in  Halle."))
    await harness.settled(conversation)
    assert await facts(harness) == ["Lives in Halle."]
    assert system_of(harness) == ""  # within the chat the prompt's beginning stays
    await harness.settled(await ask(harness, MEMORY))
    assert system_of(harness).endswith("What the user wants you to know:\n- Lives in Halle.")
    await harness.settled(await ask(harness, {}))
    assert system_of(harness) == ""
    (fact,) = await harness.app.facts.facts()
    assert fact.conversation_id == conversation
    await harness.app.folders.delete_conversations((conversation,))
    (fact,) = await harness.app.facts.facts()
    assert fact.conversation_id is None
    await harness.app.facts.forget(fact.id)
    await harness.settled(await ask(harness, MEMORY))
    assert system_of(harness) == ""


async def test_refused_and_unanswered_facts_are_not_stored(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(FACT), answer(), calls(FACT), answer())
    conversation = await ask(harness, MEMORY)
    asked = await waiting(harness)
    await harness.app.tools.answer_call(asked.id, results(asked)[0].call_id, ConsentAnswer.DENY)
    assert results(await harness.settled(conversation))[0].state is CallState.DENIED
    other = await ask(harness, MEMORY)
    await waiting(harness)
    await harness.app.generations.stop(other)
    await harness.settled(other)
    assert await facts(harness) == []


async def test_untrusted_text_before_the_call_is_reported(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("search_chats", '{"words": "x"}'), FACT), answer())
    conversation = await ask(harness, {**MEMORY, "tools.chat_search": True})
    asked = await waiting(harness, 2)
    assert [result.after_untrusted for result in results(asked)] == [False, True]
    assert results(asked)[1].is_risky
    await harness.app.generations.stop(conversation)
    await harness.settled(conversation)


async def test_there_is_room_for_so_much_and_nothing_twice(harness: AppHarness) -> None:
    harness.engine.script = in_turn(answer())
    chat = await ask(harness, {})
    await harness.settled(chat)
    kept = harness.store.facts
    assert await kept.add("a" * 1000, conversation_id=chat, max_characters=FACT_CHARACTERS)
    assert await kept.add("a" * 1000, conversation_id=chat, max_characters=FACT_CHARACTERS)
    assert await kept.add("b" * 1000, conversation_id=chat, max_characters=FACT_CHARACTERS)
    assert not await kept.add("c", conversation_id=chat, max_characters=FACT_CHARACTERS)
    assert [text[0] for text in await facts(harness)] == ["a", "b"]


async def test_facts_count_towards_the_prompt_of_a_new_chat(harness: AppHarness) -> None:
    harness.engine.script = in_turn(answer())
    chat = await ask(harness, {})
    await harness.settled(chat)

    async def n_prompt(opening: dict[str, SettingValue]) -> int:
        plan = await harness.app.contexts.plan(
            None, draft="x", attached=(), model_id=harness.model_id, opening=opening
        )
        return plan.n_prompt

    without, before = await n_prompt({}), await n_prompt(MEMORY)
    assert await harness.store.facts.add(
        "Lives in Leipzig. " * 20, conversation_id=chat, max_characters=FACT_CHARACTERS
    )
    assert await n_prompt({}) == without
    assert await n_prompt(MEMORY) > before + 50


async def remembered(harness: AppHarness, scope: FactScope | None, *, arguments: str = FACT[1]) -> str:
    """Have a fact suggested in a chat of a folder, answer where it holds, and return what was proposed."""
    harness.engine.script = in_turn(answer(), calls(("remember", arguments)), answer())
    conversation = await ask(harness, MEMORY)
    await harness.settled(conversation)
    folder = await harness.app.folders.create_folder(name="House")
    await harness.app.folders.move_conversations((conversation,), folder_id=folder.id)
    await harness.app.generations.send(conversation, text="Go on", model_id=harness.model_id)
    asked = await waiting(harness)
    (result,) = results(asked)
    (proposed,) = await harness.app.facts.proposed()
    assert "Leipzig" in proposed.text
    assert (proposed.project, proposed.conversation_id) == ("House", conversation)
    edited = AllowEdited(text="Lives in Leipzig.", scope=scope)
    await harness.app.tools.answer_call(asked.id, result.call_id, edited)
    done = await harness.settled(conversation)
    assert results(done)[0].scope is (scope or proposed.scope)
    assert await harness.app.facts.proposed() == ()
    (fact,) = await harness.app.facts.facts()
    assert (fact.conversation_id, fact.message_id) == (conversation, asked.id)
    return proposed.scope.value


@pytest.mark.parametrize(
    ("arguments", "proposed", "chosen", "holds"),
    [
        (FACT[1], "project", None, (True, True, False)),
        (FACT[1], "project", FactScope.EVERYWHERE, (False, True, True)),
        ('{"fact": "Lives in Leipzig.", "scope": "chat"}', "chat", None, (True, False, False)),
        (
            '{"fact": "In Leipzig.", "scope": "everywhere"}',
            "everywhere",
            FactScope.CHAT,
            (True, False, False),
        ),
    ],
)
async def test_a_fact_holds_where_the_user_says(
    harness: AppHarness,
    arguments: str,
    proposed: str,
    chosen: FactScope | None,
    holds: tuple[bool, bool, bool],
) -> None:
    """In its own chat, in another of the folder, and elsewhere."""
    assert await remembered(harness, chosen, arguments=arguments) == proposed
    (folder,) = await harness.app.folders.folders()
    (own,) = await harness.app.conversations.summaries()
    harness.engine.script = in_turn(answer())

    async def is_told(conversation: ConversationId) -> bool:
        await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
        await harness.settled(conversation)
        return "Leipzig" in system_of(harness)

    in_own = await is_told(own.id)
    other = await ask(harness, MEMORY)
    await harness.settled(other)
    elsewhere = await is_told(other)
    await harness.app.folders.move_conversations((other,), folder_id=folder.id)
    assert (in_own, await is_told(other), elsewhere) == holds
    await harness.app.folders.move_conversations((other,), folder_id=None)
    assert await is_told(other) is elsewhere


async def test_facts_go_with_their_folder_and_chat(harness: AppHarness) -> None:
    await remembered(harness, FactScope.CHAT)
    (own,) = await harness.app.conversations.summaries()
    (folder,) = await harness.app.folders.folders()
    await harness.app.facts.add("Has a garden.", place=FactPlace(folder_id=folder.id))
    await harness.app.folders.delete_conversations((own.id,))
    assert await facts(harness) == ["Has a garden."]
    await harness.app.folders.restore_conversations((own.id,))
    assert await facts(harness) == ["Has a garden.", "Lives in Leipzig."]
    await harness.app.folders.delete_folder(folder.id)
    assert await facts(harness) == ["Lives in Leipzig."]
    await harness.app.folders.restore_folder(folder.id, (own.id,))
    assert [fact.place.label for fact in await harness.app.facts.facts()] == ["Project “House”", "Chat “Go”"]


async def test_a_temporary_chat_neither_remembers_nor_is_told(harness: AppHarness) -> None:
    await harness.app.facts.add("Lives in Leipzig.", place=EVERYWHERE)
    harness.engine.script = in_turn(answer(), calls(FACT), answer())
    await harness.settled(await ask(harness, MEMORY))
    assert "Leipzig" in system_of(harness)
    await harness.app.preferences.change(AppLayer(), key="tools.memory", value=True)
    temporary = (await harness.app.conversations.begin_temporary(model_id=harness.model_id)).summary.id
    await harness.app.generations.send(temporary, text="Go", model_id=harness.model_id)
    await harness.settled(temporary)
    assert "Leipzig" not in system_of(harness)
    assert await harness.app.facts.proposed() == ()
    assert await facts(harness) == ["Lives in Leipzig."]


async def test_what_the_user_writes_is_checked(harness: AppHarness, tmp_path: Path) -> None:
    for text in (" ", "a" * 301):
        with pytest.raises(RequestError) as refused:
            await harness.app.facts.add(text, place=EVERYWHERE)
        assert refused.value.info().code == "fact_invalid"
    for index in range(6):
        await harness.app.facts.add(f"{index}" * 300, place=EVERYWHERE)
    with pytest.raises(RequestError) as refused:
        await harness.app.facts.add("b" * 300, place=EVERYWHERE)
    assert refused.value.info().code == "memory_full"
    first, *_ = await harness.app.facts.facts()
    await harness.app.facts.change(first.id, text='=1+1, "ä"\nb', place=EVERYWHERE)
    written = (await harness.app.facts.facts())[:1]
    for form in FactFormat:
        await harness.app.facts.export(str(tmp_path / f"m.{form}"), form=form, facts=written)
    assert '- =1+1, "ä" b' in (tmp_path / "m.md").read_text(encoding="utf-8")
    assert msgspec.json.decode((tmp_path / "m.json").read_bytes())[0]["text"] == '=1+1, "ä" b'
    with (tmp_path / "m.csv").open(newline="", encoding="utf-8") as lines:
        assert next(csv.DictReader(lines))["text"] == '\'=1+1, "ä" b'
