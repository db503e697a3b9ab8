"""What a client sends byte by byte: bad heads, slow ones, too many, and connections that close."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fakes.api_harness import ApiHarness, api_harness, until
from fakes.engine import Script, finished, says
from fireside.api.connection import ConnectionLimits
from fireside.api.http_app import MAX_READ_BYTES
from fireside.api.http_messages import MAX_BODY_BYTES
from fireside.api.options import ApiOptions
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import Failed, TextDelta

QUICK = ConnectionLimits(head_s=0.2, body_s=0.3, keep_alive_s=1.0)
CHAT = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4}
CHAT_PATH = "/v1/chat/completions"


def head(harness: ApiHarness, *lines: str, first: str = "GET /v1/models HTTP/1.1") -> bytes:
    return "\r\n".join((first, f"Host: 127.0.0.1:{harness.port}", *lines, "", "")).encode()


async def test_malformed_requests_are_refused_and_the_next_good_one_is_answered(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        host = f"Host: 127.0.0.1:{place.port}"
        for sent, statuses in (
            (b"\x00\x01\x02\r\n\r\n", {400}),
            (b"GET / HTTP/9.9\r\n\r\n", {400}),
            (b"GET /v1/models HTTP/1.1\r\n\r\n", {400}),
            (head(place, host), {400}),
            (head(place, "Content-Length: 1", "Content-Length: 2"), {400}),
            (head(place, "Content-Length: -1"), {400}),
            (head(place, "Content-Length: 4", "Transfer-Encoding: chunked") + b"0\r\n\r\n", {400}),
            (head(place, "Transfer-Encoding: gzip"), {400, 501}),
            (head(place, "X: " + "y" * 17_000), {431}),
            (head(place, *(f"X-{n}: y" for n in range(120))), {431}),
            (head(place, "X: " + "y" * 300_000), {0, 431}),  # 0: closed with much unread
            (head(place, "Bad Name: y"), {400}),
            (head(place, "X: a\x00b"), {400}),
            (head(place, first="GET http://evil.com/v1/models HTTP/1.1"), {400}),
            (head(place, first="GET /v1/../../etc/passwd HTTP/1.1"), {404}),
            (
                head(place, f"Content-Length: {MAX_READ_BYTES + 1}", first=f"POST {CHAT_PATH} HTTP/1.1"),
                {413},
            ),
        ):
            closing = sent.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
            answer = await place.raw(closing)
            assert answer.status in statuses, (sent[:80], answer)
            assert (await place.ask("/v1/models")).status == 200


async def test_a_body_without_end_is_cut_off_as_it_comes(tmp_path: Path, starter_model_path: Path) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        reader, writer = await place.connect()
        writer.write(head(place, "Transfer-Encoding: chunked", first=f"POST {CHAT_PATH} HTTP/1.1"))
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent = 0
        try:
            while sent < 2 * MAX_READ_BYTES:
                writer.write(chunk)
                await writer.drain()
                sent += 0x10000
                if reader._buffer:  # type: ignore[attr-defined]
                    break
        except ConnectionError:
            pass
        assert sent < 1.5 * MAX_READ_BYTES
        writer.close()
        assert (await place.ask("/v1/models")).status == 200


async def test_a_client_that_writes_all_of_a_large_body_first_gets_the_answer(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        reader, writer = await place.connect()
        body = b" " * (MAX_BODY_BYTES + 1)
        writer.write(head(place, f"Content-Length: {len(body)}", first=f"POST {CHAT_PATH} HTTP/1.1") + body)
        await writer.drain()
        assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        writer.close()


@pytest.mark.parametrize("begun", [b"", b"GET /v1/mod", b"POST /v1/chat/completions HTTP/1.1\r\n"])
async def test_a_slow_head_is_not_waited_for(tmp_path: Path, starter_model_path: Path, begun: bytes) -> None:
    async with api_harness(tmp_path, starter=starter_model_path, limits=QUICK) as place:
        reader, writer = await place.connect()
        writer.write(begun)

        async def trickle() -> None:
            while True:
                await asyncio.sleep(0.02)
                if begun:
                    writer.write(b"x")

        trickling = asyncio.create_task(trickle())
        try:
            # What is sent on to a closed connection resets it: the reply is read before that is known.
            assert (await asyncio.wait_for(reader.readline(), 10)).startswith(b"HTTP/1.1 408")
        finally:
            trickling.cancel()
            writer.close()


async def test_a_slow_body_is_not_waited_for(tmp_path: Path, starter_model_path: Path) -> None:
    async with api_harness(tmp_path, starter=starter_model_path, limits=QUICK) as place:
        reader, writer = await place.connect()
        writer.write(head(place, "Content-Length: 100", first=f"POST {CHAT_PATH} HTTP/1.1") + b"{")
        assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 408")
        writer.close()
        assert place.engine.requests == []


async def test_a_second_slow_head_on_a_connection_is_not_waited_for_either(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async with api_harness(tmp_path, starter=starter_model_path, limits=QUICK) as place:
        reader, writer = await place.connect()
        writer.write(head(place))
        first = await reader.readuntil(b"\r\n\r\n")
        assert first.startswith(b"HTTP/1.1 200")
        writer.write(b"GET /")
        rest = await asyncio.wait_for(reader.read(), 10)
        assert b"HTTP/1.1 408" in rest
        writer.close()


async def test_more_connections_than_there_may_be_are_told(tmp_path: Path, starter_model_path: Path) -> None:
    limits = ConnectionLimits(max_connections=2)
    async with api_harness(tmp_path, starter=starter_model_path, limits=limits) as place:
        waiting = [await place.connect() for _ in range(2)]
        assert (await place.ask("/v1/models")).status == 503
        for reader, writer in waiting:
            writer.close()
            await reader.read()
        await until(lambda: not place.server._open_connections())
        assert (await place.ask("/v1/models")).status == 200


async def test_who_may_not_ask_keeps_no_connection(tmp_path: Path, starter_model_path: Path) -> None:
    options = ApiOptions(needs_token=True)
    async with api_harness(tmp_path, starter=starter_model_path, options=options) as place:
        reader, writer = await place.connect()
        writer.write(head(place, first="GET /v1/models HTTP/1.1"))
        refused = await asyncio.wait_for(reader.read(), 10)
        assert refused.startswith(b"HTTP/1.1 401")
        writer.close()


async def test_a_hundred_requests_of_one_client_wait_for_their_turn(
    tmp_path: Path, starter_model_path: Path
) -> None:
    script = lambda _: [None, *says("Hi")(_)]  # noqa: E731
    async with api_harness(tmp_path, starter=starter_model_path, script=script) as place:
        asked = [asyncio.create_task(place.ask(CHAT_PATH, CHAT)) for _ in range(100)]
        await until(lambda: len(place.engine.requests) == 100)

        def let_one_go_on() -> bool:
            place.engine.go_on()
            return all(each.done() for each in asked)

        await until(let_one_go_on)
        assert {(await each).status for each in asked} == {200}


@pytest.mark.parametrize("stream", [True, False])
async def test_a_client_that_goes_has_its_answer_cancelled(
    tmp_path: Path, starter_model_path: Path, stream: bool
) -> None:
    def script(_: object) -> list[TextDelta | None]:
        return [TextDelta(text="Hi", n_completion=1), None, TextDelta(text="more", n_completion=2)]

    async with api_harness(tmp_path, starter=starter_model_path, script=script) as place:
        content = b'{"messages":[{"role":"user","content":"Hi"}],"stream":%s}' % (
            b"true" if stream else b"false"
        )
        reader, writer = await place.connect()
        lines = (f"Content-Length: {len(content)}",)
        writer.write(head(place, *lines, first=f"POST {CHAT_PATH} HTTP/1.1") + content)
        async with asyncio.timeout(20):
            await until(lambda: place.engine._running)
            if stream:
                await reader.readuntil(b'"Hi"')
            writer.close()
            await until(lambda: not place.engine._running)


async def test_one_client_may_not_have_all(tmp_path: Path, starter_model_path: Path) -> None:
    options = ApiOptions(needs_token=False, max_requests_per_client=1)
    script = lambda _: [None, *says("Hi")(_)]  # noqa: E731
    async with api_harness(tmp_path, starter=starter_model_path, script=script, options=options) as place:
        first = asyncio.create_task(place.ask(CHAT_PATH, CHAT))
        await until(lambda: place.engine.requests)
        refused = await place.ask(CHAT_PATH, CHAT)
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert refused.json["error"]["code"] == "queue_full"
        place.engine.go_on()
        assert (await first).status == 200


async def test_the_end_of_the_server_is_told_to_all_who_wait(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def script(_: object) -> list[TextDelta | None]:
        return [TextDelta(text="Hi", n_completion=1), None]

    async with api_harness(tmp_path, starter=starter_model_path, script=script) as place:
        whole = asyncio.create_task(place.ask(CHAT_PATH, CHAT))
        reader, writer = await place.connect()
        content = b'{"messages":[{"role":"user","content":"Hi"}],"stream":true}'
        length = f"Content-Length: {len(content)}"
        writer.write(head(place, length, first=f"POST {CHAT_PATH} HTTP/1.1") + content)
        await reader.readuntil(b'"Hi"')
        await until(lambda: len(place.engine.requests) == 2)
        await place.server.stop()
        assert b'"code":"engine_stopped"' in await reader.read()
        writer.close()
        assert (await whole).status == 503


@pytest.mark.parametrize(
    ("path", "body", "expected", "status"),
    [
        (CHAT_PATH, CHAT, b'"code":"runner_died"', 503),
        ("/v1/completions", {"prompt": "Hi"}, b'"code":"runner_died"', 503),
        ("/v1/responses", {"input": "Hi"}, b"event: response.failed\n", 503),
        ("/v1/messages", {**CHAT, "max_tokens": 9}, b"event: error\n", 529),
        ("/api/chat", CHAT, b'\n{"error":', 503),
        ("/api/generate", {"prompt": "Hi"}, b'\n{"error":', 503),
        ("/completion", {"prompt": "Hi"}, b'"code":"runner_died"', 503),
    ],
)
async def test_a_runner_that_dies_ends_a_stream_with_an_error_and_a_whole_answer_with_a_status(
    tmp_path: Path, starter_model_path: Path, path: str, body: dict[str, Any], expected: bytes, status: int
) -> None:
    crash = Failed(error=RunnerCrashed(model="m", cause="signal 9.").info())
    script: Script = lambda _: [TextDelta(text="Hi", n_completion=1), crash]  # noqa: E731
    async with api_harness(tmp_path, starter=starter_model_path, script=script) as place:
        streamed = await place.ask(path, {**body, "stream": True})
        assert streamed.status == 200
        assert b"Hi" in streamed.body
        assert expected in streamed.body
        for end in (b"[DONE]", b"response.completed", b"message_stop", b'"done":true', b'"stop":true'):
            assert end not in streamed.body
        whole = await place.ask(path, {**body, "stream": False})
        assert (whole.status, whole.headers["retry-after"]) == (status, "1")


async def test_a_silence_is_filled_with_what_says_nothing(tmp_path: Path, starter_model_path: Path) -> None:
    script = lambda _: [TextDelta(text="Hi", n_completion=1), None, finished()]  # noqa: E731
    async with api_harness(tmp_path, starter=starter_model_path, script=script) as place:
        place.server._apps[0]._heartbeat_s = 0.02
        reader, writer = await place.connect()
        content = b'{"messages":[{"role":"user","content":"Hi"}],"stream":true}'
        writer.write(
            head(place, f"Content-Length: {len(content)}", first=f"POST {CHAT_PATH} HTTP/1.1") + content
        )
        await asyncio.wait_for(reader.readuntil(b": still working\n\n"), 20)
        place.engine.go_on()
        await asyncio.wait_for(reader.readuntil(b"[DONE]"), 20)
        writer.close()


async def test_a_path_forges_no_line_of_the_log(
    harness: ApiHarness, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="fireside.api"):
        assert (await harness.ask("/v1/%0A%1B[2Jforged", headers={"Origin": "http://evil.com"})).status == 403
        (failed,) = harness.server.failures()
        assert failed.path == "/v1/%0A%1B[2Jforged"
    (line,) = (record.getMessage() for record in caplog.records if "forged" in record.getMessage())
    assert line.isprintable()


async def test_an_error_that_quotes_much_is_kept_short(harness: ApiHarness) -> None:
    messages = [{"role": "king" * 100_000, "content": "Hi"}]
    assert (await harness.ask("/v1/chat/completions", {"messages": messages})).status == 400
    (failed,) = harness.server.failures()
    assert len(failed.sentence) <= 300
