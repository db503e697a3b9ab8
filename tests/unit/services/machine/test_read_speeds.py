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
from fireside.services.machine.read_speeds import MIN_SPREAD, PROBED_SHARE, ReadSpeeds, memory_speed


def answer(*, n_tokens: int = 101, decode_s: float = 5.0) -> StoredMessage:
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
            timings=Timings(prompt_s=0.1, decode_s=decode_s, first_token_s=0.1),
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


def test_a_few_answers_beside_busy_programs_do_not_widen_the_range() -> None:
    speeds = ReadSpeeds(None, probe=lambda: 1e10)
    for decode_s in (5.0, 5.1, 40.0, 4.9, 5.0, 60.0, 5.2, 4.8):
        speeds.observe(answer(decode_s=decode_s), spec=a_spec(), state=ready())
    assert asyncio.run(speeds.speeds())[HOST].spread == MIN_SPREAD


def test_answers_outweigh_the_probe_and_are_stored(tmp_path: Path) -> None:
    speeds = ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e12)
    before = asyncio.run(speeds.speeds())[HOST]
    for decode_s in (5.0, 5.2, 4.8):
        speeds.observe(answer(decode_s=decode_s), spec=a_spec(), state=ready())
    again = asyncio.run(ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e12).speeds())
    assert again[HOST].spread < before.spread
    found = tokens_per_s(a_spec(), n_gpu_layers=0, gpu="", speeds=again)
    assert found is not None
    assert found.low < 20.0 < found.high


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
    assert asyncio.run(speeds.speeds())[HOST].bytes_per_s == 1e10 * PROBED_SHARE


def test_an_unreadable_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_bytes(b"[")
    assert HOST in asyncio.run(ReadSpeeds(tmp_path / "speeds.json", probe=lambda: 1e10).speeds())


def test_the_probe_measures_something() -> None:
    assert memory_speed() > 1e8
