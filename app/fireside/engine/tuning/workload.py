"""The prompts and answer lengths of a benchmark."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.options import SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask, Replay
from fireside.engine.tuning.significance import Round

_BYTES_PER_TOKEN: Final = 4
"""Of English text, approximately."""
_PROMPT_SIZES: Final = (64, 128, 256, 512, 1024)
_MIN_ANSWER: Final = 8
_MAX_ANSWER: Final = 64
_SEED: Final = 1815
_PIECE_CHARS: Final = 1500
"""The loss is measured in pieces of about so many characters, which fit the shortest context."""


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one round; the defaults are for a calibration."""

    n_prompt: int = 64
    n_answer: int = _MIN_ANSWER


def fitting_workload(speed: Round, *, n_ctx: int, target_s: float) -> Workload:
    """Return a workload whose prefill and decoding take about ``target_s`` each at this speed.

    The prompt takes at most half of the context. Both have a minimum, below which times are inaccurate.
    """
    max_prompt = max(_PROMPT_SIZES[0], n_ctx // 2)
    fitting = [n for n in _PROMPT_SIZES if n <= max_prompt and n <= speed.prefill * target_s]
    n_answer = int(min(_MAX_ANSWER, max(_MIN_ANSWER, speed.decode * target_s)))
    return Workload(n_prompt=max(fitting, default=_PROMPT_SIZES[0]), n_answer=n_answer)


def round_task(text: str, workload: Workload, *, number: int) -> GenerationTask:
    """Return one request of a round. The prompts of different numbers differ, so that no cache applies.

    The answer has its full length, and the seed is the same for every candidate.
    """
    n_chars = workload.n_prompt * _BYTES_PER_TOKEN
    start = (number * 97) % max(1, len(text) - 1)
    rotated = text[start:] + text[:start]
    repeated = rotated * (n_chars // max(1, len(rotated)) + 1)
    return GenerationTask(
        prompt=TextInput(text=f"{number}. {repeated[:n_chars]}"),
        sampling=SamplingParams(
            seed=_SEED, max_tokens=workload.n_answer, ignore_eos=True, guard_repetition=False
        ),
    )


def loss_tasks(text: str) -> tuple[GenerationTask, ...]:
    """Return requests that measure a model's loss on ``text``, piece by piece.

    The first words of a piece are the prompt, and do not count.
    """
    return tuple(_loss_task(piece) for piece in pieces_of(text))


def pieces_of(text: str) -> tuple[tuple[str, str], ...]:
    """Split a text between paragraphs; return the prompt and the measured text of each piece."""
    pieces: list[str] = []
    for paragraph in text.split("\n\n"):
        if pieces and len(pieces[-1]) + len(paragraph) <= _PIECE_CHARS:
            pieces[-1] += f"\n\n{paragraph}"
        elif paragraph:
            pieces.append(paragraph)
    split = []
    for piece in pieces:
        prompt = " ".join(piece.split(" ", 4)[:4])
        split.append((prompt, piece[len(prompt) :]))
    return tuple(each for each in split if each[1])


def _loss_task(piece: tuple[str, str]) -> GenerationTask:
    prompt, measured = piece
    return GenerationTask(
        prompt=TextInput(text=prompt),
        replay=Replay(text=measured, ends=True),
        sampling=SamplingParams(temperature=0, top_logprobs=0, guard_repetition=False),
    )
