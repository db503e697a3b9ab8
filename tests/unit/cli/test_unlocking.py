"""Commands unlock the data: by the keyring, by the typed passphrase, or they say that it is locked."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.keyrings import WorkingKeyring
from fireside.cli.command_app import unlock
from fireside.core.errors import StorageError
from fireside.main.startup_context import StartupContext, load_context
from fireside.services.data_lock import DataLock, DataPlaces
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets

WORD = "correct horse"


class Scene:
    """A locked data folder, a terminal with somebody who types, and a keyring."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.keyring = WorkingKeyring()
        self.has_terminal = True
        self.typed: list[str] = []
        self.n_asked = 0
        self.secrets = Secrets(
            file=SecretFile(home / "secrets"),
            environ={},
            redaction=Redaction(),
            find_backend=lambda: self.keyring,
        )

    def context(self) -> StartupContext:
        """Return the context of a fresh start."""
        context = load_context({"FIRESIDE_HOME": str(self.home)}, command_line={})
        folder = context.paths.data_folder
        folder.mkdir(parents=True, exist_ok=True)
        places = DataPlaces(folder=folder, databases=(), states=folder / "states", backups=lambda: ())
        context.held.append(DataLock(places, cost=2**14))
        return context

    def read(self, _prompt: str) -> str:
        self.n_asked += 1
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(tmp_path)
    monkeypatch.setattr(getpass, "getpass", scene.read)
    monkeypatch.setattr("sys.stdin", Terminal(lambda: scene.has_terminal))
    monkeypatch.setattr("fireside.main.network.build_secrets", lambda *_, **__: scene.secrets)
    lock = scene.context().lock
    lock.set_up(WORD)
    lock.finish()
    return scene


class Terminal:
    """Standard input, which only says whether it is a terminal."""

    def __init__(self, is_one: Callable[[], bool]) -> None:
        self.isatty = is_one


@pytest.mark.parametrize("n_wrong", [0, 1, 2])
def test_the_right_passphrase_unlocks_also_after_wrong_ones(
    scene: Scene, capsys: pytest.CaptureFixture[str], n_wrong: int
) -> None:
    scene.typed = [*["wrong horse"] * n_wrong, WORD]
    context = scene.context()
    unlock(context)
    assert not context.lock.is_locked
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("This is not the passphrase.") == n_wrong
    assert "horse" not in printed.err


@pytest.mark.parametrize(
    ("typed", "has_terminal", "code", "n_asked"),
    [
        (["wrong horse"] * 3 + [WORD], True, "passphrase_wrong", 3),
        ([], True, "passphrase_needed", 1),
        ([WORD], False, "passphrase_needed", 0),
    ],
    ids=["three wrong", "end of input", "no terminal"],
)
def test_otherwise_it_stays_locked_and_says_why(
    scene: Scene, typed: list[str], has_terminal: bool, code: str, n_asked: int
) -> None:
    scene.typed, scene.has_terminal = typed, has_terminal
    context = scene.context()
    with pytest.raises(StorageError) as raised:
        unlock(context)
    assert raised.value.code == code
    assert scene.n_asked == n_asked
    assert context.lock.is_locked


def test_the_keyring_unlocks_and_nobody_is_asked(scene: Scene) -> None:
    first = scene.context().lock
    first.unlock(WORD)
    asyncio.run(first.remember(scene.secrets))
    scene.has_terminal = False
    context = scene.context()
    unlock(context)
    assert not context.lock.is_locked
    assert scene.n_asked == 0
    scene.keyring.secrets.clear()
    with pytest.raises(StorageError, match="locked"):
        unlock(scene.context())


def test_a_command_that_needs_no_data_asks_nobody(scene: Scene) -> None:
    context = scene.context()
    unlock(context, needs_data=False)
    assert scene.n_asked == 0
    assert context.lock.is_locked


def test_half_encrypted_data_is_not_used(scene: Scene) -> None:
    lock = scene.context().lock
    lock.unlock(WORD)
    lock.begin_removal(WORD)
    scene.typed = [WORD]
    with pytest.raises(StorageError, match="being encrypted"):
        unlock(scene.context())


def test_without_a_passphrase_nothing_happens(scene: Scene) -> None:
    lock = scene.context().lock
    lock.unlock(WORD)
    lock.begin_removal(WORD)
    lock.finish()
    unlock(scene.context())
    assert scene.n_asked == 0
