"""Formulas: drawn within bounds, placed on the baseline, copied as their source."""

from __future__ import annotations

import threading
import time
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from fakes.stored_messages import TranscriptScene
from fakes.widgets import parent_of
from fireside.bridge.formula_object import outline_text
from fireside.core.generation import TextDelta
from fireside.markup import formula
from fireside.markup.formula import CannotDraw, Drawing, draw, simplified, spaced
from fireside.markup.rich_text import FORMULA_EM
from fireside.ui.chat.answer import formulas
from fireside.ui.chat.answer.blocks import MathView
from fireside.ui.chat.answer.text_view import RichText
from fireside.ui.chat.transcript.selected_text import last_position, text_between
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice


@pytest.mark.parametrize(
    "tex",
    [
        r"x",
        r"\frac{a}{b}",
        r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"\begin{cases}x&x>0\\-x&\text{otherwise}\end{cases}",
        r"\begin{aligned}a&=b\\&=c\end{aligned}",
        r"\cfrac{1}{1+\cfrac{1}{1+\cfrac{1}{1+\cfrac{1}{1+x}}}}",
        r"a < b \le c \tag{1}",
        r"\begin{align}a&=b\nonumber\\&=c\end{align}",
        r"\begin{alignat*}{2}a&=b&\quad c&=d\\&=e\end{alignat*}",
        r"\begin{equation}\label{e}E=mc^2\end{equation}",
        r"\begin{gather*}a=b\\c=d\end{gather*}",
        r"\begin{eqnarray}a&=&b\\c&=&d\end{eqnarray}",
        r"\begin{dcases}1&x>0\\0&x\le 0\end{dcases}",
        r"\begin{Vmatrix}a&b\\c&d\end{Vmatrix}",
    ],
)
def test_common_formulas_are_drawn(tex: str) -> None:
    drawing = draw(tex, is_display=True)
    assert drawing.svg.startswith("<svg")
    assert drawing.width > 0


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{a",
        r"\unknown{x}",
        r"x_1_2",
        "",
        "x" * 100_000,
        "x+" * 900,
        r"\frac{a}{" * 60 + "x" + "}" * 60,
        r"\left(" * 25 + "x" + r"\right)" * 25,
        r"\begin{matrix}" * 20 + "x" + r"\end{matrix}" * 20,
        r"\sqrt" * 300 + "x",
        "x^{" * 300 + "x" + "}" * 300,
        r"\hspace{100000em}x",
        r"\text{&lt;mspace width='1e9em'/&gt;}",
        r"\href{file:///etc/passwd}{x}",
        r"\includegraphics{/etc/passwd}",
        r"\text{<!DOCTYPE x>}",
    ],
)
def test_invalid_unknown_or_too_large_formulas_are_refused_quickly(tex: str) -> None:
    draw("x", is_display=False)
    began = time.thread_time()
    try:
        drawing: Drawing | None = draw(tex, is_display=True)
    except CannotDraw:
        drawing = None
    assert drawing is None or r"\text" in tex
    assert time.thread_time() - began < 5  # two to the power of sixty otherwise


@pytest.fixture
def show(scene: TranscriptScene) -> ShowFormula:
    return ShowFormula(scene)


class ShowFormula:
    """Shows one answer and waits until its formulas are drawn."""

    def __init__(self, scene: TranscriptScene) -> None:
        self._scene = scene

    def __call__(self, text: str) -> Transcript:
        transcript = self._scene.show([self._scene.user("?"), self._scene.answer(text)])
        self._scene.wait_until(lambda: drawn(transcript))
        return transcript


def drawn(transcript: Transcript) -> bool:
    drawing = transcript.column.transcript_style.formulas
    return drawing is not None and drawing.is_idle


def text_of(transcript: Transcript) -> str:
    document = transcript.view_of(1).text_views[0].document()
    return text_between(document, 0, last_position(document))


def picture(transcript: Transcript) -> QImage:
    text_view = transcript.view_of(1).text_views[0]
    assert isinstance(text_view, RichText)
    return text_view.grab().toImage()


def test_a_formula_is_an_image_and_copied_as_its_source(show: ShowFormula) -> None:
    transcript = show("Half: $\\frac{1}{2}$, and 𝔘 \\(x_i\\).")
    assert "\ufffc" in transcript.view_of(1).text_views[0].toPlainText()
    assert text_of(transcript) == "Half: $\\frac{1}{2}$, and 𝔘 \\(x_i\\)."


def test_a_formula_that_cannot_be_drawn_is_shown_as_its_source(show: ShowFormula) -> None:
    transcript = show("So $\\unknown{x}$ <b>")
    assert transcript.view_of(1).text_views[0].toPlainText() == "So $\\unknown{x}$ <b>"


def test_letters_of_a_formula_are_outlined_in_the_fonts_of_the_program(qapp: QApplication) -> None:
    outline = outline_text("ab", is_bold=False)
    assert outline is not None
    assert outline.path.startswith("M")
    assert outline.width > 0
    assert 0 < outline.ascent < 100
    wider = outline_text("ab ab", is_bold=True)
    assert wider is not None
    assert wider.width > 2 * outline.width


def test_letters_that_no_font_has_are_not_outlined(qapp: QApplication) -> None:
    assert outline_text("a\U0003fffd", is_bold=False) is None


def test_a_formula_with_letters_that_no_font_has_is_shown_as_its_source(show: ShowFormula) -> None:
    source = "$\\text{\U0003fffd}$"
    assert show(f"So {source}.").view_of(1).text_views[0].toPlainText() == f"So {source}."


