"""Only a keyring that keeps secrets is used, whatever the surroundings say."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import keyring.backend
import keyring.core
import pytest

from fakes.keyrings import WorkingKeyring
from fireside.core.errors import KeyringUnavailable
from fireside.settings.keyring_backends import (
    AllowedBackend,
    allowed_backends,
    chosen_backend,
    find_backend,
)


class Weak(WorkingKeyring):
    priority = 1


class Strong(WorkingKeyring):
    priority = 5


class _NoService:
    def __get__(self, instance: object, owner: type) -> float:
        raise RuntimeError("The service does not answer")


class Absent(WorkingKeyring):
    priority = _NoService()


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of backends that may be allowed by name."""
    fake = ModuleType("keyrings_of_a_test")
    for backend in (Weak, Strong, Absent):
        setattr(fake, backend.__name__, backend)
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    return fake.__name__


def _allowed(module: str, *names: str) -> tuple[AllowedBackend, ...]:
    return tuple(AllowedBackend(module=module, cls=name) for name in names)


def test_the_backend_of_the_highest_priority_is_used(module: str) -> None:
    assert isinstance(find_backend(chosen=None, allowed=_allowed(module, "Weak", "Strong")), Strong)


def test_a_backend_whose_service_does_not_answer_is_passed_over(module: str) -> None:
    assert isinstance(find_backend(chosen=None, allowed=_allowed(module, "Absent", "Weak")), Weak)


def test_a_chosen_backend_is_used_if_it_is_allowed(module: str) -> None:
    backend = find_backend(chosen=f"{module}.Weak", allowed=_allowed(module, "Weak", "Strong"))
    assert isinstance(backend, Weak)


@pytest.mark.parametrize("exists", [False, True])
def test_a_keyring_that_does_not_exist_is_not_created_to_look_into_it(
    monkeypatch: pytest.MonkeyPatch, exists: bool
) -> None:
    class ItemNotFoundException(Exception):
        pass

    def collection(_connection: io.StringIO) -> None:
        if not exists:
            raise ItemNotFoundException

    secret_service = ModuleType("keyring.backends.SecretService")
    secret_service.Keyring = Strong  # type: ignore[attr-defined]
    storage = ModuleType("secretstorage")
    for name, value in (
        ("dbus_init", io.StringIO),
        ("Collection", collection),
        ("ItemNotFoundException", ItemNotFoundException),
    ):
        setattr(storage, name, value)
    monkeypatch.setitem(sys.modules, secret_service.__name__, secret_service)
    monkeypatch.setitem(sys.modules, storage.__name__, storage)
    backend = find_backend(chosen=None, allowed=_allowed(secret_service.__name__, "Keyring"))
    backend.set_password("Fireside", "token", "secret")
    assert backend.get_password("Fireside", "token") == ("secret" if exists else None)


def test_no_backend_that_works_is_no_keyring(module: str) -> None:
    with pytest.raises(KeyringUnavailable, match="no keyring service is running"):
        find_backend(chosen=None, allowed=_allowed(module, "Absent", "Missing"))


@pytest.mark.parametrize(
    "chosen",
    [
        "keyring.backends.fail.Keyring",
        "keyring.backends.null.Keyring",
        "keyring.backends.chainer.ChainerBackend",
        "keyrings.alt.file.PlaintextKeyring",
        "no.such.Backend",
        "bogus",
    ],
)
def test_a_chosen_backend_that_keeps_no_secrets_is_refused_by_name(chosen: str) -> None:
    with pytest.raises(KeyringUnavailable) as caught:
        find_backend(chosen=chosen)
    assert chosen in str(caught.value)


def test_a_refused_backend_is_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loud_backend.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(KeyringUnavailable):
        find_backend(chosen="loud_backend.Keyring")


def test_a_plaintext_backend_is_not_chosen_without_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    class PlaintextKeyring(keyring.backend.KeyringBackend):
        priority = 9

        def get_password(self, service: str, username: str) -> str | None:
            return None

        def set_password(self, service: str, username: str, password: str) -> None:
            pytest.fail("A plaintext backend was given a secret.")

    try:
        with pytest.raises(KeyringUnavailable):
            find_backend(chosen=None)
    finally:
        keyring.backend.KeyringBackend._classes.discard(PlaintextKeyring)


