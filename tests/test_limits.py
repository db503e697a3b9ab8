"""How large a part of the program may become, counted over inheritance, and what must be said of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

APP: Final = Path(__file__).parents[1] / "app" / "fireside"

MAX_PUBLIC_METHODS: Final = 30
"""Of a class with its bases in the package. A class that has more is two."""
MAX_FUNCTION_LINES: Final = 60
MAX_ARGUMENTS: Final = 8
"""Of an ``__init__`` besides ``self``. What needs more needs a value that holds them."""
COMPOSITION_ROOTS: Final = ("fireside.main.", "fireside.ui.shell.", "fireside.chat.app.")
"""What puts everything together takes everything: a bundle of arguments would only hide that."""
MAX_MODULES_OF_A_NAME: Final = 3
MAX_MODULES: Final = 1_137
"""What is no thing of its own stands with what uses it. Their number may only fall."""
MAX_PROTOCOLS: Final = 62
"""A protocol is for what has several kinds, or for what must not be known; it may become rarer only."""
MAX_ERROR_CLASSES: Final = 68
"""Below ``FiresideError``. What no code tells apart is a row of its family."""

ERRORS: Final = "fireside.core.errors"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """A source file under its dotted name, and what its names mean."""

    name: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All that the tree consists of."""
        return tuple(ast.walk(self.tree))

    @property
    def package(self) -> str:
        """The part of the program that it belongs to: ``engine``."""
        return self.name.split(".")[1] if "." in self.name else ""

    @cached_property
    def meanings(self) -> dict[str, str]:
        """What each imported or defined name is in full."""
        found = {
            name.asname or name.name: f"{node.module}.{name.name}"
            for node in self.nodes
            if isinstance(node, ast.ImportFrom) and node.level == 0
            for name in node.names
        }
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef | Function):
                found[node.name] = f"{self.name}.{node.name}"
        return found

    @cached_property
    def passed_on(self) -> tuple[str, ...]:
        """The modules whose names it has all."""
        imports = (node for node in self.nodes if isinstance(node, ast.ImportFrom))
        return tuple(str(node.module) for node in imports if node.names[0].name == "*")

    @cached_property
    def attributes(self) -> frozenset[str]:
        return frozenset(node.attr for node in self.nodes if isinstance(node, ast.Attribute))

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Give every function, inner ones too, by its class and name."""
        yield from _functions(self.tree, self.name)


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield f"{inside}.{child.name}", child
            yield from _functions(child, f"{inside}.{child.name}")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}.{child.name}")
        else:
            yield from _functions(child, inside)


class Program:
    """All modules and classes, with names followed to where they are defined."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.modules = {module.name: module for module in modules}
        self.classes = {
            f"{module.name}.{node.name}": (module, node)
            for module in self.modules.values()
            for node in module.tree.body
            if isinstance(node, ast.ClassDef)
        }

    def defined(self, name: str) -> str:
        """Return the full name where it is defined, through packages that only pass it on."""
        for _ in range(5):
            module, _, last = name.rpartition(".")
            package = self.modules.get(module) or self.modules.get(f"{module}.__init__")
            meaning = self._meaning(package, last) or name if package else name
            if meaning == name:
                return name
            name = meaning
        return name

    def _meaning(self, package: Module, name: str) -> str | None:
        if name in package.meanings or "*" not in package.meanings:
            return package.meanings.get(name)
        passed_on = (f"{module}.{name}" for module in package.passed_on)
        return next((full for full in passed_on if full in self.classes), None)

    def bases(self, name: str) -> tuple[str, ...]:
        """Return the bases of a class that are in the package."""
        module, node = self.classes[name]
        named = (module.meanings.get(_names(base), "") for base in node.bases)
        return tuple(base for base in map(self.defined, named) if base in self.classes)

    def public_methods(self, name: str) -> dict[str, Function]:
        """Return the public methods and properties of a class, with those of its bases in the package."""
        found: dict[str, Function] = {}
        for base in self.bases(name):
            found |= self.public_methods(base)
        for node in self.classes[name][1].body:
            if isinstance(node, Function) and not node.name.startswith("_"):
                found[node.name] = node
        return found

    def is_described(self, name: str, method: str) -> bool:
        """Whether a method says what it does, where it is defined or where a base declares it."""
        own = [n for n in self.classes[name][1].body if isinstance(n, Function) and n.name == method]
        if any(ast.get_docstring(node) for node in own):
            return True
        return any(self.is_described(base, method) for base in self.bases(name))

    def protocols(self) -> list[str]:
        """Return all classes that are protocols themselves."""
        return [name for name, (_, node) in self.classes.items() if "Protocol" in map(_names, node.bases)]


