"""No secret reaches the log."""

from __future__ import annotations

import logging
import pickle
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import SettingInvalid
from fireside.settings import log
from fireside.settings.log import LogFile
from fireside.settings.redaction import MASK, RedactingFilter, Redaction
from fireside.settings.secret import Secret, secret_from_text

TEXT = "s3cret/with+odd=signs"
LOG = logging.getLogger("fireside.test")


@pytest.fixture
def redaction() -> Redaction:
    known = Redaction()
    known.add(Secret(TEXT))
    return known


def _logged(folder: Path) -> str:
    return (folder / "fireside.log").read_text(encoding="utf-8")


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(TEXT)
    assert {repr(secret), str(secret), f"{secret}", f"{[secret]!r}"} == {"Secret(…)", "[Secret(…)]"}


def test_a_secret_cannot_be_encoded() -> None:
    with pytest.raises(TypeError):
        msgspec.json.encode(Secret(TEXT))


def test_a_secret_cannot_be_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret(TEXT))


def test_secrets_are_equal_by_their_text() -> None:
    assert (Secret(TEXT) == Secret(TEXT), Secret(TEXT) == Secret("x"), Secret(TEXT) == TEXT) == (
        True,
        False,
        False,
    )


def test_a_pasted_secret_loses_the_space_around_it() -> None:
    assert secret_from_text(" hf_abc \n", label="Token").reveal() == "hf_abc"


@pytest.mark.parametrize(
    "text", ["", "  ", "two words", "nul\0", "smile🙂", "half\ud800", "x" * 1201, "a\nb"]
)
def test_an_invalid_secret_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(SettingInvalid) as caught:
        secret_from_text(text, label="Token")
    assert not text.strip() or text not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        (f"a {TEXT} b", f"a {MASK} b"),
        ("https://x/?t=s3cret%2Fwith%2Bodd%3Dsigns&n=1", f"https://x/?t={MASK}&n=1"),
        ("Authorization: Bearer abc.def-123", f"Authorization: Bearer {MASK}"),
        ("token hf_ABCDEFGHIJKLMNOPQRST given", f"token {MASK} given"),
        ("key sk-proj-abcdefghij0123456789", f"key {MASK}"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_text_is_scrubbed(redaction: Redaction, text: str, scrubbed: str) -> None:
    assert redaction.scrub(text) == scrubbed


def test_a_secret_within_another_leaves_no_rest() -> None:
    redaction = Redaction()
    for text in ("abcdef", "abcdefghi"):
        redaction.add(Secret(text))
    assert redaction.scrub("abcdefghi") == MASK


def test_a_key_that_is_a_common_word_is_not_masked() -> None:
    redaction = Redaction()
    redaction.add(Secret("none"))
    assert redaction.scrub("none of it") == "none of it"


@given(
    before=st.text(),
    after=st.text(),
    secret=st.text(st.characters(codec="ascii", min_codepoint=33), min_size=6),
)
def test_no_known_secret_survives(before: str, after: str, secret: str) -> None:
    redaction = Redaction()
    redaction.add(Secret(secret))
    assert secret in MASK or secret not in redaction.scrub(before + secret + after).replace(MASK, "\n")


def test_a_logged_message_is_scrubbed(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path, redaction=redaction):
        LOG.info("asked with %s", TEXT)
    assert f"asked with {MASK}" in _logged(tmp_path)


def test_a_logged_traceback_is_scrubbed(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path, redaction=redaction):
        try:
            raise RuntimeError(f"server said {TEXT}")
        except RuntimeError:
            LOG.exception("it failed")
    assert (TEXT in _logged(tmp_path), f"RuntimeError: server said {MASK}" in _logged(tmp_path)) == (
        False,
        True,
    )


def test_a_logged_stack_is_scrubbed(redaction: Redaction) -> None:
    record = LOG.makeRecord(LOG.name, logging.INFO, "f", 1, "m", (), None)
    record.stack_info = f"Stack: {TEXT}"
    RedactingFilter(redaction).filter(record)
    assert record.stack_info == f"Stack: {MASK}"


def test_messages_of_libraries_are_scrubbed_too(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path, redaction=redaction):
        logging.getLogger("huggingface_hub").warning(TEXT)
    assert MASK in _logged(tmp_path)


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("argument", [TEXT, Unprintable()], ids=["too few", "unprintable"])
def test_wrong_arguments_are_logged(redaction: Redaction, argument: object) -> None:
    record = LOG.makeRecord(LOG.name, logging.INFO, "f", 1, "two %s %s", (argument,), None)
    RedactingFilter(redaction).filter(record)
    assert record.getMessage() == "'two %s %s' (its arguments do not fit)"


def test_a_lone_surrogate_is_logged(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path, redaction=redaction):
        LOG.info("half \ud800")
    assert "half \\ud800" in _logged(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_owner_can_read_the_log(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path / "logs", redaction=redaction):
        LOG.info("x")
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("logs", "logs/fireside.log")] == [
        0o700,
        0o600,
    ]


def test_the_log_stays_small(tmp_path: Path, redaction: Redaction) -> None:
    with LogFile(tmp_path, redaction=redaction):
        for _ in range(60):
            LOG.info("x" * 100_000)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 4_100_000


def test_an_unwritable_log_folder_is_only_reported(tmp_path: Path, redaction: Redaction) -> None:
    (tmp_path / "file").write_bytes(b"")
    with LogFile(tmp_path / "file" / "logs", redaction=redaction) as log:
        LOG.info("x")
    assert log.problem is not None


def test_logging_is_as_before_afterwards(tmp_path: Path, redaction: Redaction) -> None:
    root, ours = logging.getLogger(), logging.getLogger("fireside")
    before = (list(root.handlers), ours.level)
    with LogFile(tmp_path, redaction=redaction):
        pass
    assert (list(root.handlers), ours.level) == before


def test_a_full_log_is_rotated(tmp_path: Path, redaction: Redaction) -> None:
    whole = log._N_OLD_FILES + 2
    with LogFile(tmp_path, redaction=redaction):
        for number in range(whole):
            LOG.warning("%d %s", number, "x" * log._FILE_LIMIT)
        LOG.warning("the last")
    names = ("fireside.log", *(f"fireside.log.{n}" for n in range(1, log._N_OLD_FILES + 1)))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    begun = [(tmp_path / name).read_text("utf-8").split(": ", 1)[1][:8].split()[0] for name in names]
    assert begun == ["the", "4", "3", "2"]
    if sys.platform != "win32":
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_log_that_cannot_be_rotated_continues(
    tmp_path: Path,
    redaction: Redaction,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(path: Path, _target: Path) -> Path:
        raise PermissionError(13, "in use", str(path))

    monkeypatch.setattr(Path, "replace", refuse)
    with LogFile(tmp_path, redaction=redaction):
        LOG.warning("x" * log._FILE_LIMIT)
        LOG.warning("the last")
    assert "the last" in _logged(tmp_path)
    assert "Traceback" not in capsys.readouterr().err
