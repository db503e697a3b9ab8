"""The tools that search and read the collections of documents of a chat."""

from __future__ import annotations

from typing import Final, Protocol

import msgspec

from fireside.core.tools import Taint
from fireside.tools.tool import RunnableTool, ToolFailed

SEARCH_DOCUMENTS: Final = "search_documents"
_TAINTS: Final = frozenset({Taint.PRIVATE, Taint.UNTRUSTED})
"""The user's own files, which others may have written."""


class DocumentAccess(Protocol):
    """The collections of one chat. Passages come with the numbers by which an answer cites them."""

    async def search(self, words: str) -> str:
        """Return the best passages; empty for none."""

    async def read(self, file: str, *, offset: int) -> str:
        """Return text of a file from character ``offset`` on. Raises ``ToolFailed`` for an unknown file."""

    async def names(self) -> str:
        """Return the file names, one a line; empty for none."""


class NoDocuments:
    """Empty collections, for listing the tools without a chat."""

    async def search(self, words: str) -> str:  # noqa: ARG002
        """Return nothing."""
        return ""

    async def read(self, file: str, *, offset: int) -> str:  # noqa: ARG002
        """Raise ``ToolFailed``: there is no file."""
        raise ToolFailed("file: there is none.")

    async def names(self) -> str:
        """Return nothing."""
        return ""


class _Search(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: str


class _Read(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file: str
    offset: int = 0


class _List(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


def document_tools(
    documents: DocumentAccess,
) -> tuple[RunnableTool[_Search], RunnableTool[_Read], RunnableTool[_List]]:
    """Return the tools."""

    async def search(arguments: _Search) -> str:
        if not arguments.words.strip():
            raise ToolFailed("words: there are none.")
        return await documents.search(arguments.words) or "Nothing was found."

    async def read(arguments: _Read) -> str:
        if arguments.offset < 0:
            raise ToolFailed("offset: 0 or more is possible.")
        return await documents.read(arguments.file, offset=arguments.offset)

    async def names(_arguments: _List) -> str:
        return await documents.names() or "There are no documents."

    return (
        RunnableTool(
            SEARCH_DOCUMENTS,
            description="Searches the user's documents. Cite passages by their numbers, such as [1].",
            arguments=_Search,
            run=search,
            taints=_TAINTS,
        ),
        RunnableTool(
            "read_document",
            description="Reads a document of the user from a character on. Cite passages by their numbers.",
            arguments=_Read,
            run=read,
            taints=_TAINTS,
        ),
        RunnableTool(
            "list_documents",
            description="Lists the user's documents.",
            arguments=_List,
            run=names,
            taints=_TAINTS,
        ),
    )
