"""Documents in the terminal, with the real model: read, found, asked, and forgotten."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import gguf
import pytest

from fakes.terminal import FIRESIDE
from llama.tiny_bert import write_bert


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "FIRESIDE_HOME": str(own_home / "fireside"),
        "FIRESIDE_LOAD_N_CTX": "1024",
        "FIRESIDE_LOAD_N_THREADS": "1",
        "FIRESIDE_SAMPLING_MAX_TOKENS": "24",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def typed(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, "documents", *arguments], env=environment, capture_output=True, text=True, timeout=120
    )


def test_documents_are_read_searched_asked_and_forgotten(environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "manuals"
    folder.mkdir()
    (folder / "pump.md").write_text("# Pump\n\nThe impeller of the pump is changed every year.\n")
    (folder / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    added = typed(environment, "add", "Manuals", str(folder))
    assert (added.returncode, added.stdout) == (0, "Manuals: 1 of 2 files searchable · 1 unreadable\n")
    assert "scan.png: " in added.stderr
    assert typed(environment, "list", "manuals").stdout.count("\n") == 2
    search = typed(environment, "search", "impellers")
    assert search.stdout.startswith("pump.md, lines 1–3 › Pump\n")
    ask = typed(environment, "ask", "How often is the impeller changed?")
    assert ask.returncode == 0
    assert "pump.md, lines 1–3" in ask.stdout
    read = typed(environment, "ask", "--all", "How often is the impeller changed?")
    assert read.returncode == 0
    assert "Reading 1 file" in read.stderr
    assert "Only" not in read.stdout
    assert "searchable" in typed(environment, "list", "manuals").stdout
    assert typed(environment, "search", "--in", "Tools", "pump").returncode == 1
    assert typed(environment, "remove", "Manuals").returncode == 0
    assert "No collections" in typed(environment, "list").stderr
    assert (folder / "pump.md").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there")
def test_a_file_is_one_line_whatever_its_name_is_and_tells_what_it_hides(
    environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "two\nlines.md").write_text("The impeller.")
    (folder / "page.html").write_text("<html><body><p>Seen.</p><p hidden>Unseen.</p></body></html>")
    added = typed(environment, "add", "Odd", str(folder))
    assert added.stdout == "Odd: 2 of 2 files searchable · 1 with warnings\n"
    assert "page.html: Part of its text is hidden" in added.stderr
    listed = typed(environment, "list", "Odd").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["searchable", "searchable"]
    assert "two lines.md" in listed[1]
    assert "hidden" in listed[0]


def test_a_model_may_be_a_file_outside_the_library(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b c d")
    embedder = write_bert(tmp_path / "elsewhere.gguf", pooling=gguf.PoolingType.MEAN)
    added = typed(environment, "add", "Letters", str(tmp_path / "a.txt"), "--model", str(embedder))
    assert added.stdout == "Letters: 1 of 1 files searchable · 1 found by meaning\n"
    (tmp_path / "a.txt").write_text("w x y z")
    assert typed(environment, "add", "Letters").stdout == added.stdout, "it has joined the library"
    refused = typed(environment, "ask", "--model", str(embedder), "Why?")
    assert "embedding" in refused.stderr
    missing = typed(environment, "add", "Letters", "--model", str(tmp_path / "none.gguf"))
    assert "Model file not found" in missing.stderr
