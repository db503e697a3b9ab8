"""The checks of these suites object to a program that does without what they are there for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from httpx2 import Response

from fakes.fake_hub import TOKEN, FakeHub, Fault, fake_hub, gguf_bytes
from fakes.hub_checks import check_arrived, check_asked_anew, check_token_stayed
from fakes.hub_harness import BLOCK, HubHarness
from fireside.hub.connection_log import OpenConnection
from fireside.hub.hub_session import FileMetadata, HubSession
from fireside.hub.partial_file import PartialFile


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def harness(hub: FakeHub, tmp_path: Path) -> Iterator[HubHarness]:
    harness = HubHarness(hub, tmp_path / "models", content=gguf_bytes(6 * BLOCK + 5))
    harness.use(HubSession(endpoint=hub.endpoint, token=lambda _: TOKEN))
    yield harness
    harness.session.close()


def test_without_a_bug_nothing_is_objected_to(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.DROP, after=2 * BLOCK + 9)
    harness.fetch()
    check_arrived(harness)
    check_asked_anew(hub)
    check_token_stayed(hub)


def test_content_that_is_not_hashed_is_objected_to(
    harness: HubHarness, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PartialFile, "is_sound", lambda _self, _control: True)
    hub.plan(Fault.WRONG_BYTES)
    harness.fetch()
    with pytest.raises(AssertionError):
        check_arrived(harness)


def test_going_on_without_asking_is_objected_to(
    harness: HubHarness, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[FileMetadata] = []
    ask = HubSession.file_metadata

    def remembered(self: HubSession, repo: str, commit: str, path: str) -> FileMetadata:
        if not known:
            known.append(ask(self, repo, commit, path))
        return known[0]

    monkeypatch.setattr(HubSession, "file_metadata", remembered)
    hub.plan(Fault.DROP, after=2 * BLOCK + 9)
    harness.fetch()
    with pytest.raises(AssertionError, match="it was not asked"):
        check_asked_anew(hub)


def test_a_token_that_follows_to_another_host_is_objected_to(
    harness: HubHarness, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = HubSession._send_once

    def careless(
        self: HubSession, method: str, address: str, *, why: str, headers: Mapping[str, str]
    ) -> tuple[Response, OpenConnection]:
        return send(self, method, address, why=why, headers={**headers, "Authorization": f"Bearer {TOKEN}"})

    monkeypatch.setattr(HubSession, "_send_once", careless)
    harness.fetch()
    with pytest.raises(AssertionError):
        check_token_stayed(hub)


def test_a_part_that_is_left_is_objected_to(harness: HubHarness) -> None:
    harness.fetch()
    harness.target.with_name(harness.target.name + ".part").write_bytes(b"")
    with pytest.raises(AssertionError):
        check_arrived(harness)
