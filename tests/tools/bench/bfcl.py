"""How well a model calls tools here and with llama.cpp's own server: Berkeley's function-calling leaderboard.

Both serve the same model over HTTP, greedily. A case counts where the calls are those of the leaderboard's
answers, in any order; one of ``irrelevance`` counts where nothing is called. What is called is also checked
against the schemas: a call that does not fit one is invalid, whatever it means.

The cases come from the wheel of ``bfcl-eval``, which is read and not installed:
pip download --no-deps bfcl-eval==2026.3.23

Usage: PYTHONPATH=tests python tests/tools/bench/bfcl.py --model FILE --wheel FILE [--cases 25] [--threads N]
    [--categories simple_python multiple parallel irrelevance] [--tool-choice required] [--alone] [--shown]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema

from tools.bench.api import Server, started
from tools.bench.server import PEER_PACKAGES

CATEGORIES = ("simple_python", "multiple", "parallel", "irrelevance")
N_CTX = 8192
_LIMIT_S = 600
_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


class Case(NamedTuple):
    """A question, what may be called, and the calls that are right."""

    id: str
    messages: list[dict[str, str]]
    tools: list[dict[str, Any]]
    expected: list[dict[str, dict[str, list[Any]]]]


class Called(NamedTuple):
    """A call as a server gave it."""

    name: str
    arguments: str


def cases(wheel: Path, category: str, n: int) -> Iterator[Case]:
    """Give ``n`` cases, spread over the whole category."""
    with zipfile.ZipFile(wheel) as opened:
        lines = opened.read(f"bfcl_eval/data/BFCL_v4_{category}.json").decode().splitlines()
        answers: dict[str, Any] = {}
        with contextlib.suppress(KeyError):
            name = f"bfcl_eval/data/possible_answer/BFCL_v4_{category}.json"
            for line in opened.read(name).decode().splitlines():
                answer = json.loads(line)
                answers[answer["id"]] = answer["ground_truth"]
    for line in lines[:: max(1, len(lines) // n)][:n]:
        found = json.loads(line)
        yield Case(
            found["id"],
            found["question"][0],
            [{"type": "function", "function": _function(each)} for each in found["function"]],
            [
                {_OTHER.sub("_", name): given for name, given in call.items()}
                for call in answers.get(found["id"], [])
            ],
        )


def _function(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": _OTHER.sub("_", found["name"]),
        "description": found["description"],
        "parameters": _schema(found["parameters"]),
    }


def _schema(found: Any) -> Any:
    """Return JSON Schema for what the leaderboard writes in Python's words."""
    if not isinstance(found, dict):
        return found
    kept: dict[str, Any] = {}
    for key, value in found.items():
        match key:
            case "type" if value == "any":
                continue
            case "type":
                kept[key] = _TYPES.get(value, value)
            case "properties":
                kept[key] = {name: _schema(each) for name, each in value.items()}
            case "items" | "additionalProperties":
                kept[key] = _schema(value)
            case "required" | "enum" | "description":
                kept[key] = value
    return kept


def is_valid(call: Called, case: Case) -> bool:
    """Whether a call names a tool and fits its schema."""
    schema = next(
        (tool["function"]["parameters"] for tool in case.tools if tool["function"]["name"] == call.name), None
    )
    if schema is None:
        return False
    try:
        jsonschema.validate(json.loads(call.arguments), schema)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


