"""Damaged and hostile model files through the real runner: whatever becomes of it, the program goes on."""

from __future__ import annotations

import asyncio
import os
import random
import struct
import sys
from pathlib import Path
from typing import Final

import msgspec
import psutil
import pytest

from fakes.children import real_spawner, starter_at
from fakes.engine_harness import end_of
from fakes.live_engine import live_engine
from fireside.core.generation import Failed, Finished
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from llama.tiny_models import write_llama
from llama.tiny_projectors import write_gemma

SEED: Final = 20261122
N_MUTANTS: Final = 6
PATIENCE_S: Final = 60.0
OPTIONS: Final = LoadOptions(n_ctx=256, n_threads=1, n_gpu_layers=0)
NUMBERS: Final = (0, 1, 2, 0x7FFF, 1 << 16, 0x7FFFFFFF, 1 << 31, 0xFFFFFFFF)
KNOWN: Final = frozenset(
    {
        "load_failed",
        "model_file_invalid",
        "model_file_missing",
        "model_output_invalid",
        "out_of_memory",
        "runner_crashed",
        "runner_protocol_error",
        "runner_unresponsive",
        "template_failed",
        "invalid_parameter",
    }
)
VOCABULARIES: Final = {
    "negative byte": (b"<0x41>", b"<0x-1>"),
    "no digits": (b"<0x41>", b"<0xZZ>"),
    "no end": (b"<0x41>", b"<0x41<"),
    "the same twice": (b"<0x41>", b"<0x42>"),
    "zeros": (b"<0x41>", b"\0\0\0\0\0\0"),
    "an invalid character": (b"<0x41>", b"\xff\xfe\xf0\x9f\xa6\xff"),
}


def mutant_of(content: bytes, number: int) -> bytes:
    """Return the file with one to four wounds, most of them where its header is."""
    chance = random.Random(f"{SEED}/{number}")
    mutant = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(24, min(len(mutant) - 8, 12_000))
        match chance.choice(("bit", "number", "noise")):
            case "bit":
                mutant[at] ^= 1 << chance.randrange(8)
            case "number":
                mutant[at : at + 4] = struct.pack("<I", chance.choice(NUMBERS))
            case _:
                mutant[at : at + 3] = chance.randbytes(3)
    return bytes(mutant)


def request(path: Path, number: int, *, options: LoadOptions = OPTIONS) -> GenerationRequest:
    return GenerationRequest(
        request_id=RequestId(number),
        spec=msgspec.structs.replace(starter_at(path), id=ModelId(f"mutant {number}")),
        options=options,
        task=GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, "ABC abc"),)),
            sampling=SamplingParams(temperature=0, max_tokens=3),
        ),
    )


def ends_of(requests: list[GenerationRequest], *, sound: Path) -> list[Finished | Failed]:
    """Have one engine answer all of them, one after the other, and then with a sound model."""

    async def scenario() -> list[Finished | Failed]:
        async with live_engine(real_spawner()) as (engine, _spawn):
            ends = []
            for each in requests:
                async with asyncio.timeout(PATIENCE_S):
                    end = await end_of(engine.generate(each))
                assert isinstance(end, Finished | Failed)
                ends.append(end)
            last = await end_of(engine.generate(request(sound, 900)))
            assert isinstance(last, Finished), last
            return ends

    return asyncio.run(scenario())


def assert_told(ends: list[Finished | Failed]) -> None:
    """Each ended well, or in a sentence with a known code."""
    failed = [end for end in ends if isinstance(end, Failed)]
    assert {end.error.code for end in failed} <= KNOWN
    assert all(end.error.sentence.isprintable() and len(end.error.sentence) < 3000 for end in failed)


def test_damaged_models_end_in_words_and_the_program_goes_on(
    tmp_path: Path, starter_model_path: Path, abuse_scale: int
) -> None:
    sound = write_llama(tmp_path / "sound.gguf").read_bytes()
    requests = []
    for number in range(N_MUTANTS * abuse_scale):
        path = tmp_path / f"{number}.gguf"
        path.write_bytes(mutant_of(sound, number))
        requests.append(request(path, number + 1))
    ends = ends_of(requests, sound=starter_model_path)
    assert_told(ends)
    assert any(isinstance(end, Failed) for end in ends), "the wounds are deep enough to be noticed"


def test_hostile_vocabularies_end_in_words_or_an_answer(tmp_path: Path, starter_model_path: Path) -> None:
    sound = write_llama(tmp_path / "sound.gguf").read_bytes()
    requests = []
    for number, (theirs, hostile) in enumerate(VOCABULARIES.values(), 1):
        assert theirs in sound
        path = tmp_path / f"{number}.gguf"
        path.write_bytes(sound.replace(theirs, hostile))
        requests.append(request(path, number))
    assert_told(ends_of(requests, sound=starter_model_path))


def test_damaged_projectors_end_in_words_and_the_program_goes_on(
    tmp_path: Path, starter_model_path: Path, abuse_scale: int
) -> None:
    model = write_llama(tmp_path / "sound.gguf")
    sound = write_gemma(tmp_path / "projector.gguf", n_out=64).read_bytes()
    requests = []
    for number in range(N_MUTANTS // 2 * abuse_scale):
        path = tmp_path / f"mmproj-{number}.gguf"
        path.write_bytes(mutant_of(sound, number))
        options = msgspec.structs.replace(OPTIONS, projector_path=str(path))
        requests.append(request(model, number + 1, options=options))
    assert_told(ends_of(requests, sound=starter_model_path))


@pytest.mark.parametrize("number", [0, 7])
def test_a_mutant_is_the_same_every_time(number: int) -> None:
    content = bytes(range(256)) * 100
    assert mutant_of(content, number) == mutant_of(content, number) != content


def test_a_runner_holds_no_secret_of_the_program(
    starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a hostile file could have it read out."""
    for name in ("HF_TOKEN", "CUDA_API_KEY", "AWS_SECRET_ACCESS_KEY", "GGML_PASSWORD", "OMP_AUTH_TOKEN"):
        monkeypatch.setenv(name, "canary-of-the-program")

    async def scenario() -> None:
        async with live_engine(real_spawner()) as (engine, spawn):
            assert isinstance(await end_of(engine.generate(request(starter_model_path, 1))), Finished)
            held = psutil.Process(spawn.pids[0]).environ()
            assert held, "it can be looked at"
            assert [name for name, value in held.items() if "canary" in value] == []

    asyncio.run(scenario())


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use can neither be removed nor cut there")
@pytest.mark.parametrize("what_happens", ["removed", "cut", "overwritten"])
def test_a_model_file_that_changes_under_a_loaded_model_costs_at_most_its_runner(
    what_happens: str, tmp_path: Path, starter_model_path: Path
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(starter_model_path.read_bytes())
    mapped = msgspec.structs.replace(OPTIONS, use_mmap=True, use_repack=False)

    async def scenario() -> None:
        async with live_engine(real_spawner()) as (engine, _spawn):
            assert isinstance(await end_of(engine.generate(request(path, 1, options=mapped))), Finished)
            match what_happens:
                case "removed":
                    path.unlink()
                case "cut":
                    os.truncate(path, 1_000_000)
                case _:
                    path.write_bytes(b"\0" * 1_000_000)
            again = msgspec.structs.replace(request(path, 1, options=mapped), request_id=RequestId(2))
            end = await end_of(engine.generate(again))
            assert isinstance(end, Finished | Failed)
            assert what_happens != "removed" or isinstance(end, Finished)
            assert_told([end])
            assert isinstance(await end_of(engine.generate(request(starter_model_path, 3))), Finished)

    asyncio.run(scenario())
