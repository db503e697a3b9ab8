"""E-mails kept as files: read with who wrote to whom, whatever is in them."""

from __future__ import annotations

import random
from email.message import EmailMessage

import pytest

from fireside.core.i18n import render
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest

N_MUTANTS = 200
SEED = 13


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="file", data=data))


def hidden_of(reply: ReadReply) -> list[str]:
    return [reply.text[start:end] for start, end in reply.hidden]


def mail(subject: str = "Größe – Rückfrage") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "Jörg Müller <j@example.com>"
    message["To"] = "a@example.com"
    message["Date"] = "Tue, 24 Nov 2026 10:00:00 +0100"
    return message


HEAD = (
    "# Größe – Rückfrage\n\nFrom: Jörg Müller <j@example.com>\nTo: a@example.com\n"
    "Date: Tue, 24 Nov 2026 10:00:00 +0100\n\n"
)


def test_the_plain_text_is_read_and_attachments_are_named() -> None:
    message = mail()
    message.set_content("Die Kiste ist 40 cm breit.\n\n> quoted\n")
    message.add_alternative("<p>the same in HTML</p>", subtype="html")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Angebot für Sie.pdf")
    reply = of(message.as_bytes())
    assert reply.media_type == "message/rfc822"
    assert reply.text == HEAD + "Die Kiste ist 40 cm breit.\n\n> quoted"
    assert [render(warning) for warning in reply.warnings] == [
        "What is attached to it was not read: Angebot für Sie.pdf. Save it as files of its own."
    ]


def test_an_html_mail_is_decoded_and_its_hidden_text_marked() -> None:
    message = mail()
    message.set_content(
        '<p>Gruß <span style="display:none">unseen</span></p>', subtype="html", charset="iso-8859-1"
    )
    reply = of(message.as_bytes())
    assert reply.text == HEAD + "Gruß unseen"
    assert hidden_of(reply) == ["unseen"]


def test_pictures_within_the_text_are_not_named() -> None:
    message = mail()
    message.set_content('<p>Look: <img src="cid:a"></p>', subtype="html")
    message.add_related(b"\x89PNG", maintype="image", subtype="png", cid="<a>", disposition="inline")
    reply = of(message.as_bytes())
    assert reply.text == HEAD + "Look:"
    assert not reply.warnings


def test_a_forwarded_mail_is_read_below_the_other() -> None:
    inner = mail("Another")
    inner.set_content("within")
    message = mail()
    message.set_content("See below.")
    message.add_attachment(inner)
    reply = of(message.as_bytes())
    inner_head = HEAD.replace("Größe – Rückfrage", "Another")
    assert reply.text == f"{HEAD}See below.\n\n## Attachment: message/rfc822\n\n{inner_head}within"
    assert not reply.warnings


def test_attachments_that_are_text_are_read_under_their_names() -> None:
    message = mail()
    message.set_content("See the plan.")
    message.add_attachment("Item,Price\nPümp,12\n", subtype="csv", filename="plän.csv", charset="iso-8859-1")
    message.add_attachment("<html><h1>Rates</h1></html>", subtype="html", filename="rates.html")
    message.add_attachment("BEGIN:VCALENDAR", subtype="calendar", filename="day.ics")
    message.add_attachment(b"{\\rtf1 Written.}", maintype="text", subtype="rtf", filename="a.rtf")
    for name, data in (
        ("a.json", b'{"a": 1}'),
        ("a.bin", b"\x00\x01\x02" * 99),
        ("a.zip", b"PK\x03\x04"),
    ):
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    message.add_attachment(b"sig", maintype="application", subtype="pgp-signature", filename="s.asc")
    reply = of(message.as_bytes())
    assert reply.text == HEAD + "\n\n".join(
        [
            "See the plan.",
            "## Attachment: plän.csv",
            "Item,Price\nPümp,12",
            "## Attachment: rates.html",
            "# Rates",
            "## Attachment: day.ics",
            "BEGIN:VCALENDAR",
            "## Attachment: a.rtf",
            "Written.",
            "## Attachment: a.json",
            '{"a": 1}',
        ]
    )
    assert [render(warning) for warning in reply.warnings] == [
        "What is attached to it was not read: a.bin, a.zip. Save it as files of its own."
    ]


def test_mails_within_mails_without_end_are_read_to_a_depth() -> None:
    message = mail("innermost")
    message.set_content("deep")
    for n in range(9):
        outer = mail(f"level {n}")
        outer.set_content("see")
        outer.add_attachment(message)
        message = outer
    reply = of(message.as_bytes())
    assert "# level 3" in reply.text
    assert "message/rfc822" in render(reply.warnings[0])


def test_a_body_in_an_old_encoding_that_is_not_declared_is_read() -> None:
    head = b"From: a\nTo: b\nDate: c\nSubject: d\n\n"
    reply = of(head + "Добрый день, договор аренды во вложении. Жду ответа до пятницы.".encode("cp1251"))
    assert "договор аренды" in reply.text
    assert "Windows-1251" in render(reply.warnings[0])


def test_letters_in_the_fields_that_were_never_encoded_are_read() -> None:
    reply = of("From: Ö <o@example.com>\r\nTo: x\r\nSubject: Roh ü\r\nDate: today\r\n\r\nText ä\r\n".encode())
    assert reply.text == "# Roh ü\n\nFrom: Ö <o@example.com>\nTo: x\nDate: today\n\nText ä"


@pytest.mark.parametrize(
    "text",
    [
        "Subject: notes\n\nno mail\n",
        "From: me\nTo: you\nthen prose, no mail\n",
        "a: 1\nb: 2\nc: 3\n\nsettings\n",
        "From a friend: hello\nDate: today\n",
    ],
)
def test_other_texts_with_colons_are_texts(text: str) -> None:
    reply = of(text.encode())
    assert (reply.media_type, reply.text) == ("text/plain", text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("Content-Type", "text/plain; charset=zip"),
        ("Content-Type", "multipart/mixed; boundary="),
        ("Content-Type", "multipart/mixed"),
        ("Content-Transfer-Encoding", "base64"),
        ("Content-Transfer-Encoding", "uuencode"),
        ("Subject", "=?utf-8?b?////?= =?x?q?=zz?="),
        ("Content-Disposition", "inline; filename*=x''%ff%fe"),
    ],
)
def test_fields_that_no_program_writes_are_read_as_far_as_they_go(field: str, value: str) -> None:
    head = f"From: a\nTo: b\nDate: c\n{field}: {value}\n\nthe body\n"
    reply = of(head.encode())
    assert reply.problem or "From: a" in reply.text


def test_a_mutated_mail_gives_text_or_a_reason() -> None:
    rng = random.Random(SEED)
    message = mail()
    message.set_content("plain ä")
    message.add_alternative("<p>HTML</p>", subtype="html")
    message.add_attachment(b"data", maintype="application", subtype="zip", filename="ü.zip")
    whole = message.as_bytes()
    for _ in range(N_MUTANTS):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 8)):
            position = rng.randrange(len(data))
            data[position : position + rng.randrange(6)] = rng.choice(
                [rng.randbytes(3), b"\n", b"\n\n", b":", b"=?", b"?=", b"--", b'"', b";", b""]
            )
        reply = of(bytes(data))
        assert reply.problem or reply.media_type


def test_parts_within_parts_without_end_are_refused_or_read() -> None:
    data = b"From: a\nTo: b\nDate: c\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3_000)
    )
    reply = of(data)
    assert reply.problem or reply.media_type
