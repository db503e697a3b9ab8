"""Secrets are kept where they are safe or where the user chose, and nowhere else."""

from __future__ import annotations

import asyncio
import errno
import subprocess
import sys
from pathlib import Path

import keyring.errors
import pytest
import secretstorage.exceptions

from fakes.keyrings import (
    ClingingKeyring,
    GarblingKeyring,
    HangingKeyring,
    LosingKeyring,
    RaisingKeyring,
    WorkingKeyring,
)
from fakes.raised import refuses
from fireside.core.errors import (
    KeyringLocked,
    KeyringUnavailable,
    SettingsUnwritable,
)
from fireside.core.secret_location import SecretLocation
from fireside.settings.keyring_backends import Backend
from fireside.settings.redaction import Redaction
from fireside.settings.secret import Secret
from fireside.settings.secrets import (
    HUB_TOKEN,
    SERVICE,
    KeepIn,
    KeyringTimeouts,
    SecretFile,
    SecretName,
    SecretRequester,
    Secrets,
)

TOKEN = Secret("hf_abcdefghijklmnop1234")
OTHER = Secret("hf_zyxwvutsrqponmlk9876")
SHORT = KeyringTimeouts(background_s=0.05, click_s=0.05)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "secrets-not-encrypted.json"


def _secrets(
    path: Path,
    backend: Backend | None,
    *,
    environ: dict[str, str] | None = None,
    timeouts: KeyringTimeouts | None = None,
) -> Secrets:
    def find_backend() -> Backend:
        if backend is None:
            raise KeyringUnavailable(reason="there is none.")
        return backend

    return Secrets(
        file=SecretFile(path),
        environ=environ or {},
        redaction=Redaction(),
        find_backend=find_backend,
        timeouts=timeouts,
    )


def _keep(secrets: Secrets, secret: Secret, location: KeepIn) -> None:
    asyncio.run(secrets.store(HUB_TOKEN, secret, location=location))


def _find(secrets: Secrets) -> tuple[str, SecretLocation] | None:
    stored = asyncio.run(secrets.find(HUB_TOKEN))
    return None if stored is None else (stored.secret.reveal(), stored.location)


def test_the_keyring_keeps_a_secret_across_runs(path: Path) -> None:
    backend = WorkingKeyring()
    _keep(_secrets(path, backend), TOKEN, SecretLocation.KEYRING)
    assert _find(_secrets(path, backend)) == (TOKEN.reveal(), SecretLocation.KEYRING)


def test_a_secret_in_the_keyring_is_nowhere_else(path: Path) -> None:
    backend = WorkingKeyring()
    _keep(_secrets(path, backend), TOKEN, SecretLocation.KEYRING)
    assert (backend.secrets, path.exists()) == ({(SERVICE, HUB_TOKEN): TOKEN.reveal()}, False)


def test_each_name_has_a_secret_of_its_own(path: Path) -> None:
    async def keep_two_and_find_one() -> str | None:
        secrets = _secrets(path, WorkingKeyring())
        await secrets.store(SecretName("a"), TOKEN, location=SecretLocation.KEYRING)
        await secrets.store(SecretName("b"), OTHER, location=SecretLocation.KEYRING)
        stored = await secrets.find(SecretName("a"))
        return None if stored is None else stored.secret.reveal()

    assert asyncio.run(keep_two_and_find_one()) == TOKEN.reveal()


def test_without_a_keyring_nothing_is_found_and_nothing_fails(path: Path) -> None:
    assert _find(_secrets(path, None)) is None


def test_without_a_keyring_storing_fails_for_another_choice(path: Path) -> None:
    secrets = _secrets(path, None)
    with pytest.raises(KeyringUnavailable):
        _keep(secrets, TOKEN, SecretLocation.KEYRING)
    assert (_find(secrets), path.exists()) == (None, False)


def test_a_secret_of_the_session_ends_with_it(path: Path) -> None:
    secrets = _secrets(path, None)
    _keep(secrets, TOKEN, SecretLocation.SESSION)
    assert (_find(secrets), _find(_secrets(path, None))) == ((TOKEN.reveal(), SecretLocation.SESSION), None)


def test_a_secret_of_the_session_never_asks_the_keyring(path: Path) -> None:
    backend = WorkingKeyring()
    secrets = _secrets(path, backend)
    _keep(secrets, TOKEN, SecretLocation.SESSION)
    _find(secrets)
    assert backend.n_calls == 0


def test_a_secret_in_the_file_comes_back(path: Path) -> None:
    _keep(_secrets(path, None), TOKEN, SecretLocation.FILE)
    assert _find(_secrets(path, None)) == (TOKEN.reveal(), SecretLocation.FILE)


