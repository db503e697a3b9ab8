"""Transcribe recordings that were added to a collection by themselves; folders may hold a music library."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

from fireside.core.attachment import clock_time
from fireside.core.errors import FiresideError, NextStep
from fireside.core.i18n import number, tr_noop
from fireside.core.speech import Segment, SpeechTranscript, TranscriptionProgressed
from fireside.documents.messages import ReadReply
from fireside.retrieval.chunking import chunks_of
from fireside.retrieval.sources import NEEDS_SPEECH, ReadFile, WaitingFile
from fireside.services.collections.file_reading import cannot_open

_NO_SPEECH: Final = tr_noop("no speech was heard in it.")


Transcribe = Callable[[str], AsyncGenerator[Segment | TranscriptionProgressed, None]]
"""Yields what is said in the recording at a path. Raises ``FiresideError``."""


def hash_of(path: str) -> str:
    """Return the hash of a file of any size. Blocks. Raises ``OSError``."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def read_recording(
    file: WaitingFile, transcribe: Transcribe, *, on_progress: Callable[[str], None]
) -> ReadFile:
    """Return the transcript of a recording as the content of a file. May be cancelled.

    ``on_progress`` gets how far it is, for display.
    """
    try:
        digest = await asyncio.to_thread(hash_of, file.path)
    except OSError as exc:
        return ReadFile(hash="", error=cannot_open(exc), is_temporary=True)
    if digest == file.hash:
        return ReadFile(hash=digest, is_same=True)
    segments = list[Segment]()
    try:
        async with contextlib.aclosing(transcribe(file.path)) as found:
            async for each in found:
                if isinstance(each, Segment):
                    segments.append(each)
                else:
                    on_progress(_progress(each))
    except FiresideError as exc:
        needs_parts = exc.info().next_step is NextStep.ADD_COMPONENT
        return ReadFile(hash="", error=NEEDS_SPEECH if needs_parts else exc.info().sentence)
    if not segments:
        return ReadFile(hash=digest, error=_NO_SPEECH)
    text = SpeechTranscript(segments=tuple(segments), duration_s=segments[-1].end_s).timed_text
    return ReadFile(
        hash=digest, chunks=chunks_of(ReadReply(media_type="text/plain", text=text), name=file.name)
    )


def _progress(at: TranscriptionProgressed) -> str:
    if at.duration_s <= 0:
        return clock_time(at.position_s)
    return f"{number(min(100, int(100 * at.position_s / at.duration_s)))}%"
