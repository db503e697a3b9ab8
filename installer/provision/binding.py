"""Move to another version of llama-cpp-python: its pins, and what the source of that version declares."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from provision.console import Console, Task
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.llama_source import fetch_source
from provision.lock_files import BUILD, DEVELOP, RUN, pin_of, read_pins
from provision.process import Program, run_program
from provision.steps import LLAMA
from provision.system_needs import C

FACTS = "tests/llama/binding.json"
"""What the locked version declares; the tests compare the binding with it."""
_PROJECT = "pyproject.toml"
_LLAMA_CPP = Path("vendor/llama.cpp")
_C_HEADERS = ("include/llama.h", "tools/mtmd/mtmd.h", "tools/mtmd/mtmd-helper.h")
_HEADERS = (*_C_HEADERS, "src/llama-ext.h")
_GGML = Path("ggml/include")
_ARCHITECTURES = Path("src/llama-arch.cpp")
_BINDINGS = ("llama_cpp/llama_cpp.py", "llama_cpp/mtmd_cpp.py")

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRUCT = re.compile(r"\bstruct\s+(\w+)\s*\{")
_ENUM = re.compile(r"\benum\s+\w+\s*\{([^}]*)\}")
_ENUMERATOR = re.compile(r"(?:^|,)\s*([A-Z]\w+)")
_VERSION = re.compile(r"^#define\s+(LLAMA_\w+_VERSION)\b", re.MULTILINE)
"""Of saved states: one of another version cannot be loaded."""
_CALLBACK = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(")
_FIELD = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
_FUNCTION = re.compile(r"\b(?:LLAMA|MTMD)_API\s+([^;{]*?\b(\w+)\s*\([^;{]*\))\s*[;{]")
_ARCHITECTURE = re.compile(r'\{\s*LLM_ARCH_\w+,\s*"([^"]+)"')

Command: TypeAlias = tuple[str | Path, ...]
Facts: TypeAlias = dict[str, dict[str, str]]
"""Kinds of facts, and in each what is said by name."""


def move_binding(layout: Layout, *, version: str, console: Console) -> tuple[str, ...]:
    """Pin ``version``, record what its source declares, and return how that differs from the record before.

    No other package moves. Raises SetupFailure, before anything is written.
    """
    work = layout.build / "binding"
    shutil.rmtree(work, ignore_errors=True)  # what an interrupted run left is no environment
    with console.task(f"Source of {LLAMA} {version}") as task:
        pin = fetch_source(
            work, name=LLAMA, version=version, tools=layout.root / BUILD, task=task, log=work / "log"
        )
        facts = read_facts(work / "source", version=version, task=task, log=work / "log")
    texts = {name: (layout.root / name).read_text(encoding="utf-8") for name in (_PROJECT, RUN, DEVELOP)}
    before = pin_of(read_pins(texts[RUN]), name=LLAMA)
    moved = {_PROJECT: texts[_PROJECT].replace(f'"{LLAMA}=={before.version}"', f'"{LLAMA}=={version}"')}
    moved |= {name: texts[name].replace(before.text, pin.text) for name in (RUN, DEVELOP)}
    record = layout.root / FACTS
    recorded: Facts = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    for name, text in moved.items():
        (layout.root / name).write_text(text, encoding="utf-8")
    record.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    shutil.rmtree(work)
    runner = "".join(
        path.read_text(encoding="utf-8") for path in (layout.app / "fireside" / "runner").rglob("*.py")
    )
    return tuple(differences(recorded, facts, used_in=runner))


def read_facts(source: Path, *, version: str, task: Task, log: Path) -> Facts:
    """Return what a source of the binding declares: the layouts of the structs that the binding has, as the
    C compiler places their fields, and the functions and architectures of its llama.cpp."""
    llama_cpp = source / _LLAMA_CPP
    ggml = sorted((llama_cpp / _GGML).glob("ggml*.h"))
    texts = {path: _without_comments(path) for path in (*(llama_cpp / name for name in _HEADERS), *ggml)}
    in_binding = {name for path in _BINDINGS for name in _structures(source / path)}
    fields = {
        name: names
        for text in texts.values()
        for name, names in _fields_by_struct(text).items()
        if name in in_binding
    }
    constants = [
        name
        for path in list(texts)[: len(_C_HEADERS)]
        for body in (*_ENUM.findall(texts[path]), *_VERSION.findall(texts[path]))
        for name in _ENUMERATOR.findall(body)
    ]
    task.progress("asking the compiler for the places of fields")
    project = (source / _PROJECT).read_text(encoding="utf-8")
    said = _as_compiled(fields, constants, folders=(path.parent for path in texts), work=source, log=log)
    return {
        "binding": {"version": version, "needs": " ".join(_needs(project).split())},
        "structs": {name: said[name] for name in said if name.partition(".")[0] in fields},
        "constants": {name: said[name] for name in sorted(constants)},
        "functions": {
            name: " ".join(declaration.split())
            for path in list(texts)[: len(_HEADERS)]
            for declaration, name in _FUNCTION.findall(texts[path])
        },
        "architectures": dict.fromkeys(
            sorted(_ARCHITECTURE.findall(_without_comments(llama_cpp / _ARCHITECTURES))), ""
        ),
    }


def differences(old: Facts, new: Facts, *, used_in: str) -> Iterator[str]:
    """Return a line for each fact that is new, gone or another one; those that ``used_in`` names are
    marked."""
    used = frozenset(re.findall(r"\w+", used_in))
    for kind in new:
        before, after = old.get(kind, {}), new[kind]
        for name in sorted({*before, *after}):
            if before.get(name) == after.get(name):
                continue
            mark = "USED  " if kind != "binding" and name.partition(".")[0] in used else ""
            if name not in after:
                yield f"{mark}{kind}: - {name} {before[name]}".rstrip()
            elif name not in before:
                yield f"{mark}{kind}: + {name} {after[name]}".rstrip()
            else:
                yield f"{mark}{kind}: {name} {before[name]} → {after[name]}"


def _without_comments(path: Path) -> str:
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))


def _needs(project: str) -> str:
    """Return the packages that the binding needs, as its project file lists them."""
    return project.partition("\ndependencies = [")[2].partition("]")[0]


def _structures(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and any(
            ast.unparse(base).endswith("Structure") for base in node.bases
        ):
            yield node.name


def _fields_by_struct(text: str) -> dict[str, tuple[str, ...]]:
    found = {}
    for match in _STRUCT.finditer(text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found[match[1]] = tuple(_field_names(text[match.end() : end - 1]))
    return found


def _field_names(body: str) -> Iterator[str]:
    """Return the names in a struct's body; fields of an anonymous union count as its own."""
    for declaration in re.sub(r"\bunion\s*\{|\}", "", body).split(";"):
        if callback := _CALLBACK.search(declaration):
            yield callback[1]
            continue
        for each in declaration.split(","):
            if field := _FIELD.search(each.strip()):
                yield field[1]


