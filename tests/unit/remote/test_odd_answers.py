"""What is odd in a server's answer costs itself alone: what was understood is shown, the rest is counted."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.engines_harness import EnginesHarness, failed, finished, said
from fakes.model_server import ModelServer, Reply, chunk, model_server
from fireside.core.generation import FinishReason, OutputKind, TextDelta
from fireside.remote.anthropic import AnthropicReader
from fireside.remote.delta_builder import AnswerReader
from fireside.remote.ollama import OllamaReader
from fireside.remote.openai import OpenAIReader
from fireside.remote.reasoning_splitter import ReasoningSplitter
from fireside.remote.remote_answers import AnswerBody

RECORDED = Path(__file__).parent / "recorded"
OLLAMA_LINES: list[dict[str, Any]] = [
    {"model": "q", "created_at": "2025", "message": {"role": "assistant", "content": "", "thinking": "Hm."}},
    {"model": "q", "message": {"role": "assistant", "content": "Blue "}, "done": False},
    {"model": "q", "message": {"role": "assistant", "content": "light."}, "done": False},
    {
        "model": "q",
        "message": {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "weather", "arguments": {"at": "Ulm"}}}],
        },
        "done": False,
    },
    {
        "model": "q",
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 26,
        "eval_count": 298,
        "total_duration": 4_935_886_791,
    },
]
OPENAI_CHUNKS: list[dict[str, Any]] = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"reasoning_content": "Hm."}),
    chunk({"content": "Blue "}),
    chunk({"content": "light."}),
    chunk({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "weather", "arguments": ""}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"at":"Ulm"}'}}]}),
    chunk({}, finish="tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 4, "prompt_tokens_details": {"cached_tokens": 2}}},
]
ODD: list[Any] = [None, 5, -1.5, True, "odd", "", [], {}, ["x"], {"x": 1}, [[]], "\ud800", 10**30]


def recorded(name: str) -> list[bytes]:
    """Return the events of a recorded stream."""

    async def read() -> list[bytes]:
        async def chunks() -> AsyncIterator[bytes]:
            yield (RECORDED / name).read_bytes()

        return [event async for event in AnswerBody(chunks()).events()]

    return asyncio.run(read())


def read_all(reader: AnswerReader, events: Sequence[bytes]) -> list[TextDelta]:
    deltas: list[TextDelta] = []
    for event in events:
        deltas += reader.read(event)
    return [*deltas, *reader.end()]


def text_of(deltas: Sequence[TextDelta], kind: OutputKind = OutputKind.ANSWER) -> str:
    return "".join(delta.text for delta in deltas if delta.kind is kind)


# Streams that others recorded


@pytest.mark.parametrize(
    ("name", "expected", "n_left_out"),
    [
        ("basic", "Hello there!", 0),
        ("compaction", "Hello there!", 1),
        ("context_management", "Hello there!", 0),
        ("fallback", "Hello there!", 1),
        ("message_delta_omitted_usage", "Hello there!", 0),
        (
            "server_tool_use",
            "Claude Opus 4.7 is now generally available with"
            " improvements in software engineering and vision capabilities.",
            2,
        ),
        ("unknown_events", "Hello there!", 0),
    ],
)
def test_the_streams_of_the_anthropic_library_are_read(name: str, expected: str, n_left_out: int) -> None:
    reader = AnthropicReader()
    assert text_of(read_all(reader, recorded(f"anthropic_{name}.txt"))) == expected
    assert (reader.n_not_understood, reader.is_done) == (n_left_out, True)


def test_events_that_are_not_known_change_no_usage() -> None:
    reader = AnthropicReader()
    read_all(reader, recorded("anthropic_unknown_events.txt"))
    assert (reader.usage.n_prompt, reader.usage.n_completion) == (11, 6)


def test_a_recorded_answer_of_mistral_is_read_with_its_reasoning() -> None:
    reader = OpenAIReader()
    deltas = read_all(reader, recorded("openai_mistral_thinking.txt"))
    thought = text_of(deltas, OutputKind.REASONING)
    assert thought == "Okay, the user is asking how to cross the street. This is a basic safety question."
    assert text_of(deltas) == " context or additional details, feel free to share!"
    assert (reader.n_not_understood, reader.usage.n_completion, reader.finish) == (0, 275, "stop")


# Anything may be odd


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from _paths(each, (*path, key))


def _mutated(event: bytes, data: st.DataObject) -> bytes:
    """Return an event with one value absent or odd, with an unknown one, or no JSON any more."""
    way = data.draw(st.sampled_from(["odd", "absent", "more", "broken"]))
    if way == "broken" or not event.startswith(b"{"):
        at = data.draw(st.integers(0, max(0, len(event) - 1)))
        return event[:at] + data.draw(st.sampled_from([b"", b"\xff", b"{", b'"', b"\x00"]))
    value = copy.deepcopy(json.loads(event))
    *parents, last = data.draw(st.sampled_from(list(_paths(value))))
    place = value
    for key in parents:
        place = place[key]
    if way == "odd":
        place[last] = data.draw(st.sampled_from(ODD))
    elif way == "absent":
        del place[last]
    elif isinstance(place, dict):
        place["unknown"] = data.draw(st.sampled_from(ODD))
    return json.dumps(value).encode()


def _events_of(name: str) -> tuple[Callable[[], AnswerReader], list[bytes]]:
    if name == "openai":
        return OpenAIReader, [json.dumps(each).encode() for each in OPENAI_CHUNKS] + [b"[DONE]"]
    if name == "ollama":
        return OllamaReader, [json.dumps(each).encode() for each in OLLAMA_LINES]
    return (OpenAIReader if name.startswith("openai") else AnthropicReader), recorded(name)


@given(
    st.data(),
    st.sampled_from(
        ["openai", "ollama", "openai_mistral_thinking.txt", "anthropic_basic.txt", "anthropic_tool_use.txt"]
    ),
)
@settings(max_examples=300, deadline=None)
def test_the_text_of_all_other_events_is_shown(data: st.DataObject, name: str) -> None:
    make, events = _events_of(name)
    odd = data.draw(st.sets(st.integers(0, len(events) - 1), min_size=1, max_size=3))
    changed = [_mutated(event, data) if n in odd else event for n, event in enumerate(events)]
    shown = read_all(make(), changed)
    kept = read_all(make(), [event for n, event in enumerate(events) if n not in odd])
    for kind in (OutputKind.ANSWER, OutputKind.REASONING):
        at = 0
        text = text_of(shown, kind)
        for delta in kept:
            if delta.kind is kind and delta.text.strip():
                at = text.find(delta.text.strip(), at)
                assert at >= 0, (text, delta)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_it_does_not_matter_where_packets_end(data: st.DataObject) -> None:
    whole = (RECORDED / "anthropic_basic.txt").read_bytes()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]

    async def read() -> list[bytes]:
        async def chunks() -> AsyncIterator[bytes]:
            for piece in pieces:
                yield piece

        return [event async for event in AnswerBody(chunks()).events()]

    assert asyncio.run(read()) == recorded("anthropic_basic.txt")


@pytest.mark.parametrize(
    ("content", "answer", "thought", "n_left_out"),
    [
        ([{"type": "text", "text": "Blue"}], "Blue", "", 0),
        (["Bl", {"type": "output_text", "text": "ue"}], "Blue", "", 0),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, "Blue"], "Blue", "Hm.", 0),
        (
            [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": {"value": "Blue"}}],
            "Blue",
            "Hm.",
            0,
        ),
        ([{"type": "refusal", "refusal": "No."}], "No.", "", 0),
        ([{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "Blue"}], "Blue", "", 1),
        ({"type": "text", "text": "Blue"}, "Blue", "", 0),
        (5, "5", "", 0),
        (True, "", "", 1),
        ([None, "Blue"], "Blue", "", 0),
    ],
)
def test_content_may_be_a_list_of_parts(content: Any, answer: str, thought: str, n_left_out: int) -> None:
    ollama = {"message": {"role": "assistant", "content": content}, "done": True}
    for reader, event in ((OpenAIReader(), chunk({"content": content})), (OllamaReader(), ollama)):
        deltas = read_all(reader, [json.dumps(event).encode()])
        assert (text_of(deltas), text_of(deltas, OutputKind.REASONING)) == (answer, thought)
        assert reader.n_not_understood == n_left_out


def test_tool_calls_of_all_kinds_of_servers_are_read() -> None:
    def calls(*deltas: dict[str, Any]) -> list[tuple[str, str]]:
        reader = OpenAIReader()
        read_all(reader, [json.dumps(chunk(delta)).encode() for delta in deltas])
        assert reader.reason is FinishReason.TOOL_CALL
        return [(call.name, call.arguments) for call in reader.tool_calls]

    whole = {"function": {"name": "a", "arguments": {"x": 1}}}
    assert calls({"tool_calls": [whole]}) == [("a", '{"x":1}')]
    assert calls({"tool_calls": whole}) == [("a", '{"x":1}')]
    assert calls({"function_call": {"name": "a", "arguments": "{}"}}) == [("a", "{}")]
    same_index = [{"index": 0, "id": n, "function": {"name": n, "arguments": "{}"}} for n in ("a", "b")]
    assert calls({"tool_calls": same_index}) == [("a", "{}"), ("b", "{}")]
    repeated = [
        {"index": 0, "id": "1", "function": {"name": "a", "arguments": piece}} for piece in ("{", "}")
    ]
    assert calls({"tool_calls": repeated[:1]}, {"tool_calls": repeated[1:]}) == [("a", "{}")]


# A lone </think>


@pytest.mark.parametrize(
    ("text", "folded", "answer"),
    [
        ("Let me see.\n</think>\n\nBlue", "Let me see.\n", "Blue"),
        ("So it is 4.</think>4", "So it is 4.", "4"),
        ("</think>\n\nBlue", None, "Blue"),
        ("\n</think>Blue", None, "Blue"),
        ("only thought</think>", "only thought", ""),
        ("I write `</think>` here.\n</think>\nBlue", "I write `</think>` here.\n", "Blue"),
        ("Use `</think>` to end.", None, "Use `</think>` to end."),
        ("```\na</think>\n```\nend", None, "```\na</think>\n```\nend"),
        ("The </think> tag ends it.", None, "The </think> tag ends it."),
        ("A tag (</think>) ends it.", None, "A tag (</think>) ends it."),
        ("Between <think> and </think>\nit thinks", None, "Between <think> and </think>\nit thinks"),
        ("<think>Hm.</think>\nThe tag:\n</think>\nx", None, "The tag:\n</think>\nx"),
        ("[THINK]Hm.[/THINK]Blue", None, "Blue"),
        ("a < b </thin", None, "a < b </thin"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_reasoning_that_only_ends_is_folded(text: str, folded: str | None, answer: str, size: int) -> None:
    splitter = ReasoningSplitter()
    pieces = []
    for at in range(0, len(text), size):
        pieces += splitter.split(text[at : at + size])
    pieces += splitter.end()
    kinds = [kind for kind, _ in pieces]
    assert (OutputKind.MARKUP in kinds) == (folded is not None)
    at = kinds.index(OutputKind.MARKUP) if folded is not None else 0
    before = "".join(piece for kind, piece in pieces[:at] if kind is OutputKind.ANSWER)
    after = "".join(piece for kind, piece in pieces[at:] if kind is OutputKind.ANSWER)
    assert (before, after) == (folded or "", answer)


def test_a_tag_is_text_where_reasoning_has_a_field_of_its_own() -> None:
    events = [chunk({"reasoning": "Hm."}), chunk({"content": "It is\n</think>\nthat ends it."})]
    deltas = read_all(OpenAIReader(), [json.dumps(event).encode() for event in events])
    assert text_of(deltas) == "It is\n</think>\nthat ends it."


# No stream, or no answer


@pytest.fixture
async def remote(remote: EnginesHarness, server: ModelServer) -> EnginesHarness:
    await remote.add(server.address)
    server.asked.clear()
    return remote


WHOLE = {
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "Blue",
                "reasoning_content": "Hm.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "w", "arguments": "{}"}}
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2},
}


@pytest.mark.parametrize("body", [json.dumps(WHOLE).encode(), json.dumps(WHOLE, indent=2).encode(), [WHOLE]])
async def test_a_whole_answer_is_used_where_a_stream_was_asked_for(
    remote: EnginesHarness, server: ModelServer, body: Any
) -> None:
    server.replies = [Reply(body=body, headers={"Content-Type": "application/json"})]
    events = await remote.ask()
    end = finished(events)
    assert (said(events), said(events, OutputKind.REASONING)) == ("Blue", "Hm.")
    assert (end.reason, end.usage.n_prompt, end.usage.n_completion) == (FinishReason.TOOL_CALL, 9, 2)
    assert [call.name for call in end.tool_calls] == ["w"]


def test_a_whole_message_of_anthropic_is_used() -> None:
    content = [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "Blue"},
        {"type": "tool_use", "id": "t", "name": "w", "input": {"a": 1}},
    ]
    whole = {"type": "message", "content": content, "stop_reason": "tool_use", "usage": {"input_tokens": 3}}
    reader = AnthropicReader()
    deltas = read_all(reader, [json.dumps(whole).encode()])
    assert (text_of(deltas), text_of(deltas, OutputKind.REASONING)) == ("Blue", "Hm.")
    assert [(call.name, call.arguments) for call in reader.tool_calls] == [("w", '{"a":1}')]
    assert (reader.is_done, reader.usage.n_prompt, reader.reason) == (True, 3, FinishReason.TOOL_CALL)


@pytest.mark.parametrize(
    "body",
    [
        b"".join(json.dumps(each).encode() + b"\n" for each in OPENAI_CHUNKS[:4])
        + b'{"choices":[{"finish_reason":"stop"}]}',
        b"".join(b"data: " + json.dumps(each).encode() + b"\n" for each in OPENAI_CHUNKS[:4])
        + b"data: [DONE]\n",
        b"".join(b"data:" + json.dumps(each).encode() + b"\r\n\r\n" for each in OPENAI_CHUNKS[:4])
        + b"data:[DONE]",
        b"\xef\xbb\xbf: hi\n\n"
        + b"".join(b"event: x\ndata: " + json.dumps(each).encode() + b"\n\n" for each in OPENAI_CHUNKS[:4])
        + b"data: [DONE]\n\n",
    ],
)
async def test_events_are_found_however_they_are_separated(
    remote: EnginesHarness, server: ModelServer, body: bytes
) -> None:
    server.replies = [Reply(body=body)]
    events = await remote.ask()
    assert said(events) == "Blue light."
    assert finished(events).reason is FinishReason.STOP


async def test_an_answer_with_a_done_and_no_reason_is_complete(
    remote: EnginesHarness, server: ModelServer
) -> None:
    server.replies = [Reply(events=[chunk({"content": "Blue"}), "[DONE]"])]
    assert finished(await remote.ask()).reason is FinishReason.STOP


async def test_what_is_not_understood_is_counted(remote: EnginesHarness, server: ModelServer) -> None:
    odd = ["{broken", chunk({"content": [{"type": "hologram"}]}), chunk({"tool_calls": [7]})]
    server.replies = [
        Reply(events=[chunk({"content": "Bl"}), *odd, chunk({"content": "ue"}, finish="stop"), "[DONE]"])
    ]
    events = await remote.ask()
    assert said(events) == "Blue"
    assert finished(events).n_not_understood == 3


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (
            Reply(
                body=b"<!DOCTYPE html><title>Sign in &amp; go</title>", headers={"Content-Type": "text/html"}
            ),
            "remote_answer_invalid",
            ["web page", "Sign in & go", "proxy"],
        ),
        (Reply(body=b"", headers={}), "remote_interrupted", ["before its answer began"]),
        (Reply(body=b"hello there"), "remote_answer_invalid", ["no answer", "hello there"]),
        (Reply(body={"status": "ok"}), "remote_answer_invalid", ["no answer", "status"]),
        (Reply(body={"error": {"message": "no GPU"}}), "remote_refused", ["reported an error: no GPU"]),
        (Reply(body={"error": "no GPU"}), "remote_refused", ["reported an error: no GPU"]),
        (Reply(body={"object": "error", "message": "no GPU", "code": 40301}), "remote_refused", ["no GPU"]),
        (Reply(body={"detail": "no GPU"}), "remote_refused", ["no GPU"]),
        (Reply(status=500, body=b"boom"), "remote_refused", ["(500) and could not answer: boom"]),
        (
            Reply(status=500, body=b"<html><title>Bad Gateway</title>"),
            "remote_refused",
            ["web page, “Bad Gateway”"],
        ),
        (Reply(status=500, body=b""), "remote_refused", ["no reason given"]),
        (
            Reply(status=400, body=[{"error": {"message": "bad key", "code": 400}}]),
            "remote_refused",
            ["bad key"],
        ),
        (
            Reply(status=422, body={"detail": [{"loc": ["body"], "msg": "field required"}]}),
            "remote_refused",
            ["field required"],
        ),
        (
            Reply(status=422, body={"object": "error", "message": {"detail": [{"msg": "Extra inputs"}]}}),
            "remote_refused",
            ["Extra inputs"],
        ),
        (Reply(status=500, body="text in JSON"), "remote_refused", ["text in JSON"]),
        (Reply(events=[chunk({}, finish="content_filter"), "[DONE]"]), "remote_blocked", ["content filter"]),
    ],
)
async def test_no_answer_has_its_true_reason(
    remote: EnginesHarness, server: ModelServer, reply: Reply, code: str, words: list[str]
) -> None:
    server.replies = [reply]
    error = failed(await remote.ask()).error
    assert error.code == code
    for word in words:
        assert word in error.sentence
    assert "200" not in error.sentence.replace(server.host, "")


async def test_a_web_page_in_place_of_models_is_called_so(remote: EnginesHarness) -> None:
    with model_server("openai") as other:
        other.pages = {path: Reply(body=b"<html><title>Welcome</title>") for path in other.pages}
        with pytest.raises(Exception, match="web page, “Welcome”"):
            await remote.add(other.address)
