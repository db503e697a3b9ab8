"""Frames are equivalent to the single events that they were built from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.bridge.engine_thread import Coalescer, FrameItem
from fireside.core.events import AnswerProgressed, AppEvent, SettingsChanged, TextAppended
from fireside.core.generation import OutputKind, PromptProgress, TextDelta
from fireside.core.hub import CheckProgressed, Download, DownloadId, DownloadProgressed, DownloadState
from fireside.core.ids import ConversationId, MessageId
from fireside.core.library import MovePhase, MoveProgress, MoveProgressed

CHAT = ConversationId(1)


def appended(message: int, text: str, n: int = 1, kind: OutputKind = OutputKind.ANSWER) -> TextAppended:
    return TextAppended(
        conversation_id=CHAT,
        message_id=MessageId(message),
        delta=TextDelta(text=text, n_completion=n, kind=kind),
    )


def reading(message: int, n_done: int) -> AnswerProgressed:
    return AnswerProgressed(
        conversation_id=CHAT,
        message_id=MessageId(message),
        progress=PromptProgress(n_done=n_done, n_total=100, n_cached=0),
    )


def drained(*events: AppEvent) -> tuple[FrameItem, ...]:
    coalescer = Coalescer()
    for event in events:
        coalescer.add(event)
    return coalescer.drain()


def test_text_of_one_answer_becomes_one_event() -> None:
    assert drained(appended(1, "a", 1), appended(1, "b", 2)) == (appended(1, "ab", 2),)


def test_text_of_two_answers_stays_apart() -> None:
    events = (appended(1, "a"), appended(2, "b"))
    assert drained(*events) == events


def test_only_the_newest_progress_is_kept() -> None:
    assert drained(reading(1, 10), reading(1, 20)) == (reading(1, 20),)


def test_an_event_between_two_pieces_of_text_keeps_its_place() -> None:
    changed = SettingsChanged(keys=("a",))
    assert drained(appended(1, "a"), changed, appended(1, "b")) == (
        appended(1, "a"),
        changed,
        appended(1, "b"),
    )


def test_a_drained_coalescer_is_empty() -> None:
    coalescer = Coalescer()
    coalescer.add(appended(1, "a"))
    coalescer.drain()
    assert not coalescer
    assert coalescer.drain() == ()


@given(st.lists(st.tuples(st.integers(1, 3), st.text(max_size=5)), max_size=40), st.integers(1, 5))
def test_no_text_is_lost_or_moved_whatever_the_frames(pieces: list[tuple[int, str]], frame_size: int) -> None:
    coalescer = Coalescer()
    shown = {1: "", 2: "", 3: ""}
    for index, (message, text) in enumerate(pieces):
        coalescer.add(appended(message, text, index))
        if index % frame_size == 0:
            for event in coalescer.drain():
                assert isinstance(event, TextAppended)
                shown[event.message_id] += event.delta.text
    for event in coalescer.drain():
        assert isinstance(event, TextAppended)
        shown[event.message_id] += event.delta.text
    assert shown == {m: "".join(t for n, t in pieces if n == m) for m in (1, 2, 3)}


def test_reasoning_and_answer_of_one_message_stay_apart_and_in_order() -> None:
    thought = appended(1, "hm", 1, OutputKind.REASONING)
    more = appended(1, "m", 2, OutputKind.REASONING)
    answer = appended(1, "so", 3)
    again = appended(1, "or", 4, OutputKind.REASONING)
    assert drained(thought, more, answer, again) == (
        appended(1, "hmm", 2, OutputKind.REASONING),
        answer,
        again,
    )


def test_only_the_newest_progress_of_a_download_a_check_and_a_move_is_kept() -> None:
    def download(name: str, n_bytes: int) -> DownloadProgressed:
        made = Download(
            id=DownloadId(name), title="x", files=(), state=DownloadState.RUNNING, n_bytes=n_bytes
        )
        return DownloadProgressed(download=made)

    def check(n_bytes: int) -> CheckProgressed:
        return CheckProgressed(path="a", n_bytes=n_bytes, size_bytes=9)

    def move(n_done: int) -> MoveProgressed:
        progress = MoveProgress(
            phase=MovePhase.COPYING,
            file_name="a",
            n_files_done=0,
            n_files=1,
            n_bytes_done=n_done,
            n_bytes=9,
        )
        return MoveProgressed(progress=progress)

    events = (download("a", 1), download("a", 2), download("b", 1), check(1), check(2), move(1), move(2))
    assert drained(*events) == (download("a", 2), download("b", 1), check(2), move(2))
