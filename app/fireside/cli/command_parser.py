"""How commands say what may be typed: arguments, actions, and options that stand for settings."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

import msgspec

RunCommand = Callable[..., int]
"""What a command does: a function of the context and, by name, of what was typed. It returns the exit
status; it may raise ``UsageError`` and ``FiresideError``."""

RUN: Final = "run"
PARSER: Final = "parser"
OVERRIDES: Final = "overrides"
"""Names in a parsed command line that are no arguments of its function."""

_MISSING: Final = "the following arguments are required: "
"""How argparse begins."""


class UsageError(Exception):
    """What was typed cannot be combined, or something is missing; the text says what."""


class Override(msgspec.Struct, frozen=True):
    """A setting for one run, as it was typed."""

    key: str
    value: str
    option: str = ""
    """The option that stands for this setting; empty for ``--set``."""


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps a paragraph, and leaves text alone that is broken into lines already."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class CommandParser(argparse.ArgumentParser):
    """The parser of a command or of one of its actions.

    Each option of a command that has actions belongs to some of them, so its help shows its own alone; one
    that belongs to another action is refused with the names of those that it goes with.
    """

    def __init__(
        self,
        *args: Any,
        define: Callable[[CommandParser], None] | None = None,
        is_mixed: bool = True,
        **options: Any,
    ) -> None:
        """``define`` adds the arguments; it is called when the command is typed. With ``is_mixed``, options
        may stand between positional arguments."""
        super().__init__(*args, **options)
        self.formatter_class = _HelpFormatter
        self._define = define
        self._actions_by_name: argparse._SubParsersAction[CommandParser] | None = None
        self.siblings: Mapping[str, CommandParser] = {}
        """The actions of the same command, by name, this one too."""
        self._is_mixed = is_mixed

    def does(self, run: RunCommand) -> None:
        """Have the command call ``run``, whose parameters by name are the arguments of this parser."""
        self.set_defaults(**{RUN: run, PARSER: self})

    def add_action(self, name: str, run: RunCommand, *, help: str) -> CommandParser:  # noqa: A002
        """Return the parser of an action such as ``add``; ``help`` is the beginning of a sentence."""
        if self._actions_by_name is None:
            self._actions_by_name = self.add_subparsers(
                dest="action", required=True, metavar="action", help="what to do"
            )
        action = self._actions_by_name.add_parser(
            name, help=help, description=f"{help[0].upper()}{help[1:]}."
        )
        action.siblings = self._actions_by_name.choices
        action.does(run)
        return action

    def error(self, message: str) -> NoReturn:
        """Print the message and end the program with status 2."""
        if message.startswith(_MISSING):
            names = message.removeprefix(_MISSING).split(", ")
            message = _MISSING + ", ".join(map(self._with_help, names))
        self.exit(2, f"fireside: {message}\nTry “{self.prog} --help”.\n")

    def _with_help(self, name: str) -> str:
        """Return the name of a positional argument with what it is."""
        texts = (each.help for each in self._get_positional_actions() if name in (each.metavar, each.dest))
        text = next(texts, None)
        return f"{name} ({text})" if text else name

    def parse_known_args(  # type: ignore[override]  # argparse's overloads are of no use here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """See ``ArgumentParser.parse_known_args``."""
        if self._define is not None:
            define, self._define = self._define, None
            define(self)
        # Plain parsing would end the positional arguments at the first option: “run MODEL --stats PROMPT”
        # would have no prompt. Intermixed parsing calls this method itself.
        has_actions = any(each.nargs == argparse.PARSER for each in self._get_positional_actions())
        if has_actions or not self._is_mixed:
            return super().parse_known_args(args, namespace)
        self._is_mixed = False
        try:
            parsed, others = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixed = True
        if others:
            self.error(self._why_unknown(others))
        return parsed, others

    def _why_unknown(self, typed: Sequence[str]) -> str:
        for option in (each.partition("=")[0] for each in typed):
            if owners := [name for name, each in self.siblings.items() if each.takes(option)]:
                *most, last = owners
                command = self.prog.rpartition(" ")[0].partition(" ")[2]
                names = f"{', '.join(most)} and {last}" if most else last
                return f"{option} goes with {command} {names}."
        return f"unrecognized arguments: {' '.join(typed)}"

    def takes(self, option: str) -> bool:
        """Return whether this is one of its options."""
        return option in self._option_string_actions


def add_set_option(parser: argparse._ActionsContainer, *, dest: str = OVERRIDES) -> None:
    """Add ``--set``."""
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest=dest,
        action=_OverrideAction,
        type=_assignment,
        help="override a setting by its key, for this run only; repeatable",
    )


def add_own_option(parser: argparse._ActionsContainer) -> None:
    """Add ``--own`` to a command that uses the engine of a program that runs."""
    parser.add_argument(
        "--own",
        action="store_true",
        help="load the model here, even if the window or “fireside serve” has it loaded",
    )


def add_setting(parser: argparse._ActionsContainer, option: str, *, key: str = "", **options: Any) -> None:
    """Add an option that stands for the setting ``key``, or for those that its ``type`` returns, for this run
    only."""
    parser.add_argument(option, dest=OVERRIDES, action=_OverrideAction, key=key, **options)


class _OverrideAction(argparse.Action):
    """Adds to the overrides. A ``type`` may return several values, by key."""

    def __init__(self, *args: Any, key: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.default = ()
        self._key = key

    def __call__(self, _parser: object, namespace: argparse.Namespace, values: Any, *_: object) -> None:
        option = "" if "--set" in self.option_strings else self.option_strings[0]
        pairs = values if isinstance(values, dict) else {self._key: values}
        for key, value in pairs.items():
            override(namespace, key, value, option=option, dest=self.dest)


def override(
    namespace: argparse.Namespace, key: str, value: str, *, option: str = "", dest: str = OVERRIDES
) -> None:
    """Add to the overrides of a command line that is being parsed."""
    setattr(namespace, dest, (*getattr(namespace, dest, ()), Override(key, value, option)))


def _assignment(text: str) -> dict[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key:
        raise argparse.ArgumentTypeError(f"“{text}” is not KEY=VALUE")
    return {key: value}


def model_name(text: str) -> str:
    """Return the name of a model, as a type of an argument."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the model name is empty. “fireside list” shows the models.")
    return text


def not_blank(text: str) -> str:
    """Return a text that is not blank, as a type of an argument."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return text
