from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_corpora.agreement import agreement
from marg_corpora.data.counts import SECOND_FILE, agreement_line, corpus_text, shipped_agreement
from marg_corpora.errors import LabellingError

labels = st.sampled_from(["plain_yes", "plain_no", "content"])
labellings = st.dictionaries(st.text(min_size=1, max_size=4), labels, min_size=1, max_size=30)


def test_kappa_is_that_of_a_table_worked_by_hand() -> None:
    # Two labellers on 50 replies: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no. Observed .7, chance .5, kappa .4.
    pairs = ["yy"] * 20 + ["yn"] * 5 + ["ny"] * 10 + ["nn"] * 15
    first = {str(number): pair[0] for number, pair in enumerate(pairs)}
    second = {str(number): pair[1] for number, pair in enumerate(pairs)}
    assert agreement(first, second).kappa == pytest.approx(0.4)


@given(labellings)
def test_a_labelling_agrees_with_itself(first: dict[str, str]) -> None:
    found = agreement(first, dict(first))
    assert (found.kappa, found.agreed, found.disagreements) == (1.0, len(first), ())


@given(labellings, st.data())
def test_the_order_of_the_two_does_not_matter(first: dict[str, str], data: st.DataObject) -> None:
    second = {key: data.draw(labels) for key in first}
    assert agreement(first, second).kappa == pytest.approx(agreement(second, first).kappa)


def test_labellings_of_other_replies_are_refused_with_the_first_of_them() -> None:
    with pytest.raises(LabellingError, match="'b'"):
        agreement({"a": "content"}, {"a": "content", "b": "content"})


def test_no_labels_at_all_are_refused() -> None:
    with pytest.raises(LabellingError):
        agreement({}, {})


def test_the_second_labelling_has_every_reply_once() -> None:
    ids = [json.loads(line)["id"] for line in corpus_text(SECOND_FILE).splitlines()]
    assert (len(ids), len(set(ids))) == (521, 521)


def test_the_readme_of_the_corpus_states_the_agreement_that_is_computed() -> None:
    readme = corpus_text("README.md")
    stated = readme.split("<!-- agreement -->")[1].split("<!-- /agreement -->")[0].strip()
    assert stated == agreement_line()


def test_the_readme_of_the_corpus_names_every_disagreement() -> None:
    assert all(key in corpus_text("README.md") for key in shipped_agreement().disagreements)
