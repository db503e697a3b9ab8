"""Parse the error responses of remote engines, in any of their formats. Pure."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from fireside.core.errors import ContextLengthExceeded, FiresideError, RemoteBusy, RemoteError
from fireside.core.i18n import Phrase, PhraseValue, tr, tr_noop
from fireside.core.lenient_json import loads_leniently
from fireside.gguf.header import printable

BUSY: Final = frozenset({429, 502, 503, 529})
"""Statuses after which a request may be retried, if no output was received."""
MAX_WAIT_S: Final = 30.0
_TOO_LONG: Final = frozenset({ContextLengthExceeded.code, "exceed_context_size_error"})
"""Error codes of a prompt that exceeds the context: of OpenAI and most, and of llama-server."""
_KEY_REFUSED: Final = tr_noop("{host} rejected the API key. Enter another one in the settings.")
_KEY_MISSING: Final = tr_noop("{host} requires an API key. Enter it in the settings.")
_MAX_MESSAGE: Final = 400
_MESSAGE_FIELDS: Final = (
    "error",
    "message",
    "detail",
    "msg",
    "error_description",
    "errors",
    "title",
    "reason",
)
_MAX_DEPTH: Final = 4
_TOOLS_REFUSED: Final = re.compile(
    r"(support|enabled|allowed|implemented|available|unknown|unrecognized|unexpected|extra)\w*[^.]{0,40}"
    r"\b(tools?|function[ -]calling|function calls)\b"
    r"|\b(tools?|function[ -]calling|function calls)\b[^.]{0,40}"
    r"(support|enabled|allowed|implemented|requires)",
    re.IGNORECASE,
)
"""“… does not support tools” (Ollama), “No endpoints found that support tool use” (OpenRouter), “"auto" tool
choice requires --enable-auto-tool-choice” (vLLM), “tools param requires --jinja flag” (llama-server)."""
_PAGE_TITLE: Final = re.compile(rb"<title[^>]{0,200}>([^<]{1,1000})</title>", re.IGNORECASE)


class ErrorResponse(Exception):
    """An HTTP error status, with the message, code and figures of its body. An error within an answer may
    have no status."""

    def __init__(
        self,
        *,
        status: int | None,
        message: str = "",
        code: str = "",
        param: str = "",
        wait_s: float | None = None,
        n_prompt: int | None = None,
        n_ctx: int | None = None,
    ) -> None:
        super().__init__(status, message)
        self.status, self.message, self.code, self.param = status, message, code, param
        self.wait_s, self.n_prompt, self.n_ctx = wait_s, n_prompt, n_ctx

    def parameter_of(self, body: Collection[str]) -> str | None:
        """Return which parameter in ``body`` the server does not support; ``None`` if it names none."""
        if self.status not in (400, 422):
            return None
        named = re.split(r"[.\[]", self.param)[0]
        if named in body:
            return named
        # Only in quotes (`seed`, 'top_k', "min_p"): a word of a sentence is not a parameter.
        quoted = re.findall(r"[`'\"]([a-z_]+)[`'\".]", self.message)
        return next((name for name in quoted if name in body), None)

    @property
    def refuses_tools(self) -> bool:
        """Whether the server or the model takes no tools, and the request was refused for that alone."""
        if self.status is None or self.status in BUSY or self.status in (401, 403):
            return False
        return self.param == "tools" or bool(_TOOLS_REFUSED.search(self.message))

    def error(self, *, host: str, has_key: bool, model: str = "") -> FiresideError:
        """Return the error for the user."""
        if self.code in _TOO_LONG and self.n_prompt and self.n_ctx:
            return ContextLengthExceeded(n_prompt=self.n_prompt, n_ctx=self.n_ctx)
        if self.status == 401:
            text = _KEY_REFUSED if has_key else _KEY_MISSING
            return RemoteError.of("remote_key_refused", reason=Phrase(text, {"host": host}))
        if self.status in BUSY:
            return RemoteBusy(host=host, wait_s=self.wait_s)
        if model and (self.code == "model_not_found" or self.status == 404):
            return RemoteError.of("remote_model_unknown", host=host, name=model)
        values: dict[str, PhraseValue] = {
            "host": host,
            "status": self.status or 0,
            "reason": self.message or tr("no reason given."),
        }
        return RemoteError.of("remote_refused", reason=Phrase(self._refusal(), values))

    def _refusal(self) -> str:
        if self.status is None:
            return tr_noop("{host} reported an error: {reason}")
        if self.status >= 500:
            return tr_noop("{host} had an internal error ({status}) and could not answer: {reason}")
        if self.status == 403:
            return tr_noop("{host} does not allow this request ({status}): {reason}")
        if self.status == 404:
            return tr_noop("{host} answers, but not at this address ({status}): {reason}")
        return tr_noop("{host} did not accept the request ({status}): {reason}")


def parse_error_response(status: int, content: bytes, *, headers: Mapping[str, str]) -> ErrorResponse:
    """Parse an error response; its body may be anything: JSON, a text, a web page."""
    body: object
    try:
        body = loads_leniently(content)
    except (msgspec.MsgspecError, RecursionError):
        body = page_text(content) if is_page(content) else content.decode("utf-8", "replace")
    return _error_response(status, body, wait_s=_wait_s(headers.get("Retry-After")))


def error_in_answer(error: object, *, status: int | None = None) -> ErrorResponse:
    """Return the error that a server sent in place of an answer, or of its rest, after a successful status.

    ``status`` is the one that it names for it, if it does.
    """
    return _error_response(status, {"error": error}, wait_s=None)


def is_page(content: bytes) -> bool:
    """Return whether a response that should have been JSON is a web page, or XML."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def page_text(content: bytes) -> str:
    """Return what a web page sent in place of a response is about, for the user."""
    match = _PAGE_TITLE.search(content)
    if match is None:
        return tr("it sent a web page.")
    import html  # large, and needed for nothing else

    title = html.unescape(match.group(1).decode("utf-8", "replace"))
    return tr("it sent a web page, “{title}”.").format(title=_on_one_line(title))


def excerpt(content: bytes) -> str:
    """Return the beginning of a response as text on one line, for the user."""
    return _on_one_line(content[: 4 * _MAX_MESSAGE].decode("utf-8", "replace"))


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()), limit=_MAX_MESSAGE)


def _error_response(status: int | None, body: object, *, wait_s: float | None) -> ErrorResponse:
    """Return the error in a decoded ``body``, in the format of OpenAI, Ollama, FastAPI, Google, or none."""
    if isinstance(body, list) and body:
        body = body[0]
    error: Any = body.get("error", body) if isinstance(body, dict) else {}
    if not isinstance(error, dict):
        error = {}
    return ErrorResponse(
        status=status,
        message=_on_one_line(_message_in(body)),
        code=_text(error.get("code")) or _text(error.get("type")),
        param=_text(error.get("param")),
        wait_s=wait_s,
        n_prompt=_number(error.get("n_prompt_tokens")),
        n_ctx=_number(error.get("n_ctx")),
    )


def _message_in(value: object, depth: int = 0) -> str:
    """Return the message for people in an error, wherever it is."""
    if isinstance(value, str):
        return value
    if depth >= _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        return " ".join(filter(None, (_message_in(each, depth + 1) for each in value[:3])))
    if not isinstance(value, dict):
        return ""
    found = (_message_in(value.get(field), depth + 1) for field in _MESSAGE_FIELDS)
    return next(filter(None, found), "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def _wait_s(text: str | None) -> float | None:
    """Parse ``Retry-After``: seconds or a date. Returns seconds."""
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text):
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
