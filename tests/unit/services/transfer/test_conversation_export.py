"""Exported files are complete, readable and safe."""

from __future__ import annotations

import asyncio
import base64
import errno
import html
import html.parser
import io
import json
import os
import re
import time
import zipfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.raised import refuses
from fakes.sounds import sound, video
from fakes.stores import names
from fakes.transcripts import PNG, asked, damaged, everything, said, transcript
from fireside.core.artifacts import ArtifactKind, ArtifactNotes, ArtifactText, WrittenVersion
from fireside.core.errors import RecordNotFound
from fireside.core.ids import ConversationId
from fireside.core.message import ImagePart, ReasoningPart, Role, ToolResultPart
from fireside.core.transfer import ExportFormat, ExportReport
from fireside.markup.block_stream import split_blocks
from fireside.markup.markdown import safe_link
from fireside.services.transfer import conversation_export
from fireside.services.transfer.conversation_export import ConversationExport, artifact_content, file_name
from fireside.services.transfer.export_text import code_block
from fireside.services.transfer.html_page import html_page
from fireside.services.transfer.markdown_export import close_fences, markdown_text
from fireside.services.transfer.markdown_html import FormulaHtml, MarkdownHtml
from fireside.storage.store import MEMORY, Store
from fireside.storage.transcripts import ConversationTranscript


async def export(store: Store, ids: tuple[int, ...], form: ExportFormat, target: Path) -> ExportReport:
    exporting = ConversationExport(store, clock=time.time, on_progress=lambda _done, _total: None)
    return await exporting.run(tuple(map(ConversationId, ids)), form=form, target=target)


async def filled(*transcripts: ConversationTranscript) -> Store:
    store = await Store.open(MEMORY, clock=time.time)
    for one in transcripts:
        await store.transcripts.add(one)
    return store


# Markdown


def test_markdown_begins_with_title_date_and_model() -> None:
    text = markdown_text(transcript(asked("Why?"), said("So.", parent=0), title='A "b": c'))
    assert text.startswith(
        '---\ntitle: "A \\"b\\": c"\ndate: 2026-05-28T20:26:40+00:00\nmodel: "Model"\n---\n'
    )


def test_markdown_has_only_the_active_branch() -> None:
    text = markdown_text(transcript(asked("Why?"), said("old", parent=0), said("new", parent=0)))
    assert "new" in text
    assert "old" not in text


def test_reasoning_is_a_quote_in_markdown() -> None:
    text = markdown_text(transcript(said(ReasoningPart(text="first\n\nsecond"), "done")))
    assert "> **Thought for 4 s**\n>\n> first\n>\n> second\n\ndone" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```py\nx", "```py\nx\n```"),
        ("~~~~\n```\n~~~", "~~~~\n```\n~~~\n~~~~"),
        ("```\nx\n```", "```\nx\n```"),
        ("```a``` in a line", "```a``` in a line"),
    ],
)
def test_a_fence_left_open_does_not_swallow_what_follows(text: str, expected: str) -> None:
    assert close_fences(text) == expected


def test_text_with_fences_is_put_into_a_longer_one() -> None:
    assert code_block("```\nx\n````") == "`````\n```\nx\n````\n`````"


# HTML

HOSTILE = (
    "<script>alert(1)</script> [x](javascript:alert(1)) [y](file:///etc/passwd) "
    "[v](smb://evil/x) [w](local) <img src=x onerror=alert(1)> "
    "![z](http://evil.example/x.png)\n\n<iframe src='http://evil.example'></iframe>\n\n"
    '```"><script>alert(2)</script>\n</code></pre><script>alert(3)</script>\n```\n'
)


class _Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "href":
                self.links.append(value or "")
            if name == "src":
                self.sources.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)


@pytest.mark.parametrize("role", list(Role))
def test_message_text_never_becomes_tags_or_requests(role: Role) -> None:
    hostile = transcript(
        said(HOSTILE, ReasoningPart(text=HOSTILE), role=role),
        said(ToolResultPart(call_id="1", name=HOSTILE, text=HOSTILE), role=Role.TOOL, parent=0),
        title=HOSTILE,
    )
    reader = _Reader()
    reader.feed(html_page(hostile))
    assert not {"script", "iframe", "object", "link", "base", "form"} & set(reader.tags)
    assert "img" not in reader.tags
    assert reader.sources == []
    assert all(map(safe_link, reader.links))
    assert reader.handlers == []


