"""Rewrite the TeX that people write for KaTeX and MathJax in the commands that the renderer knows. Pure.

The renderer takes everything within ``\\text`` literally and ends it at the first brace. So text is parsed
here, and replaced by a placeholder until the formula has been parsed.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

_FIRST_PLACEHOLDER = 0xF0000
_MAX_DEPTH = 8
"""Text within formulas within text."""
_SYMBOL_LIST = """
alef \\aleph|alefsym \\aleph|bull \\bullet|clubs \\clubsuit|diamonds \\diamondsuit|hearts \\heartsuit
spades \\spadesuit|cnums \\mathbb{C}|Complex \\mathbb{C}|C \\mathbb{C}|N \\mathbb{N}|natnums \\mathbb{N}
Q \\mathbb{Q}|R \\mathbb{R}|reals \\mathbb{R}|Reals \\mathbb{R}|Z \\mathbb{Z}|real \\Re|image \\Im
weierp \\wp|dag \\dagger|ddag \\ddagger|Dagger \\ddagger|empty \\emptyset|exist \\exists|infin \\infty
isin \\in|plusmn \\pm|sdot \\cdot|sub \\subset|sube \\subseteq|supe \\supseteq|thetasym \\vartheta
darr \\downarrow|dArr \\Downarrow|Darr \\Downarrow|uarr \\uparrow|uArr \\Uparrow|Uarr \\Uparrow
larr \\leftarrow|lArr \\Leftarrow|Larr \\Leftarrow|rarr \\rightarrow|rArr \\Rightarrow|Rarr \\Rightarrow
harr \\leftrightarrow|hArr \\Leftrightarrow|Harr \\Leftrightarrow|lrarr \\leftrightarrow
lrArr \\Leftrightarrow|Lrarr \\Leftrightarrow|doublecap \\Cap|doublecup \\Cup|lq `|rq '|copyright ©
bigm \\big|Bigm \\Big|biggm \\bigg|Biggm \\Bigg|newline \\\\|nobreak|allowbreak|displaylimits
nleqq ≦̸|nsupseteqq ⫆̸|shortparallel ∥|vcentcolon \\mathrel{:}|ratio \\mathrel{:}|dblcolon ∷
coloncolon ∷|colonequals ≔|coloncolonequals ⩴|equalscolon ≕|Eqqcolon ≕|Eqcolon ∹|colonminus ∹
mathellipsis \\ldots|textellipsis \\ldots|maltese ✠|minuso ⦵|varcoppa ϙ|yen ¥|degree °|checkmark ✓
Alpha \\mathrm{A}|Beta \\mathrm{B}|Epsilon \\mathrm{E}|Zeta \\mathrm{Z}|Eta \\mathrm{H}|Iota \\mathrm{I}
Kappa \\mathrm{K}|Mu \\mathrm{M}|Nu \\mathrm{N}|Omicron \\mathrm{O}|Rho \\mathrm{P}|Tau \\mathrm{T}
Chi \\mathrm{X}|Bra \\bra|Ket \\ket|KaTeX \\mathrm{KaTeX}|LaTeX \\mathrm{LaTeX}|TeX \\mathrm{TeX}
"""
_SYMBOLS = {
    name: command
    for name, _, command in (
        each.partition(" ") for each in _SYMBOL_LIST.strip().replace("\n", "|").split("|")
    )
}
"""Commands of KaTeX by others that mean the same."""
_TEXT_SYMBOL_LIST = (
    "AA Å aa å AE Æ ae æ O Ø o ø OE Œ oe œ ss ß i ı j ȷ S § P ¶ sect § dag † ddag ‡ degree ° pounds £ "
    "maltese ✠ ldots … dots … LaTeX LaTeX TeX TeX KaTeX KaTeX textdollar $ textdegree ° textregistered ® "
    "textsterling £ texteuro € textbar | textbardbl ‖ textless < textgreater > textunderscore _ "
    "textbackslash \\ textbraceleft { textbraceright } textasciitilde ~ textasciicircum ^ textdagger † "
    "textdaggerdbl ‡ textellipsis … textemdash — textendash – textquotedblleft “ textquotedblright ” "
    "textquoteleft ‘ textquoteright ’ copyright © quad \u2003 qquad \u2003 par \u2003 alpha α beta β gamma γ "
    "delta δ epsilon ε lambda λ mu μ pi π sigma σ omega ω Omega Ω Delta Δ times × cdot · pm ± to → "
    "rightarrow → leq ≤ le ≤ geq ≥ ge ≥ neq ≠ approx ≈ infty ∞"
)
_TEXT_SYMBOLS: dict[str, str] = dict(zip(*[iter(_TEXT_SYMBOL_LIST.split(" "))] * 2, strict=True))
_SWITCHES = frozenset({"rm", "it", "bf", "sf", "tt", "sl", "tiny", "small", "normalsize", "large", "Large"})
"""Other letters for the rest of a text, which are not needed to read it."""
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "r": "\u030a", "c": "\u0327",
}  # fmt: skip
_STYLES = {"rm": "", "normal": "", "up": "", "md": "", "sc": ""} | {s: s for s in ("bf", "it", "sf", "tt")}

_ARGUMENT = re.compile(
    r"\\(text(?:rm|normal|up|md|sc|bf|it|sf|tt)?|mbox|hbox|emph|ce|pu|tag\*?|operatorname\*?|[dt]?binom)\s*\{"
)
_OPENING = re.compile(r"\s*\{")
_SYMBOL = re.compile(r"\\([A-Za-z]+)")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_PAIRS = (("{", "}"), (r"\begin", r"\end"), (r"\left", r"\right"))
_PRIMES = re.compile(r"(?<!\^)('+)\s*\^\s*(\{[^{}]*\}|\\[A-Za-z]+|\w)")
_UNUSED = re.compile(
    r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])"
    r"|(?<=\{aligned\})\[[tbc]\]|(?<=\{array\})\[[tbc]\]|\\(?:big|Big|bigg|Bigg)[lrm]?\s*\.(?!\d)"
    r"|(?<=\\\\)\*?\s*\[\s*-?[\d.]+\s*(?:em|ex|pt|px|mm|cm|in|pc|mu)\s*\]"
)
"""What has no counterpart: labels, and the space between rows."""
_COLUMNS = re.compile(r"\\begin\s*\{array\}\s*\{([^{}]*)\}(?:\s*\\h(?:dash)?line(?![A-Za-z]))*")
_LAST_RULE = re.compile(r"(?:\\h(?:dash)?line\s*)+(?=\\end\s*\{array\})")
"""Rules around an array are not drawn, those within it are."""
_PERCENT = re.compile(r"(?<=\d)%")
"""Meant as a percent sign, not as the beginning of a comment."""
_BIG_BAR = re.compile(r"(\\(?:big|Big|bigg|Bigg)[lrm]?)\s*\\[lr]?(vert|Vert)(?![A-Za-z])")
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(equation|align|flalign|alignat|alignedat|gather|gathered|multline|eqnarray|dcases"
    r"|d?rcases|subarray|[pbBvV]matrix)\*?\}"
    r"((?<=alignat\})\{\d+\}|(?<=alignat\*\})\{\d+\}|(?<=alignedat\})\{\d+\})?"
)
_REPLACEMENTS = {
    "equation": ("", ""),
    "gather": (r"\begin{array}{c}", r"\end{array}"),
    "gathered": (r"\begin{array}{c}", r"\end{array}"),
    "multline": (r"\begin{array}{c}", r"\end{array}"),
    "eqnarray": (r"\begin{array}{rcl}", r"\end{array}"),
    "dcases": (r"\begin{cases}", r"\end{cases}"),
    "subarray": (r"\begin{array}", r"\end{array}"),
    "pmatrix": (r"\left(\begin{matrix}", r"\end{matrix}\right)"),
    "bmatrix": (r"\left[\begin{matrix}", r"\end{matrix}\right]"),
    "Bmatrix": (r"\left\{\begin{matrix}", r"\end{matrix}\right\}"),
    "vmatrix": (r"\left|\begin{matrix}", r"\end{matrix}\right|"),
    "Vmatrix": (r"\left\|\begin{matrix}", r"\end{matrix}\right\|"),
    "rcases": (r"\left.\begin{array}{ll}", r"\end{array}\right\}"),
    "drcases": (r"\left.\begin{array}{ll}", r"\end{array}\right\}"),
}
"""Begin and end of the replacements of environments that number equations or that the renderer lacks."""
_ALIGNED = (r"\begin{aligned}", r"\end{aligned}")
_PIECE = re.compile(
    r"\$(?P<math>(?:[^$\\]|\\.)*)\$|\\\((?P<parens>.*?)\\\)"
    r"|\\(?:text(?P<style>rm|normal|up|md|sc|bf|it|sf|tt)|(?P<emph>emph))\s*\{"
    r"|\\(?P<accent>['`^\"~=.]|[uvHrc](?![A-Za-z]))\s*(?:\{(?P<base>\\[ij]|\w?)\}|(?P<letter>\\[ij]|\w))"
    r"|\\(?P<name>[A-Za-z]+)\s?|\\(?P<escaped>.)|(?P<other>---|--|``|''|[{}~`']|[^\\{}$~`'-]+|.)",
    re.DOTALL,
)
_OTHER = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "~": "\xa0", "{": "", "}": ""}

