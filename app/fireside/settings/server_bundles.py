"""Read what a bundle of an MCP server (``.mcpb``) says about itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.tool_servers import BundleQuestion, Grants, NewServer, QuestionKind, ServerBundle
from fireside.settings.server_shapes import server_name

_OWN_FOLDER: Final = "${__dirname}"
_CONFIGURED: Final = re.compile(r"\$\{user_config\.([^}]+)\}")
_PLACES: Final = {
    "HOME": "~",
    "DESKTOP": "~/Desktop",
    "DOCUMENTS": "~/Documents",
    "DOWNLOADS": "~/Downloads",
}
_LINE: Final = 500
_MOST: Final = 100
_KINDS: Final = {
    "string": QuestionKind.TEXT,
    "number": QuestionKind.NUMBER,
    "boolean": QuestionKind.SWITCH,
    "directory": QuestionKind.FOLDER,
    "file": QuestionKind.FILE,
}


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    type: str = "string"
    title: str = ""
    description: str = ""
    required: bool = False
    sensitive: bool = False
    multiple: bool = False
    default: Any = None


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    command: str | None = None
    args: list[str] | None = None
    env: dict[str, str] | None = None


class _RunOn(_Run, frozen=True, kw_only=True):
    platform_overrides: dict[str, _Run] = {}


class _Server(msgspec.Struct, frozen=True, kw_only=True):
    mcp_config: _RunOn


class _Author(msgspec.Struct, frozen=True, kw_only=True):
    name: str = ""


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    version: str = ""
    display_name: str = ""
    description: str = ""
    author: _Author = _Author()
    server: _Server
    user_config: dict[str, _Asked] = {}


def read_manifest(content: bytes, *, folder: str, system: str) -> ServerBundle:
    """Return a bundle that was unpacked into ``folder``, as it runs on ``system`` (``sys.platform``).

    Raises ``ToolServerInvalid``.
    """
    try:
        manifest = msgspec.json.decode(content, type=_Manifest)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as exc:
        raise ToolServerInvalid(
            reason=Phrase(tr_noop("its manifest cannot be read ({reason})."), {"reason": str(exc)})
        ) from exc
    if len(manifest.user_config) > _MOST:
        raise ToolServerInvalid(reason=tr_noop("it asks for too much."))
    usual = manifest.server.mcp_config
    own = usual.platform_overrides.get(system, _Run())

    def placed(text: str) -> str:
        return text.replace(_OWN_FOLDER, folder).replace("${/}", "/").replace("${pathSeparator}", "/")

    env = {**(usual.env or {}), **(own.env or {})}
    return ServerBundle(
        name=server_name(manifest.name),
        title=(manifest.display_name or manifest.name)[:_LINE],
        version=manifest.version[:_LINE],
        author=manifest.author.name[:_LINE],
        description=manifest.description[:_LINE],
        folder=folder,
        command=placed(own.command or usual.command or ""),
        args=tuple(map(placed, usual.args or [] if own.args is None else own.args)),
        env={name: placed(value) for name, value in env.items()},
        questions=tuple(_question(name, asked) for name, asked in manifest.user_config.items()),
    )


def bundled_server(bundle: ServerBundle, answers: Mapping[str, tuple[str, ...]], grants: Grants) -> NewServer:
    """Return the server of a bundle with what the user entered. Folders and files that were chosen may be
    read; what is secret is asked for when the command is confirmed.

    Raises ``ToolServerInvalid``.
    """
    questions = {question.name: question for question in bundle.questions}
    missing = next(
        (
            one
            for one in bundle.questions
            if one.is_required and not one.is_secret and not answers.get(one.name)
        ),
        None,
    )
    if missing is not None:
        raise ToolServerInvalid(reason=Phrase(tr_noop("{name} needs a value."), {"name": missing.title}))

    def values(name: str) -> tuple[str, ...]:
        question = questions.get(name)
        if question is not None and question.is_secret:
            return (f"${{input:{name}}}",)
        return answers.get(name, ())

    def filled(text: str) -> str:
        return _CONFIGURED.sub(lambda found: ",".join(values(found[1])), text)

    args: list[str] = []
    for arg in bundle.args:
        whole = _CONFIGURED.fullmatch(arg)
        args += values(whole[1]) if whole else (filled(arg),)
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
        command=filled(bundle.command),
        args=tuple(args),
        cwd=bundle.folder,
        env={name: filled(value) for name, value in bundle.env.items()},
        grants=msgspec.structs.replace(grants, readable=readable),
        inputs={one.name: one.title for one in bundle.questions if one.is_secret},
    )


def _question(name: str, asked: _Asked) -> BundleQuestion:
    defaults = asked.default if isinstance(asked.default, list) else [asked.default]
    told = tuple(
        ("true" if one is True else "" if one is False else str(one)) for one in defaults if one is not None
    )
    return BundleQuestion(
        name=name,
        title=(asked.title or name)[:_LINE],
        description=asked.description[:_LINE],
        kind=_KINDS.get(asked.type, QuestionKind.TEXT),
        is_required=asked.required,
        is_secret=asked.sensitive,
        is_multiple=asked.multiple,
        default=() if asked.sensitive else tuple(_at_home(one) for one in told if one),
    )


def _at_home(text: str) -> str:
    """Return a default with the folders that manifests name."""
    for name, place in _PLACES.items():
        text = text.replace(f"${{{name}}}", place)
    return text
