"""A search returns the hub's results page by page; its answers are untrusted."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.fake_hub import COMMIT, FakeHub, Fault, Repo, Where, gguf_bytes
from fireside.core.discovery import Access, HubSearchHit, HubSearchPage, ModelQuery, SortOrder
from fireside.core.errors import (
    HubAnswerInvalid,
    HubError,
    HubFailed,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
)
from fireside.core.options import Purpose
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession
from fireside.hub.model_facts import cleaned_entry
from fireside.hub.model_search import PAGE_SIZE, search


def names(found: HubSearchPage) -> list[str]:
    return [model.repo for model in found.models]


def asked(hub: FakeHub) -> dict[str, list[str]]:
    return parse_qs(urlsplit(hub.seen[-1].path).query)


def test_a_result_has_the_facts_of_the_hub(shelf: FakeHub, session: HubSession) -> None:
    found = search(session, ModelQuery(text="chatty"))
    assert found == HubSearchPage(
        models=(
            HubSearchHit(
                repo="acme/Chatty-8B-GGUF",
                commit=COMMIT,
                n_downloads=900,
                n_likes=10,
                updated_at="2026-03-04T05:06:07+00:00",
                licence="apache-2.0",
                n_params=8_190_000_000,
                n_ctx_train=40960,
                architecture="qwen3",
                calls_tools=True,
                reasons=True,
            ),
        )
    )


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        (SortOrder.TRENDING, "acme/Seeing-4B-GGUF"),
        (SortOrder.DOWNLOADS, "tidy/find-embed-GGUF"),
        (SortOrder.LIKES, "acme/Seeing-4B-GGUF"),
        (SortOrder.UPDATED, "acme/Chatty-8B-GGUF"),
    ],
)
def test_results_have_the_requested_order(
    shelf: FakeHub, session: HubSession, sort: SortOrder, first: str
) -> None:
    assert names(search(session, ModelQuery(sort=sort)))[0] == first


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (ModelQuery(author="tidy"), {"tidy/find-embed-GGUF"}),
        (ModelQuery(licence="apache-2.0"), {"acme/Chatty-8B-GGUF"}),
        (ModelQuery(licence=" MIT "), {"tidy/find-embed-GGUF"}),
        (ModelQuery(task="image-text-to-text"), {"acme/Seeing-4B-GGUF"}),
        (ModelQuery(is_gated=True), {"meta/Guarded-70B-GGUF"}),
        (
            ModelQuery(is_gated=False),
            {"acme/Chatty-8B-GGUF", "acme/Seeing-4B-GGUF", "tidy/find-embed-GGUF"},
        ),
        (ModelQuery(min_params=8_190_000_000), {"acme/Chatty-8B-GGUF", "meta/Guarded-70B-GGUF"}),
        (ModelQuery(max_params=500_000_000), {"tidy/find-embed-GGUF"}),
        (ModelQuery(min_params=1_000_000_000, max_params=4_500_000_000), {"acme/Seeing-4B-GGUF"}),
        (ModelQuery(architecture="Qwen"), {"acme/Chatty-8B-GGUF"}),
        (ModelQuery(min_ctx_train=100_000), {"acme/Seeing-4B-GGUF", "meta/Guarded-70B-GGUF"}),
        (ModelQuery(calls_tools=True), {"acme/Chatty-8B-GGUF"}),
        (ModelQuery(reasons=True), {"acme/Chatty-8B-GGUF"}),
        (ModelQuery(text="nothing like it"), set()),
        (ModelQuery(text="  chatty\n8b "), {"acme/Chatty-8B-GGUF"}),
    ],
)
def test_results_match_the_filters(
    shelf: FakeHub, session: HubSession, query: ModelQuery, expected: set[str]
) -> None:
    assert set(names(search(session, query))) == expected


def test_a_repository_without_model_files_is_not_found(shelf: FakeHub, session: HubSession) -> None:
    assert "acme/Chatty-8B" not in names(search(session, ModelQuery()))


def test_a_private_model_is_found_by_its_owner_alone(
    shelf: FakeHub, session: HubSession, with_token: HubSession
) -> None:
    assert names(search(session, ModelQuery(text="secret"))) == []
    (model,) = search(with_token, ModelQuery(text="secret")).models
    assert model.access is Access.PRIVATE


def test_a_result_has_its_purpose(shelf: FakeHub, session: HubSession) -> None:
    by_name = {model.repo: model for model in search(session, ModelQuery()).models}
    assert by_name["tidy/find-embed-GGUF"].purpose is Purpose.EMBED
    assert by_name["acme/Seeing-4B-GGUF"].sees_images
    assert not by_name["acme/Chatty-8B-GGUF"].sees_images
    assert by_name["meta/Guarded-70B-GGUF"].access is Access.GATED
    assert by_name["meta/Guarded-70B-GGUF"].licence == "llama3.1"


@pytest.mark.parametrize(
    ("task", "sees", "hears"),
    [
        ("image-text-to-text", True, False),
        ("audio-text-to-text", False, True),
        ("any-to-any", True, True),
        ("text-generation", False, False),
    ],
)
def test_a_result_tells_the_media_that_the_model_takes(
    hub: FakeHub, session: HubSession, task: str, sees: bool, hears: bool
) -> None:
    hub.repos["acme/omni-GGUF"] = Repo(files={"x-Q8_0.gguf": gguf_bytes(9)}, pipeline_tag=task)
    (model,) = search(session, ModelQuery()).models
    assert (model.sees_images, model.hears_audio) == (sees, hears)


@pytest.mark.parametrize(
    ("name", "architecture", "task", "purpose"),
    [
        ("bge-reranker-v2-m3-GGUF", "bert", "text-ranking", Purpose.RERANK),
        ("Qwen3-Reranker-0.6B-GGUF", "qwen3", "text-generation", Purpose.RERANK),
        ("Qwen3-Embedding-0.6B-GGUF", "qwen3", "text-generation", Purpose.EMBED),
        ("e5-GGUF", "bert", None, Purpose.EMBED),
        ("e5-GGUF", "llama", "feature-extraction", Purpose.EMBED),
        ("Embedded-C-Coder-GGUF", "llama", "text-generation", Purpose.GENERATE),
    ],
)
def test_embedding_models_differ_from_generating_ones(
    hub: FakeHub, session: HubSession, name: str, architecture: str, task: str | None, purpose: Purpose
) -> None:
    hub.repos[f"acme/{name}"] = Repo(
        files={"x-Q8_0.gguf": gguf_bytes(9)}, header={"architecture": architecture}, pipeline_tag=task
    )
    (model,) = search(session, ModelQuery()).models
    assert model.purpose is purpose


@pytest.mark.parametrize(
    ("architecture", "task"),
    [("flux", "text-to-image"), ("sdxl", None), ("llama", "text-to-speech"), ("wan", "image-to-video")],
)
def test_models_for_images_or_sound_are_left_out(
    hub: FakeHub, session: HubSession, architecture: str, task: str | None
) -> None:
    hub.repos["acme/paint-GGUF"] = Repo(
        files={"x-Q8_0.gguf": gguf_bytes(9)}, header={"architecture": architecture}, pipeline_tag=task
    )
    assert names(search(session, ModelQuery())) == []


def test_pages_follow_each_other_until_the_last(hub: FakeHub, session: HubSession) -> None:
    for number in range(2 * PAGE_SIZE + 5):
        hub.repos[f"acme/model-{number:03}"] = Repo(files={"m-Q4_0.gguf": b"GGUF"}, n_likes=number)
    query = ModelQuery(sort=SortOrder.LIKES)
    pages = [search(session, query)]
    while pages[-1].next_page is not None:
        pages.append(search(session, query, page=pages[-1].next_page))
    assert [len(page.models) for page in pages] == [PAGE_SIZE, PAGE_SIZE, 5]
    together = [name for page in pages for name in names(page)]
    assert together == [f"acme/model-{number:03}" for number in reversed(range(2 * PAGE_SIZE + 5))]


def test_one_page_takes_one_request(hub: FakeHub, session: HubSession) -> None:
    for number in range(2 * PAGE_SIZE):
        hub.repos[f"acme/model-{number:03}"] = Repo(files={"m-Q4_0.gguf": b"GGUF"})
    search(session, ModelQuery())
    assert len(hub.seen) == 1


def test_no_more_results_are_requested_than_a_page_holds(shelf: FakeHub, session: HubSession) -> None:
    search(session, ModelQuery(text="a"))
    query = asked(shelf)
    assert query["limit"] == [str(PAGE_SIZE)]
    assert "siblings" not in query["expand"]
    assert "gguf" in query["filter"]


@pytest.mark.parametrize(
    ("least", "most", "written"),
    [
        (3_000_000_000, 9_000_000_000, "min:3B,max:9B"),
        (None, 3_500_000_000, "max:3500M"),
        (1_500, None, "min:1500"),
        (0, 20_000, "min:0,max:20K"),
        (-5, None, "min:0"),
    ],
)
def test_numbers_of_parameters_are_written_as_the_hub_reads_them(
    shelf: FakeHub, session: HubSession, least: int | None, most: int | None, written: str
) -> None:
    search(session, ModelQuery(min_params=least, max_params=most))
    assert asked(shelf)["num_parameters"] == [written]


def test_a_query_is_normalized(shelf: FakeHub, session: HubSession) -> None:
    search(session, ModelQuery(text="a\x00b\u202e" + "x" * 5000, author=" ac me\n"))
    query = asked(shelf)
    assert query["search"][0].isprintable()
    assert len(query["search"][0]) <= 200
    assert query["author"] == ["acme"]


@pytest.mark.parametrize(
    "page",
    [
        "https://elsewhere.example/api/models?cursor=1",
        "/api/models?cursor=1",
        "{endpoint}/api/models/acme/x",
        "{endpoint}@elsewhere.example/api/models",
        "{endpoint}/api/models?" + "x" * 9000,
        "",
        "file:///etc/passwd",
        "http://[",
    ],
)
def test_a_page_address_that_is_no_search_is_refused(hub: FakeHub, with_token: HubSession, page: str) -> None:
    with pytest.raises(HubAnswerInvalid, match="redirects elsewhere"):
        search(with_token, ModelQuery(), page=page.format(endpoint=hub.endpoint))
    assert hub.seen == []


def test_a_next_page_on_another_host_is_refused(shelf: FakeHub, session: HubSession) -> None:
    link = f'<{shelf.content_endpoint}/api/models?cursor=1>; rel="next"'
    shelf.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=b"[]", headers={"Link": link})
    with pytest.raises(HubAnswerInvalid, match="redirects elsewhere"):
        search(session, ModelQuery())


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"fault": Fault.LOGIN_PAGE}, HubAnswerInvalid),
        ({"fault": Fault.NONSENSE}, HubAnswerInvalid),
        ({"fault": Fault.ENDLESS}, HubAnswerInvalid),
        ({"fault": Fault.DROP}, HubUnreachable),
        ({"fault": Fault.RESET}, HubUnreachable),
        ({"fault": Fault.ENDLESS_REDIRECT}, HubAnswerInvalid),
        ({"fault": Fault.STATUS, "status": 404}, HubAnswerInvalid),
        ({"fault": Fault.STATUS, "status": 400}, HubAnswerInvalid),
        ({"fault": Fault.STATUS, "status": 500}, HubFailed),
        ({"fault": Fault.STATUS, "status": 504}, HubFailed),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b"{}"}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b""}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b"null"}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b'"\xff"'}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b"[" * 1_000_000}, HubAnswerInvalid),
    ],
)
def test_each_failure_is_a_hub_error_at_once(
    shelf: FakeHub, session: HubSession, fault: dict[str, object], said: type[HubError]
) -> None:
    shelf.plan(**fault, where=Where.API)  # type: ignore[arg-type]
    with pytest.raises(said):
        search(session, ModelQuery())


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_refused_search_is_not_retried(shelf: FakeHub, session: HubSession, status: int) -> None:
    shelf.plan(Fault.STATUS, where=Where.API, status=status)
    with pytest.raises(HubError):
        search(session, ModelQuery())
    assert len(shelf.seen) == 1


def test_a_rate_limited_search_is_not_retried(shelf: FakeHub, session: HubSession) -> None:
    shelf.plan(Fault.STATUS, where=Where.API, status=429, headers={"RateLimit": '"api";r=0;t=55'})
    with pytest.raises(HubRateLimited) as caught:
        search(session, ModelQuery())
    assert caught.value.wait_s == 55.0
    assert len(shelf.seen) == 1


def test_an_endless_answer_is_cut_off(shelf: FakeHub) -> None:
    session = HubSession(endpoint=shelf.endpoint, timeouts=Timeouts(answer_s=0.05))
    shelf.plan(Fault.DRIP, where=Where.API)
    with pytest.raises(HubUnreachable, match="too long"):
        search(session, ModelQuery())
    session.close()


def test_an_invalid_token_is_reported(shelf: FakeHub) -> None:
    session = HubSession(endpoint=shelf.endpoint, token=lambda _: "hf_old")
    with pytest.raises(HubTokenRefused):
        search(session, ModelQuery())
    session.close()


STRANGE: list[dict[str, object]] = [
    {"id": 5},
    {"id": "no-owner"},
    {"id": "../../etc/passwd"},
    {"id": "a/b/c"},
    {"id": None},
    {"id": "acme/" + "x" * 500},
    {"id": "acme/x\u202egpj"},
]


@pytest.mark.parametrize("strange", STRANGE)
def test_an_entry_without_a_repository_is_skipped(
    shelf: FakeHub, session: HubSession, strange: dict[str, object]
) -> None:
    shelf.repos["acme/strange"] = Repo(files={"s-Q4_0.gguf": b"GGUF"}, strange=strange)
    assert len(search(session, ModelQuery()).models) == 4


@pytest.mark.parametrize(
    "strange",
    [
        {"downloads": "many", "likes": -5, "gguf": []},
        {"downloads": 10**30, "likes": True, "tags": "gguf"},
        {"lastModified": "yesterday", "gguf": {"total": "8B", "context_length": -1, "architecture": 5}},
        {"lastModified": 12345, "tags": [1, None, {"a": 1}], "pipeline_tag": ["x"]},
        {"cardData": "licence", "siblings": [{}], "inferenceProviderMapping": 7},
        {"safetensors": 5, "transformersInfo": "x", "evalResults": [3], "createdAt": []},
        {"pipeline_tag": "image-text-to-text\u202e", "gguf": {"architecture": "llama\n"}},
        {"private": "yes", "config": None, "gguf": {"architecture": "x" * 9999}},
    ],
)
def test_invalid_facts_are_dropped(hub: FakeHub, session: HubSession, strange: dict[str, object]) -> None:
    hub.repos["acme/strange"] = Repo(files={"s-Q4_0.gguf": b"GGUF"}, strange=strange)
    (model,) = search(session, ModelQuery()).models
    unknown = HubSearchHit(repo="acme/strange", commit=COMMIT, updated_at=model.updated_at)
    assert model == unknown


def test_an_unknown_kind_of_gate_is_a_gate(hub: FakeHub, session: HubSession) -> None:
    hub.repos["acme/strange"] = Repo(files={"s-Q4_0.gguf": b"GGUF"}, strange={"gated": "by letter"})
    assert search(session, ModelQuery()).models[0].access is Access.GATED


def test_surplus_entries_are_dropped(hub: FakeHub, session: HubSession) -> None:
    many = json.dumps([{"id": f"acme/m{number}"} for number in range(5000)]).encode()
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=many)
    assert len(search(session, ModelQuery()).models) == PAGE_SIZE


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
KEYS = [
    *("id", "sha", "downloads", "likes", "lastModified", "private", "gated", "pipeline_tag", "tags", "gguf"),
    *("cardData", "siblings", "total", "architecture", "context_length", "license", "base_model"),
]
entries = st.dictionaries(st.sampled_from(KEYS), values | st.dictionaries(st.sampled_from(KEYS), values))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(listed=st.lists(entries | values, max_size=5))
def test_a_malformed_entry_affects_no_other(hub: FakeHub, session: HubSession, listed: list[object]) -> None:
    named = [*({**entry, "id": "acme/any"} if isinstance(entry, dict) else entry for entry in listed)]
    body = json.dumps([*named, {"id": "acme/right", "likes": 3}]).encode()
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=body)
    assert search(session, ModelQuery()).models[-1] == HubSearchHit(repo="acme/right", n_likes=3)


@given(entry=entries | values)
def test_a_cleaned_entry_survives_a_round_trip(entry: object) -> None:
    cleaned = cleaned_entry(entry)
    assert cleaned is None or json.loads(json.dumps(cleaned)) == cleaned
