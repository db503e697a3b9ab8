"""Errors of MCP servers."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, tr_noop


class ToolServerError(FiresideError):
    pass


class ToolServerInvalid(ToolServerError):
    """``reason`` ends a sentence."""

    code = "tool_server_invalid"
    message = tr_noop("The MCP server cannot be added: {reason}")
    reason: Translatable


class ToolServerFolderMissing(ToolServerError):
    """A folder that a server should have access to does not exist."""

    code = "tool_server_folder_missing"
    message = tr_noop("The folder {path} does not exist.")
    path: str


class ToolServerNotFound(ToolServerError):
    code = "tool_server_not_found"
    message = tr_noop("There is no MCP server “{name}”.")
    name: str


class ToolServerChanged(ToolServerError):
    code = "tool_server_changed"
    message = tr_noop(
        "The MCP server {name} is not what you confirmed: its command, program or access has changed. "
        "Review it in Tools."
    )
    name: str


class ToolServerValueMissing(ToolServerError):
    code = "tool_server_value_missing"
    message = tr_noop(
        "A value of the MCP server {name} is missing: {value}. Remove the server and add it again."
    )
    name: str
    value: str


class ToolServerFailed(ToolServerError):
    """``reason`` is a sentence, ``log`` the telling lines of the server's log, or empty."""

    code = "tool_server_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("The MCP server {name} does not run: {reason}{log}")
    name: str
    reason: Translatable
    log: str = ""


class ToolServerRefused(ToolServerError):
    """``reason`` is the server's message."""

    code = "tool_server_refused"
    message = tr_noop("The MCP server {name} answered with an error: {reason}")
    name: str
    reason: str


class ToolServerOffline(ToolServerError):
    code = "tool_server_offline"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Offline mode is on, so the MCP server {name} was not contacted.")
    name: str
