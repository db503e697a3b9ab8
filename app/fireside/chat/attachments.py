"""Attached files: read in a process of their own, with an estimate of their tokens."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.attachment import Attachment, TokenCost
from fireside.core.errors import AttachmentUnreadable, ModelError, NextStep, RequestError
from fireside.core.for_window import for_window
from fireside.core.graphemes import without_invisible
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.message import (
    AttachedPart,
    AudioPart,
    ChatMessage,
    DocumentPart,
    ImagePart,
    MediaPart,
    Role,
    TextPart,
    VideoPart,
    without_file_data,
)
from fireside.core.model import ModelSpec
from fireside.core.os_errors import render_os_error
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest
from fireside.core.token_estimate import estimated_tokens
from fireside.core.tool_servers import ResourceContent
from fireside.documents.media_signatures import N_BYTES, is_media
from fireside.documents.messages import (
    MAX_CPU_S,
    MAX_FILE_BYTES,
    MAX_MEDIA_BYTES,
    MAX_REPLY_BYTES,
    TOO_SLOW,
    ReadReply,
    ReadRequest,
    decode_reply,
    encode,
)
from fireside.engine.processes.guarded_process import GuardedProcess, LimitExceeded, ProcessLimits
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.gguf import GgufHeader, read_header
from fireside.gguf.projector_facts import audio_tokens, picture_tokens, projector_senses
from fireside.services.collections.file_reading import ReadFiles

MAX_CONCURRENT: Final = 2
"""Files that are read at the same time; others wait."""
READ_LIMITS: Final = ProcessLimits(
    time_s=60.0, cpu_s=MAX_CPU_S, memory_bytes=1 << 30, reply_bytes=MAX_REPLY_BYTES
)

_ENDED: Final = tr_noop(
    "the process that reads it was ended, perhaps because memory ran out. Close other programs and try again."
)

_SHEETS: Final = ("spreadsheet", "ms-excel")
"""In the formats whose files are kept with their texts, for code that computes with them."""
_MAX_SHEET_BYTES: Final = 8_000_000
_PROBE: Final = "."
_NAME_CHARS: Final = 120


class FileReadingProcess:
    """``ReadFiles`` in a child process, which is killed and replaced when it exceeds ``limits``.

    A file whose process was ended from outside is read once more, in another one.

    Args:
        command: starts the process.
        environment: its complete environment.
    """

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: ProcessLimits = READ_LIMITS
    ) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._limits = limits

    def __call__(self, requests: Sequence[ReadRequest], /) -> Iterator[ReadReply]:
        """Yield the reply to each request. The process ends with the iteration."""
        process: GuardedProcess | None = None
        try:
            for request in requests:
                reply, process = self._ask(encode(request), process)
                yield reply
        finally:
            if process is not None:
                process.close()

    def _ask(self, request: bytes, process: GuardedProcess | None) -> tuple[ReadReply, GuardedProcess | None]:
        """Return the reply to a request, and the process for the next one, if it still runs."""
        was_killed = False
        for _ in range(2):
            try:
                process = process or GuardedProcess(
                    self._command,
                    environment=self._environment,
                    limits=self._limits,
                    is_low_priority=True,
                )
            except OSError as exc:
                reason = tr("no process can be started to read it ({reason}).").format(
                    reason=render_os_error(exc)
                )
                return ReadReply(problem=reason, is_temporary=True), None
            reply = process.ask(request)
            if isinstance(reply, bytes):
                return _reply(reply), process
            was_killed = reply is None and process.was_killed
            if not was_killed and (reply is not None or not process.has_exited):
                return _reply(reply), None
            process = None  # killed, or it exited after the file before
        return ReadReply(problem=_ENDED, is_temporary=True) if was_killed else _reply(None), None


def _reply(answer: bytes | LimitExceeded | None) -> ReadReply:
    match answer:
        case LimitExceeded.TIME:
            return ReadReply(problem=TOO_SLOW, is_temporary=True)
        case LimitExceeded.MEMORY:
            return ReadReply(problem=tr_noop("reading it takes too much memory."))
        case LimitExceeded.REPLY:
            return ReadReply(problem=tr_noop("there is far too much in it."))
        case _:
            pass
    try:
        return decode_reply(answer or b"")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ReadReply(problem=tr_noop("it is damaged, or too complex to be read."))


class Attachments:
    """Files attached to a message. All methods on one loop."""

    def __init__(
        self,
        *,
        read: ReadFiles,
        engine: SharedEngine,
        find: Callable[[ModelId], ModelSpec | None] = lambda _model_id: None,
    ) -> None:
        """``find`` returns a model of the library, if it is there."""
        self._find = find
        self._read = read
        self._engine = engine
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)

    @for_window
    async def read_file(self, path: str) -> Attachment:
        """Read a file of this computer, in a process of its own. Raises ``AttachmentUnreadable``."""
        name = _display_name(Path(path).name)
        async with self._slots:
            data = await asyncio.to_thread(_read_bytes, Path(path), name)
            return await self._read_data(data, name)

    @for_window
    async def read_data(self, data: bytes, *, name: str) -> Attachment:
        """Return pasted data as an attachment. Raises ``AttachmentUnreadable``."""
        async with self._slots:
            return await self._read_data(data, _display_name(name))

    @for_window
    async def read_contents(
        self, contents: Sequence[ResourceContent], *, name: str, server: str
    ) -> Attachment:
        """Return a resource of an MCP server as an attachment: its texts joined, else its first file.

        Raises ``AttachmentUnreadable``.
        """
        texts = [content.text for content in contents if content.text is not None]
        if texts or not contents:
            text = without_invisible("\n\n".join(texts))
            size = len(text.encode("utf-8", "replace"))
            if size > MAX_FILE_BYTES:
                raise _too_large(name)
            part: AttachedPart = DocumentPart(
                name=_display_name(name),
                media_type=contents[0].media_type if contents else "text/plain",
                text=text,
                size_bytes=size,
                server=server,
            )
            return Attachment(part=part, size_bytes=size)
        read = await self.read_data(contents[0].data, name=name)
        return msgspec.structs.replace(read, part=msgspec.structs.replace(read.part, server=server))

    @for_window
    async def save(self, part: ImagePart | AudioPart, *, target: str) -> None:
        """Write the data of an attachment to the file ``target``. Raises ``export_unwritable``."""
        from fireside.services.transfer.conversation_export import write_file

        await asyncio.to_thread(write_file, part.data, target=Path(target))

    @for_window
    async def count(self, part: AttachedPart, *, model_id: ModelId | None) -> TokenCost:
        """Return the tokens of an attachment: counted by the model if it is loaded, else estimated."""
        if model_id is not None:
            try:
                counted = await self._counted(part, model_id)
            except RequestError:  # far too long for the model, or an image for one without vision
                counted = None
            if counted is not None:
                return TokenCost(n_tokens=counted, is_exact=True)
        if isinstance(part, DocumentPart):
            return TokenCost(n_tokens=estimated_tokens(part.prompt_text), is_exact=False)
        spec = None if model_id is None else self._find(model_id)
        projector = None if spec is None else spec.projector_path
        estimated = await asyncio.to_thread(estimate_media, part, projector_path=projector)
        return TokenCost(n_tokens=estimated, is_exact=False)

    async def _counted(self, part: AttachedPart, model_id: ModelId) -> int | None:
        """Return how many tokens ``part`` adds to a message; ``None`` while the model is not loaded."""
        probe = TextPart(text=_PROBE)
        totals = []
        spec = self._find(model_id)
        hears = spec is not None and spec.hears_audio
        shown = part.parts(hears=hears) if isinstance(part, VideoPart) else (part,)
        for parts in ((probe,), (*shown, probe)):
            message = without_file_data(ChatMessage(role=Role.USER, parts=parts))
            question = PromptMeasureRequest(prompt=ChatInput(messages=(message,)))
            measure = await self._engine.ask(model_id, question)
            if measure is None:
                return None
            totals.append(measure.n_prompt)
        return max(0, totals[1] - totals[0])

    async def _read_data(self, data: bytes, name: str) -> Attachment:
        limit = _size_limit(data[:N_BYTES])
        if len(data) > limit:
            raise _too_large(name, limit)
        request = ReadRequest(name=name, data=data, takes_media=True)
        (reply,) = await asyncio.to_thread(self._read, (request,))
        if reply.problem:
            error = AttachmentUnreadable(name=name, reason=reply.problem)
            if reply.needs_component:
                error.next_step = NextStep.ADD_COMPONENT
            raise error
        part: AttachedPart
        if reply.media is not None:
            part = reply.media
        elif reply.picture:
            part = ImagePart(data=reply.picture, media_type=reply.media_type, name=name)
        else:
            is_sheet = any(kind in reply.media_type for kind in _SHEETS)
            part = DocumentPart(
                name=name,
                media_type=reply.media_type,
                text=reply.text,
                n_pages=reply.n_pages,
                size_bytes=len(data),
                data=data if is_sheet and len(data) <= _MAX_SHEET_BYTES else b"",
            )
        return Attachment(part=part, size_bytes=len(data), warnings=tuple(map(render, reply.warnings)))


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        if not path.is_file():  # a pipe or a device may never end
            reason = tr_noop("it is a folder.") if path.is_dir() else tr_noop("file not found.")
            raise AttachmentUnreadable(name=name, reason=reason)
        with path.open("rb") as file:
            data = file.read(N_BYTES)
            limit = _size_limit(data)
            data += file.read(limit + 1 - len(data))
    except (OSError, ValueError) as exc:
        reason = render_os_error(exc) if isinstance(exc, OSError) else str(exc)
        raise AttachmentUnreadable(
            name=name, reason=tr("it cannot be opened ({reason}).").format(reason=reason)
        ) from exc
    if len(data) > limit:
        raise _too_large(name, limit)
    return data


def _size_limit(head: bytes) -> int:
    """Return the most bytes of a file that begins like this."""
    return MAX_MEDIA_BYTES if is_media(head) else MAX_FILE_BYTES


def _too_large(name: str, limit: int = MAX_FILE_BYTES) -> AttachmentUnreadable:
    return AttachmentUnreadable(
        name=name, reason=tr("it is larger than {most} MB.").format(most=limit // 10**6)
    )


def _display_name(name: str) -> str:
    """Return a name on one line, printable and of limited length."""
    clean = "".join(char if char.isprintable() else "\ufffd" for char in name).strip()
    if len(clean) <= _NAME_CHARS:
        return clean or tr("File")
    stem, dot, ending = clean.rpartition(".")
    tail = dot + ending if stem and len(ending) <= 10 else ""
    return clean[: _NAME_CHARS - 1 - len(tail)] + "…" + tail


TYPICAL_PICTURE_TOKENS: Final = 800
"""Models in use turn an image into 256 to a few thousand tokens."""
TYPICAL_TOKENS_PER_SECOND: Final = 13
"""Of sound; 6 to 25 in models in use."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_SOF_MARKERS: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Start-of-frame markers of JPEG, which precede the size."""


