"""Find the artifacts in the Markdown of an answer. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from fireside.core.artifacts import ArtifactKind, FoundArtifact, artifact_kind, file_name_of, language_of
from fireside.markup.markdown import make_parser
from fireside.markup.rich_text import clean, code_info

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKS: Final = ("```", "~~~", "    ", "\t", "<svg", "<!doctype", "<html", "{")
"""A text without any of them holds no artifact and is not parsed."""


def find_artifacts(text: str, *, kept: Collection[int] = frozenset()) -> tuple[FoundArtifact, ...]:
    """Return what an answer holds that is a thing of its own, top down.

    That is code which is fenced or indented, pages and pictures that stand in the text without a fence, and
    an answer that is nothing but a chart. ``kept`` are the offsets of blocks that are among them whatever
    their form: the user has worked on them.
    """
    source = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    lowered = source.casefold()
    if not any(mark in lowered for mark in _MARKS):
        return ()
    if source.lstrip().startswith("{"):
        found = _found("json", source.strip(), 0, is_kept=0 in kept)
        if found is not None and (found.kind is ArtifactKind.VEGA_LITE or 0 in kept):
            return (found,)
    return tuple(_blocks(source, kept))


def _blocks(source: str, kept: Collection[int]) -> Iterator[FoundArtifact]:
    parser = make_parser()
    tokens: list[Token] = []
    parser.block.parse(source, parser, {}, tokens)
    lines = source.split("\n")
    offsets = [0]
    for each in lines:
        offsets.append(offsets[-1] + len(each) + 1)
    for token in tokens:
        if token.map is None or token.type not in ("fence", "code_block"):
            continue
        line = token.map[0]
        start, text = offsets[line], token.content.removesuffix("\n")
        above = next((before for before in reversed(lines[max(0, line - 2) : line]) if before.strip()), "")
        found = _found(code_info(token), text, start, is_kept=start in kept, line_above=above)
        if found is not None:
            yield found


def _found(info: str, text: str, start: int, *, is_kept: bool, line_above: str = "") -> FoundArtifact | None:
    kind = artifact_kind(info, text) or (ArtifactKind.CODE if is_kept else None)
    if kind is None:
        return None
    name = file_name_of(info, text, line_above=line_above)
    return FoundArtifact(kind=kind, language=language_of(info), name=name, text=text, start=start)
