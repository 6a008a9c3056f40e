"""The record of a corpus: one labelled reply to one question."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from marg_runtime.reading.kinds import QuestionKind

Label = Literal["plain_yes", "plain_no", "polar_yes", "polar_no", "content"]
"""What a person or a source's own annotation says that the reply is.

`plain_*`: agreement or refusal and nothing else. `polar_*`: the source gives the polarity but not whether the reply is
bare; it counts for flips only. `content`: anything else.
"""


class Record(BaseModel):
    """One labelled reply, as a line of JSON.

    `id`, `source`, `language`, `question` (may be blank), `question_kind`, `reply` and `label` are required. `why` is
    the rule that gave the label, `acts` the source's own tags, `n` how often this very reply occurred (records are
    unique), `conflict` whether the same reply carries another label elsewhere in the source. Further keys are kept
    out of the way in `model_extra`.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    id: str
    source: str
    language: str
    question: str
    question_kind: QuestionKind
    reply: str
    label: Label
    why: str = ""
    acts: tuple[str, ...] = ()
    n: int = Field(default=1, ge=1)
    conflict: bool = False
