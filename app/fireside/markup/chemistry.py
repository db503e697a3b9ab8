"""Write the chemistry of ``mhchem`` as TeX: ``\\ce{2 H2 + O2 -> 2 H2O}`` and ``\\pu{8.3 J//mol K}``. Pure.

What is usual is understood; what is not stays as it was written. Source of the notation:
https://mhchem.github.io/MathJax-mhchem/
"""

from __future__ import annotations

import re

_ARROWS = {
    "<=>>": "rightleftharpoons",
    "<<=>": "rightleftharpoons",
    "<-->": "rightleftarrows",
    "<=>": "rightleftharpoons",
    "<->": "leftrightarrow",
    "->": "rightarrow",
    "<-": "leftarrow",
    "→": "rightarrow",
    "⟶": "rightarrow",
    "⇌": "rightleftharpoons",
    "↔": "leftrightarrow",
}
_BONDS = {"-": r"\text{--}", "−": r"\text{--}", "=": r"\text{=}", "#": r"\text{≡}"}
_ADDITIONS = frozenset("*·.")
"""Between a salt and its water."""
_BOND_NAMES = {"1": "-", "2": "=", "3": "#"}
_PART = re.compile(
    rf"\s*(?P<arrow>{'|'.join(map(re.escape, _ARROWS))})"
    r"(?P<labels>(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]){0,2})\s*"
    r"|\s+(?P<phase>\^|v|\(\^\)|\(v\))(?=\s|$)"
    r"|\s+(?P<operator>[+\-−=])\s+"
    r"|\((?P<state>aq|s|l|g|cr|am|conc)\)"
    r"|\$(?P<math>[^$]*)\$"
    r"|(?P<command>\\(?:[A-Za-z]+\s?|.))(?P<arguments>(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)"
    r"|(?P<script>[\^_])(?:\{(?P<braced>(?:[^{}]|\{[^{}]*\})*)\}|\$(?P<formal>[^$]*)\$"
    r"|(?P<bare>(?:\d+|[A-Za-z](?![a-z]))(?:[+\-−](?![A-Za-z]))?|[+\-−.•*]))"
    r"|\{(?P<text>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|(?P<number>\d+(?:[.,]\d+)?(?:/\d+)?)"
    r"|(?P<atoms>[A-Za-zα-ωΑ-Ω]+)|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_AMOUNT = re.compile(
    r"(?P<half>\(\d+/\d+\)|(?:\d+|[a-z])/\d+)\s*|(?P<count>\d+(?:[.,]\d+)?)\s*|(?P<letter>[a-z])\s*(?=[A-Z(\[])"
)
"""How many molecules, before one."""
_INDEX = re.compile(r"\d+")
_LABEL = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_GROUP = re.compile(r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_UNIT = re.compile(
    r"(?P<number>[+\-]?[\d.,]*\d(?:\(\d+\))?)(?:\s*[eE](?P<power>[+\-]?\d+))?"
    r"|(?P<per>\s*//\s*)|(?P<slash>\s*/\s*)|(?P<dot>\s*[*·.]\s*)|(?P<space>\s+)|(?P<command>\\[A-Za-z]+\s?)"
    r"|(?P<name>[^\d\s^*·./{}\\+\-]+)(?:\^?\{?(?P<exponent>[+\-]?\d+)\}?)?|(?P<other>.)"
)


def tex_of_reaction(content: str) -> str:
    """Return the TeX of what stands in ``\\ce{…}``."""
    content = content.strip()
    out: list[str] = []
    position, is_start, has_base = 0, True, False
    while position < len(content):
        if has_base and (index := _INDEX.match(content, position)) is not None:
            out.append(f"_{{{index[0]}}}")
            position = index.end()
            continue
        if is_start and (amount := _AMOUNT.match(content, position)) is not None:
            out.append(_amount(amount))
            position, is_start = amount.end(), False
            continue
        part = _PART.match(content, position)
        assert part is not None, "the last alternative matches any character"
        position = part.end()
        out.append(_part(part, has_base=has_base))
        is_start = bool(part["arrow"] or part["operator"]) or part["other"] in _ADDITIONS
        is_closed = part["other"] in {")", "]"} or part["command"] == r"\}"
        has_base = is_closed or any(part[kind] for kind in ("atoms", "script", "text", "math"))
    return "".join(out)


def _amount(match: re.Match[str]) -> str:
    if (half := match["half"]) is not None:
        if half.startswith("("):
            return rf"{half}\,"
        return rf"\tfrac{{{half.partition('/')[0]}}}{{{half.partition('/')[2]}}}\,"
    return rf"{match['count'] or match['letter']}\,"


def _part(part: re.Match[str], *, has_base: bool) -> str:
    if part["arrow"] is not None:
        return _arrow(part["arrow"], _LABEL.findall(part["labels"]))
    if part["phase"] is not None:
        return r"\downarrow " if "v" in part["phase"] else r"\uparrow "
    if part["operator"] is not None:
        return f" {part['operator']} "
    if part["state"] is not None:
        return rf"(\mathrm {{{part['state']}}})"
    if part["math"] is not None:
        return f"{{{part['math']}}}"
    if part["command"] is not None:
        arguments = _GROUP.findall(part["arguments"])
        if part["command"].strip() == r"\ca":
            return r"{\sim}"
        if part["command"] == r"\bond":
            bond = "".join(arguments)
            return _BONDS.get(_BOND_NAMES.get(bond, bond), rf"\text{{{bond.replace('~', '∼')}}}")
        if part["command"].strip() in {r"\frac", r"\underset", r"\overset"}:
            return part["command"] + "".join(f"{{{tex_of_reaction(each)}}}" for each in arguments)
        return part["command"] + part["arguments"]
    return _molecule(part, has_base=has_base)


def _molecule(part: re.Match[str], *, has_base: bool) -> str:
    if part["script"] is not None:
        content = (part["braced"] or part["formal"] or part["bare"] or "").replace("$", "")
        if part["formal"] is None and "$" not in (part["braced"] or "") and "\\" not in content:
            content = re.sub(r"[A-Za-z]+", lambda match: rf"\mathrm {{{match[0]}}}", content)
        return f"{'' if has_base else '{}'}{part['script']}{{{content}}}"
    if part["text"] is not None:
        return rf"\text{{{part['text']}}}"
    if part["number"] is not None:
        return part["number"]
    if part["atoms"] is not None:
        return rf"\mathrm {{{part['atoms']}}}"
    if part["space"] is not None:
        return r"\ "
    other = part["other"]
    is_last = part.end() == len(part.string) or part.string[part.end()] in " )]},;[("
    if other in {"+", "-", "−"} and has_base and is_last:
        return f"^{{{other}}}"
    return r"{\cdot}" if other in _ADDITIONS else _BONDS.get(other, other)


def _arrow(arrow: str, labels: list[str]) -> str:
    above, below = (tex_of_reaction(label) for label in [*labels, "", ""][:2])
    command = "longrightarrow" if _ARROWS[arrow] == "rightarrow" else _ARROWS[arrow]
    if not above and not below:
        return rf"\ \{command}\ "
    return (
        rf"\ \underset{{{below}}}{{\overset{{{above}}}{{\{command}}}}}\ "
        if below
        else (rf"\ \overset{{{above}}}{{\{command}}}\ ")
    )


def tex_of_quantity(content: str) -> str:
    """Return the TeX of what stands in ``\\pu{…}``: a number with its unit."""
    out: list[str] = []
    for match in _UNIT.finditer(content.strip()):
        if match["per"] is not None:
            out = [r"\frac{", *out, "}{"]
        elif match["slash"] is not None:
            out.append("/")
        elif match["dot"] is not None:
            out.append(r"{\cdot}")
        elif match["space"] is not None:
            out.append(r"\,")
        elif match["number"] is not None:
            power = match["power"]
            out.append(match["number"].replace(",", "{,}") + (rf"\cdot 10^{{{power}}}" if power else ""))
        elif match["name"] is not None:
            exponent = match["exponent"]
            out.append(rf"\mathrm {{{match['name']}}}" + (f"^{{{exponent}}}" if exponent else ""))
        else:
            out.append(match["command"] or match["other"])
    return "".join(out) + "}" * out.count("}{")
