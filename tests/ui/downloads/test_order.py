"""A row of the queue is moved to exactly the chosen position."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from fakes.downloads import download_of
from fireside.core.hub import Download, DownloadState
from fireside.ui.downloads.downloads_page import position_after_steps, position_in_gap, unfinished_ids

STATES = st.lists(
    st.sampled_from([DownloadState.RUNNING, DownloadState.QUEUED, DownloadState.PAUSED, DownloadState.DONE]),
    min_size=1,
    max_size=7,
)


DONE, QUEUED = DownloadState.DONE, DownloadState.QUEUED


def queue_of(states: Sequence[DownloadState]) -> list[Download]:
    return [download_of(f"d{n}", state=state) for n, state in enumerate(states)]


def moved(queue: Sequence[Download], download_id: str, position: int | None) -> list[str]:
    """Return the order after ``HubClient.move_download``, whose positions count finished downloads too."""
    if position is None:
        return unfinished_ids(queue)
    others = [download for download in queue if download.id != download_id]
    others.insert(max(0, position), next(download for download in queue if download.id == download_id))
    return unfinished_ids(others)


@given(states=STATES, choice=st.integers(0, 6), steps=st.integers(-9, 9))
@example(states=[DONE, QUEUED, QUEUED, QUEUED], choice=3, steps=-1)
@example(states=[QUEUED, DONE, QUEUED, DONE], choice=0, steps=1)
def test_steps_move_one_row_and_keep_the_others_in_order(
    states: list[DownloadState], choice: int, steps: int
) -> None:
    queue = queue_of(states)
    ids = unfinished_ids(queue)
    chosen = queue[choice % len(queue)].id
    after = moved(queue, chosen, position_after_steps(queue, chosen, steps=steps))
    if chosen not in ids:
        assert after == ids
        return
    assert after.index(chosen) == max(0, min(len(ids) - 1, ids.index(chosen) + steps))
    assert [other for other in after if other != chosen] == [other for other in ids if other != chosen]


@given(states=STATES, choice=st.integers(0, 6), gap=st.integers(0, 7))
@example(states=[DONE, QUEUED, QUEUED, QUEUED], choice=3, gap=1)
@example(states=[QUEUED, DONE, QUEUED, DONE], choice=0, gap=2)
def test_a_row_is_moved_to_the_gap_where_it_was_dropped(
    states: list[DownloadState], choice: int, gap: int
) -> None:
    queue = queue_of(states)
    ids = unfinished_ids(queue)
    chosen = queue[choice % len(queue)].id
    gap = min(gap, len(ids))
    after = moved(queue, chosen, position_in_gap(queue, chosen, gap=gap))
    if chosen not in ids:
        assert after == ids
        return
    above = [other for other in ids[:gap] if other != chosen]
    below = [other for other in ids[gap:] if other != chosen]
    assert after == [*above, chosen, *below]


def test_a_row_that_does_not_move_sends_no_request() -> None:
    queue = queue_of([DownloadState.RUNNING, DownloadState.QUEUED])
    assert position_after_steps(queue, "d0", steps=-1) is None
    assert position_in_gap(queue, "d0", gap=0) is None
    assert position_in_gap(queue, "d0", gap=1) is None
    assert position_after_steps(queue, "gone", steps=1) is None
