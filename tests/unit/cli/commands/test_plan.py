"""A plan in the terminal, for people and for programs."""

from __future__ import annotations

import io

import msgspec

from fireside.cli.command_line import parse
from fireside.cli.commands.plan import print_plan
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse, Verdict

PLAN = LoadPlan(
    model_id=ModelId("m"),
    options=LoadOptions(n_gpu_layers=9, n_threads=3, n_cpu_moe=4),
    verdict=Verdict.PARTLY,
    text="9 of 31 layers run on Card.\x1b[31m",
    uses=(
        MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=1_000_000_000),
        MemoryUse(device="GPU0", kind=MemoryKind.CACHE, n_bytes=250_000_000),
    ),
    budgets=(
        DeviceBudget(device="CPU", description="Memory", total_bytes=8_000_000_000, free_bytes=4_000_000_000),
        DeviceBudget(
            device="GPU0",
            description="Card",
            total_bytes=2_000_000_000,
            free_bytes=900_000_000,
            margin_bytes=400_000_000,
        ),
    ),
    is_exact=False,
)


def printed(*, as_json: bool) -> str:
    output = io.StringIO()
    print_plan(PLAN, as_json=as_json, output=output)
    return output.getvalue()


def test_a_plan_is_a_sentence_and_a_table() -> None:
    words, _, head, model, context, together, usable, _, options, estimates = printed(
        as_json=False
    ).splitlines()
    assert words.startswith("9 of 31 layers run on Card.")
    assert "\x1b" not in words
    assert head.split() == ["Memory", "Card"]
    assert model.split() == ["Model", "1.0", "GB", "–"]
    assert context.split() == ["Context", "–", "250", "MB"]
    assert together.split() == ["Total", "1.0", "GB", "250", "MB"]
    assert usable.split() == ["Available", "4.0", "GB", "500", "MB"]
    assert "9 layers on GPUs" in options
    assert "experts of 4 layers on the CPU" in options
    assert estimates == "Estimated sizes: llama.cpp could not measure them."


def test_for_programs_it_is_json_with_bytes() -> None:
    assert msgspec.json.decode(printed(as_json=True), type=LoadPlan) == PLAN


def test_the_arguments_are_parsed() -> None:
    invocation = parse(["plan", "m", "--json", "--set", "load.n_ctx=512"])
    assert invocation.arguments == {"model": "m", "as_json": True}
    assert invocation.settings == {"load.n_ctx": "512"}


def test_a_plan_that_needs_the_reserve_is_marked_as_tight() -> None:
    def said(free_bytes: int) -> str:
        budget = DeviceBudget(
            device="CPU",
            description="Memory",
            total_bytes=8_000_000_000,
            free_bytes=free_bytes,
            margin_bytes=500_000_000,
        )
        use = MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=200_000_000)
        tight = msgspec.structs.replace(PLAN, budgets=(budget,), uses=(use,), verdict=Verdict.TOO_LARGE)
        output = io.StringIO()
        print_plan(tight, as_json=False, output=output)
        return output.getvalue()

    assert "It may still load" in said(400_000_000)
    assert "It may still load" not in said(100_000_000)
