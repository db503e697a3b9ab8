"""Jinja sandbox for chat templates, with a whitelist and bounded memory.

A chat template is untrusted code in a model file. It runs in Jinja's immutable sandbox, with only the
filters, methods and functions that chat templates use. Every string and list that it builds is charged to a
budget, because ``'x' * 10**10`` and twenty doublings are cheap to write. Endless loops are for the caller to
stop; a single call of C cannot be stopped, so numbers are bounded, and what takes the product of two lengths
is charged with it.
"""

from __future__ import annotations

import functools
import json
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

import jinja2
import jinja2.exceptions
import jinja2.ext
import jinja2.filters
import jinja2.nodes
import jinja2.sandbox
import markupsafe
from jinja2.compiler import CodeGenerator, Frame
from jinja2.utils import Namespace

from fireside.core.i18n import tr_noop

_BUDGET_FLOOR: Final = 16_000_000
"""Characters and list items that one rendering may build, in addition to a multiple of the contents."""
_MAX_WEIGHT: Final = 2_000_000
"""Items and characters that one list may hold, counted as often as printing it would output them."""
_MAX_INT_BITS: Final = 4096
_MAX_NUMBER_CHARS: Final = 1000
"""Longest text that is read as a number; with 16 as its base, more is a number without end."""
_MAX_DECIMALS: Final = 300
_COMPARISONS_PER_CHAR: Final = 50
"""Comparisons of characters that take as long as building one, about."""

_FILTERS: Final = """
    abs attr capitalize count d default dictsort e escape first float format groupby indent int
    items join last length list lower map max min reject rejectattr replace reverse round safe
    select selectattr sort string striptags sum title trim truncate unique upper wordcount
"""
_TEXT_METHODS: Final = """
    capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit islower
    isnumeric isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace
    rfind rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title upper
"""
_QUADRATIC_METHODS: Final = frozenset(
    ["lstrip", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "strip"]
)
"""Methods of a text that compare each of its characters with each of their argument's, at worst."""
_WIDTH: Final = re.compile(r"%[^a-zA-Z%]*(\*|\d{4,})")


_Container = TypeVar("_Container", bound="list[Any] | tuple[Any, ...] | dict[Any, Any]")


class TemplateRefused(Exception):
    """The template called ``raise_exception``: it does not support these messages in this order."""


class _OverBudget(jinja2.TemplateRuntimeError):
    pass


class _Namespace(Namespace):
    """A namespace without its content in the repr: namespaces can contain one another endlessly."""

    def __repr__(self) -> str:
        return "<namespace>"


class _PlainFormat:
    """``str.format`` that only fills in values: no attributes, no widths."""

    def __init__(self, template: str, charge: Callable[[int], None]) -> None:
        self._template = str(template)
        self._charge = charge

    def __repr__(self) -> str:
        return "<format>"

    def __call__(self, *values: object, **named: object) -> str:
        pieces: list[str] = []
        n_used = 0
        for literal, field, spec, conversion in string.Formatter().parse(self._template):
            pieces.append(literal)
            if field is None:
                continue
            if spec or conversion or not (field == "" or field.isidentifier() or field.isdecimal()):
                raise jinja2.exceptions.SecurityError(tr_noop("its format is unsafe"))
            if field.isidentifier():
                value = named.get(field, "")
            else:
                index = int(field) if field else n_used
                n_used += 1
                value = values[index] if index < len(values) else ""
            text = str(value)
            self._charge(len(text) + 1)
            pieces.append(text)
        return "".join(pieces)


