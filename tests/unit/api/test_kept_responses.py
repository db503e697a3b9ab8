"""Responses that outlive their connection, asked for with OpenAI's client over a relay that cuts it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import openai
import pytest

from fakes.api_harness import ApiHarness, until
from fakes.engine import finished
from fireside.api.http_error import HttpError
from fireside.api.kept_responses import KEPT_S, KeptResponses, WrittenResponse
from fireside.api.options import ApiOptions
from fireside.core.generation import GenerationEvent, TextDelta
from fireside.settings.api_tokens import TokenScope

PATH = "/v1/responses"
WORDS = [f"word{number} " for number in range(40)]
ASKED: dict[str, Any] = {"model": "", "input": "Hi", "background": True, "stream": True}


def in_two_halves(_: object) -> list[GenerationEvent | None]:
    """Twenty words, and the others when it is told to go on."""
    said: list[GenerationEvent | None] = [
        TextDelta(text=word, n_completion=number) for number, word in enumerate(WORDS, start=1)
    ]
    return [*said[:20], None, *said[20:], finished(n_completion=len(WORDS))]


@asynccontextmanager
async def relay(to_port: int) -> AsyncIterator[tuple[int, asyncio.Event]]:
    """A port that passes on what comes, and an event that cuts all connections."""
    cut = asyncio.Event()
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", to_port)

        async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError):
                while data := await source.read(65_536):
                    target.write(data)
            target.close()

        async def end() -> None:
            await cut.wait()
            writer.transport.abort()
            other_writer.transport.abort()

        ends = pass_on(reader, other_writer), pass_on(other_reader, writer), end()
        serving.update(asyncio.create_task(each) for each in ends)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], cut
    finally:
        cut.set()
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


@asynccontextmanager
async def client_of(harness: ApiHarness, port: int = 0) -> AsyncIterator[openai.AsyncOpenAI]:
    """A client over the relay at ``port``, or over none."""
    base = f"http://127.0.0.1:{port or harness.port}/v1"
    host = {"Host": f"127.0.0.1:{harness.port}"}
    async with openai.AsyncOpenAI(base_url=base, api_key="x", max_retries=0, default_headers=host) as client:
        yield client


async def test_a_stream_goes_on_where_its_connection_was_cut(harness: ApiHarness) -> None:
    harness.engine.script = in_two_halves
    events: list[Any] = []
    async with relay(harness.port) as (port, cut), client_of(harness, port) as far:
        stream = await far.responses.create(**ASKED)
        try:
            async for event in stream:
                events.append(event)
                if len(events) == 10:
                    cut.set()
        except openai.APIConnectionError:
            assert cut.is_set()
    # The server ends no answer with a connection that is gone.
    harness.engine.go_on()
    response_id = events[0].response.id
    async with client_of(harness) as client:
        resumed = await client.responses.retrieve(
            response_id, stream=True, starting_after=events[-1].sequence_number
        )
        n_before = len(events)
        events += [event async for event in resumed]
        assert n_before >= 10
        assert [event.sequence_number for event in events] == list(range(len(events)))
        told = [event.delta for event in events if event.type == "response.output_text.delta"]
        assert told == WORDS
        assert events[-1].type == "response.completed"
        kept = await client.responses.retrieve(response_id)
        assert (kept.status, kept.output_text) == ("completed", "".join(WORDS))
        await client.responses.delete(response_id)
        with pytest.raises(openai.NotFoundError, match="10 minutes"):
            await client.responses.retrieve(response_id)


async def test_an_answer_in_the_background_is_cancelled_by_its_id(harness: ApiHarness) -> None:
    harness.engine.script = in_two_halves
    async with client_of(harness) as client:
        started = await client.responses.create(**{**ASKED, "stream": False})
        assert (started.status, started.background) == ("in_progress", True)
        assert len(harness.server.calls()) == 1
        reading = await client.responses.retrieve(started.id, stream=True)
        events = [await anext(reading) for _ in range(5)]
        cancelled = await client.responses.cancel(started.id)
        assert (cancelled.status, cancelled.output_text) == ("cancelled", "".join(WORDS[:20]))
        events += [event async for event in reading]
        assert events[-1].type == "response.incomplete"
        assert events[-1].response.status == "cancelled"
        await until(lambda: not harness.server.calls())
        again = await client.responses.cancel(started.id)
        assert again.status == "cancelled"


async def test_what_is_kept_and_for_whom(harness: ApiHarness) -> None:
    kept = await harness.ask(PATH, {"input": "Hi"})
    unkept = await harness.ask(PATH, {"input": "Hi", "store": False})
    found = await harness.ask(f"{PATH}/{kept.json['id']}")
    assert (found.status, found.json) == (200, kept.json)
    token = harness.tokens.add("another", frozenset({TokenScope.ANSWER})).reveal()
    other = {"Authorization": f"Bearer {token}"}
    for path, headers, method, body, status in (
        (unkept.json["id"], {}, "", None, 404),
        (kept.json["id"], other, "", None, 404),
        (kept.json["id"], other, "DELETE", None, 404),
        (f"{kept.json['id']}?stream=true", {}, "", None, 400),
        (f"{kept.json['id']}?starting_after=x&stream=true", {}, "", None, 400),
        (f"{kept.json['id']}/cancel", {}, "", {}, 400),
    ):
        answer = await harness.ask(f"{PATH}/{path}", body, headers=headers, method=method)
        assert answer.status == status, path
    refused = await harness.ask(PATH, {"input": "Hi", "background": True, "store": False})
    assert (refused.status, refused.json["error"]["param"]) == (400, "store")


@pytest.mark.parametrize("options", [ApiOptions(needs_token=False, max_requests_per_client=2)])
async def test_a_client_has_so_many_in_the_background_and_the_end_ends_them(harness: ApiHarness) -> None:
    harness.engine.script = in_two_halves
    asked = {"input": "Hi", "background": True}
    for _ in range(2):
        assert (await harness.ask(PATH, asked)).json["status"] == "in_progress"
    assert (await harness.ask(PATH, asked)).status == 503
    await harness.server.stop()
    await until(lambda: not harness.server.calls())


async def no_close(_: HttpError | None) -> None: ...


def written(name: str, chunks: Any) -> WrittenResponse:
    return WrittenResponse(
        response_id=name,
        chunks=chunks,
        current=lambda: {"id": name},
        cancelled=lambda: b"cancelled\n\n",
        error_chunk=lambda error: b"failed: %s\n\n" % error.message.encode(),
        close=no_close,
    )


async def test_memory_is_bounded_and_minutes_pass() -> None:
    now: float = 0
    store = KeptResponses(max_running=9, clock=lambda: now, max_bytes=2_000_000)
    go_on = asyncio.Event()

    async def chunks() -> Any:
        for number in range(30):
            yield b"%07d" % number + b"x" * 99_991 + b"\n\n"
        await go_on.wait()

    store.keep("me", "oldest", {"text": "y" * 900_000})
    now = 1
    store.keep("me", "old", {"text": "y" * 900_000})
    kept = store.run("me", written("new", chunks()))
    await until(lambda: kept.n_bytes and not _is_kept(store, "oldest"))
    with pytest.raises(HttpError, match="are not kept any more"):
        await anext(kept.events(after=-1))
    read = kept.events(after=28)
    assert (await anext(read)).startswith(b"0000029")
    assert kept.n_bytes <= 3_100_000
    go_on.set()
    with pytest.raises(StopAsyncIteration):
        await anext(read)
    now = KEPT_S
    assert [_is_kept(store, name) for name in ("old", "new")] == [True, True]
    now = KEPT_S + 1
    assert not _is_kept(store, "new")
    await store.close()


async def test_a_revoked_client_s_responses_end_and_are_forgotten() -> None:
    store = KeptResponses(max_running=9)

    async def chunks() -> Any:
        yield b"0\n\n"
        await asyncio.Event().wait()

    kept = store.run("me", written("mine", chunks()))
    other = store.run("you", written("yours", chunks()))
    reading = kept.events(after=-1)
    assert await anext(reading) == b"0\n\n"
    await store.forget("me")
    assert [event async for event in reading] == [b"cancelled\n\n"]
    assert not _is_kept(store, "mine")
    assert other.ended_at is None
    await store.close()
    assert [event async for event in other.events(after=0)][-1].startswith(b"failed: ")


def _is_kept(store: KeptResponses, name: str) -> bool:
    try:
        store.find("me", name)
    except HttpError:
        return False
    return True
