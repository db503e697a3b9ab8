"""The output of requests in the decode loop: reasoning, calls, constraints, probabilities."""

from __future__ import annotations

import threading

import numpy as np

from fakes.fake_llama import FakeDecoder, FakeVocab, scripted
from fakes.loop_harness import Runner
from fireside.core.generation import Failed, Finished, FinishReason, OutputKind
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import (
    ChatInput,
    ReasoningEffort,
    TextInput,
    ToolChoice,
    ToolDefinition,
    ToolMode,
)
from fireside.core.task import GenerationTask, JsonSchemaConstraint
from fireside.runner.completion import remember_answer_tokens
from fireside.runner.output.model_formats import ModelFormat
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.output.output_setup import OutputSetup
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Piece

TOOLS = (ToolDefinition(name="add", description="", parameters='{"type": "object"}'),)
CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>'
SCHEMA = JsonSchemaConstraint(schema="{}")
HERMES = "{% if tools %}<tool_call>{% endif %}"
PLENTY = SamplingParams(max_tokens=500, seed=1)


def _runner(answer: str, *, after: str = "?", switches_reasoning: bool = False) -> Runner:
    """Return a runner that writes ``answer`` behind the prompt ``after``, and one letter behind others."""
    follows = scripted(answer, after=after)
    return Runner(
        FakeDecoder(
            n_ctx=1024,
            follows=lambda tokens: follows(tokens) if tokens[0] == ord(after[0]) else ord("x"),
        ),
        template_source=HERMES,
        switches_reasoning=switches_reasoning,
    )


def _task(
    prompt: str = "?",
    *,
    sampling: SamplingParams = PLENTY,
    constraint: JsonSchemaConstraint | None = None,
    thinking_budget: int | None = None,
    reasoning: ReasoningEffort = ReasoningEffort.DEFAULT,
    tool_choice: ToolChoice | None = None,
) -> GenerationTask:
    chat = ChatInput(
        messages=(text_message(Role.USER, prompt),),
        tools=TOOLS,
        tool_choice=tool_choice or ToolChoice(),
        reasoning=reasoning,
    )
    return GenerationTask(
        prompt=chat, sampling=sampling, constraint=constraint, thinking_budget=thinking_budget
    )


def _finished(runner: Runner, task: GenerationTask) -> Finished:
    runner.give(1, task)
    runner.run()
    return runner.finished(1)


def _of(runner: Runner, kind: OutputKind) -> str:
    return "".join(piece.text for piece in runner.pieces(1) if piece.kind is kind)


# Calls


def test_answer_with_a_call_finishes_with_tool_call() -> None:
    end = _finished(_runner("Sure. " + CALL), _task())
    assert end.reason is FinishReason.TOOL_CALL
    assert [(call.name, call.arguments) for call in end.tool_calls] == [("add", '{"a": 1}')]


def test_call_ids_are_unique_across_answers() -> None:
    ids = {_finished(_runner(CALL), _task()).tool_calls[0].id for _ in range(2)}
    assert len(ids) == 2


def test_answer_cut_off_after_a_call_finishes_with_length() -> None:
    end = _finished(_runner(CALL + " and more"), _task(sampling=SamplingParams(max_tokens=len(CALL) + 2)))
    assert (end.reason, len(end.tool_calls)) == (FinishReason.LENGTH, 1)


def test_stop_string_after_a_call_finishes_with_stop() -> None:
    end = _finished(_runner(CALL + " END"), _task(sampling=SamplingParams(max_tokens=500, stop=("END",))))
    assert (end.reason, len(end.tool_calls)) == (FinishReason.STOP, 1)


def test_stop_string_of_leading_white_space_ends_the_answer() -> None:
    end = _finished(_runner("\n\n\n\n"), _task(sampling=SamplingParams(max_tokens=3, stop=("\n",))))
    assert end.reason is FinishReason.STOP


def test_pieces_contain_the_whole_output() -> None:
    runner = _runner("<think>\nHm.\n</think>\n\nSure. " + CALL)
    _finished(runner, _task())
    assert runner.text(1) == "<think>\nHm.\n</think>\n\nSure. " + CALL
    assert (_of(runner, OutputKind.REASONING), _of(runner, OutputKind.ANSWER)) == ("Hm.", "Sure.")


# Rules


def test_answer_constraint_applies_from_the_first_token() -> None:
    runner = _runner("{}")
    _finished(runner, _task(constraint=SCHEMA))
    assert runner.samplers[0].constraints == [(SCHEMA, "", True)]


