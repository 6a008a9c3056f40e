"""Steps: the things that the runtime does, rather than things that the model is asked to do."""

from marg_runtime.steps.chips import ChipsStep, chips_step
from marg_runtime.steps.confirm import ConfirmStep, confirm_step
from marg_runtime.steps.option import Option, OptionsContext
from marg_runtime.steps.review import ReviewStep, review_step
from marg_runtime.steps.step import REASK_BUDGET, OneSlotStep, Part, Policy, Step
from marg_runtime.steps.text import TextStep, text_step

__all__ = [
    "REASK_BUDGET",
    "ChipsStep",
    "ConfirmStep",
    "OneSlotStep",
    "Option",
    "OptionsContext",
    "Part",
    "Policy",
    "ReviewStep",
    "Step",
    "TextStep",
    "chips_step",
    "confirm_step",
    "review_step",
    "text_step",
]
