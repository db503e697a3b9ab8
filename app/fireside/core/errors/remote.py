"""Errors of remote engines, of MCP servers and of skills."""

from __future__ import annotations

from typing import ClassVar

from fireside.core.errors.base import ErrorRow, ErrorRows, FiresideError, NextStep, format_wait
from fireside.core.i18n import Translatable, render, tr, tr_noop


class RemoteError(FiresideError):
    rows: ClassVar[ErrorRows] = {
        "remote_address_invalid": ErrorRow(tr_noop("This address cannot be used: {reason}")),
        "pools_ended": ErrorRow(  # in the file of an earlier version
            tr_noop(
                "Pools are no longer part of Fireside. Each of their servers now has {name} in the list of "
                "models: choose one in the chats that used the pool. A router gives several servers one "
                "address."
            )
        ),
        "remote_offline": ErrorRow(
            tr_noop("Offline mode is on, so {host} was not contacted."), NextStep.OPEN_SETTINGS
        ),
        "chat_stays_local": ErrorRow(
            tr_noop(
                "This chat is kept on this computer, so nothing was sent to {host}. Choose a local model or "
                "change that in the chat settings."
            ),
            NextStep.CHOOSE_MODEL,
        ),
        "remote_model_unknown": ErrorRow(
            tr_noop("{host} has no model “{name}”. Choose another one or test the server again."),
            NextStep.CHOOSE_MODEL,
        ),
        "remote_tools_refused": ErrorRow(
            tr_noop("“{name}” at {host} takes no tools: {reason}"), NextStep.CHOOSE_MODEL
        ),
        "remote_blocked": ErrorRow(
            tr_noop(
                "The content filter of {host} ended the answer. Rephrase the question or try another model."
            ),
            NextStep.CHOOSE_MODEL,
        ),
        "remote_not_encrypted": ErrorRow(
            tr_noop("Nothing sent to {host} is encrypted: others in your network could read it.")
        ),
        "remote_key_refused": ErrorRow("{reason}", NextStep.OPEN_SETTINGS),
        "remote_refused": ErrorRow("{reason}", NextStep.RETRY, retryable=True),
    }


class RemoteNotFound(RemoteError):
    code = "remote_not_found"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("The server of this model was removed. Choose another model.")


class RemoteUnreachable(RemoteError):
    """``reason`` ends a sentence."""

    code = "remote_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Couldn't reach {host}: {reason}")
    host: str
    reason: Translatable


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


class RemoteUnable(RemoteError):
    """``what`` is a noun such as “grammars”."""

    code = "remote_unable"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("{host} does not support {what}. Use a local model for that.")
    host: str
    what: Translatable


class ToolServerError(FiresideError):
    rows: ClassVar[ErrorRows] = {
        "tool_server_folder_missing": ErrorRow(tr_noop("The folder {path} does not exist.")),
        "tool_server_not_found": ErrorRow(tr_noop("There is no MCP server “{name}”.")),
        "tool_server_changed": ErrorRow(
            tr_noop(
                "The MCP server {name} is not what you confirmed: its command, program or access has "
                "changed. Review it in Tools."
            )
        ),
        "tool_server_value_missing": ErrorRow(
            tr_noop(
                "A value of the MCP server {name} is missing: {value}. Remove the server and add it again."
            )
        ),
        "tool_server_refused": ErrorRow(tr_noop("The MCP server {name} answered with an error: {reason}")),
        "python_not_started": ErrorRow(
            tr_noop("Python could not be started: {reason} Choose another one in Settings, Tools."),
            NextStep.OPEN_SETTINGS,
        ),
        "skill_refused": ErrorRow(tr_noop("The skill cannot be used: {reason}")),
        "skill_not_found": ErrorRow(tr_noop("There is no skill “{name}”.")),
        "skill_not_own": ErrorRow(
            tr_noop("The skill “{name}” is in a folder of another program or of your own. Delete it there.")
        ),
        "skill_changed_meanwhile": ErrorRow(tr_noop("The skill “{name}” has just changed. Review it again.")),
        "skill_file_not_found": ErrorRow(tr_noop("The skill “{name}” has no file “{path}”.")),
        "tool_server_offline": ErrorRow(
            tr_noop("Offline mode is on, so the MCP server {name} was not contacted."), NextStep.OPEN_SETTINGS
        ),
    }


class ToolServerInvalid(ToolServerError):
    """``reason`` ends a sentence."""

    code = "tool_server_invalid"
    message = tr_noop("The MCP server cannot be added: {reason}")
    reason: Translatable


class ToolServerFailed(ToolServerError):
    """``reason`` is a sentence, ``log`` the telling lines of the server's log, or empty."""

    code = "tool_server_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("The MCP server {name} does not run: {reason}{log}")
    name: str
    reason: Translatable
    log: str = ""
