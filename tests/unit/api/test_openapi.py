"""The document of all routes: what it names is there, and what is there is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.api_harness import ApiHarness
from fireside.api.api_service import MAX_TOKEN_IDS
from fireside.api.options import ApiOptions


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(reference := value.get("$ref"), str):
            yield reference
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


async def test_every_route_is_named_with_what_it_takes(harness: ApiHarness) -> None:
    document = (await harness.ask("/openapi.json")).json
    assert document["openapi"] == "3.1.0"
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document["paths"])) <= names
    assert set(references(document["components"]["schemas"])) <= names
    for path, operations in document["paths"].items():
        for method in operations:
            real = path.replace("{model}", "none").replace("{store}", "none")
            # Refused for what it says or means, never as a route that is not there.
            answer = await harness.ask(real, [] if method == "post" else None, method=method.upper())
            assert answer.status != 405, (method, path)
            assert b"route_not_found" not in answer.body, (method, path)
            assert str(answer.status) in operations[method]["responses"], (method, path, answer.status)
    chat = document["paths"]["/v1/chat/completions"]["post"]["requestBody"]["content"]["application/json"]
    fields = document["components"]["schemas"][chat["schema"]["$ref"].rpartition("/")[2]]
    assert {"messages", "tools", "max_completion_tokens"} <= fields["properties"].keys()
    assert fields["required"] == ["messages"]


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_it_is_for_clients_with_a_token(harness: ApiHarness) -> None:
    assert (await harness.ask("/openapi.json")).status == 401


async def test_errors_have_the_shape_of_their_dialect(harness: ApiHarness) -> None:
    paths = (await harness.ask("/openapi.json")).json["paths"]
    for path, fields in (
        ("/v1/chat/completions", {"error"}),
        ("/api/chat", {"error"}),
        ("/v1/messages", {"type", "error", "request_id"}),
    ):
        refused = await harness.ask(path, {"messages": 1})
        documented = paths[path]["post"]["responses"][str(refused.status)]["content"]["application/json"]
        assert documented["schema"]["properties"].keys() == refused.json.keys() == fields
    assert "529" in paths["/v1/messages"]["post"]["responses"]
    assert "503" in paths["/api/chat"]["post"]["responses"]


async def test_lengths_of_lists_are_named(harness: ApiHarness) -> None:
    schemas = (await harness.ask("/openapi.json")).json["components"]["schemas"]
    assert schemas["MessagesBody"]["properties"]["messages"]["minItems"] == 1
    assert schemas["DetokenizeBody"]["properties"]["tokens"]["maxItems"] == MAX_TOKEN_IDS
    assert schemas["ChatBody"]["properties"]["messages"]["minItems"] == 1
    assert schemas["EmbeddingBody"]["properties"]["input"]["maxItems"] == 2048


async def test_the_limits_of_numbers_are_those_that_are_enforced(harness: ApiHarness) -> None:
    schemas = (await harness.ask("/openapi.json")).json["components"]["schemas"]
    fields = schemas["RawCompletionBody"]["properties"]
    n_checked = 0
    for name, field in fields.items():
        for keyword, beyond in (("minimum", -1), ("maximum", 1)):
            if (limit := field.get(keyword)) is None:
                continue
            for value, status in ((limit, 200), (limit + beyond, 400)):
                answer = await harness.ask("/completion", {"prompt": "a", name: value})
                assert answer.status == status, (name, value, answer.body)
            n_checked += 1
    assert n_checked > 40
    for name in ("stop", "dry_sequence_breakers"):
        most = fields[name]["maxItems"]
        for n, status in ((most, 200), (most + 1, 400)):
            texts = [f"{number}" for number in range(n)]
            assert (await harness.ask("/completion", {"prompt": "a", name: texts})).status == status
