"""Speech in OpenAI's shapes: ``/v1/audio/transcriptions`` and ``/v1/audio/speech``."""

from __future__ import annotations

import asyncio
import base64
import io
import re
import struct
from collections.abc import AsyncIterator
from email.message import Message
from typing import Annotated, Any, Final

import msgspec
import numpy as np

from fireside.api.api_service import ApiService
from fireside.api.http_error import invalid
from fireside.api.http_messages import (
    EVENT_STREAM,
    HttpRequest,
    HttpResponse,
    StreamingResponse,
    json_response,
    sse_event,
)
from fireside.api.openai_chat import stream_error_chunk
from fireside.api.openapi import one_of
from fireside.core.speech import Segment, SpeechTranscript

_MAX_FIELDS: Final = 32
_MAX_INPUT: Final = 4_096
"""Characters of a text, as at the original."""
_PCM_RATE: Final = 24_000
"""Of ``pcm`` and ``wav``, as at the original."""
_UNKNOWN_LENGTH: Final = 0xFFFFFFFF
_MAX_DIGITS: Final = 5
_FORMATS: Final = ("json", "text", "srt", "vtt", "verbose_json")
_SOUNDS: Final = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
_ENCODED: Final[dict[str, dict[str, Any]]] = {
    # At 112 kbit/s all along: what would tell its length is written last, so players guess it from the size.
    "mp3": {
        "format": "MP3",
        "subtype": "MPEG_LAYER_III",
        "bitrate_mode": "CONSTANT",
        "compression_level": 0.3,
    },
    "opus": {"format": "OGG", "subtype": "OPUS"},
    "flac": {"format": "FLAC", "subtype": "PCM_16"},
}
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}|")


class SpeechBody(msgspec.Struct, kw_only=True):
    """The body of a request for speech."""

    input: str
    model: str = ""
    """Without effect: the voice is the one of the settings."""
    voice: str | int | None = None
    """The number of a speaker; the names of the original mean the one of the settings."""
    instructions: str | None = None
    response_format: Annotated[str | None, one_of(*_SOUNDS)] = None
    speed: float = 1.0
    stream_format: Annotated[str, one_of("audio", "sse")] = "audio"


async def create_transcription(service: ApiService, request: HttpRequest) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/audio/transcriptions``: a form with ``file``."""
    form = read_form(request)
    data = form.get("file")
    if not data:
        raise invalid("file: send a sound file in a form.", param="file")
    wanted, language = _text(form, "response_format", "json"), _text(form, "language", "")
    if wanted not in _FORMATS:
        raise invalid(f"response_format: choose {', '.join(_FORMATS)}.", param="response_format")
    if not _LANGUAGE.fullmatch(language):
        raise invalid("language: send a code such as “de”.", param="language")
    if _text(form, "stream", "false") in ("true", "1"):
        return _stream(_transcript_events(service, data, language))
    transcript = await service.speech.transcribe(data, language=language)
    match wanted:
        case "json":
            return json_response({"text": transcript.text})
        case "verbose_json":
            return json_response(_verbose(transcript, language))
        case "text":
            content = f"{transcript.text}\n"
        case _:
            content = _subtitles(transcript.segments, is_vtt=wanted == "vtt")
    return HttpResponse(body=content.encode(), content_type="text/plain; charset=utf-8")


async def create_speech(
    service: ApiService, request: HttpRequest, body: SpeechBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/audio/speech``: the sound of each sentence as soon as it is there."""
    del request
    if not 0 < len(body.input) <= _MAX_INPUT:
        raise invalid(f"input: send 1 to {_MAX_INPUT} characters.", param="input")
    if not 0.25 <= body.speed <= 4.0:
        raise invalid("speed: choose a number from 0.25 to 4.", param="speed")
    kind = body.response_format or "mp3"
    if kind not in _SOUNDS:
        raise invalid(
            f"response_format: {kind} is not available here; choose {', '.join(_SOUNDS)}.",
            param="response_format",
        )
    voice = str(body.voice)
    speaker = int(voice) if voice.isdecimal() and len(voice) <= _MAX_DIGITS else None
    pieces = _sound(service, body, speaker=speaker, kind=kind)
    first = await anext(pieces)  # an error before it has a status of its own
    if body.stream_format == "sse":
        return _stream(_sound_events(first, pieces))
    return StreamingResponse(
        chunks=_with_first(first, pieces),
        error_chunk=lambda _: b"",
        # A silent sample, where silence is so simple.
        heartbeat=b"" if kind in _ENCODED else b"\0\0",
        content_type=_SOUNDS[kind],
    )


async def _sound(
    service: ApiService, body: SpeechBody, *, speaker: int | None, kind: str
) -> AsyncIterator[bytes]:
    encoder = _Encoder(kind) if kind in _ENCODED else None
    header = _wav_header() if kind == "wav" else b""
    async for sound in service.speech.synthesise(body.input, speed=body.speed, speaker=speaker):
        samples = _resampled(sound.samples, sound.sample_rate)
        if encoder is None:
            yield header + samples
            header = b""
        elif encoded := await asyncio.to_thread(encoder.encode, samples):
            yield encoded
    last = header if encoder is None else await asyncio.to_thread(encoder.finish)
    if last:
        yield last


