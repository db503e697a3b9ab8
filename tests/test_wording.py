"""What people read goes through ``tr``, in a way that translators' tools find."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[1]
APP = ROOT / "app" / "fireside"

NOT_YET: Final[tuple[str, ...]] = ()
"""Folders of ``ui`` whose words are not all said in the language in force."""

WORDINGS: Final = ("tr", "tr_noop")

SHOWN: Final = {
    **dict.fromkeys(
        (
            "addAction",
            "addItem",
            "addItems",
            "addMenu",
            "setAccessibleDescription",
            "setAccessibleName",
            "setInformativeText",
            "setPlaceholderText",
            "setStatusTip",
            "setText",
            "setTitle",
            "setToolTip",
            "setWhatsThis",
            "setWindowTitle",
            "set_name",
            "set_note",
            "set_full_text",
            "set_label",
            "show_error",
            "show_message",
            "show_note",
            "show_title",
            "plain_tooltip",
            "Button",
            "ElidedLabel",
            "Label",
            "WrappedLabel",
        ),
        0,
    ),
    "addTab": 1,
    "show_banner": 1,
}
"""What shows words to the user, and which of its arguments they are."""
SHOWN_KEYWORDS: Final = frozenset(
    {
        "text",
        "name",
        "label",
        "words",
        "title",
        "explanation",
        "about",
        "action",
        "note",
        "problem",
        "reason",
        "message",
        "tooltip",
    }
)
"""Arguments that are words, in whatever call."""
NOT_SHOWN: Final = frozenset(
    {"getLogger", "setObjectName", "setProperty", "Thread", "run", "create_task", "icon", "InvalidParameter"}
)
"""Calls whose “name” or “text” is the program's own."""
NAMES: Final = frozenset({"Fireside", "Inter", "JetBrains Mono", "llama.cpp"})
WORD = re.compile(r"[^\W\d_]{2,}")
NO_WORDS = re.compile(r"[a-z]+[A-Z]\w*|[a-z]+\.[a-z]+|/[a-z]+ ?")
"""Object names, file names, commands that are typed."""
PROGRAM = re.compile(r"\{\s[^}]*[a-z-]+: |::")
"""A style sheet, or a script for another program."""
SENTENCE = re.compile(r"[A-Z][a-z]+ [^\W\d_]|[a-z]+ [a-z]+ [a-z]+[.…?]$")


GLOSSARY: Final = {
    r"answers? (it )?again": "Regenerate",
    r"as the (model|system) likes": "model default, system default",
    r"\b(bring|brought) .*\bback\b": "restore, undo",
    r"\bby (it|them)sel(f|ves)\b": "automatically; alone",
    r"\bcomputer’s (own )?memory\b": "RAM",
    r"\bcontext size\b": "context length",
    r"\bconversations?\b": "chat",
    r"\bcut off here\b": "Stopped: context full",
    r"\bfetch(es|ed|ing)?\b": "download",
    r"(?<!certificate )\bfingerprints?\b": "checksum",
    r"\bfirst token\b": "TTFT",
    r"\bgo(es|ne|ing)? on\b": "continue, resume",
    r"\bgraphics cards?\b": "GPU",
    r"\bguess(es|ed|ing)? ahead\b": "speculative decoding",
    r"\bhave (it|them) answered\b": "Generate answer",
    r"\bhow it loads\b": "load settings",
    r"\bhow sure the model\b": "token probabilities",
    r"\bis no (address|file|library|model|number|picture|regular)\b": "is not a",
    r"\bin circles\b": "repetition loop",
    r"^layers on the GPU$": "GPU offload (layers)",
    r"\b(lies|lives) in\b": "location",
    r"\blongest (answer|thinking)\b": "max response tokens, thinking budget",
    r"\blooks? (for|again)\b": "check for, refresh",
    r"\bmachines?\b": "computer",
    r"\bmak(e|es|ing) room\b": "allocate, free memory",
    r"\bnewer versions?\b(?! of Fireside)": "update",
    r"\bparallel answers\b": "parallel requests",
    r"\bpatience\b": "timeout",
    r"\bpictures?\b": "image",
    r"\bprocessors?\b": "CPU",
    r"\breturn (to|shows|does)\b|press return": "Enter",
    r"\broom for\b": "space, memory, reserved",
    r"\bsees (images|pictures)\b": "vision",
    r"\bstop texts?\b": "stop sequences",
    r"\btake .*\b(away|out|off)\b": "remove",
    r"^temperature (curve|range)$": "dynamic temperature",
    r"\bthe hub\b": "Hugging Face",
    r"\bthrow(n|s)? .*\baway\b": "discard",
    r"\btoken bias": "logit bias",
    r"\btokens a second\b": "tokens/s",
    r"\busual (place|text size|value)\b": "default",
    r"\bwaits? (to be sent|until the answer)\b": "queued",
    r"\bwhat the model (saw|thought)\b": "prompt, thinking",
    r"[\d}] %": "a number and its % stand together",
}
"""Phrases that users of such programs do not know, and what they call it instead."""
IN_WORDS_OF_OTHERS: Final = frozenset(
    {"settings/synonyms.py", "chat/built_in_presets.py", "core/os_errors.py"}
)
"""Modules of other names for settings, of prompts for models, and of the system's own sentences."""
TERM: Final = {re.compile(phrase, re.IGNORECASE): term for phrase, term in GLOSSARY.items()}
PLACEHOLDER: Final = re.compile(r"\{[a-z_]+\}")
PLAIN: Final = ("cli", "main")
"""Packages whose texts are English alone, and stand in the source as they are."""


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all that a module consists of, each before what is in it."""
    return tuple(ast.walk(tree_of(path)))


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def plain_text(node: ast.expr) -> str | None:
    """Return the letters that the source itself gives, ``None`` for what is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return " ".join(
                part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )
        case _:
            return None


