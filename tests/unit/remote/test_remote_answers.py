"""Answers of other engines: the same events as the local one's, whatever the server does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.engines_place import QUESTION, EnginesPlace, engines_place, failed, finished, said
from fakes.model_server import MODEL, ModelServer, Reply, chunk, model_server, text, used
from fireside.core.constraint import JsonSchemaConstraint, RegexConstraint
from fireside.core.generation import FinishReason, OutputKind, Retrying, TextDelta
from fireside.core.message import ChatMessage, DocumentPart, ImagePart, ReasoningPart, Role, TextPart
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, Reasoning, ToolDefinition
from fireside.core.task import GenerationTask

Story = Callable[[EnginesPlace, ModelServer], Awaitable[None]]


def play(folder: Path, story: Story, *, kind: str = "vllm", key: str = "") -> ModelServer:
    """Run ``story`` with an engine that was added; the requests that adding took are forgotten."""

    async def run(server: ModelServer) -> None:
        async with engines_place(folder) as place:
            await place.add(server.address, key=key)
            server.asked.clear()
            await story(place, server)

    with model_server(kind, key=key) as server:
        asyncio.run(asyncio.wait_for(run(server), 30))
        return server


def asked_for(task: GenerationTask, folder: Path, *, kind: str = "vllm") -> dict[str, Any]:
    """Return the body that ``task`` becomes."""

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        finished(await place.ask(task=task))

    body = play(folder, story, kind=kind).chats[0].body
    assert isinstance(body, dict)
    return body


def test_an_answer_streams_and_ends_with_the_server_s_figures(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [text("Blue ", "scatters.", usage=used(40, 9, n_cached=32))]
        events = await place.ask()
        assert said(events) == "Blue scatters."
        end = finished(events)
        assert (end.reason, end.n_ctx) == (FinishReason.STOP, 40960)
        assert (end.usage.n_prompt, end.usage.n_cached, end.usage.n_completion) == (40, 32, 9)
        assert end.timings.first_token_s > 0

    asked = play(tmp_path, story).chats[0]
    assert asked.body["model"] == MODEL
    assert asked.body["messages"] == [{"role": "user", "content": QUESTION.text}]
    assert asked.body["stream_options"] == {"include_usage": True}
    assert "authorization" not in asked.headers


@pytest.mark.parametrize(
    "events",
    [
        [chunk({"reasoning_content": "Hm."}), chunk({"content": "Blue"})],
        [chunk({"reasoning": "Hm."}), chunk({"content": "Blue"})],
        [chunk({"reasoning": "Hm.", "reasoning_content": "Hm."}), chunk({"content": "Blue"})],
        [chunk({"content": piece}) for piece in ("<th", "ink>H", "m.</thi", "nk>\n\nBlue")],
    ],
)
def test_reasoning_is_told_apart_under_each_of_its_names(events: list[Any], tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(events=[*events, chunk({}, finish="stop"), "[DONE]"])]
        came = await place.ask()
        assert said(came, OutputKind.REASONING) == "Hm."
        assert said(came) == "Blue"

    play(tmp_path, story)


def test_a_mark_that_is_none_is_part_of_the_answer(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [text("<thin", "g> and <think> in it"), text("<th")]
        assert said(await place.ask()) == "<thing> and <think> in it"
        assert said(await place.ask()) == "<th"

    play(tmp_path, story)


def test_tools_are_offered_and_their_calls_come_back_whole(tmp_path: Path) -> None:
    tool = ToolDefinition(name="weather", description="Looks out", parameters='{"type":"object"}')
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,), tools=(tool,)))

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        first = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": ""}}
        rest = [{"index": 0, "function": {"arguments": piece}} for piece in ('{"at":', '"Ulm"}')]
        calls = [chunk({"tool_calls": [call]}) for call in (first, *rest)]
        server.replies = [Reply(events=[*calls, chunk({}, finish="tool_calls"), "[DONE]"])]
        end = finished(await place.ask(task=task))
        assert end.reason is FinishReason.TOOL_CALL
        (call,) = end.tool_calls
        assert (call.id, call.name, call.arguments) == ("c1", "weather", '{"at":"Ulm"}')

    body = play(tmp_path, story).chats[0].body
    assert body["tools"][0]["function"]["parameters"] == {"type": "object"}


def test_stop_closes_the_connection_and_keeps_what_came(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(events=[chunk({"content": "Because"})], waits=True)]

        def stop(number: Any, event: object) -> None:
            if isinstance(event, TextDelta):
                place.service.answers.cancel(number)

        events = await place.ask(on_event=stop)
        assert said(events) == "Because"
        assert finished(events).reason is FinishReason.CANCELLED
        assert await asyncio.to_thread(server.left.wait, 20)

    play(tmp_path, story)


@pytest.mark.parametrize("events", [[chunk({"content": "Beca"})], [chunk({"content": "Beca"}), "[DONE]"]])
@pytest.mark.parametrize("breaks", [True, False])
def test_an_engine_that_dies_within_an_answer_is_said_and_what_came_is_kept(
    events: list[Any], breaks: bool, tmp_path: Path
) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(events=events, breaks=breaks)]
        came = await place.ask()
        assert said(came) == "Beca"
        error = failed(came).error
        assert error.code == "remote_interrupted"
        assert server.host in error.sentence
        assert len(server.chats) == 1  # what had begun is not asked again

    play(tmp_path, story)


def test_what_was_held_back_is_kept_too(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(events=[chunk({"content": "<thi"})], breaks=True)]
        came = await place.ask()
        assert said(came) == "<thi"
        assert failed(came).error.code == "remote_interrupted"

    play(tmp_path, story)


def test_an_error_within_a_stream_is_said_in_the_server_s_words(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(events=[chunk({"content": "Be"}), {"error": {"message": "GPU fell off"}}])]
        came = await place.ask()
        assert said(came) == "Be"
        assert "GPU fell off" in failed(came).error.sentence

    play(tmp_path, story)


@pytest.mark.parametrize("status", [429, 502, 503, 529])
def test_a_busy_engine_is_asked_again_with_a_countdown(status: int, tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(status=status, headers={"Retry-After": "0.02"}), text("Blue")]
        events = await place.ask()
        assert events[0] == Retrying(host=server.host, wait_s=1)
        assert said(events) == "Blue"
        assert len(server.chats) == 2

    play(tmp_path, story)


def test_an_engine_that_wants_to_be_left_alone_for_long_is_not_waited_for(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(status=503, headers={"Retry-After": "31"})]
        error = failed(await place.ask()).error
        assert (error.code, len(server.chats)) == ("remote_busy", 1)

    play(tmp_path, story)


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (Reply(status=401, body={}), "remote_key_refused", "requires an API key"),
        (Reply(status=404, body={"error": {"message": "no"}}), "remote_model_unknown", MODEL),
        (Reply(status=400, body={"message": "Too many tools"}), "remote_refused", "Too many tools"),
        (Reply(status=422, body={"detail": "Not this"}), "remote_refused", "Not this"),
        (Reply(status=500, body="a page"), "remote_refused", "500"),
        (
            Reply(
                status=400,
                body={
                    "error": {
                        "message": "long",
                        "code": "context_length_exceeded",
                        "n_prompt_tokens": 9000,
                        "n_ctx": 4096,
                    }
                },
            ),
            "context_length_exceeded",
            "9,000",
        ),
        (
            Reply(  # llama-server's
                status=400,
                body={
                    "error": {
                        "code": 400,
                        "message": "request (9000 tokens) exceeds the available context size (4096 tokens)",
                        "type": "exceed_context_size_error",
                        "n_prompt_tokens": 9000,
                        "n_ctx": 4096,
                    }
                },
            ),
            "context_length_exceeded",
            "9,000",
        ),
    ],
)
def test_a_refusal_is_worded_by_what_it_means(reply: Reply, code: str, words: str, tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [reply]
        error = failed(await place.ask()).error
        assert (error.code, len(server.chats)) == (code, 1)
        assert words in error.sentence

    play(tmp_path, story)


def test_a_parameter_that_is_refused_is_left_out_from_then_on(tmp_path: Path) -> None:
    refusal = {
        "error": {"message": "Unsupported parameter: 'prompt_cache_key'.", "param": "prompt_cache_key"}
    }

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(status=400, body=refusal), text("Blue"), text("Blue")]
        finished(await place.ask())
        finished(await place.ask())
        assert [("prompt_cache_key" in asked.body) for asked in server.chats] == [True, False, False]
        await place.service.close()
        (engine,) = place.file.read()
        assert engine.refused == ("prompt_cache_key",)

    play(tmp_path, story)


def test_a_newer_name_stands_in_for_max_tokens(tmp_path: Path) -> None:
    said_no = {
        "error": {"message": "Use 'max_completion_tokens' instead of 'max_tokens'.", "param": "max_tokens"}
    }
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,)), sampling=SamplingParams(max_tokens=5))

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(status=400, body=said_no), text("Blue")]
        finished(await place.ask(task=task))
        assert server.chats[1].body["max_completion_tokens"] == 5
        assert "max_tokens" not in server.chats[1].body

    play(tmp_path, story, kind="openai")


def test_what_makes_the_question_is_never_left_out(tmp_path: Path) -> None:
    refusal = {"error": {"message": "no", "param": "response_format"}}
    task = GenerationTask(
        prompt=ChatInput(messages=(QUESTION,)), constraint=JsonSchemaConstraint(schema='{"type":"object"}')
    )

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [Reply(status=400, body=refusal), text("{}")]
        assert failed(await place.ask(task=task)).error.code == "remote_refused"

    play(tmp_path, story)


def test_an_answer_ends_at_its_mark_though_the_connection_stays_open(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        events = [chunk({"content": "Blue"}), chunk({}, finish="stop"), "[DONE]"]
        server.replies = [Reply(events=events, waits=True)]
        assert finished(await place.ask()).reason is FinishReason.STOP
        assert await asyncio.to_thread(server.left.wait, 20)

    play(tmp_path, story)


def test_an_answer_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fireside.remote.text_intake._MOST_CHARACTERS", 100)

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        server.replies = [text(*["word "] * 50)]
        assert failed(await place.ask()).error.code == "remote_answer_invalid"

    play(tmp_path, story)


def test_a_request_that_is_cancelled_before_it_began_ends_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = asyncio.create_task

    def cancelled_at_once(work: Any, **named: Any) -> asyncio.Task[Any]:
        task = create(work, **named)
        task.cancel()
        return task

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "create_task", cancelled_at_once)
            assert finished(await place.ask()).reason is FinishReason.CANCELLED
        assert server.chats == []

    play(tmp_path, story)


def test_files_pictures_and_earlier_thoughts_are_worded_as_servers_want_them(tmp_path: Path) -> None:
    messages = (
        ChatMessage(role=Role.SYSTEM, parts=(TextPart(text="Be brief."),)),
        ChatMessage(role=Role.ASSISTANT, parts=(ReasoningPart(text="Hm"), TextPart(text="Hi"))),
        ChatMessage(
            role=Role.USER,
            parts=(
                ImagePart(data=b"png", media_type="image/png"),
                DocumentPart(name="a.txt", media_type="text/plain", text="inside"),
                TextPart(text="What?"),
            ),
        ),
    )
    body = asked_for(GenerationTask(prompt=ChatInput(messages=messages)), tmp_path)
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1] == {"role": "assistant", "content": "Hi", "reasoning_content": "Hm"}
    image, document, words = body["messages"][2]["content"]
    assert image["image_url"]["url"] == "data:image/png;base64,cG5n"
    assert "inside" in document["text"]
    assert words == {"type": "text", "text": "What?"}


def test_each_server_is_told_what_it_knows(tmp_path: Path) -> None:
    sampling = SamplingParams(top_k=0, repeat_penalty=1.1, stop=("END",), seed=4)
    prompt = ChatInput(messages=(QUESTION,), reasoning=Reasoning.OFF)
    task = GenerationTask(prompt=prompt, sampling=sampling)
    vllm = asked_for(task, tmp_path / "a", kind="vllm")
    assert (vllm["top_k"], vllm["repetition_penalty"]) == (-1, 1.1)
    assert vllm["chat_template_kwargs"] == {"enable_thinking": False}
    assert (vllm["stop"], vllm["seed"]) == (["END"], 4)
    llama = asked_for(task, tmp_path / "b", kind="llama_server")
    assert llama["repeat_penalty"] == 1.1
    plain = asked_for(task, tmp_path / "c", kind="openai")
    assert not {"top_k", "min_p", "repeat_penalty", "chat_template_kwargs"} & plain.keys()
    assert plain["reasoning_effort"] == "none"


def test_a_session_is_the_same_for_a_chat_and_tells_nothing(tmp_path: Path) -> None:
    async def story(place: EnginesPlace, server: ModelServer) -> None:
        task = GenerationTask(prompt=ChatInput(messages=(QUESTION,)), owner="chat 1")
        for owner in ("chat 1", "chat 1", "chat 2"):
            await place.ask(task=msgspec.structs.replace(task, owner=owner))
        one, again, other = (asked.headers["x-session-id"] for asked in server.chats)
        assert one == again != other
        assert one == server.chats[0].body["prompt_cache_key"]
        assert "chat" not in one

    play(tmp_path, story)


def test_what_a_server_cannot_do_is_said_before_anything_is_sent(tmp_path: Path) -> None:
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,)), constraint=RegexConstraint(pattern="a+"))

    async def story(place: EnginesPlace, server: ModelServer) -> None:
        assert failed(await place.ask(task=task)).error.code == "remote_unable"
        assert server.asked == []

    play(tmp_path, story)