def _as_compiled(
    fields: Mapping[str, tuple[str, ...]],
    constants: Sequence[str],
    *,
    folders: Iterable[Path],
    work: Path,
    log: Path,
) -> dict[str, str]:
    """Return the size of each struct, “offset+size” of each field, and each constant, as the C compiler
    says."""
    printing = [f'printf("{name} %zu\\n", sizeof(struct {name}));' for name in fields]
    printing += [
        f'printf("{name}.{each} %zu+%zu\\n", offsetof(struct {name}, {each}), '
        f"sizeof(((struct {name} *) 0)->{each}));"
        for name, names in fields.items()
        for each in names
    ]
    printing += [f'printf("{name} %d\\n", (int) {name});' for name in constants]
    included = [f'#include "{Path(name).name}"' for name in _C_HEADERS]
    program = ["#include <stddef.h>", "#include <stdio.h>", *included, "int main(void) {", *printing, "}", ""]
    (work / "layout.c").write_text("\n".join(program), encoding="utf-8")
    compiler = next((path for name in C.commands if (path := shutil.which(name))), None)
    if compiler is None:
        raise SetupFailure(
            sentence="The places of fields are asked of a C compiler, and none is installed.",
            advice="Run this on Linux or macOS, where “cc” is.",
        )
    lines: list[str] = []
    flags = [f"-I{folder}" for folder in dict.fromkeys(folders)]
    compilation: Command = (compiler, "-o", work / "layout", work / "layout.c", *flags)
    for command in (compilation, (work / "layout",)):
        lines.clear()
        run_program(
            Program(
                command=command,
                log=log,
                failed="The headers of that version are no longer what this program reads.",
                advice="What the compiler says is in the log; look at installer/provision/binding.py.",
            ),
            on_line=lines.append,
        )
    return dict(line.split() for line in sorted(lines))
