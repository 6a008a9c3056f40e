"""The rows of the SDK matrix: what each client must see of each fault, read from `sdk_matrix.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from marg_mock_model import read_document
from marg_mock_model.form import Absent, Form

FILE = Path(__file__).with_name("sdk_matrix.yaml")

Api = Literal["openai_chat", "openai_responses", "anthropic_messages"]
Client = Literal["sync", "async"]
APIS: tuple[Api, ...] = ("openai_chat", "openai_responses", "anthropic_messages")
CLIENTS: tuple[Client, ...] = ("sync", "async")


class EntryForm(Form):
    """An entry of the file: one fault, for every API and client."""

    fault: str
    spec: str | dict[Api, str] = ""
    stream: Annotated[tuple[bool, ...], Field(min_length=1)] = (False,)
    tool: Annotated[tuple[bool, ...], Field(min_length=1)] = (False,)
    retries: int = 0
    saw: str | dict[Api, str]
    requests: int | Absent = None


class MatrixForm(Form):
    """The file."""

    rows: tuple[EntryForm, ...]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row: what a client does, the fault that it meets, what it must see, how many requests must be heard."""

    api: Api
    client: Client
    stream: bool
    tool: bool
    fault: str
    spec: str
    retries: int
    saw: str
    requests: int

    @property
    def name(self) -> str:
        """The row in one line."""
        how = "stream" if self.stream else "JSON"
        return f"{self.api}, {self.client}, {how}, {'with' if self.tool else 'without'} a call: {self.fault}"


def rows(path: Path = FILE) -> tuple[Row, ...]:
    """All rows, in the order of the file."""
    return tuple(row for entry in read_document(path).validate(MatrixForm).rows for row in _expanded(entry))


def _expanded(entry: EntryForm) -> Iterator[Row]:
    requests = 1 if entry.requests is None else entry.requests
    for stream in entry.stream:
        for tool in entry.tool:
            for api in APIS:
                saw = _of(entry.saw, api)
                for client in CLIENTS:
                    yield Row(
                        api=api,
                        client=client,
                        stream=stream,
                        tool=tool,
                        fault=entry.fault,
                        spec=_of(entry.spec, api),
                        retries=entry.retries,
                        saw=saw,
                        requests=requests,
                    )


def _of(value: str | Mapping[Api, str], api: Api) -> str:
    return value if isinstance(value, str) else value[api]