def test_the_file_says_that_it_is_not_encrypted(path: Path) -> None:
    _keep(_secrets(path, None), TOKEN, SecretLocation.FILE)
    assert "not encrypted" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_owner_can_read_the_file(path: Path) -> None:
    _keep(_secrets(path, None), TOKEN, SecretLocation.FILE)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_file_that_others_can_read_is_closed_to_them(path: Path) -> None:
    _keep(_secrets(path, None), TOKEN, SecretLocation.FILE)
    path.chmod(0o644)
    _find(_secrets(path, None))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"secrets": {"hub-token": 1}}', b"\xff"])
def test_a_damaged_file_holds_no_secret(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert _find(_secrets(path, None)) is None


def test_a_full_disk_is_told(path: Path) -> None:
    def full_disk(path: Path, content: bytes, /) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    secrets = Secrets(file=SecretFile(path, write=full_disk), environ={}, redaction=Redaction())
    with pytest.raises(SettingsUnwritable):
        _keep(secrets, TOKEN, SecretLocation.FILE)


def test_the_environment_is_the_last_resort(path: Path) -> None:
    environ = {"HF_TOKEN": f" {TOKEN.reveal()}\n"}
    backend = WorkingKeyring()
    secrets = _secrets(path, backend, environ=environ)
    first = _find(secrets)
    _keep(secrets, OTHER, SecretLocation.KEYRING)
    assert (first, _find(secrets)) == (
        (TOKEN.reveal(), SecretLocation.ENVIRONMENT),
        (OTHER.reveal(), SecretLocation.KEYRING),
    )


def test_an_environment_variable_that_is_no_token_counts_as_none(path: Path) -> None:
    assert _find(_secrets(path, None, environ={"HF_TOKEN": "not a token"})) is None


@pytest.mark.parametrize("first", [SecretLocation.SESSION, SecretLocation.FILE, SecretLocation.KEYRING])
@pytest.mark.parametrize("second", [SecretLocation.SESSION, SecretLocation.FILE, SecretLocation.KEYRING])
def test_the_secret_kept_last_is_found(path: Path, first: KeepIn, second: KeepIn) -> None:
    secrets = _secrets(path, WorkingKeyring())
    _keep(secrets, TOKEN, first)
    _keep(secrets, OTHER, second)
    assert _find(secrets) == (OTHER.reveal(), second)


def test_a_forgotten_secret_is_deleted_everywhere(path: Path) -> None:
    backend = WorkingKeyring()
    secrets = _secrets(path, backend)
    for place in (SecretLocation.KEYRING, SecretLocation.FILE, SecretLocation.SESSION):
        _keep(secrets, TOKEN, place)
    asyncio.run(secrets.forget(HUB_TOKEN))
    assert (_find(secrets), backend.secrets, path.exists()) == (None, {}, False)


def test_forgetting_what_was_never_kept_is_no_error(path: Path) -> None:
    asyncio.run(_secrets(path, WorkingKeyring()).forget(HUB_TOKEN))


def test_forgetting_works_without_a_keyring(path: Path) -> None:
    secrets = _secrets(path, None)
    _keep(secrets, TOKEN, SecretLocation.FILE)
    asyncio.run(secrets.forget(HUB_TOKEN))
    assert _find(secrets) is None


def test_a_keyring_that_does_not_delete_is_detected(path: Path) -> None:
    secrets = _secrets(path, ClingingKeyring())
    _keep(secrets, TOKEN, SecretLocation.KEYRING)
    with refuses("keyring_refused"):
        asyncio.run(secrets.forget(HUB_TOKEN))


@pytest.mark.parametrize("backend", [LosingKeyring(), GarblingKeyring()], ids=["loses", "garbles"])
def test_a_keyring_that_does_not_store_is_detected(path: Path, backend: Backend) -> None:
    with refuses("keyring_refused"):
        _keep(_secrets(path, backend), TOKEN, SecretLocation.KEYRING)


def _dismissed() -> Exception:
    error = keyring.errors.InitError("Failed to create the collection")
    error.__cause__ = secretstorage.exceptions.PromptDismissedException("Prompt dismissed")
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (keyring.errors.KeyringLocked("x"), "keyring_locked"),
        (secretstorage.exceptions.LockedException("x"), "keyring_locked"),
        (_dismissed(), "keyring_locked"),
        (keyring.errors.InitError("x"), "keyring_unavailable"),
        (keyring.errors.NoKeyringError("x"), "keyring_unavailable"),
        (keyring.errors.PasswordSetError("x"), "keyring_refused"),
        (TimeoutError(), "keyring_unavailable"),
        (StopIteration(), "keyring_unavailable"),
        (SystemExit(3), "keyring_unavailable"),
        (MemoryError(), "keyring_unavailable"),
    ],
    ids=repr,
)
def test_whatever_a_keyring_raises_becomes_an_error_of_ours(
    path: Path, error: BaseException, expected: str
) -> None:
    with refuses(expected):
        _keep(_secrets(path, RaisingKeyring(error)), TOKEN, SecretLocation.KEYRING)


