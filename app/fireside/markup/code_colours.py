"""The colours of code, by the names of Pygments' styles and one of our own. Import it with Pygments."""

from __future__ import annotations

from typing import ClassVar

from pygments.style import Style
from pygments.styles import get_style_by_name
from pygments.token import Token, _TokenType

PAPER = "paper"


class PaperStyle(Style):
    """Inks of about equal weight on warm paper; each is read there with a contrast of 4.5 to 1."""

    name = PAPER
    background_color = "#f9f5f2"
    styles: ClassVar[dict[_TokenType, str]] = {
        Token: "#1f1b16",
        Token.Comment: "italic #74695f",
        Token.Comment.Preproc: "noitalic #7d5600",
        Token.Keyword: "#8b2c6b",
        Token.Keyword.Type: "#176860",
        Token.Operator: "#5d5249",
        Token.Operator.Word: "#8b2c6b",
        Token.Punctuation: "#443d35",
        Token.Name.Function: "#2b5b8c",
        Token.Name.Class: "bold #2b5b8c",
        Token.Name.Namespace: "#2b5b8c",
        Token.Name.Tag: "#8b2c6b",
        Token.Name.Attribute: "#7d5600",
        Token.Name.Decorator: "#7d5600",
        Token.Name.Builtin: "#176860",
        Token.Name.Exception: "#176860",
        Token.Name.Constant: "#9a4500",
        Token.Name.Entity: "#9a4500",
        Token.Name.Variable.Instance: "#443d35",
        Token.Literal.Number: "#9a4500",
        Token.Literal.String: "#4a6a1c",
        Token.Literal.String.Escape: "#9a4500",
        Token.Literal.String.Interpol: "#9a4500",
        Token.Literal.String.Doc: "#4a6a1c",
        Token.Generic.Heading: "bold #2b5b8c",
        Token.Generic.Subheading: "bold #2b5b8c",
        Token.Generic.Deleted: "#b0083f",
        Token.Generic.Inserted: "#176860",
        Token.Generic.Error: "#b0083f",
        Token.Generic.Prompt: "#74695f",
        Token.Generic.Output: "#5d5249",
        Token.Generic.Emph: "italic",
        Token.Generic.Strong: "bold",
        Token.Error: "#b0083f",
    }


def code_style(name: str) -> type[Style]:
    """Return ours, or a style of Pygments; raises ``pygments.util.ClassNotFound`` where there is none."""
    return PaperStyle if name == PAPER else get_style_by_name(name)
