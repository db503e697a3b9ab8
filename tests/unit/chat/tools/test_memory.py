"""Facts for later chats: only those that the user confirmed, exactly as confirmed."""

from __future__ import annotations

from typing import Final

from fakes.app_harness import AppHarness
from fakes.engine import conversation_of
from fakes.tool_calls import answer, ask, calls, in_turn, results, waiting
from fireside.core.message import Role
from fireside.core.options import SettingValue
from fireside.core.tools import FACT_CHARACTERS, AllowEdited, CallState, ConsentAnswer

MEMORY: Final[dict[str, SettingValue]] = {"tools.memory": True}
FACT: Final = ("remember", '{"fact": "Lives in\\n Leipzig\\u200b."}')


async def facts(harness: AppHarness) -> list[str]:
    return [fact.text for fact in await harness.app.tools.facts()]


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
    (fact,) = await harness.app.tools.facts()
    assert fact.conversation_id == conversation
    await harness.app.folders.delete_conversations((conversation,))
    (fact,) = await harness.app.tools.facts()
    assert fact.conversation_id is None
    await harness.app.tools.forget_fact(fact.id)
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
