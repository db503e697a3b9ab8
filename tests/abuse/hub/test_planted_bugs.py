"""The checks of these suites object to a program that does without what they are there for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from httpx2 import Response

from fakes.fake_hub import TOKEN, FakeHub, Fault, fake_hub, gguf_bytes
from fakes.hub_checks import check_arrived, check_asked_anew, check_token_stayed
from fakes.hub_place import BLOCK, HubPlace
from fireside.hub.connection_log import OpenConnection
from fireside.hub.hub_session import FileMetadata, HubSession
from fireside.hub.partial_file import PartialFile


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def place(hub: FakeHub, tmp_path: Path) -> Iterator[HubPlace]:
    place = HubPlace(hub, tmp_path / "models", content=gguf_bytes(6 * BLOCK + 5))
    place.use(HubSession(endpoint=hub.endpoint, token=lambda _: TOKEN))
    yield place
    place.session.close()


def test_without_a_bug_nothing_is_objected_to(place: HubPlace, hub: FakeHub) -> None:
    hub.plan(Fault.DROP, after=2 * BLOCK + 9)
    place.fetch()
    check_arrived(place)
    check_asked_anew(hub)
    check_token_stayed(hub)


def test_content_that_is_not_hashed_is_objected_to(
    place: HubPlace, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PartialFile, "is_sound", lambda _self, _control: True)
    hub.plan(Fault.WRONG_BYTES)
    place.fetch()
    with pytest.raises(AssertionError):
        check_arrived(place)


def test_going_on_without_asking_is_objected_to(
    place: HubPlace, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[FileMetadata] = []
    ask = HubSession.file_metadata

    def remembered(self: HubSession, repo: str, commit: str, path: str) -> FileMetadata:
        if not known:
            known.append(ask(self, repo, commit, path))
        return known[0]

    monkeypatch.setattr(HubSession, "file_metadata", remembered)
    hub.plan(Fault.DROP, after=2 * BLOCK + 9)
    place.fetch()
    with pytest.raises(AssertionError, match="it was not asked"):
        check_asked_anew(hub)


def test_a_token_that_follows_to_another_host_is_objected_to(
    place: HubPlace, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = HubSession._send_once

    def careless(
        self: HubSession, method: str, address: str, *, why: str, headers: Mapping[str, str]
    ) -> tuple[Response, OpenConnection]:
        return send(self, method, address, why=why, headers={**headers, "Authorization": f"Bearer {TOKEN}"})

    monkeypatch.setattr(HubSession, "_send_once", careless)
    place.fetch()
    with pytest.raises(AssertionError):
        check_token_stayed(hub)


def test_a_part_that_is_left_is_objected_to(place: HubPlace) -> None:
    place.fetch()
    place.target.with_name(place.target.name + ".part").write_bytes(b"")
    with pytest.raises(AssertionError):
        check_arrived(place)
