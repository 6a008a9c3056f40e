"""The runtime's own lines, in one place, so that a domain can give them in its language."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.steps.field_value import FaultWord


@dataclass(frozen=True, kw_only=True)
class Lines:
    """What the runtime says itself. `{...}` are filled in by the runtime; a line that needs none may leave it out.

    label: what a step or a field is called. v: what stood or was typed. limit, length: characters, or a field's limit.
    options: the labels of a block, separated by commas. least, most, count: how many options. query: the words looked
    for. problem: a sentence of the domain's `validate`. reason: a layer's or the backend's. receipt: what the record is
    called. `*_label` are options and their values, `field_*` stand at a field, the rest are lines of an answer.
    """

    stale: str = "That card is no longer open."
    unknown_option: str = "That is not one of the options."
    empty_field: str = "Please fill in {label}."
    too_long: str = "{label} can have at most {limit} characters; that had {length}."
    declined: str = "Okay, nothing was created. Tell me what to change."
    skip_label: str = "Skip"
    keep_label: str = "Keep “{v}”"
    retry_label: str = "Try again"
    use_label: str = "Use “{v}”"
    tap_one: str = "You can answer with a tap: {options}."
    tap_or_field: str = "You can answer with a tap, or write into the field below: {options}."
    use_field: str = "You can write the answer into the field below."
    tap_or_search: str = "You can answer with a tap, or search: {options}."
    search: str = "You can search for it below."
    choose_and_send: str = "You can choose below and send it: {options}."
    fill_in_and_send: str = "Please fill in the fields below and send them; a message does not fill them in."
    choose_count: str = "{label}: choose {least} to {most}; that was {count}."
    no_such_page: str = "There is no page there."
    nothing_found: str = "Nothing was found for “{query}”."
    check_fields: str = "Please check the marked fields."
    true_label: str = "Yes"
    false_label: str = "No"
    field_missing: str = "Please fill this in."
    field_no_integer: str = "Please write a whole number."
    field_no_number: str = "Please write a number, with a point for decimals."
    field_no_boolean: str = "Please answer yes or no."
    field_no_date: str = "Please write a date as YYYY-MM-DD."
    field_no_email: str = "Please write an e-mail address."
    field_no_option: str = "Please choose one of the options."
    field_below: str = "It can be {limit} at the least."
    field_above: str = "It can be {limit} at the most."
    field_too_long: str = "It can have at most {limit} characters."
    field_no_match: str = "It does not have the form that is needed."
    skipped: str = "{label} left out."
    invalid: str = "{problem}"
    options_failed: str = "I could not load the options for {label} just now. Please try again in a moment."
    no_options: str = "There is nothing to choose from for {label} right now."
    model_failed: str = "I could not answer that just now."
    interrupted: str = "I was interrupted before I could finish."
    writes_off: str = "Nothing was created: writes are switched off here."
    expired: str = "That took a while, so nothing was created. This is how it stands now; please look at it once more."
    not_created: str = "Nothing was created: {reason}"
    absent: str = "I have checked: it was not created. Please look at it once more."
    refused_again: str = "This time it was refused: {reason}"
    write_unknown: str = "I cannot tell whether it was created. I will not try again on my own."
    created: str = "Created: {receipt}."
    already_created: str = "This was already created: {receipt}."

    def fault(self, word: FaultWord, *, limit: str) -> str:
        """What is wrong with a field, for the person who filled it in."""
        line: str = getattr(self, f"field_{word}")
        return line.replace("{limit}", limit)