def test_nothing_is_drawn_once_the_application_ends(
    scene: TranscriptScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_sources: list[str] = []
    began, may_end = threading.Event(), threading.Event()

    def slow_draw(tex: str, **_options: object) -> None:
        drawn_sources.append(tex)
        began.set()
        assert may_end.wait(10)
        raise CannotDraw(tex)

    monkeypatch.setattr(formulas, "draw", slow_draw)
    transcript = scene.show([scene.user("?"), scene.answer("$x$ $y$ $z$")])
    assert began.wait(10)
    drawing = transcript.column.transcript_style.formulas
    assert drawing is not None
    threading.Timer(0.05, may_end.set).start()
    drawing._stop()
    assert len(drawn_sources) == 1
    assert "formulas" not in {thread.name for thread in threading.enumerate()}


def test_a_formula_does_not_move_its_line(show: ShowFormula) -> None:
    transcript = show("Deep $\\frac{\\frac{a}{b}}{\\frac{c}{d}}$ here")
    line = transcript.view_of(1).text_views[0].document().begin().layout().lineAt(0)
    drawing = draw("\\frac{\\frac{a}{b}}{\\frac{c}{d}}", is_display=False)
    em = transcript.column.transcript_style.text_font.pixelSize() * FORMULA_EM
    assert line.ascent() == pytest.approx(drawing.ascent * em, abs=1.5)
    assert line.descent() == pytest.approx(drawing.descent * em, abs=1.5)


def test_a_formula_takes_the_colour_of_the_theme(show: ShowFormula, theme: Theme) -> None:
    transcript = show("$$\\sum x$$")
    shades = []
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        theme.set_choice(choice)
        image = transcript.column.transcript_style.formula_image("math:JCRcc3VtIHgkJA==", ratio=1.0)
        assert image is not None
        strongest = max(
            (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())),
            key=lambda colour: colour.alpha(),
        )
        shades.append(strongest.lightness())
    assert shades[0] > 180
    assert shades[1] < 80


def test_a_formula_is_drawn_at_the_density_of_the_screen(show: ShowFormula) -> None:
    transcript = show("$$\\sum x$$")
    single = transcript.column.transcript_style.formula_image("math:JCRcc3VtIHgkJA==", ratio=1.0)
    double = transcript.column.transcript_style.formula_image("math:JCRcc3VtIHgkJA==", ratio=2.0)
    assert single is not None
    assert double is not None
    assert double.width() == pytest.approx(2 * single.width(), abs=2)


def test_a_formula_wider_than_the_column_scrolls_by_itself(show: ShowFormula) -> None:
    transcript = show("$$" + " + ".join(f"a_{{{k}}}" for k in range(60)) + "$$")
    text_view = transcript.view_of(1).text_views[0]
    scroller = parent_of(parent_of(text_view))
    assert text_view.width() > scroller.width()
    assert scroller.width() <= transcript.viewport().width()


@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_a_wide_formula_is_whole_and_begins_at_its_left(
    show: ShowFormula, qapp: QApplication, direction: Qt.LayoutDirection
) -> None:
    """It is on one line with the strut that keeps the space below it."""
    before = qapp.layoutDirection()
    qapp.setLayoutDirection(direction)
    try:
        source = " + ".join(f"\\frac{{a_{{{k}}}}}{{b}}" for k in range(60))
        text_view = show(f"$${source}$$").view_of(1).text_views[0]
        assert text_view.document().begin().layout().lineCount() == 1
        assert text_view.height() <= parent_of(text_view).height()
        assert text_view.x() == 0
    finally:
        qapp.setLayoutDirection(before)


def test_a_formula_that_fits_has_no_widgets_for_scrolling(show: ShowFormula) -> None:
    """Each widget takes ten kilobytes with the application's style sheet, and some answers have hundreds."""
    formula, text = (parent_of(text_view) for text_view in show("$$x + 1$$\n\nand").view_of(1).text_views)
    assert isinstance(formula, MathView)
    assert not formula.findChildren(QScrollArea)
    alone = text.findChildren(RichText)[-1]
    assert len(formula.findChildren(QWidget)) == len(alone.findChildren(QWidget)) + 1


def test_a_formula_keeps_its_position_while_text_streams(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("?"), running])
    for part in ("So $", "x^2", "$ is\n\n$$\ny", "^2\n$$\n\nDone"):
        transcript.append_text(running.id, TextDelta(text=part, n_completion=1))
    scene.wait_until(lambda: drawn(transcript))
    text_views = transcript.view_of(1).text_views
    assert [text_view.toPlainText().replace("\ufffc", "") for text_view in text_views] == [
        "So  is",
        "",
        "Done",
    ]


@pytest.mark.parametrize(
    ("tex", "n_spaces"),
    [
        (r"\det A", 1),
        (r"2\sin x", 2),
        (r"\max_{i} a_i", 1),
        (r"\operatorname{rank} A = n", 1),
        (r"\det(A)", 0),
        (r"\det\left(A\right)", 0),
        (r"-\det A + \ln x", 2),
        (r"\sin\,x", 0),
        (r"ab + \mathrm{km}", 0),
    ],
)
def test_named_functions_are_separated_from_their_arguments(tex: str, n_spaces: int) -> None:
    def n_thin(tree: ElementTree.Element) -> int:
        return sum(each.get("width") == "0.125em" for each in tree.iter() if each.tag.endswith("mspace"))

    renderer = formula._renderer()
    written = renderer.escapes.unescape(renderer.tex.tex2mml(tex, inline=True))
    assert n_thin(spaced(simplified(ElementTree.fromstring(written)))) == n_spaces


def test_a_function_and_its_argument_are_drawn_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = draw(r"\det A", is_display=False).width
    monkeypatch.setattr(formula, "spaced", lambda tree: tree)
    assert apart > draw(r"\det A", is_display=False).width + 0.1
