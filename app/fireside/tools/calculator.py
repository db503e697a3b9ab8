"""The calculator tool: evaluates one expression, without loops and within limits of time and memory."""

from __future__ import annotations

import ast
import math
import operator
import statistics
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from fireside.core.tools import Permission
from fireside.tools.tool import RunnableTool, ToolFailed

_MAX_CHARS: Final = 1_000
_MAX_BITS: Final = 13_000
"""Of an integer: 3,900 digits."""
_MAX_COMBINATORIC: Final = 2_000
_MAX_FACTORIAL: Final = 1_200
_TOO_LARGE: Final = "a number is too large"

Number = int | float


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    expression: str


def calculator_tool() -> RunnableTool[_Arguments]:
    """Return the tool. Its evaluator is imported at the first call."""
    return RunnableTool(
        "calculator",
        description="Computes an expression in Python's notation: + - * / // % **, comparisons, lists, math "
        "functions, sum, mean, median, stdev, round. Example: round(mean([3, 4.5]) * 2 ** 10, 2)",
        arguments=_Arguments,
        run=_run,
        permission=Permission.ALWAYS,
    )


async def _run(arguments: _Arguments) -> str:
    import simpleeval

    text = arguments.expression.strip().translate(_SIGNS)
    if len(text) > _MAX_CHARS:
        raise ToolFailed(f"expression: {_MAX_CHARS} characters are possible, this has {len(text)}.")
    evaluator = simpleeval.EvalWithCompoundTypes(
        operators=_OPERATORS, functions=dict(_FUNCTIONS), names=dict(_NAMES)
    )
    evaluator.nodes = {kind: function for kind, function in evaluator.nodes.items() if kind in _NODES}
    try:
        return _formatted(evaluator.eval(text, previously_parsed=_parse(text)))
    except (simpleeval.InvalidExpression, SyntaxError, TypeError, ValueError, ArithmeticError) as exc:
        raise ToolFailed(f"Cannot compute this: {str(exc).rstrip('.')}.") from exc
    except (RecursionError, MemoryError) as exc:
        raise ToolFailed("Cannot compute this: it is nested too deeply.") from exc


def _parse(text: str) -> ast.expr:
    """Return the expression in ``text``. Raises ``ToolFailed`` for string literals, and for ``^``, which is
    meant as power and would be evaluated as exclusive or."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.BitXor):
            raise ToolFailed("Cannot compute this: powers are written **, not ^.")
        if isinstance(node, ast.Constant) and not isinstance(node.value, int | float):
            raise ToolFailed("Cannot compute this: only numbers are possible, no text.")
    return tree.body


def _formatted(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_formatted, value))}]"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _number(value: object) -> Number:
    if not isinstance(value, int | float):
        raise TypeError("there is no real result, or a list stands where a number is needed")
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise ValueError(_TOO_LARGE)
    return value


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Number]:
    """Wrap ``work`` so that it accepts and returns only numbers."""
    return lambda *values: _number(function(*map(_number, values)))


def _of_list(function: Callable[[list[Number]], Any]) -> Callable[..., Number]:
    """Wrap ``work`` so that it accepts numbers as arguments, or as a list."""

    def run(*values: Any) -> Number:
        numbers = values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values
        return _number(function([_number(value) for value in numbers]))

    return run


def _power(base: Number, exponent: Number) -> Any:
    are_integers = isinstance(base, int) and isinstance(exponent, int)
    if are_integers and abs(base) > 1 and abs(exponent) * int(base).bit_length() > 2 * _MAX_BITS:
        raise ValueError(_TOO_LARGE)
    return base**exponent


def _round(value: Number, n_digits: int = 0) -> Number:
    if abs(n_digits) > 300:
        raise ValueError("digits: 300 are possible")
    return round(value, n_digits) if n_digits else round(value)


def _bounded(function: Callable[..., int], *, limit: int) -> Callable[..., int]:
    def run(*values: int) -> int:
        if any(value > limit for value in values):
            raise ValueError(_TOO_LARGE)
        return function(*values)

    return run


_SIGNS: Final = str.maketrans({"×": "*", "÷": "/", "−": "-"})
_NODES: Final = (
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.List,
    ast.Name,
    ast.UnaryOp,
)
_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: _of_numbers(operator.add),
    ast.Sub: _of_numbers(operator.sub),
    ast.Mult: _of_numbers(operator.mul),
    ast.Div: _of_numbers(operator.truediv),
    ast.FloorDiv: _of_numbers(operator.floordiv),
    ast.Mod: _of_numbers(operator.mod),
    ast.Pow: _of_numbers(_power),
    ast.USub: _of_numbers(operator.neg),
    ast.UAdd: _of_numbers(operator.pos),
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_NAMES: Final = {"pi": math.pi, "e": math.e, "tau": math.tau, "True": True, "False": False}
_SCALAR_FUNCTIONS: Final = (
    *(math.sqrt, math.cbrt, math.exp, math.log, math.log2, math.log10, math.floor, math.ceil, math.trunc),
    *(math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2, math.sinh, math.cosh),
    *(math.tanh, math.degrees, math.radians, math.hypot, math.gcd, math.lcm, math.fabs, math.isqrt),
)
_FUNCTIONS: Final[Mapping[str, Callable[..., Number]]] = {
    **{function.__name__: _of_numbers(function) for function in _SCALAR_FUNCTIONS},
    "abs": _of_numbers(abs),
    "int": _of_numbers(int),
    "float": _of_numbers(float),
    "pow": _of_numbers(_power),
    "round": _of_numbers(_round),
    "factorial": _of_numbers(_bounded(math.factorial, limit=_MAX_FACTORIAL)),
    "comb": _of_numbers(_bounded(math.comb, limit=_MAX_COMBINATORIC)),
    "perm": _of_numbers(_bounded(math.perm, limit=_MAX_COMBINATORIC)),
    "sum": _of_list(sum),
    "min": _of_list(min),
    "max": _of_list(max),
    "len": _of_list(len),
    "mean": _of_list(statistics.mean),
    "median": _of_list(statistics.median),
    "stdev": _of_list(statistics.stdev),
    "variance": _of_list(statistics.variance),
}