def test_sound_and_videos_are_played_from_the_page_itself() -> None:
    hostile = '<script>x</script>" onerror="x.wav'
    question = said(sound(hostile), video(hostile, track=sound()), "Listen", role=Role.USER)
    reader = _Reader()
    reader.feed(html_page(transcript(question)))
    assert reader.tags.count("audio") == 2
    assert reader.tags.count("img") == 12
    kinds = {source.partition(",")[0] for source in reader.sources}
    assert kinds == {"data:audio/wav;base64", "data:image/jpeg;base64"}
    assert reader.handlers == []
    assert "script" not in reader.tags
    assert base64.b64decode(reader.sources[0].partition(",")[2]) == sound(hostile).data
    text = markdown_text(transcript(said(sound("a*b.wav"), video("c.mp4"), role=Role.USER)))
    assert "*[Audio, a\\*b.wav, 0:07]*\n\n*[Video, c.mp4, 0:12]*" in text


def test_a_page_forbids_everything_but_its_own_style_and_pictures() -> None:
    assert "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'" in html_page(
        transcript(asked("x"))
    )


def test_a_page_has_colours_for_light_and_dark() -> None:
    page = html_page(transcript(said("```python\nx = 1\n```")))
    assert page.count("@media (prefers-color-scheme: dark)") == 2
    assert '<span class="n">x</span>' in page


def test_formulas_are_rendered_with_their_source_as_label() -> None:
    block = '$$\n\\frac{a}{b} < "c"\n$$'
    page = html_page(
        transcript(said(f"With $x^2$ for $5 or $6 and \\(y_1\\):\n\n{block}\n\n```\n$x^2$\n```\n`$x^2$`"))
    )
    assert page.count("<svg ") == 3
    assert 'role="img" aria-label="$x^2$" title="$x^2$"' in page
    assert f'<div class="formula" role="img" aria-label="{html.escape(block)}"' in page
    assert "for $5 or $6 and" in page
    assert page.count("<code>$x^2$") == 2
    assert 'fill="black"' not in page


def test_a_formula_that_cannot_be_rendered_stays_source() -> None:
    page = html_page(transcript(said("$\\unknowncommand{x}$ and\n\n$$\n\\frac{\n$$\n")))
    assert "<svg" not in page
    assert "<code>$\\unknowncommand{x}$</code>" in page
    assert "<pre><code>$$\n\\frac{\n$$</code></pre>" in page


@pytest.mark.parametrize(
    "tex", ["\\text{</svg><script>alert(1)</script>}", '\\color{red" onload="alert(1)}{x^2}']
)
def test_formulas_add_only_paths_to_a_page(tex: str) -> None:
    reader = _Reader()
    reader.feed(html_page(transcript(said(f"$x^2$ and ${tex}$"))))
    assert not {"script", "image", "use", "a", "foreignObject"} & set(reader.tags)
    assert reader.handlers == []


def test_letters_that_the_font_of_formulas_lacks_are_text_of_the_page() -> None:
    page = html_page(transcript(said("$\\frac{距离}{\\text{<时间>}}$")))
    assert re.search(r'<text [^>]*textLength="180.0"[^>]*>距离</text>', page)
    assert ">&lt;时间&gt;</text>" in page


def test_a_repeated_formula_is_rendered_each_time() -> None:
    formulas = " ".join(f"$x_{{{n}}}$" for n in range(6))
    drawn = FormulaHtml()
    assert MarkdownHtml(formulas=drawn).render(f"{formulas} {formulas}").count("<svg ") == 12


def test_many_unclosed_formulas_take_linear_time() -> None:
    text = "\\begin{align}\n" * 20_000
    assert html_page(transcript(said(text))).count("begin{align}") == 20_000


