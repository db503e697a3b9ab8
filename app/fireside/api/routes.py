"""Which path does what, and in which dialect its errors are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final

from fireside.api.answers import Answers
from fireside.api.calls import Call, Dialect, Reply, Route, Stream
from fireside.api.openai_chat import OPENAI, answer_chat
from fireside.api.openai_completions import answer_completion, answer_embeddings, list_models, show_model
from fireside.api.refusal import Refusal

Answerer = Callable[[Answers, Call], Awaitable[Reply | Stream]]

_POSTS: Final[Mapping[str, Answerer]] = {
    "/v1/chat/completions": answer_chat,
    "/v1/completions": answer_completion,
    "/v1/embeddings": answer_embeddings,
}
_GETS: Final[Mapping[str, Answerer]] = {
    "/v1/models": list_models,
}
_GETS_BELOW: Final[Mapping[str, Answerer]] = {"/v1/models/": show_model}
_ALIASES: Final = ("/v1/",)
"""Routes that exist without this beginning too, as in llama.cpp's server."""


class Routes:
    """The table of all paths."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def dialect_of(self, path: str) -> Dialect:
        """Return how errors are told under ``path``, known or not."""
        del path
        return OPENAI

    def find(self, method: str, path: str) -> Route:
        """Return what a request asks for. Raises ``Refusal``."""
        gets, posts = _found(_GETS, path) or _below(path), _found(_POSTS, path)
        answerer = posts if method == "POST" else gets if method in ("GET", "HEAD") else None
        if answerer is not None:
            return Route(handler=partial(answerer, self._answers))
        allowed = ", ".join((*(("GET, HEAD",) if gets else ()), *(("POST",) if posts else ())))
        if not allowed:
            # Nothing here may look like an unknown model: clients give up on the whole server for that.
            raise Refusal(HTTPStatus.NOT_FOUND, f"There is no route {method} {path}.", code="route_not_found")
        raise Refusal(
            HTTPStatus.METHOD_NOT_ALLOWED,
            f"{path} takes {allowed}.",
            code="method_not_allowed",
            headers=(("allow", allowed),),
        )


def _found(table: Mapping[str, Answerer], path: str) -> Answerer | None:
    return table.get(path) or next((table.get(f"{start}{path[1:]}") for start in _ALIASES), None)


def _below(path: str) -> Answerer | None:
    return next((answerer for start, answerer in _GETS_BELOW.items() if path.startswith(start)), None)