def _names(base: ast.expr) -> str:
    plain = base.value if isinstance(base, ast.Subscript) else base
    return plain.id if isinstance(plain, ast.Name) else ""


def read(folder: Path) -> Program:
    """Read every module of the package in ``folder``."""
    return Program(
        Module(
            name=".".join(path.relative_to(folder.parent).with_suffix("").parts),
            tree=ast.parse(path.read_text("utf-8")),
        )
        for path in sorted(folder.rglob("*.py"))
    )


# The rules


def methods(program: Program) -> dict[str, int]:
    """Classes with more public methods than one thing has, counted over their bases."""
    counts = {name: len(program.public_methods(name)) for name in program.classes}
    return {name: n for name, n in counts.items() if n > MAX_PUBLIC_METHODS}


def lines(program: Program) -> dict[str, int]:
    """Functions that are too long, by how many lines they have."""
    found = (item for module in program.modules.values() for item in module.functions())
    counts = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in found}
    return {name: n for name, n in counts.items() if n > MAX_FUNCTION_LINES}


def arguments(program: Program) -> dict[str, int]:
    """Constructors written by hand that take too much."""
    counts = {
        name.removesuffix(".__init__"): len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) - 1
        for module in program.modules.values()
        for name, node in module.functions()
        if node.name == "__init__" and not name.startswith(COMPOSITION_ROOTS)
    }
    return {name: n for name, n in counts.items() if n > MAX_ARGUMENTS}


def names(program: Program) -> dict[str, int]:
    """Names that too many modules have, by how many."""
    counts = Counter(name.rpartition(".")[2] for name in program.modules)
    common = ("__init__", "__main__")
    return {name: n for name, n in counts.items() if n > MAX_MODULES_OF_A_NAME and name not in common}


def modules(program: Program) -> dict[str, int]:
    """How many modules there are, where there are more than there were."""
    n = len(program.modules)
    return {"fireside": n} if n > MAX_MODULES else {}


def protocols(program: Program) -> dict[str, int]:
    """All protocols, where there are more than there were."""
    found = program.protocols()
    return dict.fromkeys(found, 1) if len(found) > MAX_PROTOCOLS else {}


def error_classes(program: Program) -> dict[str, int]:
    """Classes of errors, where there are too many."""
    found = {f"{ERRORS}.base.FiresideError"}
    while more := {name for name in program.classes if found.intersection(program.bases(name))} - found:
        found |= more
    return {ERRORS: len(found) - 1} if len(found) - 1 > MAX_ERROR_CLASSES else {}


def class_names(program: Program) -> dict[str, int]:
    """Names that several public classes have, by how many."""
    counts = Counter(name.rpartition(".")[2] for name in program.classes)
    return {name: n for name, n in counts.items() if n > 1 and not name.startswith("_")}


def docstrings(program: Program) -> dict[str, int]:
    """Public functions and methods that other packages use and that do not say what they do."""
    found: dict[str, int] = {}
    for module in program.modules.values():
        for name in map(program.defined, module.meanings.values()):
            owner, _, last = name.rpartition(".")
            home = program.modules.get(owner)
            if home is None or home.package in ("", module.package) or last.startswith("_"):
                continue
            if name in program.classes:
                called = program.public_methods(name)
                used = (each for each, node in called.items() if not _is_property(node))
                silent = [
                    f"{name}.{each}"
                    for each in used
                    if each in module.attributes and not program.is_described(name, each)
                ]
            else:
                body = home.tree.body
                silent = [
                    name
                    for node in body
                    if isinstance(node, Function) and node.name == last and not ast.get_docstring(node)
                ]
            found |= dict.fromkeys(silent, 1)
    return found


