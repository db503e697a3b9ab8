"""``fireside pull`` of a model of which no size was named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.fake_hub import Repo, fake_hub
from fakes.gguf_files import model_file


@pytest.mark.usefixtures("own_home")
def test_pull_says_how_each_size_would_run_and_takes_one() -> None:
    content = model_file().to_bytes()
    with fake_hub() as hub:
        files = {f"tiny-{label}.gguf": content + bytes(n) for label, n in (("Q4_K_M", 0), ("Q8_0", 50_000))}
        hub.repos["acme/tiny-GGUF"] = Repo(files=files)
        setting = f"hub.endpoint={hub.endpoint}"
        command = [sys.executable, "-m", "fireside", "--set", setting, "pull", "acme/tiny-GGUF"]
        done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    first, second, *others = done.stderr.splitlines()
    assert first.startswith("→ Q4_K_M")
    assert "4-bit, good balance" in first
    assert second.startswith("  Q8_0")
    assert any(line.startswith("Recommended for this computer: Q4_K_M (4-bit") for line in others)
    assert any(Path(line.partition("verified: ")[2]).is_file() for line in others if "verified: " in line)
