"""Which downloaded files are newer on the hub."""

from __future__ import annotations

import msgspec
import pytest

from fakes.fake_hub import FakeHub, Fault, Where, gguf_bytes
from fireside.core.errors import HubFailed, HubRateLimited, HubUnreachable
from fireside.core.hub import FileOrigin
from fireside.core.library import ModelOrigin, ModelUpdate
from fireside.hub.hub_session import HubSession
from fireside.services.hub.hub_service import find_updates

CHATTY = "acme/Chatty-8B-GGUF"
FILE = "Chatty-8B-Q4_K_M.gguf"
FIND = "tidy/find-embed-GGUF"
NEWER = "d" * 40


def origin(hub: FakeHub, repo: str = CHATTY, path: str = FILE) -> ModelOrigin:
    """Return the origin of the file that the hub has now."""
    held = hub.repos[repo]
    return ModelOrigin(
        repo=repo, commit=held.commit, path=path, digest=held.digest(path), downloaded_at="2026-01-01"
    )


def change(hub: FakeHub, repo: str = CHATTY, path: str = FILE) -> None:
    hub.repos[repo].files[path] = gguf_bytes(4321, seed=99)
    hub.repos[repo].commit = NEWER


def test_a_file_with_another_content_is_an_update(shelf: FakeHub, session: HubSession) -> None:
    origins = {"/models/chatty.gguf": origin(shelf)}
    change(shelf)
    assert find_updates(session, origins) == (
        ModelUpdate(
            path="/models/chatty.gguf",
            repo=CHATTY,
            file=FILE,
            commit=NEWER,
            size_bytes=4321,
            replaces=origins["/models/chatty.gguf"].digest,
        ),
    )


def test_a_repository_at_the_same_commit_needs_no_file_list(shelf: FakeHub, session: HubSession) -> None:
    assert find_updates(session, {"a": origin(shelf)}) == ()
    assert len(shelf.seen) == 1


def test_a_change_of_another_file_is_no_update(shelf: FakeHub, session: HubSession) -> None:
    origins = {"a": origin(shelf)}
    change(shelf, path="README.md")
    assert find_updates(session, origins) == ()


def test_a_removed_file_is_no_update(shelf: FakeHub, session: HubSession) -> None:
    origins = {"a": origin(shelf)}
    change(shelf)
    del shelf.repos[CHATTY].files[FILE]
    assert find_updates(session, origins) == ()


def test_digests_of_different_algorithms_are_not_compared(shelf: FakeHub, session: HubSession) -> None:
    origins = {"a": msgspec.structs.replace(origin(shelf), digest="e" * 40)}
    shelf.repos[CHATTY].commit = NEWER
    assert find_updates(session, origins) == ()


def test_a_repository_is_queried_once(shelf: FakeHub, session: HubSession) -> None:
    second = "Chatty-8B-Q8_0-00001-of-00002.gguf"
    origins = {"a": origin(shelf), "b": origin(shelf, path=second)}
    change(shelf)
    assert [update.path for update in find_updates(session, origins)] == ["a"]
    assert len(shelf.seen) == 2


def test_the_origin_file_can_be_used_too(shelf: FakeHub, session: HubSession) -> None:
    was = origin(shelf)
    origin_file = FileOrigin(
        repo=was.repo,
        commit=was.commit,
        path=was.path,
        size_bytes=4000,
        digest=was.digest,
        block_bytes=1,
        blocks=(),
        downloaded_at="",
    )
    change(shelf)
    assert len(find_updates(session, {"a": origin_file})) == 1


@pytest.mark.parametrize(
    "fault",
    [
        {"fault": Fault.STATUS, "status": 404},
        {"fault": Fault.STATUS, "status": 403, "headers": {"X-Error-Code": "GatedRepo"}},
        {"fault": Fault.NONSENSE},
        {"fault": Fault.LOGIN_PAGE},
    ],
)
def test_an_error_of_one_repository_does_not_hide_another(
    shelf: FakeHub, session: HubSession, fault: dict[str, object]
) -> None:
    origins = {"a": origin(shelf, FIND, "find-Q8_0.gguf"), "b": origin(shelf)}
    change(shelf)
    change(shelf, FIND, "find-Q8_0.gguf")
    shelf.plan(**fault, where=Where.API)  # type: ignore[arg-type]
    assert [update.path for update in find_updates(session, origins)] == ["b"]


def test_a_rate_limit_returns_what_was_found_before(shelf: FakeHub, session: HubSession) -> None:
    origins = {
        "a": origin(shelf),
        "b": origin(shelf, FIND, "find-Q8_0.gguf"),
        "c": origin(shelf, "acme/Chatty-8B", "README.md"),
    }
    change(shelf)
    shelf.plan(Fault.STATUS, where=Where.API, status=429, n_before=2)
    assert [update.path for update in find_updates(session, origins)] == ["a"]
    assert len(shelf.seen) == 3


@pytest.mark.parametrize(("status", "said"), [(429, HubRateLimited), (503, HubFailed)])
def test_an_unanswered_query_is_reported(
    shelf: FakeHub, session: HubSession, status: int, said: type[Exception]
) -> None:
    origins = {"a": origin(shelf), "b": origin(shelf, FIND, "find-Q8_0.gguf")}
    shelf.plan(Fault.STATUS, where=Where.API, status=status)
    with pytest.raises(said):
        find_updates(session, origins)
    assert len(shelf.seen) == 1


def test_an_unreachable_hub_is_queried_once(shelf: FakeHub) -> None:
    session = HubSession(endpoint="http://127.0.0.1:9")
    with pytest.raises(HubUnreachable):
        find_updates(session, {"a": origin(shelf), "b": origin(shelf, FIND, "find-Q8_0.gguf")})
    session.close()


def test_without_downloads_no_request_is_sent(shelf: FakeHub, session: HubSession) -> None:
    assert find_updates(session, {}) == ()
    assert shelf.seen == []


def test_an_origin_without_a_valid_repository_is_skipped(shelf: FakeHub, session: HubSession) -> None:
    strange = msgspec.structs.replace(origin(shelf), repo="../../api/whoami-v2?x=")
    assert find_updates(session, {"a": strange}) == ()
    assert shelf.seen == []