def _is_property(node: Function) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)


RULES: Final = {
    rule.__name__: rule
    for rule in (methods, lines, arguments, names, modules, protocols, error_classes, class_names, docstrings)
}


@pytest.fixture(scope="module")
def over() -> dict[str, dict[str, int]]:
    """What breaks each rule, and by how much."""
    program = read(APP)
    return {name: rule(program) for name, rule in RULES.items()}


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_over_its_limit(over: dict[str, dict[str, int]], rule: str) -> None:
    assert over[rule] == {}


def classes(name: str, *, of: str, n: int) -> str:
    return "".join(f"class {name}{each}({of}): ...\n" for each in range(n))


def test_the_rules_see_what_they_are_for() -> None:
    """Each rule finds what is planted here, over inheritance and through a package that passes a name on."""
    parent = "class Parent:\n" + "".join(f"    def a{n}(self): ...\n" for n in range(20))
    child = "from fireside.a import Parent\nclass Child(Parent):\n" + "".join(
        f"    def b{n}(self): ...\n" for n in range(11)
    )
    long = "def slow():\n" + "    pass\n" * 60
    wide = f"class Wide:\n    def __init__(self, {', '.join('abcdefghi')}): ...\n"
    service = "class Service:\n    def kept(self):\n        '''Do.'''\n    def silent(self): ...\n"
    many = "".join(f"class Kind{n}(Protocol[T]): ...\n" for n in range(MAX_PROTOCOLS + 1))
    user = (
        "from fireside.b.child import Child\nfrom fireside.b.long import slow\nChild().a1()\n"
        "from fireside.b.service import Service\nService().kept()\nService().silent()\n"
    )
    sources = {
        "fireside.a.__init__": "from fireside.a.parent import Parent",
        "fireside.a.parent": parent,
        "fireside.b.child": child,
        "fireside.b.long": long,
        "fireside.b.service": service,
        "fireside.b.wide": wide,
        "fireside.b.many": many,
        "fireside.c.user": user,
        **{f"fireside.{part}.words": "" for part in "abcd"},
        f"{ERRORS}.__init__": f"from {ERRORS}.base import *",
        f"{ERRORS}.base": "class FiresideError(Exception): ...",
        "fireside.d.errors": f"from {ERRORS} import FiresideError\n"
        + classes("A", of="FiresideError", n=MAX_ERROR_CLASSES),
        "fireside.e.errors": f"from {ERRORS} import FiresideError\nfrom fireside.d.errors import A1\n"
        "class Last(A1): ...\n",
        **{f"fireside.{part}.same": "class Same: ...\nclass _Same: ...\n" for part in "de"},
    }
    planted = Program(Module(name=name, tree=ast.parse(text)) for name, text in sources.items())
    assert methods(planted) == {"fireside.b.child.Child": 31}
    assert lines(planted) == {"fireside.b.long.slow": 61}
    assert arguments(planted) == {"fireside.b.wide.Wide": 9}
    assert names(planted) == {"words": 4}
    empty = ast.parse("")
    crowd = Program(Module(name=f"fireside.m{n}", tree=empty) for n in range(MAX_MODULES + 1))
    assert modules(crowd) == {"fireside": MAX_MODULES + 1}
    assert modules(planted) == {}
    assert len(protocols(planted)) == MAX_PROTOCOLS + 1
    assert error_classes(planted) == {ERRORS: MAX_ERROR_CLASSES + 1}
    assert class_names(planted) == {"Same": 2}
    assert docstrings(planted).keys() == {
        "fireside.b.child.Child.a1",
        "fireside.b.long.slow",
        "fireside.b.service.Service.silent",
    }
