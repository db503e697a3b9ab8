"""TeX that people write for other renderers, and letters of every script, within bounds."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.markup.formula import CannotDraw, Outline, draw
from fireside.markup.tex_dialect import UnknownText, rewrite, tex_of_quantity, tex_of_reaction


class Letters:
    """Outlines of any letters; remembers which."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, bool]] = []

    def __call__(self, text: str, *, is_bold: bool) -> Outline:
        self.texts.append((text, is_bold))
        return Outline(path="M0 0L50 0L50 -70Z", width=60.0 * len(text), ascent=70, descent=0)


@pytest.mark.parametrize(
    ("tex", "texts"),
    [
        (r"\text{速度}=\frac{距离}{时间}", [("距离", False), ("时间", False), ("速度", False)]),
        (r"v_{地} + \textbf{粗体 b}", [("地", False), ("粗体\xa0b", True)]),
        (r"\frac{سرعة}{زمن}", [("سرعة", False), ("زمن", False)]),
        (r"\text{ไทย} \text{שלום} \text{😀}", [("ไทย", False), ("שלום", False), ("😀", False)]),
        (r"\text{Скорость} + \text{ώρα} + 5\,\text{€}", []),
    ],
)
def test_letters_that_the_font_of_formulas_lacks_are_outlined(
    tex: str, texts: list[tuple[str, bool]]
) -> None:
    letters = Letters()
    draw(tex, is_display=False, outline=letters)
    assert letters.texts == texts


def no_letters(text: str, *, is_bold: bool) -> None:
    """Have no font for any letters."""


@pytest.mark.parametrize("tex", [r"\text{速度}", "速", r"\mathrm{ไ}", r"\hat{ש}"])
def test_a_formula_is_refused_where_no_font_has_its_letters(tex: str) -> None:
    with pytest.raises(CannotDraw):
        draw(tex, is_display=False)
    with pytest.raises(CannotDraw):
        draw(tex, is_display=False, outline=no_letters)


@pytest.mark.parametrize(
    ("tex", "texts"),
    [
        (r"\text{50\% of max\_value}", ["50%\xa0of\xa0max_value"]),
        (r"\text{a {b} c}", ["a\xa0b\xa0c"]),
        (r"\text{a == b != c := d & <e>}", ["a\xa0==\xa0b\xa0!=\xa0c\xa0:=\xa0d\xa0&\xa0<e>"]),
        (r"\text{for $x$ and \textbf{y}}", ["for\xa0", "\xa0and\xa0", "y"]),
        (r"\text{na\"ive caf\'{e} \textdollar 5 \{a\}}", ["naïve\xa0café\xa0$5\xa0{a}"]),
        (r"\text{``a'' b---c~d}", ["“a”\xa0b—c\xa0d"]),
        (r"x \tag{1}", ["(1)"]),
        (r"x \tag*{eq}", ["eq"]),
        (r"\operatorname{Gam-ma}", ["Gam‐ma"]),
    ],
)
def test_text_within_a_formula_is_read_as_tex_reads_it(tex: str, texts: list[str]) -> None:
    assert list(rewrite(tex).texts.values()) == texts
    assert draw(tex, is_display=True, outline=Letters()).width > 0


