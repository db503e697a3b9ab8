"""Every file of a folder in which the program was used, damaged in many ways: it starts, and loses nothing.

The real services of the window, the terminal and the server read and write the files; the processes
themselves are started once each, with all files damaged at the same time.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.serving import environment_in, serving
from fakes.terminal import FIRESIDE
from fakes.used_home import STARTER, context_of, use_program
from fireside.core.events import Snapshot
from fireside.engine.runtimes.runtime_history import read_history
from fireside.engine.tuning.records import TuningRecords
from fireside.files.json_file import DAMAGED_MARK, kept_files
from fireside.main.build import Persistence, build_app
from fireside.services.machine.read_speeds import ReadSpeeds
from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens
from fireside.settings.secrets import SecretFile
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState, load_state, save_state

KEPT = (
    "config/settings.json",
    "data/api-tokens.json",
    "data/downloads.json",
    "data/engines.json",
    "data/library-move.json",
    "data/library.json",
    "data/mcp.json",
    "data/model-ids.json",
    "data/secrets-not-encrypted.json",
)
"""What the user made or would miss."""
CACHES = (
    "cache/models.contents.json",
    "cache/models.json",
    "config/settings.json.backup",
    "config/state.json",
    "data/runtimes/runtimes.json",
    "data/speeds.json",
    "data/tunings.json",
)
"""What is made anew."""

Damage = Callable[[Path], None]


def with_bytes(change: Callable[[bytes], bytes]) -> Damage:
    def damage(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return damage


def with_values(change: Callable[[Any], Any]) -> Damage:
    """Change each value that is no list and no object, and lists and objects before what is in them."""

    def changed(value: Any) -> Any:
        value = change(value)
        if isinstance(value, dict):
            return {name: changed(each) for name, each in value.items()}
        return [changed(each) for each in value] if isinstance(value, list) else value

    return with_bytes(lambda content: json.dumps(changed(json.loads(content))).encode())


def number(new: float) -> Damage:
    return with_values(
        lambda value: new if isinstance(value, int | float) and not isinstance(value, bool) else value
    )


def text(new: str) -> Damage:
    return with_values(lambda value: new if isinstance(value, str) else value)


def replaced(make: Callable[[Path], object]) -> Damage:
    def damage(path: Path) -> None:
        path.unlink()
        make(path)

    return damage


def _before_last_quote(content: bytes) -> bytes:
    begin, _, end = content.rpartition(b'"')
    return begin + b'\xff"' + end


DAMAGES: dict[str, Damage] = {
    "a byte that is no UTF-8": with_bytes(lambda content: content.replace(b'"', b'"\xff', 3)),
    "a byte that is no UTF-8 in a value": with_bytes(_before_last_quote),
    "empty": with_bytes(lambda _: b""),
    "blank": with_bytes(lambda _: b" \n"),
    "cut in half": with_bytes(lambda content: content[: len(content) // 2]),
    "without its last bytes": with_bytes(lambda content: content.rstrip()[:-1]),
    "twice": with_bytes(lambda content: content + content),
    "zeros": with_bytes(lambda content: bytes(len(content))),
    "UTF-16": with_bytes(lambda content: content.decode().encode("utf-16")),
    "with a byte-order mark": with_bytes(lambda content: b"\xef\xbb\xbf" + content),
    "huge": with_bytes(lambda _: b'{"x": "' + b"x" * 5_000_000 + b'"}'),
    "deep": with_bytes(lambda _: b'{"x":' * 100_000),
    "deep lists": with_bytes(lambda _: b"[" * 100_000 + b"]" * 100_000),
    "null": with_bytes(lambda _: b"null"),
    "a list": with_bytes(lambda _: b"[]"),
    "an object": with_bytes(lambda _: b"{}"),
    "a list of numbers": with_bytes(lambda _: b"[1, 2, 3]"),
    "a text": with_bytes(lambda _: b'"text"'),
    "no zeros": number(0),
    "negative numbers": number(-1),
    "huge numbers": number(2**53),
    "fractions": number(0.5),
    "empty texts": text(""),
    "texts with NUL": text("\0"),
    "texts with line ends and marks": text("a\r\n\u202eb\u2028"),
    "long texts": text("x" * 5_000),
    "paths out": text("../../../etc"),
    "no values": with_values(lambda value: value if isinstance(value, dict | list) else None),
    "empty lists": with_values(lambda value: [] if isinstance(value, list) else value),
    "empty objects": with_values(lambda value: {} if value == {} or not isinstance(value, dict) else value),
    "a folder": replaced(lambda path: path.joinpath("mine").mkdir(parents=True)),
}
if sys.platform != "win32":
    DAMAGES |= {
        "not permitted": lambda path: path.chmod(0),
        "a link to nothing": replaced(lambda path: path.symlink_to(path.with_name("nothing"))),
        "a link to itself": replaced(lambda path: path.symlink_to(path)),
        "a pipe": replaced(os.mkfifo),
        "a device without end": replaced(lambda path: path.symlink_to("/dev/zero")),
    }
PROCESS_DAMAGE = "a byte that is no UTF-8"


@pytest.fixture(scope="module")
def used_home(starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("used")
    use_program(home)
    present = {path.relative_to(home).as_posix() for path in home.rglob("*.json*") if path.is_file()}
    assert present == {*KEPT, *CACHES}
    return home


async def use(home: Path, persistence: Persistence) -> Snapshot:
    """Start the program's services, read from each and write by each, and return what a window shows."""
    context = context_of(home)
    app = await build_app(context, emit=lambda _: None, persistence=persistence, with_engines=True)
    data = context.paths.data_folder
    tokens = ApiTokens(data / "api-tokens.json", on_damaged=context.problems.add)
    tokens.all()
    try:
        await app.snapshot()
        await app.tool_servers.servers()
        await app.engines.engines()
        SecretFile(context.paths.secrets_file, on_damaged=context.problems.add).read("hub-token")
        await ReadSpeeds(data / "speeds.json", probe=lambda: 1e10).speeds()
        read_history(context.paths.runtimes_folder)
        TuningRecords(data / "tunings.json").get(STARTER)
        load_state(context.paths.state_file)
        if persistence is Persistence.AS_OWNER:
            await app.preferences.change(AppLayer(), key="load.n_ctx", value=4096)
            await app.models.set_tags(STARTER, tags=["again"])
            await app.models.set_favourite(STARTER, favourite=True)
            tokens.add("another", USUAL_SCOPES)
            save_state(context.paths.state_file, WindowState(geometry=b"there"))
        return await app.snapshot()
    finally:
        await app.close()


