"""``fireside pull``: what can be typed, and the table of quantizations."""

from __future__ import annotations

import msgspec
import pytest

from fakes.engine_harness import GIB, a_spec
from fireside.cli.command_line import parse
from fireside.cli.commands.pull import quant_table
from fireside.core.discovery import HubQuant
from fireside.core.hub import HubFile
from fireside.core.options import LoadOptions
from fireside.engine.host_info import Host
from fireside.engine.planning.fit_verdict import fit
from fireside.services.hub.quant_recommendation import Advice, AdvisedQuant


def a_quant(label: str, *, size_bytes: int, description: str) -> AdvisedQuant:
    file = HubFile(path=f"{label}.gguf", size_bytes=size_bytes, digest="0" * 64)
    spec = msgspec.structs.replace(a_spec(), size_bytes=size_bytes)
    host = Host(n_cores=1, available_bytes=4 * GIB)
    verdict = fit(spec, LoadOptions(n_ctx=256, n_seq_max=1), devices=(), host=host)
    return AdvisedQuant(choice=HubQuant(label=label, description=description, files=(file,)), fit=verdict)


def test_each_quant_has_a_line_and_the_selected_one_an_arrow() -> None:
    small = a_quant("Q4_0", size_bytes=900_000_000, description="4-bit, good balance")
    large = a_quant("\x1b[31mevil", size_bytes=12_000_000_000, description="")
    table = quant_table(Advice(quants=(small, large), choice=small.choice, why="."))
    first, second = table.splitlines()
    assert first.startswith("→ Q4_0 ")
    assert "900 MB  4-bit, good balance  Runs on the CPU. About 987 MB of RAM." in first
    assert second.startswith("  ")
    assert "12.0 GB" in second
    assert "Does not fit" in second
    assert "\x1b" not in table
    assert first.index("Runs") == second.index("Does")


def test_pull_takes_a_name() -> None:
    assert parse(["pull", "acme/tiny:Q4_K_M"]).arguments == {"name": "acme/tiny:Q4_K_M", "no_token": False}


def test_verify_repairs_only_on_request() -> None:
    assert not parse(["verify", "tiny"]).arguments["repair"]
    assert parse(["verify", "tiny", "--repair"]).arguments["repair"]


def test_overrides_apply_to_one_download() -> None:
    assert parse(["--set", "hub.speed_limit_kb=100", "pull", "a/b"]).settings == {"hub.speed_limit_kb": "100"}


@pytest.mark.parametrize("command", ["pull", "verify"])
def test_a_name_is_needed(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([command])
    assert ended.value.code == 2
