"""Find the lines of a server's log that say why it ended. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MAX_LINES: Final = 5
_MAX_CHARS: Final = 400
_FRAME: Final = "╭╮╰╯┌┐└┘┏┓┗┛─━│┃║═╔╗╚╝"
_ERROR: Final = re.compile(
    r"(?-i:(?:Error|Exception|Timeout)(?: \[\w+\])?(?::\s|$))"  # of Python, Node, Java
    r"|\b(?:error|fatal|panic)\b\s*[:!\]]|^(?:error|fatal)\b"
    r"|(?-i:\b(?:ERROR|FATAL|CRITICAL)\b)",
    re.IGNORECASE,
)
_OF_NPM: Final = re.compile(r"^npm (?:error|ERR!)\s*(?:404)?\s*")
_NPM_NOISE: Final = re.compile(
    r"^(?:code|errno|syscall|path|command)\b|A complete log|Note that you can also|tarball, folder|^$"
)
_NOISE: Final = re.compile(
    r"^(?:[-+=*#_ \d]*|error|traceback \(most recent.*|at .+|\^+|[{}\])]+;?|node\.js v.*|require stack:|- /.*"
    r"|(?:code|url|errno|syscall|path|requirestack): .*|\.\.\. \d+ lines.*|file \".*\", line .*"
    r"|for further information visit .*|(?:\S+\s+){0,3}(?-i:INFO)\b.*)$",
    re.IGNORECASE,
)


def failure_lines(log: Sequence[str]) -> tuple[str, ...]:
    """Return the message of the last error in a log, or if it has none, its last lines; at most five, without
    frames, stack traces and banners."""
    lines = [line.strip(f" \t|+{_FRAME}")[:_MAX_CHARS] for line in log]
    if reason := _npm_reason(lines):
        return reason
    errors = [index for index, line in enumerate(lines) if _ERROR.search(line) and not _OF_NPM.match(line)]
    if errors:
        return _telling(lines[errors[-1] :])[:_MAX_LINES]
    unframed = [line for line, raw in zip(lines, log, strict=True) if raw.lstrip()[:1] not in tuple(_FRAME)]
    return (_telling(unframed) or _telling(lines))[-_MAX_LINES:]


def _npm_reason(lines: Sequence[str]) -> tuple[str, ...]:
    """Return what npm says if that is the end of the log: it names its reason first."""
    last = next((line for line in reversed(lines) if line), "")
    said = [_OF_NPM.sub("", line) for line in lines if _OF_NPM.match(line)] if _OF_NPM.match(last) else []
    return tuple(line for line in said if not _NPM_NOISE.search(line))[:_MAX_LINES]


def _telling(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if not _NOISE.match(line))
