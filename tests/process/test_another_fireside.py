"""A second Fireside as another engine: ``fireside serve`` in a process of its own, with a real model."""

from __future__ import annotations

import asyncio
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.engines_harness import EnginesHarness, engines_harness, failed, finished, said
from fakes.model_server import MODEL, Reply, model_server, text
from fakes.raised import refuses
from fakes.serving import Serving, serving
from fireside.core.generation import FinishReason, TextDelta
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.remote import RemoteEngine, RemoteModel, ServerKind
from fireside.core.task import GenerationTask, JsonSchemaConstraint
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.paths import locate

LONG = text_message(Role.USER, "Write a very long story about a fox and a hen.")


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path / "other", "--no-token") as other:
        yield other


def task(*, max_tokens: int, schema: str = "") -> GenerationTask:
    return GenerationTask(
        prompt=ChatInput(messages=(LONG,)),
        sampling=SamplingParams(temperature=0, max_tokens=max_tokens),
        chosen=("temperature", "max_tokens"),
        constraint=JsonSchemaConstraint(schema=schema) if schema else None,
        owner="chat 1",
    )


async def test_its_model_answers_and_reads_a_second_turn_from_its_cache(
    other: Serving, tmp_path: Path
) -> None:
    async with engines_harness(tmp_path) as place:
        found = await place.add(other.address)
        assert found.kind is ServerKind.FIRESIDE
        assert found.models[0].n_ctx == 1024
        first = finished(await place.ask(task=task(max_tokens=8)))
        assert first.reason is FinishReason.LENGTH
        assert first.usage.n_completion == 8
        assert first.timings.decode_s > 0
        again = finished(await place.ask(task=task(max_tokens=8)))
        # At temperature 0 the cache is used in whole units of 16 tokens.
        assert again.usage.n_cached == (again.usage.n_prompt - 1) // 16 * 16 > 0


async def test_its_answer_keeps_to_a_schema(other: Serving, tmp_path: Path) -> None:
    value = '{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]'
    schema = value + ',"additionalProperties":false}'
    async with engines_harness(tmp_path) as place:
        await place.add(other.address)
        events = await place.ask(task=task(max_tokens=40, schema=schema))
        assert said(events).replace(" ", "").replace("\n", "") in ('{"a":true}', '{"a":false}')


async def test_stop_ends_the_work_there(other: Serving, tmp_path: Path) -> None:
    async with engines_harness(tmp_path) as place:
        await place.add(other.address)

        def stop(number: int, event: object) -> None:
            if isinstance(event, TextDelta):
                place.service.answers.cancel(RequestId(number))

        events = await place.ask(task=task(max_tokens=900), on_event=stop)
        assert finished(events).reason is FinishReason.CANCELLED
        # With the only slots still at work, this one would wait for 900 tokens.
        assert finished(await place.ask(task=task(max_tokens=2))).usage.n_completion == 2


def test_killed_within_an_answer_what_came_is_kept_and_said(tmp_path: Path) -> None:
    async def story(other: Serving, harness: EnginesHarness) -> None:
        await harness.add(other.address)

        def kill(_: int, event: object) -> None:
            if isinstance(event, TextDelta):
                other.process.kill()

        events = await harness.ask(task=task(max_tokens=900), on_event=kill)
        assert said(events)
        assert failed(events).error.code == "remote_interrupted"
        assert failed(await harness.ask()).error.code == "remote_unreachable"

    async def run(other: Serving) -> None:
        async with engines_harness(tmp_path) as place:
            await story(other, place)

    with serving(tmp_path / "other", "--no-token") as other:
        asyncio.run(asyncio.wait_for(run(other), 120))


def test_it_wants_a_token(tmp_path: Path) -> None:
    async def story(address: str) -> None:
        async with engines_harness(tmp_path) as place:
            with refuses("remote_key_refused", match="requires an API key"):
                await place.add(address)

    with serving(tmp_path / "other") as other:
        asyncio.run(asyncio.wait_for(story(other.address), 60))


@pytest.mark.parametrize("offered", [True, False])
def test_it_offers_the_models_of_other_engines_only_where_the_user_says_so(
    offered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "other"
    folder = locate({"FIRESIDE_HOME": str(home / "fireside")}).data_folder
    folder.mkdir(parents=True)
    if offered:
        monkeypatch.setenv("FIRESIDE_API_REMOTE", "true")
    with model_server() as server:
        engine = RemoteEngine(
            id="e1", name="Elsewhere", address=server.address, models=(RemoteModel(name=MODEL, n_ctx=40960),)
        )
        EnginesFile(folder / ENGINES_NAME).write((engine,))
        content = (folder / ENGINES_NAME).read_bytes()
        refusal = {"error": {"message": "no", "param": "prompt_cache_key"}}
        server.replies = [Reply(status=400, body=refusal), text("Hello there")]
        body = {"model": MODEL, "messages": [{"role": "user", "content": "Hi"}]}
        with serving(home, "--no-token") as other:
            if offered:
                completion = other.ask("/v1/chat/completions", body, Content_Type="application/json")
                assert completion["choices"][0]["message"]["content"] == "Hello there"
            else:
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    other.ask("/v1/chat/completions", body, Content_Type="application/json")
        assert len(server.chats) == (2 if offered else 0)
    # The window may change the file at the same time: nothing else does.
    assert (folder / ENGINES_NAME).read_bytes() == content
