"""The read speed of this computer is probed once, then learned from answers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from fakes.engine_harness import a_spec
from fakes.model_entries import loaded_state
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.generation import Timings, Usage
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import ChatMessage, Role
from fireside.core.options import Speculation
from fireside.core.status import ModelState, Ready
from fireside.engine.planning.speed_estimate import HOST, tokens_per_s
from fireside.services.machine.read_speeds import MAX_REMEMBERED, PROBED_SHARE, ReadSpeeds, memory_speed

DAY_S = 86_400.0


def answer(*, n_tokens: int = 101, decode_s: float = 5.0, share: float = 1.0) -> StoredMessage:
    """An answer that got this share of the two threads that its model runs with."""
    return StoredMessage(
        id=MessageId(1),
        conversation_id=ConversationId(1),
        parent_id=None,
        message=ChatMessage(role=Role.ASSISTANT, parts=()),
        state=MessageState.COMPLETE,
        created_at=0.0,
        generation=GenerationRecord(
            model_id=ModelId("m"),
            model_name="m",
            usage=Usage(n_prompt=10, n_cached=0, n_completion=n_tokens),
            timings=Timings(prompt_s=0.1, decode_s=decode_s, first_token_s=0.1, cpu_s=2 * share * decode_s),
        ),
    )


def ready(*, n_active: int = 0, speculation: Speculation = Speculation.OFF) -> Ready:
    state = loaded_state(a_spec(), n_active=n_active)
    return msgspec.structs.replace(
        state, loaded=msgspec.structs.replace(state.loaded, speculation=speculation)
    )


def test_each_run_probes_the_memory_once_and_the_best_probe_counts(tmp_path: Path) -> None:
    probes = [1e9, 1e10, 2e9]
    expected = [1e9, 1e10, 1e10]
    for best in expected:
        speeds = ReadSpeeds(tmp_path / "speeds.json", probe=lambda: probes.pop(0))
        for _ in range(2):
            assert asyncio.run(speeds.speeds())[HOST].bytes_per_s == best * PROBED_SHARE
    assert not probes


def speed_of(speeds: ReadSpeeds) -> float:
    """Return how fast the model of the answers is read."""
    found = tokens_per_s(a_spec(), n_gpu_layers=0, gpu="", speeds=asyncio.run(speeds.speeds()))
    assert found is not None
    return found.likely


def test_answers_outweigh_the_probe_and_are_stored(tmp_path: Path) -> None:
    speeds = ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e10)
    probed = speed_of(speeds)
    for decode_s in (5.0, 5.2, 4.8, 5.1, 4.9, 5.0, 5.0, 5.0):
        speeds.observe(answer(decode_s=decode_s), spec=a_spec(), state=ready())
    again = ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e10)
    assert abs(speed_of(again) - 20) < abs(probed - 20) / 4


def test_an_answer_beside_busy_programs_counts_little_or_nothing() -> None:
    quiet, busy, hindered = (ReadSpeeds(None, probe=lambda: 1e10) for _ in range(3))
    probed = speed_of(quiet)
    for speeds, share in ((quiet, 0.95), (busy, 0.4), (hindered, 0.6)):
        for _ in range(4):
            speeds.observe(answer(decode_s=500.0, share=share), spec=a_spec(), state=ready())
    assert speed_of(busy) == probed
    assert speed_of(quiet) < speed_of(hindered) < probed


def test_an_answer_of_an_unknown_share_of_the_processor_teaches_nothing() -> None:
    speeds = ReadSpeeds(None, probe=lambda: 1e10)
    probed = speed_of(speeds)
    speeds.observe(answer(decode_s=500.0, share=0.0), spec=a_spec(), state=ready())
    assert speed_of(speeds) == probed


def test_answers_fade_with_time() -> None:
    today = 0.0
    speeds = ReadSpeeds(None, probe=lambda: 1e10, clock=lambda: today)
    probed = speed_of(speeds)
    speeds.observe(answer(decode_s=500.0), spec=a_spec(), state=ready())
    fresh = speed_of(speeds)
    today = 14 * DAY_S
    older = speed_of(speeds)
    today = 365 * DAY_S
    assert fresh < older < speed_of(speeds)
    assert speed_of(speeds) == pytest.approx(probed, rel=0.01)


def test_answers_of_a_small_model_do_not_push_out_those_of_a_large_one() -> None:
    speeds = ReadSpeeds(None, probe=lambda: 1e10)
    large = msgspec.structs.replace(a_spec(), size_bytes=50 * a_spec().size_bytes)
    speeds.observe(answer(), spec=large, state=ready())
    for _ in range(3 * MAX_REMEMBERED):
        speeds.observe(answer(), spec=a_spec(), state=ready())
    answers = asyncio.run(speeds.speeds())[HOST].answers
    assert len(answers) == MAX_REMEMBERED + 1
    assert answers[0].token_bytes > 10 * answers[1].token_bytes


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    file = tmp_path / "speeds.json"
    file.write_text('{"measured": {"host": [1e9, 2e9], "CUDA0": [3e11]}, "probed": 2e10}')
    speeds = asyncio.run(ReadSpeeds(file, probe=lambda: 1e10).speeds())
    assert speeds[HOST].bytes_per_s == 2e10 * PROBED_SHARE


@pytest.mark.parametrize(
    ("message", "state"),
    [
        (answer(n_tokens=5), ready()),
        (answer(), ready(speculation=Speculation.PROMPT_LOOKUP)),
        (answer(), ready(n_active=2)),
    ],
)
def test_unrepresentative_answers_are_ignored(message: StoredMessage, state: ModelState) -> None:
    speeds = ReadSpeeds(None, probe=lambda: 1e10)
    speeds.observe(message, spec=a_spec(), state=state)
    assert not asyncio.run(speeds.speeds())[HOST].answers


def test_an_unreadable_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_bytes(b"[")
    assert HOST in asyncio.run(ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e10).speeds())


def test_the_probe_measures_something() -> None:
    assert memory_speed() > 1e8
