"""Errors as HTTP responses: the status and fields of each of Fireside's errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fireside.core.errors import (
    ContextLengthExceeded,
    EngineLost,
    EngineStopped,
    ErrorInfo,
    FiresideError,
    HubChoiceUnknown,
    HubError,
    HubNameInvalid,
    HubNotFound,
    InvalidParameter,
    LoadError,
    ModelError,
    ModelNotFound,
    PromptTooLarge,
    QueueFull,
    RemoteBusy,
    RemoteError,
    RemoteNotFound,
    RemoteUnable,
    RequestError,
    RestartsExhausted,
    RunnerCrashed,
    RunnerError,
    RunnerUnresponsive,
    SettingInvalid,
    TemplateFailed,
    error_from_info,
)
from fireside.core.i18n import render

INVALID: Final = "invalid_request_error"
OVERLOADED: Final = "overloaded_error"
SERVER: Final = "server_error"
_KINDS: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.NOT_FOUND: "not_found_error",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "request_too_large",
    HTTPStatus.NOT_IMPLEMENTED: "not_supported_error",  # llama.cpp's name
    HTTPStatus.SERVICE_UNAVAILABLE: OVERLOADED,
}


class HttpError(Exception):
    """An error response: status and message. The message is always in English, since programs read it.

    Args:
        code: error code that clients check for.
        param: name of the invalid field of the request.
        headers: additional headers of the response.
        facts: additional numbers in the body that clients read.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        facts: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param
        self.headers = headers
        self.facts = facts or {}

    @property
    def kind(self) -> str:
        """The error's type, by the names that OpenAI's and Anthropic's APIs share as far as possible."""
        return _KINDS.get(self.status, SERVER if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR else INVALID)


def invalid(message: str, *, param: str | None = None) -> HttpError:
    """Return the error of an invalid request."""
    return HttpError(HTTPStatus.BAD_REQUEST, message, param=param)


def http_error_of_info(info: ErrorInfo, *, names: Mapping[str, str] | None = None) -> HttpError:
    """Return the HTTP error for a serialized error; ``names`` as in :func:`http_error_of`."""
    return http_error_of(error_from_info(info), names=names)


def http_error_of(error: FiresideError, *, names: Mapping[str, str] | None = None) -> HttpError:
    """Return the HTTP error for ``error``. ``names`` has the client's own names, by the label of a setting
    and by the runner's name of a parameter."""
    names = names or {}
    prompt = names.get("messages", "messages")
    match error:
        case ContextLengthExceeded():
            return HttpError(
                HTTPStatus.BAD_REQUEST,
                f"The request exceeds the available context size: {error.n_prompt} tokens of {error.n_ctx}.",
                code="context_length_exceeded",
                param=prompt,
                facts={"n_prompt_tokens": error.n_prompt, "n_ctx": error.n_ctx},
            )
        case PromptTooLarge():
            return HttpError(
                HTTPStatus.BAD_REQUEST,
                f"The request exceeds the available context size: {error.n_bytes} bytes, and at most "
                f"{error.limit_bytes} can fit.",
                code="context_length_exceeded",
                param=prompt,
            )
        case ModelNotFound() | RemoteNotFound() | RemoteError(code="remote_model_unknown") | HubNotFound():
            return HttpError(HTTPStatus.NOT_FOUND, error.sentence(), code=error.code, param="model")
        case TemplateFailed(index=int() as index) if "messages[]" in names:
            param = f"{prompt}[{index}]"
            message = f"{param}: {render(error.reason)}"
            return HttpError(HTTPStatus.BAD_REQUEST, message, code=error.code, param=param)
        case SettingInvalid():
            label = render(error.key)
            param = names.get(label, label)
            return invalid(f"{param}: {render(error.reason)}", param=param)
        case InvalidParameter():
            name = render(error.name)
            param = names.get(name, name)
            return invalid(f"{param}: {render(error.reason)}", param=param)
        case QueueFull() | EngineStopped():
            return _unavailable(error, code=error.code, retry_after_s=5)
        # For programs: their users may see no chat and no button.
        case RestartsExhausted():
            return _unavailable(error, code=error.code, retry_after_s=error.wait_s, text=_words(error))
        case RunnerError():
            return _unavailable(error, code="runner_died", retry_after_s=1, text=_words(error))
        case RequestError() | RemoteUnable() | RemoteError(code="chat_stays_local"):
            return HttpError(HTTPStatus.BAD_REQUEST, error.sentence(), code=error.code)
        case RemoteBusy():
            return _unavailable(error, code=error.code, retry_after_s=math.ceil(error.wait_s or 5))
        case HubNameInvalid() | HubChoiceUnknown():
            return invalid(error.sentence(), param="model")
        case RemoteError() | HubError():
            return HttpError(HTTPStatus.BAD_GATEWAY, error.sentence(), code=error.code)
        case LoadError() | ModelError():
            # A retry would fail the same way, and OpenAI's clients retry twice by default.
            no_retry = (("x-should-retry", "false"),)
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            return HttpError(status, error.sentence(), code=error.code, headers=no_retry)
        case _:
            return HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, error.sentence(), code=error.code)


def _words(error: FiresideError) -> str:
    """Return what a program's users are told of a runner's end: they may see no chat and no button."""
    match error:
        case RestartsExhausted():
            return (
                f"{error.model} crashed {error.n_crashes} times in a few minutes and is not restarted for "
                f"{error.wait_s} seconds. Send the request again then. Last cause: {render(error.cause)}"
            )
        case RunnerCrashed():
            return f"{error.model} crashed: {render(error.cause)} Send the request again."
        case RunnerUnresponsive():
            waited = f"did not respond for {error.waited_s:.0f} seconds and was stopped"
            return f"{error.model} {waited}. Send the request again."
        case EngineLost():
            return "The Fireside that ran the model was closed. Send the request again."
        case _:
            return error.sentence()


def _unavailable(error: FiresideError, *, code: str, retry_after_s: int, text: str = "") -> HttpError:
    return HttpError(
        HTTPStatus.SERVICE_UNAVAILABLE,
        text or error.sentence(),
        code=code,
        headers=(("retry-after", str(retry_after_s)),),
    )
