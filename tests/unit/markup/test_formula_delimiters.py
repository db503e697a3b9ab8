"""Which dollar signs enclose formulas; many texts are from reports to other programs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from fireside.markup.block_stream import BlockKind, split_blocks
from fireside.markup.rich_text import formula_source

_FORMULA = re.compile(r'<img src="(math:[\w=-]*)">')


def formulas(text: str) -> list[str]:
    """Return the sources of the formulas in a Markdown text."""
    found = (_FORMULA.findall(block.body) for block in split_blocks(text))
    return [formula_source(name) or "" for names in found for name in names]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("设$x$为实数，则$x^2\\ge 0$成立。", ["$x$", "$x^2\\ge 0$"]),
        ("从$a$到$b$。在点$P(x_0,y_0)$处", ["$a$", "$b$", "$P(x_0,y_0)$"]),
        ("**$x$**的值（$x>0$）", ["$x$", "$x>0$"]),
        ("比如$M0 = 现金$。", ["$M0 = 现金$"]),  # platers/obsidian-linter 407
        ("値$x$は、$A\\times B$と", ["$x$", "$A\\times B$"]),
        ("값은 $x$는 $y$를", ["$x$", "$y$"]),
        ("ให้$x$เป็น", ["$x$"]),
        ("ໃຫ້$x$ເປັນ", ["$x$"]),
        ("បើ$x$ជា", ["$x$"]),
        ("ဆိုပါစို့$x$သည်", ["$x$"]),
        ("འདི$x$ནི", ["$x$"]),
        ("ב$x$ ו$y$ال$z$", ["$x$", "$y$", "$z$"]),
        ("пусть$x$и $n$й", ["$x$", "$n$"]),
        ("| a |\n|---|\n| 设$x$为 |", ["$x$"]),
    ],
)
def test_letters_of_scripts_without_word_spaces_may_touch_a_formula(text: str, found: list[str]) -> None:
    assert formulas(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The $n$th term; all $x$s.", ["$n$", "$x$"]),
        ("the $k$-th one of $x$'s", ["$k$", "$x$"]),
        ("die $n$te Zahl, le $n$ième, la $k$-ésima", ["$n$", "$n$", "$k$"]),
        ("the $2$nd and $3$rd", ["$2$", "$3$"]),
        ("H$_2$O, CO$_2$, Ca$^{2+}$, 10$^{-3}$", ["$_2$", "$_2$", "$^{2+}$", "$^{-3}$"]),
        ("$\\sim$10 or $\\geq$18, 90$^\\circ$C", ["$\\sim$", "$\\geq$", "$^\\circ$"]),
        ("xxx$\\alpha$zzz", ["$\\alpha$"]),  # open-webui/open-webui 9273
        ("for all $x,$ so $y = 5.$ Then", ["$x,$", "$y = 5.$"]),
        ("$50\\%$ and $\\%$ of $\\$5$", ["$50\\%$", "$\\%$", "$\\$5$"]),
        ("It costs $5 and $x$ is free; $2x+1$", ["$x$", "$2x+1$"]),
        ("${x}^2$", ["${x}^2$"]),
        ("_$x$_ and *$y$*, **$z$**, [$a$](https://example.org)", ["$x$", "$y$", "$z$", "$a$"]),
        ("the sign $+$ or $\\#$ of $\\text{for $a < b$}$", ["$+$", "$\\#$", "$\\text{for $a < b$}$"]),
    ],
)
def test_a_formula_may_be_a_part_of_a_word(text: str, found: list[str]) -> None:
    assert formulas(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$ \\alpha $ and $ 0 < a < 1 $", ["$ \\alpha $", "$ 0 < a < 1 $"]),
        ("$ \\alpha$ x", ["$ \\alpha$"]),  # waylonflinn/markdown-it-katex 8
        ("$\\{ \\} $", ["$\\{ \\} $"]),  # yzhang-gh/vscode-markdown 289
        ("  hello  math  $ ax^2+bx+c=0  $ ", ["$ ax^2+bx+c=0  $"]),  # Mathpix/mathpix-markdown-it 272
        ("设 $ x $ 为", ["$ x $"]),
        ("$ f(x) $ is $ \\text{if } x $", ["$ f(x) $", "$ \\text{if } x $"]),
        ("$\n\\frac12\n$", ["$\n\\frac12\n$"]),
    ],
)
def test_inner_spaces_are_accepted_where_the_text_is_plainly_tex(text: str, found: list[str]) -> None:
    assert formulas(text) == found


MONEY = """
I have $5 and $10.
$20,000 and $30,000 should not
$5-$10, $5/$10, $5–$10
$5k–$10k or $1M-$2M; $3B/$4B
$400 is certainly more than $300.
The first year's budget is $10k, and the next years is $20k.
Please donate $50 to $100 to the non-profit organization.
$100 coupon gives you a value of $120.
The plan is $200/mo and the bill is $80 — total $400 saved.
Solar cost about $61 per MWh, *cheaper* than gas at $76/MWh.
HIP requested $3,500 in 2022. A year later, the organization asked for $5,000.
the cost is $2.50 for the first one, and $2.00 for each additional one
5 $ or 10 $
5 $ und 10 $
5 $ + 10 $ = 15 $
5 $ < 10 $
10$ > 5$
$ 5 and $ 10
$ 5 - $ 10
$100k/yr (\\$120k) and $5
NT$100 and HK$200
R$ 5 e R$ 10
cost: $5, $6, and $7
$5.99/$6.99
(between $10 and $20)
$1 = ¥7, $2 = ¥14
$3M → $5M
USD $ and CAD $ are
about $50 - $40 each
价格为$5，或$10。
苹果$5一斤，香蕉$3一斤
$12.5/月，$20/年
"""
"""Amounts, many of them from typora/typora-issues 578, 1298, 2000, 3178, tiann/hapi 805,
flowershow/flowershow 1359, jackyzha0/quartz 2208, micromark/micromark-extension-math 6 and
shd101wyy/vscode-markdown-preview-enhanced 138."""
VARIABLES = """
between $a and $b dollars
变量$a和$b的值，$a、$b
echo "$a$b$c"
${HOME}/bin:${PATH}
${a}${b}
$a=$b+$c
$a-$b and $x.$y
$_GET and $_POST
$_GET/$_POST
$HOME/$USER
my_$x$_y
$a$B
^\\d+$ and ^[a-z]+$
$ and ^\\w+$
$ ls -a $ now
$/PR is down but $/session is up
AAPL ($AAPL), $MSFT
test post $ test post $ test post
$x$1
"""


@pytest.mark.parametrize("text", [*MONEY.split("\n"), *VARIABLES.split("\n")])
def test_amounts_and_variables_stay_text(text: str) -> None:
    assert formulas(text) == []


@pytest.mark.parametrize(
    ("text", "kinds", "found"),
    [
        ("$$\na = b\n\nc = d\n$$\nafter", ["math", "prose"], ["$$\na = b\n\nc = d\n$$"]),
        ("$$\n\nx\n\n$$", ["math"], ["$$\n\nx\n\n$$"]),
        ("\\[\nx\n\n= 2\n\\]", ["math"], ["\\[\nx\n\n= 2\n\\]"]),
        ("\\begin{align}\na\n\n\\end{align}", ["math"], ["\\begin{align}\na\n\n\\end{align}"]),
        ("$$x = 1$$.", ["math"], ["$$x = 1$$."]),
        ("$$\nx\n$$ where x\nis **five**.\n\nNext", ["prose"], ["$$\nx\n$$"]),
        ("So $$\nx = 1\n$$\nand so", ["prose"], ["$$\nx = 1\n$$"]),
        ("So \\[\nx = 1\n\\]\nand so", ["prose"], ["\\[\nx = 1\n\\]"]),
        (
            "$$\nx\n$$ where $y$ is real, and so $$\nz\n$$\nfollows. $$w$$ ends it.",
            ["prose"],
            ["$$\nx\n$$", "$y$", "$$\nz\n$$", "$$w$$"],
        ),
        ("So $$x$$\n$$\ny\n$$", ["prose", "math"], ["$$x$$", "$$\ny\n$$"]),
        ("$$x^2$$ where x", ["prose"], ["$$x^2$$"]),
        ("- a $$x$$ b\n- $$\n  y\n\n  z\n  $$\n- c", ["prose"], ["$$x$$", "$$\ny\n\nz\n$$"]),
        ("> $$\n> x\n>\n> y\n> $$", ["quote"], ["$$\nx\n\ny\n$$"]),
        ("| a |\n|---|\n| $$x$$ |", ["table"], ["$$x$$"]),
        ("$$\nx\n\nHence a = b\n\n$$\ny\n$$", ["prose", "math"], ["$$\ny\n$$"]),
        ("$$\nx\n\n1. item", ["prose"], []),
    ],
)
def test_display_formulas_have_blank_lines_and_text_beside_them(
    text: str, kinds: Sequence[str], found: list[str]
) -> None:
    assert [block.kind for block in split_blocks(text)] == [BlockKind(kind) for kind in kinds]
    assert formulas(text) == found


@pytest.mark.parametrize("before", ["", "- ", "> "])
def test_the_source_of_a_display_formula_keeps_its_lines(before: str) -> None:
    source = "$$\n\\begin{cases}\n    a \\\\\n\n    b\n\\end{cases}\n$$"
    indent = "  " if before == "- " else before
    assert formulas(before + source.replace("\n", f"\n{indent}")) == [source]


def test_a_display_formula_stands_beside_the_marker_of_its_item() -> None:
    (block,) = split_blocks("- $$\n  x\n  $$\n\n  $$y$$")
    assert re.sub(_FORMULA, "F", block.body) == '<ul><li>F<p align="center">F</p></li></ul>'


def test_the_text_after_a_display_formula_is_kept() -> None:
    (block,) = split_blocks("$$\nx\n$$ where x\nis **five**.")
    assert block.body.endswith("<br>where x<br>is <strong>five</strong>.</p>")
