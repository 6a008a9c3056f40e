"""The rows of the transport matrix: which class each fault of a wire is, read from `transport_matrix.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from marg_mock_model import read_document
from marg_mock_model.form import Form

FILE = Path(__file__).with_name("transport_matrix.yaml")

ModelPeer = Literal["openai_chat", "openai_responses", "anthropic_messages"]
ToolPeer = Literal["stdio", "http", "http_stream"]
MODEL_PEERS: tuple[ModelPeer, ...] = ("openai_chat", "openai_responses", "anthropic_messages")
TOOL_PEERS: tuple[ToolPeer, ...] = ("stdio", "http", "http_stream")


class ModelEntry(Form):
    """A fault of the wire to a model, for every API."""

    fault: str
    spec: str = ""
    raw: str = ""
    retries: int = 0
    stream: Annotated[tuple[bool, ...], Field(min_length=1)] = (True,)
    class_: Annotated[str | dict[ModelPeer, str], Field(alias="class")]


class ToolEntry(Form):
    """A fault of the wire to a tool server."""

    fault: str
    spec: str = ""
    peers: tuple[ToolPeer, ...]
    class_: Annotated[str, Field(alias="class")]


class MatrixForm(Form):
    """The file."""

    models: tuple[ModelEntry, ...]
    tools: tuple[ToolEntry, ...]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row: a peer, the fault of its wire, how it is made, and its class; `none` where the wire did its part."""

    peer: ModelPeer | ToolPeer
    fault: str
    spec: str
    raw: str
    retries: int
    red_class: str
    stream: bool

    @property
    def name(self) -> str:
        """The row in one line."""
        return f"{self.peer}, {'a stream' if self.stream else 'JSON'}: {self.fault}"

    @property
    def is_model(self) -> bool:
        """Whether the peer is a model's API."""
        return self.peer in MODEL_PEERS


def rows(path: Path = FILE) -> tuple[Row, ...]:
    """All rows, in the order of the file."""
    return tuple(_rows(read_document(path).validate(MatrixForm)))


def _rows(form: MatrixForm) -> Iterator[Row]:
    for model in form.models:
        for stream, api in product(model.stream, MODEL_PEERS):
            yield Row(
                peer=api,
                fault=model.fault,
                spec=model.spec,
                raw=model.raw,
                retries=model.retries,
                red_class=model.class_ if isinstance(model.class_, str) else model.class_[api],
                stream=stream,
            )
    for tool in form.tools:
        for transport in tool.peers:
            yield Row(
                peer=transport,
                fault=tool.fault,
                spec=tool.spec,
                raw="",
                retries=0,
                red_class=tool.class_,
                stream=transport == "http_stream",
            )
