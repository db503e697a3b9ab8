"""Show in the terminal how a model would be loaded, and what that takes."""

from __future__ import annotations

import argparse
from typing import Final, TextIO, TypeVar

import msgspec

from fireside.cli.columns import columns
from fireside.cli.screen import printable
from fireside.core.errors import format_bytes
from fireside.core.options import FlashAttention, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, Verdict

PLAN_COMMAND: Final = "plan"

_KINDS: Final = {
    MemoryKind.WEIGHTS: "Model",
    MemoryKind.CACHE: "Context",
    MemoryKind.COMPUTE: "Compute buffer",
    MemoryKind.PROJECTOR: "Images",
    MemoryKind.DRAFT: "Draft model",
    MemoryKind.ADAPTERS: "Adapters",
    MemoryKind.PROGRAM: "Program",
}
_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)


def add_plan_command(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    """Add the command that says how a model would be loaded."""
    plan = commands.add_parser(
        PLAN_COMMAND,
        help="show the load plan of a model: GPU offload, context length, memory",
        description="Show how a model would be loaded on this computer now, and how much memory each device "
        "needs. Nothing is loaded.",
    )
    plan.add_argument("model", help="a name from “fireside list”, or a .gguf file")
    plan.add_argument("--json", action="store_true", dest="as_json", help="as JSON, sizes in bytes")
    return plan


def print_plan(plan: LoadPlan, *, as_json: bool, output: TextIO) -> None:
    """Print a plan as a table, or for programs as JSON."""
    if as_json:
        output.write(msgspec.json.format(msgspec.json.encode(plan), indent=2).decode() + "\n")
        return
    rows = [("", *(_name(room) for room in plan.budgets))]
    for kind in _KINDS:
        sizes = [_n_bytes(plan, room, kind) for room in plan.budgets]
        if any(sizes):
            rows.append((_KINDS[kind], *(_size(n_bytes) for n_bytes in sizes)))
    rows.append(("Total", *(_size(plan.n_bytes_on(room.device)) for room in plan.budgets)))
    rows.append(("Available", *(_size(room.usable_bytes) for room in plan.budgets)))
    if plan.prompt_cache_bytes:
        # It gives way to others: it is no part of what the model needs.
        rows.append(("Prompt cache, up to", _size(plan.prompt_cache_bytes), *("–" for _ in plan.budgets[1:])))
    table = columns(rows, numbers=range(1, len(plan.budgets) + 1))
    output.write(f"{printable(plan.text)}\n\n{table}\n{_options(plan.options)}\n")
    if _is_tight(plan):
        output.write(
            "Memory is low: it fits only in the reserve for other programs. "
            "It may still load; close other programs first.\n"
        )
    if not plan.is_exact:
        output.write("Estimated sizes: llama.cpp could not measure them.\n")


def _is_tight(plan: LoadPlan) -> bool:
    """Whether it would fit if nothing were left for others: ``run`` tries it then."""
    if plan.verdict is not Verdict.TOO_LARGE:
        return False
    computer, *cards = plan.budgets
    shared = sum(plan.n_bytes_on(room.device) for room in cards if room.shares_memory)
    fits_on_cards = all(plan.n_bytes_on(room.device) <= room.free_bytes for room in cards)
    return fits_on_cards and plan.n_bytes_on(computer.device) + shared <= computer.free_bytes


def _options(options: LoadOptions) -> str:
    parts = [
        f"context length {options.n_ctx:,}, parallel requests {options.n_seq_max}",
        f"{_counted(options.n_gpu_layers, 'layer')} on GPUs" if options.n_gpu_layers else "no layers on GPUs",
        _counted(options.n_threads, "thread"),
        f"KV cache {options.cache_type_k.value}/{options.cache_type_v.value}",
    ]
    if options.n_cpu_moe > 0:
        parts.append(f"experts of {_counted(options.n_cpu_moe, 'layer')} on the CPU")
    if options.flash_attn is not FlashAttention.AUTO:
        parts.append(f"flash attention {options.flash_attn.value}")
    return "; ".join(parts)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _name(room: DeviceBudget) -> str:
    return printable(room.description or room.device)


def _n_bytes(plan: LoadPlan, room: DeviceBudget, kind: MemoryKind) -> int:
    return sum(use.n_bytes for use in plan.uses if use.device == room.device and use.kind is kind)


def _size(n_bytes: int) -> str:
    return format_bytes(n_bytes) if n_bytes else "–"
