"""What can be typed after ``fireside bench``, and what is printed."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest

from fakes.tuning import GROUND, compared, tuning_of
from fireside.cli import run
from fireside.cli.command_line import parse
from fireside.cli.commands.bench import BenchForm, comparison_text, tuning_text
from fireside.core.ids import ModelId
from fireside.core.tuning import ModelComparison, Tuning
from fireside.markup.tables import csv_table, markdown_table

TUNING = tuning_of(ModelId("a"))
BOTH = ModelComparison(
    models=(compared(ModelId("a"), "Alpha"), compared(ModelId("b"), "Beta | two", perplexity=18.5)),
    ground=GROUND,
    measured_at_s=1.0,
)


def test_the_default_is_one_model_as_a_table() -> None:
    arguments = parse(["bench", "alpha"]).arguments
    assert (arguments["models"], arguments["form"]) == (["alpha"], BenchForm.TABLE)


def test_every_option_is_understood_wherever_it_stands() -> None:
    assert parse(["bench", "--quick", "alpha", "--tune", "--keep", "--json"]).arguments == {
        "models": ["alpha"],
        "form": BenchForm.JSON,
        "tune": True,
        "keep": True,
        "quick": True,
        "quality": False,
        "questions": [],
        "own": False,
    }


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["bench", "a", "b", "--tune"], "--tune takes one model"),
        (["bench", "a", "--questions", "q.jsonl"], "--questions goes with --quality"),
        (["bench", "a", "--quality", "--tune"], "use one of them"),
        (["bench", "a", "--keep"], "--keep goes with --tune"),
        (["bench", "a", "b", "c", "d", "e"], "at most 4 models"),
        (["bench", "a", "--json", "--csv"], "not allowed with"),
        (["bench"], "required"),
    ],
)
def test_arguments_that_cannot_be_combined_are_refused(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(argv)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_tuning_is_printed_as_a_table_with_its_result() -> None:
    text = tuning_text(TUNING, form=BenchForm.TABLE)
    assert "Current settings" in text
    assert "28% less time with: 4 threads" in text
    assert "All layers on the GPU: “SmolLM2” crashed" in text


def test_a_table_names_its_units() -> None:
    assert "tokens/s" in tuning_text(TUNING, form=BenchForm.TABLE)
    assert "Perplexity: lower is better" in comparison_text(BOTH, form=BenchForm.TABLE)


def test_json_holds_everything_that_was_measured() -> None:
    assert msgspec.json.decode(tuning_text(TUNING, form=BenchForm.JSON), type=Tuning) == TUNING
    assert msgspec.json.decode(comparison_text(BOTH, form=BenchForm.JSON), type=ModelComparison) == BOTH


def test_csv_has_a_line_a_model_and_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(comparison_text(BOTH, form=BenchForm.CSV))))
    assert [row[0] for row in rows] == ["Model", "Alpha", "Beta | two"]
    assert rows[1][9] == "20.00"
    assert csv_table(("Name",), [("=1+1",)]) == "Name\r\n'=1+1\r\n"


def test_markdown_is_a_table_whatever_a_model_is_called() -> None:
    text = comparison_text(BOTH, form=BenchForm.MARKDOWN)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    assert "Beta \\| two" in text
    assert markdown_table("A\nB", ("x",), [("1\n2",)], notes=("N.",)) == (
        "## A B\n\n| x |\n| --- |\n| 1 2 |\n\nN.\n"
    )


def test_drafts_are_told_where_there_were_some() -> None:
    first = BOTH.models[0]
    drafting = msgspec.structs.replace(first, trial=msgspec.structs.replace(first.trial, accepted=0.75))
    both = msgspec.structs.replace(BOTH, models=(drafting, BOTH.models[1]))
    note = "Alpha: 75% of drafted tokens accepted."
    assert note in comparison_text(both, form=BenchForm.TABLE)
    assert "drafted" not in comparison_text(BOTH, form=BenchForm.TABLE)