@pytest.mark.parametrize(
    ("tex", "same"),
    [
        (r"\begin{aligned}a&=b\\[4pt]c&=d\end{aligned}", r"\begin{aligned}a&=b\\c&=d\end{aligned}"),
        (r"\begin{array}[t]{c}a\\b\end{array}", r"\begin{array}{c}a\\b\end{array}"),
        (r"x'^2", r"x^{\prime 2}"),
        (r"\R \setminus \Q", r"\mathbb{R} \setminus \mathbb{Q}"),
        (r"a \bigm| b", r"a \big| b"),
        (r"f\big\vert_0", r"f\big|_0"),
        (r"\mathbf{ab}", r"\mathbf{a}\mathbf{b}"),
        (r"\mathsf{ab}\mathtt{c}", "𝖺𝖻𝚌"),
        (r"\mathbb{AB}", "𝔸𝔹"),
        (r"\operatorname*{arg\,max}_x f", r"\operatorname*{arg max}_x f"),
        (r"a \label{x} \nonumber", "a"),
        ("a = b\n\nc = d \\\\\n\n\ne", r"\begin{gathered}a = b\\c = d\\e\end{gathered}"),
        ("\\frac{a\n\n}{b}", r"\frac{a}{b}"),
        (r"50% + 3", r"50\% + 3"),
        (r"a \not= b", r"a \neq b"),
        (r"a \not{=} b", r"a {\neq} b"),
        (r"a \not\in B \not\subset C", r"a \notin B ⊄ C"),
        (r"a \not< b \not\leq c", r"a \nless b \nleq c"),
        (r"a \not\mid b \not| c", r"a \nmid b \nmid c"),
        (r"A \not\Rightarrow B \not\implies C", r"A \nRightarrow B \nRightarrow C"),
        (r"a \not\equiv_n b", r"a ≢_n b"),
        (r"\frac{\not\exists x}{\sqrt{\not\sim}}", r"\frac{∄ x}{\sqrt{≁}}"),
    ],
)
def test_tex_for_other_renderers_is_drawn_as_what_it_means(tex: str, same: str) -> None:
    assert draw(tex, is_display=True).svg == draw(same, is_display=True).svg


@pytest.mark.parametrize(
    ("tex", "without"),
    [
        (r"a \mathrel{:} b", "ab"),
        (r"a \mathbin{\mathrm{mod}} b", "ab"),
        (r"\mathop{\mathrm{Res}}\limits_{z} f", r"\mathop{}\limits_{z} f"),
        (r"E = mc^2 \tag{1}", "E = mc^2"),
        (r"\binom{n_{1}}{k}", r"\binom{n}{k}"),
        (r"\begin{bmatrix}a&b\\c&d\end{bmatrix}^{-1}", r"\begin{bmatrix}a&b\\c&d\end{bmatrix}"),
        ("1,5", "1{,}5"),
        (r"A \cup B", r"A {\cup} B"),
        (r"\begin{rcases}a\\b\end{rcases}", r"\begin{matrix}a\\b\end{matrix}"),
    ],
)
def test_no_part_of_a_formula_is_lost(tex: str, without: str) -> None:
    try:
        shorter = draw(without, is_display=True).width
    except CannotDraw:
        shorter = 0
    assert draw(tex, is_display=True).width > shorter


@pytest.mark.parametrize(
    ("tex", "n_rules"),
    [
        (r"\left[\begin{array}{cc|c}1&2&3\\4&5&6\end{array}\right]", 1),
        (r"\begin{array}{r}123\\+456\\\hline 579\end{array}", 1),
        (r"\begin{array}{|c|c|}\hline a&b\\\hline c&d\\\hline\end{array}", 2),
        (r"\begin{array}{c||c:c}a\\b&c&d\end{array}", 2),
        (r"\begin{matrix}a&b\\c&d\end{matrix}", 0),
    ],
)
def test_the_rules_between_rows_and_columns_are_drawn(tex: str, n_rules: int) -> None:
    assert draw(tex, is_display=True).svg.count("<rect") == n_rules


def height(tex: str) -> float:
    drawing = draw(tex, is_display=True)
    return drawing.ascent + drawing.descent


@pytest.mark.parametrize("bracket", ["(a)", "[a]", "\\{a\\}"])
def test_a_bracket_that_has_not_grown_has_its_exponent_as_low_as_a_letter(bracket: str) -> None:
    assert draw(f"{bracket}^2", is_display=True).ascent == draw(f"{bracket} b^2", is_display=True).ascent
    assert height(r"\left(\frac ab\right)^2") > height(r"\left(\frac ab\right)")


@pytest.mark.parametrize("environment", ["matrix", "pmatrix", "cases", "vmatrix"])
def test_rows_are_as_far_apart_whatever_their_letters(environment: str) -> None:
    """1.2 em, as TeX has them."""

    def rows(cell: str, n_rows: int) -> float:
        return height(rf"\begin{{{environment}}}" + r"\\".join([cell] * n_rows) + rf"\end{{{environment}}}")

    for cell in ("x", "A", "(g)"):
        assert (rows(cell, 4) - rows(cell, 2)) / 2 == pytest.approx(1.2, abs=0.15)