def untranslated(node: ast.expr) -> Iterator[ast.expr]:
    """Yield every text of an argument that is not wrapped, whichever of its branches is taken."""
    text = plain_text(node)
    if text is not None:
        if WORD.search(text) and text.strip() not in NAMES and not NO_WORDS.fullmatch(text):
            yield node
        return
    match node:
        case ast.IfExp(body=body, orelse=other):
            yield from untranslated(body)
            yield from untranslated(other)
        case ast.BinOp(left=left, right=right):
            yield from untranslated(left)
            yield from untranslated(right)
        case ast.BoolOp(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            for value in values:
                yield from untranslated(value)
        case _:
            return


def shown_arguments(call: ast.Call) -> Iterator[ast.expr]:
    name = called(call)
    if name in NOT_SHOWN or name in WORDINGS or name == "format":
        return
    place = SHOWN.get(name)
    if place is not None and len(call.args) > place:
        yield call.args[place]
    for keyword in call.keywords:
        if keyword.arg in SHOWN_KEYWORDS:
            yield keyword.value


def found_in(path: Path) -> list[str]:
    nodes = [
        text
        for call in nodes_of(path)
        if isinstance(call, ast.Call)
        for argument in shown_arguments(call)
        for text in untranslated(argument)
    ]
    return [f"{path.relative_to(APP)}:{node.lineno}: {plain_text(node)}" for node in nodes]


def is_done(path: Path) -> bool:
    return not any(path.is_relative_to(APP / "ui" / folder) for folder in NOT_YET)


def test_what_a_widget_shows_is_said_in_the_language_in_force() -> None:
    assert [line for path in modules(APP / "ui") if is_done(path) for line in found_in(path)] == []


def test_the_list_of_what_is_not_done_holds_only_what_is_not_done() -> None:
    assert [folder for folder in NOT_YET if not any(map(found_in, modules(APP / "ui" / folder)))] == []


@pytest.mark.parametrize(
    "source",
    [
        'label.setText("Not loaded")',
        'label.setText(f"Deleted {name}")',
        'Button("Load" if loaded else tr("Unload"))',
        'IconButton("x", name="Close it")',
        'menu.addAction("Open" + ending)',
        'select.addItems(["One", tr("Two")])',
    ],
)
def test_an_untranslated_text_is_seen(source: str) -> None:
    call = ast.parse(source).body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert [text for argument in shown_arguments(call.value) for text in untranslated(argument)]


def sentences(path: Path) -> Iterator[str]:
    """Yield what reads like a sentence and is not given to the translation."""
    wrapped: set[int] = set()
    for node in nodes_of(path):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                wrapped.add(id(docstring))
            case ast.Raise():
                wrapped.update(id(part) for part in ast.walk(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "logger"))):
                wrapped.update(id(part) for part in ast.walk(node))
            case ast.Call() if called(node) in WORDINGS:
                wrapped.update(id(part) for part in ast.walk(node))
            case _:
                pass
    for node in nodes_of(path):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in wrapped:
            text = plain_text(node)
            if text is None or text in NAMES or PROGRAM.search(text):
                continue
            if SENTENCE.search(text):
                yield f"{path.relative_to(APP)}:{node.lineno}: {text}"