def test_an_unclosed_formula_stays_source() -> None:
    page = html_page(transcript(said("$$\n\\frac{a}{b}\n\nand so on")))
    assert "<svg" not in page
    assert "<pre><code>$$\n\\frac{a}{b}</code></pre>" in page


def test_a_footnote_has_its_mark_and_its_text() -> None:
    page = html_page(transcript(said("It is so.[^a]\n\n[^a]: See <x>there</x>.")))
    assert "It is so.<sup>a</sup>" in page
    assert '<div class="footnote"><sup>a</sup>\n<p>See &lt;x&gt;there&lt;/x&gt;.</p>\n</div>' in page


def test_deeply_nested_text_is_exported_as_source() -> None:
    text = ">" * 60 + " the end"
    assert f"<pre>{html.escape(text)}</pre>" in html_page(transcript(said(text)))


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/x?q#f",
        "HTTP://a.example",
        "mailto:a@b.example",
        "http:x",
        "http://",
        "mailto:",
        "/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "vbscript:x",
        "data:text/html,x",
        "x-apple:y",
    ],
)
def test_a_page_and_the_window_have_the_same_links(url: str) -> None:
    text = f"[here]({url}) and <{url}>"
    window = "".join(block.body for block in split_blocks(text))
    assert html_page(transcript(said(text))).count("<a ") == window.count("<a ")
    assert window.count("<a ") == 2 * safe_link(url)


def test_task_lists_have_check_boxes() -> None:
    page = html_page(transcript(said("- [x] Bread\n- [ ] Salt\n- [link](https://example.org)")))
    assert '<li class="task">☑ Bread</li>' in page
    assert '<li class="task">☐ Salt</li>' in page
    assert page.count('class="task"') == 2


def test_an_image_is_embedded_in_the_page() -> None:
    page = html_page(transcript(said(ImagePart(data=PNG, media_type="image/png"), role=Role.USER)))
    assert 'src="data:image/png;base64,iVBORw0KGgo' in page


def test_images_of_a_result_follow_it() -> None:
    image = ImagePart(data=PNG, media_type="image/png", name="picture <1>")
    made = transcript(said(ToolResultPart(call_id="1", name="look", text="A roof", images=(image,))))
    page = html_page(made)
    assert '<img alt="picture &lt;1&gt;" src="data:image/png;base64,iVBORw0KGgo' in page
    assert page.index("A roof") < page.index("<img")
    assert "A roof\n```\n\n*[Image, image/png]*" in markdown_text(made)


def test_an_image_of_an_unknown_type_is_left_out() -> None:
    svg = ImagePart(data=b"<svg onload=alert(1)>", media_type="image/svg+xml")
    assert "<img" not in html_page(transcript(said(svg, role=Role.USER)))


def test_many_markup_characters_take_linear_time() -> None:
    # Pairing these would take the square of their number.
    assert "[[[[" in html_page(transcript(said("[" * 100_000 + "*_" * 50_000)))


# Files


async def test_json_round_trips_everything(tmp_path: Path) -> None:
    async with await filled(everything()) as store:
        report = await export(store, (1,), ExportFormat.JSON, tmp_path / "x.json")
    assert report.paths == (str(tmp_path / "x.json"),)
    document = json.loads((tmp_path / "x.json").read_bytes())
    assert (document["format"], document["version"]) == ("fireside-conversations", 1)
    assert len(document["conversations"][0]["messages"]) == 5


async def test_several_get_a_file_each_and_none_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "rate limiter.md").write_text("mine")
    two = [transcript(asked("x"), origin=f"t:{n}") for n in range(2)]
    async with await filled(*two) as store:
        await export(store, (1, 2), ExportFormat.MARKDOWN, tmp_path)
    assert names(tmp_path) == ["Rate limiter (2).md", "Rate limiter (3).md", "rate limiter.md"]
    assert (tmp_path / "rate limiter.md").read_text() == "mine"


async def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("old")
    async with await filled(everything()) as store:
        with pytest.raises(RecordNotFound):
            await export(store, (98, 99), ExportFormat.JSON, tmp_path / "x.json")
    assert names(tmp_path) == ["x.json"]
    assert (tmp_path / "x.json").read_text() == "old"