_ESCAPED = {",": "\u2009", ";": "\u2005", ":": "\u2005", "!": "", "\\": " "}


class UnknownText(Exception):
    """Text has a command that is not known."""


class Rewritten(msgspec.Struct, frozen=True, kw_only=True):
    """TeX for the renderer, with a placeholder for each of its texts."""

    tex: str
    texts: dict[str, str]
    """Texts by their placeholders, which are single characters."""


def rewrite(tex: str) -> Rewritten:
    """Return ``tex`` in the renderer's dialect.

    Raises ``UnknownText``.
    """
    if any(ord(char) >= _FIRST_PLACEHOLDER for char in tex):
        raise UnknownText(tex[:80])
    texts: dict[str, str] = {}
    return Rewritten(tex=_rewritten(_with_rows(tex), texts, 0), texts=texts)


def _with_rows(tex: str) -> str:
    """Return ``tex`` with a row for each of the formulas that blank lines separate."""
    rows = [row.strip().removesuffix("\\\\") for row in _BLANK_LINES.split(tex.strip())]
    if len(rows) == 1 or any(row.count(a) != row.count(b) for row in rows for a, b in _PAIRS):
        return tex
    return r"\begin{gathered}" + r" \\ ".join(rows) + r"\end{gathered}"


def with_known_environments(tex: str) -> str:
    """Return ``tex`` with environments that the renderer supports, without numbered equations."""

    def replaced(match: re.Match[str]) -> str:
        if match[0].endswith("matrix*}"):  # with an alignment
            return match[0]
        return _REPLACEMENTS.get(match[2], _ALIGNED)[match[1] == "end"]

    return _ENVIRONMENT.sub(replaced, tex)


