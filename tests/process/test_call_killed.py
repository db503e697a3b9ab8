"""A program that is killed while a tool works or waits for permission says so when it is started again."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.app_harness import app_harness
from fakes.engine import conversation_of, says
from fireside.core.chat import MessageState
from fireside.core.ids import ConversationId
from fireside.core.message import Role, ToolResultPart
from fireside.core.tool_calls import calls_of
from fireside.core.tools import CallState

TESTS = Path(__file__).parents[1]
CHILD = """
import asyncio, sys
from pathlib import Path
from msgspec.structs import replace
from fakes.app_harness import app_harness
from fakes.engine import finished
from fireside.core.events import MessageReplaced
from fireside.core.generation import FinishReason, TextDelta
from fireside.core.message import ToolCallPart, ToolResultPart
from fireside.tools.tool import RunnableTool

async def never(tool, arguments, *, watch):
    await asyncio.Event().wait()

async def main(folder, starter, name, arguments, state):
    call = ToolCallPart(id="1", name=name, arguments=arguments)
    ended = replace(finished(FinishReason.TOOL_CALL), tool_calls=(call,))
    script = lambda _: [TextDelta(text="Let me see.", n_completion=1), ended]
    async with app_harness(folder, starter=starter, script=script, database=folder / "chats.db") as place:
        RunnableTool.run = never
        settings = {"tools.date_time": True, "tools.chat_search": True}
        chat = await place.app.generations.send(None, text="Go", model_id=place.model_id, settings=settings)
        states = lambda event: [p.state for p in event.message.message.parts if isinstance(p, ToolResultPart)]
        await place.until_so(lambda: any(states(event) == [state] for event in place.seen(MessageReplaced)))
        print(chat, flush=True)
        await asyncio.Event().wait()

asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]))
"""


@pytest.mark.parametrize(
    ("name", "arguments", "state"),
    [
        ("date_time", "{}", CallState.RUNNING),
        ("search_chats", '{"words": "x"}', CallState.WAITING),
    ],
)
def test_a_call_that_was_cut_off_is_interrupted_and_the_chat_goes_on(
    tmp_path: Path, starter_model_path: Path, name: str, arguments: str, state: CallState
) -> None:
    command = [sys.executable, "-c", CHILD, str(tmp_path), str(starter_model_path), name, arguments, state]
    with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        chat = ConversationId(int(child.stdout.readline()))
        child.kill()

    async def look() -> None:
        again = app_harness(
            tmp_path, starter=starter_model_path, script=says("Well."), database=tmp_path / "chats.db"
        )
        async with again as place:
            message = (await place.store.conversations.open(chat)).messages[-1]
            assert message.state is MessageState.INTERRUPTED
            assert message.message.text == "Let me see."
            (call,) = calls_of(message.message, is_live=False)
            assert call.title.endswith("Interrupted")
            assert not call.is_waiting
            # Nothing is called by itself, and the model is told that there is no result.
            assert place.engine.requests == []
            await place.app.generations.send(chat, text="And?", model_id=place.model_id)
            await place.settled(chat)
            told = conversation_of(place.engine.requests[-1])
            assert [one.role for one in told] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.USER]
            (part,) = told[2].parts
            assert isinstance(part, ToolResultPart)
            assert "interrupted" in part.text

    asyncio.run(look())
