"""Artifacts: what an answer holds that is a thing of its own, recognised by its form, and its versions. Pure.

A block of code, however it is labelled, is an artifact if it is whole and large enough to be opened beside
the chat. Nothing that a model is told decides it: the same rules serve models that know none of this.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.ids import MessageId

MAX_ARTIFACT_CHARS: Final = 4_000_000
"""Longer text stays in its answer."""
_MIN_CODE_LINES: Final = 15
"""Lines with text from which code is a thing of its own; fewer are an example within an explanation."""
_MIN_NAMED_LINES: Final = 4
"""The same for a block that names its file."""
_MIN_FRAGMENT_LINES: Final = 12
"""The same for HTML that is no whole document."""
_MIN_DOCUMENT_LINES: Final = 6
_MIN_ROWS: Final = 3
"""Of a table, with its head."""
_MIN_UNTAGGED_ROWS: Final = 4
_N_SNIFFED_ROWS: Final = 200
_MAX_SNIFFED_JSON: Final = 1_000_000
"""Characters of JSON that is parsed to see whether it is a chart."""
_MAX_NAME: Final = 120
_MAX_INFO: Final = 400
_ALIKE: Final = 0.5
"""Share of the lines from which a text is a version of another one."""
_N_COMPARED: Final = 20
"""The latest artifacts of its kind with which a text is compared."""
_MIN_PIECE: Final = 6
_PIECE_ENDS: Final = re.compile(r"[\n>;]+")


class ArtifactKind(StrEnum):
    """What an artifact is, which decides its preview and the files that it can become."""

    HTML = "html"
    SVG = "svg"
    MARKDOWN = "markdown"
    MERMAID = "mermaid"
    VEGA_LITE = "vega-lite"
    CSV = "csv"
    CODE = "code"


_KINDS: Final = {
    **dict.fromkeys(("html", "htm", "xhtml"), ArtifactKind.HTML),
    "svg": ArtifactKind.SVG,
    **dict.fromkeys(("markdown", "md", "mdx"), ArtifactKind.MARKDOWN),
    **dict.fromkeys(("mermaid", "mmd"), ArtifactKind.MERMAID),
    **dict.fromkeys(("vega-lite", "vegalite", "vega_lite", "vl"), ArtifactKind.VEGA_LITE),
    **dict.fromkeys(("csv", "tsv"), ArtifactKind.CSV),
}
_KIND_ENDS: Final = {
    ArtifactKind.HTML: "html",
    ArtifactKind.SVG: "svg",
    ArtifactKind.MARKDOWN: "md",
    ArtifactKind.MERMAID: "mmd",
    ArtifactKind.VEGA_LITE: "vl.json",
}
_UNTAGGED: Final = frozenset({"", "text", "txt", "plain", "plaintext", "none"})
_MARKUP: Final = frozenset({"xml", "html", "htm", "xhtml", "svg", "jsx"})
_LOGS = (
    "console shell-session shellsession session terminal output stdout log logs diff patch http ansi ascii"
    " tree http-request http-response pycon pytb traceback math latex-math tool_code tool_output"
)
_NO_CODE: Final = _UNTAGGED | frozenset(_LOGS.split())
"""Languages of blocks that show what happened, and are no code to keep."""

_EXTENSION_PAIRS = (
    "python=py py=py python3=py javascript=js js=js jsx=jsx typescript=ts ts=ts tsx=tsx html=html css=css"
    " scss=scss json=json jsonc=json yaml=yaml yml=yaml toml=toml ini=ini xml=xml svg=svg markdown=md md=md"
    " bash=sh sh=sh shell=sh zsh=sh console=sh powershell=ps1 ps1=ps1 bat=bat batch=bat c=c cpp=cpp c++=cpp"
    " h=h hpp=hpp csharp=cs c#=cs cs=cs java=java kotlin=kt kt=kt swift=swift go=go golang=go rust=rs rs=rs"
    " ruby=rb rb=rb php=php perl=pl lua=lua r=r julia=jl scala=scala haskell=hs elixir=ex dart=dart"
    " sql=sql graphql=graphql latex=tex tex=tex diff=diff patch=diff csv=csv vue=vue svelte=svelte zig=zig"
    " mermaid=mmd mmd=mmd tsv=tsv jsonl=jsonl nginx=conf conf=conf hcl=tf tf=tf astro=astro txt=txt cfg=cfg"
    " nim=nim fortran=f90 matlab=m objective-c=m clojure=clj lisp=lisp ocaml=ml fsharp=fs proto=proto"
)
_EXTENSIONS = dict(pair.rsplit("=", 1) for pair in _EXTENSION_PAIRS.split())
_NAMES = {"dockerfile": "Dockerfile", "docker": "Dockerfile", "makefile": "Makefile", "make": "Makefile"}
_ENDS: Final = frozenset((*_EXTENSIONS, *_EXTENSIONS.values()))
_FILE = r"[\w@~.+/\\-]*[\w)-]\.([A-Za-z][A-Za-z0-9]{0,9})"
_FILE_NAME = re.compile(_FILE)
_ATTRIBUTE = re.compile(
    r"""\b(?:title|filename|file|name|path)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))""", re.IGNORECASE
)
_LINE_ABOVE = re.compile(
    rf"(?:(?:#+|[*+-]|\d+[.)])\s+)?(?:file(?:\s*name)?:\s*)?[*_`\"“(\[]*({_FILE})[*_`\"”)\]:]*", re.IGNORECASE
)
_FIRST_COMMENT = re.compile(
    rf"(?:#!.*\n)?(?:#|//|--|;|%|/\*+|<!--)\s*(?:file(?:\s*name)?:\s*)?({_FILE})\s*(?:\*/|-->)?\s*(?:\n|$)",
    re.IGNORECASE,
)
_TAG_TITLE = re.compile(r"<title[^<>]*>([^<]+)</title>", re.IGNORECASE)
_TITLES: Final = {
    ArtifactKind.HTML: _TAG_TITLE,
    ArtifactKind.SVG: _TAG_TITLE,
    ArtifactKind.MARKDOWN: re.compile(r"^# (.+)$", re.MULTILINE),
    ArtifactKind.MERMAID: re.compile(r"^[ \t]*(?:title:?|accTitle:|pie title) (.+)$", re.MULTILINE),
}
_N_HEAD: Final = 20_000
"""Characters from the beginning of a text that tell what it is and what its title is."""

_COMMENTS = r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*"
_SVG = re.compile(rf"{_COMMENTS}(?:<!DOCTYPE\s+svg[^>]*>\s*)?<svg[\s>]", re.IGNORECASE | re.DOTALL)
_HTML = re.compile(rf"{_COMMENTS}(?:<!DOCTYPE\s+html\b|<html[\s>])", re.IGNORECASE | re.DOTALL)
_HTML_PARTS = re.compile(r"<(?:body|head|script|style|main|canvas)[\s>]", re.IGNORECASE)
_TAG = re.compile(r"<[a-z][a-z0-9-]*[\s>/]", re.IGNORECASE)
_HEADINGS = re.compile(r"(?:^|\n\n)#{1,3} +\S[^\n]*\n(?=\n|[*+-] |\d+\. |\|)")
"""Of a document: a comment of a program seldom stands between empty lines or above a list, let alone two."""
_MERMAID = re.compile(
    r"\s*(?:---\n.*?\n---\s*\n)?(?:%%[^\n]*\n\s*)*(?:(?:graph|flowchart)\s+(?:TB|TD|BT|RL|LR)\b|sequenceDiagram\b"
    r"|classDiagram\b|stateDiagram(?:-v2)?\b|erDiagram\b|gantt\b|pie\b(?:\s+showData|\s+title|\s*\n)|mindmap\s*\n"
    r"|timeline\s*\n|gitGraph\b|journey\s*\n|quadrantChart\b|xychart-beta\b|sankey-beta\b|requirementDiagram\b"
    r"|C4\w+\s*\n|block-beta\b|packet-beta\b|architecture-beta\b|kanban\s*\n)",
    re.DOTALL,
)
_VEGA_LITE = re.compile(r'"\$schema"\s*:\s*"[^"]*/vega-lite/')


def artifact_kind(info: str, text: str) -> ArtifactKind | None:
    """Return what a block of code is, or ``None`` if it is a part of its answer and no thing of its own.

    Args:
        info: what the first line of the fence says: a language, and whatever follows.
        text: the code.
    """
    if not text.strip() or len(text) > MAX_ARTIFACT_CHARS:
        return None
    language = language_of(info)
    kind = _kind(language, text)
    is_named = bool(_named_in(info))
    return kind if kind is not None and _is_whole(kind, language, text, is_named=is_named) else None


def language_of(info: str) -> str:
    """Return the language that a fence names, in lower case, without a file name that it names instead or
    besides: ``python`` of ``python:src/app.py``, ``py`` of ``app.py``."""
    word = (info[:_MAX_INFO].split() or [""])[0].partition("{")[0]
    language, _, rest = word.partition(":")
    if "=" in word:
        return ""
    if not rest and (match := _FILE_NAME.fullmatch(language)) is not None:
        return match[1].lower()
    return language.lower()


def _kind(language: str, text: str) -> ArtifactKind | None:
    if language in _MARKUP | _UNTAGGED:
        if _SVG.match(text[:_N_HEAD]):
            return ArtifactKind.SVG
        if _HTML.match(text[:_N_HEAD]):
            return ArtifactKind.HTML
    if language in ("json", "jsonc", "") and _is_vega_lite(text):
        return ArtifactKind.VEGA_LITE
    if (kind := _KINDS.get(language)) is not None:
        return kind
    if language in _UNTAGGED:
        if _MERMAID.match(text[:_N_HEAD]):
            return ArtifactKind.MERMAID
        if len(_HEADINGS.findall(text[:_N_HEAD])) > 1:
            return ArtifactKind.MARKDOWN
        return ArtifactKind.CSV if _is_table(text, n_rows=_MIN_UNTAGGED_ROWS, n_columns=3) else None
    return None if language in _NO_CODE else ArtifactKind.CODE


def _is_whole(kind: ArtifactKind, language: str, text: str, *, is_named: bool) -> bool:
    """Return whether a block is complete, and large enough to stand for itself."""
    n_lines = sum(1 for line in text.split("\n") if line.strip())
    match kind:
        case ArtifactKind.SVG:
            return _SVG.match(text[:_N_HEAD]) is not None and text.rstrip().lower().endswith("</svg>")
        case ArtifactKind.HTML:
            if _HTML.match(text[:_N_HEAD]) is not None:
                return True
            is_page = _HTML_PARTS.search(text) is not None
            return _TAG.search(text) is not None and (
                n_lines >= _MIN_FRAGMENT_LINES or ((is_named or is_page) and n_lines >= _MIN_DOCUMENT_LINES)
            )
        case ArtifactKind.MARKDOWN:
            return n_lines >= (_MIN_NAMED_LINES if is_named else _MIN_DOCUMENT_LINES)
        case ArtifactKind.MERMAID:
            return n_lines > 1
        case ArtifactKind.VEGA_LITE:
            return _is_vega_lite(text) or language != "json"
        case ArtifactKind.CSV:
            return _is_table(text, n_rows=_MIN_ROWS, n_columns=2 if language in _KINDS else 3)
        case ArtifactKind.CODE:
            return n_lines >= (_MIN_NAMED_LINES if is_named else _MIN_CODE_LINES)


def _is_vega_lite(text: str) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    if _VEGA_LITE.search(text) is not None:
        return True
    return '"mark"' in text and {"mark", "encoding"} <= _json_object(text).keys()


def _json_object(text: str) -> Mapping[str, object]:
    """Return a JSON object; an empty one if the text is something else, or too long to be read for this."""
    try:
        value = decode_json(text, kind=object) if len(text) <= _MAX_SNIFFED_JSON else None
    except JsonInvalid:
        return {}
    return value if isinstance(value, dict) else {}


def delimiter_of(text: str) -> str:
    """Return what separates the columns of a table: a tab, a semicolon, a bar or a comma."""
    head = text.lstrip("\ufeff\n\r ").partition("\n")[0]
    return max("\t;|,", key=lambda each: (head.count(each), each == ","))


def table_rows(text: str) -> list[list[str]]:
    """Return the rows of a table, as far as it can be read; empty lines are left out."""
    import csv  # not needed before the window is painted

    lines = text.lstrip("\ufeff").splitlines(keepends=True)
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):  # a cell of more than 131,072 characters
        rows.extend(row for row in csv.reader(lines, delimiter=delimiter_of(text)) if row)
    return rows


def _is_table(text: str, *, n_rows: int, n_columns: int) -> bool:
    """Return whether a text begins with so many rows of equal length, each of so many columns or more."""
    import csv  # not needed before the window is painted

    lines = [line for line in text.strip("\n").split("\n", _N_SNIFFED_ROWS)[:_N_SNIFFED_ROWS] if line.strip()]
    if len(lines) < n_rows:
        return False
    delimiter = delimiter_of(text)
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter, strict=True) if row]
    except csv.Error:
        return False
    widths = Counter(map(len, rows))
    width, n_alike = widths.most_common(1)[0] if widths else (0, 0)
    if any(cell.strip() != cell.strip("{}[]()") for cell in rows[0] if cell):
        return False  # a list of a program
    return len(rows) >= n_rows and width >= n_columns and n_alike * 10 >= len(rows) * 9


def _named_in(info: str) -> str:
    """Return the name that a fence gives: ``title="Budget"``, ``app.py``, ``python:src/app.py``."""
    info = info[:_MAX_INFO]
    if (match := _ATTRIBUTE.search(info)) is not None:
        return _short(match[1] or match[2] or match[3])
    for word in info.split()[:3]:
        for part in (word, word.partition(":")[2]):
            if _is_file_name(_FILE_NAME.fullmatch(part)):
                return _short(part)
    return ""


def file_name_of(info: str, text: str, *, line_above: str = "") -> str:
    """Return the name by which the answer calls a block: in its fence, as the line above it or in a comment
    that is its first line. Empty if it gives none."""
    if name := _named_in(info):
        return name
    above = line_above.strip()
    match = _LINE_ABOVE.fullmatch(above) if len(above) <= _MAX_NAME else None
    if not _is_file_name(match):
        match = _FIRST_COMMENT.match(text[:_MAX_INFO].lstrip())
    return _short(match[1]) if match is not None and _is_file_name(match) else ""


def _is_file_name(match: re.Match[str] | None) -> bool:
    """Return whether what was matched ends as files do: ``1.x`` does not."""
    return match is not None and match[match.re.groups].lower() in _ENDS


def title_of(kind: ArtifactKind, text: str) -> str:
    """Return the title that a text gives itself: of a page, a picture, a chart or a document."""
    import html  # its table of names is not needed before the window is painted

    if kind is ArtifactKind.VEGA_LITE:
        title = _json_object(text).get("title")
        title = title.get("text") if isinstance(title, dict) else title
        return _short(title) if isinstance(title, str) else ""
    pattern = _TITLES.get(kind)
    match = None if pattern is None else pattern.search(text, 0, _N_HEAD)
    return "" if match is None else _short(html.unescape(match[1])).rstrip(" #")


def code_file_name(stem: str, language: str) -> str:
    """Return a file name for code of ``language``; nothing that a model wrote gets into its end."""
    key = language.lower()
    return _NAMES.get(key, f"{stem}.{_EXTENSIONS.get(key, 'txt')}")


def _short(name: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())[:_MAX_NAME]


class ArtifactText(msgspec.Struct, frozen=True, kw_only=True):
    """One version of an artifact, to be shown or saved."""

    kind: ArtifactKind
    language: str
    title: str
    text: str


class ArtifactPlace(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Where the text of an artifact begins, which tells it from all others of a program."""

    message_id: MessageId
    start: int
    """Offset of its first line, that of the fence, in the text of the answer."""


