"""Frames are decoded as they were encoded; anything else is a ``FrameError``."""

from __future__ import annotations

import contextlib
import io
import struct

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    Overflow,
    Priority,
    PromptProgress,
    Timings,
    Truncation,
    Usage,
    WhenFull,
)
from fireside.core.ids import RequestId
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import CacheType, FlashAttention, LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput, InfillInput, TextInput
from fireside.core.prompt_query import MessageTokens, PromptMeasure
from fireside.core.status import Device, DeviceKind, LoadedModel, MemoryReport
from fireside.core.task import GenerationTask, JsonSchemaConstraint
from fireside.wire import messages as wire
from fireside.wire.frames import (
    MAX_FRAME_BYTES,
    FrameError,
    FrameSplitter,
    FrameTooLarge,
    TextNotUnicode,
    decode_body,
    encode_frame,
    frame_of,
    read_frame,
)
from fireside.wire.messages import REPORTS, decode_command

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
INT = st.integers(min_value=-(2**63), max_value=2**64 - 1)
FLOAT = st.floats(allow_nan=False)
ID = INT.map(RequestId)

PARTS = st.one_of(
    st.builds(TextPart, text=TEXT),
    st.builds(ReasoningPart, text=TEXT),
    st.builds(ImagePart, data=st.binary(max_size=40), media_type=TEXT),
    st.builds(ToolCallPart, id=TEXT, name=TEXT, arguments=TEXT),
    st.builds(ToolResultPart, call_id=TEXT, name=TEXT, text=TEXT),
)
MESSAGES = st.lists(
    st.builds(ChatMessage, role=st.sampled_from(Role), parts=st.lists(PARTS, max_size=3).map(tuple)),
    max_size=4,
).map(tuple)
LOAD_OPTIONS = st.builds(
    LoadOptions,
    n_ctx=INT,
    n_gpu_layers=INT,
    flash_attn=st.sampled_from(FlashAttention),
    cache_type_k=st.sampled_from(CacheType),
    use_mmap=st.booleans(),
)
SAMPLING = st.builds(
    SamplingParams,
    temperature=FLOAT,
    seed=st.none() | INT,
    max_tokens=st.none() | INT,
    stop=st.lists(TEXT, max_size=3).map(tuple),
)
ERRORS = st.builds(
    ErrorInfo,
    code=TEXT,
    sentence=TEXT,
    retryable=st.booleans(),
    next_step=st.sampled_from(NextStep),
    data=st.dictionaries(TEXT, st.none() | st.booleans() | INT | FLOAT | TEXT, max_size=3),
)
USAGE = st.builds(Usage, n_prompt=INT, n_cached=INT, n_completion=INT)
TIMINGS = st.builds(Timings, prompt_s=FLOAT, decode_s=FLOAT, first_token_s=FLOAT)
DEVICES = st.builds(
    Device,
    name=TEXT,
    description=TEXT,
    kind=st.sampled_from(DeviceKind),
    free_bytes=INT,
    total_bytes=INT,
    backend=TEXT,
)
LOADED = st.builds(
    LoadedModel,
    n_ctx=INT,
    n_seq_max=INT,
    n_batch=INT,
    n_layers=INT,
    n_gpu_layers=INT,
    n_threads=INT,
    devices=st.lists(TEXT, max_size=2).map(tuple),
    memory=st.lists(
        st.builds(MemoryReport, buffer=TEXT, weights_bytes=INT, kv_bytes=INT, compute_bytes=INT), max_size=2
    ).map(tuple),
    rss_bytes=INT,
    load_s=FLOAT,
)

TASKS = st.builds(
    GenerationTask,
    prompt=st.one_of(
        st.builds(ChatInput, messages=MESSAGES),
        st.builds(TextInput, text=TEXT),
        st.builds(InfillInput, prefix=TEXT, suffix=TEXT),
    ),
    sampling=SAMPLING,
    constraint=st.none() | st.builds(JsonSchemaConstraint, schema=TEXT),
    overflow=st.sampled_from(Overflow),
    when_full=st.sampled_from(WhenFull),
    priority=st.sampled_from(Priority),
    owner=st.none() | TEXT,
)

