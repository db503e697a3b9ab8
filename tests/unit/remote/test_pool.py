"""A pool: one model on several engines that the user joined, and no other hosts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest

from fakes.engines_harness import QUESTION, EnginesHarness, failed, finished, said
from fakes.fake_clock import ManualClock
from fakes.model_server import MODEL, ModelServer, Reply, chunk, listed, model_server, text
from fireside.core.events import RemoteModelsChanged
from fireside.core.generation import GenerationEvent, Retrying, Routed
from fireside.core.prompt_input import ChatInput
from fireside.core.remote import POOL_ID, RemoteLocation, RemoteModel, ServerKind, is_remote
from fireside.core.task import GenerationTask
from fireside.remote.routing import Routing, rendezvous_order, session_id

Servers = tuple[ModelServer, ...]


@pytest.fixture
def n_servers() -> int:
    """How many engines were added; the first two are a pool."""
    return 2


@pytest.fixture
def servers(n_servers: int) -> Iterator[Servers]:
    with ExitStack() as stack:
        yield tuple(stack.enter_context(model_server()) for _ in range(n_servers))


@pytest.fixture
async def remote(remote: EnginesHarness, servers: Servers) -> EnginesHarness:
    for server in servers:
        await remote.add(server.address)
    engines = await remote.service.engines()
    await remote.service.set_pool(MODEL, [engine.id for engine in engines[:2]])
    for server in servers:
        server.asked.clear()
    return remote


def task(owner: str) -> GenerationTask:
    return GenerationTask(prompt=ChatInput(messages=(QUESTION,)), owner=owner)


def home_first(remote: EnginesHarness, servers: Servers, owner: str = "chat 1") -> Servers:
    """Return the servers of the pool in the order in which a chat wants them."""
    by_host = {server.host: server for server in servers}
    return tuple(by_host[each.host] for each in rendezvous_order(remote.location, task(owner)))


def route(events: list[GenerationEvent]) -> Routed:
    (routed,) = [event for event in events if isinstance(event, Routed)]
    return routed


def hosts(remote: EnginesHarness) -> list[str]:
    return list(remote.location.hosts)


def down(remote: EnginesHarness) -> list[str]:
    return list(remote.location.unreachable_hosts)


def gone(server: ModelServer) -> None:
    """Take nothing at this address any more."""
    server.server.shutdown()
    server.server.server_close()


@pytest.mark.parametrize("n_servers", [3])
async def test_a_pool_is_one_model_with_all_hosts(remote: EnginesHarness, servers: Servers) -> None:
    pool, *singles = remote.service.entries
    assert len(singles) == 3
    assert pool.spec is not None
    assert pool.spec.remote is not None
    assert is_remote(pool.spec.id)
    joined = tuple(server.host for server in servers[:2])
    assert pool.spec.remote.hosts == joined
    assert pool.spec.name == f"{MODEL} @ {joined[0]}, {joined[1]}"
    later = remote.another()
    await later.start()
    assert later.entries == remote.service.entries
    await later.close()


@pytest.mark.parametrize("n_servers", [3])
async def test_a_pool_keeps_its_members_after_a_test(remote: EnginesHarness, servers: Servers) -> None:
    first, second, third = await remote.service.engines()
    for engine in (first, second, third):
        await remote.service.test(engine.id)
    assert hosts(remote) == [servers[0].host, servers[1].host]
    await remote.service.set_model_allowed(first.id, model=MODEL, is_allowed=False)
    assert hosts(remote) == [servers[0].host, servers[1].host]
    await remote.service.remove(first.id)
    assert hosts(remote) == [servers[1].host]
    await remote.service.set_pool(MODEL, [second.id])
    assert remote.location.engine_id == second.id  # one alone is no pool


async def test_a_pool_has_the_capabilities_common_to_its_engines(
    remote: EnginesHarness, servers: Servers
) -> None:
    servers[1].pages["/v1/models"] = listed(owned_by="vllm", max_model_len=8192)
    first, second = await remote.service.engines()
    await remote.service.test(second.id)
    await remote.service.test(first.id)
    assert remote.location.model.n_ctx == 8192


async def test_a_chat_keeps_its_engine_and_chats_are_distributed(
    remote: EnginesHarness, servers: Servers
) -> None:
    for _ in range(2):
        for n in range(16):
            finished(await remote.ask(task=task(f"chat {n}")))
    sessions = [[asked.headers["x-session-id"] for asked in server.chats] for server in servers]
    for met in sessions:
        assert met
        assert met[: len(met) // 2] == met[len(met) // 2 :]
    assert len(set(sessions[0]) | set(sessions[1])) == 16
    assert sessions[0][0] == servers[0].chats[0].body["prompt_cache_key"]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_busy_engine_is_skipped_and_reported(
    remote: EnginesHarness, servers: Servers, status: int
) -> None:
    home, other = home_first(remote, servers)
    home.replies = [Reply(status=status, headers={"Retry-After": "9"}), text("Home")]
    other.replies = [text("Other")]
    events = await remote.ask()
    assert said(events) == "Other"
    assert route(events) == Routed(host=other.host, passed_over=(home.host,))
    assert not [event for event in events if isinstance(event, Retrying)]
    # It asked to be left alone, so the next turn goes to the other one, and says so again.
    again = await remote.ask()
    assert route(again).passed_over == (home.host,)
    assert (len(home.chats), len(other.chats)) == (1, 2)


async def test_an_unreachable_engine_is_skipped_and_listed_as_down(
    remote: EnginesHarness, servers: Servers
) -> None:
    home, other = home_first(remote, servers)
    gone(home)
    events = await remote.ask()
    assert route(events) == Routed(host=other.host, passed_over=(home.host,))
    assert down(remote) == [home.host]
    assert remote.events[-1] == RemoteModelsChanged(entries=remote.service.entries)
    n_tried = len(remote.log.all())
    await remote.ask()
    assert len(remote.log.all()) == n_tried + 1  # the one that is gone rests


async def test_an_engine_that_answers_again_is_no_longer_down(
    remote: EnginesHarness, servers: Servers
) -> None:
    home, _ = home_first(remote, servers)
    (engine,) = [each for each in await remote.service.engines() if home.host in each.address]
    remote.service._note_reached(engine.id, is_reached=False)
    assert down(remote) == [home.host]
    finished(await remote.ask())
    assert down(remote) == []


@pytest.mark.parametrize("n_servers", [3])
async def test_only_joined_hosts_get_requests(remote: EnginesHarness, servers: Servers) -> None:
    first, second, outsider = servers
    gone(first)
    second.replies = [Reply(status=503, headers={"Retry-After": "0.01"})]
    error = failed(await remote.ask()).error
    assert error.code == "remote_pool_failed"
    assert first.host in error.sentence
    assert second.host in error.sentence
    assert outsider.asked == []
    assert len(second.chats) == 3  # it was asked again, with a countdown


@pytest.mark.parametrize("status", [400, 401, 404, 500])
async def test_an_invalid_request_is_not_retried_elsewhere(
    remote: EnginesHarness, servers: Servers, status: int
) -> None:
    home, other = home_first(remote, servers)
    home.replies = [Reply(status=status, body={"error": {"message": "no"}})]
    failed(await remote.ask())
    assert other.chats == []


async def test_a_started_answer_is_not_retried_elsewhere_but_the_next_turn_is(
    remote: EnginesHarness, servers: Servers
) -> None:
    home, other = home_first(remote, servers)
    home.replies = [Reply(events=[chunk({"content": "Beca"})], breaks=True)]
    events = await remote.ask()
    assert said(events) == "Beca"
    assert failed(events).error.code == "remote_interrupted"
    assert other.chats == []
    assert route(await remote.ask()).host == other.host


async def test_an_engine_removed_meanwhile_is_skipped(remote: EnginesHarness, servers: Servers) -> None:
    home, other = home_first(remote, servers)
    known = remote.location
    (engine,) = [each for each in await remote.service.engines() if home.host in each.address]
    await remote.service.remove(engine.id)
    assert route(await remote.ask(location=known)).host == other.host
    assert home.asked == []


# Who is asked first


def member(engine_id: str) -> RemoteLocation:
    return RemoteLocation(
        engine_id=engine_id,
        engine_name=engine_id,
        host=f"{engine_id}:8000",
        model=RemoteModel(name=MODEL),
        kind=ServerKind.VLLM,
    )


def pool(n: int) -> RemoteLocation:
    return msgspec.structs.replace(
        member(POOL_ID), members=tuple(member(f"engine {number}") for number in range(n))
    )


def test_when_an_engine_is_removed_only_its_chats_move() -> None:
    whole, chats = pool(4), [task(f"chat {n}") for n in range(200)]
    left = msgspec.structs.replace(whole, members=whole.members[1:])
    homes = [rendezvous_order(whole, chat)[0] for chat in chats]
    assert min(homes.count(each) for each in whole.members) > 200 / 4 / 2
    for chat, home in zip(chats, homes, strict=True):
        if home is not whole.members[0]:
            assert rendezvous_order(left, chat)[0] == home


def test_a_request_without_a_chat_is_identified_by_the_start_of_its_prompt() -> None:
    remote = member("one")
    one = GenerationTask(prompt=ChatInput(messages=(QUESTION,)))
    answered = GenerationTask(prompt=ChatInput(messages=(QUESTION, QUESTION)))
    other = msgspec.structs.replace(QUESTION, parts=())
    assert session_id(one, remote) == session_id(answered, remote)
    assert session_id(one, remote) != session_id(GenerationTask(prompt=ChatInput(messages=(other,))), remote)


def test_an_engine_in_back_off_is_tried_last() -> None:
    clock, whole, chat = ManualClock(), pool(3), task("chat 1")
    routing = Routing(on_reached=lambda *_: None, clock=clock)
    home, second, third = rendezvous_order(whole, chat)
    routing.mark_unreachable(home)
    assert routing.candidates(whole, chat) == (second, third, home)
    clock.now += 31
    assert routing.candidates(whole, chat) == (home, second, third)
    routing.back_off(home, seconds=5)
    routing.mark_reachable(home)
    assert routing.candidates(whole, chat) == (home, second, third)
