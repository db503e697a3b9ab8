"""The Debian packages in a bare Debian. `make test-installers`, as root, with debootstrap."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from provision.layout import find_layout

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
GREEDY = ("--set", "sampling.temperature=0")
MIRROR = "http://deb.debian.org/debian"
USER = "anna"
ANSWER_S = 120.0
NEWER = "9.0"
SBIN = "/usr/sbin:/usr/bin:/sbin:/bin"
SETTINGS = """{"version": 1, "settings": {
    "appearance.theme": "dark", "sampling.temperature": 0.0, "sampling.max_tokens": 24
}}"""

pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.skipif(
        sys.platform == "win32" or os.geteuid() != 0 or shutil.which("debootstrap") is None,
        reason="needs root and debootstrap",
    ),
    pytest.mark.timeout(900),
]


class Debian:
    """A Debian in a folder, with one user."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home" / USER

    def run(self, *arguments: str, user: str = "root", **variables: str) -> str:
        """Return what a command prints. It must succeed."""
        home = "/root" if user == "root" else f"/home/{user}"
        environment = {"HOME": home, "PATH": SBIN, "LANG": "C.UTF-8", **variables}
        done = subprocess.run(
            ["chroot", f"--userspec={user}", self.root, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def install(self, *packages: Path) -> None:
        """Let apt install package files, with what they depend on and nothing that they only recommend."""
        for package in packages:
            shutil.copyfile(package, self.root / "tmp" / package.name)
        names = [f"/tmp/{package.name}" for package in packages]
        self.run(
            "apt-get", "install", "-y", "--no-install-recommends", *names, DEBIAN_FRONTEND="noninteractive"
        )

    def files(self) -> dict[str, tuple[int, int]]:
        """Return size and time of everything in the program's folder."""
        top = self.root / "opt"
        return {str(p): (p.lstat().st_size, p.lstat().st_mtime_ns) for p in top.rglob("*")}


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    """A bare Debian with a user. What debootstrap made is kept beside the other things of set-up."""
    suite = request.param
    cached = find_layout().cache / "debian" / f"{suite}.tar"
    folder = tmp_path_factory.mktemp(suite)
    folder.parent.chmod(0o755)
    folder.chmod(0o755)
    if cached.exists():
        subprocess.run(["tar", "-xf", cached, "-C", folder], check=True)
    else:
        arguments = ["debootstrap", "--variant=minbase", suite, folder, MIRROR]
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        cached.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-cf", cached.with_suffix(".part"), "-C", folder, "."], check=True)
        cached.with_suffix(".part").replace(cached)
    one = Debian(folder)
    mounted = ["proc", "dev", "tmp/.X11-unix"]
    (folder / "tmp" / ".X11-unix").mkdir(exist_ok=True)
    try:
        for name in mounted:
            subprocess.run(["mount", "--bind", f"/{name}", folder / name], check=True)
        shutil.copyfile("/etc/resolv.conf", folder / "etc" / "resolv.conf")
        one.run("apt-get", "update")
        one.run("useradd", "--create-home", USER)
        yield one
    finally:
        for name in mounted:
            subprocess.run(["umount", "--lazy", folder / name], check=False)


def packages() -> tuple[Path, Path]:
    (program,) = Path(INSTALLERS).glob("fireside_*.deb")
    (model,) = Path(INSTALLERS).glob("fireside-starter-model_*.deb")
    return program, model


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x860x24", "-nolisten", "tcp", "-ac"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as said:
        number = said.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


def test_it_installs_answers_is_upgraded_and_removed(debian: Debian, display: str, tmp_path: Path) -> None:
    debian.install(*packages())
    before = debian.files()
    assert "Paris" in debian.run("fireside", "run", *GREEDY, "Name the capital of France.", user=USER)
    debian.run("fireside", "doctor", user=USER)
    settings = debian.home / ".config" / "fireside" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(SETTINGS)
    debian.run("chown", "-R", f"{USER}:{USER}", f"/home/{USER}")
    chat_in_the_window(debian, display=display)
    assert debian.files() == before
    first = answers(debian)

    debian.install(newer(packages()[0], folder=tmp_path))
    assert debian.run("dpkg-query", "-W", "-f=${Version}", "fireside") == NEWER
    assert (debian.root / "opt/fireside/new").exists()
    assert not (debian.root / "opt/fireside/LICENSE").exists()
    chat_in_the_window(debian, display=display)
    assert answers(debian)[: len(first)] == first
    assert '"dark"' in settings.read_text()

    debian.run("apt-get", "remove", "-y", "fireside")
    assert not (debian.root / "opt/fireside/bin").exists()
    assert not (debian.root / "usr/bin/fireside").is_symlink()
    debian.run("apt-get", "purge", "-y", "fireside", "fireside-starter-model")
    assert not (debian.root / "opt/fireside").exists()
    assert answers(debian)[: len(first)] == first
    assert '"dark"' in settings.read_text()


def newer(package: Path, *, folder: Path) -> Path:
    """Return a package of a later version, with one file more and one less."""
    stage = folder / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", package, stage], check=True)
    control = stage / "DEBIAN" / "control"
    lines = control.read_text().splitlines(keepends=True)
    control.write_text("".join(f"Version: {NEWER}\n" if s.startswith("Version:") else s for s in lines))
    (stage / "opt/fireside/LICENSE").unlink()
    (stage / "opt/fireside/new").touch()
    made = folder / f"fireside_{NEWER}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "--build", stage, made],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.rmtree(stage)
    return made


def answers(debian: Debian) -> list[str]:
    """Return the whole answers in the user's chats, in their order."""
    return messages(debian, role="assistant")


def messages(debian: Debian, *, role: str) -> list[str]:
    """Return what is complete of a role in the user's chats, in its order."""
    file = debian.home / ".local/share/fireside/fireside.db"
    if not file.exists():
        return []
    query = "SELECT parts FROM message WHERE role = ? AND state = 'complete' ORDER BY id"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return [row[0] for row in database.execute(query, (role,))]


def chat_in_the_window(debian: Debian, *, display: str) -> None:
    """Open the window as the user, ask by keys, and wait until the answer is saved."""
    n_before, n_asked = len(answers(debian)), len(messages(debian, role="user"))
    variables = {"HOME": f"/home/{USER}", "PATH": SBIN, "LANG": "C.UTF-8", "DISPLAY": display}
    arguments = ["chroot", f"--userspec={USER}", str(debian.root), "fireside"]
    window = subprocess.Popen(arguments, env=variables, stdin=subprocess.DEVNULL)
    try:
        _by_keys(display, "search", "--sync", "--onlyvisible", "--name", "Fireside", "windowfocus", "--sync")
        end = time.monotonic() + ANSWER_S
        while len(answers(debian)) == n_before:
            assert time.monotonic() < end, "no answer came"
            assert window.poll() is None, "the window ended"
            if len(messages(debian, role="user")) == n_asked:
                # Without a window manager nothing has the keys go to the window.
                _by_keys(display, "search", "--onlyvisible", "--name", "Fireside", "windowfocus", "--sync")
                _by_keys(display, "key", "ctrl+a")
                _by_keys(display, "type", "--delay", "40", "Name the capital of France.")
                _by_keys(display, "key", "Return")
            time.sleep(2)
    finally:
        window.terminate()
        window.wait()


def _by_keys(display: str, *arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], env={**os.environ, "DISPLAY": display}, check=True, timeout=120)
