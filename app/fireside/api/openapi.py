"""The OpenAPI document of the API, generated from the types of the request bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside import __version__
from fireside.api.http_error import HttpError
from fireside.api.http_messages import JSON, Dialect

_SCHEMES: Final = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
}
_REFUSALS: Final[Mapping[int, str]] = {
    HTTPStatus.BAD_REQUEST: "A value or the whole request is invalid.",
    HTTPStatus.UNAUTHORIZED: "A token is needed, or it is wrong.",
    HTTPStatus.FORBIDDEN: "The token, the host, the origin or the model does not allow this.",
    HTTPStatus.NOT_FOUND: "There is no such route, model or collection.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has a type or an encoding that is not taken.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers are too large.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The model cannot be loaded, or Fireside failed.",
    HTTPStatus.NOT_IMPLEMENTED: "This is turned off in the settings.",
    HTTPStatus.BAD_GATEWAY: "Another engine or Hugging Face failed.",
}


def one_of(*values: str) -> msgspec.Meta:
    """Document the values of a field. They are not enforced when it is decoded; its parser checks them."""
    return msgspec.Meta(extra_json_schema={"enum": list(values)})


def items(*, at_least: int = 0, at_most: int | None = None) -> msgspec.Meta:
    """Document the length of a list, as :func:`one_of` does the values of a field."""
    limits = {"minItems": at_least} if at_most is None else {"minItems": at_least, "maxItems": at_most}
    return msgspec.Meta(extra_json_schema=limits)


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """A method of a path, with the type of its body."""

    method: str
    path: str
    body: type | None
    dialect: Dialect
    """Of its errors."""


def document(operations: Sequence[Operation], *, limits: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the document, in OpenAPI 3.1; ``limits`` has what is said of the fields of these names."""
    bodies = [each.body for each in operations if each.body is not None]
    references, schemas = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    for schema in schemas.values():
        for name, field in schema.get("properties", {}).items():
            field.update(limits.get(name, {}))
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
    error = each.dialect.error(HttpError(HTTPStatus.BAD_REQUEST, ""))
    content: dict[str, Any] = {JSON: {"schema": _schema_of(error)}}
    refusals = {**_REFUSALS, each.dialect.busy_status: "Busy, or the model ended; try again."}
    fields: dict[str, Any] = {
        "responses": {
            "200": {"description": "The answer, whole or in pieces."},
            **{
                str(int(status)): {"description": description, "content": content}
                for status, description in refusals.items()
            },
        }
    }
    if each.body is not None:
        fields["requestBody"] = {"required": True, "content": {JSON: {"schema": by_body[each.body]}}}
    if "{" in each.path:
        name = each.path.partition("{")[2].partition("}")[0]
        fields["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        ]
    return fields


def _schema_of(error: object) -> dict[str, Any]:
    """Return the schema of an error's body, made of one: objects of texts, some of which may be null."""
    if isinstance(error, dict):
        properties = {name: _schema_of(value) for name, value in error.items()}
        return {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": ["string", "null"] if error is None else "string"}
