"""The Debian packages, as the tools of desktops, shells and Debian judge them. `make test-installers`."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
SHARE = Path("usr/share")

pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (package,) = Path(INSTALLERS).glob("fireside_*.deb")
    folder = tmp_path_factory.mktemp("package")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return folder


def run(*arguments: str | Path) -> str:
    """Return what a tool says of a file; it must be content. A tool that is not there skips the test."""
    if shutil.which(str(arguments[0])) is None:
        pytest.skip(f"needs {arguments[0]}")
    done = subprocess.run(
        arguments, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["fireside_*.deb", "fireside-starter-model_*.deb"])
def test_lintian_finds_nothing_that_has_no_reason(name: str) -> None:
    (package,) = Path(INSTALLERS).glob(name)
    run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", "--allow-root", package)


def test_the_desktop_entry_is_valid(unpacked: Path) -> None:
    run("desktop-file-validate", unpacked / SHARE / "applications/fireside.desktop")


def test_the_description_for_software_centres_is_valid(unpacked: Path) -> None:
    run(
        "appstreamcli",
        "validate",
        "--no-net",
        unpacked / SHARE / "metainfo/app.fireside.Fireside.metainfo.xml",
    )


def test_software_centres_can_list_it(unpacked: Path, tmp_path: Path) -> None:
    compose = Path("/usr/libexec/appstreamcli-compose")
    if not compose.exists():
        pytest.skip("needs appstream-compose")
    folders = [f"--{kind}={tmp_path}" for kind in ("result-root", "data-dir", "icons-dir")]
    run(compose, "--no-net", "--print-report=full", "--origin=debian", *folders, unpacked)
    listed = gzip.decompress((tmp_path / "debian.xml.gz").read_bytes()).decode()
    assert "<id>app.fireside.Fireside</id>" in listed
    assert (tmp_path / "128x128/app.fireside.Fireside.png").is_file()


def test_the_media_type_is_known_once_it_is_installed(unpacked: Path) -> None:
    run("update-mime-database", unpacked / SHARE / "mime")
    assert "application/x-gguf" in (unpacked / SHARE / "mime/types").read_text()


def test_icons_have_the_size_of_their_folder(unpacked: Path) -> None:
    icons = sorted((unpacked / SHARE / "icons/hicolor").glob("*x*/apps/fireside.png"))
    assert len(icons) >= 8
    for icon in icons:
        head = icon.read_bytes()[16:24]
        size = f"{int.from_bytes(head[:4])}x{int.from_bytes(head[4:])}"
        assert size == icon.parents[1].name


def test_the_manual_page_has_no_warnings_and_names_every_command(unpacked: Path) -> None:
    page = unpacked / SHARE / "man/man1/fireside.1.gz"
    if shutil.which("man") is None:
        pytest.skip("needs man")
    done = subprocess.run(
        ["man", "--warnings", "--encoding=UTF-8", "--local-file", page],
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "pull" in done.stdout
    assert "doctor" in done.stdout


@pytest.mark.parametrize(
    ("shell", "path"),
    [
        ("bash", "bash-completion/completions/fireside"),
        ("zsh", "zsh/vendor-completions/_fireside"),
        ("fish", "fish/vendor_completions.d/fireside.fish"),
    ],
)
def test_the_shells_can_read_their_completions(shell: str, path: str, unpacked: Path) -> None:
    run(shell, "-n", unpacked / SHARE / path)


def test_fish_completes_a_command(unpacked: Path) -> None:
    script = (
        f"source '{unpacked / SHARE}/fish/vendor_completions.d/fireside.fish'; complete -C 'fireside doc'"
    )
    assert run("fish", "--no-config", "-c", script).startswith("doctor")