COMMANDS = st.one_of(
    st.builds(wire.Load, path=TEXT, name=TEXT, options=LOAD_OPTIONS),
    st.builds(
        wire.Generate,
        request_id=ID,
        task=TASKS,
    ),
    st.builds(wire.Cancel, request_id=ID),
    st.just(wire.Shutdown()),
)
EVENTS = st.one_of(
    st.builds(PromptProgress, n_done=INT, n_total=INT, n_cached=INT),
    st.builds(Embedded, index=INT, vector=st.binary(max_size=16), n_tokens=INT),
    st.builds(
        Finished,
        reason=st.sampled_from(FinishReason),
        usage=USAGE,
        timings=TIMINGS,
        seed=INT,
        context_full=st.booleans(),
        truncation=st.none() | st.builds(Truncation, n_messages=INT, n_tokens=INT),
    ),
    st.builds(Failed, error=ERRORS),
)
ANY_REPORT = st.one_of(
    st.builds(
        wire.Hello, protocol=INT, pid=INT, llama_cpp=TEXT, devices=st.lists(DEVICES, max_size=2).map(tuple)
    ),
    st.builds(wire.LoadProgressed, fraction=FLOAT),
    st.builds(wire.Loaded, loaded=LOADED),
    st.builds(wire.LoadRejected, error=ERRORS),
    st.builds(
        wire.TokensDecoded, pieces=st.lists(st.builds(wire.Piece, ID, TEXT, INT), max_size=4).map(tuple)
    ),
    st.builds(wire.RequestEvent, request_id=ID, event=EVENTS),
    st.builds(
        wire.Answered,
        request_id=ID,
        reply=st.builds(
            PromptMeasure,
            n_prompt=INT,
            n_system=INT,
            messages=st.lists(st.builds(MessageTokens, INT, INT), max_size=4).map(tuple),
            n_dropped=INT,
            n_cut=INT,
            fits=st.booleans(),
        ),
    ),
)


def decode_report(body: bytes) -> wire.Report:
    return decode_body(body, decoder=REPORTS)


def bodies_of(frames: bytes, *, step: int) -> list[bytes]:
    """Split ``frames`` fed in chunks of ``step`` bytes."""
    splitter = FrameSplitter()
    return [
        body for start in range(0, len(frames), step) for body in splitter.feed(frames[start : start + step])
    ]


@given(command=COMMANDS)
def test_command_round_trip(command: wire.Command) -> None:
    (body,) = bodies_of(encode_frame(command), step=65536)
    assert decode_command(body) == command


@given(report=ANY_REPORT)
def test_report_round_trip(report: wire.Report) -> None:
    (body,) = bodies_of(encode_frame(report), step=65536)
    assert decode_report(body) == report


@given(reports=st.lists(ANY_REPORT, max_size=5), step=st.integers(min_value=1, max_value=64))
def test_frames_are_split_for_any_chunking(reports: list[wire.Report], step: int) -> None:
    frames = b"".join(encode_frame(report) for report in reports)
    assert [decode_report(body) for body in bodies_of(frames, step=step)] == reports


def test_character_split_between_two_chunks_is_restored() -> None:
    report = wire.TokensDecoded(pieces=(wire.Piece(RequestId(1), "🦙 é 模", 3),))
    for step in range(1, 8):
        (body,) = bodies_of(encode_frame(report), step=step)
        assert decode_report(body) == report


@given(report=ANY_REPORT)
def test_incomplete_frame_yields_nothing(report: wire.Report) -> None:
    assert bodies_of(encode_frame(report)[:-1], step=65536) == []


@given(garbage=st.binary(max_size=300))
@example(garbage=b"")
@example(garbage=b"\x91" * 5000)
@example(garbage=b"\xdd\xff\xff\xff\xff")
@example(garbage=b"\x81\xa4type\xa2\xff\xff")
def test_random_body_is_a_frame_error(garbage: bytes) -> None:
    for decode in (decode_command, decode_report):
        with pytest.raises(FrameError):
            decode(garbage)