class FoundArtifact(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact as it stands in an answer."""

    kind: ArtifactKind
    language: str
    name: str
    """The name that the answer gives it, such as that of a file; empty if it gives none."""
    text: str
    start: int
    """As ``ArtifactPlace.start``."""


class ArtifactVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One version: of an answer, or of the user."""

    place: ArtifactPlace
    """Where the answer has it; for a version of the user, what that was made from."""
    text: str
    created_at: float
    by_user: bool = False
    """Whether the user wrote it."""


class WrittenVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version that the user wrote."""

    text: str
    created_at: float
    """Seconds since the epoch."""


class ArtifactNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a block of an answer beside the answer: all that does not follow from its text."""

    start: int
    """As ``ArtifactPlace.start``."""
    title: str = ""
    """The name that the user gave the artifact that began there."""
    draft: str | None = None
    """What the user has written of a version that is not saved."""
    edits: tuple[WrittenVersion, ...] = ()
    """The versions of the user, oldest first."""


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """What the answers of a branch, and the user, have made of one thing."""

    kind: ArtifactKind
    language: str
    title: str
    """The name that the user gave it, else the newest of the answers; empty if it has none."""
    name: str
    """The newest name in the answers: of a file, if it is one."""
    versions: tuple[ArtifactVersion, ...]
    """In the order in which they were made; the last one is current."""
    draft: str | None = None
    """What the user has written of the next version and not saved."""
    draft_place: ArtifactPlace | None = None
    """The place of the version that it was made from."""

    @property
    def place(self) -> ArtifactPlace:
        """Where its first version stands, which tells it from the others of its chat."""
        return self.versions[0].place

    @property
    def file_name(self) -> str:
        """A name for its file."""
        stem, dot, end = self.name.replace("\\", "/").rpartition("/")[2].rpartition(".")
        if stem and dot and end.lower() in _ENDS:
            return f"{stem}.{end}"
        words = re.sub(r"[^\w .()-]+", " ", self.title).split()
        stem = " ".join(words)[:60].strip(" .-") or self.kind.value
        if self.kind is ArtifactKind.CODE:
            return code_file_name(stem, self.language)
        return f"{stem}.{_KIND_ENDS.get(self.kind, 'tsv' if self.language == 'tsv' else 'csv')}"

    def index_of(self, place: ArtifactPlace) -> int | None:
        """Return the index of the version that an answer has at ``place``."""
        found = (n for n, each in enumerate(self.versions) if each.place == place and not each.by_user)
        return next(found, None)


def artifacts_of(
    answers: Iterable[tuple[MessageId, float, Sequence[FoundArtifact]]],
    notes: Mapping[MessageId, Sequence[ArtifactNotes]] | None = None,
) -> tuple[Artifact, ...]:
    """Return the artifacts of a branch in the order in which they were first made.

    What an answer shows is a version of what an earlier answer has shown if both are of one kind and have the
    same name; or if at most one of them has a name and half of their lines are the same; or if they have the
    same title. Two blocks of one answer are two things, unless they have the same name.

    Args:
        answers: of each answer, in order, its id, its time and what was found in it.
        notes: what the user made of their blocks.
    """
    series: list[_Series] = []
    for message_id, created_at, found in answers:
        of_answer = {each.start: each for each in (notes or {}).get(message_id, ())}
        before = tuple(series)
        for each in found:
            known = _series_of(each, before) or _of_same_name(each, series[len(before) :])
            if known is None:
                series.append(known := _Series(each))
            place = ArtifactPlace(message_id=message_id, start=each.start)
            known.add(each, ArtifactVersion(place=place, text=each.text, created_at=created_at))
            if each.start in of_answer:
                known.note(place, of_answer[each.start])
    return tuple(each.artifact() for each in series)


class _Series:
    """The versions of one artifact while they are put together."""

    def __init__(self, first: FoundArtifact) -> None:
        self.kind = first.kind
        self.language = first.language
        self.name = self.title = self.given = ""
        self.draft: tuple[ArtifactPlace, str] | None = None
        self.versions: list[ArtifactVersion] = []
        self.pieces: Counter[str] = Counter()

    def add(self, found: FoundArtifact, version: ArtifactVersion) -> None:
        """Add a version of an answer."""
        self.language = found.language or self.language
        self.name = found.name or self.name
        self.title = title_of(found.kind, found.text) or self.title
        self.pieces = _pieces(found.text)
        self.versions.append(version)

    def note(self, place: ArtifactPlace, notes: ArtifactNotes) -> None:
        """Add what the user made of the version at ``place``."""
        self.given = notes.title or self.given
        self.draft = self.draft if notes.draft is None else (place, notes.draft)
        self.versions += [
            ArtifactVersion(place=place, text=each.text, created_at=each.created_at, by_user=True)
            for each in notes.edits
        ]

    def artifact(self) -> Artifact:
        return Artifact(
            kind=self.kind,
            language=self.language,
            title=self.given or self.name or self.title,
            name=self.name,
            versions=tuple(sorted(self.versions, key=lambda each: each.created_at)),
            draft=None if self.draft is None else self.draft[1],
            draft_place=None if self.draft is None else self.draft[0],
        )


def _series_of(found: FoundArtifact, series: Sequence[_Series]) -> _Series | None:
    """Return the artifact of earlier answers of which this is the next version."""
    alike = [each for each in reversed(series) if each.kind is found.kind][:_N_COMPARED]
    if (named := _of_same_name(found, alike)) is not None:
        return named
    others = [each for each in alike if not (found.name and each.name)]
    pieces = _pieces(found.text)
    nearest = max(others, key=lambda each: _likeness(pieces, each.pieces), default=None)
    if nearest is not None and _likeness(pieces, nearest.pieces) >= _ALIKE:
        return nearest
    title = title_of(found.kind, found.text).casefold()
    return next((each for each in others if title and each.title.casefold() == title), None)


def _of_same_name(found: FoundArtifact, series: Iterable[_Series]) -> _Series | None:
    name = found.name.casefold()
    same = (each for each in series if each.kind is found.kind and each.name.casefold() == name)
    return next(same, None) if name else None


def _pieces(text: str) -> Counter[str]:
    """Return the lines of a text without short ones, which all texts of its kind have; what is written on one
    line is split at its tags and statements."""
    pieces = (" ".join(piece.split()) for piece in _PIECE_ENDS.split(text))
    return Counter(piece for piece in pieces if len(piece) >= _MIN_PIECE)


def _likeness(first: Counter[str], second: Counter[str]) -> float:
    """Return how much of two texts is the same, from 0 to 1 (Dice's coefficient)."""
    n_both = first.total() + second.total()
    return 2 * (first & second).total() / n_both if n_both else 0.0
