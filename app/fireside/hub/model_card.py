"""Read what an owner says about a model: a README as text, the address of a licence. Hostile input."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

MAX_CARD_BYTES: Final = 512 * 1024
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_CONTROLS: Final = {code: None for code in (*range(32), 127) if chr(code) not in "\n\t"}


def card_text(content: bytes) -> str:
    """Return the Markdown of a README without its front matter; what is no text is left out."""
    text = content[:MAX_CARD_BYTES].decode("utf-8-sig", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    front = _FRONT_MATTER.match(text)
    return text[front.end() if front else 0 :].strip("\n")


def licence_address(link: str, *, page: str, commit: str) -> str:
    """Return the address of a licence for a browser; ``link`` may name a file of the repository.

    Empty if it leads to no page.
    """
    link = link.strip()
    try:
        parts = urlsplit(link)
        host = parts.hostname
    except ValueError:
        return ""
    if parts.scheme in ("http", "https"):
        return link if host and "@" not in parts.netloc and " " not in link else ""
    if not link or parts.scheme or parts.netloc or ".." in link.split("/"):
        return ""
    return f"{page}/blob/{commit}/{quote(parts.path.lstrip('/'))}"
