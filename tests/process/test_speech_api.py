"""Speech through the local API, with OpenAI's own client."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import openai
import pytest
import soundfile

from fakes.api_harness import ApiHarness, api_harness
from fakes.speech import RATE, SAID, furnish, wave_file
from fireside.documents.sound import opened_sound
from fireside.settings.api_tokens import TokenScope

T = TypeVar("T")
FILE = ("said.wav", wave_file(SAID))


async def asked(
    place: ApiHarness, ask: Callable[[openai.OpenAI], T], *, scope: TokenScope = TokenScope.SPEECH
) -> T:
    """Return what ``ask`` returns, of a client with one scope."""
    token = place.tokens.add("client", frozenset({scope})).reveal()
    with openai.OpenAI(base_url=f"{place.server.address}/v1", api_key=token, max_retries=0) as client:
        return await asyncio.to_thread(ask, client)


async def test_the_client_of_openai_transcribes_and_speaks(tmp_path: Path, starter_model_path: Path) -> None:
    furnish(tmp_path)
    async with api_harness(tmp_path, starter=starter_model_path) as place:

        def transcribe(client: openai.OpenAI) -> dict[str, Any]:
            def of(**options: Any) -> Any:
                return client.audio.transcriptions.create(file=FILE, model="whisper-1", **options)

            return {
                **{name: of(response_format=name) for name in ("json", "text", "srt", "vtt", "verbose_json")},
                "stream": list(of(stream=True)),
            }

        got = await asked(place, transcribe)
        assert got["json"].text == got["text"].strip() == "word3 word5 word7"
        first, second = got["verbose_json"].segments
        assert (first.text, second.text) == ("word3 word5", "word7")
        assert first.start == pytest.approx(0.1, abs=0.2)
        assert got["verbose_json"].duration == pytest.approx(len(SAID) / RATE, abs=0.1)
        assert got["srt"].startswith("1\n00:00:00,")
        assert "\nword3 word5\n\n2\n00:00:0" in got["srt"]
        assert got["vtt"].startswith("WEBVTT\n\n00:00:00.")
        *deltas, done = got["stream"]
        assert "".join(event.delta for event in deltas) == done.text == got["json"].text

        def speak(client: openai.OpenAI) -> tuple[bytes, bytes]:
            options: dict[str, Any] = {"model": "tts-1", "voice": "alloy", "input": "Say word8. And word9."}
            whole = client.audio.speech.create(**options, response_format="wav").read()
            with client.audio.speech.with_streaming_response.create(
                **options, response_format="pcm"
            ) as reply:
                return whole, b"".join(reply.iter_bytes())

        wav, pcm = await asked(place, speak)
        assert wav[:4] == b"RIFF"
        assert wav[44:] == pcm
        heard = np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(32_767)
        at = np.arange(0, len(heard), 1.5)
        again = np.interp(at, np.arange(len(heard)), heard).astype(np.float32)
        text = (await asked(place, lambda client: client.audio.transcriptions.create(
            file=io.BytesIO(wave_file(again)), model="any"
        ))).text  # fmt: skip
        assert text == "word1 word8 word1 word9"


@pytest.mark.parametrize(
    ("kind", "content_type", "encoding"),
    [
        (None, "audio/mpeg", ("MP3", "MPEG_LAYER_III")),
        ("mp3", "audio/mpeg", ("MP3", "MPEG_LAYER_III")),
        ("opus", "audio/ogg", ("OGG", "OPUS")),
        ("flac", "audio/flac", ("FLAC", "PCM_16")),
    ],
)
async def test_speech_comes_encoded_piece_by_piece_and_is_understood_again(
    tmp_path: Path,
    starter_model_path: Path,
    kind: str | None,
    content_type: str,
    encoding: tuple[str, str],
) -> None:
    furnish(tmp_path)
    async with api_harness(tmp_path, starter=starter_model_path) as place:

        def speak(client: openai.OpenAI) -> tuple[str, list[bytes]]:
            options: dict[str, Any] = {"response_format": kind} if kind else {}
            with client.audio.speech.with_streaming_response.create(
                model="tts-1", voice="alloy", input="Say word8. And word9.", **options
            ) as reply:
                return reply.headers["content-type"], list(reply.iter_bytes())

        got_type, pieces = await asked(place, speak)
        encoded = b"".join(pieces)
        assert got_type == content_type
        with opened_sound(io.BytesIO(encoded)) as file:
            assert (file.format, file.subtype) == encoding
            n_samples = 0
            while n_read := len(file.read(24_000)):
                n_samples += n_read
            assert n_samples / file.samplerate == pytest.approx(1.2, abs=0.15)
        if kind != "flac":  # which libsndfile itself does not read where it was streamed
            assert len(soundfile.read(io.BytesIO(encoded))[0]) == pytest.approx(n_samples, rel=0.1)
        text = (await asked(place, lambda client: client.audio.transcriptions.create(
            file=("said", encoded), model="any"
        ))).text  # fmt: skip
        assert text.endswith("word9")


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"file": ("a.wav", b"")}, "file"),
        ({"response_format": "docx"}, "response_format"),
        ({"language": "Klingon!"}, "language"),
    ],
)
async def test_what_cannot_be_transcribed_is_refused_by_name(
    tmp_path: Path, starter_model_path: Path, options: dict[str, Any], param: str
) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        with pytest.raises(openai.BadRequestError) as refused:
            await asked(
                place,
                lambda client: client.audio.transcriptions.create(**{"file": FILE, "model": "x"} | options),
            )
        assert refused.value.param == param


async def test_speech_has_a_scope_of_its_own_and_says_what_is_missing(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async with api_harness(tmp_path, starter=starter_model_path) as place:

        def speak(client: openai.OpenAI) -> object:
            return client.audio.speech.create(model="x", voice="alloy", input="Hello")

        with pytest.raises(openai.PermissionDeniedError):
            await asked(place, speak, scope=TokenScope.ANSWER)
        with pytest.raises(openai.APIStatusError, match="Speech"):
            await asked(place, speak)
        with pytest.raises(openai.BadRequestError, match="choose mp3, opus, flac, wav, pcm"):
            await asked(
                place,
                lambda client: client.audio.speech.create(
                    model="x", voice="alloy", input="Hello", response_format="aac"
                ),
            )
