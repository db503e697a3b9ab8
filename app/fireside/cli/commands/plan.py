"""``fireside plan``: how a model would be loaded, and the memory that takes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TextIO

from fireside.cli.command_app import command_app
from fireside.cli.command_parser import CommandParser, add_set_option, model_name
from fireside.cli.screen import columns, json_text, one_line, printable
from fireside.core.errors import format_bytes
from fireside.core.options import FlashAttention, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_KINDS: Final = {
    MemoryKind.WEIGHTS: "Model",
    MemoryKind.CACHE: "Context",
    MemoryKind.COMPUTE: "Compute buffer",
    MemoryKind.PROJECTOR: "Images",
    MemoryKind.DRAFT: "Draft model",
    MemoryKind.ADAPTERS: "Adapters",
    MemoryKind.PROGRAM: "Program",
}


def define(command: CommandParser) -> None:
    """Add what may be typed after ``plan``."""
    command.description = (
        "Show how a model would be loaded on this computer now, and how much memory each device needs. "
        "Nothing is loaded."
    )
    command.does(show_plan)
    command.add_argument("model", type=model_name, help="a name from “fireside list”, or a .gguf file")
    command.add_argument("--json", action="store_true", dest="as_json", help="as JSON, sizes in bytes")
    add_set_option(command)


def show_plan(context: StartupContext, *, model: str, as_json: bool) -> int:
    """Print the load plan of a model. Raises ``FiresideError``."""
    from fireside.cli.model_names import find_model, model_files

    with command_app(context, added=model_files(model)) as program:
        model_id = find_model(program.app, program.loop, name=model).id
        plan = program.wait(program.app.load_plans.plan(model_id, conversation_id=None, changes={}))
        print_plan(plan, as_json=as_json, output=sys.stdout)
    return 0


def print_plan(plan: LoadPlan, *, as_json: bool, output: TextIO) -> None:
    """Print a plan as a table or as JSON."""
    if as_json:
        output.write(json_text(plan))
        return
    rows = [("", *(_name(budget) for budget in plan.budgets))]
    for kind in _KINDS:
        sizes = [_n_bytes(plan, budget, kind) for budget in plan.budgets]
        if any(sizes):
            rows.append((_KINDS[kind], *(_size(n_bytes) for n_bytes in sizes)))
    rows.append(("Total", *(_size(plan.n_bytes_on(budget.device)) for budget in plan.budgets)))
    rows.append(("Available", *(_size(budget.usable_bytes) for budget in plan.budgets)))
    if plan.prompt_cache_bytes:
        # It shrinks when memory is needed, so the model does not require it.
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
    """Return whether a plan fits into free memory without the reserve for other programs."""
    if plan.verdict.runs:
        return False
    cpu, *gpus = plan.budgets
    shared = sum(plan.n_bytes_on(budget.device) for budget in gpus if budget.shares_memory)
    fits_on_gpus = all(plan.n_bytes_on(budget.device) <= budget.free_bytes for budget in gpus)
    return fits_on_gpus and plan.n_bytes_on(cpu.device) + shared <= cpu.free_bytes


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


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _name(budget: DeviceBudget) -> str:
    return one_line(budget.description or budget.device)


def _n_bytes(plan: LoadPlan, budget: DeviceBudget, kind: MemoryKind) -> int:
    return sum(use.n_bytes for use in plan.uses if use.device == budget.device and use.kind is kind)


def _size(n_bytes: int) -> str:
    return format_bytes(n_bytes) if n_bytes else "–"
