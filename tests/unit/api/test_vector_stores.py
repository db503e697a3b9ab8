"""Collections of documents over the API: searched by a token of their own, never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.api_harness import ApiHarness
from fireside.settings.api_tokens import USUAL_SCOPES, TokenScope

PATH = "/v1/vector_stores"


async def _stored(harness: ApiHarness, folder: Path) -> tuple[str, dict[str, str]]:
    """Make a collection of two files; return its id, and the headers of a client that may search it."""
    docs = folder / "docs"
    docs.mkdir()
    (docs / "bees.md").write_text("# Bees\n\nA queen bee lays up to two thousand eggs a day.\n")
    (docs / "ants.md").write_text("# Ants\n\nAnts follow trails of scent.\n")
    collections = harness.harness.app.collections
    collection = await collections.create(name="Insects", roots=[str(docs)])
    await collections.catch_up(collection.id)
    token = harness.tokens.add("notes", frozenset({TokenScope.DOCUMENTS}))
    return collection.id, {"Authorization": f"Bearer {token.reveal()}"}


async def test_a_collection_is_listed_and_searched_in_openai_s_shape(
    harness: ApiHarness, tmp_path: Path
) -> None:
    store, headers = await _stored(harness, tmp_path)
    listed = (await harness.ask(PATH, headers=headers)).json
    assert [(each["id"], each["name"], each["status"]) for each in listed["data"]] == [
        (store, "Insects", "completed")
    ]
    assert listed["data"][0]["file_counts"]["completed"] == 2
    assert (await harness.ask(f"{PATH}/{store}", headers=headers)).json == listed["data"][0]
    answer = await harness.ask(f"{PATH}/{store}/search", {"query": "queen eggs"}, headers=headers)
    page = answer.json
    assert (page["object"], page["search_query"]) == (
        "vector_store.search_results.page",
        ["queen eggs"],
    )
    best = page["data"][0]
    assert best["filename"] == "bees.md"
    assert "two thousand eggs" in best["content"][0]["text"]
    assert 0 < best["score"] <= 1
    assert best["attributes"] == {"place": "lines 1–3", "headings": "Bees"}
    # Where files lie is nothing that a client needs.
    assert str(tmp_path) not in answer.body.decode()


async def test_several_queries_find_each_passage_once_and_bounds_hold(
    harness: ApiHarness, tmp_path: Path
) -> None:
    store, headers = await _stored(harness, tmp_path)

    async def search(**body: object) -> list[str]:
        answer = await harness.ask(f"{PATH}/{store}/search", body, headers=headers)
        return [each["filename"] for each in answer.json["data"]]

    assert sorted(await search(query=["eggs", "scent", "queen"])) == ["ants.md", "bees.md"]
    assert len(await search(query=["eggs", "scent"], max_num_results=1)) == 1
    assert await search(query="scent", ranking_options={"score_threshold": 1.1}) == []
    assert await search(query="zebra") == []


async def test_what_cannot_be_searched_is_said(harness: ApiHarness, tmp_path: Path) -> None:
    store, headers = await _stored(harness, tmp_path)
    search = f"{PATH}/{store}/search"
    for body, param in (
        ({"query": []}, "query"),
        ({"query": "x", "max_num_results": 51}, "max_num_results"),
        ({"query": "x", "filters": {"type": "eq", "key": "a", "value": 1}}, "filters"),
    ):
        answer = await harness.ask(search, body, headers=headers)
        assert (answer.status, answer.json["error"]["param"]) == (400, param)
    unknown = await harness.ask(f"{PATH}/none/search", {"query": "x"}, headers=headers)
    assert (unknown.status, unknown.json["error"]["code"]) == (404, "vector_store_not_found")
    # Nothing of a collection can be changed from outside.
    for path in (PATH, f"{PATH}/{store}"):
        assert (await harness.ask(path, {"name": "x"}, headers=headers)).status == 405


@pytest.mark.parametrize("scopes", [None, USUAL_SCOPES, frozenset(TokenScope) - {TokenScope.DOCUMENTS}])
async def test_a_client_that_may_do_anything_else_reads_no_documents(
    harness: ApiHarness, tmp_path: Path, scopes: frozenset[TokenScope] | None
) -> None:
    store, _ = await _stored(harness, tmp_path)
    headers = {}
    if scopes is not None:
        headers["Authorization"] = f"Bearer {harness.tokens.add('x', scopes).reveal()}"
    for path, body in (
        (PATH, None),
        (f"{PATH}/{store}", None),
        (f"{PATH}/{store}/search", {"query": "x"}),
    ):
        answer = await harness.ask(path, body, headers=headers)
        assert (answer.status, answer.json["error"]["code"]) == (403, "scope_missing")
        assert "--scope documents" in answer.json["error"]["message"]
        assert b"Insects" not in answer.body
