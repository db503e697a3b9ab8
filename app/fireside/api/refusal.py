"""What a request is refused with, and what each error of Fireside is for a client."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fireside.core.errors import (
    ChatStaysLocal,
    ContextLengthExceeded,
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
    RemoteModelUnknown,
    RemoteNotFound,
    RemotePoolFailed,
    RemoteUnable,
    RequestError,
    RunnerError,
    SettingInvalid,
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
    HTTPStatus.SERVICE_UNAVAILABLE: OVERLOADED,
}


class Refusal(Exception):
    """An HTTP status with what a client is told. English, whatever the window speaks: programs read it.

    Args:
        code: a word that clients look for.
        param: the field of the request that is wrong.
        headers: of the reply, besides the usual ones.
        facts: numbers that clients look for, beside the message.
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
        """The error's type, in the words that OpenAI's and Anthropic's APIs share as far as they can."""
        return _KINDS.get(self.status, SERVER if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR else INVALID)


def invalid(message: str, *, param: str | None = None) -> Refusal:
    """Return what is told of a request that makes no sense."""
    return Refusal(HTTPStatus.BAD_REQUEST, message, code=None, param=param)


def refusal_of_info(info: ErrorInfo) -> Refusal:
    """Return what is told of an error that ended a request."""
    return refusal_of(error_from_info(info))


def refusal_of(error: FiresideError, *, names: Mapping[str, str] | None = None) -> Refusal:
    """Return what is told of ``error``. ``names`` are the client's own names of settings, by label."""
    match error:
        case ContextLengthExceeded():
            return Refusal(
                HTTPStatus.BAD_REQUEST,
                f"The request exceeds the available context size: {error.n_prompt} tokens of {error.n_ctx}.",
                code="context_length_exceeded",
                param="messages",
                facts={"n_prompt_tokens": error.n_prompt, "n_ctx": error.n_ctx},
            )
        case PromptTooLarge():
            return Refusal(
                HTTPStatus.BAD_REQUEST,
                f"The request exceeds the available context size: {error.n_bytes} bytes, and at most "
                f"{error.limit_bytes} can fit.",
                code="context_length_exceeded",
                param="messages",
            )
        case ModelNotFound():
            return Refusal(HTTPStatus.NOT_FOUND, error.sentence(), code=error.code, param="model")
        case SettingInvalid():
            label = render(error.key)
            param = (names or {}).get(label, label)
            return invalid(f"{param}: {render(error.reason)}", param=param)
        case InvalidParameter():
            return invalid(error.sentence(), param=render(error.name))
        case QueueFull() | EngineStopped():
            return _busy(error, code=error.code, after_s=5)
        case RunnerError():
            return _busy(error, code="runner_died", after_s=1)
        case RequestError():
            return Refusal(HTTPStatus.BAD_REQUEST, error.sentence(), code=error.code)
        case RemoteUnable() | ChatStaysLocal():
            return Refusal(HTTPStatus.BAD_REQUEST, error.sentence(), code=error.code)
        case RemoteModelUnknown() | RemoteNotFound():
            return Refusal(HTTPStatus.NOT_FOUND, error.sentence(), code=error.code, param="model")
        case RemoteBusy():
            return _busy(error, code=error.code, after_s=math.ceil(error.wait_s or 5))
        case RemotePoolFailed():
            return _busy(error, code=error.code, after_s=5)
        case RemoteError():
            return Refusal(HTTPStatus.BAD_GATEWAY, error.sentence(), code=error.code)
        case HubNameInvalid() | HubChoiceUnknown():
            return invalid(error.sentence(), param="model")
        case HubNotFound():
            return Refusal(HTTPStatus.NOT_FOUND, error.sentence(), code=error.code, param="model")
        case HubError():
            return Refusal(HTTPStatus.BAD_GATEWAY, error.sentence(), code=error.code)
        case LoadError() | ModelError():
            # The same again would fail the same way: clients try three times where nothing is said.
            hopeless = (("x-should-retry", "false"),)
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            return Refusal(status, error.sentence(), code=error.code, headers=hopeless)
        case _:
            return Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, error.sentence(), code=error.code)


def _busy(error: FiresideError, *, code: str, after_s: int) -> Refusal:
    return Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        error.sentence(),
        code=code,
        headers=(("retry-after", str(after_s)),),
    )
