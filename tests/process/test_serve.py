"""``fireside serve`` as a user types it, with the real model."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from fakes.serving import Serving, environment_in, serving

CHAT = "/v1/chat/completions"
SECRET = "the magic word is xylophone"


def fireside(home: Path, *arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "fireside", *arguments],
        env=environment_in(home),
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.stdout.strip()


def test_it_answers_streams_reuses_its_cache_and_logs_no_contents(
    own_home: Path, starter_model_path: Path
) -> None:
    with serving(own_home, "--no-token") as server:
        assert server.address.startswith("http://127.0.0.1:")
        (model,) = server.ask("/v1/models")["data"]
        message = {"role": "user", "content": f"Say hello. {SECRET}"}
        body = {"model": model["id"], "messages": [message], "max_tokens": 6, "temperature": 0}
        first = server.ask(CHAT, body)
        answer = first["choices"][0]["message"]
        assert answer["content"].strip()
        more = [message, answer, {"role": "user", "content": "And again"}]
        second = server.ask(CHAT, {**body, "messages": more})["usage"]
        # At temperature 0 the cache is used in whole units of 16 tokens.
        n_known = (first["usage"]["prompt_tokens"] - 1) // 16 * 16
        assert second["prompt_tokens_details"]["cached_tokens"] == n_known > 0
        choices = server.ask("/v1/completions", {"prompt": "One, two,", "n": 2, "max_tokens": 3})["choices"]
        assert len(choices) == 2
        schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
        response_format = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        shaped = server.ask(CHAT, {**body, "max_tokens": 40, "response_format": response_format})
        assert isinstance(json.loads(shaped["choices"][0]["message"]["content"])["x"], int)
        vectors = server.ask("/v1/embeddings", {"model": model["id"], "input": ["a", "b"], "dimensions": 8})
        assert [len(each["embedding"]) for each in vectors["data"]] == [8, 8]
        _check_other_dialects(server, model["id"])
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=20)
        assert server.process.returncode == 0
    home = own_home / "fireside"
    logged = "".join(path.read_text("utf-8") for path in home.rglob("*.log*"))
    assert "POST /v1/chat/completions 200" in logged
    assert "POST /v1/chat/completions 200" in said
    assert server.address not in said, "in a terminal something would stand before the address"
    assert "xylophone" not in logged + said


def test_vectors_and_answers_of_one_model_load_it_once_each(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        (model,) = server.ask("/v1/models")["data"]
        body = {"model": model["id"], "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 2}
        pids = set()
        for number in range(3):
            server.ask("/v1/embeddings", {"model": model["id"], "input": "a"})
            if number == 0:
                assert server.ask("/v1/messages/count_tokens", body)["input_tokens"] > 0
            server.ask(CHAT, body)
            listed = json.loads(fireside(own_home, "ps", "--json"))["models"]
            pids |= {(each["purpose"], each["pid"]) for each in listed}
        assert sorted(purpose for purpose, _ in pids) == ["embed", "generate"]
        (shown,) = server.ask("/api/ps")["models"]
        assert shown["context_length"] == 1024


def _check_other_dialects(server: Serving, model: str) -> None:
    said = [{"role": "user", "content": "Say hello"}]
    ollama = {"model": model, "messages": said, "stream": False, "options": {"num_predict": 4}}
    assert server.ask("/api/chat", ollama)["message"]["content"].strip()
    (loaded,) = server.ask("/api/ps")["models"]
    assert (loaded["name"], loaded["context_length"]) == (model, 1024)
    schema = {"type": "object", "properties": {"at": {"enum": ["here"]}}, "required": ["at"]}
    tool = {"name": "look", "input_schema": {**schema, "additionalProperties": False}}
    body = {
        "max_tokens": 80,
        "temperature": 0,
        "messages": said,
        "tools": [tool],
        "tool_choice": {"type": "any"},
    }
    called = server.ask("/v1/messages", body)
    assert called["stop_reason"] == "tool_use", called
    assert called["content"][-1]["input"] == {"at": "here"}
    n_counted = server.ask("/v1/messages/count_tokens", {"messages": said})["input_tokens"]
    plain = server.ask(CHAT, {"messages": said, "max_tokens": 1})
    assert plain["usage"]["prompt_tokens"] == n_counted
    responded = server.ask("/v1/responses", {"input": "Say hello", "max_output_tokens": 16})
    assert responded["output"][0]["content"][0]["text"].strip()
    tokens = server.ask("/tokenize", {"content": "Hello wörld"})["tokens"]
    assert server.ask("/detokenize", {"tokens": tokens}) == {"content": "Hello wörld"}
    prompt = server.ask("/apply-template", {"messages": said})["prompt"]
    assert len(server.ask("/tokenize", {"content": prompt})["tokens"]) == n_counted
    with pytest.raises(urllib.error.HTTPError) as refused:
        server.ask(CHAT, {"messages": [{"role": "user", "content": "hello " * 3000}]})
    assert json.loads(refused.value.read())["error"]["code"] == "context_length_exceeded"
    refused.value.close()


def test_it_survives_a_closed_terminal_and_ends_soon_when_asked(
    own_home: Path, starter_model_path: Path
) -> None:
    if sys.platform == "win32":
        pytest.skip("signals of POSIX")
    with serving(own_home, "--no-token") as server:
        server.process.send_signal(signal.SIGHUP)
        assert server.status("/v1/models") == 200
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=20)
        assert server.process.returncode == 0


def test_without_a_token_nothing_is_told_and_a_new_one_opens_at_once(
    own_home: Path, starter_model_path: Path
) -> None:
    with serving(own_home) as server:
        assert server.status("/v1/models") == 401
        text = fireside(own_home, "api-token", "add", "editor")
        assert text.startswith("fs-")
        assert server.status("/v1/models", Authorization=f"Bearer {text}") == 200
        assert server.status("/v1/models", Authorization=f"Bearer {text}", Host="evil.com") == 403
        assert text not in fireside(own_home, "api-token", "list")
        assert "editor" in fireside(own_home, "api-token", "list")
        fireside(own_home, "api-token", "revoke", "editor")
        assert server.status("/v1/models", X_Api_Key=text) == 401


@pytest.mark.parametrize("words", [("--no-token",), ()])
def test_other_computers_are_not_let_in_without_a_token(
    own_home: Path, starter_model_path: Path, words: tuple[str, ...]
) -> None:
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "fireside", "serve", "--port", "0", "--host", "0.0.0.0", *words],
        env=environment_in(own_home),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "access token" in ended.stderr


def test_the_journal_notes_the_time_itself(
    own_home: Path, starter_model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = {}
    for name, named in (("journal", "its stream"), ("other", "8:1"), ("terminal", None)):
        monkeypatch.delenv("JOURNAL_STREAM", raising=False)
        said = tmp_path / name
        with said.open("w") as written:
            opened = os.fstat(written.fileno())
            if named is not None:
                stream = f"{opened.st_dev}:{opened.st_ino}" if named == "its stream" else named
                monkeypatch.setenv("JOURNAL_STREAM", stream)
            with serving(own_home, "--no-token", said_to=written) as server:
                server.ask("/v1/models")
        lines[name] = next(line for line in said.read_text("utf-8").splitlines() if "/v1/models" in line)
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ", lines["terminal"])
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ", lines["other"])
    assert not re.search(r"\d\d:\d\d", lines["journal"])
