"""Models: what the runtime needs of one."""

from marg_runtime.models.model import CallDelta, Delta, Finish, FinishReason, Model, TextDelta

__all__ = ["CallDelta", "Delta", "Finish", "FinishReason", "Model", "TextDelta"]
