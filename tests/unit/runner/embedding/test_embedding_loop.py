"""Which inputs of which requests are computed in one batch."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.runner.embedding.embedding_loop import Input, Job, next_inputs

N_TOKENS_MAX = 16
N_INPUTS_MAX = 4


def job(number: int, lengths: list[int], *, priority: Priority = Priority.INTERACTIVE) -> Job:
    request_id = RequestId(number)
    inputs = [Input(request_id, n, np.zeros(length, np.int32)) for n, length in enumerate(lengths)]
    return Job(
        request_id=request_id,
        priority=priority,
        normalise=True,
        dimensions=None,
        accepted_at=0.0,
        n_inputs=len(inputs),
        n_tokens=sum(lengths),
        waiting=inputs[::-1],
    )


def take(jobs: list[Job]) -> list[tuple[int, int]]:
    computed = next_inputs(jobs, n_tokens_max=N_TOKENS_MAX, n_inputs_max=N_INPUTS_MAX)
    return [(item.request_id, item.number) for item in computed]


def test_inputs_of_one_request_stay_in_order() -> None:
    assert take([job(1, [4, 4, 4])]) == [(1, 0), (1, 1), (1, 2)]


def test_requests_take_turns() -> None:
    jobs = [job(1, [4] * 4), job(2, [4] * 4)]
    assert take(jobs) == [(1, 0), (2, 0), (1, 1), (2, 1)]


def test_request_that_was_served_first_is_last_in_the_next_batch() -> None:
    jobs = [job(1, [16, 16]), job(2, [16, 16])]
    assert [take(jobs), take(jobs), take(jobs)] == [[(1, 0)], [(2, 0)], [(1, 1)]]


def test_interactive_inputs_come_before_background_inputs() -> None:
    jobs = [job(1, [8], priority=Priority.BACKGROUND), job(2, [8, 8])]
    assert take(jobs) == [(2, 0), (2, 1)]


def test_background_inputs_fill_the_rest_of_a_batch() -> None:
    jobs = [job(1, [8], priority=Priority.BACKGROUND), job(2, [8])]
    assert take(jobs) == [(2, 0), (1, 0)]


LENGTHS = st.lists(st.integers(1, N_TOKENS_MAX), max_size=8)


@given(st.lists(st.tuples(LENGTHS, st.sampled_from(Priority)), min_size=1, max_size=5))
def test_each_input_is_computed_once_and_no_batch_exceeds_its_limits(
    requests: list[tuple[list[int], Priority]],
) -> None:
    jobs = [job(n, lengths, priority=priority) for n, (lengths, priority) in enumerate(requests)]
    computed = []
    while batch := next_inputs(jobs, n_tokens_max=N_TOKENS_MAX, n_inputs_max=N_INPUTS_MAX):
        assert len(batch) <= N_INPUTS_MAX
        assert sum(len(item.tokens) for item in batch) <= N_TOKENS_MAX
        computed += [(item.request_id, item.number) for item in batch]
    everything = [(n, number) for n, (lengths, _) in enumerate(requests) for number in range(len(lengths))]
    assert sorted(computed) == everything
