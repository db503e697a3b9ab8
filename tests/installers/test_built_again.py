"""A build in another folder gives the same bytes. `make test-installers`."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from provision.layout import find_layout
from release.debian import PackageSources, make_packages
from release.interpreter import find_interpreter
from release.tarball import make_tarball
from release.tree import assemble, assemble_base

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")

pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(1800),
]


def test_the_tree_and_its_packages_are_the_same_in_another_folder(tmp_path: Path) -> None:
    built, layout, interpreter = Path(INSTALLERS), find_layout(), find_interpreter(None)
    (archive,) = built.glob("fireside-*.tar.xz")
    (program,) = built.glob("fireside_*.deb")
    (model,) = built.glob("fireside-starter-model_*.deb")
    (runtime,) = (layout.build / "runtimes").glob("portable-*-linux-*.tar.xz")
    version = archive.name.split("-")[1]
    base, tree = tmp_path / "another base", tmp_path / "another ü" / "fireside"
    assemble_base(base, interpreter=interpreter, packages=built / "packages", runtime=runtime, layout=layout)
    assemble(tree, base=base, interpreter=interpreter, layout=layout, version=version)
    assert _state(tree) == _state(built / "fireside")
    make_tarball(tree, root=layout.root, archive=tmp_path / archive.name)
    assert _digest(tmp_path / archive.name) == _digest(archive)
    parts = PackageSources(tree=tree, root=layout.root, python=layout.python, version=version)
    make_packages(parts, program=tmp_path / program.name, model=tmp_path / model.name)
    assert _digest(tmp_path / model.name) == _digest(model)
    assert _digest(tmp_path / program.name) == _digest(program)


def test_nothing_in_the_tree_tells_where_it_was_built() -> None:
    tree = Path(INSTALLERS) / "fireside"
    result = subprocess.run(
        ["grep", "--recursive", "--files-with-matches", "--fixed-strings", str(find_layout().root), tree],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (1, "")


def _state(tree: Path) -> dict[str, tuple[str, int]]:
    """Return digest and mode of every file, by its path in the tree."""
    return {
        str(path.relative_to(tree)): (_digest(path), path.stat().st_mode)
        for path in tree.rglob("*")
        if path.is_file()
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
