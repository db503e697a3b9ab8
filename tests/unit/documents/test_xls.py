"""Old workbooks (``.xls``): damaged in any way they give text or a reason."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from fireside.documents.extraction import read
from fireside.documents.messages import ReadRequest

FILES: Final = Path(__file__).parents[2] / "document_corpus" / "files" / "poi" / "test-data" / "spreadsheet"
N_MUTANTS: Final = 60
SEED: Final = 3


def test_a_hidden_sheet_is_marked() -> None:
    data = (FILES / "TwoSheetsOneHidden.xls").read_bytes()
    reply = read(ReadRequest(name="a.xls", data=data))
    assert [reply.text[start:end] for start, end in reply.hidden] == ["Sheet1A1"]
    assert [section.name for section in reply.sections] == ["Sheet1", "Sheet2"]


def test_a_damaged_workbook_gives_text_or_a_reason() -> None:
    rng = random.Random(SEED)
    for name in ("TwoSheetsOneHidden.xls", "SimpleWithComments.xls"):
        whole = (FILES / name).read_bytes()
        for _ in range(N_MUTANTS):
            data = bytearray(whole)
            for _ in range(rng.randrange(1, 30)):
                data[rng.randrange(8, len(data))] = rng.randrange(256)
            for each in (bytes(data), whole[: rng.randrange(8, len(whole))]):
                reply = read(ReadRequest(name="a.xls", data=each))
                assert reply.problem or reply.media_type
