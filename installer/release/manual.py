"""The manual page and the completions of the shells, from what the program says of itself with `--help`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Ask = Callable[[tuple[str, ...]], str]
"""Returns what the program prints for these words."""

_COMMAND = re.compile(r"^    ([a-z][a-z-]*)(?: {2,}(.*))?$")
_CONTINUED = re.compile(r"^ {8,}(\S.*)$")
_OPTION = re.compile(r"^  (?:-\w(?: \w+)?, )?(--[a-z][a-z-]*)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command: its name, a line about it, its long options, and all that its help says."""

    name: str
    summary: str
    options: tuple[str, ...]
    help: str


def ask_program(program: Path) -> Ask:
    """Return what asks ``program``, in English and in lines of a manual's width."""

    def ask(words: tuple[str, ...]) -> str:
        variables = {"LANGUAGE": "C", "LC_ALL": "C.UTF-8", "COLUMNS": "78", "PATH": "/usr/bin:/bin"}
        done = subprocess.run([program, *words], env=variables, capture_output=True, text=True, check=True)
        return done.stdout

    return ask


def read_commands(ask: Ask) -> tuple[Command, ...]:
    """Return the program's commands in its order."""
    summaries: dict[str, str] = {}
    name = ""
    for line in ask(("--help",)).partition("\noptions:")[0].splitlines():
        if found := _COMMAND.match(line):
            name = found[1]
            summaries[name] = found[2] or ""
        elif name and (found := _CONTINUED.match(line)):
            summaries[name] = f"{summaries[name]} {found[1]}".strip()
    commands = []
    for name, summary in summaries.items():
        text = ask((name, "--help"))
        options = tuple(dict.fromkeys(_OPTION.findall(text)))
        commands.append(Command(name=name, summary=summary, options=options, help=text))
    return tuple(commands)


def manual_page(commands: tuple[Command, ...], *, main_help: str, version: str) -> str:
    """Return the page as troff."""
    listed = "".join(f".TP\n.B {_troff(one.name)}\n{_troff(one.summary)}\n" for one in commands)
    details = "".join(
        f".SS fireside {_troff(one.name)}\n.nf\n{_troff(one.help.rstrip())}\n.fi\n" for one in commands
    )
    examples = main_help.partition("\nexamples:\n")[2].rstrip()
    return (
        f'.TH FIRESIDE 1 "" "Fireside {version}" "User Commands"\n'
        ".SH NAME\nfireside \\- chat with language models on your own computer\n"
        ".SH SYNOPSIS\n.B fireside\n[\\fIfile.gguf\\fR ...]\n.br\n.B fireside\n\\fIcommand\\fR [...]\n"
        ".SH DESCRIPTION\nWithout a command, the window opens. Nothing leaves this computer unless you ask "
        "for it.\n"
        f".SH COMMANDS\n{listed}"
        f".SH EXAMPLES\n.nf\n{_troff(examples)}\n.fi\n"
        f".SH OPTIONS OF EACH COMMAND\n{details}"
        ".SH FILES\n.TP\n.I ~/.local/share/fireside\nchats, models and the log\n"
        ".TP\n.I ~/.config/fireside\nsettings\n.TP\n.I ~/.cache/fireside\nthe prompt cache\n"
        ".SH EXIT STATUS\n0 if all is well, 1 if it failed, 2 for a wrong command line, 130 if stopped.\n"
    )


def bash_completion(commands: tuple[Command, ...]) -> str:
    """Return what bash completes ``fireside`` with: commands, their options, and files."""
    cases = "".join(f'    {one.name}) words="{" ".join(one.options)}" ;;\n' for one in commands)
    names = " ".join(one.name for one in commands)
    return (
        "_fireside() {\n"
        '  local current="${COMP_WORDS[COMP_CWORD]}" words=""\n'
        '  if [ "$COMP_CWORD" -eq 1 ]; then\n'
        f'    COMPREPLY=($(compgen -W "{names} --help --version --set" -- "$current") '
        '$(compgen -f -X "!*.gguf" -- "$current"))\n'
        "    return\n  fi\n"
        f'  case "${{COMP_WORDS[1]}}" in\n{cases}  esac\n'
        '  case "$current" in\n'
        '    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;\n'
        '    *) COMPREPLY=($(compgen -f -- "$current")) ;;\n'
        "  esac\n}\ncomplete -o filenames -F _fireside fireside\n"
    )


def zsh_completion(commands: tuple[Command, ...]) -> str:
    """Return the same for zsh, with a line about each command."""
    listed = "".join(f"    {_quoted(f'{one.name}:{one.summary}')}\n" for one in commands)
    cases = "".join(f"    {one.name}) compadd -- {' '.join(one.options)} ;;\n" for one in commands)
    return (
        "#compdef fireside\n"
        "_fireside() {\n"
        f"  local -a commands=(\n{listed}  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n    _files -g '*.gguf'\n    return\n  fi\n"
        "  if [[ $PREFIX != -* ]]; then\n    _files\n    return\n  fi\n"
        f"  case $words[2] in\n{cases}  esac\n"
        '}\n_fireside "$@"\n'
    )


def fish_completion(commands: tuple[Command, ...]) -> str:
    """Return the same for fish."""
    lines = []
    for one in commands:
        lines.append(f"complete -c fireside -n __fish_use_subcommand -a {one.name} -d {_quoted(one.summary)}")
        lines += [
            f"complete -c fireside -n '__fish_seen_subcommand_from {one.name}' -l {option[2:]}"
            for option in one.options
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return ``text`` in single quotes as zsh and fish read it; an apostrophe becomes a typographic one."""
    return "'" + text.replace("'", "’") + "'"


def _troff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))
