"""What can be typed is understood, and what cannot is said."""

from __future__ import annotations

import argparse
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from fireside.cli import run
from fireside.cli.command_line import COMMANDS, ListedCommand, parse
from fireside.cli.command_parser import OVERRIDES, RUN, CommandParser
from fireside.cli.commands.api_tokens import add_token
from fireside.cli.commands.window import open_window
from fireside.cli.inputs import MAX_IMAGE_BYTES


def test_nothing_typed_opens_the_window() -> None:
    assert parse([]).run is open_window


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_each_function_takes_what_its_parser_reads(
    command: ListedCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    for parser in parsers_of(command):
        run = parser.get_default(RUN)
        read = {action.dest for action in parser._actions} - {"help", OVERRIDES}
        taken = {
            name for name, each in inspect.signature(run).parameters.items() if each.kind is each.KEYWORD_ONLY
        }
        assert read == taken, parser.prog
        assert parser.description, parser.prog
        with pytest.raises(SystemExit) as ended:
            parse([*parser.prog.split()[1:], "--help"])
        assert ended.value.code == 0
        assert parser.prog in capsys.readouterr().out


def parsers_of(command: ListedCommand) -> Iterator[CommandParser]:
    """Return the parser of a command, or those of its actions."""
    parser = CommandParser(prog=f"fireside {command.name}")
    module = importlib.import_module(f"fireside.cli.commands.{command.module}")
    getattr(module, command.define)(parser)
    actions = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    yield from actions[0].choices.values() if actions else (parser,)


def test_run_takes_a_model_and_a_prompt_of_several_words() -> None:
    arguments = parse(["run", "smol", "why", "is it?"]).arguments
    assert (arguments["model"], arguments["prompt"]) == ("smol", ["why", "is it?"])


@pytest.mark.parametrize(
    "argv", [("run", "hello"), ("embed", "m", "t"), ("rerank", "m", "q"), ("bench", "m")]
)
def test_a_running_engine_is_used_unless_own_is_given(argv: tuple[str, ...]) -> None:
    assert not parse([*argv]).arguments["own"]
    assert parse([*argv, "--own"]).arguments["own"]


def test_flags_become_settings_by_key() -> None:
    arguments = parse(["run", "--temperature", "0", "--ctx", "2048", "--set", "sampling.top_k=1"])
    assert arguments.settings == {
        "sampling.temperature": "0",
        "load.n_ctx": "2048",
        "sampling.top_k": "1",
    }


def test_a_setting_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["run", "--set", "sampling.top_k"])
    assert ended.value.code == 2
    assert "KEY=VALUE" in capsys.readouterr().err


def test_an_unknown_command_names_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["fly"])
    assert "fireside --help" in capsys.readouterr().err


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--help"])
    assert ended.value.code == 0
    assert "fireside run" in capsys.readouterr().out


def refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is said to a command line that is not understood."""
    with pytest.raises(SystemExit) as ended:
        run(argv)
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_flags_of_an_answer_are_settings_too() -> None:
    arguments = parse(
        [
            "run",
            "--reasoning",
            "low",
            "--thinking-budget",
            "64",
            "--when-full",
            "shift",
            "--logprobs",
            "3",
            "m",
        ]
    )
    assert arguments.settings == {
        "answer.reasoning": "low",
        "answer.thinking_budget": "64",
        "answer.when_full": "shift",
        "sampling.top_logprobs": "3",
    }


@pytest.mark.parametrize("text", ['{"type": "object"}', " {}", "true"])
def test_a_schema_may_be_typed(text: str) -> None:
    arguments = parse(["run", "--json-schema", text])
    assert arguments.settings == {"answer.format": "json_schema", "answer.format_rule": text}


def test_a_schema_may_be_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "person.json"
    path.write_text('{"type": "object"}')
    arguments = parse(["run", "--json-schema", str(path)])
    assert arguments.settings["answer.format_rule"] == '{"type": "object"}'


@pytest.mark.parametrize(("text", "format_"), [('root ::= "a"', "gbnf"), ("start: /a/", "lark")])
def test_the_notation_of_a_grammar_is_recognised(tmp_path: Path, text: str, format_: str) -> None:
    path = tmp_path / "grammar"
    path.write_text(text)
    arguments = parse(["run", "--grammar", str(path)])
    assert arguments.settings == {"answer.format": format_, "answer.format_rule": text}


def test_a_regular_expression_is_passed_unchanged() -> None:
    assert parse(["run", "--regex", "a=b"]).settings["answer.format_rule"] == "a=b"


def test_an_answer_has_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert "not allowed with" in refused(["run", "--regex", "a", "--json-schema", "{}"], capsys)


@pytest.mark.parametrize("flag", ["--json-schema", "--grammar", "--image"])
def test_a_file_that_is_not_there_is_named(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.txt cannot be read" in refused(["run", flag, "none.txt"], capsys)


def test_a_grammar_that_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grammar"
    path.write_bytes(b"\xff\xfe\xff")
    assert "is not a text file" in refused(["run", "--grammar", str(path)], capsys)


def test_an_empty_grammar_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grammar"
    path.touch()
    assert "is empty" in refused(["run", "--grammar", str(path)], capsys)


def test_pictures_are_read_in_order(tmp_path: Path) -> None:
    png, jpeg = tmp_path / "a.png", tmp_path / "b.jpg"
    png.write_bytes(b"\x89PNG\r\n\x1a\n1")
    jpeg.write_bytes(b"\xff\xd8\xff2")
    arguments = parse(["run", "--image", str(png), "--image", str(jpeg), "What is this?"]).arguments
    assert [image.media_type for image in arguments["images"]] == ["image/png", "image/jpeg"]
    assert arguments["images"][1].data == b"\xff\xd8\xff2"
    assert arguments["model"] == "What is this?", "no model is known here: see commands.run"


def test_a_file_that_is_no_image_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(b"GIF89a")
    assert "neither a PNG nor a JPEG" in refused(["run", "--image", str(path), "x y"], capsys)


def test_a_huge_picture_is_refused_before_it_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.png"
    with path.open("wb") as file:
        file.truncate(MAX_IMAGE_BYTES + 1)
    assert "is larger than 24 MB" in refused(["run", "--image", str(path), "x y"], capsys)


@pytest.mark.parametrize(
    "argv",
    [
        ["run", "--raw", "a", "smol", "and a prompt"],
        ["run", "--raw", "a", "--fill", "b", "c"],
        ["run", "--fill", "b", "c", "--system", "x"],
    ],
)
def test_arguments_that_cannot_be_combined_are_refused(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--raw" in (message := refused(argv, capsys)) or "--fill" in message


@pytest.mark.parametrize("number", ["0", "-1", "65", "two", "9" * 5000])
def test_a_number_of_answers_has_bounds(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--n" in refused(["run", f"--n={number}", "x y"], capsys)


@pytest.mark.parametrize(
    "argv",
    [
        ["run", "smol", "Why is it so?", "--temperature", "0", "--stats"],
        ["run", "smol", "--temperature", "0", "--stats", "Why is it so?"],
        ["run", "--temperature", "0", "smol", "--stats", "Why", "is", "it", "so?"],
        ["run", "--stats", "--temperature=0", "smol", "Why is it so?"],
    ],
)
def test_options_stand_wherever_a_user_puts_them(argv: list[str]) -> None:
    invocation = parse(argv)
    arguments = invocation.arguments
    assert (arguments["model"], " ".join(arguments["prompt"]), arguments["stats"]) == (
        "smol",
        "Why is it so?",
        True,
    )
    assert invocation.settings == {"sampling.temperature": "0"}


def test_a_value_that_is_refused_is_named_by_its_option_and_not_by_its_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["run", "--when-full", "perhaps", "model", "Hello"]) == 2
    assert capsys.readouterr().err == "fireside: --when-full: Choose “stop” or “shift”.\n"


def test_a_value_by_its_key_is_named_by_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--set", "sampling.top_p=7", "model", "Hello"]) == 2
    assert capsys.readouterr().err == "fireside: “sampling.top_p”: Choose a number from 0 to 1.\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["plan", ""], "model name is empty"),
        (["run", "", "Hello"], "model name is empty"),
        (["run", "--json-schema", "", "Hello"], "the schema is empty"),
        (["run", "--regex", "", "Hello"], "the pattern is empty"),
        (["run", "--grammar", "", "Hello"], "the file’s name is empty"),
        (["run", "--logprobs", "-1", "Hello"], "“-1” is not a number from 0 to 20"),
        (["run", "--logprobs=-1", "Hello"], "“-1” is not a number from 0 to 20"),
        (["tools", "call", "a.b", "--arg", "path"], "“path” is not NAME=VALUE"),
    ],
)
def test_empty_and_invalid_arguments_are_refused_with_a_reason(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(argv)
    assert message in capsys.readouterr().err


def test_serving_takes_a_port_an_address_and_tokens() -> None:
    served = parse(["serve", "--port", "0", "--host", "::1", "--no-token"]).arguments
    assert served == {"port": 0, "host": "::1", "no_token": True, "socket": ""}
    added = parse(["api-token", "add", "my editor", "--scope", "answer"])
    assert (added.run, added.arguments) == (add_token, {"name": "my editor", "scopes": ["answer"]})
    assert parse(["api-token", "add", "my editor"]).arguments["scopes"] == []


@pytest.mark.parametrize(
    "typed",
    [
        ["serve", "--port", "65536"],
        ["serve", "--port", "-1"],
        ["api-token"],
        ["api-token", "add"],
        ["api-token", "add", "x", "--scope", "all"],
        ["api-token", "revoke", " "],
        ["serve", "--socket", "x", "--port", "1"],
    ],
)
def test_invalid_arguments_of_serve_are_refused(typed: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(typed)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("line", "shown", "absent"),
    [
        ("documents add", "--vision-model", "--all"),
        ("documents ask", "--all", "--vision-model"),
        ("tools permit", "always or ask or never", "--network"),
        ("tools add", "--network", "the tool"),
        ("runtime use", "--model", "--json"),
        ("api-token revoke", "its id", "--scope"),
    ],
)
def test_help_of_an_action_shows_its_own_options(
    line: str, shown: str, absent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([*line.split(), "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert shown in text
    assert absent not in text


def test_options_of_other_actions_are_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["documents", "add", "Manuals", "--all"])
    assert "--all goes with documents ask." in capsys.readouterr().err


def test_a_setting_before_the_command_and_one_behind_it_both_count() -> None:
    invocation = parse(["--set", "a.b=1", "run", "--set", "c.d=2", "--set", "a.b=3", "m"])
    assert invocation.settings == {"a.b": "3", "c.d": "2"}
    assert parse(["run", "--seed", "1", "--set", "sampling.seed=2"]).settings == {"sampling.seed": "1"}


def test_a_tool_is_turned_on_by_its_setting() -> None:
    invocation = parse(["run", "--tool", "memory", "--tool", "time", "--tool", "notes__read", "m", "Hello"])
    assert invocation.arguments["tools"] == ("memory", "time", "notes__read")
    assert invocation.settings == {"tools.memory": "true", "tools.servers": "time\nnotes__read"}
