"""Models that see and hear, pictures and sound for them, and the answers of bare llama.cpp."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import wave
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image

from fireside.core.message import AudioPart, ChatMessage, ImagePart, Role, TextPart
from fireside.core.options import LoadOptions, SamplingParams
from llama import tiny_models, tiny_projectors
from llama.runner_process import Answer, small_options

PLAIN = "{% for message in messages %}{{ message.content }}{% endfor %}"
MEASURED = SamplingParams(temperature=0, max_tokens=6, top_logprobs=0, guard_repetition=False)
N_EMBD = tiny_models.N_EMBD

Pixels = npt.NDArray[np.uint8]
Samples = npt.NDArray[np.int16]
Question = tuple[str | Pixels | Samples, ...]
"""A message: texts, images and sounds in order."""


class Family(NamedTuple):
    """A way in which images are laid out."""

    name: str
    write_model: Callable[..., Path]
    write_projector: Callable[..., Path]


FAMILIES = (
    Family("plain", tiny_models.write_llama, tiny_projectors.write_llava),
    Family("in tiles", tiny_models.write_llama, tiny_projectors.write_tiled_llava),
    Family("seeing all of an image at once", tiny_models.write_gemma3, tiny_projectors.write_gemma),
    Family("rows and columns", tiny_models.write_qwen2vl, tiny_projectors.write_qwen2vl),
)


HEARING = (
    Family("with the encoder of Whisper", tiny_models.write_llama, tiny_projectors.write_ultravox),
    Family("without an encoder", tiny_models.write_llama, tiny_projectors.write_gemma4ua),
    Family("with the encoder of Qwen3", tiny_models.write_llama, tiny_projectors.write_qwen3a),
    Family("for images too", tiny_models.write_qwen2vl, tiny_projectors.write_omni),
)
"""Ways in which sound is laid out."""


class VisionModel(NamedTuple):
    """The two files of a model that sees."""

    model: Path
    projector: Path

    def options(self, **changes: object) -> LoadOptions:
        return small_options(**{"n_ctx": 1024, "projector_path": str(self.projector), **changes})


def write_vision_model(folder: Path, family: Family) -> VisionModel:
    return VisionModel(
        model=family.write_model(folder / "model.gguf", chat_template=PLAIN),
        projector=family.write_projector(folder / "mmproj.gguf", n_out=N_EMBD),
    )


@cache
def pixels(number: int, *, width: int = 100, height: int = 60) -> Pixels:
    """Noise, another for each number."""
    return np.random.default_rng(number).integers(0, 256, (height, width, 3), dtype=np.uint8)


@cache
def samples(number: int, *, seconds: float = 0.7) -> Samples:
    """Noise, another for each number."""
    return np.random.default_rng(number).integers(-9000, 9000, round(16_000 * seconds), dtype=np.int16)


def as_wav(sound: Samples) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(sound.astype("<i2").tobytes())
    return buffer.getvalue()


def as_png(image: Pixels) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


def sees(*parts: str | Pixels | Samples, role: Role = Role.USER) -> ChatMessage:
    """Return a message of texts, images and sounds in order."""
    return ChatMessage(role=role, parts=tuple(map(_part, parts)))


def _part(part: str | Pixels | Samples) -> TextPart | ImagePart | AudioPart:
    if isinstance(part, str):
        return TextPart(text=part)
    if part.ndim == 1:
        return AudioPart(data=as_wav(part.astype(np.int16)), seconds=len(part) / 16_000)
    return ImagePart(data=as_png(part.astype(np.uint8)), media_type="image/png")


class Reference(msgspec.Struct, frozen=True):
    """What llama.cpp alone answers."""

    text: str
    logprobs: list[float]
    n_prompt: int


def bare_answers(files: VisionModel, questions: Sequence[Question], *, n_predict: int = 6) -> list[Reference]:
    """Have llama.cpp alone answer to texts and images."""
    task = {
        "model": str(files.model),
        "projector": str(files.projector),
        "prompts": [_as_prompt(question) for question in questions],
        "n_predict": n_predict,
    }
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("bare_images.py"))],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return msgspec.json.decode(done.stdout, type=list[Reference])


def _as_prompt(question: Question) -> dict[str, object]:
    return {
        "text": "".join(part if isinstance(part, str) else "<__media__>" for part in question),
        "images": [_as_bitmap(part) for part in question if not isinstance(part, str)],
    }


def _as_bitmap(part: Pixels | Samples) -> dict[str, object]:
    if part.ndim == 1:
        scaled = part.astype(np.float32) / 32768
        return {"samples": base64.b64encode(scaled.tobytes()).decode()}
    return {
        "width": part.shape[1],
        "height": part.shape[0],
        "rgb": base64.b64encode(part.tobytes()).decode(),
    }


def logprobs_of(answer: Answer) -> list[float]:
    return [entry.chosen.logprob for piece in answer.pieces for entry in piece.logprobs]