def test_answer_constraint_does_not_apply_to_the_reasoning() -> None:
    runner = _runner("Hm.</think>{}", after="?<think>\n")
    runner.give(1, _task("?<think>\n", constraint=SCHEMA))
    for _ in range(4):
        runner.loop.iterate()
    assert runner.samplers[0].constraints == []
    runner.run()
    assert [(rule, prefix.strip()) for rule, prefix, _ in runner.samplers[0].constraints] == [(SCHEMA, "")]


def test_sampler_gets_the_likely_constraints() -> None:
    runner = _runner("{}")
    _finished(runner, _task(constraint=SCHEMA))
    assert runner.requests[0].likely == (SCHEMA,)


def test_prompt_is_evaluated_while_its_constraint_is_compiled() -> None:
    question = "Which numbers are there? "
    runner, undisturbed = (_runner("{}", after=question) for _ in range(2))
    runner.compiling = threading.Event()
    runner.give(1, _task(question, constraint=SCHEMA))
    for _ in range(8):
        runner.loop.iterate()
    (slot,) = (slot for slot in runner.loop._slots if slot.sequence is not None)
    assert (slot.n_pending, runner.decoder.n_evaluated) == (1, len(question) - 1)
    assert runner.loop._is_blocked
    runner.compiling.set()
    runner.run()
    _finished(undisturbed, _task(question, constraint=SCHEMA))
    assert runner.text(1) == undisturbed.text(1)
    assert runner.samplers[0].constraints == [(SCHEMA, "", True)]


def test_required_call_is_a_constraint() -> None:
    runner = _runner(CALL)
    _finished(runner, _task(tool_choice=ToolChoice(mode=ToolMode.REQUIRED)))
    assert runner.samplers[0].constraints[0][0] == runner.requests[0].constraints[0]


def test_constraint_of_an_optional_call_is_likely() -> None:
    runner = _runner("Sure. " + CALL)
    _finished(runner, _task())
    request, (rule,) = runner.requests[0], runner.samplers[0].constraints
    assert (request.likely[0], request.constraints) == (rule[0], ())


def test_no_likely_constraints_where_calls_are_impossible() -> None:
    runner = _runner("Yes")
    _finished(runner, _task(tool_choice=ToolChoice(mode=ToolMode.NONE)))
    assert runner.requests[0].likely == ()


def _stands_still(runner: Runner) -> str:
    """Begin a call whose rule is being compiled, beside an answer without tools, and a few steps more."""
    runner.compiling = threading.Event()
    runner.give(1, _task())
    runner.ask(2, "Go on", PLENTY)
    for _ in range(24):
        runner.loop.iterate()
    return runner.text(1)


def test_call_with_a_pending_constraint_does_not_block_others() -> None:
    runner = _runner("Sure. " + CALL)
    assert _stands_still(runner).endswith("Sure.")
    n_before = len(runner.text(2))
    runner.loop.iterate()
    assert len(runner.text(2)) == n_before + 1
    assert runner.samplers[0].constraints == []


def test_call_continues_once_its_constraint_is_compiled() -> None:
    runner, undisturbed = _runner("Sure. " + CALL), _runner("Sure. " + CALL)
    _stands_still(runner)
    assert runner.compiling is not None
    runner.compiling.set()
    runner.run()
    assert len(_finished(undisturbed, _task()).tool_calls) == 1
    assert runner.text(1) == undisturbed.text(1)
    assert runner.samplers[0].constraints == undisturbed.samplers[0].constraints


def test_arguments_are_told_where_the_grammar_of_the_call_holds() -> None:
    for mode in (ToolMode.AUTO, ToolMode.REQUIRED):
        runner = _runner(CALL)
        (call,) = _finished(runner, _task(tool_choice=ToolChoice(mode=mode))).tool_calls
        told = [piece.call for piece in runner.pieces(1) if piece.call is not None]
        assert {(delta.id, delta.name) for delta in told} == {(call.id, "add")}
        assert [delta.arguments for delta in told] == list(call.arguments)


def test_of_a_call_without_a_grammar_nothing_is_told_before_its_end() -> None:
    runner = _runner(CALL)
    runner.rejects_constraints = True
    assert len(_finished(runner, _task()).tool_calls) == 1
    assert [piece.call for piece in runner.pieces(1) if piece.call is not None] == []


