"""What a connected builder is told to do exists, and its actions are pinned by their hash."""

from __future__ import annotations

import re
from typing import Any

import yaml  # only here

from provision.layout import find_layout
from runtimes.kinds import KINDS

ROOT = find_layout().root
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


def steps() -> list[dict[str, Any]]:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_every_action_is_pinned_by_its_hash_and_says_its_version() -> None:
    used = re.findall(r"uses: (.+)", WORKFLOW.read_text(encoding="utf-8"))
    assert len(used) == sum("uses" in step for step in steps()) > 5
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_every_script_command_and_runtime_that_it_names_exists() -> None:
    commands = "\n".join(step.get("run", "") for step in steps())
    scripts = set(re.findall(r"installer/[\w/]+\.py", commands))
    assert {"installer/runtimes/build.py", "installer/release/windows_tree.py"} <= scripts
    assert all((ROOT / script).is_file() for script in scripts)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (commands,) = re.findall(r"^\.PHONY: (.+)", makefile, flags=re.MULTILINE)
    assert set(re.findall(r"\bmake ([a-z-]+)", commands)) <= set(commands.split())
    assert set(re.findall(r"runtimes/build\.py (\w+)", commands)) <= set(KINDS)


def test_only_what_is_needed_is_allowed() -> None:
    assert yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}