def is_right(calls: Sequence[Called], case: Case) -> bool:
    """Whether the calls are those that are expected, each once, in any order."""
    left = list(case.expected)
    for call in calls:
        try:
            arguments = json.loads(call.arguments)
        except ValueError:
            return False
        found = next((each for each in left if _fits(call.name, arguments, each)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _fits(name: str, arguments: Any, expected: dict[str, dict[str, list[Any]]]) -> bool:
    if name not in expected or not isinstance(arguments, dict):
        return False
    wanted = expected[name]
    if any(key not in wanted for key in arguments):
        return False
    return all(
        any(_same(arguments[key], one) for one in values) if key in arguments else "" in values
        for key, values in wanted.items()
    )


def _same(given: Any, wanted: Any) -> bool:
    match given, wanted:
        case str(), str():
            return _plain(given) == _plain(wanted)
        case bool(), _:
            return given is wanted
        case ((int() | float()), (int() | float())):
            return not isinstance(wanted, bool) and float(given) == float(wanted)
        case list(), list():
            return len(given) == len(wanted) and all(map(_same, given, wanted))
        case dict(), dict():
            # Within an object each value is a list of those that are right.
            return all(
                any(_same(given[key], one) for one in values) if key in given else "" in values
                for key, values in wanted.items()
            ) and all(key in wanted for key in given)
        case _:
            return bool(given == wanted)


def _plain(text: str) -> str:
    return re.sub(r"[ ,./\-_*^]", "", text).casefold().replace("'", '"')


def ask(server: Server, case: Case, *, model: str, tool_choice: str) -> tuple[list[Called], str]:
    """Return what a model calls, and what it says besides."""
    body = {
        "model": model,
        "messages": case.messages,
        "tools": case.tools,
        "tool_choice": tool_choice,
        "parallel_tool_calls": True,
        "temperature": 0,
        "max_tokens": 400,
    }
    request = urllib.request.Request(
        f"{server.address}/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=_LIMIT_S) as response:
        message = json.load(response)["choices"][0]["message"]
    calls = message.get("tool_calls") or []
    called = [Called(call["function"]["name"], call["function"]["arguments"]) for call in calls]
    return called, message.get("content") or ""


def ours(model: Path, home: Path, threads: int) -> contextlib.AbstractContextManager[Server]:
    folder = home / "data" / "models"
    folder.mkdir(parents=True)
    (folder / model.name).symlink_to(model)
    environment = {
        **os.environ,
        "FIRESIDE_HOME": str(home),
        "FIRESIDE_LOAD_N_CTX": str(N_CTX),
        "FIRESIDE_LOAD_N_THREADS": str(threads),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    return started(
        [sys.executable, "-P", "-m", "fireside", "serve", "--no-token", "--port", "0"], environment
    )


def theirs(model: Path, threads: int) -> contextlib.AbstractContextManager[Server]:
    script = Path(__file__).with_name("peers") / "xllamacpp_http.py"
    command = [sys.executable, str(script), str(model), str(N_CTX), "1", str(threads)]
    return started(command, {**os.environ, "PYTHONPATH": str(PEER_PACKAGES)})


def main() -> None:
    """Print each category of each server."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=25)
    parser.add_argument("--categories", nargs="+", default=CATEGORIES, choices=CATEGORIES)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--tool-choice", default="auto", choices=("auto", "required"))
    parser.add_argument("--alone", action="store_true", help="without the peer")
    parser.add_argument("--shown", action="store_true", help="print the calls that are not right")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = {"fireside": stack.enter_context(ours(arguments.model, home, arguments.threads))}
        if not arguments.alone:
            servers["xllamacpp"] = stack.enter_context(theirs(arguments.model, arguments.threads))
        names = {name: _model_name(server, arguments.model) for name, server in servers.items()}
        for category in arguments.categories:
            chosen = list(cases(arguments.wheel, category, arguments.cases))
            for name, server in servers.items():
                _report(
                    name,
                    server,
                    category,
                    chosen,
                    model=names[name],
                    tool_choice=arguments.tool_choice,
                    shown=arguments.shown,
                )


def _model_name(server: Server, file: Path) -> str:
    with urllib.request.urlopen(f"{server.address}/v1/models", timeout=60) as response:
        names = [str(model["id"]) for model in json.load(response)["data"]]
    return next(name for name in names if file.stem.casefold() in Path(name).name.casefold())


def _report(
    name: str,
    server: Server,
    category: str,
    chosen: Sequence[Case],
    *,
    model: str,
    tool_choice: str,
    shown: bool,
) -> None:
    n_right = n_calls = n_valid = n_failed = 0
    began = time.perf_counter()
    for case in chosen:
        try:
            calls, said = ask(server, case, model=model, tool_choice=tool_choice)
        except urllib.error.HTTPError as exc:
            n_failed += 1
            sys.stdout.write(f"  {name} {case.id}: {exc.code} {exc.read()[:300]!r}\n")
            continue
        except TimeoutError:
            n_failed += 1
            sys.stdout.write(f"  {name} {case.id}: no answer within {_LIMIT_S} s\n")
            continue
        right = is_right(calls, case)
        n_right += right
        n_calls += len(calls)
        n_valid += sum(is_valid(call, case) for call in calls)
        if shown and not right:
            sys.stdout.write(f"  {name} {case.id}: {calls} {said!r} not {case.expected}\n")
    sys.stdout.write(
        f"{category:14} {name:10} right {n_right:3} of {len(chosen)}, valid {n_valid:3} of {n_calls} calls, "
        f"failed {n_failed}, {time.perf_counter() - began:.0f} s\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