def test_answer_with_a_pending_constraint_can_be_cancelled() -> None:
    runner = _runner("Sure. " + CALL)
    _stands_still(runner)
    runner.cancel(1)
    runner.loop.iterate()
    assert runner.finished(1).reason is FinishReason.CANCELLED
    assert runner.samplers[0].closed


def test_loop_sleeps_while_all_requests_wait_for_constraints() -> None:
    runner = _runner(CALL)
    runner.compiling = threading.Event()
    runner.give(1, _task())
    for _ in range(40):
        runner.loop.iterate()
    assert runner.loop._is_blocked
    runner.compiling.set()
    runner.loop.iterate()
    assert not runner.loop._is_blocked


def test_lifted_constraint_does_not_end_the_answer() -> None:
    runner = _runner("Sure. " + CALL)
    _stands_still(runner)
    assert runner.compiling is not None
    runner.samplers[0].rejects_constraints = True
    runner.compiling.set()
    runner.run()
    assert len(runner.finished(1).tool_calls) == 1


def test_call_with_an_invalid_schema_continues_unconstrained() -> None:
    runner = _runner("Sure. " + CALL)
    runner.rejects_constraints = True
    assert len(_finished(runner, _task()).tool_calls) == 1


def test_request_with_an_invalid_constraint_fails() -> None:
    runner = _runner("{}")
    runner.rejects_constraints = True
    runner.give(1, _task(constraint=SCHEMA))
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert end.error.code == "constraint_invalid"


def test_raw_text_has_no_calls_and_its_constraint_applies_at_once() -> None:
    pieces: list[Piece] = []
    fmt = detect_format(template_source=HERMES, architecture="", control_tokens={})
    maker = OutputSetup(fmt=fmt, vocab=FakeVocab(), model_stop=(), emit=pieces.append)
    task = GenerationTask(prompt=TextInput(text="?"), constraint=SCHEMA)
    answer = maker.create(RequestId(1), task=task, prompt=np.zeros(1, np.int32))
    answer.feed(b"<think>" + CALL.encode())
    answer.end()
    assert [piece.kind for piece in pieces] == [OutputKind.ANSWER]
    rule = answer.pop_constraint()
    assert rule is not None
    assert (rule.constraint, rule.prefix, rule.ends_answer) == (SCHEMA, "", True)


def test_answer_is_parsed_by_the_template_of_its_request() -> None:
    pieces: list[Piece] = []
    templates: list[str] = []

    def format_for_template(source: str) -> ModelFormat:
        templates.append(source)
        return detect_format(template_source=source, architecture="", control_tokens={})

    fmt = detect_format(template_source=HERMES, architecture="", control_tokens={})
    maker = OutputSetup(
        fmt=fmt, format_for_template=format_for_template, vocab=FakeVocab(), model_stop=(), emit=pieces.append
    )
    chat = ChatInput(messages=(text_message(Role.USER, "?"),), template="[THINK]")
    for number in (1, 2):
        answer = maker.create(
            RequestId(number), task=GenerationTask(prompt=chat), prompt=np.zeros(1, np.int32)
        )
        answer.feed(b"[THINK]hm[/THINK]Yes")
        answer.end()
    kinds = [(piece.kind, piece.text) for piece in pieces]
    assert kinds.count((OutputKind.REASONING, "hm")) == 2
    assert templates == ["[THINK]"]


# Thinking


def test_reasoning_is_counted() -> None:
    end = _finished(_runner("Hm, hm.</think>Yes", after="?<think>\n"), _task("?<think>\n"))
    assert end.usage.n_reasoning == len("Hm, hm.")


def test_reasoning_is_closed_when_its_budget_is_used_up() -> None:
    runner = _runner("a b c d e f g h i j k l m n o p q r s t", after="?<think>\n")
    _finished(runner, _task("?<think>\n", thinking_budget=5))
    assert _of(runner, OutputKind.REASONING).strip() == "a b c"
    assert _of(runner, OutputKind.ANSWER).startswith("h i")


def test_reasoning_is_closed_once() -> None:
    runner = _runner("a b c d e f g h i j k l m n o p q r s t", after="?<think>\n")
    _finished(runner, _task("?<think>\n", thinking_budget=1))
    assert runner.text(1).count("</think>") == 1


def test_budget_of_zero_closes_reasoning_opened_by_the_prompt() -> None:
    runner = _runner("a b c d e f g h i j", after="?<think>\n")
    _finished(runner, _task("?<think>\n", thinking_budget=0))
    assert runner.text(1).startswith("</think>")


