"""Sets of questions with known answers, from the files that their makers publish."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and the documents that answer it with how well they do."""

    text: str
    wanted: Mapping[str, int]
    answer: str = ""
    row: str = ""
    """What a passage has to hold to count."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A file: ``title`` becomes its name."""

    id: str
    title: str
    text: str
    ending: str = "txt"

    @property
    def name(self) -> str:
        """What the file is called."""
        title = re.sub(r"[^\w ()-]", "", self.title)[:120].strip()
        return f"{title or 'untitled'}.{self.ending}"


class QuestionSet(msgspec.Struct, frozen=True, kw_only=True):
    """Documents and what is asked of them."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]


def cranfield(folder: Path) -> QuestionSet:
    """Return Cranfield: ``cran.all.1400``, ``cran.qry`` and ``QRelsCorrectedforTRECeval``."""
    wanted: dict[int, dict[str, int]] = {}
    for line in (folder / "QRelsCorrectedforTRECeval").read_text().splitlines():
        query, _, document, grade = line.split()
        if int(grade) > 0:
            wanted.setdefault(int(query), {})[document] = int(grade)
    return QuestionSet(
        name="Cranfield",
        documents=tuple(
            Document(id=each["I"], title=each.get("T", ""), text=each.get("W") or each.get("T") or " ")
            for each in _records((folder / "cran.all.1400").read_text())
        ),
        questions=tuple(
            Question(text=each["W"], wanted=wanted[number])
            for number, each in enumerate(_records((folder / "cran.qry").read_text()), start=1)
        ),
    )


def _records(text: str) -> Iterator[dict[str, str]]:
    for record in re.split(r"^\.I ", text, flags=re.MULTILINE)[1:]:
        number, _, rest = record.partition("\n")
        fields = {"I": number.strip()}
        for match in re.finditer(r"^\.([TABW])\n(.*?)(?=^\.[TABW]\n|\Z)", rest, re.MULTILINE | re.DOTALL):
            fields[match[1]] = " ".join(match[2].split())
        yield fields


def squad(file: Path) -> QuestionSet:
    """Return a set in the format of SQuAD: each paragraph is a document under the name of its article."""
    documents: list[Document] = []
    questions: list[Question] = []
    for article in json.loads(file.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            id_ = str(len(documents))
            title = article.get("title", "").replace("_", " ")
            documents.append(Document(id=id_, title=title, text=paragraph["context"]))
            questions += [
                Question(text=asked["question"], wanted={id_: 1}, answer=asked["answers"][0]["text"])
                for asked in paragraph["qas"]
                if asked.get("answers")
            ]
    return QuestionSet(name=file.stem, documents=tuple(documents), questions=tuple(questions))


_DESCRIPTION = re.compile(r"^\.SH \"?BEZEICHNUNG\"?\n(.*?)^\.SH", re.MULTILINE | re.DOTALL)


def german_manuals(folder: Path, *, most: int = 120, n_chars: int = 6_000) -> QuestionSet:
    """Return German manual pages of a folder such as ``/usr/share/man/de``: known items.

    Each is asked for by what its first section says of it, which the document itself does not have.
    """
    documents: list[Document] = []
    questions: list[Question] = []
    seen: set[str] = set()
    for path in sorted(folder.glob("man*/*.gz")):
        source = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
        found = _DESCRIPTION.search(source)
        about = _plain(found[1]).partition(" - ")[2] if found else ""
        if not found or len(about.split()) < 3 or about in seen or len(documents) == most:
            continue
        seen.add(about)
        documents.append(
            Document(
                id=path.name, title=path.name.split(".")[0], text=_plain(source[found.end() - 3 :])[:n_chars]
            )
        )
        questions.append(Question(text=about, wanted={path.name: 1}))
    return QuestionSet(name="German manuals", documents=tuple(documents), questions=tuple(questions))


def _plain(roff: str) -> str:
    """Return the words of a page without its marks, a paragraph a line."""
    lines = []
    for line in roff.splitlines():
        if line.startswith(('.\\"', "'", ".TH", ".ie", ".el", ".if", ".nr", ".de", ".ds", "..")):
            continue
        if line.startswith((".SH", ".SS", ".PP", ".TP", ".IP", ".P")):
            lines.append("\n" + line.partition(" ")[2].strip('"'))
            continue
        lines.append(re.sub(r"^\.(?:BR|RB|IR|RI|BI|IB|B|I|nf|fi|br|sp|RS|RE)\b", "", line))
    text = re.sub(r"\\f(?:\[\w*\]|\(..|.)", "", "\n".join(lines)).replace("\\-", "-")
    return re.sub(r"\\[&%/,|^]|\\\\", "", text.replace("\\ ", " ")).replace("\\(aq", "'").strip()


def tables(*, n_rows: int = 240, seed: int = 5) -> QuestionSet:
    """Return made-up stock lists as CSV and Markdown, asked for single rows, beside prose of their words."""
    rng = random.Random(seed)
    things = [
        "valve",
        "gasket",
        "bearing",
        "pump",
        "hose",
        "filter",
        "clamp",
        "washer",
        "spring",
        "coupling",
        "bracket",
        "sensor",
    ]
    kinds = ["brass", "steel", "copper", "rubber", "ceramic", "nylon", "carbon", "zinc"]
    places = ["Hamburg", "Lisbon", "Oslo", "Turin", "Gdansk", "Cork", "Leeds", "Malmo", "Nantes", "Porto"]
    documents: list[Document] = []
    questions: list[Question] = []
    for number, ending in enumerate(("csv", "md", "csv", "md")):
        rows = []
        for row in range(n_rows):
            what = f"{rng.choice(kinds)} {rng.choice(things)} {rng.randrange(10, 99)}"
            rows.append((what, rng.choice(places), str(rng.randrange(2, 900)), f"{rng.randrange(1, 400)}.50"))
            if row % 24 == 11:
                asked = f"How many of the {what} are in stock in {rows[-1][1]}?"
                questions.append(
                    Question(text=asked, wanted={f"t{number}": 1}, row=_row(rows[-1], ending=ending))
                )
        head = ("item", "warehouse", "in stock", "price")
        lines = [head, *rows] if ending == "csv" else [head, ("---",) * 4, *rows]
        text = "\n".join(_row(line, ending=ending) for line in lines)
        documents.append(Document(id=f"t{number}", title=f"Stock list {number}", text=text, ending=ending))
    for number in range(60):
        text = " ".join(
            f"The {rng.choice(kinds)} {rng.choice(things)} {rng.randrange(10, 99)} was moved to "
            f"{rng.choice(places)}, where {rng.randrange(2, 900)} of them were counted."
            for _ in range(30)
        )
        documents.append(Document(id=f"p{number}", title=f"Report {number}", text=text))
    return QuestionSet(name="Tables", documents=tuple(documents), questions=tuple(questions))


def _row(cells: tuple[str, ...], *, ending: str) -> str:
    return ",".join(cells) if ending == "csv" else f"| {' | '.join(cells)} |"
