"""The prompts and answer lengths of a benchmark."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.options import SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask, Replay
from fireside.engine.tuning.significance import Round

_BYTES_A_TOKEN: Final = 4
"""Of English, about."""
_PROMPTS: Final = (64, 128, 256, 512, 1024)
_LEAST_ANSWER: Final = 8
_MOST_ANSWER: Final = 64
_SEED: Final = 1815
_PIECE_CHARS: Final = 1500
"""A text is judged in pieces of about so many characters, which fit the shortest context."""


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one round."""

    n_prompt: int = 64
    n_answer: int = _LEAST_ANSWER


def fitting_workload(speed: Round, *, n_ctx: int, target_s: float) -> Workload:
    """Return what a model of this speed reads and writes in about ``target_s`` each.

    Never more than half of the context; what is too short tells nothing, so there is a least of both.
    """
    room = max(_PROMPTS[0], n_ctx // 2)
    fitting = [n for n in _PROMPTS if n <= room and n <= speed.prefill * target_s]
    n_answer = int(min(_MOST_ANSWER, max(_LEAST_ANSWER, speed.decode * target_s)))
    return Workload(n_prompt=max(fitting, default=_PROMPTS[0]), n_answer=n_answer)


def round_task(text: str, workload: Workload, *, number: int) -> GenerationTask:
    """Return one request of a round; each ``number`` reads another text, which no cache knows.

    Nothing ends the answer before its time, and every candidate draws the same numbers.
    """
    n_chars = workload.n_prompt * _BYTES_A_TOKEN
    start = (number * 97) % max(1, len(text) - 1)
    turned = text[start:] + text[:start]
    repeated = turned * (n_chars // max(1, len(turned)) + 1)
    return GenerationTask(
        prompt=TextInput(text=f"{number}. {repeated[:n_chars]}"),
        sampling=SamplingParams(
            seed=_SEED, max_tokens=workload.n_answer, ignore_eos=True, guard_repetition=False
        ),
    )


def loss_tasks(text: str) -> tuple[GenerationTask, ...]:
    """Return requests that let a model judge every token of ``text``, piece by piece.

    A piece begins with a few words that are given and not judged.
    """
    return tuple(_loss_task(piece) for piece in pieces_of(text))


def pieces_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pieces of a text: what is given of it, and what is judged. Cut between paragraphs."""
    pieces: list[str] = []
    for paragraph in text.split("\n\n"):
        if pieces and len(pieces[-1]) + len(paragraph) <= _PIECE_CHARS:
            pieces[-1] += f"\n\n{paragraph}"
        elif paragraph:
            pieces.append(paragraph)
    split = []
    for piece in pieces:
        words = piece.split(" ", 4)
        given = " ".join(words[:4])
        split.append((given, piece[len(given) :]))
    return tuple(each for each in split if each[1])


def _loss_task(piece: tuple[str, str]) -> GenerationTask:
    given, judged = piece
    return GenerationTask(
        prompt=TextInput(text=given),
        replay=Replay(text=judged, ends=True),
        sampling=SamplingParams(temperature=0, top_logprobs=0, guard_repetition=False),
    )
