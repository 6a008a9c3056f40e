"""What the server that forks workers has ready: modules and words, and nothing that a scenario could change.

Importing it puts the words of the questions in order, which takes longer than a scenario; every worker is forked with
that done.
"""

from __future__ import annotations

from marg_harness import workers
from marg_harness.target import order_words

__all__ = ["workers"]

order_words("en")
