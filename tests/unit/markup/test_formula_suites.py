"""Formulas that users of KaTeX and mhchem write: each is drawn, or shown as source for a known reason."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from fireside.markup.formula import CannotDraw, Outline, draw

SUITES: Final = json.loads(Path(__file__).with_name("formulas.json").read_text("utf-8"))

KNOWN: Final = {
    "definitions are not expanded": r"\\(?:[egx]?def|(?:re|provide)?(?:new)?command)(?![a-z])",
    "links, pictures and HTML are refused": r"\\(?:href|url|includegraphics|html[A-Z]\w+)\b",
    "unbalanced groups": r"\\(?:begingroup|endgroup)",
    "literal text": r"\\verb|\\char\"",
    "diagrams": r"\\begin\{CD\}",
    "commands that KaTeX alone has": (
        r"\\(?:blue|red|green|angln?|phase|sixptsize|(?:approx|sim|minus|equals)?(?:colon|Colon)\w*"
        r"|(?:approx|equals|minus|sim)coloncolon|[Ss]et|Braket|textcircled)(?![a-z])"
    ),
    "arrows, lines and boxes that the renderer lacks": (
        r"\\(?:(?:over|under)(?:group|linesegment|leftharpoon|rightharpoon)|Overrightarrow|raisebox|sout"
        r"|x(?:left|right)(?:leftarrows|equilibrium)|colorbox|[bB]ig+l?\\[Uu]parrow)"
    ),
    "old or unusual syntax": r"\\(?:hdashline|abovewithdelims|brace)|:c\|\||text\{\\underline",
    "commands within names of operators": r"operatorname\{\\",
    "unknown commands": r"\\fracerr",
    "letters that have no negated form": r"\\not(?:\{abc\}| x)",
}


def letters(text: str, *, is_bold: bool) -> Outline:
    return Outline(path="M0 0L50 0L50 -70Z", width=60.0 * len(text), ascent=70, descent=0)


def is_drawn(tex: str) -> bool:
    try:
        return draw(tex, is_display=True, outline=letters).width > 0
    except CannotDraw:
        return False


@pytest.mark.parametrize(
    ("name", "n_drawn"), [("KaTeX screenshots", 100), ("KaTeX functions", 938), ("mhchem", 116)]
)
def test_formulas_of_other_programs_are_drawn_or_shown_as_source_for_a_known_reason(
    name: str, n_drawn: int
) -> None:
    (formulas,) = (suite["formulas"] for suite in SUITES if suite["name"] == name)
    as_source = [tex for tex in formulas if not is_drawn(tex)]
    unexplained = [tex for tex in as_source if not any(re.search(known, tex) for known in KNOWN.values())]
    assert unexplained == []
    assert len(formulas) - len(as_source) >= n_drawn
