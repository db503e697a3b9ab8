"""Answers with reasoning, tool calls and constraints."""

from __future__ import annotations

from msgspec.structs import replace

from fakes.app_harness import AppHarness
from fakes.engine import finished, says
from fireside.core.chat import MessageState
from fireside.core.events import MessageReplaced, TextAppended
from fireside.core.generation import Finished, FinishReason, OutputKind, Overflow, TextDelta, WhenFull
from fireside.core.ids import ConversationId
from fireside.core.message import ReasoningPart, TextPart, ToolCallPart
from fireside.core.prompt_input import ChatInput, ReasoningEffort
from fireside.core.task import ANY_OBJECT, GenerationTask
from fireside.settings.values import AppLayer, ConversationLayer

CALL = ToolCallPart(id="1", name="look", arguments='{"where": "up"}')


def thinks(_: object) -> list[TextDelta | Finished | None]:
    return [
        TextDelta(text="<think>", n_completion=1, kind=OutputKind.MARKUP),
        TextDelta(text="Light scatters.", n_completion=3, kind=OutputKind.REASONING),
        TextDelta(text="</think>", n_completion=4, kind=OutputKind.MARKUP),
        TextDelta(text="Because.", n_completion=6),
        finished(n_completion=6),
    ]


async def ask(harness: AppHarness, to: ConversationId | None = None, text: str = "Why?") -> ConversationId:
    conversation = await harness.app.generations.send(to, text=text, model_id=harness.model_id)
    await harness.settled(conversation)
    return conversation


def task_of(harness: AppHarness) -> GenerationTask:
    return harness.engine.requests[-1].task


async def test_reasoning_is_stored_apart_from_the_answer(harness: AppHarness) -> None:
    harness.engine.script = thinks
    answer = await harness.settled(await ask(harness))
    assert answer.message.parts == (ReasoningPart(text="Light scatters."), TextPart(text="Because."))
    assert answer.generation is not None
    assert answer.generation.thought_s is not None
    assert await harness.store.messages.raw_output(answer.id) == "<think>Light scatters.</think>Because."


