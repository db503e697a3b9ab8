"""Every message between the engine and a runner, in frames.

A runner starts with ``Hello``, waits for one ``Load``, answers with any number of ``LoadProgressed`` and then
``Loaded`` or ``LoadRejected`` (after which it exits). From then on every ``Generate`` ends in exactly one
``Finished`` or ``Failed``, every ``Ask`` in some ``Answered``, of which one is the last, or ``Failed``, and
every ``Ping`` in one ``Pong``. ``Cancel``, ``Pause`` and ``Resume`` are idempotent and may cross the end of
their request. ``Shutdown``, or the end of its input, makes the runner exit.
"""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.generation import (
    CallDelta,
    Embedded,
    Failed,
    Finished,
    OutputKind,
    PromptProgress,
    TokenLogprobs,
)
from fireside.core.ids import RequestId
from fireside.core.options import LoadOptions
from fireside.core.prompt_query import AnyPromptQuery, PromptReply
from fireside.core.status import Device, LoadedModel, LoadStage
from fireside.core.task import GenerationTask
from fireside.wire.frames import decode_body

PROTOCOL_VERSION = 6

MAX_REPORT_BYTES = 4 * 1024 * 1024
"""Limit for what a runner sends: its frames are small, and a runner that was taken over by a malicious model
file must not be able to make the engine build millions of objects out of one frame."""

PROMPT_TOKENS_PER_FRAME = 16_384
"""Prompt tokens in one frame: pieces are short, so it stays far below ``MAX_REPORT_BYTES``."""


# Engine to runner


class CacheOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The memory and disk levels of the prompt cache. Sizes in bytes; 0 turns a level off."""

    folder: str | None = None
    """Shared by all models, with distinct file names. ``None`` stores nothing on disk."""
    memory_bytes: int = 0
    """Upper limit; the runner stores less where memory is short."""
    disk_bytes: int = 0
    secret: bytes = b""
    """With which states are encrypted on disk; empty without a passphrase. Only this frame carries it."""


class Load(msgspec.Struct, frozen=True, kw_only=True, tag="load"):
    """Load one model. ``options.n_gpu_layers`` and ``n_threads`` are concrete, never automatic."""

    path: str
    name: str
    options: LoadOptions
    cache: CacheOptions = CacheOptions()


class PictureData(msgspec.Struct, frozen=True, kw_only=True, tag="picture"):
    """A picture of a command that follows. Commands contain the SHA-256 of a picture in place of its data.

    The runner keeps the most recently used pictures, and requests evicted ones again.
    """

    data: bytes


class Generate(msgspec.Struct, frozen=True, kw_only=True, tag="generate"):
    """Answer ``task``; reports carry ``request_id``, the last is ``Finished`` or ``Failed``."""

    request_id: RequestId
    task: GenerationTask


class Ask(msgspec.Struct, frozen=True, kw_only=True, tag="ask"):
    """A question about a prompt; answered by ``Answered`` or ``Failed``. Nothing is decoded."""

    request_id: RequestId
    query: AnyPromptQuery


class Cancel(msgspec.Struct, frozen=True, kw_only=True, tag="cancel"):
    """End a request; answered by its ``Finished``. Unknown and ended ones are ignored."""

    request_id: RequestId


class Pause(msgspec.Struct, frozen=True, kw_only=True, tag="pause"):
    """Decode nothing for a request until ``Resume``, because its reader is far behind."""

    request_id: RequestId


class Resume(msgspec.Struct, frozen=True, kw_only=True, tag="resume"):
    """Continue a paused request."""

    request_id: RequestId


class Ping(msgspec.Struct, frozen=True, kw_only=True, tag="ping"):
    """Health check, answered by ``Pong``. Sent while the runner is idle."""


class Shutdown(msgspec.Struct, frozen=True, kw_only=True, tag="shutdown"):
    """Shut the process down gracefully."""


Command = Load | PictureData | Generate | Ask | Cancel | Pause | Resume | Ping | Shutdown


# Runner to engine


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """The first report: versions of the protocol and of llama.cpp, and the available devices."""

    protocol: int
    pid: int
    llama_cpp: str
    """Version of the binding and of the library."""
    devices: tuple[Device, ...]


class LoadProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="load_progress"):
    """Progress and stage of the load."""

    fraction: float
    """Fraction of the file that was read, 0 to 1."""
    stage: LoadStage = LoadStage.READING


class Loaded(msgspec.Struct, frozen=True, kw_only=True, tag="loaded"):
    """The load is done: requests are accepted from now on."""

    loaded: LoadedModel


class LoadRejected(msgspec.Struct, frozen=True, kw_only=True, tag="load_rejected"):
    """Why the model could not be loaded. The process exits afterwards."""

    error: ErrorInfo


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """Output of one sequence in one decode step; complete characters only, stop strings held back."""

    request_id: RequestId
    text: str
    n_completion: int
    kind: OutputKind = OutputKind.ANSWER
    logprobs: tuple[TokenLogprobs, ...] = ()
    call: CallDelta | None = None


class TokensDecoded(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """The output of one decode step, for all sequences."""

    pieces: tuple[Piece, ...]


class RequestEvent(msgspec.Struct, frozen=True, kw_only=True, tag="event"):
    """An event of a request or question except its output. ``Finished`` leaves ``n_ctx`` to the engine, and
    a question only has ``Failed``."""

    request_id: RequestId
    event: PromptProgress | Embedded | Finished | Failed


class Answered(msgspec.Struct, frozen=True, kw_only=True, tag="answered"):
    """Reply to ``Ask``. That to a preview comes in parts of at most ``PROMPT_TOKENS_PER_FRAME`` tokens."""

    request_id: RequestId
    reply: PromptReply
    is_last: bool = True


class PicturesRequested(msgspec.Struct, frozen=True, kw_only=True, tag="pictures_wanted"):
    """Requests pictures that the runner has evicted. The request waits for them."""

    request_id: RequestId
    digests: tuple[bytes, ...]


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag="pong"):
    """Reply to ``Ping``, with the number of decode steps and forward passes so far."""

    n_steps: int = 0
    n_passes: int = 0


Report = (
    Hello
    | LoadProgressed
    | Loaded
    | LoadRejected
    | TokensDecoded
    | RequestEvent
    | Answered
    | PicturesRequested
    | Pong
)

_COMMANDS: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
REPORTS: Final[msgspec.msgpack.Decoder[Report]] = msgspec.msgpack.Decoder(Report)
"""Decodes what a runner sends; see ``decode_body``."""


def decode_command(body: bytes) -> Command:
    """Decode the command in a frame body. Raises ``FrameError`` if it is invalid."""
    return decode_body(body, decoder=_COMMANDS)
