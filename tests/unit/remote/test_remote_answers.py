"""Answers of remote engines have the events of the local engine, whatever the server does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.engines_harness import QUESTION, EnginesHarness, engines_harness, failed, finished, said
from fakes.model_server import MODEL, ModelServer, Reply, chunk, model_server, text, used
from fireside.core.events import RemoteModelsChanged
from fireside.core.generation import FinishReason, GenerationEvent, OutputKind, Retrying, TextDelta
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, DocumentPart, ImagePart, ReasoningPart, Role, TextPart
from fireside.core.options import SamplerKind, SamplingParams
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolDefinition
from fireside.core.remote import RemoteLocation, RemoteModel, ServerKind
from fireside.core.task import GenerationTask, JsonSchemaConstraint, RegexConstraint
from fireside.remote.remote_answers import session_id


@pytest.fixture
async def remote(remote: EnginesHarness, server: ModelServer) -> EnginesHarness:
    """With an engine that was added; the requests that adding took are forgotten."""
    await remote.add(server.address)
    server.asked.clear()
    return remote


async def test_an_answer_streams_and_ends_with_the_servers_usage(
    remote: EnginesHarness, server: ModelServer
) -> None:
    server.replies = [text("Blue ", "scatters.", usage=used(40, 9, n_cached=32))]
    events = await remote.ask()
    assert said(events) == "Blue scatters."
    end = finished(events)
    assert (end.reason, end.n_ctx) == (FinishReason.STOP, 40960)
    assert (end.usage.n_prompt, end.usage.n_cached, end.usage.n_completion) == (40, 32, 9)
    assert end.timings.first_token_s > 0
    asked = server.chats[0]
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
async def test_reasoning_is_recognized_under_each_of_its_names(
    remote: EnginesHarness, server: ModelServer, events: list[Any]
) -> None:
    server.replies = [Reply(events=[*events, chunk({}, finish="stop"), "[DONE]"])]
    came = await remote.ask()
    assert said(came, OutputKind.REASONING) == "Hm."
    assert said(came) == "Blue"


async def test_an_incomplete_tag_is_part_of_the_answer(remote: EnginesHarness, server: ModelServer) -> None:
    server.replies = [text("<thin", "g> and <think> in it"), text("<th")]
    assert said(await remote.ask()) == "<thing> and <think> in it"
    assert said(await remote.ask()) == "<th"


async def test_tools_are_sent_and_calls_are_assembled(remote: EnginesHarness, server: ModelServer) -> None:
    tool = ToolDefinition(name="weather", description="Looks out", parameters='{"type":"object"}')
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,), tools=(tool,)))
    first = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": ""}}
    rest = [{"index": 0, "function": {"arguments": piece}} for piece in ('{"at":', '"Ulm"}')]
    calls = [chunk({"tool_calls": [call]}) for call in (first, *rest)]
    server.replies = [Reply(events=[*calls, chunk({}, finish="tool_calls"), "[DONE]"])]
    end = finished(await remote.ask(task=task))
    assert end.reason is FinishReason.TOOL_CALL
    (call,) = end.tool_calls
    assert (call.id, call.name, call.arguments) == ("c1", "weather", '{"at":"Ulm"}')
    body = server.chats[0].body
    assert body["tools"][0]["function"]["parameters"] == {"type": "object"}


async def test_cancelling_closes_the_connection_and_keeps_the_text(
    remote: EnginesHarness, server: ModelServer
) -> None:
    server.replies = [Reply(events=[chunk({"content": "Because"})], waits=True)]

    def stop(number: Any, event: object) -> None:
        if isinstance(event, TextDelta):
            remote.service.answers.cancel(number)

    events = await remote.ask(on_event=stop)
    assert said(events) == "Because"
    assert finished(events).reason is FinishReason.CANCELLED
    assert await asyncio.to_thread(server.left.wait, 20)


@pytest.mark.parametrize("breaks", [True, False])
async def test_an_interrupted_answer_fails_and_keeps_the_text(
    remote: EnginesHarness, server: ModelServer, breaks: bool
) -> None:
    server.replies = [Reply(events=[chunk({"content": "Beca"})], breaks=breaks)]
    came = await remote.ask()
    assert said(came) == "Beca"
    error = failed(came).error
    assert error.code == "remote_interrupted"
    assert server.host in error.sentence
    assert len(server.chats) == 1  # what had begun is not asked again


async def test_buffered_text_is_kept_too(remote: EnginesHarness, server: ModelServer) -> None:
    server.replies = [Reply(events=[chunk({"content": "<thi"})], breaks=True)]
    came = await remote.ask()
    assert said(came) == "<thi"
    assert failed(came).error.code == "remote_interrupted"


async def test_an_error_within_a_stream_quotes_the_server(
    remote: EnginesHarness, server: ModelServer
) -> None:
    server.replies = [Reply(events=[chunk({"content": "Be"}), {"error": {"message": "GPU fell off"}}])]
    came = await remote.ask()
    assert said(came) == "Be"
    assert "GPU fell off" in failed(came).error.sentence


@pytest.mark.parametrize("status", [429, 502, 503, 529])
async def test_a_busy_engine_is_retried_with_a_countdown(
    remote: EnginesHarness, server: ModelServer, status: int
) -> None:
    server.replies = [Reply(status=status, headers={"Retry-After": "0.02"}), text("Blue")]
    events = await remote.ask()
    assert events[0] == Retrying(host=server.host, wait_s=1)
    assert said(events) == "Blue"
    assert len(server.chats) == 2


async def test_a_long_retry_after_is_not_waited_for(remote: EnginesHarness, server: ModelServer) -> None:
    server.replies = [Reply(status=503, headers={"Retry-After": "31"})]
    error = failed(await remote.ask()).error
    assert (error.code, len(server.chats)) == ("remote_busy", 1)


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
async def test_an_http_error_becomes_a_typed_error(
    remote: EnginesHarness, server: ModelServer, reply: Reply, code: str, words: str
) -> None:
    server.replies = [reply]
    error = failed(await remote.ask()).error
    assert (error.code, len(server.chats)) == (code, 1)
    assert words in error.sentence


async def test_a_rejected_parameter_is_left_out_from_then_on(
    remote: EnginesHarness, server: ModelServer
) -> None:
    refusal = {
        "error": {"message": "Unsupported parameter: 'prompt_cache_key'.", "param": "prompt_cache_key"}
    }
    server.replies = [Reply(status=400, body=refusal), text("Blue"), text("Blue")]
    finished(await remote.ask())
    finished(await remote.ask())
    assert [("prompt_cache_key" in asked.body) for asked in server.chats] == [True, False, False]
    await remote.service.close()
    (engine,) = remote.file.read()
    assert engine.refused == ("prompt_cache_key",)


@pytest.mark.parametrize("kind", ["openai"])
async def test_max_completion_tokens_replaces_max_tokens(remote: EnginesHarness, server: ModelServer) -> None:
    said_no = {
        "error": {"message": "Use 'max_completion_tokens' instead of 'max_tokens'.", "param": "max_tokens"}
    }
    task = GenerationTask(
        prompt=ChatInput(messages=(QUESTION,)), sampling=SamplingParams(max_tokens=5), chosen=("max_tokens",)
    )
    server.replies = [Reply(status=400, body=said_no), text("Blue")]
    finished(await remote.ask(task=task))
    assert server.chats[1].body["max_completion_tokens"] == 5
    assert "max_tokens" not in server.chats[1].body


async def test_required_parameters_are_never_left_out(remote: EnginesHarness, server: ModelServer) -> None:
    refusal = {"error": {"message": "no", "param": "response_format"}}
    task = GenerationTask(
        prompt=ChatInput(messages=(QUESTION,)), constraint=JsonSchemaConstraint(schema='{"type":"object"}')
    )
    server.replies = [Reply(status=400, body=refusal), text("{}")]
    assert failed(await remote.ask(task=task)).error.code == "remote_refused"


async def test_an_answer_ends_at_done_though_the_connection_stays_open(
    remote: EnginesHarness, server: ModelServer
) -> None:
    events = [chunk({"content": "Blue"}), chunk({}, finish="stop"), "[DONE]"]
    server.replies = [Reply(events=events, waits=True)]
    assert finished(await remote.ask()).reason is FinishReason.STOP
    assert await asyncio.to_thread(server.left.wait, 20)


async def test_an_endless_answer_is_aborted(
    remote: EnginesHarness, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.remote.delta_builder._MAX_CHARACTERS", 100)
    server.replies = [text(*["word "] * 50)]
    assert failed(await remote.ask()).error.code == "remote_answer_invalid"


async def test_a_request_cancelled_before_its_start_ends_once(
    remote: EnginesHarness, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = asyncio.create_task

    def cancelled_at_once(work: Any, **named: Any) -> asyncio.Task[Any]:
        task = create(work, **named)
        task.cancel()
        return task

    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "create_task", cancelled_at_once)
        assert finished(await remote.ask()).reason is FinishReason.CANCELLED
    assert server.chats == []


async def test_files_images_and_earlier_reasoning_are_sent_in_the_servers_format(
    remote: EnginesHarness, server: ModelServer
) -> None:
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
    finished(await remote.ask(task=GenerationTask(prompt=ChatInput(messages=messages))))
    body = server.chats[0].body
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1] == {"role": "assistant", "content": "Hi", "reasoning_content": "Hm"}
    image, document, words = body["messages"][2]["content"]
    assert image["image_url"]["url"] == "data:image/png;base64,cG5n"
    assert "inside" in document["text"]
    assert words == {"type": "text", "text": "What?"}


async def test_each_server_gets_the_parameters_that_it_supports(tmp_path: Path) -> None:
    sampling = SamplingParams(
        top_k=0,
        repeat_penalty=1.1,
        stop=("END",),
        seed=4,
        xtc_probability=0.5,
        adaptive_p_target=0.3,
        samplers=(SamplerKind.TYPICAL_P, SamplerKind.XTC),
        max_tokens=9,
    )
    chosen = (
        *("top_k", "repeat_penalty", "stop", "seed"),
        *("xtc_probability", "adaptive_p_target", "samplers", "max_tokens"),
    )
    of_llama = {"xtc_probability": 0.5, "adaptive_target": 0.3, "samplers": ["typ_p", "xtc"]}
    prompt = ChatInput(messages=(QUESTION,), reasoning=ReasoningEffort.OFF)

    async def prompted_variables(kind: str) -> Any:
        with model_server(kind) as server:
            async with engines_harness(tmp_path / kind) as remote:
                await remote.add(server.address)
                finished(
                    await remote.ask(task=GenerationTask(prompt=prompt, sampling=sampling, chosen=chosen))
                )
                return server.chats[0].body

    vllm = await prompted_variables("vllm")
    assert (vllm["top_k"], vllm["repetition_penalty"]) == (-1, 1.1)
    assert vllm["chat_template_kwargs"] == {"enable_thinking": False}
    assert (vllm["stop"], vllm["seed"]) == (["END"], 4)
    llama = await prompted_variables("llama_server")
    assert (llama["repeat_penalty"], llama["max_tokens"]) == (1.1, 9)
    for kind, body in (("llama_server", llama), ("vllm", vllm)):
        assert {name: body[name] for name in of_llama if name in body} == (
            of_llama if kind == "llama_server" else {}
        )
    plain = await prompted_variables("openai")
    assert not {"top_k", "min_p", "repeat_penalty", "chat_template_kwargs"} & plain.keys()
    assert plain["reasoning_effort"] == "none"


@pytest.mark.parametrize("kind", ["openai", "vllm", "llama_server", "ollama", "anthropic"])
async def test_what_nobody_set_is_the_servers_to_choose(tmp_path: Path, kind: str) -> None:
    path = {"ollama": "/api/chat", "anthropic": "/v1/messages"}.get(kind, "/v1/chat/completions")
    with model_server(kind, chat=path) as server:
        async with engines_harness(tmp_path) as remote:
            await remote.add(server.address, is_anthropic=kind == "anthropic")
            await remote.ask(task=GenerationTask(prompt=ChatInput(messages=(QUESTION,))))
            await remote.ask(
                task=GenerationTask(
                    prompt=ChatInput(messages=(QUESTION,)),
                    sampling=SamplingParams(temperature=0.8),  # also where it is the default's value
                    chosen=("temperature",),
                )
            )
            untouched, chosen = (asked.body for asked in server.chats)
    if kind == "ollama":
        untouched, chosen = untouched["options"], chosen["options"]
    names = {"temperature", "top_p", "top_k", "min_p", "repeat_penalty", "repetition_penalty", "seed", "stop"}
    assert not names & untouched.keys()
    assert {name: chosen[name] for name in names & chosen.keys()} == {"temperature": 0.8}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "did not accept the request (400): too odd"),
        (403, "does not allow this request (403): too odd"),
        (500, "had an internal error (500) and could not answer: too odd"),
    ],
)
async def test_an_error_is_said_as_what_it_is(
    remote: EnginesHarness, server: ModelServer, status: int, said: str
) -> None:
    server.replies = [Reply(status=status, body={"error": {"message": "too odd"}})]
    assert said in failed(await remote.ask()).error.sentence


async def test_a_session_id_is_stable_per_chat_and_opaque(
    remote: EnginesHarness, server: ModelServer
) -> None:
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,)), owner="chat 1")
    for owner in ("chat 1", "chat 1", "chat 2"):
        await remote.ask(task=msgspec.structs.replace(task, owner=owner))
    one, again, other = (asked.headers["x-session-id"] for asked in server.chats)
    assert one == again != other
    assert one == server.chats[0].body["prompt_cache_key"]
    assert "chat" not in one


def test_a_request_without_a_chat_has_the_session_of_its_prompts_start() -> None:
    location = RemoteLocation(
        engine_id="one",
        engine_name="One",
        host="one:8000",
        model=RemoteModel(name=MODEL),
        kind=ServerKind.VLLM,
    )

    def session(*messages: ChatMessage) -> str:
        return session_id(GenerationTask(prompt=ChatInput(messages=messages)), location)

    assert session(QUESTION) == session(QUESTION, QUESTION)
    assert session(QUESTION) != session(msgspec.structs.replace(QUESTION, parts=()))


async def test_an_engine_is_listed_as_unreachable_until_it_answers_again(
    remote: EnginesHarness, server: ModelServer
) -> None:
    (engine,) = await remote.service.engines()
    remote.service._note_reached(engine.id, is_reached=False)
    assert remote.location.is_unreachable
    assert remote.events[-1] == RemoteModelsChanged(entries=remote.service.entries)
    finished(await remote.ask())
    assert not remote.location.is_unreachable
    server.server.shutdown()
    server.server.server_close()
    assert failed(await remote.ask()).error.code == "remote_unreachable"
    assert remote.location.is_unreachable


async def test_a_removed_engine_is_not_asked_again(remote: EnginesHarness, server: ModelServer) -> None:
    server.replies = [Reply(status=503, headers={"Retry-After": "0.02"})]

    def remove(_: RequestId, event: GenerationEvent) -> None:
        if isinstance(event, Retrying):
            remote.service._apply(())

    assert failed(await remote.ask(on_event=remove)).error.code == "remote_not_found"
    assert len(server.chats) == 1


async def test_unsupported_requests_fail_before_anything_is_sent(
    remote: EnginesHarness, server: ModelServer
) -> None:
    task = GenerationTask(prompt=ChatInput(messages=(QUESTION,)), constraint=RegexConstraint(pattern="a+"))
    assert failed(await remote.ask(task=task)).error.code == "remote_unable"
    assert server.asked == []
