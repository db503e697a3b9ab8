"""Parse the manifest of an MCP server bundle (``.mcpb``). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.tool_servers import BundleQuestion, Grants, NewServer, QuestionKind, ServerBundle
from fireside.settings.server_shapes import server_name

_OWN_FOLDER: Final = "${__dirname}"
_USER_CONFIG: Final = re.compile(r"\$\{user_config\.([^}]+)\}")
_FOLDER_VARIABLES: Final = {
    "HOME": "~",
    "DESKTOP": "~/Desktop",
    "DOCUMENTS": "~/Documents",
    "DOWNLOADS": "~/Downloads",
}
_MAX_CHARS: Final = 500
_MAX_QUESTIONS: Final = 100
_KINDS: Final = {
    "string": QuestionKind.TEXT,
    "number": QuestionKind.NUMBER,
    "boolean": QuestionKind.SWITCH,
    "directory": QuestionKind.FOLDER,
    "file": QuestionKind.FILE,
}


class _ConfigField(msgspec.Struct, frozen=True, kw_only=True):
    type: str = "string"
    title: str = ""
    description: str = ""
    required: bool = False
    sensitive: bool = False
    multiple: bool = False
    default: Any = None


class _Launch(msgspec.Struct, frozen=True, kw_only=True):
    command: str | None = None
    args: list[str] | None = None
    env: dict[str, str] | None = None


class _PlatformLaunch(_Launch, frozen=True, kw_only=True):
    platform_overrides: dict[str, _Launch] = {}


class _Server(msgspec.Struct, frozen=True, kw_only=True):
    mcp_config: _PlatformLaunch


class _Author(msgspec.Struct, frozen=True, kw_only=True):
    name: str = ""


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    version: str = ""
    display_name: str = ""
    description: str = ""
    author: _Author = _Author()
    server: _Server
    user_config: dict[str, _ConfigField] = {}


def read_manifest(content: bytes, *, folder: str, system: str) -> ServerBundle:
    """Return the bundle that is unpacked in ``folder``, for the platform ``system`` (``sys.platform``).

    Raises ``ToolServerInvalid``.
    """
    try:
        manifest = decode_json(content, kind=_Manifest)
    except JsonInvalid as exc:
        raise ToolServerInvalid(
            reason=Phrase(tr_noop("its manifest cannot be read ({reason})."), {"reason": str(exc)})
        ) from exc
    if len(manifest.user_config) > _MAX_QUESTIONS:
        raise ToolServerInvalid(reason=tr_noop("it asks for too much."))
    launch = manifest.server.mcp_config
    override = launch.platform_overrides.get(system, _Launch())

    def expand(text: str) -> str:
        return text.replace(_OWN_FOLDER, folder).replace("${/}", "/").replace("${pathSeparator}", "/")

    env = {**(launch.env or {}), **(override.env or {})}
    return ServerBundle(
        name=server_name(manifest.name),
        title=(manifest.display_name or manifest.name)[:_MAX_CHARS],
        version=manifest.version[:_MAX_CHARS],
        author=manifest.author.name[:_MAX_CHARS],
        description=manifest.description[:_MAX_CHARS],
        folder=folder,
        command=expand(override.command or launch.command or ""),
        args=tuple(map(expand, launch.args or [] if override.args is None else override.args)),
        env={name: expand(value) for name, value in env.items()},
        questions=tuple(_question(name, field) for name, field in manifest.user_config.items()),
    )


def bundled_server(bundle: ServerBundle, answers: Mapping[str, tuple[str, ...]], grants: Grants) -> NewServer:
    """Return the server of a bundle with the user's answers. Chosen folders and files become readable;
    secrets are asked for when the user confirms the command.

    Raises ``ToolServerInvalid``.
    """
    questions = {question.name: question for question in bundle.questions}
    for question in bundle.questions:
        if question.is_required and not question.is_secret and not answers.get(question.name):
            raise ToolServerInvalid(reason=Phrase(tr_noop("{name} needs a value."), {"name": question.title}))

    def values(name: str) -> tuple[str, ...]:
        question = questions.get(name)
        if question is not None and question.is_secret:
            return (f"${{input:{name}}}",)
        return answers.get(name, ())

    def fill(text: str) -> str:
        return _USER_CONFIG.sub(lambda match: ",".join(values(match[1])), text)

    args: list[str] = []
    for arg in bundle.args:
        match = _USER_CONFIG.fullmatch(arg)
        args += values(match[1]) if match else (fill(arg),)
    chosen = [
        path
        for question in bundle.questions
        if question.kind in (QuestionKind.FOLDER, QuestionKind.FILE)
        for path in answers.get(question.name, ())
    ]
    readable = tuple(
        dict.fromkeys((*grants.readable, *(path for path in chosen if path not in grants.writable)))
    )
    return NewServer(
        name=bundle.name,
        command=fill(bundle.command),
        args=tuple(args),
        cwd=bundle.folder,
        env={name: fill(value) for name, value in bundle.env.items()},
        grants=msgspec.structs.replace(grants, readable=readable),
        inputs={question.name: question.title for question in bundle.questions if question.is_secret},
    )


def _question(name: str, field: _ConfigField) -> BundleQuestion:
    values = field.default if isinstance(field.default, list) else [field.default]
    defaults = (
        "true" if value is True else str(value)
        for value in values
        if value is not None and value is not False
    )
    return BundleQuestion(
        name=name,
        title=(field.title or name)[:_MAX_CHARS],
        description=field.description[:_MAX_CHARS],
        kind=_KINDS.get(field.type, QuestionKind.TEXT),
        is_required=field.required,
        is_secret=field.sensitive,
        is_multiple=field.multiple,
        default=() if field.sensitive else tuple(map(_expand_folders, filter(None, defaults))),
    )


def _expand_folders(text: str) -> str:
    """Replace the variables of the user's folders."""
    for name, folder in _FOLDER_VARIABLES.items():
        text = text.replace(f"${{{name}}}", folder)
    return text