def test_budget_of_zero_closes_reasoning_opened_by_the_model() -> None:
    runner = _runner("<think>a b c d e f g h i j", after="?")
    _finished(runner, _task(thinking_budget=0))
    assert runner.text(1).startswith("<think></think>")


def test_reasoning_that_is_off_is_closed_where_the_template_cannot_turn_it_off() -> None:
    runner = _runner("a b c d e f g h i j", after="?<think>\n")
    _finished(runner, _task("?<think>\n", reasoning=ReasoningEffort.OFF))
    assert runner.text(1).startswith("</think>")


def test_reasoning_turned_off_by_the_template_is_not_closed_by_force() -> None:
    runner = _runner("a b</think> c", after="?<think>\n", switches_reasoning=True)
    _finished(runner, _task("?<think>\n", reasoning=ReasoningEffort.OFF))
    assert runner.text(1) == "a b</think> c"


def test_reasoning_budget_counts_white_space() -> None:
    runner = _runner("\n" * 30, after="?<think>\n")
    _finished(runner, _task("?<think>\n", thinking_budget=5))
    assert "</think>" in runner.text(1)


def test_reasoning_within_its_budget_continues() -> None:
    runner = _runner("Hm.</think>Yes", after="?<think>\n")
    _finished(runner, _task("?<think>\n", thinking_budget=20))
    assert runner.text(1) == "Hm.</think>Yes"


# Probabilities


def test_probabilities_come_with_every_token_if_requested() -> None:
    runner = _runner("<think>Hm.</think>One END two")
    sampling = SamplingParams(max_tokens=500, stop=("END",), top_logprobs=0)
    end = _finished(runner, _task(sampling=sampling))
    logprobs = [entry for piece in runner.pieces(1) for entry in piece.logprobs]
    assert b"".join(entry.chosen.piece for entry in logprobs) == b"<think>Hm.</think>One END"
    assert len(logprobs) == end.usage.n_completion


def test_no_probabilities_unless_requested() -> None:
    runner = _runner("Yes")
    _finished(runner, _task())
    assert all(piece.logprobs == () for piece in runner.pieces(1))


# What a sampler needs first


def test_request_waits_for_its_sampler_while_others_are_served() -> None:
    runner = Runner()
    runner.preparing = [ready := threading.Event()]
    runner.ask(1, "abc")
    runner.ask(2, "bcd")
    for _ in range(50):
        runner.loop.iterate()
    assert (len(runner.ends(1)), len(runner.ends(2))) == (0, 1)
    assert not runner.loop.is_idle
    ready.set()
    runner.run()
    assert len(runner.ends(1)) == 1


def test_request_can_be_cancelled_while_its_sampler_is_prepared() -> None:
    runner = Runner()
    runner.preparing = [threading.Event()]
    runner.ask(1, "abc")
    runner.loop.iterate()
    runner.cancel(1)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED


def test_sampler_may_be_unready_more_than_once() -> None:
    runner = Runner()
    first, second = threading.Event(), threading.Event()
    runner.preparing = [first, second]
    runner.ask(1, "abc")
    for ready in (first, second):
        runner.loop.iterate()
        ready.set()
    runner.run()
    assert len(runner.ends(1)) == 1


# What is remembered


class _Memory(FakeVocab):
    def __init__(self) -> None:
        super().__init__()
        self.remembered: list[tuple[str, bytes]] = []

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        self.remembered.append((text, bytes(tokens.tolist())))


def test_tokens_of_reasoning_and_answer_are_remembered_separately() -> None:
    raw = "<think>\nHm.\n</think>\n\nYes, é. " + CALL
    fmt = detect_format(template_source=HERMES, architecture="", control_tokens={})
    maker = OutputSetup(fmt=fmt, vocab=FakeVocab(), model_stop=(), emit=lambda _piece: None)
    answer: OutputStream = maker.create(RequestId(1), task=_task(), prompt=np.zeros(1, np.int32))
    tokens = np.frombuffer(raw.encode(), np.uint8).astype(np.int32)
    for token in tokens.tolist():
        answer.feed(bytes([token]))
    answer.end()
    vocab = _Memory()
    remember_answer_tokens(answer, tokens, vocab)
    assert vocab.remembered == [("Hm.", b"Hm."), ("Yes, é.", "Yes, é.".encode())]
