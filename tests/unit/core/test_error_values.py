"""Errors as values: whatever a file or a model said, they can be written down, and say the same again."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_type_hints

import msgspec
import pytest

from fireside import core
from fireside.core import i18n
from fireside.core.errors import (
    ConstraintInvalid,
    ContextLengthExceeded,
    DownloadError,
    ErrorFacts,
    FiresideError,
    InvalidParameter,
    LoadError,
    NextStep,
    RemoteError,
    TemplateFailed,
    error_from_info,
)
from fireside.core.errors.base import _TRANSLATED_FACTS
from fireside.core.generation import Failed
from fireside.core.ids import RequestId
from fireside.wire.frames import encode_frame
from fireside.wire.messages import MAX_REPORT_BYTES, RequestEvent

APP: Final = Path(core.__file__).parents[1]


class Shouting(i18n.English):
    """English in capital letters, but for placeholders."""

    def translate(self, text: str, comment: str, n: int | None) -> str:
        translated = super().translate(text, comment, n).upper()
        return re.sub(r"\{.*?\}", lambda match: match[0].lower(), translated)


@pytest.mark.parametrize("text", ["half \ud800", "\0\x1b[2J\u202e", "x" * 10_000_000])
def test_foreign_text_fits_a_frame(text: str) -> None:
    frame = encode_frame(
        RequestEvent(request_id=RequestId(1), event=Failed(error=TemplateFailed(reason=text).info()))
    )
    assert len(frame) < MAX_REPORT_BYTES


def test_foreign_text_contains_no_control_characters() -> None:
    assert TemplateFailed(reason="a\x1b[2J\u202eb").info().sentence.endswith("a\ufffd[2J\ufffdb")


def test_an_error_has_the_same_sentence_after_transfer() -> None:
    info = InvalidParameter(name="x" * 5000, reason="\0.").info()
    assert error_from_info(info).info() == info


def test_an_invalid_constraint_leads_to_the_settings() -> None:
    info = ConstraintInvalid(kind="JSON Schema", reason="it is not valid JSON.").info()
    assert info.next_step is NextStep.OPEN_SETTINGS
    assert info.sentence.endswith("it is not valid JSON. Correct it or choose another response format.")


def test_only_translatable_fields_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_language", Shouting())
    error = LoadError.of("load_failed", model="Chat {model}", reason="It is small.")
    assert error.sentence() == "LOADING Chat {model} FAILED: IT IS SMALL."


def test_fields_are_formatted_for_the_user() -> None:
    full = DownloadError.of(
        "download_disk_full",
        folder="/models",
        needed_bytes=5_000_000_000,
        file_bytes=4_000_000_000,
        reserve_bytes=1_000_000_000,
        free_bytes=1,
    )
    assert "5.0 GB needed (4.0 GB and 1.0 GB kept free), 1 byte free" in full.sentence()
    assert "12,345 tokens" in ContextLengthExceeded(n_prompt=12_345, n_ctx=4096).sentence()


def families(cls: type[FiresideError] = FiresideError) -> Iterator[type[FiresideError]]:
    yield cls
    for child in cls.__subclasses__():
        yield from families(child)


ROWS: Final = {
    (family.__name__, code): row
    for family in families()
    for code, row in vars(family).get("rows", {}).items()
}


def test_every_code_means_one_error() -> None:
    codes = [vars(cls)["code"] for cls in families() if "code" in vars(cls)] + [code for _, code in ROWS]
    assert [code for code, n in Counter(codes).items() if n > 1] == []


def raised_rows() -> Iterator[tuple[Path, ast.Call, str, str]]:
    """Every ``Family.of("code", …)`` of the program."""
    for path in sorted(APP.rglob("*.py")):
        source = path.read_text("utf-8")
        if ".of(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=family), attr="of"),
                    args=[ast.Constant(value=str(code))],
                ) if family in FAMILIES:
                    yield path, node, family, code


FAMILIES: Final = frozenset(family for family, _ in ROWS)


def test_every_row_is_raised_and_with_its_facts() -> None:
    raised = set()
    for path, call, family, code in raised_rows():
        given = {keyword.arg for keyword in call.keywords}
        where = f"{path.relative_to(APP)}:{call.lineno}"
        assert (family, code) in ROWS, where
        assert given == i18n.placeholders(ROWS[family, code].message), where
        raised.add((family, code))
    assert raised == set(ROWS)


def test_every_fact_has_a_type() -> None:
    assert frozenset[str]().union(*(i18n.placeholders(row.message) for row in ROWS.values())) == set(
        ErrorFacts.__annotations__
    )
    hints = get_type_hints(ErrorFacts)
    assert {name for name, hint in hints.items() if hint == i18n.Translatable} == _TRANSLATED_FACTS


def test_a_row_says_the_same_after_transfer_and_refuses_other_facts() -> None:
    info = RemoteError.of("remote_offline", host="a.example").info()
    assert info.next_step is NextStep.OPEN_SETTINGS
    assert error_from_info(info).info() == info
    assert error_from_info(msgspec.structs.replace(info, data={"host": 3})).code == "runner_protocol_error"
    assert error_from_info(msgspec.structs.replace(info, data={})).code == "runner_protocol_error"
    with pytest.raises(TypeError, match="remote_offline has"):
        RemoteError.of("remote_offline", name="a.example")


READS_AN_ERROR = """
from fireside.core.errors import ErrorInfo, NextStep, error_from_info, localized

info = ErrorInfo(
    code="context_length_exceeded", sentence="", retryable=False, next_step=NextStep.NONE,
    data={"n_prompt": 9000, "n_ctx": 8192},
)
print(READ(info))
"""


@pytest.mark.parametrize(
    "read", ["lambda info: error_from_info(info).facts()", "lambda info: localized(info).data"]
)
def test_an_error_class_that_was_never_raised_here_can_be_decoded(read: str) -> None:
    code = READS_AN_ERROR.replace("READ", f"({read})")
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "{'n_prompt': 9000, 'n_ctx': 8192}", done.stderr


@pytest.mark.parametrize(
    "reason",
    [
        "https://ada:p@ss@proxy:8080/x?a@b cannot be used",
        i18n.Phrase("{address} cannot be used", {"address": "https://ada:p@ss@proxy:8080/x?a@b"}),
    ],
)
def test_a_password_in_a_url_is_removed(reason: i18n.Translatable) -> None:
    error = TemplateFailed(reason=reason)
    for text in (str(error), error.info().sentence, repr(error.info())):
        assert "https://proxy:8080/x?a@b cannot" in text or "https://proxy:8080/x?a@b'" in text
        assert "ada" not in text
        assert "p@ss" not in text