@given(garbage=st.binary(max_size=2000), step=st.integers(min_value=1, max_value=500))
def test_random_stream_is_a_frame_error_or_nothing(garbage: bytes, step: int) -> None:
    try:
        for body in bodies_of(garbage, step=step):
            decode_report(body)
    except FrameError:
        pass


@given(report=ANY_REPORT, position=st.integers(min_value=0), value=st.integers(min_value=0, max_value=255))
def test_frame_with_one_changed_byte_is_a_report_or_a_frame_error(
    report: wire.Report, position: int, value: int
) -> None:
    body = bytearray(encode_frame(report)[4:])
    body[position % len(body)] = value
    with contextlib.suppress(FrameError):
        decode_report(bytes(body))


@given(command=COMMANDS)
def test_command_is_not_a_report(command: wire.Command) -> None:
    with pytest.raises(FrameError):
        decode_report(encode_frame(command)[4:])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({"type": "explode"}, id="unknown tag"),
        pytest.param({"protocol": 1}, id="no tag"),
        pytest.param({"type": 5}, id="tag of the wrong type"),
        pytest.param({"type": "hello", "protocol": "one"}, id="field of the wrong type"),
        pytest.param({"type": "prompt_read", "request_id": 1}, id="missing fields"),
        pytest.param(["hello"], id="list"),
        pytest.param(None, id="nothing"),
    ],
)
def test_msgpack_of_another_type_is_a_frame_error(content: object) -> None:
    with pytest.raises(FrameError):
        decode_report(msgspec.msgpack.encode(content))


def test_deep_nesting_is_a_frame_error() -> None:
    deep = b"\x82\xa4type\xa5hello\xa1x" + b"\x91" * 200_000
    with pytest.raises(FrameError):
        decode_report(deep)


@pytest.mark.parametrize("n_bytes", [MAX_FRAME_BYTES + 1, 2**31, 2**32 - 1])
def test_length_above_the_limit_is_refused_before_its_body_arrives(n_bytes: int) -> None:
    splitter = FrameSplitter()
    with pytest.raises(FrameTooLarge) as caught:
        list(splitter.feed(struct.pack("<I", n_bytes)))
    assert (caught.value.n_bytes, caught.value.limit_bytes) == (n_bytes, MAX_FRAME_BYTES)


def test_nothing_is_accepted_after_a_refused_length() -> None:
    splitter = FrameSplitter(limit_bytes=10)
    with pytest.raises(FrameTooLarge):
        list(splitter.feed(b"\x0b\x00\x00\x00"))
    with pytest.raises(FrameTooLarge):
        list(splitter.feed(encode_frame(wire.Shutdown())))


def test_body_of_exactly_the_limit_is_accepted() -> None:
    assert list(FrameSplitter(limit_bytes=3).feed(b"\x03\x00\x00\x00abc")) == [b"abc"]


def _saying(text: str) -> wire.Generate:
    return wire.Generate(request_id=RequestId(1), task=GenerationTask(prompt=TextInput(text=text)))


def test_message_above_the_limit_is_not_encoded() -> None:
    command = _saying("x" * MAX_FRAME_BYTES)
    with pytest.raises(FrameTooLarge):
        encode_frame(command)


def test_lone_surrogate_has_its_own_error() -> None:
    with pytest.raises(TextNotUnicode):
        encode_frame(_saying("\udc00"))


def test_number_beyond_64_bits_is_a_frame_error() -> None:
    with pytest.raises(FrameError):
        encode_frame(wire.Cancel(request_id=RequestId(2**70)))


def test_nul_in_a_text_is_preserved() -> None:
    command = _saying("a\x00b")
    assert decode_command(encode_frame(command)[4:]) == command


def test_frames_of_a_blocking_stream_are_read_one_by_one() -> None:
    stream = io.BytesIO(frame_of(b"one") + frame_of(b"") + frame_of(b"three")[:-1])
    assert [read_frame(stream) for _ in range(3)] == [b"one", b"", None]
    with pytest.raises(FrameTooLarge):
        read_frame(io.BytesIO(frame_of(b"four")), limit_bytes=3)
