"""A prompt that takes ten minutes, and clients that hang up after five in which they hear nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from fakes.api_place import api_place, parsed, until
from fakes.engine import finished
from fireside.core.generation import TextDelta

PATIENCE_S = 300
PROMPT_S = 600
STEP_S = 1
SAID = [{"role": "user", "content": "Hi"}]
TURNS = 20
"""Of the loop, in which what was sent on this computer arrives."""


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be put forward."""

    ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_s


async def heard_while(
    loop: HurriedLoop, reader: asyncio.StreamReader, *, for_s: float
) -> tuple[bytes, float]:
    """Return what came in that time by the loop's clock, and the longest silence in it."""
    heard, silence_s, longest_s = b"", 0.0, 0.0
    reading = asyncio.ensure_future(reader.read(65_536))
    end = loop.time() + for_s
    while loop.time() < end:
        loop.ahead_s += STEP_S
        for _ in range(TURNS):
            await asyncio.sleep(0)
        silence_s += STEP_S
        if reading.done():
            heard += reading.result()
            longest_s, silence_s = max(longest_s, silence_s), 0.0
            reading = asyncio.ensure_future(reader.read(65_536))
    if reading.done():
        heard += reading.result()
    reading.cancel()
    await asyncio.wait({reading})
    return heard, max(longest_s, silence_s)


def said_by(body: bytes) -> list[Any]:
    """Return the objects in a stream of events or lines, as a client reads them that knows no heartbeat."""
    lines = [line.removeprefix("data: ") for line in body.decode().splitlines()]
    return [json.loads(line) for line in lines if line.strip().startswith("{")]


@pytest.mark.parametrize(
    ("path", "body", "last"),
    [
        ("/v1/chat/completions", {"messages": SAID}, b"data: [DONE]\n\n"),
        ("/v1/completions", {"prompt": "Hi"}, b"data: [DONE]\n\n"),
        ("/v1/responses", {"input": "Hi"}, b"\n\n"),
        ("/v1/messages", {"messages": SAID, "max_tokens": 9}, b'data: {"type":"message_stop"}\n\n'),
        ("/api/chat", {"messages": SAID}, b"}\n"),
        ("/api/generate", {"prompt": "Hi"}, b"}\n"),
        ("/completion", {"prompt": "Hi"}, b"}\n\n"),
    ],
)
def test_a_client_hears_something_all_through_a_prompt_of_ten_minutes(
    tmp_path: Path, starter_model_path: Path, path: str, body: dict[str, Any], last: bytes
) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, HurriedLoop)
        script = lambda _: [None, TextDelta(text="Hello", n_completion=1), finished()]  # noqa: E731
        async with api_place(tmp_path, starter=starter_model_path, script=script) as place:
            reader, writer = await place.connect()
            content = json.dumps({**body, "stream": True}).encode()
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{place.port}\r\nConnection: close\r\n"
                f"Content-Length: {len(content)}\r\n\r\n".encode()
                + content
            )
            await until(lambda: place.engine.requests)
            heard, silence_s = await heard_while(loop, reader, for_s=PROMPT_S)
            assert silence_s < PATIENCE_S / 10
            place.engine.go_on()
            answer = parsed(heard + await reader.read())
            assert (answer.status, answer.body[-len(last) :]) == (200, last)
            assert any("Hello" in json.dumps(each) for each in said_by(answer.body))
            assert not any("error" in each and each["error"] for each in said_by(answer.body))
            writer.close()

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(scenario())
