"""Constraints that no compiler should get are refused at once, with a message."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import ConstraintInvalid
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.runner.sampling.grammar_limits import MAX_DEPTH, check_constraint


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        (GbnfConstraint(grammar="root ::= " + "(" * 20_000 + '"a"' + ")" * 20_000), "nested"),
        (LarkConstraint(grammar="start: " + "(" * 20_000 + '"a"' + ")" * 20_000), "nested"),
        (RegexConstraint(pattern="(" * 5000 + "a" + ")" * 5000), "nested"),
        (JsonSchemaConstraint(schema='{"items":' * 20_000 + "{}" + "}" * 20_000), "JSON"),
        (JsonSchemaConstraint(schema='{"items":' * 100 + "{}" + "}" * 100), "nested"),
        (RegexConstraint(pattern="a{1,1000000}"), "repetitions"),
        (RegexConstraint(pattern="a{" + "9" * 5000 + "}"), "repetitions"),
        (GbnfConstraint(grammar='root ::= "a"{ 20000 }'), "repetitions"),
        (RegexConstraint(pattern="a" * 20_000), "bytes"),
        (GbnfConstraint(grammar='root ::= "a"\n' * 20_000), "bytes"),
        (JsonSchemaConstraint(schema='"' + "a" * 300_000 + '"'), "bytes"),
        (JsonSchemaConstraint(schema="{"), "JSON"),
        (JsonSchemaConstraint(schema="[]"), "object"),
        (JsonSchemaConstraint(schema=" "), "empty"),
        (RegexConstraint(pattern="a\0"), "NUL"),
        (RegexConstraint(pattern="\ud800"), "character"),
    ],
)
def test_hostile_constraint_is_refused(constraint: Constraint, reason: str) -> None:
    with pytest.raises(ConstraintInvalid, match=reason):
        check_constraint(constraint)


@pytest.mark.parametrize(
    "constraint",
    [
        JsonSchemaConstraint(schema="{}"),
        JsonSchemaConstraint(schema='{"items":' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)),
        JsonSchemaConstraint(schema='{"type":"string","maxLength":5000}'),
        RegexConstraint(pattern=r"\(" * 200),
        RegexConstraint(pattern="(a)(b)" * 100),
        GbnfConstraint(grammar='root ::= ("a" | "b"){1,10}'),
    ],
)
def test_ordinary_constraint_is_accepted(constraint: Constraint) -> None:
    check_constraint(constraint)


@given(
    st.one_of(
        st.builds(JsonSchemaConstraint, schema=st.text()),
        st.builds(RegexConstraint, pattern=st.text(alphabet="a(){},\\0123456789")),
        st.builds(LarkConstraint, grammar=st.text()),
        st.builds(GbnfConstraint, grammar=st.text()),
    )
)
def test_any_text_is_accepted_or_refused(constraint: Constraint) -> None:
    with contextlib.suppress(ConstraintInvalid):
        check_constraint(constraint)
