"""A prompt that takes ten minutes, and clients that hang up after five in which they hear nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from fakes.api_harness import ApiHarness, parsed, until
from fakes.engine import finished
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import Failed, TextDelta

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


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, type[HurriedLoop]]]:
    return "asyncio", {"loop_factory": HurriedLoop}


async def heard_while(reader: asyncio.StreamReader, *, for_s: float) -> tuple[bytes, float]:
    """Return what came in that time by the loop's clock, and the longest silence in it."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, HurriedLoop)
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


async def send(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask, and return the connection once the engine has the request."""
    reader, writer = await harness.connect()
    content = json.dumps(body).encode()
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{harness.port}\r\nConnection: close\r\n"
        f"Content-Length: {len(content)}\r\n\r\n".encode()
        + content
    )
    await until(lambda: harness.engine.requests)
    return reader, writer


HELLO = (TextDelta(text="Hello", n_completion=1), finished())


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
async def test_a_client_hears_something_all_through_a_prompt_of_ten_minutes(
    harness: ApiHarness, path: str, body: dict[str, Any], last: bytes
) -> None:
    harness.engine.script = lambda _: [None, *HELLO]
    reader, writer = await send(harness, path, {**body, "stream": True})
    heard, silence_s = await heard_while(reader, for_s=PROMPT_S)
    assert silence_s < PATIENCE_S / 10
    harness.engine.go_on()
    answer = parsed(heard + await reader.read())
    writer.close()
    assert (answer.status, answer.body[-len(last) :]) == (200, last)
    assert any("Hello" in json.dumps(each) for each in said_by(answer.body))
    assert not any("error" in each and each["error"] for each in said_by(answer.body))


WHOLE = [
    ("/v1/chat/completions", {"messages": SAID}),
    ("/v1/completions", {"prompt": "Hi"}),
    ("/v1/responses", {"input": "Hi"}),
    ("/v1/messages", {"messages": SAID, "max_tokens": 9}),
    ("/api/chat", {"messages": SAID}),
    ("/api/generate", {"prompt": "Hi"}),
    ("/completion", {"prompt": "Hi"}),
]


@pytest.mark.parametrize(("path", "body"), WHOLE)
async def test_so_does_one_that_waits_for_a_whole_answer_and_reads_it_as_json(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> None:
    harness.engine.script = lambda _: [None, *HELLO]
    reader, writer = await send(harness, path, {**body, "stream": False})
    heard, silence_s = await heard_while(reader, for_s=PROMPT_S)
    assert silence_s < PATIENCE_S / 10
    harness.engine.go_on()
    answer = parsed(heard + await reader.read())
    writer.close()
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.body.startswith(b" ")
    assert "Hello" in json.dumps(answer.json)
    assert not answer.json.get("error")


@pytest.mark.parametrize(("path", "body"), WHOLE)
async def test_what_fails_behind_a_long_silence_is_told_in_the_dialect_s_own_shape(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> None:
    crash = Failed(error=RunnerCrashed(model="m", cause="signal 9.").info())
    harness.engine.script = lambda _: [None, crash]
    reader, writer = await send(harness, path, {**body, "stream": False})
    heard, _ = await heard_while(reader, for_s=60)
    harness.engine.go_on()
    answer = parsed(heard + await reader.read())
    writer.close()
    assert answer.body.startswith(b" ")
    assert "signal 9" in json.dumps(answer.json["error"])
