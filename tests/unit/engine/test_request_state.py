"""The event buffer between a runner and a slow reader."""

from __future__ import annotations

import asyncio

from fireside.core.errors import EngineStopped
from fireside.core.generation import CallDelta, Failed, GenerationEvent, Loading, PromptProgress, TextDelta
from fireside.engine.request_state import MAX_FLOOD_CHARACTERS, MAX_UNREAD_CHARACTERS, EventBuffer

END = Failed(error=EngineStopped().info())


async def all_of(buffer: EventBuffer) -> list[GenerationEvent]:
    events = []
    while (event := await buffer.get()) is not None:
        events.append(event)
    return events


async def test_unread_text_is_joined_in_order() -> None:
    buffer = EventBuffer()
    for number, text in enumerate(("a", "b", "c"), start=1):
        buffer.post(TextDelta(text=text, n_completion=number))
    buffer.post(END)
    assert await all_of(buffer) == [TextDelta(text="abc", n_completion=3), END]


async def test_unread_arguments_are_joined_by_call() -> None:
    buffer = EventBuffer()
    for call_id, text in (("c1", '{"a"'), ("c1", ": 1}"), ("c2", "{"), ("c2", "}")):
        buffer.post(CallDelta(id=call_id, name="add", arguments=text))
    buffer.post(END)
    assert await all_of(buffer) == [
        CallDelta(id="c1", name="add", arguments='{"a": 1}'),
        CallDelta(id="c2", name="add", arguments="{}"),
        END,
    ]


async def test_a_newer_progress_replaces_an_unread_one() -> None:
    buffer = EventBuffer()
    for n_done in (1, 2, 3):
        buffer.post(PromptProgress(n_done=n_done, n_total=3, n_cached=0))
    buffer.post(END)
    assert await all_of(buffer) == [PromptProgress(n_done=3, n_total=3, n_cached=0), END]


async def test_different_events_keep_their_order() -> None:
    buffer = EventBuffer()
    events: list[GenerationEvent] = [Loading(fraction=0.5), TextDelta(text="a", n_completion=1), END]
    for event in events:
        buffer.post(event)
    assert await all_of(buffer) == events


async def test_events_after_the_last_are_dropped() -> None:
    buffer = EventBuffer()
    buffer.post(END)
    buffer.post(END)
    buffer.post(TextDelta(text="late", n_completion=1))
    assert await all_of(buffer) == [END]


async def test_a_reader_waits_for_the_next_event() -> None:
    buffer = EventBuffer()
    reading = asyncio.create_task(buffer.get())
    await asyncio.sleep(0)
    assert not reading.done()
    buffer.post(END)
    assert await reading == END


async def test_a_writer_far_ahead_is_paused_until_the_text_is_read() -> None:
    buffer, room = EventBuffer(), list[bool]()
    buffer.on_resume = lambda: room.append(True)
    buffer.post(TextDelta(text="x" * (MAX_UNREAD_CHARACTERS + 1), n_completion=1))
    assert (buffer.is_full, room) == (True, [])
    await buffer.get()
    assert (buffer.is_full, room) == (False, [True])


def test_text_far_beyond_the_pause_limit_floods_the_buffer() -> None:
    buffer = EventBuffer()
    buffer.post(TextDelta(text="x" * (2 * MAX_UNREAD_CHARACTERS), n_completion=1))
    assert not buffer.is_flooded
    buffer.post(TextDelta(text="x" * MAX_FLOOD_CHARACTERS, n_completion=2))
    assert buffer.is_flooded


async def test_read_text_no_longer_counts() -> None:
    buffer = EventBuffer()
    buffer.post(TextDelta(text="x" * (MAX_UNREAD_CHARACTERS + 1), n_completion=1))
    await buffer.get()
    buffer.post(TextDelta(text="x", n_completion=2))
    assert not buffer.is_full


async def test_closing_releases_writer_and_reader() -> None:
    buffer = EventBuffer()
    buffer.post(TextDelta(text="x" * (MAX_UNREAD_CHARACTERS + 1), n_completion=1))
    buffer.close()
    assert not buffer.is_full
    assert await buffer.get() is None