def estimate_media(part: MediaPart, *, projector_path: str | None) -> int:
    """Return an estimate of the tokens of an image, sound or video. Reads a file, so blocks; any thread.
    Never raises."""
    if projector_path is None:
        return typical_tokens(part)
    try:
        header = read_header(projector_path)
    except (ModelError, OSError):
        return typical_tokens(part)
    if not isinstance(part, VideoPart):
        return _estimated(part, header)
    senses = projector_senses(header)
    shown = part.parts(hears=senses is not None and senses.hears)
    return sum(_estimated(each, header) for each in shown if isinstance(each, ImagePart | AudioPart))


def _estimated(part: ImagePart | AudioPart, header: GgufHeader) -> int:
    if isinstance(part, AudioPart):
        return audio_tokens(header, seconds=part.seconds) or typical_tokens(part)
    size = picture_size(part.data)
    if size is None:
        return TYPICAL_PICTURE_TOKENS
    return picture_tokens(header, width=size[0], height=size[1]) or TYPICAL_PICTURE_TOKENS


def typical_tokens(part: MediaPart) -> int:
    """Return the tokens of an image, sound or video where no model tells."""
    match part:
        case ImagePart():
            return TYPICAL_PICTURE_TOKENS
        case AudioPart():
            return round(TYPICAL_TOKENS_PER_SECOND * part.seconds)
        case VideoPart():
            sound = 0 if part.sound is None else typical_tokens(part.sound)
            return TYPICAL_PICTURE_TOKENS * len(part.frames) + sound


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels from the header of a PNG or JPEG; ``None`` for other formats."""
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(_JPEG):
        return next(_jpeg_sizes(data), None)
    return None


def _jpeg_sizes(data: bytes) -> Iterator[tuple[int, int]]:
    offset = 2
    while offset + 9 <= len(data) and data[offset] == 0xFF:
        marker, length = data[offset + 1], int.from_bytes(data[offset + 2 : offset + 4], "big")
        if marker in _SOF_MARKERS:
            height, width = struct.unpack(">HH", data[offset + 5 : offset + 9])
            yield width, height
        offset += 2 + max(2, length)
