"""Sound in base64 is heard by a model that can, in each dialect that has it."""

from __future__ import annotations

import base64
import io
import wave
from typing import Any

import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import conversation_of
from fireside.api.http_messages import MAX_BODY_BYTES
from fireside.core.message import AudioPart
from fireside.core.model import ModelSpec
from llama.seeing import HEARING, write_vision_model
from unit.documents.test_sound import sound_file

SOUND = base64.b64encode(sound_file("mp3", seconds=0.5)).decode()
BROKEN = base64.b64encode(b"RIFF....WAVE").decode()


def chat(part: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "/v1/chat/completions", {"messages": [{"role": "user", "content": [part]}]}


def input_audio(data: str) -> tuple[str, dict[str, Any]]:
    return chat({"type": "input_audio", "input_audio": {"data": data, "format": "mp3"}})


def audio_url(data: str) -> tuple[str, dict[str, Any]]:
    return chat({"type": "audio_url", "audio_url": {"url": f"data:audio/mpeg;base64,{data}"}})


def responses(data: str) -> tuple[str, dict[str, Any]]:
    part = {"type": "input_audio", "input_audio": {"data": data, "format": "mp3"}}
    return "/v1/responses", {"input": [{"role": "user", "content": [part]}]}


def ollama(data: str) -> tuple[str, dict[str, Any]]:
    return "/api/chat", {
        "messages": [{"role": "user", "content": "What?", "images": [data]}],
        "stream": False,
    }


FORMS = pytest.mark.parametrize("form", [input_audio, audio_url, responses, ollama])


@pytest.fixture
async def hearing(harness: ApiHarness, tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """A model that hears, in the library."""
    folder = tmp_path_factory.mktemp("hearing")
    write_vision_model(folder, HEARING[0])
    await harness.harness.app.models.add([str(folder)])
    specs = (entry.spec for entry in harness.harness.app.models.entries)
    return next(spec for spec in specs if spec is not None and spec.hears_audio)


@FORMS
async def test_sound_is_read_and_given_to_the_model(
    harness: ApiHarness, hearing: ModelSpec, form: Any
) -> None:
    path, body = form(SOUND)
    answer = await harness.ask(path, {**body, "model": hearing.id})
    assert answer.status == 200, answer.body
    (message,) = conversation_of(harness.engine.requests[-1])
    (part,) = (part for part in message.parts if isinstance(part, AudioPart))
    assert part.media_type == "audio/wav"
    assert part.seconds == pytest.approx(0.5, abs=0.06)


@FORMS
async def test_damaged_sound_is_refused_with_its_place(
    harness: ApiHarness, hearing: ModelSpec, form: Any
) -> None:
    path, body = form(BROKEN)
    answer = await harness.ask(path, {**body, "model": hearing.id})
    assert answer.status == 400
    assert b"[0]" in answer.body
    assert b"the audio is damaged" in answer.body
    assert harness.engine.requests == []


@FORMS
async def test_model_that_does_not_hear_refuses_sound(harness: ApiHarness, form: Any) -> None:
    path, body = form(SOUND)
    answer = await harness.ask(path, {**body, "model": harness.harness.model_id})
    assert answer.status == 400
    assert b"This model does not support audio." in answer.body


@FORMS
async def test_long_sound_passes_where_other_bodies_are_too_large(
    harness: ApiHarness, hearing: ModelSpec, form: Any
) -> None:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(bytes(2 * 16_000 * 300))
    encoded = base64.b64encode(file.getvalue()).decode()
    assert len(encoded) > MAX_BODY_BYTES
    path, body = form(encoded)
    answer = await harness.ask(path, {**body, "model": hearing.id})
    assert answer.status == 200, answer.body
    (message,) = conversation_of(harness.engine.requests[-1])
    (part,) = (part for part in message.parts if isinstance(part, AudioPart))
    assert part.seconds == pytest.approx(300, abs=1)
    for other in (encoded.replace("A", ",", 1), "," * len(encoded), "[1]," + "A" * len(encoded)):
        refused = await harness.ask(path, {**body, "model": hearing.id, "user": other})
        assert refused.status == 413
        assert b"larger than 8 MiB beside its files" in refused.body


async def test_no_address_is_fetched(harness: ApiHarness) -> None:
    path, body = chat({"type": "audio_url", "audio_url": {"url": "https://example.org/a.wav"}})
    answer = await harness.ask(path, body)
    assert (answer.status, b"no address is fetched" in answer.body) == (400, True)


async def test_what_a_model_takes_is_reported_as_the_originals_do(
    harness: ApiHarness, hearing: ModelSpec
) -> None:
    shown = (await harness.ask("/api/show", {"model": hearing.id})).json
    assert shown["capabilities"] == ["completion", "tools", "audio"]
    models = (await harness.ask("/v1/models")).json["data"]
    (found,) = (each for each in models if each["id"] == hearing.id)
    assert found["architecture"]["input_modalities"] == ["text", "audio"]