def test_no_sentence_of_the_window_waits_in_a_constant() -> None:
    assert [line for path in modules(APP / "ui") if is_done(path) for line in sentences(path)] == []


def test_the_tool_that_collects_texts_finds_them_all() -> None:
    """It takes literals, by position, and does not look into f-strings."""
    lost = []
    for path in modules(APP):
        nodes = nodes_of(path)
        hidden = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        for node in nodes:
            if isinstance(node, ast.Call) and called(node) in WORDINGS and isinstance(node.func, ast.Name):
                is_literal = bool(node.args) and plain_text(node.args[0]) is not None
                is_formatted = bool(node.args) and isinstance(node.args[0], ast.JoinedStr)
                if node.keywords or is_formatted or (is_literal and id(node) in hidden):
                    lost.append(f"{path.relative_to(APP)}:{node.lineno}")
    assert lost == []


REASONS: Final = frozenset({"reason", "cause", "problem"})
"""Arguments of errors and replies that the user reads, wherever they are worded."""


def unsaid_reasons(path: Path) -> Iterator[str]:
    """Yield reasons with words in them that cannot be translated: values stand in them already."""
    for call in nodes_of(path):
        if not isinstance(call, ast.Call) or called(call) in ("format", *WORDINGS):
            continue
        for keyword in call.keywords:
            if keyword.arg in REASONS:
                for text in untranslated(keyword.value):
                    yield f"{path.relative_to(APP)}:{text.lineno}: {plain_text(text)}"


def test_a_reason_is_worded_so_that_it_can_be_said_in_another_language() -> None:
    """Also where it is found in a process of its own, which knows no language."""
    files = [path for path in modules(APP) if path.relative_to(APP).parts[0] not in ("cli", "main")]
    assert [line for path in files for line in unsaid_reasons(path)] == []


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported: everything outside functions, and their defaults."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for default in (*child.args.defaults, *filter(None, child.args.kw_defaults)):
                yield from ast.walk(default)
        else:
            yield child
            yield from at_import(child)


def test_nothing_is_translated_before_the_language_is_known() -> None:
    early = [
        f"{path.relative_to(APP)}:{node.lineno}"
        for path in modules(APP)
        for node in at_import(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr"
    ]
    assert early == []


def docstrings(nodes: Iterable[ast.AST]) -> set[int]:
    return {id(node.value) for node in nodes if isinstance(node, ast.Expr)}


def texts_for_users(path: Path) -> Iterator[str]:
    """Yield the English texts of a module: what is translated, and in the command line what has words."""
    nodes = nodes_of(path)
    if path.relative_to(APP).parts[0] in PLAIN:
        not_said = docstrings(nodes)
        for node in nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in not_said:
                text = plain_text(node)
                if text is not None and " " in text.strip():
                    yield text
        return
    synonyms = {
        id(node.value) for node in nodes if isinstance(node, ast.keyword) and node.arg == "synonyms"
    }  # of other programs
    for node in nodes:
        if id(node) in synonyms:
            continue
        if isinstance(node, ast.Call) and called(node) in WORDINGS and node.args:
            text = plain_text(node.args[0])
            if text is not None:
                yield text


def unknown_words(text: str) -> Iterator[str]:
    """Yield the field's terms for phrases of the text that are not."""
    shown = PLACEHOLDER.sub("{}", text)
    for phrase, term in TERM.items():
        if phrase.search(shown):
            yield term


def test_the_words_of_the_field_are_used() -> None:
    found = [
        f"{path.relative_to(APP)}: {text!r}: say {term!r}"
        for path in modules(APP)
        if path.relative_to(APP).as_posix() not in IN_WORDS_OF_OTHERS
        for text in texts_for_users(path)
        for term in unknown_words(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Answer again with…", "Regenerate"),
        ("Runs on the processor", "CPU"),
        ("Search the hub", "Hugging Face"),
        ("first token {seconds} s", "TTFT"),
        ("Loading {percent} %", "a number and its % stand together"),
        ("Take this answer out", "remove"),
    ],
)
def test_a_phrase_that_users_do_not_know_is_seen(text: str, term: str) -> None:
    assert term in list(unknown_words(text))
