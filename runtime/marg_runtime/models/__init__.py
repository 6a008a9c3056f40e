"""Models: what the runtime needs of one, those behind OpenAI's and Anthropic's APIs, and recorded ones."""

from marg_runtime.model import CallDelta, Delta, Finish, FinishReason, Model, TextDelta
from marg_runtime.models.anthropic import AnthropicModel
from marg_runtime.models.openai import OpenAIModel
from marg_runtime.models.opening import open_model
from marg_runtime.models.recorded import RecordedModel, RecordedReply, RecordingModel, read_reply, reply_json
from marg_runtime.models.retry import Pace, Retries, Timeout

__all__ = [
    "AnthropicModel",
    "CallDelta",
    "Delta",
    "Finish",
    "FinishReason",
    "Model",
    "OpenAIModel",
    "Pace",
    "RecordedModel",
    "RecordedReply",
    "RecordingModel",
    "Retries",
    "TextDelta",
    "Timeout",
    "open_model",
    "read_reply",
    "reply_json",
]
