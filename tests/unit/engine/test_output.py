"""Kinds of text, logprobs, tool calls and cache use reach the reader unchanged."""

from __future__ import annotations

from fakes.engine_harness import EngineHarness, a_request, events_of, settle
from fakes.fake_runner import Answers, FakeSpawner, Script, Stretch
from fireside.core.generation import (
    CacheMiss,
    CacheUse,
    Finished,
    FinishReason,
    OutputKind,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
    Truncation,
)
from fireside.core.message import ToolCallPart
from fireside.core.options import LoadOptions
from fireside.engine.engine import Engine
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import Host
from fireside.engine.planning.planner import Planner
from fireside.engine.request_state import MAX_UNREAD_CHARACTERS, EventBuffer
from fireside.wire.messages import CacheOptions, Load

LIKELY = TokenProbability(5, b" sky", -0.1)
LOGPROBS = (TokenLogprobs(LIKELY, (LIKELY, TokenProbability(6, b" sea", -2.5))),)
CALL = ToolCallPart(id="1", name="look", arguments="{}")


def harness_of(script: Script) -> EngineHarness:
    return EngineHarness(spawner=FakeSpawner(lambda _number, _name: script))


async def test_kinds_of_text_stay_separate_and_in_order() -> None:
    script = Script(
        pieces=(
            Stretch(text="<think>", kind=OutputKind.MARKUP),
            Stretch(text="Hm", kind=OutputKind.REASONING),
            Stretch(text="m.", kind=OutputKind.REASONING),
            Stretch(text="</think>", kind=OutputKind.MARKUP),
            "Blue.",
        )
    )
    harness = harness_of(script)
    stream = harness.engine.generate(a_request(1))
    await settle()
    tokens = [event for event in await events_of(stream) if isinstance(event, TextDelta)]
    assert [(event.kind, event.text) for event in tokens] == [
        (OutputKind.MARKUP, "<think>"),
        (OutputKind.REASONING, "Hmm."),
        (OutputKind.MARKUP, "</think>"),
        (OutputKind.ANSWER, "Blue."),
    ]
    assert [event.n_completion for event in tokens] == [1, 3, 4, 5]
    await harness.engine.close()


async def test_logprobs_are_kept_also_for_held_back_text() -> None:
    script = Script(pieces=(Stretch(text="", logprobs=LOGPROBS), Stretch(text="ab", logprobs=LOGPROBS)))
    harness = harness_of(script)
    stream = harness.engine.generate(a_request(1))
    await settle()
    tokens = [event for event in await events_of(stream) if isinstance(event, TextDelta)]
    assert tokens == [TextDelta(text="ab", n_completion=2, logprobs=LOGPROBS * 2)]
    await harness.engine.close()


async def test_the_last_event_has_tool_calls_cache_use_and_truncation() -> None:
    cache = CacheUse(n_context=1, n_disk=2, miss=CacheMiss.EDITED)
    shifted = Truncation(n_messages=0, n_tokens=40, n_shifted=40)
    harness = harness_of(Script(tool_calls=(CALL,), cache=cache, truncation=shifted))
    end = (await events_of(harness.engine.generate(a_request(1))))[-1]
    assert isinstance(end, Finished)
    assert (end.tool_calls, end.usage.cache, end.truncation) == ((CALL,), cache, shifted)
    await harness.engine.close()


async def test_reasoning_tokens_are_known_if_the_runner_ends_early() -> None:
    pieces = tuple(Stretch(text="hm ", kind=OutputKind.REASONING) for _ in range(3))
    harness = harness_of(Script(pieces=(*pieces, "So"), answers=Answers.HANG))
    stream = harness.engine.generate(a_request(1))
    await settle()
    await harness.engine.unload(a_request(1).spec.id)
    end = (await events_of(stream))[-1]
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    assert (end.usage.n_completion, end.usage.n_reasoning) == (4, 3)
    await harness.engine.close()


async def test_many_tiny_segments_fill_the_buffer_like_text() -> None:
    events = EventBuffer()
    for number in range(MAX_UNREAD_CHARACTERS // 256 + 1):
        kind = OutputKind.ANSWER if number % 2 else OutputKind.MARKUP
        events.post(TextDelta(text="x", n_completion=number, kind=kind))
    assert events.is_full
    await events.get()
    assert not events.is_full


async def test_logprobs_without_text_fill_the_buffer_too() -> None:
    events = EventBuffer()
    for number in range(MAX_UNREAD_CHARACTERS // 64):
        events.post(TextDelta(text="", n_completion=number, logprobs=LOGPROBS))
    assert events.is_full


async def test_each_load_gets_the_current_cache_limits() -> None:
    spawner = FakeSpawner()
    base = EngineHarness()

    def cache() -> CacheOptions:
        return CacheOptions(folder="/cache", memory_bytes=10 * len(spawner.runners), disk_bytes=1)

    engine = Engine(
        EngineContext(
            spawn=spawner,
            clock=base.clock,
            probe=lambda: Host(n_cores=1, available_bytes=1 << 40),
            planner=Planner(cache=cache),
            cache=cache,
        ),
        on_status=lambda _status: None,
    )
    await events_of(engine.generate(a_request(1)))
    await events_of(engine.generate(a_request(2, options=LoadOptions(n_ctx=512))))
    await engine.close()
    loads = [
        command for runner in spawner.runners for command in runner.received if isinstance(command, Load)
    ]
    assert [load.cache.memory_bytes for load in loads] == [10, 20]
    assert loads[0].cache.folder == "/cache"
