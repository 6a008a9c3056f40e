"""The shipped corpus: texts, labels, the labelling guideline, and the command that counts them."""

__all__: list[str] = []
