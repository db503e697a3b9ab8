"""What agents of other makers are started with."""

from __future__ import annotations

import json

import pytest

from fireside.cli.command_line import parse
from fireside.cli.commands.launch import AGENTS, ModelEndpoint, not_installed_text

ENDPOINT = ModelEndpoint(url="http://127.0.0.1:5", token="fs-secret", model="Qwen3-8B.Q4_K_M", n_ctx=40_000)


@pytest.mark.parametrize("name", AGENTS)
def test_each_gets_address_model_context_and_token(name: str) -> None:
    start = AGENTS[name].start(ENDPOINT)
    told = "\n".join((*start.arguments, *start.environment.values(), start.config))
    for fact in (ENDPOINT.url, ENDPOINT.model, "40000", ENDPOINT.token):
        assert fact in told
    # Other users of the computer can read the arguments of a process.
    assert not any(ENDPOINT.token in argument for argument in start.arguments)
    # A batch file on Windows, as npm writes them, does not keep these.
    assert not any(character in "".join(start.arguments) for character in '"%^&|<>')


def test_claude_code_knows_no_other_model_and_goes_nowhere_else() -> None:
    environment = AGENTS["claude"].start(ENDPOINT).environment
    models = {value for key, value in environment.items() if key.endswith("_MODEL")}
    assert models == {ENDPOINT.model}
    assert environment["ANTHROPIC_API_KEY"] == environment["CLAUDE_CODE_USE_BEDROCK"] == ""
    assert environment["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] == "1"


def test_configurations_are_json() -> None:
    opencode = json.loads(AGENTS["opencode"].start(ENDPOINT).environment["OPENCODE_CONFIG_CONTENT"])
    assert opencode["model"] == f"fireside/{ENDPOINT.model}"
    (model,) = json.loads(AGENTS["continue"].start(ENDPOINT).config)["models"]
    assert (model["model"], model["apiBase"]) == (ENDPOINT.model, f"{ENDPOINT.url}/v1")


def test_what_stands_behind_two_dashes_is_the_agents() -> None:
    arguments = parse(
        ["launch", "claude", "--model", "Qwen", "--", "-p", "Hi", "--model", "sonnet"]
    ).arguments
    assert (arguments["model"], arguments["agent"]) == ("Qwen", "claude")
    assert arguments["agent_arguments"] == ["-p", "Hi", "--model", "sonnet"]
    assert parse(["launch", "codex"]).arguments["agent_arguments"] == []


@pytest.mark.parametrize("line", [["launch"], ["launch", "emacs"]])
def test_a_wrong_line_is_refused(line: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(line)
    assert ended.value.code == 2


def test_one_that_is_missing_is_told_with_how_to_install_it() -> None:
    text = not_installed_text(AGENTS["continue"])
    assert "“cn”" in text
    assert "npm install -g @continuedev/cli" in text
