"""What code finds in its chat: the files attached to the branch, and those that earlier calls made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fireside.core.chat import StoredMessage
from fireside.core.elicitation import CallObserver
from fireside.core.ids import is_temporary
from fireside.core.message import DocumentPart, ImagePart, MessagePart, ToolResultPart
from fireside.core.skills import Skill
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import PYTHON_NAME
from fireside.services.python_sessions import ChatFile, CodeLimits, PythonSessions, reach_text
from fireside.settings.conversions import ToolOptions
from fireside.tools.python import PythonAccess
from fireside.tools.tool import ToolFailed

_INVALID_IN_NAME: Final = re.compile(r"[/\\\x00-\x1f:*?\"<>|]")
_MAX_NAME: Final = 100
_SETTLING_S: Final = 30.0
"""More than a session takes to start, and to end a call that it has interrupted."""


async def chat_python(
    sessions: PythonSessions,
    options: ToolOptions,
    path: Sequence[StoredMessage],
    *,
    skills: Sequence[Skill] = (),
) -> PythonAccess:
    """Return what runs code for the answer at the end of ``path``, the messages of its branch.

    Code can read the folders of ``skills``, as those that the user granted.
    """
    limits = CodeLimits(
        program=options.code_program, seconds=options.code_seconds, memory_bytes=options.code_memory_bytes
    )
    folders = tuple(folder for folder in options.folders if folder.is_absolute())
    files = chat_files(path)
    parts = (part for stored in path for part in stored.message.parts)
    has_history = any(isinstance(part, ToolResultPart) and part.name == PYTHON_NAME for part in parts)

    reach = reach_text(await sessions.sandbox(limits))

    async def run(code: str, watch: CallObserver) -> ToolOutput:
        if not path:
            raise ToolFailed("There is no chat.")
        if reach and is_temporary(path[-1].conversation_id):
            raise ToolFailed("This chat is temporary: no code is run where its files would be on the disk.")
        return await sessions.run(
            path[-1].conversation_id,
            code,
            limits=limits,
            files=files,
            folders=(*folders, *(Path(skill.folder) for skill in skills)),
            has_history=has_history,
            watch=watch,
        )

    return PythonAccess(
        run=run,
        limit_s=limits.seconds + _SETTLING_S,
        reach=reach,
        has_folders=bool(folders),
        has_skills=bool(skills),
    )


def chat_files(path: Sequence[StoredMessage]) -> tuple[ChatFile, ...]:
    """Return the files of a branch, the latest of each name; of those read as text, that."""
    files: dict[str, ChatFile] = {}
    for stored in path:
        for part in stored.message.parts:
            for file in _files_of(part):
                files.pop(file.name, None)
                files[file.name] = file
    return tuple(files.values())


def _files_of(part: MessagePart) -> Iterator[ChatFile]:
    match part:
        case DocumentPart(data=b""):
            is_as_it_was = part.media_type.startswith("text/") and part.media_type != "text/html"
            name = _safe(part.name)
            yield ChatFile(name=name if is_as_it_was else f"{name}.txt", data=part.text.encode())
        case DocumentPart():
            yield ChatFile(name=_safe(part.name), data=part.data)
        case ImagePart():
            ending = ".png" if part.media_type == "image/png" else ".jpg"
            yield ChatFile(name=f"{Path(_safe(part.name)).stem}{ending}", data=part.data)
        case ToolResultPart():
            yield from (ChatFile(name=_safe(Path(made.name).name), data=made.data) for made in part.files)
        case _:
            pass


def _safe(name: str) -> str:
    """Return the name of a file in one folder."""
    name = _INVALID_IN_NAME.sub("_", name).strip(". ")
    return name[-_MAX_NAME:] or "file"