async def test_an_unwritable_target_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    async with await filled(everything()) as store:
        for form in (ExportFormat.JSON, ExportFormat.HTML):
            with refuses("export_unwritable"):
                await export(store, (1,), form, tmp_path / "file" / "x")
        with refuses("export_unwritable"):
            await export(store, (), ExportFormat.JSON, tmp_path / "x.json")


@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.HTML, ExportFormat.JSON])
async def test_a_damaged_message_has_a_placeholder_and_is_counted(form: ExportFormat, tmp_path: Path) -> None:
    async with await filled(transcript(asked("fine"), damaged(parent=0))) as store:
        report = await export(store, (1,), form, tmp_path / "x")
    assert report.n_unreadable == 1
    text = (tmp_path / "x").read_text()
    assert "fine" in text
    assert "is damaged" in text


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("a/b\\c:d", "a b c d.md"),
        ("CON", "CON_.md"),
        ("../..", "Chat.md"),
        ("  ", "Chat.md"),
        ("x" * 300, "x" * 80 + ".md"),
        ("a\u202egnp", "a gnp.md"),
        ("\U0001d400" * 70, "\U0001d400" * 34 + ".md"),
        ("语" * 80, "语" * 45 + ".md"),
        ("x" + "\U0001f469\u200d\U0001f680" * 20, "x" + "\U0001f469\u200d\U0001f680" * 12 + ".md"),
        ("e\u0301" * 60, "e\u0301" * 40 + ".md"),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title: str, expected: str) -> None:
    assert file_name(title, suffix=".md", used=set()) == expected


@given(st.text(max_size=200), st.integers(0, 12), st.integers(16, 300))
def test_any_title_fits_every_file_system_and_no_two_names_are_equal(title: str, n: int, room: int) -> None:
    used: set[str] = set()
    names = [file_name(title, suffix=".html", used=used, room=room) for _ in range(n)]
    assert len({name.casefold() for name in names}) == n
    for name in names:
        assert len(name.encode("utf-8", "surrogatepass")) <= min(room, 143)
        assert name.endswith(".html")
        assert not name.startswith((" ", "."))


