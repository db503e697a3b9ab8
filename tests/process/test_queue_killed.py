"""A program that is killed while a message waits finds it again, and the answer before it, cut off."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from fakes.app_harness import app_harness
from fireside.core.chat import MessageState

TESTS = Path(__file__).parents[1]
CHILD = """
import asyncio, os, sys
from pathlib import Path
from fakes.app_harness import app_harness
from fakes.engine import finished
from fireside.core.events import TextAppended
from fireside.core.generation import TextDelta

async def main(folder, starter):
    script = lambda _: [TextDelta(text="So far", n_completion=1), None, finished()]
    async with app_harness(folder, starter=starter, script=script, database=folder / "chats.db") as place:
        chat = await place.app.generations.send(None, text="Why?", model_id=place.model_id)
        await place.until(TextAppended)
        await place.app.generations.send(chat, text="And then?", model_id=place.model_id)
        print(chat, flush=True)
        await asyncio.Event().wait()

asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
"""


def test_what_waits_outlives_a_kill(tmp_path: Path, starter_model_path: Path) -> None:
    arguments = [sys.executable, "-c", CHILD, str(tmp_path), str(starter_model_path)]
    with subprocess.Popen(arguments, cwd=TESTS, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        child.kill()
    chat = int(line)

    async def look() -> None:
        place_again = app_harness(tmp_path, starter=starter_model_path, database=tmp_path / "chats.db")
        async with place_again as place:
            opened = await place.store.conversations.open(chat)  # type: ignore[arg-type]
            assert [m.message.text for m in opened.messages] == ["Why?", "So far"]
            assert opened.messages[1].state is MessageState.INTERRUPTED
            (waiting,) = opened.waiting
            assert waiting.message.text == "And then?"
            assert place.engine.requests == [], "nothing is sent by itself after a kill"
            await place.app.generations.send_queued(waiting.id)
            await place.settled(opened.summary.id)
            assert len((await place.store.conversations.open(opened.summary.id)).messages) == 4

    asyncio.run(look())
