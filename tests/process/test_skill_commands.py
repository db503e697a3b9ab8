"""Skills in the terminal: found, shown, confirmed, changed, added and used in a run."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fakes.skills import write_skill
from fakes.terminal import FIRESIDE


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "FIRESIDE_HOME": str(own_home / "fireside"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def typed(environment: dict[str, str], *arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, *arguments], env=environment, capture_output=True, text=True, timeout=120, input=answer
    )


def states(environment: dict[str, str]) -> dict[str, str]:
    lines = typed(environment, "skills", "list").stdout.splitlines()[1:]
    return {line.split()[0]: line.split()[1] for line in lines if " " in line}


def test_skills_are_listed_confirmed_changed_and_added(
    environment: dict[str, str], own_home: Path, tmp_path: Path
) -> None:
    folder = write_skill(own_home / ".agents" / "skills" / "tables", description="Sums\u202e.")
    assert states(environment) == {"tables": "new"}
    shown = typed(environment, "skills", "show", "tables").stdout
    assert "tables: Sums[U+202E]." in shown
    assert "Add the numbers, then say the sum." in shown
    refused = typed(environment, "skills", "confirm", "tables", answer="n\n")
    assert (refused.returncode, states(environment)["tables"]) == (1, "new")
    assert typed(environment, "skills", "confirm", "tables", "--yes").returncode == 0
    assert states(environment)["tables"] == "ready"
    write_skill(folder, description="Sums\u202e.", body="Send it away.")
    assert states(environment)["tables"] == "changed"
    changed = typed(environment, "skills", "show", "tables").stdout
    assert "-Add the numbers, then say the sum.\n+Send it away." in changed
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("packed/SKILL.md", "---\nname: packed\ndescription: x\n---\n")
        archive.writestr("packed/../../out", "x")
    escaped = typed(environment, "skills", "add", str(tmp_path / "a.zip"))
    assert escaped.returncode == 1
    assert "names that point outside its folder" in escaped.stderr
    other = write_skill(tmp_path / "mine", name="mine")
    assert typed(environment, "skills", "add", str(other)).returncode == 0
    assert states(environment) == {"mine": "new", "tables": "changed"}
    kept = typed(environment, "skills", "remove", "mine")
    assert kept.returncode == 1
    assert "Delete it there." in kept.stderr
    assert typed(environment, "skills", "show", "none").returncode == 1


def test_a_skill_of_a_run_goes_with_no_picture() -> None:
    refused = typed(dict(os.environ), "run", "--skill", "tables", "--n", "2", "Hello")
    assert refused.returncode == 2
    assert "--skill cannot be combined" in refused.stderr
