"""Models of other engines over the local API: off at first, and then in every dialect."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.api_harness import OPEN, ApiHarness
from fakes.engines_harness import EnginesHarness
from fakes.model_server import MODEL, ModelServer, Reply, chunk, model_server, text
from fireside.api.options import ApiOptions
from fireside.core.remote import NewEngine
from fireside.settings.api_tokens import TokenScope
from fireside.settings.values import AppLayer

OFFERED = msgspec.structs.replace(OPEN, includes_remote=True)
USER = {"role": "user", "content": "Hi"}
CHATS: list[tuple[str, dict[str, Any]]] = [
    ("/v1/chat/completions", {"messages": [USER]}),
    ("/v1/responses", {"input": "Hi"}),
    ("/v1/messages", {"messages": [USER], "max_tokens": 50}),
    ("/api/chat", {"messages": [USER], "stream": False}),
]


@pytest.fixture
def options() -> ApiOptions:
    return OFFERED


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
async def harness(harness: ApiHarness, server: ModelServer, tmp_path: Path) -> ApiHarness:
    """With an engine that was added; what adding it took is forgotten."""
    (tmp_path / "engines").mkdir()
    engines = harness.harness.app.engines
    engines._parts = EnginesHarness(tmp_path / "engines").service._parts
    await engines.add(NewEngine(address=server.address))
    server.asked.clear()
    return harness


def ids(harness: ApiHarness) -> list[str]:
    return [entry.spec.id for entry in harness.harness.app.engines.entries if entry.spec is not None]


@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_every_dialect_reaches_a_model_of_another_engine(
    harness: ApiHarness, server: ModelServer, path: str, body: dict[str, Any]
) -> None:
    for name in (MODEL, *ids(harness)):
        answer = await harness.ask(path, {"model": name, **body})
        assert answer.status == 200
        assert b"Hello there" in answer.body
    assert len(server.chats) == 2
    assert server.chats[0].body["messages"][-1] == USER
    assert harness.engine.requests == []


@pytest.mark.parametrize("options", [OPEN])
@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_nothing_goes_out_while_it_is_off(
    harness: ApiHarness, server: ModelServer, path: str, body: dict[str, Any]
) -> None:
    for name in (MODEL, *ids(harness)):
        assert (await harness.ask(path, {"model": name, **body})).status == 404
    listed = (await harness.ask("/v1/models")).json["data"]
    assert not {each["id"] for each in listed} & set(ids(harness))
    assert server.asked == []


async def test_a_request_without_a_model_s_name_stays_here(harness: ApiHarness, server: ModelServer) -> None:
    assert (await harness.ask("/v1/chat/completions", {"messages": [USER]})).status == 200
    assert len(harness.engine.requests) == 1
    assert server.asked == []


async def test_chats_that_stay_here_do_so_over_the_api_too(harness: ApiHarness, server: ModelServer) -> None:
    await harness.harness.app.preferences.change(AppLayer(), key="chat.stays_local", value=True)
    answer = await harness.ask("/v1/chat/completions", {"model": MODEL, "messages": [USER]})
    assert answer.status == 400
    assert "nothing was sent" in answer.json["error"]["message"]
    assert server.asked == []


async def test_they_are_listed_with_context_and_abilities_in_each_dialect(
    harness: ApiHarness, server: ModelServer
) -> None:
    (name,) = ids(harness)
    (listed,) = [each for each in (await harness.ask("/v1/models")).json["data"] if each["id"] == name]
    assert listed["max_model_len"] == 40960
    assert server.host in listed["display_name"]
    assert name in [each["name"] for each in (await harness.ask("/api/tags")).json["models"]]
    info = (await harness.ask("/api/show", {"model": name})).json
    family = info["model_info"]["general.architecture"]
    assert info["model_info"][f"{family}.context_length"] == 40960
    assert "tools" in info["capabilities"]
    studio = (await harness.ask("/api/v0/models")).json["data"]
    assert [each["state"] for each in studio if each["id"] == name] == ["loaded"]
    assert server.asked == []


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (msgspec.structs.replace(OFFERED, models=("another",)), 404),
        (msgspec.structs.replace(OFFERED, models=(MODEL,)), 200),
    ],
)
async def test_only_allowed_models_are_offered(harness: ApiHarness, server: ModelServer, status: int) -> None:
    answer = await harness.ask("/v1/chat/completions", {"model": MODEL, "messages": [USER]})
    assert answer.status == status
    assert len(server.chats) == bool(server.asked) == (status == 200)


@pytest.mark.parametrize("options", [msgspec.structs.replace(OFFERED, needs_token=True)])
async def test_a_token_that_may_answer_reaches_them_and_another_does_not(
    harness: ApiHarness, server: ModelServer
) -> None:
    body = {"model": MODEL, "messages": [USER]}
    for scope, status in ((TokenScope.ANSWER, 200), (TokenScope.LOAD, 403)):
        token = harness.tokens.add(scope.value, frozenset({scope})).reveal()
        answer = await harness.ask("/v1/chat/completions", body, headers={"Authorization": f"Bearer {token}"})
        assert answer.status == status
    assert (await harness.ask("/v1/chat/completions", body)).status == 401
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(status=503, headers={"Retry-After": "40"}), 503),
        (Reply(status=401, body={}), 502),
        (Reply(status=404, body={}), 404),
        (Reply(events=[chunk({"content": "Be"})], breaks=True), 502),
    ],
)
async def test_what_fails_there_is_told_in_the_client_s_dialect(
    harness: ApiHarness, server: ModelServer, reply: Reply, status: int
) -> None:
    server.replies = [reply]
    answer = await harness.ask("/v1/chat/completions", {"model": MODEL, "messages": [USER]})
    assert answer.status == status
    assert server.host in answer.json["error"]["message"]
    if status == 503:
        assert answer.headers["retry-after"] == "40"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/embeddings", {"input": "Hi"}),
        ("/tokenize", {"content": "Hi"}),
        ("/detokenize", {"tokens": [1]}),
        ("/v1/completions", {"prompt": "Hi"}),
        ("/v1/completions", {"prompt": [1, 2]}),
        ("/v1/messages/count_tokens", {"messages": [USER]}),
    ],
)
async def test_what_only_a_local_model_can_do_is_refused_in_words(
    harness: ApiHarness, server: ModelServer, path: str, body: dict[str, Any]
) -> None:
    answer = await harness.ask(path, {"model": MODEL, **body})
    assert answer.status == 400
    assert "does not support" in answer.body.decode()
    assert server.asked == []


async def test_several_answers_stream_and_a_session_is_named_to_the_engine(
    harness: ApiHarness, server: ModelServer
) -> None:
    server.replies = [text("Blue")]
    body = {"model": MODEL, "messages": [USER], "stream": True, "n": 2}
    for session in ("one", "one", "two"):
        answer = await harness.ask("/v1/chat/completions", body, headers={"X-Session-Id": session})
        indexes = {choice["index"] for event in answer.events for choice in event["choices"]}
        assert indexes == {0, 1}
    met = [asked.headers["x-session-id"] for asked in server.chats]
    assert len(met) == 6
    assert len(set(met[:4])) == 1
    assert len(set(met)) == 2


async def test_a_client_that_goes_ends_the_answer_there(harness: ApiHarness, server: ModelServer) -> None:
    server.replies = [Reply(events=[chunk({"content": "Because"})], waits=True)]
    content = json.dumps({"model": MODEL, "messages": [USER], "stream": True}).encode()
    reader, writer = await harness.connect()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{harness.port}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    writer.write(head.encode() + content)
    await reader.readuntil(b"Because")
    writer.close()
    assert await asyncio.to_thread(server.left.wait, 20)


@pytest.mark.parametrize(
    "extra", [{"min_tokens": 3}, {"include_stop_str_in_output": True}, {"stop_token_ids": [3]}]
)
async def test_what_only_a_local_model_does_is_refused_by_name(
    harness: ApiHarness, server: ModelServer, extra: dict[str, Any]
) -> None:
    body = {"model": ids(harness)[0], "messages": [USER], **extra}
    refused = await harness.ask("/v1/chat/completions", body)
    assert refused.status == 400
    assert "does not support" in refused.json["error"]["message"]
    assert server.asked == []
