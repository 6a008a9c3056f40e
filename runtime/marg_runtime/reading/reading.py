"""What a reader makes of a reply."""

from __future__ import annotations

from marg_runtime.reading.frozen import Frozen, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from marg_runtime.reading.kinds import ReadingKind, TokenClass


@record
class ReadToken(Frozen):
    """One word of the reply with its place in it (`reply[start:end] == text`) and what it was read as."""

    text: str
    start: int
    end: int
    token_class: TokenClass


@record
class Reading(Frozen):
    """What a reader makes of one reply.

    `why` says in words what made the reply content, or what the plain reading rests on. `choice` is the value of the
    option that was chosen, for kind "choice" only; `choices` are those of all, in the order of the options, where the
    question takes several. `asks` is True where the reply itself is a question or a request
    to the agent. `has_vocabulary` is False where the language has none, and everything is content.
    """

    kind: ReadingKind
    reader: str
    language: str
    tokens: tuple[ReadToken, ...] = ()
    why: tuple[str, ...] = ()
    choice: str | None = None
    choices: tuple[str, ...] = ()
    asks: bool = False
    has_vocabulary: bool = True
