"""Engines that the user adds: detection, storage, and protection of the key."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.certificates import Certificate, certificate
from fakes.engines_harness import EnginesHarness, failed, finished, said
from fakes.model_server import MODEL, OLLAMA_CHAT, Reply, model_server, text
from fakes.raised import refuses
from fireside.core.errors import RemoteAnswerInvalid, RemoteError, RemoteUnreachable
from fireside.core.events import RemoteModelsChanged
from fireside.core.generation import Retrying
from fireside.core.remote import ServerKind
from fireside.hub.http_client import Route
from fireside.remote.address import validate_address

KEY = "sk-very-secret"


@pytest.mark.parametrize(
    ("kind", "found", "n_ctx", "source", "abilities"),
    [
        ("vllm", ServerKind.VLLM, 40960, "/v1/models", (None, None)),
        ("sglang", ServerKind.SGLANG, 32768, "/v1/models", (None, None)),
        ("lm_studio", ServerKind.LM_STUDIO, 4096, "/api/v0/models", (True, True)),
        ("llama_server", ServerKind.LLAMA_SERVER, 8192, "/props", (True, None)),
        ("ollama", ServerKind.OLLAMA, 40960, "/api/show", (False, True)),
        ("openai", ServerKind.OPENAI, None, "", (None, None)),
    ],
)
async def test_each_server_is_detected_with_models_contexts_and_capabilities(
    remote: EnginesHarness,
    kind: str,
    found: ServerKind,
    n_ctx: int | None,
    source: str,
    abilities: tuple[bool | None, bool | None],
) -> None:
    with model_server(kind) as server:
        result = await remote.add(f"{server.host}/v1")
    assert result.kind is found
    (model,) = result.models
    assert (model.name, model.n_ctx, model.source) == (MODEL, n_ctx, source)
    assert (model.sees, model.calls_tools) == abilities
    (entry,) = remote.service.entries
    assert entry.spec is not None
    assert entry.spec.name == f"{MODEL} @ {server.host}"


async def test_a_pooled_connection_that_the_server_closes_is_replaced(
    remote: EnginesHarness,
) -> None:
    with model_server("ollama", chat=OLLAMA_CHAT) as server:
        server.closes_at_second = True
        line = {"message": {"content": "Blue"}, "done": True, "done_reason": "stop"}
        server.replies = [Reply(events=[line])]
        (model,) = (await remote.add(server.address)).models
        assert (model.n_ctx, model.source) == (40960, "/api/show")
        for _ in range(2):
            events = await remote.ask()
            finished(events)
            assert not any(isinstance(event, Retrying) for event in events)
        assert len(server.chats) == 2
        await remote.service.close()


async def test_added_engines_are_listed_at_the_next_start_without_requests(remote: EnginesHarness) -> None:
    with model_server(key=KEY) as server:
        await remote.add(server.address, key=KEY, name="The big one")
        n_asked, entries = len(server.asked), remote.service.entries
        later = remote.another()
        await later.start()
        assert later.entries == entries
        assert len(server.asked) == n_asked
        await later.close()
    assert isinstance(remote.events[-1], RemoteModelsChanged)


async def test_the_key_is_stored_in_the_keyring_only(remote: EnginesHarness) -> None:
    with model_server(key=KEY) as server:
        await remote.add(server.address, key=KEY)
        assert list(remote.keyring.secrets.values()) == [KEY]
        assert KEY not in remote.path.read_text()
        assert [path.name for path in remote.path.parent.iterdir()] == [remote.path.name]
        finished(await remote.ask())
        assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"
        (engine,) = await remote.service.engines()
        await remote.service.remove(engine.id)
    assert remote.keyring.secrets == {}
    assert (remote.service.entries, await remote.service.engines()) == ((), ())


async def test_a_key_repeated_by_the_server_is_not_shown(remote: EnginesHarness) -> None:
    with model_server(key=KEY) as server:
        with refuses("remote_key_refused") as wrong:
            await remote.add(server.address, key="sk-wrong")
        with refuses("remote_key_refused") as missing:
            await remote.add(server.address)
        server.key = ""
        await remote.add(server.address, key="sk-other")
        server.replies = [Reply(status=400, body={"error": {"message": "Bad key sk-other"}})]
        assert "sk-other" not in failed(await remote.ask()).error.sentence
    assert "rejected" in wrong.value.sentence()
    assert "requires" in missing.value.sentence()


async def test_a_changed_key_is_used_from_then_on(remote: EnginesHarness) -> None:
    with model_server() as server:
        await remote.add(server.address, key="sk-old")
        (engine,) = await remote.service.engines()
        finished(await remote.ask())
        await remote.service.store_key(engine.id, KEY)
        finished(await remote.ask())
        assert [asked.headers["authorization"] for asked in server.chats] == [
            "Bearer sk-old",
            f"Bearer {KEY}",
        ]


async def test_an_excluded_model_stays_excluded_after_another_test(
    remote: EnginesHarness,
) -> None:
    with model_server() as server:
        await remote.add(server.address)
        (engine,) = await remote.service.engines()
        await remote.service.set_model_allowed(engine.id, model=MODEL, is_allowed=False)
        await remote.service.test(engine.id)
        assert remote.service.entries == ()
        await remote.service.set_model_allowed(engine.id, model=MODEL, is_allowed=True)
        assert len(remote.service.entries) == 1


async def test_a_request_to_a_removed_engine_fails_with_an_error(remote: EnginesHarness) -> None:
    with model_server() as server:
        await remote.add(server.address)
        known = remote.location
        (engine,) = await remote.service.engines()
        await remote.service.remove(engine.id)
        assert failed(await remote.ask(location=known)).error.code == "remote_not_found"
        assert server.chats == []


async def test_offline_mode_allows_only_this_computer(remote: EnginesHarness) -> None:
    remote.route = Route(is_offline=True)
    with pytest.raises(RemoteError, match="Offline mode"):
        await remote.add("https://gpu.example")
    assert remote.log.all() == ()
    with model_server() as server:
        await remote.add(server.address)


async def test_every_connection_is_logged_with_purpose_and_size(remote: EnginesHarness) -> None:
    with model_server() as server:
        await remote.add(server.address)
        remote.log.clear()
        server.replies = [text("Blue")]
        finished(await remote.ask())
        (noted,) = await remote.service.connections()
        assert (noted.host, noted.why) == (server.host, f"answer of {MODEL}")
        assert noted.n_sent == len(json.dumps(server.chats[0].body, separators=(",", ":")).encode())
        assert noted.n_received > 50
        await remote.service.clear_connections()
        assert await remote.service.connections() == ()
    failed(await remote.ask())
    tried = await remote.service.connections()
    assert tried
    assert all(noted.n_sent == 0 for noted in tried), "nobody was there to take it"


# Where a key never goes


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("answering", [False, True])
async def test_a_redirect_is_not_followed(remote: EnginesHarness, status: int, answering: bool) -> None:
    with model_server(key=KEY) as server, model_server(key=KEY) as other:
        target = {"Location": f"{other.address}/v1/models"}
        if answering:
            await remote.add(server.address, key=KEY)
            server.replies = [Reply(status=status, headers=target)]
            assert other.host in failed(await remote.ask()).error.sentence
        else:
            server.pages["/v1/models"] = Reply(status=status, headers=target)
            with pytest.raises(RemoteAnswerInvalid, match=other.host):
                await remote.add(server.address, key=KEY)
        assert other.asked == []


async def test_no_key_is_sent_to_a_server_with_an_untrusted_certificate(
    remote: EnginesHarness, tmp_path: Path
) -> None:
    with model_server(key=KEY, tls=certificate(tmp_path, "localhost").server) as server:
        with pytest.raises(RemoteUnreachable, match="not trusted"):
            await remote.add(server.address, key=KEY)
        assert server.asked == []


async def test_a_pinned_certificate_is_accepted_and_no_other(remote: EnginesHarness, tmp_path: Path) -> None:
    mine, other = certificate(tmp_path, "one"), certificate(tmp_path, "two")
    with model_server(key=KEY, tls=mine.server) as server:
        with pytest.raises(RemoteUnreachable, match="pinned"):
            await remote.add(server.address, key=KEY, fingerprint=other.fingerprint)
        assert server.asked == []
        written = ":".join(mine.fingerprint[at : at + 2] for at in range(0, 64, 2)).upper()
        await remote.add(server.address, key=KEY, fingerprint=written)
        server.replies = [text("Blue")]
        assert said(await remote.ask()) == "Blue"


async def test_a_changed_certificate_ends_the_answer(remote: EnginesHarness, tmp_path: Path) -> None:
    mine, other = certificate(tmp_path, "one"), certificate(tmp_path, "two")
    with model_server(key=KEY, tls=mine.server) as server:
        await remote.add(server.address, key=KEY, fingerprint=mine.fingerprint)
        (engine,) = remote.file.read()
        remote.file.write((replace(engine, fingerprint=other.fingerprint),))
        server.asked.clear()
        await remote.service.close()
        remote.service = remote.another()
        await remote.service.start()
        events = await remote.ask()
        assert failed(events).error.code == "remote_untrusted"
        assert len(events) == 1  # no countdown to something that cannot help
        assert server.asked == []


async def test_a_certificate_of_the_user_is_trusted_for_its_names_only(
    remote: EnginesHarness, tmp_path: Path
) -> None:
    own: Certificate = certificate(tmp_path, "127.0.0.1")
    with model_server(key=KEY, tls=own.server) as server:
        await remote.add(server.address, key=KEY, ca_file=str(own.file))
        wrong_name = server.address.replace("127.0.0.1", "localhost")
        with pytest.raises(RemoteUnreachable):
            await remote.add(wrong_name, key=KEY, ca_file=str(own.file))


async def test_unencrypted_requests_use_no_proxy(
    remote: EnginesHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(key=KEY) as server, socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.setblocking(False)
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        monkeypatch.setenv("http_proxy", address)
        monkeypatch.setenv("all_proxy", address)
        remote.route = Route(proxy=address)
        await remote.add(server.address, key=KEY)
        with pytest.raises(BlockingIOError):
            proxy.accept()


async def test_a_proxy_receives_no_key(remote: EnginesHarness) -> None:
    heard = b""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard += await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    proxy = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with proxy:
        remote.route = Route(proxy=f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        with pytest.raises(RemoteUnreachable, match="proxy"):
            await remote.add("https://gpu.example:8443", key=KEY)
    assert heard.startswith(b"CONNECT gpu.example:8443")
    assert KEY.encode() not in heard


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("localhost:11434/v1/", "http://localhost:11434"),
        ("https://openrouter.example/api/v1/chat/completions", "https://openrouter.example/api"),
        ("gpu.example.org", "https://gpu.example.org"),
        ("http://[::1]:8000/v1", "http://[::1]:8000"),
    ],
)
def test_an_address_is_stored_without_api_paths(typed: str, kept: str) -> None:
    assert validate_address(typed, allows_plain=False) == kept


@pytest.mark.parametrize("host", ["192.168.1.9", "10.0.0.2", "100.64.3.1", "nas", "gpu.local", "[fd00::1]"])
def test_an_unencrypted_address_in_the_own_network_needs_confirmation(host: str) -> None:
    with refuses("remote_not_encrypted"):
        validate_address(f"http://{host}:8000", allows_plain=False)
    assert validate_address(f"http://{host}:8000", allows_plain=True) == f"http://{host}:8000"


@pytest.mark.parametrize(
    "address",
    [
        "http://gpu.example.org",
        "http://8.8.8.8",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "ftp://127.0.0.1",
        "https://me:pass@gpu.example.org",
        "https://gpu.example.org/?key=1",
        "https://",
        "https://a b",
        "http://127.0.0.1:99999",
    ],
)
def test_other_addresses_are_rejected_even_if_confirmed(address: str) -> None:
    with refuses("remote_address_invalid"):
        validate_address(address, allows_plain=True)


async def test_a_web_page_is_not_detected_as_an_engine(remote: EnginesHarness) -> None:
    with model_server() as server:
        pages: tuple[object, ...] = ("<html>", {"data": "none"}, {"data": [{"no": "id"}]}, [])
        for page in pages:
            server.pages["/v1/models"] = page
            with pytest.raises(RemoteAnswerInvalid):
                await remote.add(server.address)
    assert await remote.service.engines() == ()


async def test_a_damaged_file_lists_no_engines(remote: EnginesHarness) -> None:
    remote.path.write_text('[{"id":1')
    await remote.service.start()
    assert remote.service.entries == ()


# Pools of earlier versions


@pytest.fixture
async def pooled(remote: EnginesHarness) -> AsyncIterator[EnginesHarness]:
    """Two engines as a version with pools stored them: only the pool was in the list of models."""
    with model_server() as first, model_server() as second:
        for server in (first, second):
            await remote.add(server.address)
        stored = json.loads(remote.path.read_text(encoding="utf-8"))
        for engine in stored:
            engine["models"][0] |= {"is_pooled": True, "is_allowed": False}
        remote.path.write_text(json.dumps(stored), encoding="utf-8")
        yield remote


async def test_a_pool_of_an_earlier_version_becomes_its_engines_and_that_is_said_once(
    pooled: EnginesHarness,
) -> None:
    for _ in range(2):
        service = pooled.another()
        await service.start()
        assert [entry.file_name for entry in service.entries] == [MODEL, MODEL]
        await service.close()
    assert [(problem.code, MODEL in problem.sentence()) for problem in pooled.problems] == [
        ("pools_ended", True)
    ]
    assert "remote:pool/" not in "".join(entry.spec.id for entry in service.entries if entry.spec is not None)


async def test_another_program_leaves_a_pool_to_the_owner_of_the_file(pooled: EnginesHarness) -> None:
    before = pooled.path.read_bytes()
    service = pooled.another(is_owner=False)
    await service.start()
    assert len(service.entries) == 2
    await service.close()
    assert pooled.problems == []
    assert pooled.path.read_bytes() == before