class _Encoder:
    """Encodes speech as it comes, by libsndfile."""

    def __init__(self, kind: str) -> None:
        import soundfile  # native: only with the first such request

        self._written = _Written()
        self._file = soundfile.SoundFile(
            self._written, "w", samplerate=_PCM_RATE, channels=1, **_ENCODED[kind]
        )

    def encode(self, samples: bytes) -> bytes:
        """Return what is encoded by now, after ``samples``."""
        self._file.write(np.frombuffer(samples, "<i2"))
        return self._written.take()

    def finish(self) -> bytes:
        """Return the rest."""
        self._file.close()
        return self._written.take()


class _Written(io.RawIOBase):
    """A file of which the beginning was given away: what is written there is dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._data = bytearray()
        self._n_taken = 0
        self._at = 0

    def take(self) -> bytes:
        taken, self._data = bytes(self._data), bytearray()
        self._n_taken += len(taken)
        return taken

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        end = self._n_taken + len(self._data)
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: end}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        content = bytes(data)
        first = self._at - self._n_taken
        if first >= 0:
            self._data[first : first + len(content)] = content
        self._at += len(content)
        return len(content)


async def _with_first(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


async def _sound_events(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for piece in _with_first(first, rest):
        yield sse_event({"type": "speech.audio.delta", "audio": base64.b64encode(piece).decode()})
    yield sse_event({"type": "speech.audio.done"})


async def _transcript_events(service: ApiService, data: bytes, language: str) -> AsyncIterator[bytes]:
    texts = list[str]()
    async for found in service.speech.segments(data, language=language):
        if isinstance(found, Segment):
            delta = found.text if not texts else f" {found.text}"
            texts.append(found.text)
            yield sse_event({"type": "transcript.text.delta", "delta": delta})
    yield sse_event({"type": "transcript.text.done", "text": " ".join(texts)})


def _stream(chunks: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(
        chunks=chunks,
        error_chunk=stream_error_chunk,
        heartbeat=b": \n\n",
        content_type=EVENT_STREAM,
    )


def read_form(request: HttpRequest) -> dict[str, bytes]:
    """Return the fields of a form (RFC 7578), the last of each name. Raises ``HttpError``."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    boundary = header.get_param("boundary")
    if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str) or not boundary:
        raise invalid("Send a form: multipart/form-data with the field “file”.")
    parts = (b"\r\n" + request.body).split(b"\r\n--" + boundary.encode("latin-1", "replace"))
    if len(parts) < 3 or len(parts) > _MAX_FIELDS + 2 or not parts[-1].startswith(b"--"):
        raise invalid("The form is damaged, or has too many fields.")
    form: dict[str, bytes] = {}
    for part in parts[1:-1]:
        head, separator, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'(?i)content-disposition:[^\r\n]*?[;\s]name="([^"\r\n]{1,100})"', head)
        if not separator or name is None:
            raise invalid("The form is damaged.")
        form[name[1].decode("latin-1")] = content
    return form


def _text(form: dict[str, bytes], name: str, default: str) -> str:
    return form[name].decode("utf-8", "replace").strip() if name in form else default


def _verbose(transcript: SpeechTranscript, language: str) -> dict[str, Any]:
    return {
        "task": "transcribe",
        "language": language,
        "duration": transcript.duration_s,
        "text": transcript.text,
        "segments": [
            {
                "id": n,
                "seek": 0,
                "start": segment.start_s,
                "end": segment.end_s,
                "text": segment.text,
                "tokens": [],
                "temperature": 0.0,
                "avg_logprob": 0.0,
                "compression_ratio": 0.0,
                "no_speech_prob": 0.0,
            }
            for n, segment in enumerate(transcript.segments)
        ],
    }


def _subtitles(segments: tuple[Segment, ...], *, is_vtt: bool) -> str:
    blocks = ["WEBVTT"] if is_vtt else []
    for n, segment in enumerate(segments, 1):
        span = f"{_time(segment.start_s)} --> {_time(segment.end_s)}"
        blocks.append(
            f"{span.replace(',', '.')}\n{segment.text}" if is_vtt else f"{n}\n{span}\n{segment.text}"
        )
    return "\n\n".join(blocks) + "\n"


def _time(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def _wav_header() -> bytes:
    """Return the header of a WAV file whose length is not known yet."""
    fields = (1, 1, _PCM_RATE, 2 * _PCM_RATE, 2, 16)
    return (
        struct.pack("<4sI4s4sI", b"RIFF", _UNKNOWN_LENGTH, b"WAVE", b"fmt ", 16)
        + struct.pack("<HHIIHH", *fields)
        + struct.pack("<4sI", b"data", _UNKNOWN_LENGTH)
    )


def _resampled(samples: bytes, rate: int) -> bytes:
    if rate == _PCM_RATE:
        return samples
    values = np.frombuffer(samples, "<i2")
    at = np.arange(0, len(values), rate / _PCM_RATE)
    return bytes(np.interp(at, np.arange(len(values)), values).astype("<i2").data)
