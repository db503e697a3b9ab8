"""The session: where the token goes, which answers are refused, and that the official client agrees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fakes.fake_hub import TOKEN, FakeHub, Fault, Repo, Where, gguf_bytes
from fakes.hub_harness import FILE, REPO, HubHarness
from fireside.core.errors import (
    HubAnswerInvalid,
    HubFailed,
    HubForbidden,
    HubGated,
    HubNotFound,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
)
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession
from fireside.hub.response_errors import HubRequest, check_plain, error_of

ASKED = HubRequest(
    host="hub", is_hub=True, has_token=False, what="acme/tiny", repo="acme/tiny", page="hub/acme/tiny"
)


def test_the_token_is_not_sent_to_storage_servers(
    harness: HubHarness, hub: FakeHub, with_token: HubSession
) -> None:
    harness.use(with_token)
    harness.fetch()
    authorised = {seen.server: seen.authorization for seen in hub.seen}
    assert authorised == {"hub": f"Bearer {TOKEN}", "content": None}


def test_a_token_of_the_environment_is_not_sent_unasked(
    harness: HubHarness, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    harness.fetch()
    assert {seen.authorization for seen in hub.seen} == {None}


def test_requests_ask_for_no_compression_and_keep_no_cookies(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    assert {(seen.encoding, seen.cookie) for seen in hub.seen} == {("identity", None)}


def test_a_next_page_on_another_host_is_not_followed(harness: HubHarness, hub: FakeHub) -> None:
    with pytest.raises(HubAnswerInvalid):
        harness.session.get(f"{hub.content_endpoint}/api/models", what="models")


def test_all_pages_of_a_list_are_read(harness: HubHarness, hub: FakeHub) -> None:
    harness.repo.files |= {f"file-{number}.txt": b"x" for number in range(9)}
    hub.page_size = 3
    assert len(harness.session.tree(REPO, harness.repo.commit)) == 10


def test_a_next_page_on_the_public_hub_is_read_from_the_mirror(harness: HubHarness, hub: FakeHub) -> None:
    link = {"Link": '<https://huggingface.co/api/models?cursor=1>; rel="next"'}
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=b"[]", headers=link)
    page = harness.session.get("/api/models", what="models")
    assert page.next_address == f"{hub.endpoint}/api/models?cursor=1"


@pytest.mark.parametrize(
    "link",
    [
        "<https://huggingface.co.elsewhere.example/x>; rel=next",
        "<//elsewhere.example/>; rel=next",
        "<x:y>; rel=next",
    ],
)
def test_a_next_page_elsewhere_is_refused(harness: HubHarness, hub: FakeHub, link: str) -> None:
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=b"[]", headers={"Link": link})
    with pytest.raises(HubAnswerInvalid, match="redirects elsewhere"):
        harness.session.get("/api/models", what="models")


@pytest.mark.parametrize("size", [b"-1", b"1e300", b'"5"', b"99999999999999999999", b"null"])
def test_a_file_with_an_invalid_size_affects_no_other(harness: HubHarness, hub: FakeHub, size: bytes) -> None:
    lines = b'{"type": "file", "path": "x.gguf", "oid": "b", "size": %s}, {"type": "file", "path": "y"}'
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=b"[%s]" % (lines % size))
    assert [file.path for file in harness.session.tree(REPO, harness.repo.commit)] == ["y"]


@pytest.mark.parametrize("path", [b"17", b"null", b'["x.gguf"]'])
def test_a_file_with_an_invalid_name_affects_no_other(harness: HubHarness, hub: FakeHub, path: bytes) -> None:
    lines = b'[{"type": "file", "path": %s}, {"type": "file", "path": "y"}]' % path
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=lines)
    assert [file.path for file in harness.session.tree(REPO, harness.repo.commit)] == ["y"]


def test_an_endless_list_of_files_is_refused(harness: HubHarness, hub: FakeHub) -> None:
    body = b"[%s]" % b",".join([b'{"type":"file","path":"x"}'] * 50_001)
    link = {"Link": f'<{hub.endpoint}/api/models/{REPO}/tree/main?cursor=0>; rel="next"'}
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=body, headers=link, times=3)
    with pytest.raises(HubAnswerInvalid, match="too long"):
        harness.session.tree(REPO, harness.repo.commit)
    assert len(hub.seen) == 2


def test_an_invalid_list_is_reported(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.NONSENSE, where=Where.API)
    with pytest.raises(HubAnswerInvalid, match="it is invalid"):
        harness.session.resolve(REPO, "main")


def test_a_sign_in_page_is_no_list(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.LOGIN_PAGE, where=Where.API)
    with pytest.raises(HubAnswerInvalid, match="sign-in"):
        harness.session.resolve(REPO, "main")


@pytest.mark.parametrize(("limit", "n_read"), [(10, 10), (10**9, 655_360 + 777)])
def test_only_the_requested_bytes_are_read(harness: HubHarness, limit: int, n_read: int) -> None:
    begun = harness.session.read_start(REPO, "main", FILE, max_bytes=limit)
    assert len(begun) == n_read
    assert begun == harness.repo.files[FILE][:limit]


def test_a_redirect_loop_ends(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.ENDLESS_REDIRECT, where=Where.API)
    with pytest.raises(HubAnswerInvalid, match="too many redirects"):
        harness.session.resolve(REPO, "main")


def test_a_redirection_away_from_encryption_is_refused() -> None:
    session = HubSession(endpoint="https://hub.example")
    with pytest.raises(HubAnswerInvalid, match="unencrypted"):
        session._check_redirection("https://hub.example/a", "http://hub.example/a")


@pytest.mark.parametrize("target", ["ftp://x/y", "file:///etc/passwd", "javascript:1"])
def test_a_redirection_to_something_else_than_a_server_is_refused(target: str) -> None:
    session = HubSession(endpoint="http://hub.example")
    with pytest.raises(HubAnswerInvalid):
        session._check_redirection("http://hub.example/a", target)


def test_an_unreachable_hub_is_reported() -> None:
    session = HubSession(endpoint="http://127.0.0.1:9")
    with pytest.raises(HubUnreachable, match="connection refused"):
        session.resolve(REPO, "main")
    session.close()


def test_a_gated_model_names_the_page_where_its_terms_are(hub: FakeHub) -> None:
    hub.repos[REPO] = Repo(files={FILE: gguf_bytes(100)}, is_gated=True)
    session = HubSession(endpoint=hub.endpoint)
    with pytest.raises(HubGated, match=f"{hub.endpoint}/{REPO}"):
        session.file_metadata(REPO, "main", FILE)
    session.close()


def test_a_gated_model_is_readable_with_a_token(hub: FakeHub, with_token: HubSession) -> None:
    hub.repos[REPO] = Repo(files={FILE: gguf_bytes(100)}, is_gated=True)
    assert with_token.file_metadata(REPO, "main", FILE).commit == hub.repos[REPO].commit


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (401, {"X-Error-Code": "GatedRepo"}, HubGated),
        (403, {"X-Error-Code": "GatedRepo"}, HubGated),
        (403, {}, HubForbidden),
        (401, {}, HubNotFound),
        (404, {}, HubNotFound),
        (429, {}, HubRateLimited),
        (407, {}, HubUnreachable),
        (500, {}, HubFailed),
        (503, {}, HubFailed),
        (418, {}, HubAnswerInvalid),
    ],
)
def test_a_status_means_one_error(status: int, headers: dict[str, str], error: type[Exception]) -> None:
    assert isinstance(error_of(status, headers, ASKED), error)


def test_a_refused_token_differs_from_a_missing_model() -> None:
    asked = HubRequest(host="hub", is_hub=True, has_token=True, what="x")
    assert isinstance(error_of(401, {}, asked), HubTokenRefused)
    assert isinstance(error_of(401, {"X-Error-Code": "RepoNotFound"}, asked), HubNotFound)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"RateLimit": '"api";r=0;t=55'}, 55.0),
        ({"Retry-After": "7"}, 7.0),
        ({"RateLimit": '"api";r=0;t=999999'}, 3600.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({}, None),
    ],
)
def test_the_retry_delay_of_the_hub_is_bounded(headers: dict[str, str], wait_s: float | None) -> None:
    error = error_of(429, headers, ASKED)
    assert isinstance(error, HubRateLimited)
    assert error.wait_s == wait_s


def test_a_web_page_is_no_file() -> None:
    with pytest.raises(HubAnswerInvalid, match="web page"):
        check_plain({"Content-Type": "text/html; charset=utf-8"}, host="hub")


def test_a_password_in_the_address_is_in_no_error(hub: FakeHub) -> None:
    host = hub.endpoint.removeprefix("http://")
    address = f"http://ada:sesame@{host}"
    session = HubSession(endpoint=address)
    try:
        hub.plan(Fault.NONSENSE, where=Where.API)
        with pytest.raises(HubAnswerInvalid) as nonsense:
            session.resolve(REPO, "main")
        assert session.page_of(REPO) == f"http://{host}/{REPO}"
        assert session.host == host
        for text in (str(nonsense.value), repr(nonsense.value.info())):
            assert host in text
            assert "ada" not in text
            assert "sesame" not in text
    finally:
        session.close()


@pytest.mark.parametrize("where", [Where.API, Where.HEAD, Where.CONTENT])
def test_endless_headers_time_out(harness: HubHarness, hub: FakeHub, where: Where) -> None:
    harness.use(HubSession(endpoint=hub.endpoint, timeouts=Timeouts(headers_s=0.05)))
    hub.plan(Fault.SLOW_HEADERS, where=where)
    ask: dict[Where, Callable[[], object]] = {
        Where.API: lambda: harness.session.resolve(REPO, "main"),
        Where.HEAD: lambda: harness.session.file_metadata(REPO, "main", FILE),
        Where.CONTENT: lambda: harness.session.read_start(REPO, "main", FILE, max_bytes=10),
    }
    with pytest.raises(HubUnreachable, match="took too long"):
        ask[where]()
    hub.release()
