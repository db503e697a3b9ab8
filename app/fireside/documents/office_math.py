"""Formulas of Office documents (OMML, ECMA-376 Part 1, 22.1) on one line: ``x=(-b±√(b^2-4ac))/(2a)``."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.archive import XmlReader

FORMULA: Final = "oMath"
_ATOM: Final = re.compile(r"\d+(?:\.\d+)?|\w?[\u0300-\u036f\u20d0-\u20ff]*|[^\w\s(]", re.UNICODE)
_PROPERTIES: Final = frozenset({"begChr", "endChr", "sepChr", "chr", "type", "pos", "degHide", "show"})
_OFF: Final = ("0", "off", "false")


class _Node(msgspec.Struct):
    tag: str
    properties: dict[str, str] = {}
    parts: list[tuple[str, str]] = []
    """The elements within that have a text, with it."""

    def part(self, tag: str) -> str:
        """Return the text of one kind of element within."""
        return "".join(text for kind, text in self.parts if kind == tag)

    def each(self, tag: str) -> list[str]:
        """Return the texts of the elements of a kind."""
        return [text for kind, text in self.parts if kind == tag]


class Formula(XmlReader):
    """Takes what is within one formula; ``text`` is complete at its end."""

    def __init__(self) -> None:
        self._stack = [_Node(FORMULA)]
        self._is_text = False

    @property
    def text(self) -> str:
        """The formula on one line."""
        return " ".join("".join(text for _, text in self._stack[0].parts).split())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _PROPERTIES and len(self._stack) > 1:
            self._stack[-2].properties[tag] = attributes.get("val", "")
        self._is_text = tag == "t"
        self._stack.append(_Node(tag))

    def end(self, tag: str) -> None:
        del tag
        self._is_text = False
        if len(self._stack) > 1:
            node = self._stack.pop()
            if not node.tag.endswith("Pr") and (text := _linear(node)):
                self._stack[-1].parts.append((node.tag, text))

    def characters(self, text: str) -> None:
        if self._is_text:
            self._stack[-1].parts.append(("", text))


def _linear(node: _Node) -> str:
    """Return an element on one line."""
    base, sub, sup = node.part("e"), node.part("sub"), node.part("sup")
    match node.tag:
        case "f":
            bar = "¦" if node.properties.get("type") == "noBar" else "/"
            return f"{_grouped(node.part('num'))}{bar}{_grouped(node.part('den'))}"
        case "sSup" | "sSub" | "sSubSup":
            return _grouped(base) + _scripts(sub, sup)
        case "sPre":
            return f"{_scripts(sub, sup)} {_grouped(base)}"
        case "nary":
            return f"{node.properties.get('chr', '∫')}{_scripts(sub, sup)} {base}"
        case "rad":
            degree = "" if node.properties.get("degHide", "0") not in _OFF else node.part("deg")
            return f"√[{degree}]({base})" if degree else f"√({base})"
        case "d":
            between = node.properties.get("sepChr", "|")
            inner = f"{between}".join(node.each("e"))
            return node.properties.get("begChr", "(") + inner + node.properties.get("endChr", ")")
        case "func":
            name = node.part("fName")
            return name + base if base.startswith("(") else f"{name} {base}"
        case "limLow" | "limUpp":
            limit = node.part("lim")
            return _grouped(base) + (_scripts(limit, "") if node.tag == "limLow" else _scripts("", limit))
        case "acc":
            return _grouped(base) + node.properties.get("chr", "\u0302")
        case "bar":
            return _grouped(base) + ("\u0305" if node.properties.get("pos") == "top" else "\u0332")
        case "m":
            return "[" + "; ".join(node.each("mr")) + "]"
        case "mr":
            return ", ".join(node.each("e"))
        case "eqArr":
            return "; ".join(node.each("e"))
        case _:
            return "".join(text for _, text in node.parts)


def _scripts(sub: str, sup: str) -> str:
    return (f"_{_grouped(sub)}" if sub else "") + (f"^{_grouped(sup)}" if sup else "")


def _grouped(text: str) -> str:
    """Return what is one thing as it is, and all else in brackets."""
    if _ATOM.fullmatch(text) or _is_bracketed(text) or (text.isalpha() and _is_function(text)):
        return text
    return f"({text})"


def _is_function(text: str) -> bool:
    return text in ("sin", "cos", "tan", "cot", "log", "ln", "exp", "lim", "max", "min", "det", "sup", "inf")


def _is_bracketed(text: str) -> bool:
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if not depth:
            return index == len(text) - 1
    return False
