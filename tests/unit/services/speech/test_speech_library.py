"""Speech models are known by their files, on the hub and on the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fireside.core.hub import HubFile
from fireside.core.speech import SpeechTask
from fireside.services.speech.speech_library import (
    NEEDS_ESPEAK,
    SPEECH_TEXTS,
    as_installed,
    find_model,
    load_list,
    needed_files,
)
from fireside.settings.paths import resources_folder
from fireside.speech_host.speech_messages import SpeechFormat

REPOSITORIES = {
    "sherpa-onnx-whisper-base": (
        SpeechFormat.WHISPER,
        "base-encoder.int8.onnx base-decoder.int8.onnx base-tokens.txt",
        "base-encoder.onnx base-decoder.onnx README.md test_wavs/0.wav",
    ),
    "sherpa-onnx-moonshine-tiny-en-int8": (
        SpeechFormat.MOONSHINE_PARTS,
        "preprocess.onnx encode.int8.onnx uncached_decode.int8.onnx cached_decode.int8.onnx tokens.txt",
        "LICENSE test_wavs/0.wav",
    ),
    "moonshine-base-v2": (
        SpeechFormat.MOONSHINE,
        "encoder_model.ort decoder_model_merged.ort tokens.txt",
        "tokenizer.bin",
    ),
    "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8": (
        SpeechFormat.TRANSDUCER,
        "encoder.int8.onnx decoder.int8.onnx joiner.int8.onnx tokens.txt",
        "test_wavs/de.wav",
    ),
    "sherpa-onnx-streaming-zipformer-en-2023-06-26": (
        SpeechFormat.STREAMING,
        "encoder-epoch-99-chunk-16.int8.onnx decoder-epoch-99-chunk-16.int8.onnx "
        "joiner-epoch-99-chunk-16.int8.onnx tokens.txt",
        "encoder-epoch-99-chunk-16.onnx bpe.model",
    ),
    "sherpa-onnx-sense-voice-zh-en": (SpeechFormat.SENSE_VOICE, "model.int8.onnx tokens.txt", "model.onnx"),
    "kokoro-int8-multi-lang-v1_1": (
        SpeechFormat.KOKORO,
        "model.int8.onnx voices.bin tokens.txt lexicon-us-en.txt lexicon-zh.txt",
        "espeak-ng-data/de_dict dict/jieba.dict.utf8",
    ),
    "supertonic": (
        SpeechFormat.SUPERTONIC,
        "duration_predictor.int8.onnx text_encoder.int8.onnx vector_estimator.int8.onnx vocoder.int8.onnx "
        "tts.json unicode_indexer.bin voice.bin",
        "LICENSE",
    ),
    "vits-piper-de_DE-thorsten-medium": (
        SpeechFormat.PIPER,
        "de_DE-thorsten-medium.onnx tokens.txt de_DE-thorsten-medium.onnx.json",
        "espeak-ng-data/de_dict MODEL_CARD",
    ),
}


@pytest.mark.parametrize("repo", REPOSITORIES)
def test_the_files_that_a_model_needs_are_chosen(tmp_path: Path, repo: str) -> None:
    format_, needed, others = REPOSITORIES[repo]
    listed = [
        HubFile(path=path, size_bytes=1, digest="")
        for path in (*others.split(), *needed.split(), "model.tar.bz2")
    ]
    chosen = {file.path for file in needed_files(f"owner/{repo}", listed)}
    assert chosen == set(needed.split())
    folder = tmp_path / repo
    folder.mkdir()
    for path in chosen:
        (folder / path).write_text("{}")
    model = find_model(folder)
    assert model is not None
    assert model.format is format_
    assert {Path(path).name for part, path in model.files.items() if part != "type"} <= chosen


def test_what_is_no_speech_model_is_none(tmp_path: Path) -> None:
    assert needed_files("a/b", [HubFile(path="model.gguf", size_bytes=1, digest="")]) == ()
    assert find_model(tmp_path) is None
    assert find_model(tmp_path / "nowhere") is None


def test_a_voice_of_piper_speaks_the_language_of_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("v.onnx", "tokens.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "v.onnx.json").write_text(json.dumps({"espeak": {"voice": "de"}, "other": 1}))
    monkeypatch.setattr("shutil.which", lambda _: "/bin/espeak-ng")
    model = find_model(tmp_path)
    assert model is not None
    assert (model.language, model.phonemizer) == ("de", "/bin/espeak-ng")
    monkeypatch.setattr("shutil.which", lambda _: None)
    shown = as_installed(tmp_path, repo="a/b", listed=None)
    assert shown is not None
    assert (shown.task, shown.problem) == (SpeechTask.VOICE, NEEDS_ESPEAK)
    (tmp_path / "lexicon.txt").write_text("")
    (tmp_path / "v.onnx.json").write_text("[damaged")
    shown = as_installed(tmp_path, repo="a/b", listed=None)
    assert shown is not None
    assert shown.problem == ""


def test_the_list_of_the_program_is_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    path = resources_folder() / "speech.json"
    monkeypatch.setattr("shutil.which", lambda _: None)
    lacking = {model.repo for model in load_list(path) if model.problem == NEEDS_ESPEAK}
    monkeypatch.setattr("shutil.which", lambda _: "/bin/espeak-ng")
    models = load_list(path)
    assert lacking == {model.repo for model in models if "espeak" in model.about}
    assert not any(model.problem for model in models)
    assert {model.about for model in models} == SPEECH_TEXTS, "they are translated"
    assert {model.task for model in models} == set(SpeechTask)
    assert len({model.repo for model in models}) == len(models)
    assert all(model.licence and model.about and model.languages for model in models)
