"""Decide which request gets the next free slot."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask
from fireside.runner.decode_loop import MAX_OVERTAKES, PendingQueue
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt
from fireside.runner.slots import Sequence


def _request(number: int, priority: Priority = Priority.INTERACTIVE) -> Sequence:
    request_id = RequestId(number)
    return Sequence(
        request_id=request_id,
        task=GenerationTask(prompt=TextInput(text=""), priority=priority),
        fitted=FittedPrompt(tokens=np.zeros(1, np.int32), truncation=None),
        seed=1,
        output=OutputStream(request_id, parser=None, stop=(), model_stop=(), emit=lambda _piece: None),
        accepted_at=0,
    )


def _line(*requests: Sequence) -> PendingQueue:
    queue = PendingQueue()
    for request in requests:
        queue.add(request)
    return queue


def _order(queue: PendingQueue) -> list[int]:
    order: list[int] = []
    while queue:
        sequence = queue.pop()
        assert sequence is not None
        order.append(sequence.request_id)
    return order


def test_first_in_is_first_out() -> None:
    assert _order(_line(_request(1), _request(2), _request(3))) == [1, 2, 3]


def test_interactive_goes_before_background() -> None:
    assert _order(_line(_request(1, Priority.BACKGROUND), _request(2))) == [2, 1]


def test_background_is_overtaken_a_few_times_only() -> None:
    queue = _line(_request(0, Priority.BACKGROUND), *(_request(number) for number in range(1, 9)))
    assert _order(queue).index(0) == MAX_OVERTAKES


def test_removed_request_is_not_served() -> None:
    queue = _line(_request(1), _request(2))
    queue.remove(RequestId(1))
    assert _order(queue) == [2]


def test_removing_an_unknown_request_returns_none() -> None:
    assert _line(_request(1)).remove(RequestId(2)) is None


def test_empty_queue_returns_none() -> None:
    assert PendingQueue().pop() is None


def test_request_that_is_not_ready_is_skipped_and_keeps_its_position() -> None:
    queue = _line(_request(1), _request(2), _request(3))
    next_request = queue.pop(lambda sequence: sequence.request_id != 1)
    assert next_request is not None
    assert next_request.request_id == 2
    assert _order(queue) == [1, 3]


@given(st.lists(st.booleans(), max_size=60))
def test_every_request_is_served_once(background: list[bool]) -> None:
    priorities = [Priority.BACKGROUND if back else Priority.INTERACTIVE for back in background]
    order = _order(_line(*(_request(number, priority) for number, priority in enumerate(priorities))))
    assert sorted(order) == list(range(len(background)))
