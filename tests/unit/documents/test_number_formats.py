"""Numbers in format codes: as two other makers have seen Excel show them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.documents.extraction import read
from fireside.documents.messages import ReadRequest
from fireside.documents.number_formats import BUILT_IN, GENERAL, format_number, format_text

FILES: Final = Path(__file__).parent / "number_formats"
OURS: Final = frozenset({14, 22, 47})
"""The first two are in ISO format here, the third has its colon, as Excel shows it."""
KNOWN: Final = frozenset(
    {
        ("??/??", -1.2),  # a space between sign and digits
        ("# ?/?", 0.3),  # 2/7, where the next whole number gives 1/3
        ("# ?/?", 2.3),
        ("# ??/?????????", 0.123251512342345),  # nine digits: as near, with other numbers
        ("# ?? / ?????????", 0.123251512342345),
        ("hh .00 .000", 0.70707),  # decimals of seconds without seconds
        ("#0#00??/??", 12.3456789),  # no two groups of digits
        ("B2yyyymmdd", 0),  # the Muslim calendar
        ("#0.0E+0", 1234.56789),  # its table has a stray bar here, and in the next two
        ("###0.0E+0", 12345678.9),
        ("####0.0E+0", 1234567890.0),
    }
)


def number_cases() -> Iterator[tuple[float | str, str, str]]:
    """Give values with codes and what they look like, from SSF."""

    def loaded(name: str) -> Any:
        return json.loads((FILES / name).read_text("utf-8"))

    for value, code, shown in loaded("fraction.json"):
        yield value, code, shown
    for code, *cases in loaded("oddities.json"):
        for case in cases:
            if isinstance(code, str) and isinstance(case, list) and len(case) == 2:
                yield case[0], code, case[1]
    for value, cases, *_ in loaded("implied.json"):
        for number, shown in cases if isinstance(cases, list) else ():
            if shown and number not in OURS:
                yield value, BUILT_IN.get(number, GENERAL), shown
    for name in ("comma.tsv", "exp.tsv"):
        (_, *codes), *rows = csv.reader((FILES / name).read_text("utf-8").splitlines(), delimiter="\t")
        for row in rows:
            for code, shown in zip(codes, row[1:], strict=False):
                yield float(row[0]), code, shown


def test_numbers_look_as_in_the_tables_of_ssf() -> None:
    cases = [
        case
        for case in number_cases()
        # As many digits of a number without a format as fit into a cell; all are shown here.
        if not (case[1] in (GENERAL, "@") and not isinstance(case[0], str))
        and (case[1], case[0]) not in KNOWN
    ]
    different = []
    for value, code, shown in cases:
        got = format_text(value, code) if isinstance(value, str) else format_number(value, code)
        if got.split() != shown.split():
            different.append((value, code, shown, got))
    assert different == []
    assert len(cases) > 900


def test_numbers_look_as_in_the_tables_of_poi() -> None:
    data = (FILES / "NumberFormatTests.xlsx").read_bytes()
    rows = [line.split(" | ") for line in read(ReadRequest(name="n.xlsx", data=data)).text.splitlines()]
    cases = [
        (row[0], row[1], float(row[2]))
        for row in rows
        # Not: fractions with other text between their parts, a comma in front, bars as in our own tables.
        if len(row) == 4
        and _is_number(row[2])
        and not ("Fractions" in row[3] or row[1].startswith(",") or "| |" in row[1])
    ]
    got = {(code, value): format_number(value, code) for _, code, value in cases}
    different = [
        (shown, code, value, got[code, value])
        for shown, code, value in cases
        if got[code, value].split() != shown.split()
    ]
    assert different == []
    assert len(cases) > 100


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.5, "0%", "50%"),
        (1234.5, '#,##0.00" EUR"', "1,234.50 EUR"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (-5, "#,##0;[Red](#,##0)", "(5)"),
        (1e-9, "0.00", "0.00"),
        (-1e-9, "0.00", "0.00"),
        (45000.5, "dd/mm/yyyy hh:mm", "2023-03-15 12:00"),
        (45000, "mmmm d, yyyy", "March 15, 2023"),
        (45000, "mmm-yy", "Mar-23"),
        (45000, "dddd", "Wednesday"),
        (1.5, "[h]:mm", "36:00"),
        (0.999999, "h:mm", "0:00"),
        (0.1 + 0.2, GENERAL, "0.3"),
        (12345678901234567, GENERAL, "12345678901234568"),
        (1e21, GENERAL, "1E+21"),
        (-1, "yyyy-mm-dd", "-1"),
        (60, "d-mmm-yy", "29-Feb-00"),
        (1, "d-mmm-yy", "1-Jan-00"),
    ],
)
def test_a_number_looks_as_in_excel(value: float, code: str, shown: str) -> None:
    assert format_number(value, code) == shown


def test_dates_count_from_1904_where_the_workbook_says_so() -> None:
    assert format_number(1, "d-mmm-yyyy", is_1904=True) == "2-Jan-1904"


@given(value=st.floats(), code=st.text('0#?.,%/E+-;[]<>=@"\\_*ymdhsAPG年 1$€', max_size=30))
def test_any_code_gives_a_text(value: float, code: str) -> None:
    assert isinstance(format_number(value, code), str)
    assert isinstance(format_text("text", code), str)
