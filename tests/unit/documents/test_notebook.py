"""Jupyter notebooks: words, code and what it printed, in their order."""

from __future__ import annotations

import json

import pytest

from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="file.ipynb", data=data))


def notebook(*cells: dict[str, object]) -> bytes:
    metadata = {"language_info": {"name": "python", "version": "3.13"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def code(source: object, *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": source, "outputs": outputs}


def test_a_notebook_is_read_with_the_output_of_its_code() -> None:
    reply = of(
        notebook(
            {"cell_type": "markdown", "metadata": {}, "source": ["# Pumps\n", "\n", "They run."]},
            code(
                ["print(1)\n", "show()"],
                {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
                {
                    "output_type": "display_data",
                    "data": {"image/png": "aGVsbG8=", "text/plain": ["<Figure>"]},
                },
                {"output_type": "execute_result", "data": {"text/plain": "\x1b[31mred\x1b[0m"}},
                {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["x"]},
            ),
            code(""),
            code('s = "```"'),
        )
    )
    assert reply.text == (
        "# Pumps\n\nThey run.\n\n```python\nprint(1)\nshow()\n```\n\n```\n1\n```\n\n```\n<Figure>\n```\n\n"
        '```\nred\n```\n\n```\nE: no\n```\n\n````python\ns = "```"\n````'
    )
    assert "aGVsbG8" not in reply.text


@pytest.mark.parametrize(
    "data",
    [
        b'{"nbformat": 4}',
        b'{"nbformat": 4, "cells": 7}',
        b'{"nbformat": 3, "worksheets": 7}',
        b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": [{"data": []}]}]',
        b'{"about": "\\"nbformat\\" is a word"}',
    ],
)
def test_json_that_is_no_notebook_is_text(data: bytes) -> None:
    reply = of(data)
    assert (reply.media_type, reply.text) == ("text/plain", data.decode())


def test_an_output_of_another_kind_than_text_is_left_out() -> None:
    reply = of(notebook(code("x", {"output_type": "execute_result", "data": {"text/plain": {"a": 1}}})))
    assert reply.text == "```python\nx\n```"