def check(home: Path, names: tuple[str, ...], damage: Damage) -> None:
    damaged: dict[str, bytes | None] = {}
    for name in names:
        damage(home / name)
        is_readable = (home / name).is_file() and os.access(home / name, os.R_OK)
        damaged[name] = (home / name).read_bytes() if is_readable else None
    seen = asyncio.run(use(home, Persistence.AS_OWNER))
    assert not [warning.sentence for warning in seen.warnings if warning.code == "service_failed"]
    assert seen.problem is None
    assert [entry.file_name for entry in seen.models if entry.can_chat] == ["SmolLM2-135M-Instruct.Q4_1.gguf"]
    assert [draft.text for draft in seen.new_drafts] == ["not yet sent"]
    for name, content in damaged.items():
        path = home / name
        told = [warning.sentence for warning in seen.warnings if str(path) in warning.sentence]
        kept = [each for each in kept_files(path.parent) if each.name.startswith(path.name + DAMAGED_MARK)]
        if name in KEPT:
            # Where nothing is set aside the content could be used, or there was none.
            assert not kept or content is None or kept[0].read_bytes() == content
            assert told or not kept, f"{path.name} is set aside without a word"
        else:
            assert not told, "a cache is made anew without a word"
    asyncio.run(use(home, Persistence.NOTHING))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_of_all_files_is_survived(used_home: Path, own_home: Path, damage: Damage) -> None:
    home = own_home / "fireside"
    shutil.copytree(used_home, home)
    check(home, (*KEPT, *CACHES), damage)


@pytest.mark.parametrize("name", [*KEPT, *CACHES])
def test_damage_of_one_file_is_survived(used_home: Path, own_home: Path, name: str) -> None:
    """It alone, since what it breaks may be hidden by what others break before."""
    for label in ("a byte that is no UTF-8", "no values", "texts with NUL", "a folder"):
        home = own_home / label
        shutil.copytree(used_home, home)
        check(home, (name,), DAMAGES[label])


def test_the_terminal_and_the_server_say_what_was_set_aside(used_home: Path, own_home: Path) -> None:
    """Once, a line a file, and on stderr, since the output is for programs."""
    for arguments in (("list",), ("api-token", "list")):
        home = own_home / "fireside"
        shutil.copytree(used_home, home)
        for name in KEPT:
            DAMAGES["a byte that is no UTF-8"](home / name)
        ended = subprocess.run(
            [*FIRESIDE, *arguments], env=environment_in(own_home), capture_output=True, text=True, check=False
        )
        assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr
        lines = [line for line in ended.stderr.splitlines() if DAMAGED_MARK in line]
        assert len(lines) == len({*lines}) > 0
        shutil.rmtree(home)
    shutil.copytree(used_home, own_home / "fireside")
    for name in KEPT:
        DAMAGES["a byte that is no UTF-8"](own_home / "fireside" / name)
    with serving(own_home, "--no-token") as server:
        assert server.ask("/v1/models")["data"]
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=20)
    assert f"library.json{DAMAGED_MARK}" in said
