"""The manual page and the shell completions, from the output of `--help`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Run = Callable[[tuple[str, ...]], str]
"""Returns the output of the program for these arguments."""

_COMMAND = re.compile(r"^    ([a-z][a-z-]*)(?: {2,}(.*))?$")
_CONTINUED = re.compile(r"^ {8,}(\S.*)$")
_OPTION = re.compile(r"^  (?:-\w(?: \w+)?, )?(--[a-z][a-z-]*)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command: its name, a summary in one line, its long options, and its help."""

    name: str
    summary: str
    options: tuple[str, ...]
    help: str


def help_runner(program: Path) -> Run:
    """Return a function that runs ``program`` in English with the line width of manual pages."""

    def run(arguments: tuple[str, ...]) -> str:
        variables = {"LANGUAGE": "C", "LC_ALL": "C.UTF-8", "COLUMNS": "78", "PATH": "/usr/bin:/bin"}
        command: list[str | Path] = [program, *arguments]
        return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout

    return run


def read_commands(run: Run) -> tuple[Command, ...]:
    """Return the program's commands in the order of its help."""
    summaries: dict[str, str] = {}
    name = ""
    for line in run(("--help",)).partition("\noptions:")[0].splitlines():
        if match := _COMMAND.match(line):
            name = match[1]
            summaries[name] = match[2] or ""
        elif name and (match := _CONTINUED.match(line)):
            summaries[name] = f"{summaries[name]} {match[1]}".strip()
    commands = []
    for name, summary in summaries.items():
        text = run((name, "--help"))
        options = tuple(dict.fromkeys(_OPTION.findall(text)))
        commands.append(Command(name=name, summary=summary, options=options, help=text))
    return tuple(commands)


def manual_page(commands: tuple[Command, ...], *, main_help: str, version: str) -> str:
    """Return the manual page in troff."""
    command_list = "".join(
        f".TP\n.B {_troff(command.name)}\n{_troff(command.summary)}\n" for command in commands
    )
    details = "".join(
        f".SS fireside {_troff(command.name)}\n.nf\n{_troff(command.help.rstrip())}\n.fi\n"
        for command in commands
    )
    examples = main_help.partition("\nexamples:\n")[2].rstrip()
    return (
        f'.TH FIRESIDE 1 "" "Fireside {version}" "User Commands"\n'
        ".SH NAME\nfireside \\- chat with language models on your own computer\n"
        ".SH SYNOPSIS\n.B fireside\n[\\fIfile.gguf\\fR ...]\n.br\n.B fireside\n\\fIcommand\\fR [...]\n"
        ".SH DESCRIPTION\nWithout a command, the window opens. Nothing leaves this computer unless you ask "
        "for it.\n"
        f".SH COMMANDS\n{command_list}"
        f".SH EXAMPLES\n.nf\n{_troff(examples)}\n.fi\n"
        f".SH OPTIONS OF EACH COMMAND\n{details}"
        ".SH FILES\n.TP\n.I ~/.local/share/fireside\nchats, models and the log\n"
        ".TP\n.I ~/.config/fireside\nsettings\n.TP\n.I ~/.cache/fireside\nthe prompt cache\n"
        ".SH EXIT STATUS\n0 if all is well, 1 if it failed, 2 for a wrong command line, 130 if stopped.\n"
    )


def bash_completion(commands: tuple[Command, ...]) -> str:
    """Return bash's completion: commands, their options, and files."""
    cases = "".join(f'    {command.name}) words="{" ".join(command.options)}" ;;\n' for command in commands)
    names = " ".join(command.name for command in commands)
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
    """Return zsh's completion, with the summary of each command."""
    command_list = "".join(f"    {_quoted(f'{command.name}:{command.summary}')}\n" for command in commands)
    cases = "".join(
        f"    {command.name}) compadd -- {' '.join(command.options)} ;;\n" for command in commands
    )
    return (
        "#compdef fireside\n"
        "_fireside() {\n"
        f"  local -a commands=(\n{command_list}  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n    _files -g '*.gguf'\n    return\n  fi\n"
        "  if [[ $PREFIX != -* ]]; then\n    _files\n    return\n  fi\n"
        f"  case $words[2] in\n{cases}  esac\n"
        '}\n_fireside "$@"\n'
    )


def fish_completion(commands: tuple[Command, ...]) -> str:
    """Return fish's completion."""
    lines = []
    for command in commands:
        lines.append(
            f"complete -c fireside -n __fish_use_subcommand -a {command.name} -d {_quoted(command.summary)}"
        )
        lines += [
            f"complete -c fireside -n '__fish_seen_subcommand_from {command.name}' -l {option[2:]}"
            for option in command.options
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return ``text`` in single quotes for zsh and fish; apostrophes become typographic ones."""
    return "'" + text.replace("'", "’") + "'"


def _troff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))