def test_every_system_allows_only_its_own_keyrings() -> None:
    names = {backend.name for system in ("linux", "win32", "darwin") for backend in allowed_backends(system)}
    assert names == {
        "keyring.backends.SecretService.Keyring",
        "keyring.backends.libsecret.Keyring",
        "keyring.backends.kwallet.DBusKeyring",
        "keyring.backends.macOS.Keyring",
        "keyring.backends.Windows.WinVaultKeyring",
    }


def test_every_allowed_backend_is_where_keyring_has_it() -> None:
    for system in ("linux", "win32", "darwin"):
        for backend in allowed_backends(system):
            module = __import__(backend.module, fromlist=[backend.cls])
            assert issubclass(getattr(module, backend.cls), keyring.backend.KeyringBackend)


def test_nothing_global_is_touched() -> None:
    before = (keyring.core._keyring_backend, keyring.backend._limit, list(sys.path), dict(os.environ))
    with pytest.raises(KeyringUnavailable):
        find_backend(chosen=None)
    after = (keyring.core._keyring_backend, keyring.backend._limit, list(sys.path), dict(os.environ))
    assert after == before


def test_the_environment_chooses_before_the_file(tmp_path: Path) -> None:
    config = tmp_path / "keyringrc.cfg"
    config.write_text("[backend]\ndefault-keyring=from.file\n", encoding="utf-8")
    assert [
        chosen_backend(environ, config_file=config)
        for environ in ({"PYTHON_KEYRING_BACKEND": "from.environ"}, {"PYTHON_KEYRING_BACKEND": ""}, {})
    ] == ["from.environ", "from.file", "from.file"]


def test_a_configuration_file_runs_no_code(tmp_path: Path) -> None:
    config = tmp_path / "keyringrc.cfg"
    config.write_text(f"[backend]\nkeyring-path={tmp_path}\ndefault-keyring=x.Y\n", encoding="utf-8")
    chosen_backend({}, config_file=config)
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    "content", [b"", b"no section", b"[backend]", b"\xff\xfe", b"[backend]\ndefault-keyring=\n"]
)
def test_a_configuration_file_that_says_nothing_chooses_nothing(tmp_path: Path, content: bytes) -> None:
    config = tmp_path / "keyringrc.cfg"
    config.write_bytes(content)
    assert chosen_backend({}, config_file=config) is None


# The real thing: a daemon of our own on a bus of our own.

needs_a_daemon = pytest.mark.skipif(
    not (shutil.which("dbus-daemon") and shutil.which("gnome-keyring-daemon")),
    reason="needs dbus-daemon and gnome-keyring-daemon",
)


# No service folder: nothing is started that a test did not start.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <policy context="default">
    <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
  </policy>
</busconfig>
"""


@pytest.fixture
def session_bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A bus of this test's own, with no service on it."""
    config = tmp_path / "bus.conf"
    config.write_text(BUS.format(folder=os.environ["XDG_RUNTIME_DIR"]), encoding="utf-8")
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1", "--nosyslog"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as bus:
        assert bus.stdout is not None
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().decode().strip())
        try:
            yield
        finally:
            bus.terminate()


def _start_daemon(password: bytes | None) -> subprocess.Popen[bytes]:
    """Start a keyring daemon and wait until it has said so; with a password its keyring is open."""
    command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
    command += [] if password is None else ["--unlock"]
    daemon = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    daemon.stdin.write(password or b"")
    daemon.stdin.close()
    daemon.stdout.readline()
    return daemon


@pytest.fixture
def open_keyring(session_bus: None) -> Iterator[None]:
    with _start_daemon(b"a password") as daemon:
        try:
            yield
        finally:
            daemon.terminate()