def test_scripts_of_named_operators_are_limits_in_display_formulas_only() -> None:
    below = draw(r"\mathop{\mathrm{argmin}}_x f", is_display=True)
    beside = draw(r"\mathop{\mathrm{argmin}}_x f", is_display=False)
    assert below.width < beside.width
    assert below.descent > beside.descent


@pytest.mark.parametrize(
    "tex",
    [
        r"\newcommand{\a}[1]{{#1}{#1}{#1}}\a{\a{\a{x}}}",
        r"\def\a{xx}\def\b{{\a}{\a}}\b",
        r"\DeclareMathOperator{\a}{b}\a",
        r"\newenvironment{a}{b}{c}\begin{a}\end{a}",
        r"\begin{CD}A @>a>> B\end{CD}",
        r"\begin{tikzcd}A \arrow[r] & B\end{tikzcd}",
        r"\text{\unknown}",
        r"\not\perp",
        r"\not{ab}",
        r"\frac{a \not}{b}",
        "\U000f0000 \\text{a}",
        r"\text{a",
        r"\text{$\text{$\text{$\text{$\text{$\text{x}$}$}$}$}$}" * 2 + "{",
    ],
)
def test_definitions_diagrams_and_broken_text_are_refused(tex: str) -> None:
    """A few definitions that use each other twice would take hours."""
    with pytest.raises(CannotDraw):
        draw(tex, is_display=True)


@pytest.mark.parametrize(
    ("content", "tex"),
    [
        ("2 H2 + C -> B", r"2\,\mathrm {H}_{2} + \mathrm {C}\ \longrightarrow\ \mathrm {B}"),
        ("SO4^2-", r"\mathrm {SO}_{4}^{2-}"),
        ("NH4+", r"\mathrm {NH}_{4}^{+}"),
        ("[Fe(CN)6]^{3-}", r"[\mathrm {Fe}(\mathrm {CN})_{6}]^{3-}"),
        ("^{227}_{90}Th+", r"{}^{227}_{90}\mathrm {Th}^{+}"),
        ("CuSO4*5H2O", r"\mathrm {CuSO}_{4}{\cdot}5\,\mathrm {H}_{2}\mathrm {O}"),
        ("A <=>[H+] B", r"\mathrm {A}\ \overset{\mathrm {H}^{+}}{\rightleftharpoons}\ \mathrm {B}"),
        ("AgCl v + H2(g) ^", r"\mathrm {AgCl}\downarrow  + \mathrm {H}_{2}(\mathrm {g})\uparrow "),
        ("CH2=CH2", r"\mathrm {CH}_{2}\text{=}\mathrm {CH}_{2}"),
        (r"A\bond{=}B\bond{3}C", r"\mathrm {A}\text{=}\mathrm {B}\text{≡}\mathrm {C}"),
        ("1/2 O2", r"\tfrac{1}{2}\,\mathrm {O}_{2}"),
    ],
)
def test_reactions_are_written_as_tex(content: str, tex: str) -> None:
    assert tex_of_reaction(content) == tex
    assert draw(rf"\ce{{{content}}}", is_display=False).width > 0


@pytest.mark.parametrize(
    ("content", "tex"),
    [
        ("123 kJ/mol", r"123\,\mathrm {kJ}/\mathrm {mol}"),
        ("8.3 J mol^-1", r"8.3\,\mathrm {J}\,\mathrm {mol}^{-1}"),
        ("1.2e3 kJ", r"1.2\cdot 10^{3}\,\mathrm {kJ}"),
        ("3 m//s", r"\frac{3\,\mathrm {m}}{\mathrm {s}}"),
    ],
)
def test_quantities_are_written_as_tex(content: str, tex: str) -> None:
    assert tex_of_quantity(content) == tex


_COMMANDS = r"\text{ \ce{ \pu{ \frac \left( \right) \\ \tag{ \operatorname{ \binom{ \mathrm{ -> <=> ^{"
_PIECES = [*r"{}[]()$^_&%#~'\|:=+-.,xH2速 ", *_COMMANDS.split(), r"\begin{cases}", r"\end{cases}"]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_any_tex_is_drawn_or_refused(tex: str) -> None:
    with suppress(UnknownText):
        assert len(rewrite(tex).texts) <= len(tex)
    with suppress(CannotDraw):
        assert draw(tex, is_display=True, outline=Letters()).width > 0
