"""Failures that a runner words, from the real one, said in German."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.children import real_spawner, starter_at
from fakes.engine_harness import end_of
from fakes.german import compiled_german, english_in, speaking_german
from fakes.live_engine import first_text, live_engine
from fireside.core.generation import Failed, Overflow
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import (
    CacheType,
    FlashAttention,
    LoadOptions,
    LoraAdapter,
    SamplingParams,
)
from fireside.core.prompt_input import ChatInput
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    GenerationTask,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.engine.request import GenerationRequest

OPTIONS = LoadOptions(n_ctx=512, n_threads=1, n_gpu_layers=0)
PLAIN = SamplingParams(temperature=0, max_tokens=4)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_german(tmp_path_factory.mktemp("german"))


@pytest.fixture
def german(compiled: Path) -> Iterator[None]:
    with speaking_german(compiled):
        yield


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """One request that cannot be answered, and how its error begins and goes on."""

    says: str
    sampling: SamplingParams = PLAIN
    rule: Constraint | None = None
    text: str = "Hallo."
    options: LoadOptions = field(default=OPTIONS)


def options(**changes: Any) -> LoadOptions:
    return msgspec.structs.replace(OPTIONS, **changes)


WRONG = {
    "parameter": Wrong(
        sampling=SamplingParams(temperature=-1.5),
        says="Die Einstellung „temperature“ ist nicht verwendbar: -1,5 liegt nicht zwischen 0 und ",
    ),
    "huge number": Wrong(
        sampling=SamplingParams(top_k=10**18), says="eine Zahl mit sehr vielen Stellen liegt nicht"
    ),
    "no JSON": Wrong(rule=JsonSchemaConstraint(schema='{"type": '), says="das ist kein gültiges JSON ("),
    "wrong schema": Wrong(
        rule=JsonSchemaConstraint(schema='{"type": "elephant"}'),
        says="(JSON-Schema): „type“ bei / lässt sich nicht erzwingen.",
    ),
    "pattern": Wrong(rule=RegexConstraint(pattern="a{1,2"), says="Ungültig (regulärer Ausdruck)"),
    "too many repetitions": Wrong(
        rule=RegexConstraint(pattern="a{99999999}"), says="Wiederholungen sind zu viele"
    ),
    "grammar": Wrong(rule=LarkConstraint(grammar="start: nowhere"), says="Ungültig (grammar)"),
    "GBNF": Wrong(rule=GbnfConstraint(grammar="root ::= ("), says="Ungültig (grammar)"),
    "too long": Wrong(text="eins zwei drei vier " * 400, says="3.231 Tokens, der Kontext fasst 512"),
    "far too long": Wrong(text="x" * 400_000, says="kB"),
    "batch": Wrong(options=options(n_batch=0), says="liegt nicht zwischen"),
    "cache": Wrong(
        options=options(flash_attn=FlashAttention.OFF, cache_type_v=CacheType.Q8_0),
        says="braucht Flash Attention",
    ),
    "no such adapter": Wrong(
        options=options(lora=(LoraAdapter(path="/nowhere/a.gguf", scale=1.0),)), says="/nowhere"
    ),
}


def request(model: Path, wrong: Wrong, *, number: int = 1) -> GenerationRequest:
    return GenerationRequest(
        request_id=RequestId(number),
        spec=starter_at(model),
        options=wrong.options,
        task=GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, wrong.text),)),
            sampling=wrong.sampling,
            constraint=wrong.rule,
            overflow=Overflow.REFUSE,
        ),
    )


def sentence_of(model: Path, wrong: Wrong) -> str:
    async def scenario() -> str:
        async with live_engine(real_spawner()) as (engine, _spawn):
            end = await end_of(engine.generate(request(model, wrong)))
            assert isinstance(end, Failed), end
            return end.error.sentence

    return asyncio.run(scenario())


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("kind", WRONG)
def test_what_cannot_be_answered_is_said_in_german(kind: str, starter_model_path: Path) -> None:
    sentence = sentence_of(starter_model_path, WRONG[kind])
    assert WRONG[kind].says in sentence
    assert english_in(sentence) == [], sentence


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("kept_bytes", [0, 3, 200, 60_000_000], ids=["empty", "a few", "a header", "most"])
def test_a_damaged_file_is_said_in_german(kept_bytes: int, starter_model_path: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "kaputt.gguf"
    damaged.write_bytes(starter_model_path.read_bytes()[:kept_bytes])
    sentence = sentence_of(damaged, Wrong(says=""))
    assert english_in(sentence) == [], sentence


@pytest.mark.usefixtures("german")
@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM"])
def test_a_dead_runner_is_said_in_german(end: str, starter_model_path: Path) -> None:
    async def scenario() -> str:
        async with live_engine(real_spawner()) as (engine, spawn):
            endless = Wrong(says="", sampling=SamplingParams(temperature=0, max_tokens=None), text="Zähle.")
            stream = engine.generate(request(starter_model_path, endless))
            await first_text(stream)
            os.kill(spawn.pids[0], getattr(signal, end))
            failed = await end_of(stream)
            assert isinstance(failed, Failed), failed
            return failed.error.sentence

    sentence = asyncio.run(scenario())
    assert "ist abgestürzt" in sentence
    assert english_in(sentence) == [], sentence
