"""Why a backend turned a create call down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RefusalCode = Literal["not_confirmed", "writes_off", "bad_arguments", "key_reused", "conflict"]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a create call was turned down: a word for programs, a sentence for people."""

    code: RefusalCode
    message: str
