"""Errors of remote engines."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep, format_wait
from fireside.core.i18n import Translatable, render, tr, tr_noop


class RemoteError(FiresideError):
    pass


class RemoteAddressInvalid(RemoteError):
    """``reason`` is a sentence."""

    code = "remote_address_invalid"
    message = tr_noop("This address cannot be used: {reason}")
    reason: Translatable


class RemoteNotEncrypted(RemoteError):
    """The address is in the user's own network, and is accepted if the user confirms it."""

    code = "remote_not_encrypted"
    message = tr_noop("Nothing sent to {host} is encrypted: others in your network could read it.")
    host: str


class RemoteNotFound(RemoteError):
    code = "remote_not_found"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("The server of this model was removed. Choose another model.")


class RemoteOffline(RemoteError):
    code = "remote_offline"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Offline mode is on, so {host} was not contacted.")
    host: str


class ChatStaysLocal(RemoteError):
    code = "chat_stays_local"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop(
        "This chat is kept on this computer, so nothing was sent to {host}. Choose a local model or "
        "change that in the chat settings."
    )
    host: str


class RemoteUnreachable(RemoteError):
    """``reason`` ends a sentence."""

    code = "remote_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Couldn't reach {host}: {reason}")
    host: str
    reason: Translatable


class RemotePoolFailed(RemoteError):
    """``reason`` is the error of each of its engines, as sentences."""

    code = "remote_pool_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("No server of the pool answered. {reason}")
    reason: str


class RemoteUntrusted(RemoteUnreachable):
    """Its certificate is not trusted: nothing was sent, and a retry would not help."""

    code = "remote_untrusted"
    retryable = False
    next_step = NextStep.OPEN_SETTINGS


class RemoteInterrupted(RemoteError):
    """``reason`` ends a sentence."""

    code = "remote_interrupted"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    reason: Translatable
    has_begun: bool = True
    """Whether a part of the answer was received."""

    def sentence(self) -> str:
        text = (
            tr("The answer from {host} ended early: {reason} The partial answer was saved.")
            if self.has_begun
            else tr("{host} ended the connection before its answer began: {reason}")
        )
        return text.format(host=self.host, reason=render(self.reason))


class RemoteAnswerInvalid(RemoteError):
    """``reason`` ends a sentence."""

    code = "remote_answer_invalid"
    message = tr_noop("Unexpected response from {host}: {reason}")
    host: str
    reason: Translatable


class RemoteKeyRefused(RemoteError):
    code = "remote_key_refused"
    next_step = NextStep.OPEN_SETTINGS
    has_key: bool
    host: str

    def sentence(self) -> str:
        if self.has_key:
            return tr("{host} rejected the API key. Enter another one in the settings.").format(
                host=self.host
            )
        return tr("{host} requires an API key. Enter it in the settings.").format(host=self.host)


class RemoteModelUnknown(RemoteError):
    code = "remote_model_unknown"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("{host} has no model “{name}”. Choose another one or test the server again.")
    host: str
    name: str


class RemoteBusy(RemoteError):
    """``wait_s`` is the time to wait that the server requests, if any."""

    code = "remote_busy"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    wait_s: float | None = None

    def sentence(self) -> str:
        if self.wait_s is None:
            return tr("{host} is busy. Try again later.").format(host=self.host)
        return tr("{host} is busy. Try again in {when}.").format(
            host=self.host, when=format_wait(self.wait_s)
        )


class RemoteRefused(RemoteError):
    """``reason`` is the server's message, ``status`` that of HTTP; ``None`` for an error within an answer."""

    code = "remote_refused"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    status: int | None
    reason: str

    def sentence(self) -> str:
        if self.status is None:
            text = tr("{host} reported an error: {reason}")
        elif self.status >= 500:
            text = tr("{host} had an internal error ({status}) and could not answer: {reason}")
        elif self.status == 403:
            text = tr("{host} does not allow this request ({status}): {reason}")
        elif self.status == 404:
            text = tr("{host} answers, but not at this address ({status}): {reason}")
        else:
            text = tr("{host} did not accept the request ({status}): {reason}")
        return text.format(host=self.host, status=self.status, reason=self.reason)


class RemoteToolsRefused(RemoteError):
    """``reason`` is the server's message."""

    code = "remote_tools_refused"
    next_step = NextStep.CHOOSE_MODEL
    host: str
    name: str
    reason: str

    def sentence(self) -> str:
        return tr("“{name}” at {host} takes no tools: {reason}").format(
            name=self.name, host=self.host, reason=self.reason
        )


class RemoteBlocked(RemoteError):
    code = "remote_blocked"
    message = tr_noop(
        "The content filter of {host} ended the answer. Rephrase the question or try another model."
    )
    next_step = NextStep.CHOOSE_MODEL
    host: str


class RemoteUnable(RemoteError):
    """``what`` is a noun such as “grammars”."""

    code = "remote_unable"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("{host} does not support {what}. Use a local model for that.")
    host: str
    what: Translatable
