"""Bodies that cost much to read, in forms that clients and proxies send."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import time
import zlib
from pathlib import Path

import h11
import pytest

from fakes.api_harness import ApiHarness, api_harness
from fireside.api.connection import BoundedReader
from fireside.api.http_error import HttpError
from fireside.api.http_messages import MAX_BODY_BYTES, decode_json
from fireside.api.openai_completions import CompletionBody

CHAT = "/v1/chat/completions"
USER = {"role": "user", "content": "a"}
TEXT = {"type": "text", "text": "a"}
EXTRA = {"filename": "a", "text": "b"}
BODY = json.dumps({"messages": [{"role": "user", "content": "Hi"}]}).encode()


def post(harness: ApiHarness, body: bytes, *lines: str, path: str = CHAT) -> bytes:
    head = (f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{harness.port}", "Connection: close", *lines)
    return "\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode() + body


@pytest.mark.parametrize("sign", [",", "[", "{", ":"])
async def test_a_large_body_of_punctuation_is_refused_before_it_is_decoded(
    harness: ApiHarness, sign: str
) -> None:
    # As values, and in a text: where they stand is not looked at.
    values = {",": "1," * 1_200_000 + "1", "[": "[]," * 400_000 + "1", "{": "{}," * 400_000 + "1", ":": ""}
    values[":"] = "{" + ",".join(f'"{n}":1' for n in range(300_000)) + "}"
    for prompt in (f"[{values[sign]}]", json.dumps(sign * 1_200_000)):
        refused = await harness.raw(post(harness, f'{{"prompt": {prompt}}}'.encode(), path="/v1/completions"))
        assert refused.status == 400
        assert "no context is as long" in refused.json["error"]["message"]


@pytest.mark.parametrize("number", ["1e308", "-1.7E+308 ", "123e-00320"])
async def test_numbers_that_cost_much_to_read_are_refused_before_they_are_decoded(
    harness: ApiHarness, number: str
) -> None:
    """Five bytes took 20 µs, so 4 MB took longer than a client waits, in which nothing else ran."""
    for n_numbers, status in ((1000, 200), (1100, 400)):
        body = f'{{"messages": [{{"role": "user", "content": "a"}}], "x": [{f"{number}," * n_numbers}1]}}'
        answer = await harness.raw(post(harness, body.encode()))
        assert answer.status == status
    assert "exponents of three digits" in answer.json["error"]["message"]


@pytest.mark.parametrize("number", [r"1\u0065308,", r"1\u0045\u002b308\u002c", r"1e\u003308\n,"])
async def test_such_numbers_are_found_in_the_arguments_of_a_call_too(
    harness: ApiHarness, number: str
) -> None:
    call = r'{"id": "a", "function": {"name": "f", "arguments": "{\"x\": [' + number * 1100 + r'1]}"}}'
    body = f'{{"messages": [{{"role": "assistant", "tool_calls": [{call}]}}]}}'
    answer = await harness.raw(post(harness, body.encode()))
    assert answer.status == 400
    assert "exponents of three digits" in answer.json["error"]["message"]


async def test_a_large_text_of_usual_punctuation_is_read(harness: ApiHarness) -> None:
    text = "He said: “Yes, [1] {x}”. " * 40_000
    body = json.dumps({"prompt": text}, ensure_ascii=False).encode()
    assert (await harness.raw(post(harness, body, path="/v1/completions"))).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b'{"prompt": [' + b",".join([b"12345"] * 786_000) + b"]}",
        b'{"prompt": [' + b",".join([b"[1]"] * 131_000) + b"]}",
        b'{"stop": [' + b",".join([b'""'] * 786_000) + b"]}",
        b'{"logit_bias": {' + b",".join(b'"%d":1' % n for n in range(131_000)) + b"}}",
        b'{"json_schema": {"a": [' + b",".join([b"{}"] * 131_000) + b"]}}",
        b'{"prompt": "' + b"\\n" * 2_700_000 + b'"}',
    ],
    ids=["ids", "lists", "texts", "members", "objects", "escapes"],
)
def test_what_is_decoded_takes_little_time_of_the_processor(body: bytes) -> None:
    """Some 50 ms; the limit leaves room for slow machines. It was above 1 s for lists."""
    began = time.thread_time()
    with contextlib.suppress(HttpError):
        decode_json(body, CompletionBody)
    assert time.thread_time() - began < 0.5


def n_events(reader: BoundedReader, data: bytes) -> int:
    reader.receive_data(data)
    n = 0
    while reader.next_event() not in (h11.NEED_DATA, h11.PAUSED):
        n += 1
    return n


def test_a_body_of_tiny_chunks_is_not_parsed_to_its_end() -> None:
    reader = BoundedReader()
    reader.receive_data(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert isinstance(reader.next_event(), h11.Request)
    assert n_events(reader, b"1\r\na\r\n" * 100_000) < 10_000
    assert reader.has_tiny_chunks
    assert n_events(reader, b"1\r\na\r\n" * 100_000) == 0


def test_many_chunks_of_usual_size_are_read() -> None:
    reader = BoundedReader()
    reader.receive_data(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert isinstance(reader.next_event(), h11.Request)
    assert n_events(reader, (b"64\r\n" + b"a" * 100 + b"\r\n") * 10_000 + b"0\r\n\r\n") >= 10_000
    assert not reader.has_tiny_chunks


async def test_tiny_chunks_end_the_connection_and_no_other(tmp_path: Path, starter_model_path: Path) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        reader, writer = await place.connect()
        head = f"POST {CHAT} HTTP/1.1\r\nHost: 127.0.0.1:{place.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head.encode())
        writer.write(b"1\r\n \r\n" * 20_000)
        # A system may drop the answer of a connection that is closed while more arrives.
        with contextlib.suppress(ConnectionError):
            assert (await asyncio.wait_for(reader.readline(), 30)).startswith(b"HTTP/1.1 40")
        writer.close()
        assert (await place.ask("/health")).status == 200
        assert place.engine.requests == []


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(BODY)),
        ("gzip", gzip.compress(BODY[:20]) + gzip.compress(BODY[20:])),
        ("GZIP", gzip.compress(BODY)),
        ("deflate", zlib.compress(BODY)),
        ("identity", BODY),
    ],
)
async def test_a_compressed_body_is_read(harness: ApiHarness, encoding: str, body: bytes) -> None:
    answer = await harness.raw(post(harness, body, f"Content-Encoding: {encoding}"))
    assert answer.status == 200


@pytest.mark.parametrize(
    ("encoding", "body", "status"),
    [
        ("gzip", gzip.compress(b" " * (MAX_BODY_BYTES + 1)), 413),
        ("gzip", gzip.compress(b" " * MAX_BODY_BYTES) + gzip.compress(BODY), 413),
        ("gzip", gzip.compress(BODY)[:-9], 400),
        ("gzip", gzip.compress(b"") * 100_000, 400),  # read one by one, each would copy the rest
        ("gzip", BODY, 400),
        ("br", BODY, 415),
    ],
)
async def test_a_bomb_and_a_broken_body_are_refused(
    harness: ApiHarness, encoding: str, body: bytes, status: int
) -> None:
    answer = await harness.raw(post(harness, body, f"Content-Encoding: {encoding}"))
    assert answer.status == status
    assert harness.engine.requests == []


@pytest.mark.parametrize("path", ["/v1/models", "//v1/models/", "/api/tags", "", "/"])
async def test_the_form_that_clients_of_proxies_send_is_answered(harness: ApiHarness, path: str) -> None:
    host = f"127.0.0.1:{harness.port}"
    request = f"GET http://{host}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    assert (await harness.raw(request.encode())).status == 200


async def test_an_address_of_another_host_is_refused(harness: ApiHarness) -> None:
    request = (
        "GET http://evil.example/v1/models HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{harness.port}\r\nConnection: close\r\n\r\n"
    )
    assert (await harness.raw(request.encode())).status == 400


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/v1/completions", {"prompt": [1] * 300_000}, "prompt"),
        ("/completion", {"prompt": [1] * 300_000}, "prompt"),
        ("/detokenize", {"tokens": [1] * 300_000}, "tokens"),
    ],
)
async def test_hundreds_of_thousands_of_ids_are_refused(
    harness: ApiHarness, path: str, body: dict[str, list[int]], param: str
) -> None:
    answer = await harness.ask(path, body)
    assert answer.status == 400
    assert answer.json["error"]["param"] == param
    assert harness.engine.requests == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"messages": [USER] * 40_000}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": [TEXT] * 40_000}]}),
        ("/v1/messages", {"messages": [USER] * 40_000, "max_tokens": 1}),
        ("/v1/messages/count_tokens", {"messages": [USER] * 40_000}),
        ("/v1/responses", {"input": [USER] * 40_000}),
        ("/api/chat", {"model": "", "messages": [USER] * 40_000}),
        ("/apply-template", {"messages": [USER] * 40_000}),
        ("/infill", {"input_prefix": "a", "input_suffix": "b", "input_extra": [EXTRA] * 40_000}),
    ],
)
async def test_tens_of_thousands_of_messages_parts_and_items_are_refused(
    harness: ApiHarness, path: str, body: dict[str, object]
) -> None:
    answer = await harness.ask(path, body)
    assert answer.status == 400
    assert "more than 32768 messages, parts, tools and the like" in answer.body.decode()
    assert harness.engine.requests == []


async def test_more_texts_than_a_model_takes_are_refused_before_it_loads(harness: ApiHarness) -> None:
    answer = await harness.ask("/api/embed", {"model": "", "input": ["a"] * 10_001})
    assert answer.status == 400
    assert "at most 10000 texts" in answer.body.decode()
    assert harness.engine.requests == []


async def test_metrics_that_are_off_are_no_fault_of_the_server(harness: ApiHarness) -> None:
    answer = await harness.ask("/metrics")
    assert (answer.status, answer.json["error"]["type"]) == (501, "not_supported_error")
