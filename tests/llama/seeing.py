"""Vision models, pictures for them, and the answers of bare llama.cpp."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image

from fireside.core.message import ChatMessage, ImagePart, Role, TextPart
from fireside.core.options import LoadOptions, SamplingParams
from llama import tiny_models, tiny_projectors
from llama.runner_process import Answer, small_options

PLAIN = "{% for message in messages %}{{ message.content }}{% endfor %}"
MEASURED = SamplingParams(temperature=0, max_tokens=6, top_logprobs=0, guard_repetition=False)
N_EMBD = tiny_models.N_EMBD

Pixels = npt.NDArray[np.uint8]
Question = tuple[str | Pixels, ...]
"""A message: texts and images in order."""


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


def as_png(image: Pixels) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


def sees(*parts: str | Pixels, role: Role = Role.USER) -> ChatMessage:
    """Return a message of texts and images in order."""
    return ChatMessage(
        role=role,
        parts=tuple(
            TextPart(text=part)
            if isinstance(part, str)
            else ImagePart(data=as_png(part), media_type="image/png")
            for part in parts
        ),
    )


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
        "images": [
            {
                "width": part.shape[1],
                "height": part.shape[0],
                "rgb": base64.b64encode(part.tobytes()).decode(),
            }
            for part in question
            if not isinstance(part, str)
        ],
    }


def logprobs_of(answer: Answer) -> list[float]:
    return [entry.chosen.logprob for piece in answer.pieces for entry in piece.logprobs]
