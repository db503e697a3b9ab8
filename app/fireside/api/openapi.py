"""The OpenAPI document of the API, generated from the types of the request bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from fireside import __version__
from fireside.api.http_messages import JSON

_SCHEMES: Final = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
}


def one_of(*values: str) -> msgspec.Meta:
    """Document the values of a field. They are not enforced when it is decoded; its parser checks them."""
    return msgspec.Meta(extra_json_schema={"enum": list(values)})


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """A method of a path, with the type of its body."""

    method: str
    path: str
    body: type | None


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the document, in OpenAPI 3.1."""
    bodies = [each.body for each in operations if each.body is not None]
    references, schemas = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    by_body = dict(zip(bodies, references, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, by_body)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fireside", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": _SCHEMES},
        "security": [{name: []} for name in _SCHEMES],
    }


def _operation(each: Operation, by_body: Mapping[type, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {"responses": {"200": {"description": "The answer, whole or in pieces."}}}
    if each.body is not None:
        content = {JSON: {"schema": by_body[each.body]}}
        fields["requestBody"] = {"required": True, "content": content}
    if "{" in each.path:
        name = each.path.partition("{")[2].partition("}")[0]
        fields["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        ]
    return fields
