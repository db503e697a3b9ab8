"""Speech with stand-ins for its libraries: everything else is real, the process too."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sys
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from fakes.component_index import component_store
from fireside.core.events import AppEvent
from fireside.core.speech import SpeechEnded
from fireside.services.components import ComponentService
from fireside.services.speech.speech_library import SpeechLibrary
from fireside.services.speech.speech_service import SpeechParts, SpeechService
from fireside.settings.file import SettingsFile
from fireside.settings.paths import resources_folder
from fireside.settings.service import Settings

LIBRARIES = Path(__file__).with_name("speech_libraries")
RATE = 16_000
T = TypeVar("T")


def speech_parts(folder: Path, **environment: str) -> SpeechParts:
    """Return the parts for a data folder; ``environment`` is added to that of the host."""
    return SpeechParts(
        components=component_store(folder),
        environment={**os.environ, **environment},
        recordings=folder / "recordings",
        list_file=resources_folder() / "speech.json",
    )


def tones(*parts: tuple[int, float]) -> npt.NDArray[np.float32]:
    """Return what is said: the number of each word, 0 for silence, and its seconds."""
    pieces = [np.sin(2 * np.pi * 100 * n * np.arange(int(s * RATE)) / RATE) / 2 for n, s in parts]
    return np.concatenate(pieces).astype(np.float32)


def wave_file(samples: npt.NDArray[np.float32]) -> bytes:
    """Return ``samples`` as a WAV file."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())
    return content.getvalue()


SAID = tones((0, 0.5), (3, 0.5), (5, 0.5), (0, 1.0), (7, 0.6), (0, 3.0))


def furnish(folder: Path) -> Path:
    """Put the component, a recogniser and a voice into a data folder; return the folder of the component."""
    (speech,) = (each for each in component_store(folder).components() if each.id == "speech")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    component = folder / "components" / f"speech-{speech.version}-{python}"
    shutil.copytree(LIBRARIES, component)
    for name, files in (
        ("ears", ("a-encoder.onnx", "a-decoder.onnx", "a-tokens.txt")),
        ("mouth", ("v.onnx", "v.onnx.json", "tokens.txt", "lexicon.txt")),
    ):
        model = folder / "models" / "tests" / name
        model.mkdir(parents=True)
        for file in files:
            (model / file).write_text("{}")
    return component


class SpeechHarness:
    """A data folder with the component, a recogniser and a voice; ``said`` is what the microphone hears."""

    def __init__(self, folder: Path, *, said: npt.NDArray[np.float32] | None = None) -> None:
        self.folder = folder
        self.events: list[AppEvent] = []
        self._news = asyncio.Event()
        self.played = folder / "played.raw"
        environment = {"FIRESIDE_TEST_SPEAKER": str(self.played)}
        if said is not None:
            (folder / "said.wav").write_bytes(wave_file(said))
            environment["FIRESIDE_TEST_MICROPHONE"] = str(folder / "said.wav")
        parts = speech_parts(folder, **environment)
        self.component = furnish(folder)
        self.models = folder / "models"
        self.settings = Settings(file=SettingsFile(folder / "settings.json"), environ={})
        library = SpeechLibrary(
            list_file=parts.list_file,
            folder=lambda: self.models,
            downloads=cast("Any", None),
            access=cast("Any", None),
            emit=self._take,
        )
        components = ComponentService(parts.components, emit=self._take)
        self.library = library
        self.service = SpeechService(
            parts, components=components, library=library, settings=self.settings, emit=self._take
        )

    def of(self, kind: type[T], job: int) -> list[T]:
        """Return the events of a job of one kind."""
        return [event for event in self.events if isinstance(event, kind) and getattr(event, "job", 0) == job]

    async def until(self, happened: Callable[[], T]) -> T:
        """Wait until ``happened`` returns something true, and return it."""
        while not (result := happened()):
            await self._news.wait()
            self._news.clear()
        return result

    async def end_of(self, job: int) -> str:
        """Wait until a job has ended, and return its problem."""
        return str((await self.until(lambda: self.of(SpeechEnded, job)))[0].problem)

    def _take(self, event: AppEvent) -> None:
        self.events.append(event)
        self._news.set()
