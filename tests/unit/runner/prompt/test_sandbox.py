"""Hostile templates reach nothing and end."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import jinja2
import pytest

from fireside.runner.prompt.rendering import SandboxedTemplate, TemplateBroken
from fireside.runner.prompt.sandbox import TemplateRefused

# Each tries to run `touch CANARY` by another road.
ESCAPES = [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__']['__mro__'][1]['__subclasses__']() }}",
    "{{ self.__init__.__globals__.__builtins__.__import__('os').system('touch CANARY') }}",
    "{{ cycler.__init__.__globals__.os.system('touch CANARY') }}",
    "{{ joiner.__init__.__globals__.os.system('touch CANARY') }}",
    "{{ namespace.__init__.__globals__.os.system('touch CANARY') }}",
    "{{ lipsum.__globals__['os'].system('touch CANARY') }}",
    "{{ range.__class__.__base__.__subclasses__() }}",
    "{{ dict.__base__.__subclasses__() }}",
    "{{ raise_exception.__globals__ }}",
    "{{ strftime_now.__globals__ }}",
    "{{ strftime_now.__closure__ }}",
    "{{ strftime_now.__code__ }}",
    "{{ messages.__class__ }}",
    "{{ messages[0].__class__.__init__ }}",
    "{{ messages[0].content.__class__.__mro__ }}",
    "{{ messages[0]['content']._real }}{{ messages.__init__.__globals__ }}",
    "{{ messages | attr('__class__') }}",
    "{{ ''|attr('__class__')|attr('__mro__') }}",
    "{{ '{0.__class__.__init__.__globals__}'.format(messages) }}",
    "{{ '{0.__class__}'.format_map({'0': messages}) }}",
    "{{ (''|attr('for' + 'mat'))(messages) }}",
    "{% set f = '{0.__class__}'.format %}{{ f(messages) }}",
    "{{ ['{0.__class__}'.format] | map('string') | join }}",
    "{{ messages | map(attribute='__class__') | list }}",
    "{{ messages | map('attr', '__class__') | list | join }}{{ x.__class__ }}",
    "{{ messages | groupby('__class__') | list }}{{ y() }}",
    "{{ messages | sort(attribute='__class__.__name__') }}{{ y() }}",
    "{{ loop.__class__ }}",
    "{{ caller.__globals__ }}",
    "{% macro m() %}{% endmacro %}{{ m.__globals__ }}{{ m._environment.from_string }}",
    "{{ self._TemplateReference__context }}",
    "{{ self.__dict__ }}{{ config.items() }}",
    "{{ tojson.__globals__ }}",
    "{{ messages.append(1) }}",
    "{{ messages[0].update({'role': 'system'}) }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os.system('touch CANARY') }}",
    "{% extends '/etc/passwd' %}",
    "{% from 'os' import system %}",
    "{{ ''.encode().decode() }}{{ (1).__class__ }}",
    "{{ undefined_thing.__class__.__init__ }}",
]

ENDLESS = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"


def _grow(start: str, step: str) -> str:
    return (
        "{% set ns = namespace(v=" + start + ") %}"
        "{% for i in range(9999) %}{% set ns.v = " + step + " %}{% endfor %}"
    )


# Each would take memory without end.
OVERSIZED = [
    "{{ 'x' * 10**10 }}",
    "{{ 10**10 * 'x' }}",
    "{{ [0] * 10**10 }}",
    "{{ (0, 1) * 10**10 }}",
    "{{ 10 ** (10 ** 10) }}",
    "{{ (10 ** 1000) ** 1000 }}",
    _grow("10**1000", "ns.v * ns.v"),
    _grow("'xx'", "ns.v ~ ns.v"),
    _grow("'xx'", "ns.v + ns.v"),
    _grow("'xx'", "ns.v | replace('x', 'xx')"),
    _grow("'xx'", "ns.v.replace('x', 'xx')"),
    _grow("'xx'", "[ns.v, ns.v] | join"),
    _grow("'xx'", "ns.v.join([ns.v, ns.v])"),
    "{% set ns = namespace(s='xx') %}{% for i in range(99) %}{% set x %}{{ ns.s }}{{ ns.s }}{% endset %}"
    "{% set ns.s = x %}{% endfor %}",
    _grow("[1]", "ns.v + ns.v"),
    _grow("[1]", "[ns.v, ns.v]"),
    _grow("[1]", "(ns.v, ns.v)"),
    _grow("[1]", "{'a': ns.v, 'b': ns.v}"),
    _grow("[1]", "dict(a=ns.v, b=ns.v)"),
    _grow("[1]", "[ns.v] * 2"),
    "{{ '%1000000000d' % 1 }}",
    "{{ '%*d' % (1000000000, 1) }}",
    "{{ '%1000000000s' | format('x') }}",
    "{{ '{:1000000000}'.format(1) }}",
    _grow("'{}{}'", "ns.v.format(ns.v, ns.v)"),
    "{{ ('{0}' * 100000).format('x' * 1000000) }}",
    "{{ 'x'.ljust(10**10) }}",
    "{{ 'x'.zfill(10**10) }}",
    "{{ 'x' | center(10**10) }}",
    "{{ (1).to_bytes(10**10, 'big') }}",
    "{{ range(10**10) }}",
    "{{ [1] | batch(10**10, 0) | list }}",
    "{{ [1] | slice(10**10) | list }}",
    "{{ lipsum(n=10**10) }}",
    "{{ 'a a' | wordwrap(1, wrapstring='x' * 10**9) }}",
    "{% set b = 'a' * 100000 %}{{ (b | escape) | replace('a', 'b' * 3000) | length }}",
    "{% set b = 'a' * 100000 %}{{ (b | escape).replace('a', 'b' * 3000) | length }}",
    "{{ ('%(a)s' * 1500) % {'a': 'a' * 100000} }}",
    "{{ ('%(a)s' * 600) | format(a='a' * 100000) }}",
    "{% macro m(s, n) %}{% if n %}{{ m(s[1:], n - 1) }}{% endif %}{% endmacro %}{{ m('x' * 1000000, 50) }}",
    "{% set ns = namespace(v=[" + "[" * 60 + "0, " * 20000 + "]" * 60 + "]) %}{{ ns.v | tojson(indent=16) }}",
    # One call of C that takes minutes or longer, which no exception reaches. Smaller here, so that the test
    # ends where the template is not refused.
    "{{ 0x" + "f" * 3000 + " // 0x" + "7" * 1500 + " }}",
    "{{ 0x" + "f" * 3000 + " is divisibleby(0x" + "7" * 1500 + ") }}",
    "{{ 0x" + "f" * 3000 + " - 1 }}",
    "{{ 0x" + "f" * 3000 + " / 7 }}",
    "{{ ('a' * 200000).rfind('b' + 'a' * 100000) }}",
    "{{ ('a' * 200000).rsplit('b' + 'a' * 100000) }}",
    "{% set b = ('bcdefghij' * 20000) ~ 'a' %}{{ ('a' * 200000).strip(b) }}",
    "{% set b = ('bcdefghij' * 20000) ~ 'a' %}{{ ('a' * 200000) | trim(b) }}",
]

# Each would take time without end, or more stack than there is.
ENDLESS_OR_DEEP = [
    _grow("[]", "ns.v + [range(99999) | list]"),
    "{{ 'x\ny' | indent(10**10) }}" + ENDLESS,
    "{{ [1] | tojson(indent=10**10) }}" + ENDLESS,
    ENDLESS,
    "{% macro d(n) %}{% if n %}{{ d(n - 1) }}{{ d(n - 1) }}{% endif %}{% endmacro %}{{ d(60) }}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% for x in range(3) recursive %}{{ loop(range(3)) }}{% endfor %}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{% if 1 %}" * 5000,
    "{{ " + "-" * 50_000 + "1 }}",
    "x" * 2_000_000,
]


def _render(source: str, variables: Mapping[str, object] | None = None, *, time_limit_s: float = 0.3) -> str:
    template = SandboxedTemplate(source, time_limit_s=time_limit_s)
    return template.render(
        variables if variables is not None else {"messages": [{"role": "user", "content": "hello"}]},
        n_content_chars=5,
        now=lambda: datetime(2026, 3, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize("source", ESCAPES)
def test_template_cannot_reach_python_internals(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        text = _render(source)
    except (TemplateBroken, TemplateRefused):
        text = ""
    assert "class" not in text.replace("__class__", "")
    assert "function" not in text
    assert "builtins" not in text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", OVERSIZED, ids=lambda source: source[:60])
def test_template_that_builds_unbounded_values_is_refused(source: str) -> None:
    """By its budget, not by the time limit or by running out of memory."""
    with pytest.raises(TemplateBroken) as caught:
        _render(source, time_limit_s=10.0)
    reasons = ("without end", "unsafe", "No filter", "undefined", "Range too big")
    assert any(reason in str(caught.value) for reason in reasons), str(caught.value)


# What is thrown into the thread may meet a callback of the garbage collector; then it is thrown again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("source", ENDLESS_OR_DEEP, ids=lambda source: source[:60])
def test_endless_template_is_stopped(source: str) -> None:
    with pytest.raises(TemplateBroken):
        _render(source)
    assert not [thread for thread in threading.enumerate() if thread.name == "chat template"]


def test_numbers_out_of_all_bounds_are_computed_at_once() -> None:
    """The first took minutes; the second is no number to a template."""
    assert _render("{{ 5 | round(-90000) }}") == "0"
    assert _render("{{ ('f' * 100000) | int(7, 16) }}{{ '0x1f' | int(0, 16) }}{{ '42.5' | int }}") == "73142"


def test_template_can_be_used_again_after_a_timeout() -> None:
    template = SandboxedTemplate(
        "{% if forever %}" + ENDLESS + "{% endif %}ok",
        time_limit_s=0.3,
    )
    now = datetime(2026, 3, 1, tzinfo=UTC)
    with pytest.raises(TemplateBroken):
        template.render({"forever": True}, n_content_chars=0, now=lambda: now)
    assert template.render({"forever": False}, n_content_chars=0, now=lambda: now) == "ok"


def test_budget_is_per_rendering() -> None:
    template = SandboxedTemplate("{{ 'x' * 6000000 }}")
    for _ in range(3):
        text = template.render({}, n_content_chars=0, now=lambda: datetime(2026, 3, 1, tzinfo=UTC))
        assert len(text) == 6_000_000


def test_namespaces_that_contain_each_other_print_at_once() -> None:
    source = (
        "{% set ns = namespace(n=namespace()) %}{% for i in range(99) %}"
        "{% set ns.n = namespace(a=ns.n, b=ns.n) %}{% endfor %}{{ ns.n }}"
    )
    assert _render(source) == "<namespace>"


def test_raise_exception_is_a_refusal() -> None:
    with pytest.raises(TemplateRefused, match="alternate"):
        _render("{{ raise_exception('roles must alternate') }}")


def test_syntax_error_breaks_the_template() -> None:
    with pytest.raises(TemplateBroken):
        SandboxedTemplate("{% for")


def test_json_has_no_html_escapes() -> None:
    value = {"a": "<é>", "b": [1, None, True]}
    assert json.loads(_render("{{ value | tojson }}", {"value": value})) == value
    assert "<é>" in _render("{{ value | tojson }}", {"value": value})


def test_common_expressions_of_chat_templates_work() -> None:
    source = (
        "{% set ns = namespace(seen=false) %}{% for m in messages if m.role != 'system' %}"
        "{{ loop.index0 }}{{ m['role'] ~ ':' ~ m.content | trim }}{% set ns.seen = true %}{% endfor %}"
        "{{ ns.seen }}{{ messages | length }}{{ (messages | last).role }}"
        "{{ messages[-1:] | map(attribute='role') | join(',') }}{{ tools is defined and tools is not none }}"
        "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}"
    )
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": " hi "}]
    assert _render(source, {"messages": messages, "tools": None}) == "0user:hiTrue2useruserFalse1"


def test_format_fills_in_values() -> None:
    assert _render("{{ 'a{}b{}c{x}{{1}}'.format(1, 'two', x=3) }}") == "a1btwoc3{1}"


def test_generation_tags_have_no_effect() -> None:
    assert _render("a{% generation %}b{% endgeneration %}c") == "abc"


def test_jinja_version_has_no_known_escape() -> None:
    assert tuple(map(int, jinja2.__version__.split(".")[:3])) >= (3, 1, 6)


def test_template_may_append_to_its_own_lists() -> None:
    source = (
        "{% set kept = namespace(ids=[]) %}{% for word in words %}{% set _ = kept.ids.append(word ~ '!') %}"
        "{% endfor %}{{ kept.ids.pop(0) }}{{ kept.ids | join }}"
    )
    assert _render(source, {"words": ["a", "b", "c"]}) == "a!b!c!"


@pytest.mark.parametrize(
    "source",
    [
        "{{ words.append('x') }}",
        "{{ words.pop() }}",
        "{% set own = [] %}{{ own.append(words) }}",
        "{% set own = [] %}{% set holder = [own, own] %}{{ own.append('x') }}",
        "{% set own = [] %}{% for n in range(100000) %}{% set _ = own.append('x' * 10000) %}{% endfor %}",
    ],
)
def test_lists_grow_only_where_their_weight_is_known(source: str) -> None:
    with pytest.raises(TemplateBroken):
        _render(source, {"words": ["a"]})
