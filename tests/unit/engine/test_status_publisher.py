"""Queue positions of waiting requests, and what they wait for."""

from __future__ import annotations

from fakes.engine_harness import OPTIONS, a_spec
from fireside.core.generation import Priority, Queued, WaitReason
from fireside.engine.decisions import Decision, Evict, Wait
from fireside.engine.fairness import LoadTarget, PendingRequest
from fireside.engine.status_publisher import queue_positions


def pending(number: int, model: str, *, needs_slot: bool = True) -> PendingRequest:
    return PendingRequest(
        number=number,
        target=LoadTarget(spec=a_spec(model), options=OPTIONS),
        priority=Priority.INTERACTIVE,
        needs_slot=needs_slot,
        needed_bytes=1,
    )


def told(*entries: tuple[PendingRequest, WaitReason | None]) -> list[Queued]:
    decisions: list[Decision] = [
        Evict(instance_id=one.target.instance_id, pending=one)
        if why is None
        else Wait(pending=one, waits_for=why, model="Other" if why is WaitReason.OTHER_MODEL else "")
        for one, why in entries
    ]
    return [standing for _, standing in queue_positions(decisions)]


def test_a_request_for_a_busy_model_counts_only_requests_of_that_model() -> None:
    standing = told(
        (pending(1, "Alpha"), WaitReason.ANSWERS),
        (pending(2, "Beta"), WaitReason.ANSWERS),
        (pending(3, "Alpha"), WaitReason.ANSWERS),
    )
    assert standing == [Queued(position=0), Queued(position=0), Queued(position=1)]


def test_a_request_behind_another_model_counts_all_and_names_it() -> None:
    standing = told((pending(1, "Alpha"), WaitReason.ANSWERS), (pending(2, "Beta"), WaitReason.OTHER_MODEL))
    assert standing[1] == Queued(position=1, waits_for=WaitReason.OTHER_MODEL, model="Other")


def test_a_request_that_evicts_a_model_waits_for_memory() -> None:
    assert told((pending(1, "Alpha"), None)) == [Queued(position=0, waits_for=WaitReason.ROOM)]


def test_a_load_by_hand_has_no_queue_position() -> None:
    standing = told(
        (pending(1, "Alpha", needs_slot=False), WaitReason.LOADING),
        (pending(2, "Beta"), WaitReason.OTHER_MODEL),
    )
    assert [each.position for each in standing] == [0]
