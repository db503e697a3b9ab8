"""Answers are cached for ten minutes, within bounds."""

from __future__ import annotations

import msgspec
import pytest

from fakes.fake_clock import ManualClock
from fakes.fake_hub import TOKEN, FakeHub, Fault, Where
from fireside.core.discovery import ModelQuery
from fireside.core.errors import HubFailed, HubOffline
from fireside.hub.discovery import TTL_S, Discovery, TtlCache
from fireside.hub.hub_session import HubSession

GUARDED = "meta/Guarded-70B-GGUF"


class Note(msgspec.Struct, frozen=True):
    text: str


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def discovery(session: HubSession, clock: ManualClock) -> Discovery:
    return Discovery(session, clock=clock)


def test_an_answer_is_cached_until_it_expires(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock)
    recent.store("a", Note("x"))
    clock.now += TTL_S - 1
    assert recent.get("a") == Note("x")
    clock.now += 1
    assert recent.get("a") is None


def test_use_does_not_renew_an_answer(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock)
    recent.store("a", Note("x"))
    clock.now += TTL_S - 1
    recent.get("a")
    clock.now += 2
    assert recent.get("a") is None


def test_the_oldest_of_too_many_answers_are_evicted(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock, max_entries=3)
    for name in "abcd":
        recent.store(name, Note(name))
    assert [recent.get(name) is not None for name in "abcd"] == [False, True, True, True]


def test_the_oldest_of_large_answers_are_evicted(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock, max_bytes=1000)
    for name in "abc":
        recent.store(name, Note(name * 400))
    assert [recent.get(name) is not None for name in "abc"] == [False, True, True]


def test_an_answer_that_is_too_large_evicts_no_other(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock, max_bytes=1000)
    recent.store("a", Note("x"))
    recent.store("b", Note("y" * 2000))
    assert recent.get("a") == Note("x")
    assert recent.get("b") is None


def test_a_replaced_answer_counts_once(clock: ManualClock) -> None:
    recent: TtlCache[Note] = TtlCache(clock=clock, max_bytes=1000)
    for number in range(50):
        recent.store("a", Note(f"{number:0400}"))
    recent.store("b", Note("y" * 400))
    assert recent.get("a") == Note(f"{49:0400}")


def test_going_back_sends_no_request(shelf: FakeHub, discovery: Discovery) -> None:
    queries = [ModelQuery(text=text) for text in ("c", "ch", "c")]
    first, _, again = [discovery.search(query) for query in queries]
    assert first == again
    discovery.model("acme/Chatty-8B-GGUF")
    n_asked = len(shelf.seen)
    discovery.model("acme/Chatty-8B-GGUF")
    assert len(shelf.seen) == n_asked


def test_another_page_or_order_is_another_key(shelf: FakeHub, discovery: Discovery) -> None:
    page = f"{shelf.endpoint}/api/models?filter=gguf&cursor=1"
    assert discovery.search(ModelQuery()) != discovery.search(ModelQuery(), page=page)
    assert len(shelf.seen) == 2


def test_an_expired_answer_is_requested_again(
    shelf: FakeHub, discovery: Discovery, clock: ManualClock
) -> None:
    discovery.search(ModelQuery())
    clock.now += TTL_S
    discovery.search(ModelQuery())
    assert len(shelf.seen) == 2


def test_answers_are_cached_by_token(shelf: FakeHub, clock: ManualClock) -> None:
    tokens: list[str | None] = [TOKEN]
    session = HubSession(endpoint=shelf.endpoint, token=lambda _: tokens[0])
    discovery = Discovery(session, clock=clock)
    assert discovery.search(ModelQuery(text="secret")).models
    tokens[0] = None
    assert not discovery.search(ModelQuery(text="secret")).models
    session.close()


def test_a_page_without_access_is_not_cached(shelf: FakeHub, discovery: Discovery) -> None:
    assert not discovery.model(GUARDED).has_access
    shelf.repos[GUARDED].is_gated = False
    assert discovery.model(GUARDED).has_access


def test_an_error_is_not_cached(shelf: FakeHub, discovery: Discovery) -> None:
    shelf.plan(Fault.STATUS, where=Where.API, status=500)
    with pytest.raises(HubFailed):
        discovery.search(ModelQuery())
    assert discovery.search(ModelQuery()).models


def test_offline_only_cached_answers_are_returned(shelf: FakeHub, clock: ManualClock) -> None:
    is_offline = [False]
    session = HubSession(endpoint=shelf.endpoint, is_offline=lambda: is_offline[0])
    discovery = Discovery(session, clock=clock)
    found = discovery.search(ModelQuery(text="c"))
    is_offline[0] = True
    assert discovery.search(ModelQuery(text="c")) == found
    with pytest.raises(HubOffline):
        discovery.search(ModelQuery(text="d"))
    session.close()


def test_a_cleared_cache_sends_requests_again(shelf: FakeHub, discovery: Discovery) -> None:
    discovery.search(ModelQuery())
    discovery.clear_cache()
    discovery.search(ModelQuery())
    assert len(shelf.seen) == 2


def test_the_credential_key_reveals_nothing_of_the_token(with_token: HubSession, session: HubSession) -> None:
    assert session.credential_key == ""
    assert with_token.credential_key
    assert TOKEN not in with_token.credential_key
