"""Seeds, probabilities and constraints through the whole runner with a real model."""

from __future__ import annotations

import json

import pytest

from fireside.core.generation import TokenLogprobs
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, TextInput
from fireside.core.task import Constraint, GenerationTask, JsonSchemaConstraint, LarkConstraint
from llama.conftest import Reference
from llama.runner_process import Answer, RunnerProcess, user

PROMPT = "The capital of France is"
SCHEMA = JsonSchemaConstraint(
    schema=json.dumps(
        {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}, "size": {"enum": [1, 2]}},
            "required": ["city", "size"],
            "additionalProperties": False,
        }
    )
)
TOLERANCE = 0.05
"""In nats. Sums over many prompt tokens at once are rounded otherwise than those over one behind a cache."""
GREEDY_WITH_LOGPROBS = SamplingParams(temperature=0, max_tokens=8, top_logprobs=5)


def task(sampling: SamplingParams, *, constraint: Constraint | None = None) -> GenerationTask:
    return GenerationTask(
        prompt=ChatInput(messages=(user("Name a city."),)), sampling=sampling, constraint=constraint
    )


def logprobs_of(answer: Answer) -> list[TokenLogprobs]:
    assert answer.finished
    return [entry for piece in answer.pieces for entry in piece.logprobs]


def test_logprobs_equal_those_of_bare_llama_cpp(shared_runner: RunnerProcess, bare_llama: Reference) -> None:
    prompt = TextInput(text=PROMPT)
    answer = shared_runner.finish(
        shared_runner.start_task(GenerationTask(prompt=prompt, sampling=GREEDY_WITH_LOGPROBS))
    )
    [expected] = bare_llama([PROMPT], 8)
    assert [entry.chosen.logprob for entry in logprobs_of(answer)] == pytest.approx(
        expected["logprobs"], abs=TOLERANCE
    )


def test_another_answer_does_not_change_logprobs(shared_runner: RunnerProcess) -> None:
    alone = shared_runner.finish(shared_runner.start_task(task(GREEDY_WITH_LOGPROBS)))
    other = shared_runner.start("Write about the sea.", SamplingParams(max_tokens=30))
    concurrent = shared_runner.finish(shared_runner.start_task(task(GREEDY_WITH_LOGPROBS)))
    shared_runner.finish(other)
    pairs = list(zip(logprobs_of(concurrent), logprobs_of(alone), strict=True))
    assert pairs
    for first, two in pairs:
        assert first.chosen.token == two.chosen.token
        assert first.chosen.logprob == pytest.approx(two.chosen.logprob, abs=TOLERANCE)


def test_greedy_token_is_the_likeliest(shared_runner: RunnerProcess) -> None:
    answer = shared_runner.finish(shared_runner.start_task(task(GREEDY_WITH_LOGPROBS)))
    for entry in logprobs_of(answer):
        assert entry.top[0] == entry.chosen
        assert len(entry.top) == 5


def test_seed_repeats_an_answer_next_to_another(shared_runner: RunnerProcess) -> None:
    sampling = SamplingParams(seed=5, temperature=1.5, max_tokens=12)
    shared_runner.ask("Tell a story.", sampling)  # so that the prompt is in a cache each time from here on
    alone = shared_runner.ask("Tell a story.", sampling)
    first = shared_runner.start("Tell a story.", sampling)
    second = shared_runner.start("Tell a story.", SamplingParams(seed=6, temperature=1.5, max_tokens=12))
    repeated, different = shared_runner.finish(first), shared_runner.finish(second)
    assert repeated.text == alone.text
    assert different.text != alone.text


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_answer_matches_its_schema(shared_runner: RunnerProcess, temperature: float) -> None:
    sampling = SamplingParams(temperature=temperature, seed=1, max_tokens=200)
    answer = shared_runner.finish(shared_runner.start_task(task(sampling, constraint=SCHEMA)))
    value = json.loads(answer.text)
    assert len(value["city"]) <= 12
    assert value["size"] in (1, 2)


def test_unsupported_schema_fails_only_its_request(shared_runner: RunnerProcess) -> None:
    constraint = JsonSchemaConstraint(schema='{"not": {}}')
    failed = shared_runner.finish(
        shared_runner.start_task(task(SamplingParams(), constraint=constraint))
    ).failed
    assert failed.error.code == "constraint_invalid"
    assert "not" in failed.error.sentence
    assert shared_runner.ask("Hello").finished


def test_grammar_that_crashes_the_compiler_fails_only_its_request(shared_runner: RunnerProcess) -> None:
    rules = "\n".join(f"x{n}: x{n + 1} x{n + 1}" for n in range(3000))
    constraint = LarkConstraint(grammar=f'start: x0\n{rules}\nx3000: "a"')
    failed = shared_runner.finish(
        shared_runner.start_task(task(SamplingParams(), constraint=constraint))
    ).failed
    assert failed.error.code == "constraint_invalid"
    assert shared_runner.ask("Hello").finished


def test_unknown_biased_token_fails_the_request(shared_runner: RunnerProcess) -> None:
    failed = shared_runner.ask("Hello", SamplingParams(logit_bias=((10**6, 1.0),))).failed
    assert failed.error.code == "invalid_parameter"
    assert shared_runner.ask("Hello").finished