def _rewritten(tex: str, texts: dict[str, str], depth: int) -> str:
    if depth > _MAX_DEPTH:
        raise UnknownText(tex[:80])
    out: list[str] = []
    done = 0
    while (match := _ARGUMENT.search(tex, done)) is not None:
        end = _closing_brace(tex, match.end())
        out.append(_commands(tex[done : match.start()]))
        content, done = tex[match.end() : end], end + 1
        if match[1].endswith("binom") and (second := _OPENING.match(tex, done)) is not None:
            end = _closing_brace(tex, second.end())
            above, below = (_rewritten(each, texts, depth + 1) for each in (content, tex[second.end() : end]))
            out.append(rf"{{\left({{{{{above}}} \atop {{{below}}}}}\right)}}")
            done = end + 1
        else:
            out.append(_with_argument(match[1], content, texts, depth + 1))
    out.append(_commands(tex[done:]))
    return "".join(out)


def _commands(tex: str) -> str:
    tex = _PRIMES.sub(lambda match: "^{" + r"\prime" * len(match[1]) + f" {match[2]}}}", _UNUSED.sub("", tex))
    tex = with_known_environments(_PERCENT.sub(r"\\%", tex))
    tex = _COLUMNS.sub(lambda match: rf"\begin{{array}}{{{_columns(match[1])}}}", tex)
    tex = _LAST_RULE.sub("", tex)
    tex = _BIG_BAR.sub(lambda match: match[1] + ("|" if match[2] == "vert" else "‖"), tex)
    return _SYMBOL.sub(lambda match: _SYMBOLS.get(match[1], match[0]), tex)


