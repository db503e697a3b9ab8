"""Damaged sound files are read or refused, in a process that never takes the program down."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from fakes.children import file_reading
from fireside.core.message import AudioPart, VideoPart
from fireside.documents.messages import ReadRequest
from unit.documents.test_sound import FORMATS, sound_file

N_MUTANTS = 5
NUMBERS = (bytes(4), b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f")
_HEAD = 200
"""Bytes, where most of what a format declares is."""


def mutant_of(content: bytes, number: int) -> bytes:
    """Return the mutant of this number: bits flipped, bytes replaced, pieces cut out, doubled or cut off."""
    chance = random.Random(number)
    mutant = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(8, _HEAD if chance.random() < 0.6 else len(mutant))
        match chance.randrange(5):
            case 0:
                mutant[at] ^= 1 << chance.randrange(8)
            case 1:
                mutant[at : at + 4] = chance.choice(
                    [bytes(4), b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f"]
                )
            case 2:
                del mutant[at : at + chance.randrange(1, 40)]
            case 3:
                mutant[at:at] = mutant[at : at + 60]
            case _:
                mutant[at : at + 8] = chance.randbytes(8)
        if len(mutant) < 2 * _HEAD:
            break
    return bytes(mutant[: chance.randrange(100, len(mutant))] if chance.random() < 0.2 else mutant)


@pytest.mark.parametrize("kind", FORMATS)
def test_mutants_are_read_or_refused(kind: str, abuse_scale: int) -> None:
    content = sound_file(kind, seconds=0.4)
    mutants = [mutant_of(content, number) for number in range(N_MUTANTS * abuse_scale)]
    requests = [ReadRequest(name="a", data=each, takes_media=True) for each in mutants]
    counts: Counter[str] = Counter()
    for reply in file_reading()(requests):
        assert not reply.is_temporary
        counts["read" if isinstance(reply.media, AudioPart | VideoPart) else "refused"] += 1
        assert reply.media is not None or reply.problem
    assert sum(counts.values()) == len(mutants)
