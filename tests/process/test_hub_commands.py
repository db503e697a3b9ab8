"""``fireside search``, ``fireside pull`` and ``fireside verify`` as a user types them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.fake_hub import TOKEN, FakeHub, Fault, Repo, Where, fake_hub, gguf_bytes
from fakes.gguf_files import Tensor, model_file
from fireside.core.hub import BLOCK_BYTES

REPO = "acme/smol-GGUF"
NAME = "smol-Q4_1.gguf"


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


def usable(n_bytes: int = 0) -> bytes:
    """Return a model that can be used, of at least ``n_bytes``."""
    small = model_file()
    ballast = Tensor("output.weight", (n_bytes // 4 + 64,))
    return replace(small, tensors=(*small.tensors, ballast)).to_bytes()


class Terminal:
    def __init__(self, hub: FakeHub, home: Path) -> None:
        self.home = home
        self.environment = {
            **os.environ,
            "FIRESIDE_HOME": str(home),
            "FIRESIDE_HUB_ENDPOINT": hub.endpoint,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "fireside", *arguments],
            env={**self.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def type(self, *arguments: str, **variables: str) -> tuple[int, str]:
        process = self.start(*arguments, **variables)
        _, output = process.communicate(timeout=60)
        return process.returncode, output

    @property
    def models(self) -> Path:
        return self.home / "data" / "models"


@pytest.fixture
def terminal(hub: FakeHub, tmp_path: Path) -> Terminal:
    return Terminal(hub, tmp_path / "home")


def test_a_search_lists_what_can_be_pulled(hub: FakeHub, terminal: Terminal) -> None:
    hub.repos[REPO] = Repo(files={NAME: gguf_bytes(1000)}, n_likes=3)
    hub.repos["acme/other-GGUF"] = Repo(files={NAME: gguf_bytes(1000)})
    process = terminal.start("search", "smol", "--sort", "likes")
    table, output = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert [line.split()[0] for line in table.splitlines()] == ["MODEL", REPO]
    assert f"fireside pull {REPO}" in output
    assert terminal.type("search", "nothing-like-it") == (
        1,
        "No results on Hugging Face. Try fewer words.\n",
    )


def test_a_model_is_fetched_checked_damaged_and_mended(
    hub: FakeHub, terminal: Terminal, starter_model_path: Path
) -> None:
    content = starter_model_path.read_bytes()
    hub.repos[REPO] = Repo(files={NAME: content})
    status, output = terminal.type("pull", REPO)
    assert status == 0, output
    assert "Chat with: fireside run" in output
    target = terminal.models / REPO / NAME
    assert target.read_bytes() == content

    with target.open("r+b") as file:
        file.seek(BLOCK_BYTES + 5)
        file.write(b"?????")
    status, output = terminal.type("verify", str(target))
    assert (status, "damaged, 1 of 12 parts" in output) == (1, True), output

    hub.seen.clear()
    status, output = terminal.type("verify", str(target), "--repair")
    assert (status, "repaired" in output) == (0, True), output
    assert target.read_bytes() == content
    assert hub.n_content_bytes == BLOCK_BYTES


def test_a_truncated_download_is_mended_by_its_name(hub: FakeHub, terminal: Terminal) -> None:
    content = usable(100_000)
    hub.repos[REPO] = Repo(files={NAME: content})
    assert terminal.type("pull", REPO)[0] == 0
    target = terminal.models / REPO / NAME
    target.write_bytes(content[:100])
    status, output = terminal.type("verify", f"{REPO}:Q4_1", "--repair")
    assert (status, "repaired" in output) == (0, True), output
    assert target.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt goes to a whole console there")
def test_an_interrupt_pauses_and_the_same_command_goes_on(hub: FakeHub, terminal: Terminal) -> None:
    content = usable(2 * BLOCK_BYTES + BLOCK_BYTES // 2)
    hub.repos[REPO] = Repo(files={NAME: content})
    hub.plan(Fault.STALL, after=2 * BLOCK_BYTES + 100)
    process = terminal.start("pull", REPO)
    assert hub.stalled.wait(30)
    journal = terminal.models / REPO / f"{NAME}.part.journal"
    while journal.read_bytes().count(b"\n") < 3:  # its head, and a line for each block that is written
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"Resume with: fireside pull {REPO}" in output
    assert journal.exists()
    hub.seen.clear()
    status, output = terminal.type("pull", REPO)
    assert status == 0, output
    assert "Resuming at 80%" in output
    assert hub.n_content_bytes == len(content) - 2 * BLOCK_BYTES
    assert (terminal.models / REPO / NAME).read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt goes to a whole console there")
@pytest.mark.parametrize("where", [Where.API, Where.HEAD])
def test_an_interrupt_ends_the_command_cleanly_at_any_moment(
    hub: FakeHub, terminal: Terminal, where: Where
) -> None:
    hub.repos[REPO] = Repo(files={NAME: usable()})
    hub.plan(Fault.SLOW_HEADERS, where=where)
    process = terminal.start("pull", REPO)
    assert hub.stalled.wait(30)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Paused" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=30)
    assert process.returncode == 130, output
    assert "Task was destroyed" not in output
    assert "Traceback" not in output


def test_what_is_here_is_not_fetched_again(hub: FakeHub, terminal: Terminal) -> None:
    hub.repos[REPO] = hub.repos["other/copy-GGUF"] = Repo(files={NAME: usable()})
    status, output = terminal.type("pull", REPO)
    assert status == 0, output
    hub.seen.clear()
    status, output = terminal.type("pull", "other/copy-GGUF")
    assert status == 0
    assert f"Already on this computer: {terminal.models / REPO / NAME}" in output
    assert hub.n_content_bytes == 0


def test_a_file_that_is_whole_and_cannot_be_used_is_no_success(hub: FakeHub, terminal: Terminal) -> None:
    hub.repos[REPO] = Repo(files={NAME: gguf_bytes(1000)})
    status, output = terminal.type("pull", REPO)
    assert status == 1
    assert "It cannot be used: " in output


def test_a_search_says_that_there_is_more(hub: FakeHub, terminal: Terminal) -> None:
    for number in range(40):
        hub.repos[f"acme/smol-{number}-GGUF"] = Repo(files={NAME: gguf_bytes(1000)})
    assert "There are more." in terminal.type("search", "smol")[1]


@pytest.mark.parametrize(
    ("arguments", "variables", "expected"),
    [
        (("pull", "acme/none"), {}, "“acme/none” was not found on Hugging Face"),
        (("pull", "acme/gated"), {}, "accept its terms"),
        (("pull", REPO), {"FIRESIDE_HUB_OFFLINE": "true"}, "Offline mode is on"),
        (("search", "x"), {"FIRESIDE_HUB_OFFLINE": "true"}, "Offline mode is on"),
        (("pull", REPO), {"FIRESIDE_HUB_ENDPOINT": "nowhere"}, "is not a URL"),
        (("pull", f"{REPO}:Q9"), {}, "Available: Q4_1"),
        (("pull", "what is this"), {}, "is not a model on Hugging Face"),
        (("verify", "nothing"), {}, "No model called “nothing”"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    hub: FakeHub, terminal: Terminal, arguments: tuple[str, ...], variables: dict[str, str], expected: str
) -> None:
    hub.repos[REPO] = Repo(files={NAME: gguf_bytes(1000)})
    hub.repos["acme/gated"] = Repo(files={NAME: gguf_bytes(1000)}, is_gated=True)
    status, output = terminal.type(*arguments, **variables)
    assert status == 1
    assert expected in output
    assert "Traceback" not in output


def test_a_token_from_the_environment_opens_a_gated_model_and_is_not_shown(
    hub: FakeHub, terminal: Terminal
) -> None:
    hub.repos["acme/gated"] = Repo(files={NAME: usable()}, is_gated=True)
    status, output = terminal.type("pull", "acme/gated", HF_TOKEN=TOKEN, HF_ENDPOINT=hub.endpoint)
    assert status == 0, output
    assert TOKEN not in output


def test_a_token_that_is_refused_can_be_left_out(hub: FakeHub, terminal: Terminal) -> None:
    hub.repos[REPO] = Repo(files={NAME: usable()})
    token = {"HF_TOKEN": "hf_old", "HF_ENDPOINT": hub.endpoint}
    status, output = terminal.type("pull", REPO, **token)
    assert status == 1
    assert "add --no-token" in output
    status, output = terminal.type("pull", REPO, "--no-token", **token)
    assert status == 0, output
