"""Speech through its process: dictation, reading aloud, files, and what happens when it dies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import psutil
import pytest
import soundfile

from fakes.raised import refuses
from fakes.speech import RATE, SAID, SpeechHarness, tones, wave_file
from fireside.core.speech import (
    SentenceEnded,
    SentenceStarted,
    SoundPlayed,
    SpeechEnded,
    SpeechFault,
    SpeechHeard,
    SpeechLevel,
    SpeechReady,
    TranscriptionProgressed,
    VoiceHeard,
)
from fireside.speech_host.speech_messages import MAX_AUDIO_BYTES


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[SpeechHarness]:
    harness = SpeechHarness(tmp_path, said=SAID)
    yield harness
    await harness.service.close()


def finals(harness: SpeechHarness, job: int) -> list[str]:
    return [event.text for event in harness.of(SpeechHeard, job) if event.is_final]


async def test_what_is_dictated_is_heard_recorded_and_kept_until_it_is_acknowledged(
    harness: SpeechHarness,
) -> None:
    service = harness.service
    assert service.memory_bytes == 0, "no process runs before the first job"
    job = await service.start_dictation()
    await harness.until(lambda: len(finals(harness, job)) == 2)
    await service.stop(job)
    assert await harness.end_of(job) == ""
    assert finals(harness, job) == ["word3 word5", "word7"]
    first = harness.of(SpeechHeard, job)[0]
    assert not first.is_final, "words appear while one speaks"
    assert harness.events.index(harness.of(SpeechReady, job)[0]) < harness.events.index(first)
    assert harness.of(VoiceHeard, job)[0].at_s == pytest.approx(0.6, abs=0.1)
    assert max(event.level for event in harness.of(SpeechLevel, job)) > 0.8
    (recording,) = (await service.status()).recordings
    assert recording.duration_s >= 3.0
    await service.acknowledge(job)
    assert (await service.status()).recordings == ()
    assert list((harness.folder / "recordings").iterdir()) == []


async def test_a_recording_survives_the_process_and_is_recognised_again(harness: SpeechHarness) -> None:
    service = harness.service
    job = await service.start_dictation()
    await harness.until(lambda: len(finals(harness, job)) == 2)
    psutil.Process(service._process.pid).kill()
    assert "recorded is kept" in await harness.end_of(job)
    (recording,) = (await service.status()).recordings
    again = await service.recognise_again(recording.name)
    assert await harness.end_of(again) == ""
    assert finals(harness, again) == ["word3 word5", "word7"]
    await service.acknowledge(again)
    assert (await service.status()).recordings == ()


async def test_an_answer_is_read_aloud_while_it_is_written(harness: SpeechHarness) -> None:
    job = await harness.service.start_speaking()
    await harness.service.add_text(job, "Say **word4**. And `wo")
    await harness.until(lambda: harness.of(SentenceEnded, job))
    await harness.service.add_text(job, "rd6`.\n\n```\ncode\n```\n", is_last=True)
    assert await harness.end_of(job) == ""
    started = [(event.number, event.text) for event in harness.of(SentenceStarted, job)]
    assert started == [(1, "Say word4."), (2, "And word6."), (3, "")]
    samples = np.frombuffer(harness.played.read_bytes(), np.float32)
    words = [samples[first : first + 1600] for first in range(0, len(samples) - 1600, 1600)]
    heard = {round(np.abs(np.fft.rfft(word)).argmax() / 10) for word in words if np.abs(word).max() > 0.4}
    assert {4, 6} <= heard


async def test_a_pause_holds_the_voice_and_a_stop_ends_it(harness: SpeechHarness) -> None:
    job = await harness.service.start_speaking()
    await harness.service.control(job, is_paused=True)
    await harness.service.add_text(job, "First. Second word2.", is_last=True)
    other = await harness.service.start_transcription(str(harness.folder / "said.wav"))
    await harness.end_of(other)
    assert harness.of(SentenceStarted, job) == []
    await harness.service.control(job, is_paused=False)
    await harness.until(lambda: harness.of(SentenceStarted, job))
    await harness.service.stop(job)
    assert await harness.end_of(job) == ""


async def test_a_voice_that_dies_in_mid_sentence_says_so_and_speaks_again(harness: SpeechHarness) -> None:
    service = harness.service
    job = await service.start_speaking()
    await service.add_text(job, "word2 " * 600, is_last=True)
    await harness.until(lambda: harness.of(SentenceStarted, job))
    assert service._process.pid is not None
    psutil.Process(service._process.pid).kill()
    assert "unexpectedly" in await harness.end_of(job)
    assert harness.of(SentenceEnded, job) == []
    again = await service.start_speaking()
    await service.add_text(job, "What comes late changes nothing.", is_last=True)
    await service.add_text(again, "Say word4.", is_last=True)
    assert await harness.end_of(again) == ""
    assert [event.number for event in harness.of(SentenceEnded, again)] == [1]


async def test_a_voice_is_silent_when_someone_speaks(harness: SpeechHarness) -> None:
    speaking = await harness.service.start_speaking()
    await harness.service.add_text(speaking, "word2 " * 600, is_last=True)
    await harness.until(lambda: harness.of(SentenceStarted, speaking))
    talk = await harness.service.start_talk()
    assert await harness.end_of(speaking) == ""
    assert harness.of(VoiceHeard, talk)
    await harness.service.stop(talk, discards=True)
    assert await harness.end_of(talk) == ""
    assert list((harness.folder / "recordings").glob("*")) == [], "a talk is not recorded"


async def test_what_was_said_comes_back_from_a_file(harness: SpeechHarness) -> None:
    transcript = await harness.service.transcribe(wave_file(SAID))
    assert transcript.text == "word3 word5 word7"
    assert transcript.segments[1].start_s == pytest.approx(2.1, abs=0.2)
    assert transcript.duration_s == pytest.approx(len(SAID) / RATE, abs=0.1)
    sound = b"".join([each.samples async for each in harness.service.synthesise("word8 word9", speed=1.0)])
    again = await harness.service.transcribe(
        wave_file(np.frombuffer(sound, np.int16).astype(np.float32) / np.float32(32_767))
    )
    assert again.text == "word8 word9"


@pytest.mark.parametrize(("ending", "subtype"), [("ogg", "OPUS"), ("aiff", "PCM_16"), ("flac", "PCM_16")])
async def test_recordings_of_any_rate_are_read_from_their_files(
    harness: SpeechHarness, tmp_path: Path, ending: str, subtype: str
) -> None:
    said = np.repeat(SAID, 3)
    path = tmp_path / f"Vorträge.{ending}"
    soundfile.write(path, np.stack([said, said], axis=1), 48_000, subtype=subtype)
    job = await harness.service.start_transcription(str(path))
    assert await harness.end_of(job) == ""
    assert finals(harness, job) == ["word3 word5", "word7"]
    progress = harness.of(TranscriptionProgressed, job)
    assert {round(each.duration_s, 1) for each in progress} == {round(len(SAID) / RATE, 1)}
    assert progress[-1].position_s == pytest.approx(progress[-1].duration_s, abs=0.1)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [("gone.wav", None, SpeechFault.FORMAT), ("film.mp4", b"\0\0\0\x18ftypmp42", SpeechFault.MEDIA)],
)
async def test_what_cannot_be_read_says_why(
    harness: SpeechHarness, tmp_path: Path, name: str, content: bytes | None, fault: SpeechFault
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    job = await harness.service.start_transcription(str(tmp_path / name))
    assert await harness.end_of(job) != ""
    assert harness.of(SpeechEnded, job)[0].fault is fault


async def test_a_file_is_played_to_its_end_from_where_one_wants(harness: SpeechHarness) -> None:
    job = await harness.service.play(wave_file(tones((3, 60.0))))
    await harness.until(lambda: harness.of(SoundPlayed, job))
    await harness.service.control(job, position_s=59.0)
    assert await harness.end_of(job) == ""
    at = harness.of(SoundPlayed, job)
    assert at[-1].position_s == pytest.approx(60.0, abs=0.2)
    assert any(59.0 <= event.position_s < 60.0 for event in at)


@pytest.mark.parametrize("data", [b"", b"nonsense" * 100, wave_file(SAID)[:30]])
async def test_what_is_no_sound_is_refused(harness: SpeechHarness, data: bytes) -> None:
    with refuses("speech_failed", match="not sound"):
        await harness.service.transcribe(data)


async def test_a_file_may_be_as_large_as_a_body_of_the_local_api(harness: SpeechHarness) -> None:
    with refuses("speech_failed", match="not sound"):
        await harness.service.transcribe(bytes(MAX_AUDIO_BYTES))
    with refuses("speech_too_large", match="50"):
        await harness.service.transcribe(bytes(MAX_AUDIO_BYTES + 1))


async def test_a_model_that_crashes_costs_its_job_alone(harness: SpeechHarness) -> None:
    encoder = harness.models / "tests" / "ears" / "a-encoder.onnx"
    crashing = encoder.rename(encoder.with_name("crash-encoder.onnx"))
    with refuses("speech_failed", match="unexpectedly"):
        await harness.service.transcribe(wave_file(SAID))
    crashing.rename(encoder)
    assert (await harness.service.transcribe(wave_file(SAID))).text == "word3 word5 word7"


async def test_no_recording_with_sound_is_deleted_unasked(harness: SpeechHarness) -> None:
    folder = harness.folder / "recordings"
    folder.mkdir(exist_ok=True)
    contents = {"empty.wav": b"", "header.wav": b"RIFF" + bytes(40), "damaged.wav": b"RIFX" + bytes(4000)}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    assert (await harness.service.status()).recordings == ()
    assert [path.name for path in folder.iterdir()] == ["damaged.wav"]


async def test_missing_parts_are_named(harness: SpeechHarness, tmp_path: Path) -> None:
    (harness.models / "tests" / "ears" / "a-tokens.txt").unlink()
    with refuses("recognizer_missing"):
        await harness.service.start_dictation()
    await harness.library.remove("tests/mouth")
    with refuses("voice_missing"):
        await harness.service.start_speaking()
    harness.component.rename(tmp_path / "elsewhere")
    with refuses("component_missing"):
        await harness.service.start_speaking()
    status = await harness.service.status()
    assert (status.has_component, status.recognizer, status.voice) == (False, None, None)
    assert harness.service._process.pid is None


async def test_no_microphone_is_said(tmp_path: Path) -> None:
    harness = SpeechHarness(tmp_path)
    devices = await harness.service.devices()
    assert (devices.microphones, devices.speakers) == ((), ("Box",))
    job = await harness.service.start_dictation()
    assert "No microphone" in await harness.end_of(job)
    assert (await harness.service.status()).recordings == ()
    await harness.service.close()
