"""Steps: the things that the runtime does, rather than things that the model is asked to do."""

from marg_runtime.steps.chips import ChipsStep, chips_step
from marg_runtime.steps.confirm import ConfirmStep, confirm_step
from marg_runtime.steps.field import Field
from marg_runtime.steps.form import FormStep, form_step
from marg_runtime.steps.multi_chips import MultiChipsStep, multi_chips_step
from marg_runtime.steps.option import Option, OptionsContext
from marg_runtime.steps.picker import OptionPage, PickerStep, SearchContext, picker_step
from marg_runtime.steps.review import ReviewStep, review_step
from marg_runtime.steps.step import Policy, Step
from marg_runtime.steps.text import TextStep, text_step

# fmt: off
__all__ = [
    "ChipsStep", "ConfirmStep", "Field", "FormStep", "MultiChipsStep", "Option", "OptionPage", "OptionsContext",
    "PickerStep", "Policy", "ReviewStep", "SearchContext", "Step", "TextStep", "chips_step", "confirm_step",
    "form_step", "multi_chips_step", "picker_step", "review_step", "text_step",
]
# fmt: on