def _columns(specification: str) -> str:
    """Return the columns of an array with the rules between them."""
    return re.sub(r"\|+", "|", re.sub(r"[^lcr|]", "", specification.replace(":", "|"))).strip("|") or "c"


def _with_argument(command: str, content: str, texts: dict[str, str], depth: int) -> str:
    match command:
        case "ce":
            return f"{{{_rewritten(tex_of_reaction(content), texts, depth)}}}"
        case "pu":
            return f"{{{_rewritten(tex_of_quantity(content), texts, depth)}}}"
        case "tag":
            return rf"\qquad {_text(f'({content})', '', texts, depth)}"
        case "tag*":
            return rf"\qquad {_text(content, '', texts, depth)}"
        case "operatorname" | "operatorname*":
            name = re.sub(r"\\[,;: ]|~", " ", content).strip()
            if re.fullmatch(r"[A-Za-z\s]+", name):
                return rf"\{command}{{{name}}}"
            return rf"\,{_text(name.replace('-', '‐'), '', texts, depth)}\,"
        case "emph":
            return _text(content, "it", texts, depth)
        case _:
            return _text(content, _STYLES.get(command.removeprefix("text"), ""), texts, depth)


def _text(content: str, style: str, texts: dict[str, str], depth: int) -> str:
    """Return the TeX of text in a style, which may have formulas and text in other styles."""
    if depth > _MAX_DEPTH:
        raise UnknownText(content[:80])
    out: list[str] = []
    run: list[str] = []

    def end_run() -> None:
        if text := re.sub(r"[ \n\t]+", " ", "".join(run)):
            placeholder = chr(_FIRST_PLACEHOLDER + len(texts))
            texts[placeholder] = text.replace(" ", "\xa0")
            out.append(rf"\text{style}{{{placeholder}}}")
        run.clear()

    position = 0
    while (match := _PIECE.match(content, position)) is not None and match.end() > position:
        position = match.end()
        formula = match["math"] if match["math"] is not None else match["parens"]
        if formula is not None:
            end_run()
            out.append(f"{{{_rewritten(formula, texts, depth + 1)}}}")
        elif match["style"] is not None or match["emph"] is not None:
            end_run()
            end = _closing_brace(content, position)
            inner = _STYLES[match["style"] or "it"]
            out.append(_text(content[position:end], inner, texts, depth + 1))
            position = end + 1
        else:
            run.append(_character(match))
    end_run()
    return "".join(out) if len(out) == 1 else f"{{{''.join(out)}}}"


def _character(match: re.Match[str]) -> str:
    if match["accent"] is not None:
        base = (match["base"] or match["letter"] or " ").removeprefix("\\")
        return unicodedata.normalize("NFC", base + _ACCENTS[match["accent"]])
    if match["name"] is not None:
        if match["name"] in _SWITCHES:
            return ""
        if match["name"] not in _TEXT_SYMBOLS:
            raise UnknownText(match["name"])
        return _TEXT_SYMBOLS[match["name"]]
    if match["escaped"] is not None:
        return _ESCAPED.get(match["escaped"], match["escaped"])
    return _OTHER.get(match["other"], match["other"])


def _closing_brace(tex: str, start: int) -> int:
    """Return the position of the brace that closes the one before ``start``.

    Raises ``UnknownText`` if there is none.
    """
    depth = 1
    position = start
    while position < len(tex):
        char = tex[position]
        if char == "\\":
            position += 1
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if depth == 0:
                return position
        position += 1
    raise UnknownText(tex[start : start + 80])


# Write the chemistry of ``mhchem`` as TeX: ``\ce{2 H2 + O2 -> 2 H2O}`` and ``\pu{8.3 J//mol K}``. Pure.
#
# What is usual is understood; what is not stays as it was written. Source of the notation:
# https://mhchem.github.io/MathJax-mhchem/


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
