"""A conversation on paper: numbered pages, nothing cut off, nothing fetched."""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from fakes.client import AppClient
from fakes.local_app import done
from fakes.stores import names
from fakes.transcripts import asked, damaged, said, transcript
from fireside.bridge.pdf import PdfTarget, write_pdf
from fireside.core.errors import ExportUnwritable
from fireside.core.ids import ConversationId
from fireside.core.message import ImagePart, Role
from fireside.core.transfer import ExportFormat, TransferProgressed
from fireside.services.transfer.print_page import as_printed
from fireside.ui.theme import Theme, ThemeChoice

pytestmark = pytest.mark.usefixtures("theme")


def n_pages(path: Path) -> int:
    found = re.search(rb"/Count (\d+)", path.read_bytes())
    assert found is not None
    return int(found[1])


def n_pictures(path: Path) -> int:
    return path.read_bytes().count(b"/Subtype /Image")


def drawing(path: Path) -> bytes:
    """Return the drawing commands of all pages."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL)
    plain = []
    for stream in streams:
        try:
            plain.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"".join(plain)


def test_a_long_conversation_has_several_pages(tmp_path: Path) -> None:
    write_pdf(as_printed(transcript(said("A paragraph.\n\n" * 300))), tmp_path / "x.pdf")
    assert n_pages(tmp_path / "x.pdf") > 3
    assert names(tmp_path) == ["x.pdf"]


def test_a_long_line_of_code_is_wrapped_and_not_cut_off(tmp_path: Path) -> None:
    for length in (50, 20_000):
        code = " ".join(["word"] * (length // 5))
        write_pdf(as_printed(transcript(said(f"```python\n{code}\n```"))), tmp_path / f"{length}.pdf")
    # One line that is not wrapped takes no more room than a short one.
    assert n_pages(tmp_path / "20000.pdf") > n_pages(tmp_path / "50.pdf")


def test_a_picture_is_on_the_page(tmp_path: Path) -> None:
    png = BytesIO()
    Image.new("RGB", (3000, 5000), (90, 120, 200)).save(png, "PNG")
    page = as_printed(
        transcript(said(ImagePart(data=png.getvalue(), media_type="image/png"), "Look", role=Role.USER))
    )
    write_pdf(page, tmp_path / "x.pdf")
    assert n_pictures(tmp_path / "x.pdf") > 0
    assert n_pages(tmp_path / "x.pdf") == 2


def test_the_ink_is_dark_whatever_the_windows_colours_are(tmp_path: Path, theme: Theme) -> None:
    theme.set_choice(ThemeChoice.DARK)
    write_pdf(as_printed(transcript(asked("Hello"))), tmp_path / "x.pdf")
    assert b"0.109" in drawing(tmp_path / "x.pdf")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExportUnwritable):
        write_pdf(as_printed(transcript(asked("x"))), tmp_path / "nowhere" / "x.pdf")
    with pytest.raises(ExportUnwritable):
        PdfTarget(tmp_path / "x.pdf", n_files=0)


def test_several_conversations_become_a_file_each_away_from_the_gui_thread(
    tmp_path: Path, client: AppClient
) -> None:
    for id_ in (1, 2):
        done(client.store.conversations.delete(ConversationId(id_)))
        chat = transcript(asked("x"), damaged(parent=0), title=f"Chat {id_}", origin=f"test:{id_}")
        done(client.store.transcripts.add(chat))
    target = tmp_path / "all"
    report = client.result(client.transfer.export(None, form=ExportFormat.PDF, target=str(target)))
    assert names(target) == ["Chat 1.pdf", "Chat 2.pdf"]
    assert report.n_unreadable == 2
    assert client.seen[-2:] == [TransferProgressed(n_done=n, n_total=2) for n in (1, 2)]