# In a process of its own: where the keyring is locked, keyring leaves its connection to the garbage
# collector, and where it hangs, the exit shall be seen to be clean.
REAL_KEYRING = """
import asyncio, sys
from pathlib import Path
from fireside.core.secret_location import SecretLocation
from fireside.core.errors import SecretsError
from fireside.settings.keyring_backends import system_backend
from fireside.settings.redaction import Redaction
from fireside.settings.secret import Secret
from fireside.settings.secrets import SecretFile
from fireside.settings.secrets import HUB_TOKEN, KeyringTimeouts, Secrets


async def main():
    secrets = Secrets(
        file=SecretFile(Path(sys.argv[1])),
        environ={},
        redaction=Redaction(),
        find_backend=system_backend({}),
        timeouts=KeyringTimeouts(background_s=float(sys.argv[2])),
    )
    for step in sys.argv[3:]:
        try:
            if step == "keep":
                secret = Secret("hf_realkeyring12345678")
                await secrets.store(HUB_TOKEN, secret, location=SecretLocation.KEYRING)
                print("kept")
            elif step == "forget":
                await secrets.forget(HUB_TOKEN)
                print("forgotten")
            else:
                found = await secrets.find(HUB_TOKEN)
                print("none" if found is None else found.secret.reveal() + "@" + found.location)
        except SecretsError as exc:
            print(exc.code)


asyncio.run(main())
"""


def _ask_real_keyring(folder: Path, *steps: str, patience_s: float = 30.0) -> list[str]:
    """Return what each step came to, in a process that has to end by itself."""
    done = subprocess.run(
        [sys.executable, "-c", REAL_KEYRING, str(folder / "secrets.json"), str(patience_s), *steps],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@needs_a_daemon
@pytest.mark.usefixtures("open_keyring")
def test_a_real_keyring_keeps_finds_and_forgets(tmp_path: Path) -> None:
    steps = ("find", "keep", "find", "forget", "find")
    assert _ask_real_keyring(tmp_path, *steps) == [
        "none",
        "kept",
        "hf_realkeyring12345678@keyring",
        "forgotten",
        "none",
    ]


@needs_a_daemon
@pytest.mark.usefixtures("session_bus")
def test_a_real_bus_without_a_keyring_is_no_keyring(tmp_path: Path) -> None:
    assert _ask_real_keyring(tmp_path, "find", "keep") == ["none", "keyring_unavailable"]


@pytest.fixture
def new_keyring(session_bus: None) -> Iterator[None]:
    """A daemon on a machine where no keyring was made yet, and no user to ask for its password."""
    with _start_daemon(None) as daemon:
        try:
            yield
        finally:
            daemon.terminate()


@needs_a_daemon
@pytest.mark.usefixtures("new_keyring")
def test_a_real_daemon_asks_for_the_password_of_a_new_keyring_only_to_keep_something(tmp_path: Path) -> None:
    assert _ask_real_keyring(tmp_path, "find", "keep") == ["none", "keyring_locked"]


@pytest.fixture
def closed_keyring(session_bus: None) -> Iterator[None]:
    """A daemon whose keyring has a password that no user is there to type."""
    with _start_daemon(b"a password") as daemon:
        daemon.terminate()
    with _start_daemon(None) as daemon:
        try:
            yield
        finally:
            daemon.terminate()


@needs_a_daemon
@pytest.mark.usefixtures("closed_keyring")
def test_a_real_locked_keyring_says_so(tmp_path: Path) -> None:
    assert _ask_real_keyring(tmp_path, "keep") == ["keyring_locked"]


SILENT_SERVICE = """
import threading
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
with open_dbus_connection() as connection:
    connection.send_and_get_reply(new_method_call(bus, "RequestName", "su", ("org.freedesktop.secrets", 4)))
    print("here", flush=True)
    threading.Event().wait()
"""


@pytest.fixture
def silent_service(session_bus: None) -> Iterator[None]:
    """Something that calls itself a keyring and never answers."""
    with subprocess.Popen([sys.executable, "-c", SILENT_SERVICE], stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        service.stdout.readline()
        try:
            yield
        finally:
            service.kill()


@needs_a_daemon
@pytest.mark.usefixtures("silent_service")
def test_a_real_service_that_never_answers_counts_as_locked(tmp_path: Path) -> None:
    assert _ask_real_keyring(tmp_path, "find", patience_s=0.5) == ["keyring_locked"]