def test_an_error_never_repeats_what_the_keyring_said(path: Path) -> None:
    secrets = _secrets(path, RaisingKeyring(RuntimeError(f"could not store {TOKEN.reveal()}")))
    with pytest.raises(KeyringUnavailable) as caught:
        _keep(secrets, TOKEN, SecretLocation.KEYRING)
    assert TOKEN.reveal() not in str(caught.value)


def test_a_locked_keyring_is_reported_if_no_other_location_has_the_secret(path: Path) -> None:
    with pytest.raises(KeyringLocked):
        _find(_secrets(path, RaisingKeyring(keyring.errors.KeyringLocked("x"))))


def test_a_locked_keyring_does_not_hide_the_environment(path: Path) -> None:
    backend = RaisingKeyring(keyring.errors.KeyringLocked("x"))
    assert _find(_secrets(path, backend, environ={"HF_TOKEN": TOKEN.reveal()})) == (
        TOKEN.reveal(),
        SecretLocation.ENVIRONMENT,
    )


def test_a_keyring_that_fails_counts_as_none_when_reading(path: Path) -> None:
    assert _find(_secrets(path, RaisingKeyring(keyring.errors.InitError("x")))) is None


def test_an_unanswered_prompt_counts_as_locked(path: Path) -> None:
    backend = HangingKeyring()
    try:
        with pytest.raises(KeyringLocked):
            _find(_secrets(path, backend, timeouts=SHORT))
    finally:
        backend.answer.set()


async def test_the_loop_runs_on_while_the_keyring_waits(path: Path) -> None:
    backend = HangingKeyring()
    secrets = _secrets(path, backend)
    finding = asyncio.create_task(secrets.find(HUB_TOKEN, requester=SecretRequester.CLICK))
    await asyncio.to_thread(backend.called.wait)
    backend.answer.set()
    assert await finding is None


def test_a_click_waits_longer_than_the_background(path: Path) -> None:
    backend = HangingKeyring()

    async def ask_both() -> str:
        secrets = _secrets(path, backend, timeouts=KeyringTimeouts(background_s=0.02, click_s=60))
        by_click = asyncio.create_task(secrets.find(HUB_TOKEN, requester=SecretRequester.CLICK))
        with pytest.raises(KeyringLocked):
            await secrets.find(HUB_TOKEN, requester=SecretRequester.BACKGROUND)
        state = "waiting" if not by_click.done() else "gave up"
        backend.answer.set()
        await by_click
        return state

    assert asyncio.run(ask_both()) == "waiting"


def test_the_number_of_stuck_calls_is_limited(path: Path) -> None:
    backend = HangingKeyring()

    async def ask_often() -> int:
        secrets = _secrets(path, backend, timeouts=SHORT)
        for _ in range(8):
            with pytest.raises(KeyringLocked):
                await secrets.find(HUB_TOKEN)
        return len(secrets._caller._running)

    try:
        assert asyncio.run(ask_often()) == 4
    finally:
        backend.answer.set()


async def test_a_keyring_that_responds_again_is_used_again(path: Path) -> None:
    backend = HangingKeyring()
    secrets = _secrets(path, backend, timeouts=SHORT)
    for _ in range(5):
        with pytest.raises(KeyringLocked):
            await secrets.find(HUB_TOKEN)
    stuck = set(secrets._caller._running)
    backend.answer.set()
    for thread in stuck:
        await asyncio.to_thread(thread.join)
    assert await secrets.find(HUB_TOKEN) is None


EXIT_WITH_A_STUCK_KEYRING = """
import asyncio, sys, threading
from pathlib import Path
from fireside.core.errors import KeyringLocked
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile
from fireside.settings.secrets import HUB_TOKEN, KeyringTimeouts, Secrets


class Hanging:
    def get_password(self, service, username):
        threading.Event().wait()


async def main():
    secrets = Secrets(
        file=SecretFile(Path(sys.argv[1])),
        environ={},
        redaction=Redaction(),
        find_backend=Hanging,
        timeouts=KeyringTimeouts(background_s=0.05),
    )
    try:
        await secrets.find(HUB_TOKEN)
    except KeyringLocked:
        print("locked")


asyncio.run(main())
"""


def test_a_stuck_keyring_does_not_hold_up_the_exit(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXIT_WITH_A_STUCK_KEYRING, str(path)],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [b"locked"], b"")
