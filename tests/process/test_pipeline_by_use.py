"""The whole pipeline as a program uses it: the engine, a real runner, the starter model or a tiny one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from fakes.children import model_at, real_spawner, starter_at
from fakes.engine_harness import events_of, text_of
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    PromptProgress,
    TextDelta,
    WhenFull,
)
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, Purpose, SamplingParams, Speculation
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    PromptInput,
    TextInput,
    ToolChoice,
    ToolDefinition,
    ToolMode,
)
from fireside.core.task import GenerationTask, JsonSchemaConstraint
from fireside.engine.clock import LoopClock
from fireside.engine.engine import Engine
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import probe_host
from fireside.engine.planning.planner import Planner
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import GenerationStream
from fireside.wire.messages import CacheOptions
from llama.tiny_models import write_llama

OPTIONS = LoadOptions(n_ctx=1024, n_threads=1, n_gpu_layers=0)
GREEDY = SamplingParams(temperature=0, max_tokens=8)
LONG = "The quick brown fox jumps over the lazy dog and runs away. " * 20
WEATHER = ToolDefinition(
    name="get_weather",
    description="Tells the weather of a city.",
    parameters=json.dumps(
        {
            "type": "object",
            "properties": {
                "city": {"type": "string", "maxLength": 12},
                "unit": {"enum": ["celsius", "fahrenheit"]},
            },
            "required": ["city", "unit"],
            "additionalProperties": False,
        }
    ),
)


class Program:
    """An engine with a model, and what a program asks of it."""

    def __init__(self, engine: Engine, spec: ModelSpec, options: LoadOptions) -> None:
        self.engine = engine
        self._spec = spec
        self._options = options
        self._numbers = count(1)

    def begin(self, task: GenerationTask, *, options: LoadOptions | None = None) -> GenerationStream:
        return self.engine.generate(
            GenerationRequest(
                request_id=RequestId(next(self._numbers)),
                spec=self._spec,
                options=options or self._options,
                task=task,
            )
        )

    async def ask(self, task: GenerationTask) -> list[GenerationEvent]:
        return await events_of(self.begin(task))


@asynccontextmanager
async def program(
    spec: ModelSpec, options: LoadOptions = OPTIONS, *, cache: CacheOptions | None = None
) -> AsyncIterator[Program]:
    def kept() -> CacheOptions:
        return cache or CacheOptions()

    engine = Engine(
        EngineContext(
            spawn=real_spawner(),
            clock=LoopClock(),
            probe=probe_host,
            planner=Planner(cache=kept),
            cache=kept,
        ),
        on_status=lambda _: None,
    )
    try:
        yield Program(engine, spec, options)
    finally:
        await engine.close()


def chat(*texts: str) -> ChatInput:
    roles = (Role.USER, Role.ASSISTANT)
    messages: tuple[ChatMessage, ...] = tuple(
        text_message(roles[turn % 2], text) for turn, text in enumerate(texts)
    )
    return ChatInput(messages=messages)


def task_of(prompt: PromptInput | str, sampling: SamplingParams = GREEDY, **changes: Any) -> GenerationTask:
    task = GenerationTask(prompt=chat(prompt) if isinstance(prompt, str) else prompt, sampling=sampling)
    return msgspec.structs.replace(task, **changes)


def finished(events: list[GenerationEvent]) -> Finished:
    end = events[-1]
    assert isinstance(end, Finished), end
    return end


@pytest.fixture
def spec(starter_model_path: Path) -> ModelSpec:
    return starter_at(starter_model_path)


@pytest.fixture
def short(short_model_path: Path) -> ModelSpec:
    """For what is not about the sense of an answer."""
    return model_at(short_model_path)


async def test_an_answer_by_a_schema_parses(spec: ModelSpec) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"type": "string", "maxLength": 10}, "n": {"type": "integer", "maximum": 9}},
        "required": ["colour", "n"],
        "additionalProperties": False,
    }
    async with program(spec) as it:
        for seed in (1, 2):
            events = await it.ask(
                task_of(
                    "Describe an apple.",
                    SamplingParams(seed=seed, max_tokens=80),
                    constraint=JsonSchemaConstraint(schema=json.dumps(schema)),
                )
            )
            value = json.loads(text_of(events))
            assert finished(events).reason is FinishReason.STOP
            assert set(value) == {"colour", "n"}
            assert value["n"] <= 9


async def test_a_required_tool_is_called_by_its_schema(spec: ModelSpec) -> None:
    async with program(spec) as it:
        prompt = msgspec.structs.replace(
            chat("How is the weather in Paris?"),
            tools=(WEATHER,),
            tool_choice=ToolChoice(mode=ToolMode.REQUIRED),
        )
        events = await it.ask(task_of(prompt, SamplingParams(seed=3, max_tokens=120)))
        end = finished(events)
        assert end.reason is FinishReason.TOOL_CALL
        (call,) = end.tool_calls
        assert call.name == "get_weather"
        arguments = json.loads(call.arguments)
        assert set(arguments) == {"city", "unit"}
        assert arguments["unit"] in ("celsius", "fahrenheit")


async def test_several_answers_to_one_prompt_read_it_once(short: ModelSpec) -> None:
    options = msgspec.structs.replace(OPTIONS, n_seq_max=3)
    async with program(short, options) as it:
        tasks = [task_of(LONG, SamplingParams(seed=seed, max_tokens=6)) for seed in (1, 2, 3)]
        ends = [finished(events) for events in await asyncio.gather(*map(it.ask, tasks))]
        n_read = sum(end.usage.n_prompt - end.usage.n_cached for end in ends)
        assert n_read < 1.1 * ends[0].usage.n_prompt
        assert sum(end.usage.cache.n_context == end.usage.n_cached > 200 for end in ends) == 2


async def test_thinking_ends_with_its_budget_and_the_answer_follows(tmp_path: Path) -> None:
    template = (
        "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
        "{% if add_generation_prompt %}[assistant]<think>\n{% endif %}"
    )
    path = write_llama(tmp_path / "thinker.gguf", chat_template=template)
    tiny = msgspec.structs.replace(starter_at(path), name="Thinker", n_layers=2)
    options = msgspec.structs.replace(OPTIONS, n_ctx=512)
    async with program(tiny, options) as it:
        sampling = SamplingParams(seed=5, max_tokens=60, ignore_eos=True, guard_repetition=False)
        events = await it.ask(task_of("why", sampling, thinking_budget=10))
        usage = finished(events).usage
        kinds = [event.kind for event in events if isinstance(event, TextDelta)]
        assert kinds[0] is OutputKind.REASONING
        assert kinds[-1] is OutputKind.ANSWER
        # A character may need a few tokens more to be whole; the letters of the mark are tokens too.
        assert 1 <= usage.n_reasoning <= 10 + 4
        assert "</think>" in text_of(events)


async def test_there_are_as_many_probabilities_as_tokens(short: ModelSpec) -> None:
    async with program(short) as it:
        events = await it.ask(
            task_of("Say 你好 and 👋.", SamplingParams(seed=2, max_tokens=20, top_logprobs=3))
        )
        entries = [entry for event in events if isinstance(event, TextDelta) for entry in event.logprobs]
        assert len(entries) == finished(events).usage.n_completion
        assert all(len(entry.top) == 3 and entry.chosen.logprob <= 0 for entry in entries)


async def test_an_answer_goes_on_when_the_context_is_full(short: ModelSpec) -> None:
    options = msgspec.structs.replace(OPTIONS, n_ctx=256, n_seq_max=1)
    async with program(short, options) as it:
        sampling = SamplingParams(temperature=0, max_tokens=60, ignore_eos=True, guard_repetition=False)
        words = "one two three four five six seven eight nine ten " * 18
        events = await it.ask(task_of(words, sampling, when_full=WhenFull.SHIFT))
        end = finished(events)
        assert (end.reason, end.usage.n_completion) == (FinishReason.LENGTH, 60)
        assert end.usage.n_prompt + 60 > end.n_ctx
        assert end.truncation is not None
        assert end.truncation.n_shifted > 0


def test_a_conversation_comes_back_from_disk_after_a_restart(short: ModelSpec, tmp_path: Path) -> None:
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=64 << 20)

    async def one_run(*texts: str) -> tuple[str, Finished]:
        async with program(short, cache=cache) as it:
            events = await it.ask(task_of(chat(*texts), owner="conversation/1"))
            return text_of(events), finished(events)

    first, _ = asyncio.run(one_run(LONG))
    _, end = asyncio.run(one_run(LONG, first, "And then?"))
    assert end.usage.cache.n_disk > 200
    assert end.usage.n_prompt - end.usage.n_cached < 60


async def test_the_starter_model_turns_texts_into_vectors(spec: ModelSpec) -> None:
    options = msgspec.structs.replace(OPTIONS, purpose=Purpose.EMBED)
    async with program(spec, options) as it:
        events = await it.ask(task_of(EmbeddingInput(texts=("a cat", "a dog", "a cat"))))
        assert isinstance(events[-1], Finished)
        vectors = {
            event.index: np.frombuffer(event.vector, "<f4") for event in events if isinstance(event, Embedded)
        }
        assert sorted(vectors) == [0, 1, 2]
        assert vectors[0] @ vectors[2] == pytest.approx(1, abs=1e-3)
        assert vectors[0] @ vectors[1] < 0.9999
        wrong = (await it.ask(task_of("Hello.")))[-1]
        assert isinstance(wrong, Failed)
        assert wrong.error.code == "model_unsuited"


async def test_guesses_from_the_prompt_change_nothing(spec: ModelSpec) -> None:
    # Repacked weights compute one token in other portions than several.
    plain = msgspec.structs.replace(OPTIONS, use_repack=False)
    guessing = msgspec.structs.replace(plain, speculation=Speculation.PROMPT_LOOKUP)
    prompt = TextInput(text="red green blue black white, " * 12)
    async with program(spec, plain) as it:
        sampling = SamplingParams(temperature=0, max_tokens=30, ignore_eos=True, guard_repetition=False)
        expected = text_of(await it.ask(task_of(prompt, sampling)))
        events = await events_of(it.begin(task_of(prompt, sampling), options=guessing))
        assert text_of(events) == expected
        assert finished(events).usage.n_draft_accepted > 0


async def test_cancel_while_the_prompt_is_read_keeps_what_was_read(short: ModelSpec) -> None:
    options = msgspec.structs.replace(OPTIONS, n_batch=32, n_ubatch=32)
    async with program(short, options) as it:
        stream = it.begin(task_of(LONG))
        events: list[GenerationEvent] = []
        async for event in stream:
            events.append(event)
            if isinstance(event, PromptProgress) and 0 < event.n_done < event.n_total:
                it.engine.cancel(stream.request_id)
        assert finished(events).reason is FinishReason.CANCELLED
        again = finished(await it.ask(task_of(LONG)))
        assert again.usage.n_cached >= 32
