"""The program as a user types it, with the real model."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import gguf
import pytest

from fakes.terminal import FIRESIDE, Terminal
from fireside.core.chat import MessageState
from fireside.storage.store import Store
from llama import tiny_models
from llama.tiny_bert import write_bert

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

X_PORT = 6000
"""Where the first display of a machine listens."""
SHORT = {"FIRESIDE_SAMPLING_MAX_TOKENS": "48"}
"""Now and then the model goes on until its context is full."""


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return {
        **kept,
        "FIRESIDE_HOME": str(own_home / "fireside"),
        "FIRESIDE_LOAD_N_CTX": "1024",
        # On a busy machine several wait for each other most of the time.
        "FIRESIDE_LOAD_N_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def typed(environment: dict[str, str], *arguments: str, piped: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, *arguments],
        env={**SHORT, **environment},
        input=piped,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_starter_model_is_listed(environment: dict[str, str], starter_model_path: Path) -> None:
    ended = typed(environment, "list")
    assert ended.returncode == 0
    assert "SmolLM2-135M-Instruct" in ended.stdout
    assert "Included" in ended.stdout


def test_a_prompt_is_answered_and_nothing_else_is_printed_or_kept(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(
        environment, "run", "--temperature", "0", "--max-tokens", "8", "smollm2 135m instruct", "Say hello"
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip()
    assert "tokens/s" not in ended.stdout
    assert not list(Path(environment["FIRESIDE_HOME"]).rglob("fireside.db"))


def test_the_same_seed_gives_the_same_answer(environment: dict[str, str], starter_model_path: Path) -> None:
    answers = {
        typed(environment, "run", "--seed", "5", "--max-tokens", "12", "Tell me a story").stdout
        for _ in range(2)
    }
    assert len(answers) == 1


def test_piped_text_is_answered_where_there_is_no_display(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(environment, piped="What is two and two?\n")
    assert ended.returncode == 0, ended.stderr
    assert "No display" in ended.stderr
    assert ended.stdout.strip()


def test_a_display_that_does_not_answer_is_told(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    with socket.socket() as bound:
        # A port that is taken and not listened on refuses all other programs of this machine.
        bound.bind(("127.0.0.1", 0))
        display = f"127.0.0.1:{bound.getsockname()[1] - X_PORT}"
        ended = typed({**environment, "DISPLAY": display}, piped="Hello\n")
    assert ended.returncode == 0, ended.stderr
    assert display in ended.stderr


def test_an_unknown_model_is_told_with_what_to_do(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(environment, "run", "no-such-model", "Hello")
    assert ended.returncode == 1
    assert "no-such-model" in ended.stderr
    assert "fireside list" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_one_word_alone_is_said_to_be_taken_for_a_model(environment: dict[str, str]) -> None:
    ended = typed(environment, "run", "Hello")
    assert ended.returncode == 2
    assert "“Hello” is taken as a model" in ended.stderr


def test_a_path_to_what_is_no_file_is_told(environment: dict[str, str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, said in (
        (tmp_path, "it is a folder"),
        (pipe, "not a file"),
        (tmp_path / "gone.gguf", "not found"),
    ):
        ended = typed(environment, "plan", str(path))
        assert ended.returncode == 1
        assert said in ended.stderr
        assert "No model called" not in ended.stderr


def test_a_file_that_is_no_model_is_told(environment: dict[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"<html>please log in</html>")
    ended = typed(environment, "run", str(broken), "Hello")
    assert ended.returncode == 1
    assert "not a usable model file" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_model_file_anywhere_can_be_named(
    environment: dict[str, str], starter_model_path: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "模型 ñ.gguf"
    elsewhere.symlink_to(starter_model_path)
    ended = typed(environment, "run", "--max-tokens", "4", str(elsewhere), "Hello")
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("setting", "said"),
    [("sampling.temperature=99", "temperature"), ("no.such=1", "no.such"), ("load.n_ctx=lots", "n_ctx")],
)
def test_a_wrong_setting_is_told(environment: dict[str, str], setting: str, said: str) -> None:
    ended = typed(environment, "run", "--set", setting, "Hello")
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_binary_input_is_refused_in_words(environment: dict[str, str], starter_model_path: Path) -> None:
    ended = typed(environment, "run", piped="a\x00b")
    assert ended.returncode == 1
    assert "NUL" in ended.stderr


def test_an_answer_in_json_fits_its_schema(
    environment: dict[str, str], starter_model_path: Path, tmp_path: Path
) -> None:
    schema = tmp_path / "person.json"
    schema.write_text(
        '{"type": "object", "properties": {"name": {"type": "string", "maxLength": 12}, "age": '
        '{"type": "integer", "minimum": 0, "maximum": 150}}, "required": ["name", "age"], '
        '"additionalProperties": false}'
    )
    ended = typed(environment, "run", "--seed", "3", "--json-schema", str(schema), "Ada Lovelace as JSON")
    assert ended.returncode == 0, ended.stderr
    person = json.loads(ended.stdout)
    assert person.keys() == {"name", "age"}
    assert 0 <= person["age"] <= 150


def test_a_raw_text_is_gone_on_with_several_times_by_one_seed(
    environment: dict[str, str], float_model_path: Path
) -> None:
    arguments = ("--raw", "Once upon a time", "--max-tokens", "6", "--n", "3", "--seed", "5")
    first, again = (typed(environment, "run", str(float_model_path), *arguments) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert [line for line in first.stdout.splitlines() if line.startswith("---")] == [
        "--- 1 of 3 ---",
        "--- 2 of 3 ---",
        "--- 3 of 3 ---",
    ]
    # Side by side, seeds alone decide: which answer is read first does not.
    assert first.stdout == again.stdout


def test_probabilities_are_told_beside_the_answer(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(environment, "run", "--temperature", "0", "--max-tokens", "3", "--logprobs", "2", "Say hi")
    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stderr.splitlines() if line.startswith('"')]
    assert len(lines) == 3
    tokens = [json.JSONDecoder().raw_decode(line)[0] for line in lines]
    assert "".join(tokens).strip() == ended.stdout.strip()


def test_a_gap_that_the_model_cannot_fill_is_told(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(environment, "run", "--fill", "def add(", "return total")
    assert ended.returncode == 1
    assert "not taught to fill gaps" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def terminal(environment: dict[str, str], starter_model_path: Path) -> Iterator[Terminal]:
    opened = Terminal(environment)
    yield opened
    opened.close()


def test_what_was_shown_is_stored_when_the_program_is_killed(
    environment: dict[str, str], terminal: Terminal
) -> None:
    terminal.until(">>> ")
    terminal.type("Write a very long story about the sea.\n")
    terminal.until("story about the sea.\r\n")
    output = "".join(terminal.until(" the ") for _ in range(6))
    terminal.process.kill()
    terminal.process.wait()
    output += terminal.rest()
    output = output.replace("\r\n", "\n").rsplit("\r\x1b[K", 1)[-1]

    async def stored() -> tuple[MessageState, str]:
        database = Path(environment["FIRESIDE_HOME"]) / "data" / "fireside.db"
        async with await Store.open(database, clock=time.time) as store:
            (summary,) = await store.conversations.all()
            answer = (await store.conversations.open(summary.id)).messages[-1]
            return answer.state, answer.message.text

    state, text = asyncio.run(stored())
    assert len(output) > 50
    assert text.startswith(output)
    assert state is MessageState.INTERRUPTED


def test_ctrl_c_stops_the_answer_and_the_chat_goes_on(terminal: Terminal) -> None:
    terminal.until(">>> ")
    terminal.type("Write a very long story about the sea.\n")
    terminal.until("story about the sea.\r\n")
    terminal.until(" the ")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("(stopped)")
    terminal.until(">>> ")
    terminal.type("/bye\n")
    assert terminal.process.wait(30) == 0


def test_a_chat_that_cannot_be_kept_says_so_in_a_sentence_and_goes_on(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    database = Path(environment["FIRESIDE_HOME"]) / "data" / "fireside.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"this was never a database" * 100)
    terminal = Terminal(environment)
    try:
        output = terminal.until(">>> ")
        terminal.type("/bye\n")
        assert terminal.process.wait(30) == 0
    finally:
        terminal.close()
    assert "Traceback" not in output
    assert "damaged" in output


def test_texts_become_vectors_a_line_of_json_each(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    ended = typed(environment, "embed", "SmolLM2-135M-Instruct", "Hello", piped="Good bye\n\n")
    assert ended.returncode == 0, ended.stderr
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [line["text"] for line in lines] == ["Hello", "Good bye"]
    assert all(sum(x * x for x in line["vector"]) == pytest.approx(1, abs=1e-3) for line in lines)


def test_documents_are_ranked_by_a_model_that_was_made_for_it(
    environment: dict[str, str], starter_model_path: Path, tmp_path: Path
) -> None:
    ranks = write_bert(tmp_path / "ranks.gguf", pooling=gguf.PoolingType.RANK)
    ended = typed(environment, "rerank", str(ranks), "a b", "x y z", "a b")
    assert ended.returncode == 0, ended.stderr
    scores = [float(line.split()[0]) for line in ended.stdout.splitlines()]
    assert scores == sorted(scores, reverse=True)
    refused = typed(environment, "rerank", "SmolLM2-135M-Instruct", "a b", "x y z")
    assert refused.returncode == 1
    assert "cannot rerank texts" in refused.stderr
    refused = typed(environment, "run", str(ranks), "Hello")
    assert refused.returncode == 1
    assert "cannot chat" in refused.stderr


def test_the_doctor_finds_that_everything_works(environment: dict[str, str]) -> None:
    ended = typed(environment, "doctor")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.endswith("Everything works.\n")
    assert "llama.cpp" in ended.stdout


def test_the_doctor_says_what_is_broken_and_a_program_can_read_it(
    environment: dict[str, str], own_home: Path
) -> None:
    database = own_home / "fireside" / "data" / "fireside.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    ended = typed(environment, "doctor", "--json")
    assert ended.returncode == 1
    loaded = json.loads(ended.stdout)
    assert loaded["works"] is False
    assert [each["name"] for each in loaded["findings"] if each["health"] == "broken"] == ["Chats"]


def test_a_model_is_measured_and_the_figures_are_json(environment: dict[str, str], tmp_path: Path) -> None:
    # Its words are single letters.
    environment["FIRESIDE_LOAD_N_CTX"] = "4096"
    path = tiny_models.write_gemma3(tmp_path / "tiny.gguf")
    ended = typed(environment, "bench", str(path), "--quick", "--json")
    assert ended.returncode == 0, ended.stderr
    (model,) = json.loads(ended.stdout)["models"]
    assert model["trial"]["prefill"]["per_s"] > 0
    assert model["trial"]["decode"]["per_s"] > 0
    # Predicted by a dry run, to the byte.
    assert model["trial"]["planned_bytes"] == model["trial"]["measured_bytes"]
    assert model["perplexity"] > 1
    assert "1 of 1" in ended.stderr


def test_what_cannot_be_measured_is_said(environment: dict[str, str], starter_model_path: Path) -> None:
    ended = typed(environment, "bench", "no-such-model")
    assert ended.returncode == 1
    assert "no-such-model" in ended.stderr
    ended = typed(environment, "bench", "a", "b", "--tune")
    assert ended.returncode == 2


def test_a_plan_of_a_model_that_llama_cpp_does_not_know_says_so(
    environment: dict[str, str], tmp_path: Path
) -> None:
    path = tiny_models.write_llama(tmp_path / "new.gguf")
    path.write_bytes(path.read_bytes().replace(b"llama", b"xlama"))
    ended = typed(environment, "plan", str(path))
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert "“xlama”" in ended.stderr
    assert "not supported by the current llama.cpp" in ended.stderr
