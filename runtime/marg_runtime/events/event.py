"""All events of a ledger, as one type and as a registry by name.

The state is a fold over these; nothing else is kept. Times and revisions stand on the ledger's entries, not here.
Each class has the version of its form.
"""

from __future__ import annotations

from typing import TypeAlias, get_args

from marg_runtime.events.model import (
    ArgumentOverridden,
    AttestationRefused,
    ClaimCut,
    EffectAbandoned,
    FactTold,
    ModelCalled,
    ModelFailed,
    ModelReplied,
    QuestionCut,
    ToolCalled,
    ToolReturned,
)
from marg_runtime.events.step import (
    DraftInvalid,
    DraftOpened,
    FormSettled,
    OptionsFailed,
    OptionsRequested,
    QuestionDrawn,
    ReviewClosed,
    ReviewOpened,
    StepReopened,
    StepSkipped,
    SummaryDeclined,
    SummaryShown,
    ValueRefused,
    ValueSettled,
)
from marg_runtime.events.turn import (
    ActDropped,
    ActQueued,
    AnswerDelivered,
    AnswerRefused,
    FormSubmitted,
    LineSaid,
    PickerSearched,
    Reloaded,
    ReplyOutcome,
    ReplyRead,
    SessionOpened,
    TurnAbandoned,
    UserSaid,
    UserTapped,
)
from marg_runtime.events.write import (
    GateDecided,
    ReceiptShown,
    WriteAbsent,
    WriteClaimed,
    WriteDone,
    WriteRefused,
    WriteUnknown,
)

Event: TypeAlias = (
    SessionOpened
    | ActQueued
    | ActDropped
    | UserSaid
    | UserTapped
    | FormSubmitted
    | PickerSearched
    | Reloaded
    | ReplyRead
    | ReplyOutcome
    | AnswerRefused
    | LineSaid
    | AnswerDelivered
    | TurnAbandoned
    | DraftOpened
    | ValueSettled
    | FormSettled
    | ValueRefused
    | StepSkipped
    | StepReopened
    | OptionsRequested
    | OptionsFailed
    | QuestionDrawn
    | SummaryShown
    | SummaryDeclined
    | ReviewOpened
    | ReviewClosed
    | DraftInvalid
    | FactTold
    | ModelCalled
    | ModelReplied
    | ModelFailed
    | QuestionCut
    | ClaimCut
    | ToolCalled
    | ToolReturned
    | ArgumentOverridden
    | AttestationRefused
    | EffectAbandoned
    | GateDecided
    | WriteClaimed
    | WriteDone
    | WriteRefused
    | WriteUnknown
    | WriteAbsent
    | ReceiptShown
)

EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