async def test_one_chat_that_cannot_be_exported_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine, bad, last = (
        transcript(asked(title), title=title, origin=title) for title in ("Fine", "Bad", "Last")
    )
    content = conversation_export._content

    def fail(made: ConversationTranscript, form: ExportFormat, *, is_answer: bool) -> bytes:
        if made.title == "Bad":
            raise OSError(errno.ENAMETOOLONG, "File name too long")
        return content(made, form, is_answer=is_answer)

    monkeypatch.setattr(conversation_export, "_content", fail)
    async with await filled(fine, bad, last) as store:
        report = await export(store, (1, 2, 99, 3), ExportFormat.MARKDOWN, tmp_path / "out")
        assert (report.n_conversations, report.n_failed) == (2, 2)
        assert [failed.what for failed in report.failed] == ["Bad", "Chat 99"]
        assert "too long" in report.failed[0].reason
        assert names(tmp_path / "out") == ["Fine.md", "Last.md"]
        report = await export(store, (99, 1), ExportFormat.JSON, tmp_path / "out.json")
        assert (report.n_conversations, report.n_failed) == (1, 1)
        assert len(json.loads((tmp_path / "out.json").read_bytes())["conversations"]) == 1
        with refuses("export_unwritable"):
            await export(store, (2,), ExportFormat.MARKDOWN, tmp_path / "bad.md")
        with pytest.raises(RecordNotFound):
            await export(store, (98, 99), ExportFormat.HTML, tmp_path / "none")


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.JSON])
async def test_a_link_is_followed_and_stays(form: ExportFormat, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("old")
    link = tmp_path / "link"
    link.symlink_to("kept")
    async with await filled(transcript(asked("Why?"))) as store:
        await export(store, (1,), form, link)
    assert link.is_symlink()
    assert "Why?" in kept.read_text()


@pytest.mark.skipif(os.name == "nt", reason="named pipes are no files there")
async def test_a_pipe_is_written_into_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    getattr(os, "mkfifo")(pipe)  # noqa: B009  # none on Windows
    async with await filled(transcript(asked("Why?"))) as store:
        reading = asyncio.create_task(asyncio.to_thread(pipe.read_bytes))
        await export(store, (1,), ExportFormat.MARKDOWN, pipe)
        assert b"Why?" in await reading
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_blocks_of_a_page_have_directions() -> None:
    source = "مع `code()`\n\n1. بند\n\n| الاسم | x |\n|---|---|\n| أ | `f()` |\n\nText\n"
    page = html_page(transcript(said(source)))
    for part in (
        '<p dir="rtl">مع <code dir="ltr">code()</code></p>',
        '<ol dir="rtl">\n<li dir="rtl">بند',
        '<table dir="rtl">',
        '<td dir="ltr"><code dir="ltr">f()</code></td>',
        '<p dir="ltr">Text</p>',
    ):
        assert part in page, part
    assert "pre { direction: ltr;" in page


@pytest.mark.parametrize("n_folder", [10, 150, 240])
def test_names_leave_room_for_the_folder_where_a_path_is_limited(
    n_folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.services.transfer.conversation_export.sys.platform", "win32")
    folder = Path("/" + "f" * (n_folder - 1))
    name = file_name("语" * 80, suffix=".html", used=set(), room=conversation_export.name_room(folder))
    assert len(str(folder / name)) <= 259
    assert len(name.encode()) <= 143


async def test_versions_by_hand_follow_their_answer_in_every_format(tmp_path: Path) -> None:
    source = "Here:\n\n```svg house.svg\n<svg viewBox='0 0 1 1'></svg>\n```\n"
    edit = WrittenVersion(text="<svg viewBox='0 0 2 2'></svg>", created_at=1_780_000_500.0)
    notes = (ArtifactNotes(start=source.index("```"), edits=(edit,)),)
    drawn = msgspec.structs.replace(said(source, parent=0), artifacts=notes)
    store = await filled(transcript(asked("Draw"), drawn))
    for form in (ExportFormat.MARKDOWN, ExportFormat.HTML, ExportFormat.DOCX):
        target = tmp_path / f"chat.{form}"
        await export(store, (1,), form, target)
        text = target.read_bytes()
        if form is ExportFormat.DOCX:
            text = zipfile.ZipFile(target).read("word/document.xml")
        assert b"0 0 2 2" in text
        assert text.count(b"house.svg") >= 1
    markdown = (tmp_path / "chat.markdown").read_text()
    assert f"```svg\n{edit.text}\n```" in markdown
    assert "Version by hand of “house.svg”" in markdown


@pytest.mark.parametrize(
    ("kind", "text", "form", "mark"),
    [
        (ArtifactKind.CODE, "x = 1", None, b"x = 1\n"),
        (ArtifactKind.CSV, "a,b,c\n1,2\n", ExportFormat.XLSX, b"xl/worksheets/sheet1.xml"),
        (ArtifactKind.MARKDOWN, "# Plan\n\nGo.", ExportFormat.DOCX, b"word/document.xml"),
        (ArtifactKind.CODE, "<b>`` ``` ``</b>", ExportFormat.HTML, b"&lt;b&gt;`` ``` ``&lt;/b&gt;"),
    ],
)
def test_an_artifact_becomes_a_file(
    kind: ArtifactKind, text: str, form: ExportFormat | None, mark: bytes
) -> None:
    shown = ArtifactText(kind=kind, language="text", title="Plan: a/b", text=text)
    assert mark in artifact_content(shown, form)


def test_rows_of_a_table_arrive_in_the_workbook() -> None:
    shown = ArtifactText(kind=ArtifactKind.CSV, language="csv", title="t", text='a;b\n1;"x;y"\n\n2\n')
    book = zipfile.ZipFile(io.BytesIO(artifact_content(shown, ExportFormat.XLSX)))
    assert "<t>x;y</t>" in book.read("xl/sharedStrings.xml").decode()
    assert re.findall(r"<v>([0-9]+)</v></c>(?=</row>|<c)", book.read("xl/worksheets/sheet1.xml").decode())