async def test_an_answer_that_turns_out_to_be_reasoning_is_folded_at_once(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [
        TextDelta(text="Light ", n_completion=1),
        TextDelta(text="scatters.", n_completion=2),
        TextDelta(text="</think>", n_completion=3, ends_reasoning=True),
        TextDelta(text="Because.", n_completion=4),
        replace(finished(n_completion=4), n_not_understood=2),
    ]
    answer = await harness.settled(await ask(harness))
    assert answer.message.parts == (ReasoningPart(text="Light scatters."), TextPart(text="Because."))
    assert answer.generation is not None
    assert answer.generation.thought_s is not None
    assert answer.generation.n_not_understood == 2
    assert await harness.store.messages.raw_output(answer.id) == "Light scatters.</think>Because."
    replaced = [event for event in harness.events if isinstance(event, MessageReplaced)]
    assert [event.message.message.parts for event in replaced] == [
        (ReasoningPart(text="Light scatters."),),
        answer.message.parts,
    ]


async def test_each_kind_is_reported_as_what_it_is(harness: AppHarness) -> None:
    harness.engine.script = thinks
    await ask(harness)
    said: dict[OutputKind, str] = {}
    for event in harness.seen(TextAppended):
        assert isinstance(event, TextAppended)
        said[event.delta.kind] = said.get(event.delta.kind, "") + event.delta.text
    assert said == {
        OutputKind.MARKUP: "<think></think>",
        OutputKind.REASONING: "Light scatters.",
        OutputKind.ANSWER: "Because.",
    }


async def test_reasoning_that_streamed_in_is_kept_when_the_program_is_killed(harness: AppHarness) -> None:
    def stuck(_: object) -> list[TextDelta | Finished | None]:
        return [
            TextDelta(text="Hm, ", n_completion=1, kind=OutputKind.REASONING),
            TextDelta(text="well", n_completion=2),
            None,
        ]

    harness.engine.script = stuck
    conversation = await harness.app.generations.send(None, text="Why?", model_id=harness.model_id)
    await harness.until(TextAppended, n_times=2)
    # What the next start would find now.
    answer = (await harness.store.conversations.open(conversation)).messages[-1]
    assert answer.message.parts == (ReasoningPart(text="Hm, "), TextPart(text="well"))


async def test_earlier_reasoning_is_passed_to_the_template_which_decides(harness: AppHarness) -> None:
    harness.engine.script = thinks
    await ask(harness, await ask(harness), "And then?")
    prompt = task_of(harness).prompt
    assert isinstance(prompt, ChatInput)
    assert prompt.messages[1].parts == (ReasoningPart(text="Light scatters."), TextPart(text="Because."))


async def test_an_answer_stopped_while_it_thought_is_not_shown_to_the_model_again(
    harness: AppHarness,
) -> None:
    def only_thinks(_: object) -> list[TextDelta | Finished | None]:
        return [
            TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
            finished(FinishReason.CANCELLED, n_completion=1),
        ]

    harness.engine.script = only_thinks
    conversation = await ask(harness)
    await ask(harness, conversation, "And then?")
    prompt = task_of(harness).prompt
    assert isinstance(prompt, ChatInput)
    assert [message.text for message in prompt.messages] == ["Why?", "And then?"]


async def test_a_tool_call_is_a_part_of_the_answer(harness: AppHarness) -> None:
    def calls(_: object) -> list[TextDelta | Finished | None]:
        end = finished(FinishReason.TOOL_CALL, n_completion=2)
        return [
            TextDelta(text="I look.", n_completion=1),
            TextDelta(text="<tool>…</tool>", n_completion=2, kind=OutputKind.MARKUP),
            replace(end, tool_calls=(CALL,)),
        ]

    harness.engine.script = calls
    answer = await harness.settled(await ask(harness))
    assert answer.message.parts == (TextPart(text="I look."), CALL)
    assert answer.state is MessageState.COMPLETE


async def test_the_settings_of_an_answer_reach_the_engine(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    for key, value in (
        ("answer.reasoning", "high"),
        ("answer.thinking_budget", 64),
        ("answer.when_full", "shift"),
        ("answer.overflow", "refuse"),
    ):
        await harness.app.preferences.change(AppLayer(), key=key, value=value)
    conversation = await ask(harness)
    task = task_of(harness)
    assert isinstance(task.prompt, ChatInput)
    assert task.prompt.reasoning is ReasoningEffort.HIGH
    assert (task.thinking_budget, task.when_full, task.overflow) == (64, WhenFull.SHIFT, Overflow.REFUSE)
    assert task.owner == harness.store.name_of(conversation)


async def test_a_conversation_may_have_a_format_of_its_own(harness: AppHarness) -> None:
    harness.engine.script = says("{}")
    conversation = await ask(harness)
    assert task_of(harness).constraint is None
    own = ConversationLayer(conversation_id=conversation)
    await harness.app.preferences.change(own, key="answer.format", value="json")
    answer = await harness.settled(await ask(harness, conversation))
    assert task_of(harness).constraint == ANY_OBJECT
    kept = await harness.store.messages.run_parameters(answer.id)
    assert kept is not None
    assert kept.constraint == ANY_OBJECT


async def test_several_answers_to_one_prompt_differ_in_their_seeds_alone(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    await harness.app.preferences.change(AppLayer(), key="sampling.seed", value=7)
    spec = harness.app.models.spec(harness.model_id)
    streams = await harness.app.completions.start(spec, ChatInput(messages=()), n_answers=3)
    for stream in streams:
        assert [event async for event in stream]
    requests = harness.engine.requests
    assert [request.task.sampling.seed for request in requests] == [7, 8, 9]
    assert len({request.request_id for request in requests}) == 3
    assert {request.task.prompt for request in requests} == {requests[0].task.prompt}
    assert {request.options.n_seq_max for request in requests} == {3}


async def test_a_model_is_loaded_with_the_projector_in_its_folder(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    spec = replace(harness.app.models.spec(harness.model_id), projector_path="/models/mmproj.gguf")
    (stream,) = await harness.app.completions.start(spec, ChatInput(messages=()))
    assert [event async for event in stream]
    assert harness.engine.requests[0].options.projector_path == "/models/mmproj.gguf"
