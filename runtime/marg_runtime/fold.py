"""The fold: one ledger entry more, one state on. Pure, total over the events, and the only writer of `State`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from marg_runtime.block import Row
from marg_runtime.conversation import AssistantMessage, Message, ResultMessage, chain
from marg_runtime.draft import Draft
from marg_runtime.events import model as m
from marg_runtime.events import step as s
from marg_runtime.events import turn as t
from marg_runtime.events import write as w
from marg_runtime.evolve import evolve as replace
from marg_runtime.ledger import Entry
from marg_runtime.state import EffectKind, OpenQuestion, Pending, QueuedAct, State, Summary, Write
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.steps.review import REVIEW_KEY

_E = TypeVar("_E")
_Handler = Callable[[State, Any], State]
_HANDLERS: dict[type, _Handler] = {}

ABANDONED_RESULT = "not finished: the call was interrupted; nothing is known of its outcome"


def fold(entries: Iterable[Entry], *, state: State | None = None) -> State:
    """The state after these entries, from an empty session or from a given state."""
    state = state or State()
    for entry in entries:
        state = apply(state, entry)
    return state


def apply(state: State, entry: Entry) -> State:
    """The state after one entry. Events that only tell (a cut, a refused value) change nothing but the revision."""
    state = replace(state, revision=entry.revision, at=max(state.at, entry.at))  # a host's clock may go back
    handler = _HANDLERS.get(type(entry.event))
    return handler(state, entry.event) if handler else state


def _on(kind: type[_E]) -> Callable[[Callable[[State, _E], State]], Callable[[State, _E], State]]:
    def register(handler: Callable[[State, _E], State]) -> Callable[[State, _E], State]:
        _HANDLERS[kind] = handler
        return handler

    return register


# Sessions, acts and turns


@_on(t.SessionOpened)
def _session_opened(state: State, event: t.SessionOpened) -> State:
    state = _fitted_to(_void_summary(state), event.steps)
    return replace(
        state,
        opened=event,
        session=event.session,
        domain=event.domain,
        language=event.language,
        tools=event.tools,
    )


def _fitted_to(state: State, steps: tuple[t.PinnedStep, ...]) -> State:
    """What a session keeps where it goes on with other steps.

    A question that is asked in another way, or no longer, is closed. The value of a slot that no step fills any longer
    leaves the draft: nobody would be shown it. A step that fills other slots than before is owed again.
    """
    now = {step.key: step for step in steps}
    before = {step.key: step for step in state.opened.steps} if state.opened else {}
    if not now or state.opened is None or state.opened.steps == steps:
        return state
    asked = state.question.step if state.question else None
    if asked is not None and (asked not in now or now[asked] != before.get(asked)):
        state = replace(state, question=None)
    slots = {slot for step in steps for slot in step.slots}
    state = replace(state, draft=state.draft.drop(*(slot for slot in state.draft.values if slot not in slots)))
    for key in sorted(state.ended):
        if key not in now:
            state = replace(state, ended=state.ended - {key})
        elif key in before and _filled(before[key]) != _filled(now[key]):
            state = _step_reopened(
                state, s.StepReopened(step=key, slots=now[key].slots, because="dependency", next=False)
            )
    return state


def _filled(step: t.PinnedStep) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return step.slots, step.required_slots


@_on(t.ActQueued)
def _act_queued(state: State, event: t.ActQueued) -> State:
    queued = QueuedAct(revision=state.revision, at=state.at, act=event.act)
    return replace(state, queue=(*state.queue, queued))


@_on(t.ActDropped)
def _act_dropped(state: State, event: t.ActDropped) -> State:
    return replace(state, queue=tuple(queued for queued in state.queue if queued.revision != event.act))


@_on(t.UserSaid)
def _user_said(state: State, event: t.UserSaid) -> State:
    asked = state.question.id if state.question else None
    return _turn_begins(state, event.act, said=(*state.said, event.text), unsent=event.text, asked=asked)


@_on(t.UserTapped)
def _user_tapped(state: State, event: t.UserTapped) -> State:
    return _turn_begins(state, event.act)


@_on(t.FormSubmitted)
def _form_submitted(state: State, event: t.FormSubmitted) -> State:
    return _turn_begins(state, event.act)


@_on(t.PickerSearched)
def _picker_searched(state: State, event: t.PickerSearched) -> State:
    return _turn_begins(state, event.act)


@_on(t.Reloaded)
def _reloaded(state: State, event: t.Reloaded) -> State:
    return _turn_begins(state, event.act)


@_on(t.ReplyOutcome)
def _reply_outcome(state: State, event: t.ReplyOutcome) -> State:
    question = state.question
    if question and question.id == event.question and event.outcome in ("cancel", "digress"):
        question = replace(question, strayed=question.strayed + 1)
    return replace(state, outcome=event.outcome, question=question)


def _turn_begins(
    state: State, act: int, *, said: tuple[str, ...] | None = None, unsent: str | None = None, asked: str | None = None
) -> State:
    waiting = tuple(queued for queued in state.queue if queued.revision != act)
    return replace(
        state,
        acting=next((queued for queued in state.queue if queued.revision == act), None),
        queue=waiting,
        turn=state.turn + 1,
        turn_open=True,
        model_calls=0,
        said=state.said if said is None else said,
        unsent=unsent,
        asked=asked,
        outcome=None,
        changed=False,
    )


@_on(t.AnswerDelivered)
def _answer_delivered(state: State, event: t.AnswerDelivered) -> State:
    if not event.received:
        return replace(state, turn_open=False, acting=None)
    question = state.question
    if question and question.id == event.question and question.delivered_in is None:
        question = replace(question, delivered_in=state.turn, delivered_at=state.revision)
    return replace(state, turn_open=False, interrupted=False, question=question, acting=None)


@_on(t.TurnAbandoned)
def _turn_abandoned(state: State, event: t.TurnAbandoned) -> State:
    # A receipt whose answer may have reached nobody is shown with the next one.
    write, acting = state.write, state.acting
    owed = write is not None and write.done_at is not None and acting is not None and write.done_at > acting.revision
    return replace(state, turn_open=False, awaiting=(), acting=None, receipt_owed=state.receipt_owed or owed)


# Steps and the draft


@_on(s.DraftOpened)
def _draft_opened(state: State, event: s.DraftOpened) -> State:
    state = replace(_void_summary(state), absent=None)
    fresh = Draft(id=event.draft)
    return replace(
        state,
        draft=fresh,
        drafts=state.drafts + 1,
        ended=frozenset(),
        since={},
        reopened=None,
        former={},
        revised=frozenset(),
    )


@_on(s.ValueSettled)
def _value_settled(state: State, event: s.ValueSettled) -> State:
    state = replace(_step_ended(state, event.step, event.fact), draft=state.draft.settle(event.slot, event.value))
    return _void_summary(state)


@_on(s.FormSettled)
def _form_settled(state: State, event: s.FormSettled) -> State:
    draft = state.draft
    for slot, value in event.values.items():
        draft = draft.settle(slot, value)
    return _void_summary(replace(_step_ended(state, event.step, event.fact), draft=draft))


@_on(s.StepSkipped)
def _step_skipped(state: State, event: s.StepSkipped) -> State:
    return _void_summary(_step_ended(state, event.step, event.fact))


def _step_ended(state: State, step: str, fact: str) -> State:
    question = None if state.question and state.question.step == step else state.question
    return replace(
        state,
        ended=state.ended | {step},
        since={**state.since, step: len(state.said)},
        facts=(*state.facts, fact),
        question=question,
        reopened=None if state.reopened == step else state.reopened,
        former={other: values for other, values in state.former.items() if other != step},
        revised=state.revised - {step},
        changed=True,
    )


@_on(s.StepReopened)
def _step_reopened(state: State, event: s.StepReopened) -> State:
    had_ended = event.step in state.ended
    dropped = {slot: state.draft.values[slot] for slot in event.slots if slot in state.draft.values}
    state = replace(state, ended=state.ended - {event.step}, draft=state.draft.drop(*event.slots), changed=True)
    former, revised = state.former, state.revised - {event.step}
    if had_ended or dropped:
        former = {**former, event.step: dropped}
    # What a step was before something that it depends on changed need not fit any longer: nothing can be called off.
    if event.because in ("review", "model") and event.step in former:
        revised = revised | {event.step}
    state = _void_summary(replace(state, former=former, revised=revised))
    # A step that is to be drawn next takes the place of whatever was open.
    if event.next:
        return replace(state, reopened=event.step, question=None)
    # Its own open question was asked of what has changed since, so it is asked anew.
    return replace(state, question=None) if state.question and state.question.step == event.step else state


@_on(s.OptionsRequested)
def _options_requested(state: State, event: s.OptionsRequested) -> State:
    return _begin(state, "options", event.step)


@_on(s.OptionsFailed)
def _options_failed(state: State, event: s.OptionsFailed) -> State:
    return _finish(state, "options", event.step)


@_on(s.QuestionDrawn)
def _question_drawn(state: State, event: s.QuestionDrawn) -> State:
    state = _finish(state, "options", event.step)
    if event.redraw:
        # What was typed or chosen is part of what is drawn; everything that an answer is bound to stays.
        assert state.question is not None, "only an open question is drawn again"
        return replace(state, question=replace(state.question, drawn=replace(event, redraw=False)))
    # A text that is asked anew for other words to tap is the question that it was; what strayed from it still counts.
    same = state.question if state.question and event.kind == "text" and state.question.step == event.step else None
    strayed = same.strayed if same else 0
    question = OpenQuestion(drawn=event, revision=state.revision, opened_in=state.turn, strayed=strayed)
    return replace(
        state,
        question=question,
        questions=state.questions + 1,
        reopened=None if state.reopened == event.step else state.reopened,
    )


@_on(s.SummaryShown)
def _summary_shown(state: State, event: s.SummaryShown) -> State:
    summary = Summary(
        question=event.question,
        draft=event.draft,
        arguments=event.arguments,
        fingerprint=event.fingerprint,
        at=state.at,
    )
    return replace(state, summary=summary)


@_on(s.SummaryDeclined)
def _summary_declined(state: State, event: s.SummaryDeclined) -> State:
    return _void_summary(replace(state, facts=(*state.facts, event.fact)))


@_on(s.ReviewOpened)
def _review_opened(state: State, event: s.ReviewOpened) -> State:
    return _void_summary(state)


@_on(s.ReviewClosed)
def _review_closed(state: State, event: s.ReviewClosed) -> State:
    return _void_summary(state)


def _void_summary(state: State) -> State:
    """No summary stands, and neither the confirmation nor its review is open, whatever they showed."""
    question = None if state.question and state.question.step in (CONFIRM_KEY, REVIEW_KEY) else state.question
    if state.summary is None and question is state.question:
        return state
    return replace(state, summary=None, question=question)


# The model and its calls


@_on(m.FactTold)
def _fact_told(state: State, event: m.FactTold) -> State:
    return replace(state, facts=state.facts[1:], telling=(*state.telling, event.fact))


@_on(m.ModelCalled)
def _model_called(state: State, event: m.ModelCalled) -> State:
    return replace(
        state,
        messages=state.outgoing(),
        chained=state.outgoing_chain(),
        telling=(),
        unsent=None,
        model_calls=event.number,
        requests=state.requests + 1,
        requests_with_rule=state.requests_with_rule + event.carries_rule,
        pending=(*state.pending, Pending(kind="model", key=str(event.number))),
    )


@_on(m.ModelReplied)
def _model_replied(state: State, event: m.ModelReplied) -> State:
    state = _heard(_finish(state, "model"), AssistantMessage(text=event.shown, calls=event.calls))
    awaiting = tuple([call.id for call in event.calls])
    return replace(state, awaiting=awaiting) if awaiting != state.awaiting else state


@_on(m.ModelFailed)
def _model_failed(state: State, event: m.ModelFailed) -> State:
    return _heard(_finish(state, "model"), AssistantMessage(text=event.shown))


def _heard(state: State, message: AssistantMessage) -> State:
    """The history has what was shown; a reply with neither words nor calls leaves no trace in it."""
    return _more(state, message) if message.text or message.calls else state


def _more(state: State, message: Message) -> State:
    return replace(state, messages=(*state.messages, message), chained=chain(state.chained, message))


@_on(m.ToolCalled)
def _tool_called(state: State, event: m.ToolCalled) -> State:
    return _begin(state, "tool", event.call)


@_on(m.ToolReturned)
def _tool_returned(state: State, event: m.ToolReturned) -> State:
    return _result(_finish(state, "tool", event.call), event.call, event.tool.name, event.text, event.is_error)


@_on(m.EffectAbandoned)
def _effect_abandoned(state: State, event: m.EffectAbandoned) -> State:
    state = replace(_finish(state, event.kind, event.key), interrupted=True)
    return _result(state, event.key, "", ABANDONED_RESULT, True) if event.kind == "tool" else state


def _result(state: State, call: str, name: str, text: str, is_error: bool) -> State:
    """A result reaches the history only where the model made the call."""
    if call not in state.awaiting:
        return state
    message = ResultMessage(call=call, name=name, text=text, is_error=is_error)
    awaiting = tuple(other for other in state.awaiting if other != call)
    return replace(_more(state, message), awaiting=awaiting)


# The gate and the write


@_on(w.GateDecided)
def _gate_decided(state: State, event: w.GateDecided) -> State:
    # A go-ahead is spent once, whatever came of it.
    return _void_summary(replace(state, spent=state.question)) if event.trigger == "go_ahead" else state


@_on(w.WriteClaimed)
def _write_claimed(state: State, event: w.WriteClaimed) -> State:
    assert state.spent is not None, "a write is claimed only on a go-ahead"
    write = Write(
        key=event.key,
        draft=event.draft,
        tool=event.tool,
        fingerprint=event.fingerprint,
        status="claimed",
        question=state.spent.id,
        asked_at=state.spent.revision,
        rows=_rows_of_key(state, event),
        again=state.absent is not None,
    )
    return _begin(replace(state, write=write, absent=None), "write", event.key)


def _rows_of_key(state: State, event: w.WriteClaimed) -> tuple[Row, ...]:
    """What a lookup of the key would find: known where all that was tried under it was the same."""
    assert state.spent is not None, "a write is claimed only on a go-ahead"
    shown, before = state.spent.drawn.rows, state.absent
    return shown if before is None or (before.fingerprint == event.fingerprint and before.rows) else ()


@_on(w.WriteDone)
def _write_done(state: State, event: w.WriteDone) -> State:
    assert state.write is not None, "a write is done only after its claim"
    write = replace(state.write, status="done", text=event.text, rows=event.rows, done_at=state.revision)
    state = _finish(state, "write", event.key)
    return replace(
        state,
        write=write,
        facts=(*state.facts, event.fact),
        receipts=(*state.receipts, event.text),
        written_since=len(state.said),
    )


@_on(w.ReceiptShown)
def _receipt_shown(state: State, event: w.ReceiptShown) -> State:
    return replace(state, receipt_owed=False)


@_on(w.WriteRefused)
def _write_refused(state: State, event: w.WriteRefused) -> State:
    state = replace(state, facts=(*state.facts, event.fact))
    if event.by == "gate":
        return state
    # A key that had been tried before stays the draft's: what was lost under it may still arrive.
    absent = state.write if state.write and state.write.again else None
    return replace(_finish(state, "write"), write=None, absent=absent)


@_on(w.WriteUnknown)
def _write_unknown(state: State, event: w.WriteUnknown) -> State:
    assert state.write is not None, "a write is unknown only after its claim"
    facts = (*state.facts, event.fact) if event.fact else state.facts
    return replace(_finish(state, "write", event.key), write=replace(state.write, status="unknown"), facts=facts)


@_on(w.WriteAbsent)
def _write_absent(state: State, event: w.WriteAbsent) -> State:
    return replace(state, write=None, absent=state.write, facts=(*state.facts, event.fact))


# Pending effects


def _begin(state: State, kind: EffectKind, key: str) -> State:
    return replace(state, pending=(*state.pending, Pending(kind=kind, key=key)))


def _finish(state: State, kind: EffectKind, key: str | None = None) -> State:
    """The state without a pending effect of a kind: the one of a key, or all of the kind."""
    left = tuple([p for p in state.pending if p.kind != kind or (key is not None and p.key != key)])
    return replace(state, pending=left) if len(left) != len(state.pending) else state
