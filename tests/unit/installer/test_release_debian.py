"""The Debian packages: what they depend on, and the manual and completions that they bring."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement

import fireside
from provision import starter_model
from provision.failure import SetupFailure
from provision.layout import find_layout
from release.debian import PackageSources, dependencies, make_packages
from release.elf import read_needs
from release.manual import bash_completion, fish_completion, manual_page, read_commands, zsh_completion
from release.tree import MODEL_FOLDER
from release.trimming import is_kept, unneeded_libraries

MAIN_HELP = """\
usage: fireside [-h] command ...

Chat. Without a command, the window opens.

positional arguments:
  command
    run            chat in the terminal
    plan           show the load plan of a model: GPU offload,
                   memory
    a-very-long-name
                   what it does

options:
  -h, --help       show this help message and exit

examples:
  fireside run --set a.b=c       'quoted' and C:\\\\path
"""
HELP = {
    (): MAIN_HELP,
    ("run",): "usage: run\n\noptions:\n  -h, --help  show\n  -n N, --count N  how many\n  --stats\n",
    ("plan",): "usage: plan\n\n.starts with a dot\n\noptions:\n  --json  as JSON\n",
    ("a-very-long-name",): "usage: a\n\noptions:\n  -h, --help  show\n",
}


def ask(words: tuple[str, ...]) -> str:
    return HELP[words[:-1]]


def test_commands_are_read_from_the_help() -> None:
    run, plan, long = read_commands(ask)
    assert (run.name, run.summary) == ("run", "chat in the terminal")
    assert run.options == ("--help", "--count", "--stats")
    assert plan.summary == "show the load plan of a model: GPU offload, memory"
    assert (long.name, long.summary) == ("a-very-long-name", "what it does")


def test_a_page_escapes_what_troff_would_read() -> None:
    page = manual_page(read_commands(ask), main_help=MAIN_HELP, version="1.2")
    assert "\n\\&.starts with a dot\n" in page
    assert "C:\\e\\epath" in page or "C:\\epath" in page
    assert "\\-\\-set" in page


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("fireside", "pl"), ["plan"]),
        (("fireside", "run", "--s"), ["--stats"]),
        (("fireside", "plan", "--"), ["--json"]),
    ],
)
def test_bash_completes_commands_and_options(
    words: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    script = (
        bash_completion(read_commands(ask))
        + f"COMP_WORDS=({' '.join(words)}) COMP_CWORD={len(words) - 1}\n_fireside\n"
        + 'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == expected


def test_zsh_and_fish_know_every_command() -> None:
    commands = read_commands(ask)
    for written in (zsh_completion(commands), fish_completion(commands)):
        assert all(command.name in written for command in commands)
        assert "stats" in written


def test_packages_are_named_for_the_libraries_also_where_they_were_renamed() -> None:
    listed = dependencies({"libc.so.6", "libssl.so.3", "libcrypto.so.3", "libxcb.so.1", "libgtk-3.so.0"})
    assert listed == "libc6 (>= 2.35), libssl3 | libssl3t64, libxcb1"


def test_a_library_that_no_package_is_known_for_stops_the_build() -> None:
    with pytest.raises(SetupFailure, match="libnew"):
        dependencies({"libnew.so.1"})


def test_every_library_that_a_dependency_takes_from_the_system_has_its_package() -> None:
    waiting = tomllib.loads((find_layout().root / "pyproject.toml").read_text())["project"]["dependencies"]
    names = set[str]()
    while waiting:
        requirement = Requirement(waiting.pop())
        if requirement.name not in names and (
            requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        ):
            names.add(requirement.name)
            waiting += distribution(requirement.name).requires or ()
    # Instead of the libraries of this one there are those of the runtimes.
    files = [file for name in names - {"llama-cpp-python"} for file in distribution(name).files or ()]
    libraries = [file for file in files if ".so" in file.suffixes and is_kept(file, languages=frozenset())]
    by_path = read_needs(Path(file.locate()) for file in libraries)
    needs = {PurePosixPath(file): by_path[Path(file.locate())] for file in libraries}
    unneeded = unneeded_libraries(needs)
    taken = {library for file, each in needs.items() if file not in unneeded for library in each.libraries}
    assert "libpthread.so.0" in taken
    dependencies(taken - {file.name for file in files})


def small_tree(folder: Path) -> Path:
    """A program that can only say how it is called, and a model of a few bytes."""
    program = folder / "bin" / "fireside"
    program.parent.mkdir(parents=True)
    cases = "".join(f'"{" ".join(words)}") cat <<"X"\n{text}X\n;;\n' for words, text in HELP.items())
    program.write_text(
        '#!/bin/sh\nwords="$*"; words=${words% --help}\n[ "$words" = --help ] && words=\n'
        f'case "$words" in\n{cases}esac\n'
    )
    program.chmod(0o755)
    for name in (starter_model.FILE, starter_model.LICENCE):
        (folder / MODEL_FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / MODEL_FOLDER / name).write_text(name)
    return folder


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")
def test_packages_are_the_same_wherever_they_were_made(tmp_path: Path) -> None:
    written = []
    for name in ("here", "another place"):
        folder = tmp_path / name
        parts = PackageSources(
            tree=small_tree(folder / "tree"),
            root=find_layout().root,
            python=Path(sys.executable),
            version="1.2",
        )
        program, model = folder / "fireside.deb", folder / "model.deb"
        make_packages(parts, program=program, model=model)
        written.append((program.read_bytes(), model.read_bytes()))
    assert written[0] == written[1]
    listed = subprocess.run(["dpkg-deb", "-c", program], capture_output=True, text=True, check=True).stdout
    assert "./usr/share/metainfo/app.fireside.Fireside.metainfo.xml" in listed
    assert "./usr/share/icons/hicolor/48x48/apps/fireside.png" in listed
    assert "-> /opt/fireside/bin/fireside" in listed
    assert starter_model.FILE not in listed


def test_software_centres_are_told_of_this_version() -> None:
    file = find_layout().root / "installer/association/app.fireside.Fireside.metainfo.xml"
    newest = ElementTree.parse(file).find("releases/release")
    assert newest is not None
    assert newest.get("version") == fireside.__version__
