"""What can be typed is understood, and what cannot is said."""

from __future__ import annotations

import pytest

from fireside.cli.arguments import parse


def test_nothing_typed_opens_the_window() -> None:
    assert parse([]).command == "window"


def test_run_takes_a_model_and_a_prompt_of_several_words() -> None:
    found = parse(["run", "smol", "why", "is it?"])
    assert (found.command, found.model, found.prompt) == ("run", "smol", "why is it?")


def test_flags_become_settings_by_key() -> None:
    found = parse(["run", "--temperature", "0", "--ctx", "2048", "--set", "sampling.top_k=1"])
    assert found.settings == {
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