class _CheckedCode(CodeGenerator):
    """Compiles ``a ~ b``, slices and lists to calls that are charged.

    Jinja intercepts the other operators itself.
    """

    def visit_Getitem(self, node: jinja2.nodes.Getitem, frame: Frame) -> None:
        if not isinstance(node.arg, jinja2.nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.charge_result(")
        super().visit_Getitem(node, frame)
        self.write(")")

    def visit_Concat(self, node: jinja2.nodes.Concat, frame: Frame) -> None:
        self.write("environment.concat((")
        for operand in node.nodes:
            self.write("str(")
            self.visit(operand, frame)
            self.write("), ")
        self.write("))")

    def visit_List(self, node: jinja2.nodes.List, frame: Frame) -> None:
        self.write("environment.check_weight(")
        super().visit_List(node, frame)
        self.write(")")

    def visit_Dict(self, node: jinja2.nodes.Dict, frame: Frame) -> None:
        self.write("environment.check_weight(")
        super().visit_Dict(node, frame)
        self.write(")")

    def visit_Tuple(self, node: jinja2.nodes.Tuple, frame: Frame) -> None:
        if node.ctx != "load":  # the names on the left of a set or for
            super().visit_Tuple(node, frame)
            return
        self.write("environment.check_weight(")
        super().visit_Tuple(node, frame)
        self.write(")")


def _size(value: object) -> int:
    return len(value) if isinstance(value, (str, bytes, list, tuple, dict)) else 1


def _lists_in(value: object) -> Iterator[int]:
    """Return the identities of all lists in plain data."""
    if isinstance(value, list):
        yield id(value)
    if isinstance(value, (list, Mapping)):
        for child in value.values() if isinstance(value, Mapping) else value:
            yield from _lists_in(child)


def _holds(holder: object, item: object) -> bool:
    children = holder.values() if isinstance(holder, dict) else holder
    return isinstance(children, Iterable) and any(child is item for child in children)


class TemplateSandbox(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """The Jinja environment of one template. Call ``begin`` before each rendering."""

    code_generator_class = _CheckedCode
    intercepted_binops = frozenset(["+", "-", "*", "**", "/", "//", "%"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _GenerationTag]
        )
        self.budget = _BUDGET_FLOOR
        self._max_weight = _MAX_WEIGHT
        self._weights: dict[int, tuple[object, int]] = {}
        self._given: frozenset[int] = frozenset()
        self._text_methods = frozenset(_TEXT_METHODS.split())
        self.filters = {name: self._charged(self.filters[name]) for name in _FILTERS.split()}
        self.filters["join"] = self._join_filter
        self.filters["indent"] = self._indent_filter
        self.filters["replace"] = self._replace_filter
        self.filters["format"] = self._format_filter
        self.filters["int"] = self._int_filter
        self.filters["round"] = self._round_filter
        self.filters["trim"] = self._trim_filter
        self.tests = {**self.tests, "divisibleby": self._is_divisible}
        self.filters["tojson"] = tojson_filter(str, self.charge)
        self.globals = {
            name: self.globals[name] for name in ("range", "dict", "namespace", "cycler", "joiner")
        }
        self.globals["namespace"] = _Namespace
        self.globals["raise_exception"] = _raise_exception

    def begin(self, *, n_content_chars: int, given: Mapping[str, object] = MappingProxyType({})) -> None:
        """Reset the budget for a rendering. The template may not change the lists in ``given``."""
        self._given = frozenset(_lists_in(given))
        self.budget = _BUDGET_FLOOR + 16 * n_content_chars
        self._max_weight = _MAX_WEIGHT + 4 * n_content_chars
        self._weights.clear()

    def check_weight(self, container: _Container) -> _Container:
        """Return ``container`` if printing or comparing it takes bounded time.

        A list that holds one list twice, which holds one list twice, and so on, takes little memory, and
        exponential time to print. Weights are cached, because the same goes for computing them.
        """
        self.charge(len(container) + 1)
        if self._weight(container) > self._max_weight:
            raise _OverBudget(tr_noop("it builds a list without end"))
        return container

    def _weight(self, value: object) -> int:
        if isinstance(value, str):
            return len(value) + 1
        if not isinstance(value, (list, tuple, dict)):
            return 1
        cached = self._weights.get(id(value))
        if cached is None:
            children = (*value, *value.values()) if isinstance(value, dict) else value
            # The container is kept alive, so that its id is not given to another.
            cached = self._weights[id(value)] = (value, 1 + sum(map(self._weight, children)))
        return cached[1]

    def charge(self, n: int) -> None:
        """Charge ``n`` characters or items, before they are built wherever their number is known."""
        self.budget -= n
        if self.budget < 0:
            raise _OverBudget(tr_noop("it builds a text without end"))

    def _charged(self, apply: Callable[..., Any]) -> Callable[..., Any]:
        """Return the filter ``apply`` with its result charged."""

        @functools.wraps(apply)  # copies the attribute by which Jinja decides to pass the environment
        def charged(*args: Any, **named: Any) -> Any:
            return self.charge_result(apply(*args, **named))

        return charged

    def charge_result(self, result: Any) -> Any:
        """Charge what was just built and return it."""
        if isinstance(result, (list, tuple, dict)):
            return self.check_weight(result)
        self.charge(_size(result))
        return result

    def concat(self, parts: Iterable[str]) -> str:
        return self._join("", parts)

    def call_binop(self, context: jinja2.runtime.Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            self._check_number(operator, left, right)
        elif operator == "*":
            repeated, factor = (right, left) if isinstance(left, int) else (left, right)
            self.charge(_size(repeated) * max(0, factor if isinstance(factor, int) else 1))
        elif operator == "%":
            self._check_format(left, right)
        else:
            self.charge(_size(left) + _size(right))
        result = super().call_binop(context, operator, left, right)
        return self.check_weight(result) if isinstance(result, (list, tuple)) else result

    def _check_number(self, operator: str, left: float, right: float) -> None:
        if not (isinstance(left, int) and isinstance(right, int)):
            return
        bits = left.bit_length()
        n = bits * max(0, right) if operator == "**" else bits + right.bit_length()
        if n > _MAX_INT_BITS:
            raise _OverBudget(tr_noop("it computes a number without end"))

    def _check_format(self, template: object, values: object) -> None:
        if not isinstance(template, str):
            return
        if _WIDTH.search(template):
            raise _OverBudget(tr_noop("it pads a text without end"))
        # A mapping's values can be filled in more than once; the weight of its keys does no harm.
        n_times = str.count(template, "%") if isinstance(values, Mapping) else 1
        self.charge(len(template) + n_times * self._weight(values))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str):
            return attr in self._text_methods
        if isinstance(obj, (bytes, int, float)):
            return False
        if isinstance(obj, list) and attr in ("append", "pop"):
            return id(obj) not in self._given
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Return a safe replacement of ``'…'.format``; ``None`` for other values."""
        owner = getattr(value, "__self__", None)
        if not isinstance(owner, str) or getattr(value, "__name__", "") not in ("format", "format_map"):
            return None
        return _PlainFormat(owner, self.charge)

    def call(  # named as Jinja names them, so that no argument of a template's call can clash
        __self,  # noqa: N805
        __context: jinja2.runtime.Context,
        __obj: Any,
        *args: Any,
        **named: Any,
    ) -> Any:
        owner = getattr(__obj, "__self__", None)
        if isinstance(owner, str):
            name = getattr(__obj, "__name__", "")
            if name == "replace":
                __self._charge_replace(owner, *args)
            elif name in _QUADRATIC_METHODS and args:
                __self._charge_comparisons(owner, args[0])
            elif name == "join" and args:
                return __self._join(owner, args[0])
        if isinstance(owner, list) and getattr(__obj, "__name__", "") == "append":
            __self._grow(owner, *args)
        return __self.charge_result(super().call(__context, __obj, *args, **named))

    def _grow(self, items: list[Any], item: object = None, /) -> None:
        """Charge one more string or number in a list.

        Containers of the list were weighed without the new item, so a list that has any must not grow.
        """
        self.charge(len(self._weights) + _size(item))
        holders = (holder for holder, _ in self._weights.values() if holder is not items)
        if isinstance(item, (list, tuple, dict)) or any(_holds(holder, items) for holder in holders):
            raise jinja2.exceptions.SecurityError("it changes a list in a way that cannot be followed")
        weight = self._weight(items) + self._weight(item)
        if weight > self._max_weight:
            raise _OverBudget(tr_noop("it builds a list without end"))
        self._weights[id(items)] = (items, weight)

    def _charge_replace(self, text: str, old: object = "", new: object = "", *_count: object) -> None:
        # Of ``str``: a placeholder refuses to be counted.
        n_occurrences = str.count(text, str(old)) if old else len(text) + 1
        # An escaped text escapes what it is given: up to five characters for one.
        n_added = len(str(new)) * (5 if isinstance(text, markupsafe.Markup) else 1)
        self.charge(len(text) + n_occurrences * n_added)

    def _charge_comparisons(self, text: str, wanted: object) -> None:
        if isinstance(wanted, str):
            self.charge(len(text) * min(len(text), len(wanted)) // _COMPARISONS_PER_CHAR)

    def _join(self, separator: str, items: Iterable[object]) -> str:
        pieces = []
        for item in items:
            piece = str(item)
            self.charge(len(piece) + len(separator) + 1)
            pieces.append(piece)
        return separator.join(pieces)

    def _join_filter(self, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
        items = (self.getitem(item, attribute) for item in value) if attribute is not None else value
        return self._join(str(d), items)

    def _indent_filter(
        self, s: object, width: int | str = 4, first: object = False, blank: object = False
    ) -> str:
        text = str(s)
        margin = width if isinstance(width, str) else " " * min(width, 1000)
        self.charge(len(text) + (text.count("\n") + 1) * len(margin))
        head, *rest = text.split("\n")
        lines = [
            margin + head if first else head,
            *(margin + line if line or blank else line for line in rest),
        ]
        return "\n".join(lines)

    def _replace_filter(self, s: object, old: str, new: str, count: int | None = None) -> str:
        text = s if isinstance(s, str) else str(s)
        self._charge_replace(text, old, new)
        return text.replace(old, new, -1 if count is None else count)

    def _format_filter(self, value: object, *args: object, **named: object) -> str:
        self._check_format(str(value), named or args)
        return str(value) % (named or args)

    def _int_filter(self, value: object, default: int = 0, base: int = 10) -> int:
        if isinstance(value, str) and len(value) > _MAX_NUMBER_CHARS:
            return default
        return jinja2.filters.do_int(value, default, base)

    def _round_filter(self, value: float, precision: int = 0, method: Any = "common") -> float:
        return jinja2.filters.do_round(value, max(-_MAX_DECIMALS, min(precision, _MAX_DECIMALS)), method)

    def _trim_filter(self, value: object, chars: str | None = None) -> str:
        # A placeholder knows how to be stripped; all other values as Jinja does it.
        text = value if isinstance(value, str) else str(value)
        self._charge_comparisons(text, chars)
        stripped: str = self.charge_result(text.strip(chars))
        return stripped

    def _is_divisible(self, value: int, num: int) -> bool:
        self._check_number("%", value, num)
        return value % num == 0


class _GenerationTag(jinja2.ext.Extension):
    """``{% generation %}`` marks the answer for training; it has no effect here."""

    tags = {"generation"}  # noqa: RUF012  # Jinja declares it as an instance attribute

    def parse(self, parser: jinja2.parser.Parser) -> list[jinja2.nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _raise_exception(message: object) -> None:
    raise TemplateRefused(str(message)[:300].rstrip("."))


def tojson_filter(escape_json: Callable[[str], str], charge: Callable[[int], None]) -> Callable[..., str]:
    """Return a ``tojson`` filter as in transformers: without HTML or ASCII escapes."""

    def tojson(
        value: object,
        ensure_ascii: object = False,
        indent: int | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: object = False,
    ) -> str:
        indent = None if indent is None else max(0, min(int(indent), 16))
        encoder = json.JSONEncoder(
            ensure_ascii=bool(ensure_ascii),
            indent=indent,
            separators=separators,
            sort_keys=bool(sort_keys),
        )
        if indent is None:
            text = encoder.encode(value)
            charge(len(text))
            return escape_json(text)
        # Each line of a deep value is indented anew, so that it can be much longer than the value.
        pieces = []
        for piece in encoder.iterencode(value):
            charge(len(piece))
            pieces.append(piece)
        return escape_json("".join(pieces))

    return tojson
