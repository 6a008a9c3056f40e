"""Acts as they travel, and as the runtime takes them."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import TypeAdapter

from marg_runtime.acts import Act, Reload, Say, Search, Submit, Tap
from marg_runtime.gateway.protocol import ActForm, ReloadForm, SayForm, SearchForm, SubmitForm, TapForm

_KINDS: dict[type, str] = {Say: "say", Tap: "tap", Submit: "submit", Search: "search", Reload: "reload"}
_FORM: TypeAdapter[ActForm] = TypeAdapter(ActForm)


def form_of(act: Act) -> ActForm:
    """The form of an act."""
    return _FORM.validate_python({"kind": _KINDS[type(act)], **asdict(act)})


def act_of(form: ActForm, *, at: int) -> Act:
    """The act of a form, at a time in milliseconds since 1970 UTC."""
    match form:
        case SayForm():
            return Say(text=form.text, at=at, seen=form.seen)
        case TapForm():
            return Tap(question=form.question, revision=form.revision, option=form.option, at=at, seen=form.seen)
        case SubmitForm():
            return Submit(
                question=form.question,
                revision=form.revision,
                values=form.values,
                options=form.options,
                at=at,
                seen=form.seen,
            )
        case SearchForm():
            return Search(
                question=form.question,
                revision=form.revision,
                query=form.query,
                page=form.page,
                at=at,
                seen=form.seen,
            )
        case ReloadForm():
            return Reload(at=at, seen=form.seen)
